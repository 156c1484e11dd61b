#!/bin/sh
# Fills the @PLACES@ of a shipped configuration and prints the result.
#
#   deploy/lib/fill.sh TEMPLATE NAME=VALUE...  > result
#
# Every template names its places in its head. A place without a value is an
# error: nothing half-filled is ever printed. Values may hold any character
# but a newline, a double quote and a backslash, which the servers' own
# quoting could not carry; where a place takes less, the template's head says so.
set -eu

[ $# -ge 1 ] || { echo "usage: fill.sh TEMPLATE NAME=VALUE..." >&2; exit 64; }
template=$1
shift
script=
for pair; do
    name=${pair%%=*}
    value=${pair#*=}
    case $name in
    '' | *[!A-Z_]*) echo "fill.sh: bad name: $name" >&2; exit 64 ;;
    esac
    case $value in
    *'"'* | *\\* | *'
'*)
        echo "fill.sh: $name holds a quote, backslash or newline" >&2
        exit 64
        ;;
    esac
    quoted=$(printf '%s' "$value" | sed -e 's/[&|]/\\&/g')
    script="$script
s|@$name@|$quoted|g"
done
# Comment lines keep their @PLACES@: they explain them.
result=$(sed -e '/^[[:space:]]*[#;]/b' -e "$script" "$template")
if printf '%s\n' "$result" | grep -v '^[[:space:]]*[#;]' |
    grep -o '@[A-Z_][A-Z_]*@' | sort -u | grep . >&2; then
    echo "fill.sh: no value for the places above in $template" >&2
    exit 65
fi
printf '%s\n' "$result"
