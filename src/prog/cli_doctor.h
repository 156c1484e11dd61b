/*
 * What the files of `cited doctor` share: the list of findings. A check looks
 * at one thing and adds one finding at least: what it saw, and when that is
 * bad, why it matters and what to do about it. Checks change nothing but a
 * key made for the time of asking the service (cli_doctor_web.c).
 */
#ifndef CITED_PROG_CLI_DOCTOR_H
#define CITED_PROG_CLI_DOCTOR_H

#include "prog/cli.h"
#include "store/inspect.h"

enum level { LEVEL_OK, LEVEL_WARNING, LEVEL_ERROR };

enum { FINDINGS_MAX = 128, FINDING_TEXT_MAX = 600 };

/* What can be wrong. */
enum finding_kind {
#define FINDING(name, level, check, why, mend) FOUND_##name,
#include "prog/cli_doctor.def"
#undef FINDING
    FOUND__MAX
};

struct finding {
    const char *check; /* a word that scripts can compare */
    enum level level;
    const char *what, *why, *mend; /* why and mend "" when all is well */
};

struct doctor {
    struct cli *cli;
    struct finding list[FINDINGS_MAX];
    size_t count, errors, warnings;
    struct finding *last; /* NULL: it had no place in the list */

    const char *url;      /* of the service, without final '/', or NULL */
    const char *key_file; /* whose first line is a key, or NULL */
    bool offline;         /* ask nothing over the network */
    bool has_data;        /* the data folder is there and can be read */
    struct db_look state, index;
    enum db_fault state_fault, index_fault;
};

/* Add a finding; all is well. */
void doctor_ok(struct doctor *d, const char *check, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* Something is wrong; fmt says what was seen. */
void doctor_bad(struct doctor *d, enum finding_kind kind, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* What to do about the last finding, where its row has no words for it. */
void doctor_mend(struct doctor *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* printf into the command's arena; never NULL. */
const char *doctor_text(struct doctor *d, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* cli_doctor_local.c: folder, files, disk, programs, limits */
void doctor_check_conf(struct doctor *d);
void doctor_check_folder(struct doctor *d);
void doctor_check_disk(struct doctor *d);
void doctor_check_programs(struct doctor *d);
void doctor_check_limits(struct doctor *d);

/* cli_doctor_data.c: what stands in the databases */
void doctor_check_databases(struct doctor *d);
void doctor_check_accounts(struct doctor *d);
void doctor_check_index(struct doctor *d);
void doctor_check_pages(struct doctor *d);
void doctor_check_tasks(struct doctor *d);

/* cli_doctor_meaning.c: the encoder and its vectors */
void doctor_check_meaning(struct doctor *d);

/* cli_doctor_net.c: providers, the model, the clock */
void doctor_check_providers(struct doctor *d);
void doctor_check_model(struct doctor *d);
void doctor_check_clock(struct doctor *d);

/* cli_doctor_web.c: the service as its clients see it */
void doctor_check_service(struct doctor *d);

#endif
