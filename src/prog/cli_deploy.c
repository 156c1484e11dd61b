/* The files of deploy/ inside the command; see cli_deploy.h. */
#include "prog/cli_deploy.h"

#include "base/beside.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_LEN_MAX = 32 };

static const char *text_of(const char *name)
{
    for (const struct deploy_text *t = deploy_texts; t->name != NULL; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    return NULL;
}

/* --- filling ----------------------------------------------------------- */

static const char *value_of(const struct deploy_place *places, struct str name)
{
    for (; places->name != NULL; places++)
        if (str_eq(name, places->name))
            return places->value;
    return NULL;
}

/* The name between two '@' at p, of capitals and '_'; n 0: none. */
static struct str name_at(const char *p)
{
    size_t n = strspn(p + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    struct str name = {p + 1, n};

    if (n > NAME_LEN_MAX || p[n + 1] != '@')
        name.n = 0;
    return name;
}

static bool fill_line(struct cli *cli, const char *file, struct str line,
                      const struct deploy_place *places, struct buf *out)
{
    for (size_t i = 0; i < line.n; i++) {
        struct str name = {NULL, 0};
        const char *value;

        if (line.p[i] == '@')
            name = name_at(line.p + i);
        if (name.n == 0) {
            (void)buf_addc(out, line.p[i]);
            continue;
        }
        value = value_of(places, name);
        if (value == NULL || strpbrk(value, "\"\\\n") != NULL) {
            cli_failf(cli, ERR_INVALID,
                      value == NULL
                          ? "%s: there is no value for %.*s"
                          : "%s: the value for %.*s must not hold a quote, a "
                            "backslash or a line end",
                      file, (int)name.n, name.p);
            return false;
        }
        (void)buf_adds(out, value);
        i += name.n + 1;
    }
    (void)buf_addc(out, '\n');
    return true;
}

bool deploy_fill(struct cli *cli, const char *name,
                 const struct deploy_place *places, struct buf *out)
{
    const char *p = text_of(name);

    if (p == NULL) {
        cli_failf(cli, ERR_INTERNAL, "%s is not in this program", name);
        return false;
    }
    while (*p != '\0') {
        static const struct deploy_place none[] = {{NULL, NULL}};
        struct str line = {p, strcspn(p, "\n")};
        const char *first = p + strspn(p, " \t");
        bool comment = *first == '#' || *first == ';';

        if (comment) {
            (void)buf_add(out, p, line.n);
            (void)buf_addc(out, '\n');
        } else if (!fill_line(cli, name, line, places ? places : none, out)) {
            return false;
        }
        p += line.n;
        p += *p == '\n';
    }
    if (buf_err(out) == ERR_OK)
        return true;
    cli_failf(cli, buf_err(out), "%s is too large", name);
    return false;
}

/* --- writing ----------------------------------------------------------- */

bool deploy_folder(struct cli *cli, const char *path, mode_t mode)
{
    if (path != NULL && (mkdir(path, mode) == 0 || errno == EEXIST))
        return true;
    cli_failf(cli, ERR_IO, "cannot make %s: %s", path == NULL ? "" : path,
              strerror(errno));
    return false;
}

static bool write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, p, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

bool deploy_put(struct cli *cli, const char *path, const char *text, size_t n,
                mode_t mode)
{
    char *part = arena_printf(&cli->arena, "%s.new", path);
    int fd = -1;
    bool ok;

    if (part != NULL && (unlink(part) == 0 || errno == ENOENT))
        fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    ok = fd >= 0 && fchmod(fd, mode) == 0 && write_all(fd, text, n);
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    ok = ok && rename(part, path) == 0;
    if (!ok)
        cli_failf(cli, ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return ok;
}

bool deploy_put_errors(struct cli *cli, const char *dir, const char *ending)
{
    if (!deploy_folder(cli, dir, 0755))
        return false;
    for (const struct deploy_text *t = deploy_texts; t->name != NULL; t++) {
        const char *path;

        if (strncmp(t->name, "errors/", 7) != 0)
            continue;
        path = arena_printf(&cli->arena, "%s/%.3s%s", dir, t->name + 7, ending);
        if (path == NULL ||
            !deploy_put(cli, path, t->text, strlen(t->text), 0644))
            return false;
    }
    return true;
}

/* --- places ------------------------------------------------------------ */

const char *deploy_real(struct cli *cli, const char *path)
{
    char *real = realpath(path, NULL), *kept;

    if (real == NULL) {
        cli_failf(cli, ERR_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    kept = arena_strdup(&cli->arena, real);
    free(real);
    return kept;
}

const char *deploy_www(struct cli *cli)
{
    static const char *const places[] = {"../share/cited/www", "../www"};
    char path[PROGRAM_PATH_MAX];

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (program_find(places[i], path))
            return deploy_real(cli, path);
    return NULL;
}
