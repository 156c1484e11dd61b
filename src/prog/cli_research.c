/*
 * cited research: a task like any other, worked on here and watched. One
 * thread works; the main thread prolongs the lease and prints the steps as
 * they are stored, on a terminal with a bar that shows how much of the budget
 * is spent. If a helper was faster to claim it, it is only watched.
 */
#include "prog/cli.h"
#include "prog/cli_params.h"

#include "base/clock.h"
#include "base/str.h"
#include "research/progress.h"
#include "research/research.h"
#include "store/account.h"
#include "store/task.h"

#include <getopt.h>
#include <pthread.h>
#include <string.h>

enum {
    LOOK_MS = 100,
    BAR_WIDTH = 20,
    STEP_ARENA_MAX = 64 << 20,
    INPUT_MAX = 4 << 20
};

struct asked {
    struct cli_params shared;
    const char *q, *mode, *effort, *email;
};

struct job {
    struct cli *cli;
    struct search_env env;
    struct task_lease lease;
    struct store own; /* of the working thread */
    atomic_bool stop;
    atomic_bool ended;
    pthread_t thread;
    size_t shown;     /* steps printed */
    int64_t since_ms; /* when it began, monotonic */
};

/* --- the task ---------------------------------------------------------- */

static void write_domains(struct json_out *w, const char *key,
                          const struct cli_list *list)
{
    jw_karray(w, key);
    for (size_t i = 0; i < list->count; i++)
        jw_string(w, list->item[i]);
    jw_array_end(w);
}

/* The input as the contract echoes it. */
static void write_input(struct buf *b, const struct asked *x)
{
    const struct cli_params *p = &x->shared;
    struct json_out w;

    jw_init(&w, b);
    jw_object(&w);
    jw_kstring(&w, "q", x->q);
    jw_kstring(&w, "outputType",
               p->schema == NULL ? "sourcedAnswer" : "structured");
    write_domains(&w, "includeDomains", &p->include);
    write_domains(&w, "excludeDomains", &p->exclude);
    jw_kday(&w, "fromDate", p->from_day);
    jw_kday(&w, "toDate", p->to_day);
    jw_kbool(&w, "includeImages", p->images);
    jw_kstring(&w, "structuredOutputSchema", p->schema_text);
    jw_kstring(&w, "mode", x->mode);
    jw_kstring(&w, "reasoningDepth", x->effort);
    jw_object_end(&w);
}

static bool find_account(struct cli *cli, const char *email, int64_t *id)
{
    struct errctx ec = {ERR_OK, ""};
    struct account *all = NULL, one;
    size_t count = 0;

    if (email != NULL) {
        if (!cli_find_account(cli, email, &one))
            return false;
        *id = one.id;
        return true;
    }
    if (account_list(cli->store.state, &cli->arena, &all, &count, &ec) !=
        ERR_OK) {
        cli_fail(cli, &ec);
        return false;
    }
    if (count == 0) {
        cli_failf(cli, ERR_NOT_FOUND,
                  "there is no account yet; make one with: cited account "
                  "create EMAIL");
        return false;
    }
    *id = all[0].id;
    return true;
}

static bool create_task(struct cli *cli, const struct asked *x,
                        struct task *out)
{
    struct errctx ec = {ERR_OK, ""};
    struct buf b;
    int64_t account;
    enum err e;

    if (!find_account(cli, x->email, &account))
        return false;
    buf_init(&b, INPUT_MAX);
    write_input(&b, x);
    e = buf_err(&b);
    if (e == ERR_OK)
        e = task_create(cli->store.state, account, buf_str(&b),
                        cli->conf.tasks_open_max, clock_now_ms(), &cli->arena,
                        out, &ec);
    buf_fini(&b);
    if (e != ERR_OK)
        cli_failf(cli, e, "%s", err_words(e, &ec));
    return e == ERR_OK;
}

/* --- working and watching ---------------------------------------------- */

static void *work(void *arg)
{
    struct job *j = arg;
    struct errctx ec = {ERR_OK, ""};

    if (research_run(&j->env, j->own.state, &j->lease, &j->stop, &ec) != ERR_OK)
        ec.code = ERR_OK; /* the task's record tells it */
    atomic_store(&j->ended, true);
    return NULL;
}

