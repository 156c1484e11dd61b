#!/bin/sh
# `make run`: a local service in the foreground, with an account, a key and
# this product's own documentation as its first pages.
#
#   PORT=8080 DATA=./var deploy/lib/run.sh        (after a build)
#
# Owns the staged documents in $DATA/run; the service itself is `cited serve`,
# which makes account, key, configuration, socket and logs. Touches nothing
# else. Every step may be interrupted and is done again, or found done, by the
# next run. Whatever it started ends with it.
set -eu

# Should who started us (make) or this shell be killed outright, what they
# started goes with them.
BOUND=
if setpriv --pdeathsig TERM true 2>/dev/null; then
    BOUND='setpriv --pdeathsig TERM'
    [ "${1-}" = bound ] || exec $BOUND sh "$0" bound
fi
umask 077
cd "$(dirname "$0")/../.."

PORT=${PORT:-8080}
DATA=${DATA:-./var}
BIN=${BIN:-build}
QUESTION='How does cited check its citations?'
unset CITED_DATA_DIR CITED_DATA || true

say() { printf '%s\n' "$*"; }
# As the shell reads it back.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
die() {
    printf 'make run: %s\n' "$*" >&2
    exit 1
}

# --- checks before anything is made ----------------------------------------
case $PORT in
'' | *[!0-9]*) die "PORT is a number from 1 to 65535, not '$PORT'" ;;
esac
[ "$PORT" -ge 1 ] && [ "$PORT" -le 65535 ] ||
    die "PORT is a number from 1 to 65535, not $PORT"
case $DATA in
*'"'* | *\\* | *'
'*) die "DATA must not hold a double quote, a backslash or a newline" ;;
esac
mkdir -p "$DATA" || die "cannot make the data folder $DATA"
DATA=$(cd "$DATA" && pwd -P)
BIN=$(cd "$BIN" && pwd -P)
RUN=$DATA/run
BASE=http://127.0.0.1:$PORT
mkdir -p "$RUN"

# One run for one data folder. The lock is this shell's alone: what it
# starts closes descriptor 9.
exec 9>"$RUN/lock"
flock -n 9 || die "another 'make run' is using $DATA"

# --- the end ---------------------------------------------------------------
SERVE=
stop_all() {
    trap '' INT TERM HUP
    set +e
    if [ -n "$SERVE" ]; then
        kill -TERM "$SERVE" 2>/dev/null
        wait "$SERVE" 2>/dev/null
    fi
}
trap 'stop_all' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# --- documents -------------------------------------------------------------
# Staged whole, then swapped in, so that an interruption leaves no half.
stage_documents() {
    rm -rf "$RUN/docs.new"
    deploy/lib/stage-docs.sh "$RUN/docs.new"
    rm -rf "$RUN/docs"
    mv "$RUN/docs.new" "$RUN/docs"
}

# The addresses of what is staged, one a line, sorted.
document_urls() {
    (cd "$RUN/docs" && find . -type f) |
        sed -e "s|^\\.|$BASE/docs|" | LC_ALL=C sort
}

# What an earlier run added and this one does not have (another port, a file
# that is gone) is removed: it would be cited with a dead link.
index_documents() {
    document_urls >"$RUN/docs.urls.new"
    touch "$RUN/docs.urls"
    LC_ALL=C comm -23 "$RUN/docs.urls" "$RUN/docs.urls.new" |
        while read -r url; do
            "$BIN/cited" --data "$DATA" index remove "$url" \
                >>"$RUN/index.log" 2>&1 9>&- || true
        done
    mv "$RUN/docs.urls.new" "$RUN/docs.urls"
    "$BIN/cited" --data "$DATA" index add "$RUN/docs" --base "$BASE/docs/" \
        >>"$RUN/index.log" 2>&1 9>&- || {
        cat "$RUN/index.log" >&2
        die "could not index the documentation"
    }
}

say "Indexing the documentation."
: >"$RUN/index.log"
stage_documents
index_documents

# --- server ----------------------------------------------------------------
set -- --port "$PORT" --docs "$RUN/docs" --www "$(cd www && pwd -P)"
: >"$RUN/serve.log"
# Word splitting wanted: nothing, or a command with its options.
# shellcheck disable=SC2086
$BOUND "$BIN/cited" --data "$DATA" serve "$@" >"$RUN/serve.log" 2>&1 9>&- &
SERVE=$!
until grep -q '^Serving on ' "$RUN/serve.log"; do
    if ! kill -0 "$SERVE" 2>/dev/null; then
        SERVE=
        sed -e 's/^cited serve: //' "$RUN/serve.log" >&2
        ! grep -q 'is taken by another' "$RUN/serve.log" ||
            die "try: make run PORT=$((PORT < 65535 ? PORT + 1 : 8081))"
        ! grep -q "needs root's rights" "$RUN/serve.log" ||
            die "try: make run PORT=8080"
        die "the service did not start; its logs are in $RUN"
    fi
    sleep 0.1
done
sed -e '/^Serving on /d' -e '/^Console,/,/^  http/d' "$RUN/serve.log"
CONSOLE=$(sed -n 's/^  \(http.*#\/open\/.*\)$/\1/p' "$RUN/serve.log")

# --- proof -----------------------------------------------------------------
body="{\"q\": \"$QUESTION\", \"depth\": \"standard\", \"outputType\": \"sourcedAnswer\", \"includeInlineCitations\": true}"
status=$(curl -s -m 60 -o "$RUN/answer.json" -w '%{http_code}' \
    -H "Authorization: Bearer $(cat "$DATA/api-key")" \
    -H 'Content-Type: application/json' -d "$body" "$BASE/v1/search") ||
    die "asking the first question failed; see $RUN/server.log"
say ""
say "Question: $QUESTION"
cat "$RUN/answer.json"
say ""
[ "$status" = 200 ] || die "the first question was answered with $status"
say ""
say "Serving on $BASE (data in $DATA). Ask it:"
say ""
say "  curl $BASE/v1/search \\"
say "    -H \"Authorization: Bearer \$(cat $(quoted "$DATA/api-key"))\" \\"
say "    -H 'Content-Type: application/json' \\"
say "    -d '$body'"
say ""
say "The interface, with every call to try: $BASE/reference.html"
say ""
say "The console; this link signs you in, once, within an hour:"
say ""
say "  ${CONSOLE:-$BASE/}"
say ""
[ -n "${CITED_MEANING_MODEL+set}" ] || [ -f build/meaning/minilm.model ] || {
    say "Answers are right more often with the encoder: make meaning, once, then"
    say "make run (docs/meaning.md)."
    say ""
}
say "Ctrl-C stops it."

code=0
wait "$SERVE" || code=$?
SERVE=
tail -n 5 "$RUN/serve.log" >&2
die "the service ended by itself ($code); its logs are in $RUN"
