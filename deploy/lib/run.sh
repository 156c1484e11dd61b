#!/bin/sh
# `make run`: a local service in the foreground, with an account, a key and
# this product's own documentation as its first pages.
#
#   PORT=8080 DATA=./var deploy/lib/run.sh        (after a build)
#
# Owns: $DATA/run (configuration, socket, logs, staged documents) and
# $DATA/api-key. Touches nothing else. Every step may be interrupted and is
# done again, or found done, by the next run. Whatever it started ends with
# it: the web server, the responder, and research helpers of this data folder.
set -eu
umask 077
cd "$(dirname "$0")/../.."

PORT=${PORT:-8080}
DATA=${DATA:-./var}
BIN=${BIN:-build}
ADMIN=admin@localhost
QUESTION='How does cited check its citations?'
unset CITED_DATA_DIR CITED_DATA || true

say() { printf '%s\n' "$*"; }
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
'*) die "DATA must not hold a quote, a backslash or a newline" ;;
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

# --- processes -------------------------------------------------------------
# Ids of our programs that work on this data folder. Detached helpers have
# their own session, so they are found by program and data folder.
our_processes() {
    for process in /proc/[0-9]*; do
        exe=$(readlink "$process/exe" 2>/dev/null) || continue
        case ${exe%' (deleted)'} in
        "$BIN/cited-worker" | "$BIN/cited.fcgi") ;;
        *) continue ;;
        esac
        if tr '\0' '\n' 2>/dev/null <"$process/environ" |
            grep -qxF "CITED_DATA_DIR=$DATA" ||
            tr '\0' '\n' 2>/dev/null <"$process/cmdline" |
            grep -qxF -e "$DATA" -e "--data=$DATA"; then
            echo "${process#/proc/}"
        fi
    done
}

# Ask our programs to end; after five seconds they have to.
stop_ours() {
    for signal in TERM KILL; do
        left=50
        while [ $left -gt 0 ]; do
            ids=$(our_processes)
            [ -n "$ids" ] || return 0
            # Word splitting wanted: a list of process ids.
            # shellcheck disable=SC2086
            [ $left -lt 50 ] || kill -$signal $ids 2>/dev/null || true
            sleep 0.1
            left=$((left - 1))
        done
    done
}

SERVER=
SOCKDIR=
stop_all() {
    trap '' INT TERM HUP
    set +e
    if [ -n "$SERVER" ]; then
        kill -TERM "$SERVER" 2>/dev/null
        wait "$SERVER" 2>/dev/null
    fi
    stop_ours
    if [ -n "$SOCKDIR" ] && [ "$SOCKDIR" != "$RUN" ]; then
        rm -rf "$SOCKDIR"
    fi
}
trap 'stop_all' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# curl says 7 when nobody listens.
port_is_free() {
    code=0
    curl -s -o /dev/null -m 2 "$BASE/" || code=$?
    [ $code = 7 ]
}

stop_ours # of a run that was killed
port_is_free || die "port $PORT is taken by another program; try:
  make run PORT=$((PORT < 65535 ? PORT + 1 : 8081))"

# --- account ---------------------------------------------------------------
# Made before the server, so that it finds a whole data folder. An account
# that is there already is what we want.
if ! "$BIN/cited" --data "$DATA" account create "$ADMIN" \
    >"$RUN/account.log" 2>&1 9>&-; then
    "$BIN/cited" --data "$DATA" account list 9>&- 2>>"$RUN/account.log" |
        grep -qF "$ADMIN" || {
        cat "$RUN/account.log" >&2
        die "could not make the account $ADMIN"
    }
fi

