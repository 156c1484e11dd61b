/* Questions into sub-questions: tables of what is asked and what is planned. */
#include "question/compare.h"
#include "research/choices.h"
#include "research/focus.h"
#include "research/plan.h"
#include "research/plan_model.h"
#include "research/plan_names.h"
#include "research/sides.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <strings.h>

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 64 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

static struct plan plan_of(const char *question, enum research_mode mode,
                           size_t max)
{
    struct query q;
    struct plan p;

    assert_int_equal(query_parse(question, &arena, &q), ERR_OK);
    assert_int_equal(plan_make(&q, mode, max, &arena, &p), ERR_OK);
    return p;
}

/* A question, the titles of its plan with "|" between, those of one section
 * once, and what is compared. */
struct planned {
    const char *question, *titles, *sides;
};

static void assert_planned(const struct planned *of)
{
    struct plan p = plan_of(of->question, MODE_AUTO, 12);
    char titles[1024] = "", sides[256] = "";

    for (size_t i = 0; i < p.count; i++) {
        if (i > 0 && strcmp(p.subs[i].title, p.subs[i - 1].title) == 0)
            continue;
        strcat(strcat(titles, i > 0 ? "|" : ""), p.subs[i].title);
    }
    for (size_t i = 0; i < p.side_count; i++)
        strcat(strcat(sides, i > 0 ? "|" : ""), p.sides[i]);
    if (strcmp(titles, of->titles) != 0 || strcmp(sides, of->sides) != 0)
        fail_msg("%s: \"%s\" \"%s\"", of->question, titles, sides);
}

static void assert_all_planned(const struct planned *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_planned(&of[i]);
}

