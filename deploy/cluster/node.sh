#!/bin/sh
# A node of cited, in the foreground: the service (`cited serve`) and a helper
# that waits for tasks. What ends is started again.
#
#   SECRETS=FILE BIN=FOLDER node.sh MEMBERS NAME FOLDER   see members.sh
#
# FILE is postgres.sh's. BIN holds the programs (default: where they are
# installed); SETTINGS may name a file with more of cited.conf. On a machine of its own, the Debian package's units do this
# (deploy/systemd); what makes it a node is the one setting written below.
set -eu
here=$(dirname "$0")
. "$here/members.sh"
member node "$@"
[ -z "${BIN-}" ] || PATH=$BIN:$PATH
CITED=$(command -v cited) && WORKER=$(command -v cited-worker) ||
    die 'the programs of cited are not there: BIN names their folder'

umask 077
CITED_PASSWORD=$(sed -n 3p "${SECRETS:?names the file of passwords}")
printf '*:*:cited:cited:%s\n' "$CITED_PASSWORD" >"$DATA/pgpass"
# libpq goes through the hosts until one takes writes: that is all it takes to
# follow a failover.
[ -f "$DATA/cited.conf" ] || cat >"$DATA/cited.conf" <<CONF
[state]
database = postgresql://cited@$(joined postgres %h:%p)/cited?target_session_attrs=read-write&passfile=$DATA/pgpass
$(cat "${SETTINGS:-/dev/null}")
CONF
export CITED_CONF="$DATA/cited.conf" CITED_DATA_DIR="$DATA/data"

KEPT=
stop() {
    trap '' INT TERM HUP
    # shellcheck disable=SC2086  # several
    [ -z "$KEPT" ] || kill -TERM $KEPT 2>/dev/null || true
    wait
}
trap stop EXIT
trap 'exit 0' INT TERM HUP

# keep LOG COMMAND… &: as a service manager does with Restart=always.
keep() {
    log=$1
    shift
    child=
    trap '[ -z "$child" ] || kill -TERM "$child" 2>/dev/null; wait; exit 0' \
        INT TERM HUP
    trap '' EXIT
    while :; do
        "$@" >>"$log" 2>&1 &
        child=$!
        code=0
        wait "$child" || code=$?
        printf '%s ended (%s), is started again\n' "${1##*/}" "$code" >>"$log"
        sleep 1 &
        child=$!
        wait "$child" || true
    done
}

# The helper is the one kept here: the service starts none.
CITED_RESEARCH_WORKERS=0 keep "$DATA/serve.log" "$CITED" serve \
    --address "$HOST" --port "$PORT" \
    ${WWW:+--www "$WWW"} ${DOCS:+--docs "$DOCS"} &
KEPT=$!
keep "$DATA/helper.log" "$WORKER" --stay &
KEPT="$KEPT $!"
wait
