/*
 * The definitions that come with the program: the files of deploy/providers,
 * built in. A section of the configuration names one with `use`. Called by
 * provider_def.c and the operator's command.
 */
#include "find/provider_json.h"

#include "base/str.h"

#include <string.h>

const char *provider_shipped_name(size_t i)
{
    return provider_texts[i].name;
}

/* "key = value"; comments, the section's line and blank ones are none. */
static bool line_read(struct str line, struct str *key, struct str *value)
{
    const char *eq;

    line = str_trim(line);
    eq = line.n == 0 || line.p[0] == '#' || line.p[0] == '['
             ? NULL
             : memchr(line.p, '=', line.n);
    if (eq == NULL)
        return false;
    *key = str_trim((struct str){line.p, (size_t)(eq - line.p)});
    *value = str_trim((struct str){eq + 1, line.n - (size_t)(eq - line.p) - 1});
    return true;
}

enum err provider_shipped_get(const char *name, struct arena *a,
                              struct conf_provider *out)
{
    struct conf_provider p = {.name = name};
    const struct provider_text *t = provider_texts;

    while (t->name != NULL && strcmp(t->name, name) != 0)
        t++;
    if (t->name == NULL)
        return ERR_NOT_FOUND;
    for (const char *z = t->text; *z != '\0' && p.count < CONF_FIELDS_MAX;) {
        size_t n = strcspn(z, "\n");
        struct str key, value;

        if (line_read((struct str){z, n}, &key, &value)) {
            p.key[p.count] = arena_strndup(a, key.p, key.n);
            p.value[p.count] = arena_strndup(a, value.p, value.n);
            if (p.key[p.count] == NULL || p.value[p.count] == NULL)
                return ERR_NOMEM;
            p.count++;
        }
        z += n + (z[n] == '\n' ? 1 : 0);
    }
    *out = p;
    return ERR_OK;
}
