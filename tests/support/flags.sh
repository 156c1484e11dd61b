#!/bin/sh
# What a packager hands to make (CFLAGS, LDFLAGS …) is added to our own flags,
# never put in their place: every compiler line must hold both.
set -eu
cd "$(dirname "$0")/../.."
out=build/flags-none
lines=$("${MAKE:-make}" -n --no-print-directory OUT="$out" CPPFLAGS=-DTHEIRS \
    CFLAGS=-Otheirs LDFLAGS=-Wl,--theirs LDLIBS=-ltheirs \
    "$out/cited" "$out/tests/test_faults_db" |
    grep -E '^[^ ]+ .* -o ' | sed 's/$/ /')
code=0
must() { # must WHAT IN: on every line that holds IN
    missing=$(printf '%s\n' "$lines" | grep -e "$2" | grep -v -e " $1 " || true)
    [ -z "$missing" ] || {
        printf '%s is not in:\n%s\n' "$1" "$missing"
        code=1
    }
}
[ "$(printf '%s\n' "$lines" | grep -c -e ' -c ')" -gt 50 ] || exit 1
for flag in -std=c11 -Wall -fPIE -MMD -D_GNU_SOURCE -DTHEIRS -Otheirs; do
    must "$flag" '\.c $'
done
for flag in -Otheirs -pie -Wl,-z,relro,-z,now -Wl,--theirs -lsqlite3 \
    -ltheirs; do
    must "$flag" libcited.a
done
must -Wl,--wrap=sqlite3_step test_faults_db
exit $code