static void print_step(struct cli *cli, const struct task_step *s)
{
    struct json *v = NULL;
    const char *what;
    int64_t n = 0;

    if (json_parse(s->data, strlen(s->data), &json_limits_foreign, &v, NULL) !=
        ERR_OK)
        return;
    if (strcmp(s->kind, "plan") == 0) {
        const struct json *q = json_first(json_get(v, "questions"));

        cli_note(cli, "plan:");
        for (; q != NULL; q = json_next(q)) {
            what = json_string(json_get(q, "question"));
            cli_note(cli, "  %s", what == NULL ? "" : what);
        }
    } else if (strcmp(s->kind, "search") == 0) {
        what = json_string(json_get(v, "query"));
        json_is_whole(json_get(v, "kept"), &n);
        cli_note(cli, "search: %s: %lld passages", what == NULL ? "" : what,
                 (long long)n);
    } else if (strcmp(s->kind, "gap") == 0) {
        what = json_string(json_get(v, "end"));
        cli_note(cli, what == NULL ? "more to look for" : "searched: %s",
                 what == NULL ? "" : what);
    } else {
        cli_note(cli, "%s", s->kind);
    }
    json_free(v);
}

static int percent_of(int64_t spent, int64_t budget)
{
    int64_t p = budget > 0 ? 100 * spent / budget : 0;

    return p > 100 ? 100 : (int)p;
}

/* How much of the budget is spent: of that which is nearest to its end. */
static int percent(const struct progress *p, int64_t elapsed_ms)
{
    int all = percent_of(elapsed_ms, p->budget.time_ms);
    int queries = percent_of(p->queries, p->budget.queries);
    int pages = percent_of(p->pages, p->budget.pages);

    all = queries > all ? queries : all;
    return pages > all ? pages : all;
}

/* A bar against the budget, on a terminal only. */
static void print_bar(struct job *j, const struct progress *p)
{
    static const char marks[BAR_WIDTH + 1] = "####################";
    int64_t elapsed_ms = clock_mono_ms() - j->since_ms;
    int full = percent(p, elapsed_ms) * BAR_WIDTH / 100;
    const char *doing = p->gathered            ? "writing"
                        : p->sub_questions > 0 ? "searching"
                                               : "planning";

    if (j->cli->terminal)
        cli_progress(j->cli,
                     "[%-*.*s] %s: round %d/%d, %d/%d queries, %d/%d pages, "
                     "%d passages, %lld/%lld s",
                     BAR_WIDTH, full, marks, doing, p->rounds, p->budget.rounds,
                     p->queries, p->budget.queries, p->pages, p->budget.pages,
                     p->passages, (long long)elapsed_ms / 1000,
                     (long long)p->budget.time_ms / 1000);
}

static void print_steps(struct job *j)
{
    const struct task *t = &j->lease.task;
    struct errctx ec = {ERR_OK, ""};
    struct task_step *v = NULL;
    struct progress p;
    struct arena a;
    size_t count = 0;

    arena_init(&a, STEP_ARENA_MAX);
    if (task_steps(j->cli->store.state, t->id, &a, &v, &count, &ec) == ERR_OK) {
        for (; j->shown < count; j->shown++)
            print_step(j->cli, &v[j->shown]);
        if (progress_read(t->input, v, count, &a, &p, &ec) == ERR_OK)
            print_bar(j, &p);
    }
    arena_fini(&a);
}

/* Until the working thread has ended. */
static void watch_ours(struct job *j, const volatile sig_atomic_t *stop)
{
    int64_t lease_ms = j->cli->conf.lease_ms;
    int64_t next = clock_mono_ms() + lease_ms / 3;

    while (!atomic_load(&j->ended)) {
        struct errctx ec = {ERR_OK, ""};

        clock_sleep_us(LOOK_MS * 1000);
        if (*stop)
            atomic_store(&j->stop, true);
        print_steps(j);
        if (clock_mono_ms() < next)
            continue;
        next = clock_mono_ms() + lease_ms / 3;
        if (task_beat(j->cli->store.state, &j->lease, lease_ms, clock_now_ms(),
                      &ec) == ERR_LEASE_LOST)
            atomic_store(&j->stop, true);
    }
    print_steps(j);
}

static bool get_task(struct job *j, struct task *out)
{
    struct errctx ec = {ERR_OK, ""};

    if (task_get(j->cli->store.state, 0, j->lease.task.id, &j->cli->arena, out,
                 &ec) == ERR_OK)
        return true;
    cli_fail(j->cli, &ec);
    return false;
}

/* Until whoever has the task has ended it. */
static bool watch_theirs(struct job *j, const volatile sig_atomic_t *stop,
                         struct task *t)
{
    while (get_task(j, t)) {
        print_steps(j);
        if (t->state == TASK_COMPLETED || t->state == TASK_FAILED)
            return true;
        if (*stop)
            return true;
        clock_sleep_us(LOOK_MS * 1000);
    }
    return false;
}

static bool work_and_watch(struct job *j, const volatile sig_atomic_t *stop)
{
    struct errctx ec = {ERR_OK, ""};

    if (store_open(&j->cli->files, &j->own, &ec) != ERR_OK) {
        cli_fail(j->cli, &ec);
        return false;
    }
    j->env.index = j->own.index;
    if (pthread_create(&j->thread, NULL, work, j) != 0) {
        store_close(&j->own);
        cli_failf(j->cli, ERR_INTERNAL, "cannot start a thread");
        return false;
    }
    watch_ours(j, stop);
    pthread_join(j->thread, NULL);
    store_close(&j->own);
    return true;
}

