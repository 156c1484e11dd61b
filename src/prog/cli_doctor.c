/*
 * cited doctor: everything that goes wrong in practice is looked at, and each
 * finding says what is wrong, why it matters and what to do. The checks are in
 * cli_doctor_*.c; here are the list, its two forms and the exit status.
 */
#include "prog/cli_doctor.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>

extern char **environ;

/* --- findings ---------------------------------------------------------- */

static const struct finding kinds[FOUND__MAX] = {
#define FINDING(name, level, check, why, mend)                                 \
    [FOUND_##name] = {check, LEVEL_##level, NULL, why, mend},
#include "prog/cli_doctor.def"
#undef FINDING
};

static const char *text_of(struct doctor *d, const char *fmt, va_list ap)
    PRINTF_LIKE(2, 0);

static const char *text_of(struct doctor *d, const char *fmt, va_list ap)
{
    char text[FINDING_TEXT_MAX];
    const char *kept;

    vsnprintf(text, sizeof text, fmt, ap);
    kept = arena_strdup(&d->cli->arena, text);
    return kept == NULL ? "(out of memory)" : kept;
}

static void add(struct doctor *d, struct finding f)
{
    d->errors += f.level == LEVEL_ERROR;
    d->warnings += f.level == LEVEL_WARNING;
    d->last = d->count < FINDINGS_MAX ? &d->list[d->count++] : NULL;
    if (d->last != NULL)
        *d->last = f;
}

const char *doctor_text(struct doctor *d, const char *fmt, ...)
{
    const char *text;
    va_list ap;

    va_start(ap, fmt);
    text = text_of(d, fmt, ap);
    va_end(ap);
    return text;
}

void doctor_bad(struct doctor *d, enum finding_kind kind, const char *fmt, ...)
{
    struct finding f = kinds[kind];
    va_list ap;

    va_start(ap, fmt);
    f.what = text_of(d, fmt, ap);
    va_end(ap);
    add(d, f);
}

void doctor_mend(struct doctor *d, const char *fmt, ...)
{
    va_list ap;

    if (d->last == NULL)
        return;
    va_start(ap, fmt);
    d->last->mend = text_of(d, fmt, ap);
    va_end(ap);
}

void doctor_ok(struct doctor *d, const char *check, const char *fmt, ...)
{
    struct finding f = {check, LEVEL_OK, NULL, "", ""};
    va_list ap;

    va_start(ap, fmt);
    f.what = text_of(d, fmt, ap);
    va_end(ap);
    add(d, f);
}

/* --- telling ----------------------------------------------------------- */

static int print_text(const struct doctor *d)
{
    static const char *const marks[] = {"ok     ", "WARNING", "ERROR  "};

    for (size_t i = 0; i < d->count; i++) {
        const struct finding *f = &d->list[i];

        printf("%s  %-16s %s\n", marks[f->level], f->check, f->what);
        if (f->level != LEVEL_OK)
            printf("         why: %s\n         do:  %s\n", f->why, f->mend);
    }
    printf("\n%zu error%s, %zu warning%s\n", d->errors,
           d->errors == 1 ? "" : "s", d->warnings, d->warnings == 1 ? "" : "s");
    return CLI_OK;
}

static int print_json(struct doctor *d)
{
    static const char *const levels[] = {"ok", "warning", "error"};
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kbool(w, "ok", d->errors == 0);
    jw_kint(w, "errors", (int64_t)d->errors);
    jw_kint(w, "warnings", (int64_t)d->warnings);
    jw_karray(w, "findings");
    for (size_t i = 0; i < d->count; i++) {
        const struct finding *f = &d->list[i];

        jw_object(w);
        jw_kstring(w, "check", f->check);
        jw_kstring(w, "level", levels[f->level]);
        jw_kstring(w, "what", f->what);
        jw_kstring(w, "why", f->why);
        jw_kstring(w, "mend", f->mend);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return cli_json_end(d->cli, &j);
}

/* --- the command ------------------------------------------------------- */

/* The configuration cannot be used: nothing else can be looked at. */
static void tell_broken_conf(struct doctor *d)
{
    struct errctx ec = {ERR_OK, ""};

    if (conf_load(&d->cli->conf, d->cli->conf_path, NULL, environ, &ec) ==
        ERR_OK) /* repaired this instant */
        return;
    doctor_bad(d, FOUND_CONF_BROKEN, "%s", ec.msg);
}

static void check_all(struct doctor *d)
{
    static void (*const checks[])(struct doctor *) = {
        doctor_check_conf,      doctor_check_folder,   doctor_check_disk,
        doctor_check_databases, doctor_check_accounts, doctor_check_index,
        doctor_check_pages,     doctor_check_tasks,    doctor_check_meaning,
        doctor_check_programs,  doctor_check_limits};
    static void (*const asks[])(struct doctor *) = {
        doctor_check_providers, doctor_check_model, doctor_check_clock,
        doctor_check_service};

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        checks[i](d);
    for (size_t i = 0; i < sizeof asks / sizeof asks[0] && !d->offline; i++)
        asks[i](d);
}

static bool read_options(struct doctor *d, int argc, char **argv)
{
    const struct cli_option options[] = {
        CLI_TEXT("url", &d->url), CLI_TEXT("key-file", &d->key_file),
        CLI_FLAG("offline", &d->offline), CLI_OPTIONS_END};

    return cli_options(d->cli, argc, argv, options) &&
           cli_operands(d->cli, argc, 0, "");
}

int cli_doctor(struct cli *cli, int argc, char **argv)
{
    struct doctor *d = arena_alloc(&cli->arena, sizeof *d);
    int status;

    if (d == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    d->cli = cli;
    if (!read_options(d, argc, argv))
        return CLI_USAGE;
    if (cli->conf.data_dir == NULL)
        tell_broken_conf(d);
    else
        check_all(d);
    cli_progress_end(cli);
    status = cli->json ? print_json(d) : print_text(d);
    return status == CLI_OK && d->errors > 0 ? CLI_FAILED : status;
}
