#!/bin/sh
# `make cluster`: the whole cluster on this machine, on loopback: three of etcd,
# three of PostgreSQL, NODES of cited, a balancer. In the foreground; Ctrl-C
# stops all of it, and the next run goes on with what is there.
#
#   PORT=8080 DATA=./var/cluster NODES=3 DOCS=FOLDER BIN=build cluster.sh
#
# Each member is a script of this folder, kept running by this one; on machines
# of their own a service manager does that (README.md). In $DATA: `members`
# (who is there), `secrets`, and a folder for each member with its logs;
# $DATA/NAME.pid is the process of a member, $DATA/NAME.away keeps it from being
# started again while it is there (for bench/cluster.mjs, which kills them).
set -eu
HERE=$(cd "$(dirname "$0")" && pwd -P)
. "$HERE/members.sh"

if [ "${1-}" != bound ] && setpriv --pdeathsig TERM true 2>/dev/null; then
    exec setpriv --pdeathsig TERM sh "$HERE/cluster.sh" bound
fi
umask 022
PORT=${PORT:-8080}
NODES=${NODES:-3}
DATA=${DATA:-./var/cluster}
BIN=$(cd "${BIN:-build}" && pwd -P) || die 'BIN names the folder of the programs'
export BIN
for n in "$PORT" "$NODES"; do
    case $n in '' | *[!0-9]*) die "PORT and NODES are numbers, not '$n'" ;; esac
done
[ "$PORT" -le 65000 ] && [ "$NODES" -ge 1 ] && [ "$NODES" -le 9 ] ||
    die 'PORT is at most 65000, NODES at most 9'
mkdir -p "$DATA" || die "cannot make $DATA"
DATA=$(cd "$DATA" && pwd -P)
case $DATA in *[!A-Za-z0-9/._-]*) die "DATA may hold letters, digits, / . _ -" ;; esac
[ "$(id -u)" != 0 ] || setpriv --reuid=postgres --clear-groups test -x "$DATA" ||
    die "the user postgres cannot enter $DATA; name another folder with DATA"
exec 9>"$DATA/lock"
flock -n 9 || die "another cluster is using $DATA"

# --- who is there ----------------------------------------------------------
# Ports from PORT on: the balancer, then the nodes, and so forth.
MEMBERS=$DATA/members
{
    echo "balancer web 127.0.0.1 $PORT"
    for i in $(seq "$NODES"); do
        echo "node node$i 127.0.0.1 $((PORT + i))"
    done
    for i in 1 2 3; do
        echo "postgres pg$i 127.0.0.1 $((PORT + 10 + i)) $((PORT + 20 + i))"
        echo "etcd etcd$i 127.0.0.1 $((PORT + 30 + i)) $((PORT + 40 + i))"
    done
} >"$MEMBERS.new"
[ ! -f "$MEMBERS" ] || cmp -s "$MEMBERS.new" "$MEMBERS" ||
    die "$DATA was made with other ports or nodes: give the same, or remove it"
mv "$MEMBERS.new" "$MEMBERS"
export SECRETS="$DATA/secrets"
[ -s "$SECRETS" ] || (
    umask 077
    for _ in 1 2 3; do od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; echo; done \
        >"$SECRETS.new"
    mv "$SECRETS.new" "$SECRETS"
)

# --- starting and stopping ---------------------------------------------------
KEPT=
# keep NAME COMMAND…: start a member, and again when it ends.
keep() {
    (
        name=$1 child=
        shift
        trap '[ -z "$child" ] || kill -TERM "$child" 2>/dev/null; wait; exit 0' TERM
        trap '' INT HUP
        trap - EXIT
        while :; do
            "$@" >>"$DATA/$name/log" 2>&1 9>&- &
            child=$!
            echo "$child" >"$DATA/$name.pid"
            wait "$child" || true
            child=
            sleep 1
            while [ -e "$DATA/$name.away" ]; do sleep 0.2; done
        done
    ) 9>&- &
    KEPT="$! $KEPT"
}