/* --- the report -------------------------------------------------------- */

static void print_report(const struct json *v)
{
    const struct json *s = json_first(json_get(v, "sources"));
    const char *answer = json_string(json_get(v, "answer"));

    cli_print_answer(answer == NULL ? "" : answer);
    for (size_t n = 1; s != NULL; s = json_next(s), n++) {
        const char *name = json_string(json_get(s, "name"));
        const char *url = json_string(json_get(s, "url"));

        printf("[%zu] %s\n    %s\n", n, name == NULL ? "" : name,
               url == NULL ? "" : url);
    }
}

static int print_output(struct cli *cli, const struct task *t, bool structured)
{
    struct json *v = NULL;

    if (cli->json || structured) {
        puts(t->output);
        return CLI_OK;
    }
    if (json_parse(t->output, strlen(t->output), &json_limits_foreign, &v,
                   NULL) != ERR_OK)
        return cli_failf(cli, ERR_MALFORMED, "the stored report is damaged");
    print_report(v);
    json_free(v);
    return CLI_OK;
}

static int print_end(struct cli *cli, const struct task *t, bool structured)
{
    cli_progress_end(cli);
    if (t->state == TASK_COMPLETED && t->output != NULL)
        return print_output(cli, t, structured);
    if (t->state == TASK_FAILED)
        return cli_failf(cli, ERR_NO_RESULT, "%s",
                         t->error == NULL ? "failed" : t->error);
    return cli_failf(cli, ERR_BUSY,
                     "stopped; task %s waits for a helper (cited-worker "
                     "--once %s)",
                     t->id, t->id);
}

static int run(struct cli *cli, const struct asked *x)
{
    const volatile sig_atomic_t *stop = cli_catch_stop();
    struct job *j = arena_alloc(&cli->arena, sizeof *j);
    struct errctx ec = {ERR_OK, ""};
    struct task t;
    enum err e;

    if (j == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    j->cli = cli;
    j->since_ms = clock_mono_ms();
    if (!cli_open_search(cli, &j->env) || !create_task(cli, x, &t))
        return CLI_FAILED;
    cli_note(cli, "task %s", t.id);
    e = task_claim(cli->store.state, t.id, cli->conf.lease_ms,
                   cli->conf.attempts_max, clock_now_ms(), &cli->arena,
                   &j->lease, &ec);
    if (e != ERR_OK && e != ERR_NOT_FOUND)
        return cli_fail(cli, &ec);
    if (e == ERR_NOT_FOUND)
        j->lease.task = t; /* a helper was faster */
    if (e == ERR_OK ? !work_and_watch(j, stop) || !get_task(j, &t)
                    : !watch_theirs(j, stop, &t))
        return CLI_FAILED;
    return print_end(cli, &t, x->shared.schema != NULL);
}

/* --- options ----------------------------------------------------------- */

static bool read_options(struct cli *cli, int argc, char **argv,
                         struct asked *x)
{
    const struct cli_option options[] = {
        CLI_PARAMS_OPTIONS(&x->shared), CLI_TEXT("mode", &x->mode),
        CLI_TEXT("effort", &x->effort), CLI_TEXT("account", &x->email),
        CLI_OPTIONS_END};
    struct search_params checked;

    memset(&checked, 0, sizeof checked);
    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "the question") ||
        !cli_params_rules(cli, &x->shared, false, &checked))
        return false;
    if (!word_in(x->mode, "auto answer investigate research"))
        return cli_usage(cli, "--mode wants auto, answer, investigate or "
                              "research") == CLI_OK;
    if (!word_in(x->effort, "S M L XL"))
        return cli_usage(cli, "--effort wants S, M, L or XL") == CLI_OK;
    x->q = argv[optind];
    if (str_trim(str_of(x->q)).n > 0 && utf8_valid(x->q, strlen(x->q)) &&
        (int64_t)strlen(x->q) <= cli->conf.question_max)
        return true;
    cli_usage(cli, "the question must be UTF-8 text of at most %lld bytes",
              (long long)cli->conf.question_max);
    return false;
}

int cli_research(struct cli *cli, int argc, char **argv)
{
    struct asked x;
    int status = CLI_USAGE;

    memset(&x, 0, sizeof x);
    cli_params_init(&x.shared);
    x.mode = "auto";
    x.effort = "L";
    if (read_options(cli, argc, argv, &x))
        status = run(cli, &x);
    cli_params_fini(&x.shared);
    return status;
}
