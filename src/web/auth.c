/* The Authorization header; see auth.h. */
#include "web/auth.h"

#include "base/str.h"

#include <string.h>

static bool is_token_char(char c)
{
    return ascii_is_alnum((unsigned char)c) ||
           (c != '\0' && strchr("-._~+/=", c) != NULL);
}

enum err auth_bearer(const char *header, struct arena *a, const char **token)
{
    struct str s = str_trim(str_of(header));
    char *copy;

    if (s.n < 8 || !ascii_starts_i(s.p, "bearer "))
        return ERR_AUTH;
    s.p += 7;
    s.n -= 7;
    s = str_trim(s);
    if (s.n == 0 || s.n > AUTH_TOKEN_MAX)
        return ERR_AUTH;
    for (size_t i = 0; i < s.n; i++)
        if (!is_token_char(s.p[i]))
            return ERR_AUTH;
    copy = arena_strndup(a, s.p, s.n);
    if (copy == NULL)
        return ERR_NOMEM;
    *token = copy;
    return ERR_OK;
}
