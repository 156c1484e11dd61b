# What languages ask and say, src/lang/CODE.words, as the tables of lang/words.h
# and text/lang.h in C, on standard output. Called by the Makefile.
#
#   LC_ALL=C awk -f deploy/lib/words.awk src/lang/*.words src/lang/*.near
#
# A line is "key: word word …", and goes on in lines that are indented. "_" is
# a blank inside a word, "|" parts groups of words. "stop" and each "common.N"
# stand in byte order; so do the lines of a file CODE.near (tools/near*.c), "stem
# others";
# the keys "ask.TYPE" may come several times and keep their order; "unspaced"
# and "order.anywhere" stand before what they are about.

function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}
function quoted(z) { return "\"" z "\"" }
function blank(z) { gsub(/_/, " ", z); return z }
# The words of a list as strings of C; with ", NULL" they are an array.
function strings(list, lang,    w, n, i, z) {
    n = split(list, w, " ")
    for (i = 1; i <= n; i++)
        z = z quoted(lang != "" && anywhere[lang] ? blank(w[i]) : w[i]) ", "
    return z
}
# A line is whole: "key: words".
function take(key, words,    w, n, i) {
    if (key == "order.anywhere")
        anywhere[lang] = 1
    else if (key == "unspaced") {
        edge[lang] = ""
        lists[lang] = lists[lang] ".unspaced = true,\n"
    }
    else if (key ~ /^order\./)
        orders[lang] = orders[lang] "[ORDER_" toupper(substr(key, 7)) \
            "] = WORDS(" strings(words, lang) "NULL),\n"
    else if (key ~ /^ask\./) {
        n = split(words, w, " ")
        for (i = 1; i <= n; i++)
            asking[lang] = asking[lang] "{" quoted(blank(w[i])) ", ANSWER_" \
                toupper(substr(key, 5)) "},\n"
    } else if (key ~ /^compare\./) {
        compares[lang] = compares[lang] "." substr(key, 9) " = WORDS("
        n = split(words, w, " ")
        for (i = 1; i <= n; i++)
            compares[lang] = compares[lang] quoted(blank(w[i])) ", "
        compares[lang] = compares[lang] "NULL),\n"
    } else if (key ~ /^page\./) {
        n = split(words, w, " ")
        for (i = 1; i <= n; i++)
            pages[key] = pages[key] quoted(blank(w[i])) ", "
    } else if (key ~ /^check\./) {
        key = substr(key, 7)
        checks[key] = checks[key] (checks[key] == "" ? "" : " ") words
    } else if (key ~ /^value\./) {
        key = substr(key, 7)
        values[key] = values[key] (values[key] == "" ? "" : " ") words
    } else if (key ~ /^report\./)
        reports[lang] = reports[lang] "." substr(key, 8) " = " \
            quoted(" " words " ") ",\n"
    else if (key ~ /^say\./)
        said = said "[PHRASE_" toupper(substr(key, 5)) "][LANG_" \
            toupper(lang) "] = " quoted(words) ",\n"
    else if (key == "stop") {
        n = split(words, w, " ")
        for (i = 2; i <= n; i++)
            if (w[i - 1] >= w[i])
                fail("\"" w[i] "\" is out of order")
        stops = stops "[LANG_" toupper(lang) "] = {" n ", WORDS(" \
            strings(words) ")},\n"
    } else if (key ~ /^common\./) {
        n = split(words, w, " ")
        for (i = 2; i <= n; i++)
            if (w[i - 1] >= w[i])
                fail("\"" w[i] "\" is out of order")
        commons[lang] = commons[lang] "{" substr(key, 8) ", " n ", WORDS(" \
            strings(words) ")},\n"
    } else if (key == "nouns_capital" || key == "compounds")
        lists[lang] = lists[lang] "." key " = true,\n"
    else
        lists[lang] = lists[lang] "." key " = " \
            quoted(edge[lang] words edge[lang]) ",\n"
}
function flush() {
    if (key != "")
        take(key, words)
    key = ""
}
function next_file() {
    flush()
    last = ""
    lang = FILENAME
    gsub(/^.*\/|\.(words|near)$/, "", lang)
    if (FILENAME ~ /\.near$/)
        return
    langs[++count] = lang
    edge[lang] = " "
}
FNR == 1 { next_file() }
/^#/ || NF == 0 { next }
FILENAME ~ /\.near$/ {
    if ($1 <= last)
        fail("\"" $1 "\" is out of order")
    last = $1
    nears[lang]++
    near[lang] = near[lang] "{\"" $1 "\", \"" substr($0, length($1) + 2) "\"},\n"
    next
}
/^ / {
    for (i = 1; i <= NF; i++)
        words = words " " $i
    next
}
/^[a-z_.]+[0-9]*:/ {
    flush()
    key = substr($1, 1, length($1) - 1)
    words = $2
    for (i = 3; i <= NF; i++)
        words = words " " $i
    next
}
{ fail("neither \"key: words\" nor more words") }
END {
    if (failed)
        exit 1
    flush()
    print "#include \"lang/words.h\""
    print "#define WORDS(...) ((const char *const[]){__VA_ARGS__})"
    print "const struct stop_words stop_words[LANG_COUNT] = {\n" stops "};"
    for (i = 1; i <= count; i++)
        if (asking[langs[i]] != "")
            print "static const struct asking asking_" langs[i] "[] = {\n" \
                asking[langs[i]] "{NULL, ANSWER_ANY}};"
    for (i = 1; i <= count; i++)
        if (commons[langs[i]] != "")
            print "static const struct common_words common_" langs[i] \
                "[] = {\n" commons[langs[i]] "{0, 0, NULL}};"
    print "const struct common_words *const common_words[LANG_COUNT] = {"
    for (i = 1; i <= count; i++)
        if (commons[langs[i]] != "")
            print "[LANG_" toupper(langs[i]) "] = common_" langs[i] ","
    print "};"
    print "const struct question_words question_words[LANG_COUNT] = {"
    for (i = 1; i <= count; i++)
        if (lists[langs[i]] != "")
            printf "[LANG_%s] = {%s%s},\n", toupper(langs[i]),
                asking[langs[i]] == "" ? "" \
                    : ".asking = asking_" langs[i] ",\n", lists[langs[i]]
    print "};\nconst struct order_words order_words[ORDER_LANGUAGES] = {"
    for (i = 1; i <= count; i++)
        if (orders[langs[i]] != "")
            printf "{\"%s\", %s, {%s}},\n", langs[i], \
                anywhere[langs[i]] ? "true" : "false", orders[langs[i]]
    print "};"
    print "const char *const phrases[PHRASE_COUNT][LANG_COUNT] = {"
    print said "};"
    print "const struct report_words report_words[LANG_COUNT] = {"
    for (i = 1; i <= count; i++)
        if (reports[langs[i]] != "")
            printf "[LANG_%s] = {%s},\n", toupper(langs[i]), reports[langs[i]]
    print "};"
    print "const struct compare_words compare_words[LANG_COUNT] = {"
    for (i = 1; i <= count; i++)
        if (compares[langs[i]] != "")
            printf "[LANG_%s] = {%s},\n", toupper(langs[i]), compares[langs[i]]
    print "};"
    print "const struct page_phrases page_phrases[PAGE_KINDS] = {"
    n = split("challenge denied error script consent", kinds, " ")
    for (i = 1; i <= n; i++)
        print "[PAGE_" toupper(kinds[i]) "] = {WORDS(" \
            pages["page." kinds[i] ".title"] "NULL), WORDS(" \
            pages["page." kinds[i] ".text"] "NULL)},"
    print "};"
    for (i in nears)
        printf "static const struct near_words near_%s[] = {\n%s};\n", i, near[i]
    print "const struct near_list near_words[LANG_COUNT] = {"
    for (i in nears)
        printf "[LANG_%s] = {near_%s, %d},\n", toupper(i), i, nears[i]
    print "};"
    print "const struct check_words check_words = {"
    for (key in checks)
        print "." key " = " quoted(" " checks[key] " ") ","
    print "};\nconst struct value_words value_words = {"
    for (key in values)
        print "." key " = " quoted(" " values[key] " ") ","
    print "};"
}