static void headings_are_the_parts_of_the_question(void **state)
{
    static const struct planned of[] = {
        /* what stands behind a colon */
        {"Plan the move of a mail server for a school: which ways are there, "
         "what can go wrong, and how is it tested?",
         "|Which ways are there|What can go wrong|How is it tested", ""},
        {"Write instructions for a flooded server room: alarm, first steps, "
         "drying",
         "|Alarm|First steps|Drying", ""},
        /* clauses and items that "and" joins */
        {"How do seals breathe, how do they sleep, and what do they eat?",
         "How do seals breathe|How do they sleep|What do they eat", ""},
        {"Find out how locks fill, and how I can pass them by night.",
         "How locks fill|How I can pass them by night", ""},
        {"Are steel barges worth it? Describe what they are, their limits, and "
         "how they compare with rafts.",
         "Are steel barges worth it|What they are|Their limits|How they "
         "compare "
         "with rafts",
         ""},
        {"Barge types - what, why, how?", "|What|Why|How", ""},
        /* a list in front of another question */
        {"How do we clean the lid, replace old tanks by hand, and what does it "
         "cost?",
         "How do we clean the lid|Replace old tanks by hand|What does it cost",
         ""},
        {"What are the first steps, the limits and which pump fits a barge?",
         "What are the first steps|Limits|Which pump fits a barge", ""},
        {"What happens to a pump, however old, and what does it cost?",
         "What happens to a pump, however old|What does it cost", ""},
        /* a heading that is cut ends with a whole */
        {"How do I fit out an old boat for three sailors so that the two young "
         "ones without any training can sail it first and the third one comes "
         "later? What are the limits?",
         "How do I fit out an old boat for three sailors so that the two young "
         "ones without any training can sail it first|What are the limits",
         ""},
        {"How do I fit out an old boat for three sailors on the northern "
         "canals - we have some ropes in the cellar and some sails in a yard? "
         "What are the limits?",
         "How do I fit out an old boat for three sailors on the northern "
         "canals|What are the limits",
         ""},
        /* what only denies says it of what is before it */
        {"Which locks should be oiled and which not, and how do they empty?",
         "Which locks should be oiled and which not|How do they empty", ""},
        {"What locks are oiled and which not, and how do they empty?",
         "What locks are oiled and which not|How do they empty", ""},
        {"Can a lock be emptied by hand, and if not, why not?",
         "Can a lock be emptied by hand|Why not", ""},
        {"Compare oak barges, iron barges and rafts: cost, limits, repair.",
         "Oak barges|Iron barges|Rafts|Cost|Limits|Repair",
         "oak barges|iron barges|rafts"},
        {"Which locks fill, which not, and how do they empty?",
         "Which locks fill, which not|How do they empty", ""},
        {"Which locks fill and when do they not fill?",
         "Which locks fill|When do they not fill", ""},
        {"Tell our skippers why locks fill and how they empty.",
         "Why locks fill|How they empty", ""},
        {"We move from barges to trains. What changes, what do we rebuild, and "
         "can we go back?",
         "What changes|What do we rebuild|Can we go back", ""},
        {"Is it safe to copy a chart at sea? If not, how should it be kept?",
         "Is it safe to copy a chart at sea|How should it be kept", ""},
        {"How do I fit out a new boat? Cover sails, ropes and lamps.",
         "|Sails|Ropes|Lamps", ""},
        {"How to read tide tables and write logbooks",
         "How to read tide tables|Write logbooks", ""},
        {"How can we find lost parcels and repair damaged labels? Write a "
         "guide for the counter",
         "How can we find lost parcels|Repair damaged labels", ""},
        {"Our trains are late. Give a step-by-step way to find the causes, "
         "see why they last and remove them",
         "Find the causes|Why they last|Remove them", ""},
        {"Explain the Amber engine, the Basalt engine and the zeppelin hangar",
         "Amber engine|Basalt engine|Zeppelin hangar", ""},
        /* what only names the text is no part, nor of its subject */
        {"Briefing: pumps of a small boat - fitting a filter, draining old "
         "tanks, and what can go wrong",
         "|Fitting a filter|Draining old tanks|What can go wrong", ""},
        {"Overview of pumps for a boat: filters, tanks, and oil",
         "|Filters|Tanks|Oil", ""},
        {"Brief our sailors on pumps: filters, tanks, and oil",
         "|Filters|Tanks|Oil", ""},
        {"Briefing: how to drain a pump (filters, tanks)",
         "How to drain a pump|Filters|Tanks", ""},
        /* what is only named behind what is asked */
        {"Write me the steps to drain a pump with a hose, including a tank on "
         "wheels and the floating valve, with what can go wrong.",
         "|Tank on wheels|Floating valve|With what can go wrong", ""},
        {"Weigh the risks of a move to Amber, its costs, and its limits.",
         "Risks of a move to Amber|Its costs|Its limits", ""},
        {"How do I drain a pump? Filters, old tanks, changing the oil with "
         "gloves, and smells",
         "|Filters|Old tanks|Changing the oil with gloves|Smells", ""},
        {"How do I drain a pump? We have two tanks, filters, and oil.", "", ""},
        /* one part has no heading of its own */
        {"What should I do to protect a boat in winter?", "", ""},
        {"Propose a watering and pruning policy for a garden", "", ""},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* The brackets around a list of parts go; others stay, and are whole. */
static void a_list_in_brackets_is_parts(void **state)
{
    static const struct planned of[] = {
        {"Write a guide for guarding a pump (locks, rust, hiding the key) and "
         "for selling it",
         "Guarding a pump|Locks|Rust|Hiding the key|For selling it", ""},
        {"How do I guard a pump (locks (iron, brass), rust and hiding the "
         "key)?",
         "How do I guard a pump|Locks (iron, brass)|Rust|Hiding the key", ""},
        {"Guarding a pump: how to seal it [wax, tar], what it costs",
         "|How to seal it|Wax|Tar|What it costs", ""},
        {"Compare Amber and Basalt (ranking, set-up)",
         "Amber|Basalt|Ranking|Set-up", "Amber|Basalt"},
        {"We ring a bell when a lid opens (Amber) or a GONG falls (Basalt). "
         "Compare how the two tools ring it and what has to be set up in each.",
         "How the two tools ring it|What has to be set up in each", ""},
        {"Which engines (Amber, Basalt or Coral) are there, and what do they "
         "cost?",
         "Which engines (Amber, Basalt or Coral) are there|What do they cost",
         "Amber|Basalt|Coral"},
        {"Wie sichert man eine Pumpe (Schl\xC3\xB6sser, Rost und Farbe)?",
         "Wie sichert man eine Pumpe|Schl\xC3\xB6sser|Rost|Farbe", ""},
        {"Comment garder une pompe (rouille, peinture, serrures) et comment "
         "la vendre ?",
         "Comment garder une pompe|Rouille|Peinture|Serrures|Comment la "
         "vendre",
         ""},
        /* what goes on behind them, an aside, a function */
        {"Explain the move of pumps (old, new) to one cellar", "", ""},
        {"Explain the Amber pump (old) and the Basalt valve of the cellar", "",
         ""},
        {"Explain move(a, b) of the Amber engine", "", ""},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* What people say around what they ask is no part: who they are, how it is to
 * be written, whom it is for. What is to be in a text is. */
static void a_request_is_read_as_people_write_it(void **state)
{
    static const struct planned of[] = {
        /* a situation, and verbs that order where a sentence begins */
        {"We run two barges and want to paint them. Draw up a plan covering "
         "rust, priming coats, drying, and how to stop safely.",
         "|Rust|Priming coats|Drying|How to stop safely", ""},
        {"Our keepers get a new mill. Write the instructions for setting it "
         "up: belts must not slip, one lid must be oiled, and the bell should "
         "ring.",
         "|Belts must not slip|One lid must be oiled|Bell should ring", ""},
        {"Our barge leaks. I need a checklist for the dry dock, including the "
         "hull, the valves and testing the pumps.",
         "|Hull|Valves|Testing the pumps", ""},
        {"Could you write up how the bilge is kept dry, what we must paint, "
         "and the snags, including what happens when the frost comes?",
         "How the bilge is kept dry|What we must paint|Snags|What happens when "
         "the frost comes",
         ""},
        {"What is the way to dry a bilge and how long does paint take, "
         "including primer?",
         "Dry a bilge|How long does paint take|Primer", ""},
        {"Set out a rule for our moorings. It should say who may land, how "
         "often, and how berths are kept.",
         "Rule for our moorings|Who may land|How often|How berths are kept",
         ""},
        {"Our pump stopped. I'd like to understand the fuses, know which one "
         "is safe, and hear if a second would help.",
         "Fuses|Which one is safe|If a second would help", ""},
        {"Could you write me a short guide to splicing ropes, and then tell me "
         "whether wire can be spliced?",
         "Splicing ropes|Whether wire can be spliced", ""},
        {"Please explain to a young crew what tides are, how fast they run; "
         "also mention where they are read.",
         "What tides are|How fast they run|Where they are read", ""},
        {"Begin with why locks exist, then gates and sluices, the lifting of "
         "boats, and finish with the tolls to be paid.",
         "Why locks exist|Gates and sluices|Lifting of boats|Tolls to be paid",
         ""},
        {"I need a description covering old locks, new locks, and the tolls. "
         "Please point out where one has to wait.",
         "|Old locks|New locks|Tolls|Point out where one has to wait", ""},
        {"Could you kindly list them by what they save, whether a crew must be "
         "there, and how they are sold?",
         "What they save|Whether a crew must be there|How they are sold", ""},
        {"Explain how locks, gates and sluices fit, and what they cost",
         "How locks, gates and sluices fit|What they cost", ""},
        {"Briefing on our docks: wet vs dry docks, gates and old pumps, what "
         "needs a crew, and the known limits.",
         "|Wet vs dry docks|Gates|Old pumps|What needs a crew|Known limits",
         ""},
        {"Please write up how old locks and new gates work on a canal, and "
         "what "
         "they cost.",
         "How old locks and new gates work on a canal|What they cost", ""},
        /* how to answer, and what is not to be cut in two */
        {"By the harbour book, what should I check in a week, and in what "
         "order? Give recommendations with reasons.",
         "", ""},
        {"What are our ways of lifting and lowering old boats, and which would "
         "you take? Thanks!",
         "What are our ways of lifting and lowering old boats|Which would you "
         "take",
         ""},
        {"What must I look at between painting the hull and sending the boat "
         "out, and why?",
         "", ""},
        {"Which rope is best for a mix of short hauls, long tows and a wet "
         "deck, and how is it dried?",
         "Which rope is best for a mix of short hauls, long tows and a wet "
         "deck|How is it dried",
         ""},
        {"Explain the ways to moor a boat (buoy, quay, raft and so on) and "
         "when "
         "to take which",
         "Ways to moor a boat|Buoy|Quay|Raft|When to take which", ""},
        {"How can I scrape a hull in a dock, paint it over two days, and float "
         "the boat out on a tide?",
         "How can I scrape a hull in a dock|Paint it over two days|Float the "
         "boat out on a tide",
         ""},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

static void what_is_chosen_from_is_sides(void **state)
{
    static const struct planned of[] = {
        {"Compare the steam, diesel and sail models of Amber and recommend one "
         "for a river that still floods.",
         "Steam|Diesel|Sail|Compared", "steam|diesel|sail"},
        {"In Amber, should we use wire ropes, hemp ropes or chains for a barge "
         "that carries coal? Recommend one with reasons.",
         "Wire ropes|Hemp ropes|Chains|Compared",
         "wire ropes|hemp ropes|chains"},
        {"Amber or basalt slabs for a quay that others will use? Compare them "
         "on weight, price and wear, and say which we should start with.",
         "Amber|Basalt slabs|Weight|Price|Wear|Which we should start with",
         "Amber|basalt slabs"},
        {"hand pumps vs two-way pumps vs wind mills. Compare on price and "
         "rust.",
         "Hand pumps|Two-way pumps|Wind mills|Price and rust",
         "hand pumps|two-way pumps|wind mills"},
        {"Explain rafts versus barges versus tugs for one heavy load.",
         "Rafts|Barges|Tugs|Compared", "rafts|barges|tugs"},
        {"Amber pumps: AQ, BX or both? We can lose a litre.", "AQ|BX|Compared",
         "AQ|BX"},
        {"Compare Amber and Basalt for pulling in other boats, and say when "
         "each one makes sense.",
         "Amber|Basalt|When each one makes sense", "Amber|Basalt"},
        /* one of a list is not what the question is about */
        {"Draft a rule that settles the paint, AQ vs BX, where keys are kept, "
         "and who does what.",
         "Rule that settles the paint, AQ vs BX|Where keys are kept|Who does "
         "what",
         ""},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

static void sides_are_compared_part_by_part(void **state)
{
    static const struct planned of[] = {
        {"Compare full-text search in Amber (FTS) and Basalt 15: set-up, "
         "ranking",
         "Amber (FTS)|Basalt 15|Set-up|Ranking", "Amber (FTS)|Basalt 15"},
        {"Compare Amber with Basalt in speed, oil and noise, and say which one "
         "suits two of us.",
         "Amber|Basalt|Speed|Oil|Noise|Which one suits two of us",
         "Amber|Basalt"},
        {"How do amber and Basalt compare when it comes to oil? Compare the "
         "seals, and how a ring is changed.",
         "Amber|Basalt|Seals|How a ring is changed", "amber|Basalt"},
        {"Amber or Basalt for our pumps? I care mostly about oil, noise at "
         "night and seals.",
         "Amber|Basalt|Oil|Noise at night|Seals", "Amber|Basalt"},
        {"How do Amber and Basalt differ in oil, and what do they cost?",
         "Amber|Basalt|Oil|What do they cost", "Amber|Basalt"},
        {"Compare Amber with Basalt and tin in oil, rust and noise.",
         "Amber|Basalt|Tin|Oil|Rust|Noise", "Amber|Basalt|tin"},
        {"Compare engines such as Amber or Basalt in oil, rust and noise.",
         "Amber|Basalt|Oil|Rust|Noise", "Amber|Basalt"},
        {"Compare Amber with Basalt, tin and lead in oil, rust and noise.",
         "Oil|Rust|Noise", "Amber|Basalt|tin|lead"},
        {"Compare amber with Basalt and Cedar.", "Amber|Basalt|Cedar|Compared",
         "amber|Basalt|Cedar"},
        {"Compare Amber to Basalt, focusing on oil and on rust.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        /* where, how and with what is no point */
        {"Compare Amber and Basalt in a short table, with a recommendation.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"Compare Amber and Basalt in war, in peace, and in art.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        /* … but what is theirs, also behind where */
        {"Compare Amber, Basalt and Cedar as pumps for barges, with their "
         "limits and the seals that matter.",
         "Amber|Basalt|Cedar|Their limits|Seals that matter",
         "Amber|Basalt|Cedar"},
        {"Compare Amber and Basalt in Ghent, with their costs and their noise.",
         "Amber|Basalt|Their costs|Noise", "Amber|Basalt"},
        /* a choice of what is listed is one of several things */
        {"Describe how to build a barge: choice of pump, hull plates, oiling "
         "and tarring, sea reports and common faults.",
         "|Choice of pump|Hull plates|Oiling and tarring|Sea reports|Common "
         "faults",
         ""},
        {"Should we use Amber or Basalt to store oil, grease, and wax?",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"Should we move to Amber or Basalt with two pumps, a dog and a cat?",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"How do I choose a pump with good seals?", "", ""},
        {"How do I compare pumps with a meter?", "", ""},
        {"Help me choose a pump to fit in a yard.", "", ""},
        {"Compare Amber with Basalt and justify.", "Amber|Basalt|Compared",
         "Amber|Basalt"},
        {"Why use pipes over rails?", "", ""},
        {"Amber or Basalt for our pumps? I want to sleep, eat, and sing.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"How do Amber and Basalt differ in price and size?",
         "Amber|Basalt|Price|Size", "Amber|Basalt"},
        {"Compare Amber and Basalt in a wet yard and recommend one for a pump.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"How do Amber and Basalt differ in price, noise and size?",
         "Amber|Basalt|Price|Noise|Size", "Amber|Basalt"},
        {"How do Amber and Basalt differ in terms of who can open one, noise "
         "and size?",
         "Amber|Basalt|Who can open one|Noise|Size", "Amber|Basalt"},
        {"Compare seal=lead with seal=felt and seal=tin in rivers.",
         "Seal=lead|Seal=felt|Seal=tin|Compared", "seal=lead|seal=felt|seal=tin"},
        {"Pros and cons of oars versus long poles for a ferry, with regard to "
         "depth, mud.",
         "Oars|Long poles|Depth|Mud", "oars|long poles"},
        {"What are the trade-offs between wooden hulls and steel hulls in ice?",
         "Wooden hulls|Steel hulls|Compared", "wooden hulls|steel hulls"},
        /* examples are none, nor are places */
        {"I need a plan for our ferry: costs, goals such as Ghent or Bruges, "
         "and dates.",
         "|Costs|Goals such as Ghent or Bruges|Dates", ""},
        {"Compare how Amber and Basalt keep data safe, and what it costs",
         "How Amber and Basalt keep data safe|What it costs", "Amber|Basalt"},
        {"Threads, processes or fibres: which should we use?",
         "Threads|Processes|Fibres|Compared", "Threads|processes|fibres"},
        {"We start a shop. Amber or Basalt? Give a reasoned recommendation.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"Compare bans and purges in Amber: what each does and when to use it",
         "Bans|Purges|What each does|When to use it", "bans|purges"},
        {"Should I choose barges, rafts or canoes for a river?",
         "Barges|Rafts|Canoes|Compared", "barges|rafts|canoes"},
        {"I need to decide between barges and long canoes. Give me the "
         "trade-offs.",
         "Barges|Long canoes|Compared", "barges|long canoes"},
        {"What are the pros and cons of rowing compared to sailing?",
         "Rowing|Sailing|Compared", "rowing|sailing"},
        {"What is the best way to keep lists in Amber: lst or lstb? When does "
         "each make sense?",
         "Lst|Lstb|When does each make sense", "lst|lstb"},
        {"Compare WAL mode versus rollback journal in SQLite",
         "WAL mode|Rollback journal|Compared", "WAL mode|rollback journal"},
        {"Amber or Basalt for our old pumps? Compare the two so that we can "
         "decide.",
         "Amber|Basalt|Compared", "Amber|Basalt"},
        {"We have to choose between Amber and Basalt for our pumps. Compare "
         "them on oil, what a seal does without any grease, gate limits, and "
         "changing rings safely.",
         "Amber|Basalt|Oil|What a seal does without any grease|Gate "
         "limits|Changing rings safely",
         "Amber|Basalt"},
        {"Compare Amber and Basalt as a pump's heart.\n\n- oil\n- noise at "
         "night\n- a ring's life\n\nI have to say so by Friday.",
         "Amber|Basalt|Oil|Noise at night|Ring's life", "Amber|Basalt"},
        {"Should we stay with Amber or go to basalt? We have four pumps.",
         "Amber|Basalt|Compared", "Amber|basalt"},
        {"Should we hold our pumps with Amber or hand them over to basalt on "
         "rails?",
         "Amber|Basalt|Compared", "Amber|basalt"},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* What is behind everything and only says what to skip is no word of it; what
 * is written ahead of that stays as it is. */
static void what_is_to_be_skipped_is_no_word_of_it(void **state)
{
    static const struct {
        const char *text, *left;
    } of[] = {
        {"How are seals cut? Skip the basics.", "How are seals cut?"},
        {"How are seals cut:\n1. by hand\n2. by mill\n\n"
         "Please skip the prices. Omit the history, please.",
         "How are seals cut:\n1. by hand\n2. by mill"},
        {"How are seals cut:\n- by hand\n- skip the mill", NULL},
        {"1. How are seals cut? 2. Skip the mill.", NULL},
        {"How are seals cut? Ropes. Skip lists.", NULL},
        {"Tell me about seals. Skip to the mill.", NULL},
        {"How are seals cut? Skip \xE2\x80\x9Cthe mill\xE2\x80\x9D.", NULL},
        {"Skip the basics. How are seals cut?", NULL},
        {"Skip the basics. Omit the prices.", NULL},
        {"How are seals cut? Skip the \"basics of seals\".", NULL},
        {"How are seals cut? Skip ropes, which we have on board, for once hold "
         "nothing.",
         NULL},
        {"How are seals cut? Skip the basics or not?", NULL},
        {"... Skip the basics.", NULL}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        const char *whole = arena_printf(
            &arena, "<guidance>In short.</guidance>%s", of[i].text);
        struct query q, left;

        assert_int_equal(query_parse(whole, &arena, &q), ERR_OK);
        assert_int_equal(plan_wishes_drop(&q), ERR_OK);
        assert_string_equal(q.text,
                            of[i].left == NULL ? of[i].text : of[i].left);
        assert_string_equal(q.guidance, "In short.");
        assert_int_equal(query_parse(q.text, &arena, &left), ERR_OK);
        assert_int_equal(q.term_count, left.term_count);
        assert_true(q.names == left.names && q.type == left.type);
    }
}

/* What is not wanted is no part, nor what a part is about; nor is whom the text
 * is for. "No" of a thing is a situation. */
static void what_is_declined_is_left_out(void **state)
{
    static const struct planned of[] = {
        {"Explain how seals are cut and how rings are laid. I don't want "
         "prices, and please leave oil out.",
         "How seals are cut|How rings are laid", ""},
        {"Our pump leaks. How are seals cut, and how are rings laid? No "
         "basics. Skip the history and the prices.",
         "How are seals cut|How are rings laid", ""},
        {"We need a plan for new seals: which kinds are there, and what do "
         "they cost? The report is for our board, who fear rust.",
         "|Which kinds are there|What do they cost", ""},
        {"Skip lists: explain how they are cut, and how they are laid.",
         "|How they are cut|How they are laid", ""},
        {"Explain how seals are cut and how rings are laid. We don't want to "
         "compare Amber and Basalt.",
         "How seals are cut|How rings are laid", ""},
        {"Upgrading the pump: locks, rust, smells. I don't want a summary.",
         "|Locks|Rust|Smells", ""},
        /* … and what only looks like it, or like a choice of deeds */
        {"How do we tune the gates of a mill and monitor its slow wheels?",
         "How do we tune the gates of a mill|Monitor its slow wheels", ""},
        {"Can we mend Amber or does it break on old rails?",
         "Can we mend Amber|Does it break on old rails", ""},
        {"How are seals cut, and how are rings laid? Our pump is old; the "
         "valve was replaced in May; nobody knows the oil.",
         "How are seals cut|How are rings laid", ""}};
    struct plan p;

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
    p = plan_of(of[1].question, MODE_AUTO, 12);
    assert_string_equal(p.subs[0].context, "Our pump leaks");
    p = plan_of(of[2].question, MODE_AUTO, 12);
    assert_null(strstr(p.subs[0].question, "board"));
    p = plan_of("No water comes out of our pump since Monday. How is it "
                "mended?",
                MODE_AUTO, 12);
    assert_non_null(strstr(p.subs[0].question, "No water comes"));
}

static void other_languages_have_parts_too(void **state)
{
    static const struct planned of[] = {
        {"Vergleiche Amber und Basalt: Betrieb, Leistung und Grenzen",
         "Amber|Basalt|Betrieb|Leistung|Grenzen", "Amber|Basalt"},
        {"Wie richtet man einen Server ein und wie sichert man ihn?",
         "Wie richtet man einen Server ein|Wie sichert man ihn", ""},
        {"Welche Schleusen soll man schmieren und welche nicht, und wie "
         "leert man sie?",
         "Welche Schleusen soll man schmieren und welche nicht|Wie leert man "
         "sie",
         ""},
        {"Comment sauvegarder une base et comment la restaurer ?",
         "Comment sauvegarder une base|Comment la restaurer", ""},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* A part is searched with what it leaves to the rest of the question. */
static void a_part_carries_its_subject(void **state)
{
    struct plan p = plan_of("Plan the backups of an Amber database: which "
                            "methods are there, and how is a restore done?",
                            MODE_AUTO, 6);

    (void)state;
    assert_int_equal(p.count, 3);
    assert_string_equal(p.subs[0].question, "the backups of an Amber database");
    assert_string_equal(p.subs[2].question, "how is a restore done");
    assert_string_equal(p.subs[2].context, "the backups of an Amber database");
}

/* What is compared among other things that are asked is one part, and so is a
 * list that one verb asks for. What its last item says of all is asked of each.
 */
static void only_wishes_for_the_text_are_dropped(void **state)
{
    struct plan p = plan_of("What are dead gates of a mill? The table sinks by "
                            "a yard. Which wheels help?",
                            MODE_AUTO, 12);

    (void)state;
    assert_non_null(strstr(p.subs[0].context, "The table sinks"));
    p = plan_of("What are dead gates of a mill? A table would be nice. Which "
                "wheels help?",
                MODE_AUTO, 12);
    assert_null(strstr(p.subs[0].context, "table"));
}

static void a_list_that_is_one_question_is_one_part(void **state)
{
    static const struct planned of[] = {
        {"What is the difference between amber, basalt and chalk, how is chalk "
         "cut, and which one should a beginner take?",
         "What is the difference between amber, basalt and chalk|How is chalk "
         "cut|Which one should a beginner take",
         ""},
        {"Which rings, seals and valves does the pump need, and in what order "
         "are rings fitted?",
         "Which rings, seals and valves does the pump need|In what order are "
         "rings fitted",
         ""},
        {"Explain the pool, in which rings are kept, and how it is filled",
         "Pool, in which rings are kept|How it is filled", ""},
        {"In a pump, what is a ring and how is it fitted?",
         "What is a ring|How is it fitted", ""},
        {"What are the causes, signs and remedies of rust in pumps?",
         "What are the causes of rust in pumps|Signs|Remedies of rust in pumps",
         ""},
        {"Overview please: how do Amber's gate policy and water limits work, "
         "and what will they not catch?",
         "How do Amber's gate policy and water limits work|What will they not "
         "catch",
         ""}};
    struct plan p;

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
    p = plan_of(of[4].question, MODE_AUTO, 12);
    assert_string_equal(p.subs[1].question, "signs of rust in pumps");
}

/* What somebody else asks is asked; what is told of him is no part. */
static void what_others_ask_is_asked(void **state)
{
    static const struct planned of[] = {
        {"We run a small yard and plan to open it. Our data protection officer "
         "asks what is stored about sailors, for how long, and how it is "
         "deleted. Please write a briefing for her.",
         "What is stored about sailors|For how long|How it is deleted", ""},
        {"Our legal department wants to understand what a lid must contain, "
         "who decides, and where valves are kept.",
         "What a lid must contain|Who decides|Where valves are kept", ""},
        {"My manager asked me to find out how gates behave at night. I need: "
         "locks, belts, and how a keeper should react to frost.",
         "|Locks|Belts|How a keeper should react to frost", ""},
        {"Our head of sales would like to know if we can paint it, and what "
         "that costs.",
         "If we can paint it|What that costs", ""},
        {"Our lawyer is asking: which lids are allowed, what is the difference "
         "between amber, basalt and chalk, and how is it decided?",
         "Which lids are allowed|What is the difference between amber, basalt "
         "and chalk|How is it decided",
         ""}};

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* A list of parts, however it is begun. */
static void lists_are_found_behind_what_is_said_first(void **state)
{
    static const struct planned of[] = {
        {"How do I move a mill? I'm interested in gates, frost, and oil.",
         "|Gates|Frost|Oil", ""},
        {"Our mill is old. Things to check: gates, frost, oil.",
         "Gates|Frost|Oil", ""},
        {"Explain what a mill is, how gates work, basics of oil, and frost.",
         "What a mill is|How gates work|Basics of oil|Frost", ""},
        {"Please compare the Amber and Basalt pumps of Ulm with regard to "
         "frost, oil, and paint",
         "Amber|Basalt|Frost|Oil|Paint", "Amber|Basalt"},
        {"I need to explain to my students how a pump is sealed, and what it "
         "costs.",
         "How a pump is sealed|What it costs", ""},
        {"The board meets on Friday and wants a short overview of sluices "
         "with gates, ropes and costs.",
         "Sluices with gates|Ropes|Costs", ""},
        {"Move from Amber to Basalt - risks, belts, oil, frost?",
         "|Risks|Belts|Oil|Frost", ""},
        {"Amber or Basalt for our yard? Criteria are frost, oil, and rust.",
         "Amber|Basalt|Frost|Oil|Rust", "Amber|Basalt"},
        {"What are the seals of a pump? In particular rings, glands, and oil.",
         "|Rings|Glands|Oil", ""},
        {"Describe the seals (rings, glands), signs of each, frost, oil, rust.",
         "Seals|Rings|Glands|Signs of each|Frost|Oil|Rust", ""},
        {"Our insurer sent a list. Question 4: how is a pump sealed? Question "
         "5: who opens it?",
         "How is a pump sealed|Who opens it", ""},
        {"Before our move to the new mill, please tell us about new gates, "
         "belts we could use, and frost.",
         "New gates|Belts we could use|Frost", ""}};

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* A situation is asked along where a part says little, not where it says what
 * it is about. */
static void a_part_that_says_enough_is_asked_alone(void **state)
{
    struct plan p =
        plan_of("As the new keeper of a small port I inherited a "
                "mill. How do I set up locks, when does each exist, "
                "and which mistakes are common?",
                MODE_AUTO, 6);

    (void)state;
    assert_int_equal(p.count, 3);
    assert_string_equal(p.subs[0].question, "How do I set up locks");
    assert_non_null(strstr(p.subs[1].question, "inherited a mill"));
    assert_non_null(strstr(p.subs[2].question, "inherited a mill"));
}

/* What names nothing asks about what the first part does, and "they" are what
 * the part before names. */
static void a_part_that_names_nothing_is_asked_of_the_rest(void **state)
{
    struct plan p = plan_of("Explain the seals of an Amber pump and when to "
                            "choose which",
                            MODE_AUTO, 6);

    (void)state;
    assert_int_equal(p.count, 2);
    assert_string_equal(p.subs[1].title, "When to choose which");
    assert_string_equal(p.subs[1].question,
                        "the seals of an Amber pump: when to choose which");
    p = plan_of("Our reports are slow. How do we find the bad queries, and "
                "why are they slow?",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 2);
    assert_string_equal(p.subs[0].question,
                        "How do we find the bad queries: Our reports are slow");
    assert_string_equal(p.subs[1].question,
                        "why are they slow: How do we find the bad queries");
    assert_non_null(strstr(p.subs[1].context, "bad queries"));
    /* … and what has no word of its own asks about what is told. */
    p = plan_of("Two lamps of our pump blink at night. What is going on?",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 1);
    assert_non_null(strstr(p.subs[0].question, "lamps of our pump blink"));
    p = plan_of("Two lamps of our pump blink at night. What is going on, and "
                "how do we calm them?",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 2);
    assert_non_null(strstr(p.subs[0].question, "lamps of our pump blink"));
    assert_string_equal(p.subs[0].own, p.subs[0].question);
    /* What somebody says of himself is no part. */
    p = plan_of("We travel by night, so what does the Amber pump do with its "
                "lamps? How is it calmed?",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 2);
    assert_string_equal(p.subs[0].title,
                        "What does the Amber pump do with its lamps");
    assert_string_equal(p.subs[1].title, "How is it calmed");
    /* Nor are those whom it is for. */
    p = plan_of("Please prepare a briefing for a colleague who takes over our "
                "cellars next week: pressure and wear of the Amber pump. She "
                "needs to know which seals exist, how the valves are set, and "
                "who may open them.",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 5);
    assert_string_equal(p.subs[2].title, "Which seals exist");
    assert_string_equal(p.subs[4].title, "Who may open them");
    assert_null(strstr(p.title, "cellars"));
    for (size_t i = 0; i < p.count; i++)
        assert_null(strstr(p.subs[i].question, "cellars"));
    /* However many parts say so, it is the last one that names something. */
    p = plan_of("Explain how an Amber pump leaks, how one sees it, and how it "
                "is sealed",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 3);
    assert_string_equal(p.subs[2].title, "How it is sealed");
    assert_string_equal(p.subs[2].question,
                        "how it is sealed: how an Amber pump leaks");
    /* In front of a colon stands what "it" and "one" are. */
    p = plan_of("A guide to Amber pumps: what they are, how to build one, and "
                "how they are sealed",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 3);
    assert_string_equal(p.subs[0].title, "What they are");
    assert_string_equal(p.subs[0].question, "what they are: Amber pumps");
    assert_string_equal(p.subs[0].own, p.subs[0].question);
    assert_string_equal(p.subs[1].question, "how to build one: Amber pumps");
    assert_string_equal(p.subs[1].own, "how to build one");
    assert_string_equal(p.subs[2].question, "how they are sealed: Amber pumps");
    p = plan_of("Wie entstehen L\xC3\xBC"
                "cken im Deich, und wie schliesst man "
                "sie?",
                MODE_AUTO, 6);
    assert_int_equal(p.count, 2);
    assert_non_null(strstr(p.subs[1].question, "im Deich"));
}

/* As programs and people in a hurry write their requests. */
static void marked_lists_are_the_parts(void **state)
{
    static const struct planned of[] = {
        {"Report on tide mills with:\n- how to build one\n- gates and "
         "wheels\n- repairs, and who pays",
         "|How to build one|Gates and wheels|Repairs, and who pays", ""},
        {"Write a briefing on tide mills: (1) how they work, (2) their limits, "
         "(3) how the gates are tuned.",
         "|How they work|Their limits|How the gates are tuned", ""},
        {"Research tide mills. Questions:\n1. What turns them?\n2. Which "
         "gates are there?\n3. What does a miller need?",
         "Tide mills|What turns them|Which gates are there|What does a miller "
         "need",
         ""},
        {"1. What is a weir? 2. What can go wrong?",
         "What is a weir|What can go wrong", ""},
        {"Tide mills with 2. floors and a yard", "", ""}, /* counts from no 1 */
        {"Cover the following for tide mills:\n* costs\n* repairs",
         "|Costs|Repairs", ""},
        {"Please research tide mills. Topics: gates, wheels, repairs.",
         "|Gates|Wheels|Repairs", ""},
        /* what one of several has in brackets is of that one */
        {"Prepare a briefing on tide mills. Cover the wheels (oak, iron, in "
         "use), the gates and what happens when one sticks, and repairs.",
         "|Wheels (oak, iron, in use)|Gates|What happens when one "
         "sticks|Repairs",
         ""},
        {"How is a tide mill built? Steps, limits and pitfalls please.",
         "|Steps|Limits|Pitfalls", ""},
        {"How do we build a tide mill? Give us the steps, the limits and the "
         "pitfalls, including ice and rust.",
         "|Steps|Limits|Pitfalls|Ice|Rust", ""},
        {"Need a runbook for tide mills. Belts, gates, how they are oiled.",
         "|Belts|Gates|How they are oiled", ""},
        {"Write a guide to tide mills with (1) wheels, (2) gates, (3) belts.",
         "|Wheels|Gates|Belts", ""},
        {"An introduction to tide mills for millers, please - with the first "
         "steps, gates, and belts.",
         "|First steps|Gates|Belts", ""},
        {"Report on tide mills for a river. How they are built, gates, belts "
         "and oil on wheels, and where a windmill is better.",
         "|How they are built|Gates|Belts|Oil on wheels|Where a windmill is "
         "better",
         ""},
        {"What do the guides say about tide mills? I want costs, gates, and "
         "what happens in winter. A table would be nice.",
         "|Costs|Gates|What happens in winter", ""},
        {"Write an overview of threats to our oceans, the laws on them, and "
         "who enforces these.",
         "Threats to our oceans|Laws on them|Who enforces these", ""},
        {"Write a report on training for dogs of blind people: costs, time.",
         "|Costs|Time", ""},
        {"What does a mill cost? We live in Ghent. How long does it last?",
         "What does a mill cost|How long does it last", ""},
        /* … and a second question is one of its own, as are orders */
        {"Describe gates of mills. Describe wheels of mills. Describe belts.",
         "Gates of mills|Wheels of mills|Belts", ""},
        {"How do I make gates? And wheels, belts and floors?",
         "How do I make gates|Wheels|Belts|Floors", ""},
        {"How do tide mills work? What do they cost?",
         "How do tide mills work|What do they cost", ""},
        {"Sections I need: costs, repairs of wheels. Topic: tide mills.",
         "Costs|Repairs of wheels", ""},
        {"explain how locks fill. how are they emptied. what can go wrong",
         "How locks fill|How are they emptied|What can go wrong", ""},
        {"Explain how locks fill. Finish with the limits.",
         "How locks fill|Limits", ""},
        {"I need a plan. Steps in order, with commands: drain the mill, close "
         "its gates, and test the wheel. Say also which floors flood.",
         "|Drain the mill|Close its gates|Test the wheel|Which floors flood",
         ""},
    };

    (void)state;
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

/* "The cause of each": of what is listed, else of each sentence that is told.
 */
static void each_of_what_is_told_is_a_part(void **state)
{
    static const struct planned of[] = {
        {"My tide mill was moved and now: the belt slips, the lid leaks, and "
         "the bell stays silent. Explain the cause of each and how to oil it.",
         "Belt slips|Lid leaks|Bell stays silent|How to oil it", ""},
        {"The belt of our mill slips at dusk. Its copper lid leaks when tides "
         "are high. What is behind each of these and what should we mend?",
         "Belt of our mill slips at dusk|Its copper lid leaks when tides are "
         "high|What should we mend",
         ""},
        {"The belt of our mill slips at dusk. Its copper lid leaks at night. "
         "Explain what each wheel is good at and how gates work.",
         "What each wheel is good at|How gates work", ""},
        {"We bought a tide mill. Explain the gates. I want the roles, who "
         "waits for whom, how it ends, and a way to drain it. Tell me as well "
         "what rusts.",
         "Gates|Roles|Who waits for whom|How it ends|Way to drain it|What "
         "rusts",
         ""},
        {"My setup: a mill, four gates, and a wheel. The belt slips at night. "
         "Its lid leaks when tides are high. What is behind each of these?",
         "Belt slips at night|Its lid leaks when tides are high", ""},
        {"Our mill broke: one gate leaks, the other is stuck, and the wheel "
         "stands. What has happened and how do we mend it?",
         "One gate leaks|Other is stuck|Wheel stands|How do we mend it", ""},
        {"The mill behaves oddly: the belt slips at night when tides are low, "
         "and the lid leaks whenever it rains. I oiled both. What is going on "
         "and how do I mend it?",
         "Belt slips at night when tides are low|Lid leaks whenever it rains|"
         "How do I mend it",
         ""},
        {"Our setup: one gate, two wheels, a bell. What is the cause of each "
         "and how do we mend it?",
         "What is the cause of each|How do we mend it", ""},
        {"The belt of our mill slips at dusk. Its copper lid leaks at night. "
         "Which gates decide that and what do visitors see with each?",
         "Which gates decide that|What do visitors see with each", ""},
        {"The belt of our mill slips at dusk. Its copper lid leaks at night. "
         "How do we oil the wheels, and what is the cause of each?",
         "Belt of our mill slips at dusk|Its copper lid leaks at night|How do "
         "we oil the wheels",
         ""},
        {"We host a mill. Its members visit it at night. Explain the risks of "
         "this and how to limit them.",
         "Risks of this|How to limit them", ""},
        {"I would like to move from a mill, which no longer turns, to a pump.",
         "", ""},
        {"I need an overview, how to install it, and examples.",
         "How to install it|Examples", ""},
        {"The belt slips. Example: it slips at night, and it smokes. What "
         "should we mend?",
         "", ""},
        {"Please compare gates and wheels. I want to mend the roof, which "
         "leaks, and sleep.",
         "Gates|Wheels|Compared", "gates|wheels"},
    };

    (void)state;
    assert_string_equal(
        plan_of("Yesterday our mill in Emden was moved, and now: the belt "
                "slips, the lid leaks. Explain the cause of each.",
                MODE_AUTO, 6)
            .subs[0]
            .context,
        "Emden");
    assert_all_planned(of, sizeof(of) / sizeof(*of));
}

static void a_report_is_called_by_its_topic(void **state)
{
    static const char *const of[][2] = {
        {"Report on tide mills with:\n- gates\n- wheels", "Tide mills"},
        {"Prepare an overview of how to make a tide mill quiet: gates, wheels",
         "How to make a tide mill quiet"},
        {"Sections I need: costs, repairs. Topic: tide mills.", "Tide mills"},
        {"A plan for moving a tide mill, covering gates and wheels.",
         "Plan for moving a tide mill"},
        {"I run a mill. Write a plan covering gates and wheels.", ""},
        {"How do they work: gates, wheels, floors", ""},
        {"A briefing on tide mills for our operators: gates, wheels",
         "Tide mills"},
        {"A briefing for our operators on tide mills: gates, wheels",
         "Tide mills"},
        {"A guide on training dogs for blind people: costs, time",
         "Training dogs for blind people"},
        {"A guide on caring for an old mill at home: gates, wheels",
         "Caring for an old mill at home"},
        {"How is a tide mill built? Steps, gates and pitfalls please.",
         "How is a tide mill built"},
        {"We have a mill. What turns it? Gates, wheels and oil please.", ""},
        {"Compare Amber with Basalt in oil, noise and price.",
         "Amber and Basalt"},
        {"How do amber and Basalt compare when it comes to oil? Compare the "
         "seals, and how a ring is changed.",
         "Amber and Basalt: oil"},
        {"Compare gRPC with Basalt in oil, noise and price.",
         "gRPC and Basalt"},
        {"Deliverable: a checklist for a miller before a flood",
         "Checklist for a miller before a flood"},
        {"For those who are new, explain tide mills: gates, wheels", ""},
        {"Our keepers get a tide mill. Write the instructions for setting it "
         "up: belts must not slip, lids must be oiled",
         ""},
        {"How do tide mills work?", ""},
        {"We have to choose between Amber and Basalt for our mill. Compare "
         "them on gates, wheels, floors, and what each of them costs a miller "
         "in a wet year.",
         "Amber and Basalt"},
        {"Compare Amber and Basalt on gates.", ""},
        {"How do I seal the lids of a tide mill and oil its belts before the "
         "spring flood: what do the keepers recommend, and what are the known "
         "limits?",
         "How do I seal the lids of a tide mill and oil its belts before the "
         "spring flood"}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        assert_string_equal(plan_of(of[i][0], MODE_AUTO, 6).title, of[i][1]);
    assert_string_equal(
        plan_of("Topic: gates of tide mills", MODE_AUTO, 6).subs[0].question,
        "gates of tide mills");
}

static void a_side_is_asked_for_itself(void **state)
{
    struct plan p = plan_of("Compare how Amber and Basalt keep data safe, and "
                            "what it costs",
                            MODE_AUTO, 6);

    (void)state;
    assert_int_equal(p.count, 4);
    assert_string_equal(p.subs[1].question, "how Basalt keep data safe");
    assert_int_equal(p.subs[1].side, 1);
    assert_string_equal(p.subs[3].question,
                        "what it costs: how Basalt keep data safe");
    assert_string_equal(p.subs[3].own, "Basalt: what it costs");
    assert_string_equal(p.subs[1].own, p.subs[1].question);
    assert_string_equal(p.subs[3].context, "how Basalt keep data safe");
}

static void a_mode_follows_from_the_parts(void **state)
{
    static const struct {
        const char *question;
        enum research_mode mode;
    } of[] = {{"What is the maximum size of a file?", MODE_ANSWER},
              {"How does WAL mode work in SQLite?", MODE_INVESTIGATE},
              {"Who wrote it and when was it released?", MODE_RESEARCH},
              {"Compare Amber with Basalt", MODE_RESEARCH}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        assert_int_equal(plan_of(of[i].question, MODE_AUTO, 6).mode,
                         of[i].mode);
    assert_int_equal(plan_of("Who wrote it?", MODE_RESEARCH, 6).mode,
                     MODE_RESEARCH);
}

static void comparisons_are_recognised_in_many_wordings(void **state)
{
    static const struct {
        const char *text, *first, *last, *context;
        size_t count;
    } of[] = {
        {"Compare WAL mode versus rollback journal in SQLite", "WAL mode",
         "rollback journal", "in SQLite", 2},
        {"compare PostgreSQL, MySQL and SQLite for small sites", "PostgreSQL",
         "SQLite", "for small sites", 3},
        {"What is the difference between TCP and UDP?", "TCP", "UDP", "", 2},
        {"REST vs. GraphQL", "REST", "GraphQL", "", 2},
        {"How do mutexes and semaphores differ?", "mutexes", "semaphores", "",
         2},
        {"How does nginx compare to Apache?", "nginx", "Apache", "", 2},
        {"Which is better: cats or dogs?", "cats", "dogs", "", 2},
        {"In Rust, compare Box with Rc", "Box", "Rc", "In Rust", 2},
        {"Differences between a list and a tuple in Python", "list", "tuple",
         "in Python", 2},
        {"ode45 or ode15s?", "ode45", "ode15s", "", 2},
        {"stable, testing or unstable: what are the trade-offs?", "stable",
         "unstable", "", 3},
        {"json or jsonb, which one should I take?", "json", "jsonb", "", 2},
        {"pass or pipe, where is the difference?", "pass", "pipe", "", 2},
        {"repairing a photo: Clone or Heal?", "Clone", "Heal", "", 2},
        {"pencil or paintbrush for tiny icons?", "pencil", "paintbrush",
         "for tiny icons", 2},
        {"flush and commit, what sets them apart", "flush", "commit", "", 2},
        {"delete, truncate and persist - how do they differ", "delete",
         "persist", "", 3},
        {"vlookup against hlookup", "vlookup", "hlookup", "", 2},
        {"difference between the F, G and H retry rules in Exim", "F", "H",
         "retry rules in Exim", 3},
        {"difference between btree, hash and gin indexes", "btree", "gin",
         "indexes", 3},
        {"In SQLite, compare btree, hash and gin indexes", "btree",
         "gin indexes", "In SQLite", 3},
        {"compare exim, postfix and Microsoft Exchange", "exim",
         "Microsoft Exchange", "", 3},
        {"How do cats, dogs and guinea pigs differ?", "cats", "guinea pigs", "",
         3},
        {"What distinguishes purge from ban?", "purge", "ban", "", 2},
        {"what sets purge apart from ban?", "purge", "ban", "", 2},
        {"How are pass and pipe different?", "pass", "pipe", "", 2},
        {"Can you explain how flush and commit differ?", "flush", "commit", "",
         2},
        {"When should I use apt and when apt-get?", "apt", "apt-get", "", 2},
        {"When to use rebase instead of merge?", "rebase", "merge", "", 2},
        {"Why would I choose ban over purge?", "ban", "purge", "", 2},
        {"I do not understand the difference between a ban and a purge", "ban",
         "purge", "", 2},
        {"Is there any difference between pass and pipe in Varnish?", "pass",
         "pipe", "in Varnish", 2},
        {"I keep mixing up flush and commit. What is the difference?", "flush",
         "commit", "", 2},
        {"I can't decide between merge and rebase", "merge", "rebase", "", 2},
        {"For sums in Python, should I go for threads or for processes?",
         "threads", "processes", "For sums in Python", 2},
        {"difference between A, B, and C", "A", "C", "", 3},
    };
    static const struct {
        enum lang lang;
        const char *text, *first, *last;
    } others[] = {
        {LANG_DE,
         "Was ist der Unterschied zwischen einer Liste und einem Tupel?",
         "Liste", "Tupel"},
        {LANG_DE, "Was unterscheidet Merge von Rebase?", "Merge", "Rebase"},
        {LANG_DE, "json vs jsonb", "json", "jsonb"},
        {LANG_DE, "Worin unterscheiden sich WAL und Rollback?", "WAL",
         "Rollback"},
        {LANG_FR, "Quelle est la différence entre une liste et un tuple ?",
         "liste", "tuple"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct comparison c;
        struct str last;

        if (!compare_find(LANG_EN, str_of(of[i].text), &c))
            fail_msg("no comparison: %s", of[i].text);
        assert_int_equal(c.count, of[i].count);
        last = c.member[c.count - 1];
        if (!str_eq(c.member[0], of[i].first) || !str_eq(last, of[i].last) ||
            !str_eq(c.context, of[i].context))
            fail_msg("%s: \"%.*s\" \"%.*s\" \"%.*s\"", of[i].text,
                     (int)c.member[0].n, c.member[0].p, (int)last.n, last.p,
                     (int)c.context.n, c.context.p);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct comparison c;

        if (!compare_find(others[i].lang, str_of(others[i].text), &c))
            fail_msg("no comparison: %s", others[i].text);
        assert_int_equal(c.count, 2);
        assert_true(str_eq(c.member[0], others[i].first));
        assert_true(str_eq(c.member[1], others[i].last));
    }
}

static void what_only_looks_like_a_comparison_is_none(void **state)
{
    static const char *const of[] = {"What is the capital of France?",
                                     "pros and cons of nuclear power",
                                     "versus",
                                     "compare",
                                     "Is it better to sleep early?",
                                     "",
                                     " vs ",
                                     "Who won the case Marbury",
                                     "No such file or directory",
                                     "fatal: no such file or directory",
                                     "open a file or a directory",
                                     "Is it stored on disk or in memory?",
                                     "How do I protect a site against bots?",
                                     "When should I use it and how?",
                                     "How are rows and columns counted?",
                                     "Which index should I use and why?",
                                     "What should I use for a queue?",
                                     "How do I see the difference between the"
                                     " index and the last commit?",
                                     "Which command shows the differences"
                                     " between two files and their parents?",
                                     NULL};

    (void)state;
    for (size_t i = 0; of[i] != NULL; i++) {
        struct comparison c;

        if (compare_find(LANG_EN, str_of(of[i]), &c))
            fail_msg("a comparison: %s", of[i]);
    }
}

static void a_plan_is_never_empty_nor_above_its_bound(void **state)
{
    static const char *const of[] = {
        "x",
        "?",
        "and",
        "versus",
        "a, b, c, d, e, f, g, h, i and j",
        "compare",
        "What? Who? When? Where? Why? How? Which? Whose? What x?",
        "compare a with b. compare c with d. compare e with f.",
        "\xE4\xBB\x80\xE4\xB9\x88\xE6\x98\xAF WAL",
        "who, and what, and when, and where, and why, and how, and which, and "
        "who else",
        NULL};

    (void)state;
    for (size_t i = 0; of[i] != NULL; i++)
        for (size_t max = 1; max <= PLAN_SUBS_MAX; max++) {
            struct plan p = plan_of(of[i], MODE_RESEARCH, max);

            if (p.count == 0 || p.count > max)
                fail_msg("%s: %zu of %zu", of[i], p.count, max);
            for (size_t k = 0; k < p.count; k++)
                assert_true(p.subs[k].question[0] != '\0');
        }
}

/* Sentences of few words that only say where, lists of nothing, and brackets
 * and quotes that are never closed. */
static void what_is_torn_is_planned_too(void **state)
{
    static const char *const torn[] = {"] Amber pumps. In production",
                                       "\"Disk full\" on Amber. In production",
                                       "\"for beginners",
                                       "]with;",
                                       "- \n\nfoo",
                                       " - \n\n- ",
                                       "* \n\n1. \n\n"};

    (void)state;
    for (size_t i = 0; i < sizeof(torn) / sizeof(*torn); i++)
        assert_true(plan_of(torn[i], MODE_AUTO, 6).count > 0);
}

static void a_very_long_question_is_cut_at_a_character(void **state)
{
    char text[8001];
    struct plan p;

    (void)state;
    for (size_t i = 0; i + 1 < sizeof text; i += 2)
        memcpy(text + i, "\xC3\xA4", 2);
    text[8000] = '\0';
    p = plan_of(text, MODE_AUTO, 6);
    assert_in_range(strlen(p.subs[0].question), 1, PLAN_TEXT_MAX);
    assert_true(utf8_valid(p.subs[0].question, strlen(p.subs[0].question)));
}

/* A reply of a model, and the parts that it plans; "": the rules' own stay. */
static void a_models_plan_speaks_of_the_question(void **state)
{
    static const struct {
        const char *question, *reply, *parts;
    } of[] = {
        {"How do I secure a Varnish server, and how are purges sent?",
         "{\"parts\":[{\"title\":\"Access\",\"question\":\"secure a Varnish "
         "server with an acl\"},{\"title\":\"Purges\",\"question\":\"how are "
         "Varnish purges sent\"}]}",
         "secure a Varnish server with an acl|how are Varnish purges sent"},
        {"How do I secure a Varnish server, and how are purges sent?",
         "1. Access: secure a Varnish server\n2. Purges: how purges are sent",
         "secure a Varnish server|how purges are sent"},
        /* Nothing on what is named, an address, a number, a claim. */
        {"How do I secure a Varnish server, and how are purges sent?",
         "Access: secure a server\nPurges: how are purges sent", ""},
        {"How do I secure a Varnish server, and how are purges sent?",
         "Access: secure a Varnish server see http://evil.example\n"
         "Purges: how are purges sent",
         ""},
        {"How do I secure a Varnish server, and how are purges sent?",
         "Access: secure a Varnish 7 server\nPurges: how are purges sent", ""},
        {"How do I secure a Varnish server, and how are purges sent?",
         "Varnish is broken.: secure a Varnish server\n"
         "Purges: how are purges sent",
         ""},
        {"How do I secure a Varnish server, and how are purges sent?",
         "The moon: how far is the moon", ""},
        /* An aspect is asked of each side. */
        {"Varnish or Squid?",
         "Speed: how fast are its caches\nMemory: how much memory it takes",
         "Varnish|Squid|Varnish: how fast are its caches|Squid: how fast are "
         "its caches|Varnish: how much memory it takes|Squid: how much memory "
         "it takes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct plan p = plan_of(of[i].question, MODE_AUTO, 12);
        char parts[1024] = "";
        struct query q;
        bool holds;

        assert_int_equal(query_parse(of[i].question, &arena, &q), ERR_OK);
        holds = plan_model_read(of[i].reply, &q, 12, &arena, &p);
        for (size_t k = 0; holds && k < p.count; k++)
            strcat(strcat(parts, k > 0 ? "|" : ""), p.subs[k].question);
        if (strcmp(parts, of[i].parts) != 0)
            fail_msg("%s: \"%s\"", of[i].reply, parts);
    }
}

/* Names with hosts of their own are told apart; others are not. */
static void names_of_several_hosts_are_sides(void **state)
{
    static const char text[] = "What should I do to harden a Debian server "
                               "that runs PostgreSQL?";
    struct about about = {
        .names = {{.term = "debian", .hosts = {"deb.test"}, .host_count = 1},
                  {.term = "postgresql",
                   .hosts = {"deb.test"},
                   .host_count = 1}},
        .count = 2};
    struct query q;
    struct plan p;

    (void)state;
    for (size_t sides = 0; sides < 3; sides += 2) {
        assert_int_equal(query_parse(text, &arena, &q), ERR_OK);
        assert_int_equal(plan_make(&q, MODE_AUTO, 12, &arena, &p), ERR_OK);
        assert_int_equal(plan_names(&q, &about, 12, &arena, &p), ERR_OK);
        assert_int_equal(p.side_count, sides);
        about.names[1].hosts[0] = "pg.test";
    }
    assert_true(p.is_named);
    assert_int_equal(p.count, 2);
    assert_string_equal(p.subs[0].question,
                        "What should I do to harden a Debian server that runs");
    assert_string_equal(p.subs[1].question,
                        "What should I do to harden a server "
                        "that runs PostgreSQL");
    assert_string_equal(p.sides[1], "PostgreSQL");
    assert_int_equal(p.subs[1].side, 1);
}

/* The names of where or for whom a situation is that is told beside what is
 * asked, and what is left of them where no host is about them. */
static void where_a_situation_is_is_told_aside(void **state)
{
    static const struct {
        const char *text, *names, *context;
    } of[] = {
        {"We run a small mill in Ulm. Write me a briefing on cleaning valves: "
         "tools, steps, and what it does not reach.",
         "ulm", ""},
        {"We are a bakery at the Guild of Ulm and Bern, with ovens. Write me a "
         "briefing on cleaning valves: tools, steps, and limits.",
         "guild ulm bern", ""},
        /* Hosts are about Amber. */
        {"We keep pumps in Amber. Write me a briefing on cleaning valves: "
         "tools, steps, and what it does not reach.",
         "amber", "Amber"},
        {"We are a mill in Ulm and run Basalt on two ovens. Write me a "
         "briefing on cleaning valves: tools, steps, and limits.",
         "ulm", "Basalt"},
        /* What is asked about is not, wherever else it stands. */
        {"We run a small mill in Ulm. Write me a briefing on the law in Ulm: "
         "taxes, and what it does not say.",
         "", "Ulm"},
        /* "It" may be that, and "with" is not where. */
        {"We keep all ovens in Basalt. How do I clean it, and how do I paint "
         "it?",
         "", NULL},
        {"We clean pumps with Basalt. Write me a briefing on cleaning valves: "
         "tools, steps, and limits.",
         "", "Basalt"},
        /* Nor a word that stands elsewhere, too. */
        {"We sell cork in Cork. Write me a briefing on cleaning valves: tools, "
         "steps, and limits.",
         "", "Cork"},
        {"How do I clean the valves in Ulm, and what do I need?", "", NULL},
        {"In Ulm.", "", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct about about = {.count = 0};
        char names[64] = "";
        struct query q;
        struct plan p;

        assert_int_equal(query_parse(of[i].text, &arena, &q), ERR_OK);
        assert_int_equal(plan_make(&q, MODE_AUTO, 12, &arena, &p), ERR_OK);
        for (size_t k = 0; k < q.term_count; k++) {
            if ((p.told_aside >> k & 1) == 0)
                continue;
            assert_true(strlen(names) + strlen(q.words[k]) + 2 < sizeof names);
            strcat(strcat(names, *names == '\0' ? "" : " "), q.words[k]);
            about.names[about.count++] = (struct about_name){
                .term = q.terms[k].text,
                .hosts = {"amber.test"},
                .host_count = strcmp(q.words[k], "amber") == 0,
                .is_aside = true};
        }
        if (strcmp(names, of[i].names) != 0)
            fail_msg("%s: \"%s\"", of[i].text, names);
        assert_int_equal(plan_names(&q, &about, 12, &arena, &p), ERR_OK);
        if (of[i].context != NULL)
            assert_string_equal(p.subs[0].context, of[i].context);
        for (size_t k = 0; i == 0 && k < p.count; k++)
            assert_null(strstr(p.subs[k].question, "Ulm"));
    }
}

/* Without hosts a page must be about a name, but for those aside and those that
 * only another part has. */
static void a_page_need_not_be_about_what_is_aside(void **state)
{
    struct candidate c = {.url = "http://mill.test/valves",
                          .host = "mill.test",
                          .title = "Cleaning valves"};
    struct found_page page = {.c = &c};
    struct about about = {
        .names = {{.term = "ulm", .is_aside = true}, {.term = "basalt"}},
        .count = 2};
    struct query q;

    (void)state;
    assert_int_equal(query_parse("cleaning valves", &arena, &q), ERR_OK);
    assert_false(about_is(&about, &q, &page));
    about.names[1].is_of_part = true;
    assert_true(about_is(&about, &q, &page));
    assert_int_equal(query_parse("cleaning Basalt", &arena, &q), ERR_OK);
    assert_false(about_is(&about, &q, &page));
    assert_int_equal(query_parse("cleaning valves", &arena, &q), ERR_OK);
    about.count = 1;
    assert_true(about_is(&about, &q, &page));
    about.names[0].is_aside = false;
    assert_false(about_is(&about, &q, &page));
}

/* "lid_max" behind what is said of another entry; an item among others stays,
 * and what is announced. */
static void the_name_of_the_next_entry_is_no_end(void **state)
{
    static const struct {
        const char *first, *last;
        char kind;
        bool is_name;
    } of[] = {{"Oil the lid once a year.", "lid_max", 'p', true},
              {"Oil the lid once a year.", "lid_max", 'i', false},
              {"The size of the lid is set by:", "lid_max", 'p', false},
              {"Oil the lid once a year.", "Then close it.", 'p', false}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct evidence ev[2] = {{.text = of[i].first}, {.text = of[i].last}};
        struct run_block b[2] = {
            {.row = 0, .len = strlen(of[i].first), .kind = of[i].kind},
            {.row = 1, .len = strlen(of[i].last), .kind = 'i'}};
        struct choice c = {.blocks = b, .count = 2};
        struct run *r = arena_alloc(&arena, sizeof(*r));

        memset(r, 0, sizeof(*r));
        r->evidence = ev;
        r->evidence_count = 2;
        assert_int_equal(choices_ends_with_name(r, &c), of[i].is_name);
        c.count = 1;
        assert_false(choices_ends_with_name(r, &c));
    }
}

/* What stands on the host of another side tells nothing of a side, whether it
 * names one or not; what stands on neither's does. */
static void a_side_is_not_told_from_the_host_of_another(void **state)
{
    static const char *const urls[] = {"http://varnish.test/bell",
                                       "http://squid.test/bell",
                                       "http://bells.test/bell"};
    struct evidence ev[3];
    struct run_block block = {.kind = 'p', .len = 4};
    struct run_unit unit = {.sub = 0};
    struct choice c[3];
    struct choices x = {.a = &arena, .v = c, .count = 3};
    struct run *r = arena_alloc(&arena, sizeof(*r));
    struct run_block blocks[3];

    (void)state;
    memset(r, 0, sizeof(*r));
    memset(ev, 0, sizeof(ev));
    memset(c, 0, sizeof(c));
    r->plan = plan_of("Varnish or Squid?", MODE_AUTO, 6);
    assert_int_equal(r->plan.side_count, 2);
    assert_int_equal(r->plan.subs[0].side, 0);
    r->about.names[0] = (struct about_name){
        .term = "varnish", .hosts = {"varnish.test"}, .host_count = 1};
    r->about.names[1] = (struct about_name){
        .term = "squid", .hosts = {"squid.test"}, .host_count = 1};
    r->about.count = 2;
    r->evidence = ev;
    r->evidence_count = 3;
    for (size_t i = 0; i < 3; i++) {
        ev[i].url = urls[i];
        ev[i].title = ev[i].heading = "";
        ev[i].text = "Bell";
        blocks[i] = block;
        blocks[i].row = i;
        c[i].unit = &unit;
        c[i].blocks = &blocks[i];
        c[i].count = 1;
        c[i].url = urls[i];
    }
    x.r = r;
    assert_int_equal(sides_weigh(&x), ERR_OK);
    assert_false(c[0].beside);
    assert_true(c[1].beside);
    assert_false(c[2].beside);
}

/* A word without a capital, or with one because it is the first, or an acronym,
 * is no side beside a name: it may be any word. */
static void a_common_word_is_no_side(void **state)
{
    static const struct {
        const char *text;
        size_t sides;
    } of[] = {
        {"How does Amber answer the requests of many pumps?", 1},
        {"How do amber and the requests of many pumps fit?", 2},
        {"Mail piles up in the queue of our Amber. How is that found out?", 1},
        {"How does Amber answer long API calls?", 1},
        {"How does Amber answer what GIMP calls?", 2},
        {"Why does our Amber say \"one request at a time\"?", 1},
        {"How does Amber answer? Request by request, please.", 1},
        {"How does Amber answer Long Request Tools?", 1},
    };
    struct about about = {
        .names = {{.term = "amber",
                   .hosts = {"amber.test"},
                   .host_count = 1,
                   .word = "amber"},
                  {.term = "request",
                   .hosts = {"requests.test"},
                   .host_count = 1},
                  {.term = "mail", .hosts = {"mutt.test"}, .host_count = 1},
                  {.term = "api", .hosts = {"node.test"}, .host_count = 1},
                  {.term = "gimp", .hosts = {"gimp.test"}, .host_count = 1}},
        .count = 5};
    struct query q;

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct plan p = {.count = 1};

        p.subs[0] =
            (struct plan_sub){of[i].text, "", "", PLAN_SIDES_MAX, of[i].text};
        assert_int_equal(query_parse(of[i].text, &arena, &q), ERR_OK);
        assert_int_equal(plan_names(&q, &about, 12, &arena, &p), ERR_OK);
        /* Of one side alone nothing is split. */
        assert_int_equal(p.side_count, of[i].sides > 1 ? of[i].sides : 0);
    }
}

/* An item of a list that was a name of another side goes with its comma; a
 * part that names no side is one of each that the question is about. */
static void each_side_has_the_parts_of_both(void **state)
{
    static const struct {
        const char *text, *own;
    } of[] = {
        {"the move of (Amber, Basalt) pumps", "the move of (Amber) pumps"},
        {"the move from Amber to Basalt", "the move from Amber to"},
        {"pumps (Amber, Basalt, old)", "pumps (Amber, old)"},
        {"pumps (Basalt, Amber)", "pumps (Amber)"},
        {"pumps (Basalt) like Amber", "pumps like Amber"},
    };
    struct about about = {
        .names = {{.term = "amber", .hosts = {"amber.test"}, .host_count = 1},
                  {.term = "basalt",
                   .hosts = {"basalt.test"},
                   .host_count = 1}},
        .count = 2};
    struct query q;

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct plan p = {
            .mode = MODE_RESEARCH,
            .subs = {{of[i].text, "", "", PLAN_SIDES_MAX, of[i].text},
                     {"oil", of[i].text, "Oil", PLAN_SIDES_MAX, "oil"}},
            .count = 2};

        assert_int_equal(query_parse(of[i].text, &arena, &q), ERR_OK);
        assert_int_equal(plan_names(&q, &about, 12, &arena, &p), ERR_OK);
        assert_int_equal(p.count, 4);
        assert_string_equal(
            p.subs[strcmp(p.sides[0], "Amber") == 0 ? 0 : 1].question,
            of[i].own);
        assert_string_equal(p.subs[2].question, "oil");
        assert_int_equal(p.subs[3].side, 1);
    }
}

/* A part, and which of its words only say where or for what. */
static void what_is_asked_stands_in_front_of_where(void **state)
{
    static const struct {
        const char *part, *aside;
    } of[] = {
        {"leaking pipes in the cellar for a tenant", "cellar tenant"},
        {"how do seals breathe", ""},
        /* … nor what says how much */
        {"moving a 2 TB archive, 300km away", "tb 300km"},
        /* words that name nothing that is asked about stand back, too */
        {"the options for heating in old houses", "options old houses"},
        /* both of what "and" joins are first */
        {"how do they differ in colour and in weight", "differ"},
        /* … and what "it" is put together with */
        {"how it is combined with basalt in winter", "winter"},
        {"how seals are combined with basalt", "basalt"},
        {"frost in winter, drought in summer", "winter summer"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        char got[256] = "";
        uint64_t aside;
        struct query q;

        assert_int_equal(query_parse(of[i].part, &arena, &q), ERR_OK);
        focus_mask(&q, of[i].part, &aside);
        for (size_t k = 0; k < q.term_count; k++)
            if (aside >> k & 1)
                strcat(strcat(got, *got == '\0' ? "" : " "), q.terms[k].word);
        if (strcasecmp(got, of[i].aside) != 0)
            fail_msg("%s: \"%s\"", of[i].part, got);
    }
}

/* What is told beside a topic that the request names lends it its names, and
 * "it" among the points on a topic is the topic. */
static void a_named_topic_is_not_lost_in_what_is_told(void **state)
{
    static const char barges[] =
        "Last year I took over the sheds of a small harbour. Eleven boats lie "
        "there, and nobody has done this with Amber before. Write me a "
        "briefing on sealing the hulls of barges: old tar, new tar, the "
        "brushes used, and especially what it does not keep out.";
    struct plan p = plan_of(barges, MODE_AUTO, 12);
    size_t last = p.count - 1;

    (void)state;
    assert_int_equal(p.count, 5);
    assert_string_equal(p.title, "Sealing the hulls of barges");
    assert_string_equal(p.subs[0].question, "sealing the hulls of barges");
    assert_string_equal(p.subs[0].context, "Amber");
    assert_string_equal(p.subs[1].context, "Amber sealing the hulls of barges");
    assert_string_equal(p.subs[last].context,
                        "Amber sealing the hulls of barges");
    assert_string_equal(p.subs[last].title, "What it does not keep out");
    assert_string_equal(p.subs[last].question,
                        "what it does not keep out: sealing the hulls of "
                        "barges");
    p = plan_of("We run 3 mills since 2019. Write me a briefing on Basalt: "
                "walls, roofs, and what it does not carry.",
                MODE_AUTO, 12);
    assert_string_equal(p.subs[0].question, "Basalt");
    assert_string_equal(p.subs[0].context, "");
    assert_string_equal(p.subs[p.count - 1].question,
                        "what it does not carry: Basalt");
    /* Where sides stand is of their name. */
    p = plan_of("Compare old tar and new tar in Ghent, with their costs and "
                "their noise.",
                MODE_AUTO, 12);
    assert_string_equal(p.title, "Old tar and new tar in Ghent");
    assert_string_equal(p.subs[0].context, " old tar in Ghent");
    p = plan_of("We have Debian 12 here. We have a mill. We own a barn. We own "
                "an ox. We grow rye. We grow hemp. We keep bees. We keep hens. "
                "We sell tar. We like Debian and Deb. We sell wax. We buy oil. "
                "We buy salt. Write me a briefing on Basalt: walls, roofs, and "
                "what it does not carry.",
                MODE_AUTO, 12);
    assert_string_equal(p.subs[0].question, "Basalt");
    assert_string_equal(p.subs[0].context, "Debian 12 Deb");
    p = plan_of("How is the old steam valve cleaned? We run a mill with Amber "
                "pumps. What does it cost?",
                MODE_AUTO, 12);
    assert_non_null(strstr(p.subs[p.count - 1].context, "steam valve"));
    /* Where none is named, "it" is what the part before asks about. */
    p = plan_of("We run an old mill with Amber pumps. Explain the floating "
                "steam valve, how it is cleaned, and what it costs.",
                MODE_AUTO, 12);
    assert_string_equal(p.subs[1].question,
                        "how it is cleaned: the floating steam valve");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_topic_is_not_lost_in_what_is_told),
        cmocka_unit_test(what_is_asked_stands_in_front_of_where),
        cmocka_unit_test(headings_are_the_parts_of_the_question),
        cmocka_unit_test(a_list_in_brackets_is_parts),
        cmocka_unit_test(a_request_is_read_as_people_write_it),
        cmocka_unit_test(what_is_chosen_from_is_sides),
        cmocka_unit_test(only_wishes_for_the_text_are_dropped),
        cmocka_unit_test(sides_are_compared_part_by_part),
        cmocka_unit_test(what_is_declined_is_left_out),
        cmocka_unit_test(what_is_to_be_skipped_is_no_word_of_it),
        cmocka_unit_test(other_languages_have_parts_too),
        cmocka_unit_test(a_part_carries_its_subject),
        cmocka_unit_test(a_list_that_is_one_question_is_one_part),
        cmocka_unit_test(what_others_ask_is_asked),
        cmocka_unit_test(lists_are_found_behind_what_is_said_first),
        cmocka_unit_test(a_part_that_says_enough_is_asked_alone),
        cmocka_unit_test(a_part_that_names_nothing_is_asked_of_the_rest),
        cmocka_unit_test(marked_lists_are_the_parts),
        cmocka_unit_test(each_of_what_is_told_is_a_part),
        cmocka_unit_test(a_report_is_called_by_its_topic),
        cmocka_unit_test(a_side_is_asked_for_itself),
        cmocka_unit_test(a_mode_follows_from_the_parts),
        cmocka_unit_test(comparisons_are_recognised_in_many_wordings),
        cmocka_unit_test(what_only_looks_like_a_comparison_is_none),
        cmocka_unit_test(a_plan_is_never_empty_nor_above_its_bound),
        cmocka_unit_test(what_is_torn_is_planned_too),
        cmocka_unit_test(a_very_long_question_is_cut_at_a_character),
        cmocka_unit_test(a_models_plan_speaks_of_the_question),
        cmocka_unit_test(names_of_several_hosts_are_sides),
        cmocka_unit_test(where_a_situation_is_is_told_aside),
        cmocka_unit_test(a_page_need_not_be_about_what_is_aside),
        cmocka_unit_test(a_side_is_not_told_from_the_host_of_another),
        cmocka_unit_test(the_name_of_the_next_entry_is_no_end),
        cmocka_unit_test(a_common_word_is_no_side),
        cmocka_unit_test(each_side_has_the_parts_of_both),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
