#!/bin/sh
# `make docs`: docs/configuration.md, from what `cited conf example` prints,
# which is the table the program reads its configuration with.
#
#   deploy/lib/conf-docs.sh build/cited > docs/configuration.md
#
# tests/e2e/docs.test.js compares the two.
set -eu

[ $# -eq 1 ] || { echo "usage: conf-docs.sh CITED" >&2; exit 64; }
example=$(mktemp)
trap 'rm -f "$example"' EXIT
"$1" conf example >"$example"

cat <<'END'
# Configuration

Every key, what it does, what it may be and its default. This page is made by
`make docs` from the table the program uses; do not edit it.

No file is needed. Keys are read from `cited.conf` (`--conf FILE`, or
`CITED_CONF`, else `./cited.conf`, else `/etc/cited/cited.conf`), and a variable
of the environment wins over the file. `cited conf check` says what is wrong with
a file, `cited conf example` prints one with every key. The format, and the keys
of `[provider.NAME]` sections, are in `cited.conf(5)`; how providers are set up
is in [operating](operating.md).
END
awk '
/^# Search providers are sections/ { exit }
/^\[/      { print "\n## Section " $0 "\n"
             print "| key | what | allowed | default | environment |"
             print "|---|---|---|---|---|"; started = 1; next }
!started   { next }
/^# Allowed: /     { allowed = substr($0, 12); sub(/\.$/, "", allowed)
                     sub(/^one of: /, "", allowed); next }
/^# Environment: / { split(substr($0, 16), names, ", or short ")
                     env = "`" names[1] "`"
                     if (names[2] != "") env = env ", `" names[2] "`"; next }
/^# /              { help = substr($0, 3); gsub(/\|/, "\\|", help); next }
/^#[a-z_]+ =/      { key = substr($1, 2); value = substr($0, length($1) + 4)
                     print "| `" key "` | " help " | " allowed " | " \
                         (value == "" ? "empty" : "`" value "`") " | " env " |" }
' "$example"
