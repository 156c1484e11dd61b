#!/bin/sh
# A member of etcd, in the foreground: where Patroni keeps which PostgreSQL is
# the primary. Any two of three must be there for that to be changed. Needs
# Debian's etcd-server.
#
#   etcd.sh MEMBERS NAME FOLDER       see members.sh
#
# Plain HTTP, for a network of their own; etcd's documentation has TLS.
set -eu
here=$(dirname "$0")
. "$here/members.sh"
member etcd "$@"

chmod 700 "$DATA"
# The patience with each other is a machine's that others load, too.
exec etcd --name "$NAME" --data-dir "$DATA/etcd" \
    --listen-peer-urls "http://$HOST:$PORT2" \
    --initial-advertise-peer-urls "http://$HOST:$PORT2" \
    --listen-client-urls "http://$HOST:$PORT" \
    --advertise-client-urls "http://$HOST:$PORT" \
    --initial-cluster "$(joined etcd '%n=http://%h:%q')" \
    --initial-cluster-state new --initial-cluster-token cited \
    --heartbeat-interval 250 --election-timeout 2500 \
    --auto-compaction-retention 1 --logger zap --log-level warn