# --- documents -------------------------------------------------------------
# Staged whole, then swapped in, so that an interruption leaves no half.
title_of() { # deploy/man/cited.fcgi.8: cited.fcgi(8)
    name=${1##*/}
    printf '%s(%s)' "${name%.*}" "${name##*.}"
}

stage_documents() {
    rm -rf "$RUN/docs.new"
    mkdir -p "$RUN/docs.new/man"
    cp README.md "$RUN/docs.new/" 2>/dev/null || true
    cp src/README.md "$RUN/docs.new/internals.md" 2>/dev/null || true
    cp deploy/shared-hosting/README.md "$RUN/docs.new/shared-hosting.md"
    for file in docs/*.md; do
        [ ! -f "$file" ] || cp "$file" "$RUN/docs.new/"
    done
    for file in deploy/man/*.[1-8]; do
        [ -f "$file" ] || continue
        {
            printf -- "---\ntitle: %s\n---\n" "$(title_of "$file")"
            mandoc -T markdown "$file"
        } >"$RUN/docs.new/man/${file##*/}.md"
    done
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
# A socket's path holds 107 bytes, and lighttpd adds to it.
SOCKDIR=$RUN
if [ "$(printf '%s' "$RUN" | wc -c)" -gt 90 ]; then
    SOCKDIR=$(mktemp -d /tmp/cited.XXXXXX)
fi
WWW=$(cd www && pwd -P)
deploy/lib/fill.sh deploy/lighttpd/cited.conf ADDRESS=127.0.0.1 \
    PORT="$PORT" BINDIR="$BIN" DATA="$DATA" RUN="$SOCKDIR" WWW="$WWW" \
    ERRORS="$(cd deploy/lighttpd/errors && pwd -P)" TIMEOUT=60 \
    >"$RUN/lighttpd.conf.new"
cat >>"$RUN/lighttpd.conf.new" <<CONF

# What the answers cite, readable in a browser.
server.modules += ( "mod_alias" )
\$HTTP["url"] =~ "^/docs/" {
    fastcgi.server = ()
    alias.url = ( "/docs/" => "$RUN/docs/" )
    mimetype.assign = (
        "404.html" => "application/json",
        "" => "text/plain; charset=utf-8"
    )
}
CONF
mv "$RUN/lighttpd.conf.new" "$RUN/lighttpd.conf"

LIGHTTPD=$(PATH=$PATH:/usr/sbin:/sbin command -v lighttpd) ||
    die "lighttpd is not installed"
# Should this shell be killed outright, the server goes with it.
if setpriv --pdeathsig TERM true 2>/dev/null; then
    setpriv --pdeathsig TERM "$LIGHTTPD" -D -f "$RUN/lighttpd.conf" \
        >"$RUN/server.log" 2>&1 9>&- &
else
    "$LIGHTTPD" -D -f "$RUN/lighttpd.conf" >"$RUN/server.log" 2>&1 9>&- &
fi
SERVER=$!

left=200
until curl -s -f -o /dev/null -m 5 "$BASE/healthz"; do
    left=$((left - 1))
    if ! kill -0 "$SERVER" 2>/dev/null || [ $left = 0 ]; then
        tail -n 20 "$RUN/server.log" >&2
        die "the server does not answer; its log is $RUN/server.log"
    fi
    sleep 0.1
done

# --- key -------------------------------------------------------------------
# The key of an earlier run is used again if it still opens the door.
key_works() {
    [ -s "$DATA/api-key" ] || return 1
    [ "$(curl -s -o /dev/null -w '%{http_code}' -m 10 \
        -H "Authorization: Bearer $(cat "$DATA/api-key")" \
        "$BASE/v1/research?pageSize=1")" = 200 ]
}

if key_works; then
    say "API key: the one in $DATA/api-key still works."
else
    made=$("$BIN/cited" --data "$DATA" key create "$ADMIN" \
        --label 'make run' --json 9>&-) || die "could not make an API key"
    key=$(printf '%s' "$made" | tr -d '\n' |
        sed -n 's/.*"key"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p')
    [ -n "$key" ] || die "'cited key create --json' gave no key"
    printf '%s\n' "$key" >"$DATA/api-key.new"
    mv "$DATA/api-key.new" "$DATA/api-key"
    say "API key of $ADMIN, shown this once; also in $DATA/api-key:"
    say "  $key"
    key_works || die "the new key is not accepted; see $RUN/server.log"
fi

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
say "    -H \"Authorization: Bearer \$(cat '$DATA/api-key')\" \\"
say "    -H 'Content-Type: application/json' \\"
say "    -d '$body'"
say ""
say "The interface, with every call to try: $BASE/reference.html"
say ""
say "Ctrl-C stops it."

code=0
wait "$SERVER" || code=$?
SERVER=
tail -n 5 "$RUN/server.log" >&2
die "the web server ended by itself ($code); its log is $RUN/server.log"