# From the outside to the inside, each when the one before has ended.
stop_all() {
    trap '' INT TERM HUP
    set +e
    rm -f "$DATA"/*.away
    for pid in $KEPT; do
        kill -TERM "$pid" 2>/dev/null
        wait "$pid"
    done
    # Should a PostgreSQL have outlived its Patroni.
    for file in "$DATA"/pg*/data/postmaster.pid; do
        [ ! -f "$file" ] || kill -INT "$(head -n 1 "$file")" 2>/dev/null
    done
}
trap stop_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# until_ready SECONDS WHAT COMMAND…
until_ready() {
    tries=$(($1 * 5)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        if [ $tries -eq 0 ]; then
            tail -q -n 5 "$DATA/$what"*/*log >&2 || true
            die "$what did not come up; its logs are in $DATA"
        fi
        sleep 0.2
    done
}
say() { printf '%s\n' "$*"; }
has_status() { curl -sf -m 2 "http://127.0.0.1:$1"; }

rm -f "$DATA"/*.away
for name in $(awk '{ print $2 }' "$MEMBERS"); do mkdir -p "$DATA/$name"; done
# A PostgreSQL that a killed run left behind would be in the way.
for file in "$DATA"/pg*/data/postmaster.pid; do
    [ ! -f "$file" ] || kill -QUIT "$(head -n 1 "$file")" 2>/dev/null || true
done

say 'Starting etcd.'
for i in 1 2 3; do
    keep "etcd$i" sh "$HERE/etcd.sh" "$MEMBERS" "etcd$i" "$DATA/etcd$i"
done
until_ready 60 etcd has_status $((PORT + 31))/health
say 'Starting PostgreSQL: the primary, then its standbys.'
for i in 1 2 3; do
    keep "pg$i" sh "$HERE/postgres.sh" "$MEMBERS" "pg$i" "$DATA/pg$i"
    [ "$i" != 1 ] || [ -d "$DATA/pg2/data" ] ||
        until_ready 120 pg1 has_status $((PORT + 21))/primary
done
has_primary() {
    for p in 1 2 3; do ! has_status $((PORT + 20 + p))/primary || return 0; done
    return 1
}
has_synchronous() {
    for p in 1 2 3; do
        ! has_status $((PORT + 20 + p))/synchronous || return 0
    done
    return 1
}
until_ready 120 pg has_primary
until_ready 120 pg has_synchronous

say 'Starting cited.'
# What there is to find: the documentation, unless DOCS is empty or names others.
if [ -z "${DOCS+set}" ]; then
    rm -rf "$DATA/docs"
    "$HERE/../lib/stage-docs.sh" "$DATA/docs"
    DOCS=$DATA/docs
fi
export DOCS
export WWW="${WWW:-$(cd "$HERE/../../www" 2>/dev/null && pwd -P)}"
for i in $(seq "$NODES"); do
    keep "node$i" sh "$HERE/node.sh" "$MEMBERS" "node$i" "$DATA/node$i"
    # The first one makes the tables and the first account; its key comes last.
    until_ready 60 "node$i" has_status $((PORT + i))/healthz
    until_ready 60 "node$i" test -s "$DATA/node$i/data/api-key"
done
# What one node has, the others follow.
[ -z "$DOCS" ] || CITED_CONF=$DATA/node1/cited.conf \
    CITED_DATA_DIR=$DATA/node1/data "$BIN/cited" index add "$DOCS" \
    --base "http://127.0.0.1:$PORT/docs/" >>"$DATA/node1/log" 2>&1 ||
    die "node1 could not index $DOCS; see $DATA/node1/log"
keep web sh "$HERE/balancer.sh" "$MEMBERS" web "$DATA/web"
until_ready 30 web has_status "$PORT"/healthz

# --- what to try -------------------------------------------------------------
KEY=$DATA/node1/data/api-key
cat <<TEXT

Serving on http://127.0.0.1:$PORT, before $NODES nodes. A task, then its state:

  curl http://127.0.0.1:$PORT/v1/research -H 'Content-Type: application/json' \\
    -H "Authorization: Bearer \$(cat $KEY)" \\
    -d '{"q": "How does cited check its citations?", "outputType": "sourcedAnswer", "reasoningDepth": "S"}'
  curl http://127.0.0.1:$PORT/v1/research -H "Authorization: Bearer \$(cat $KEY)"

Who is the primary, and who follows it:

  patronictl -c $DATA/pg1/patroni.yml list

Take something away, and ask again; it comes back by itself:

  kill -9 \$(head -n 1 $DATA/pg1/data/postmaster.pid)    a PostgreSQL
  kill -9 \$(cat $DATA/pg1.pid)                          a Patroni
Ctrl-C stops all of it.
TEXT
wait
