#!/bin/sh
# lighttpd before the nodes, in the foreground: each request goes to the node
# with the fewest, and only to nodes whose /healthz answers 200, which is asked
# every second. Needs Debian's lighttpd and curl.
#
#   balancer.sh MEMBERS NAME FOLDER       see members.sh
#
# With HTTPS to the outside (docs/deployment.md) this is what clients see.
set -eu
here=$(dirname "$0")
. "$here/members.sh"
member balancer "$@"

umask 077
mkdir -p "$DATA/empty"
cat >"$DATA/lighttpd.conf" <<CONF
server.modules = ( "mod_proxy" )
server.bind = "$HOST"
server.port = $PORT
server.document-root = "$DATA/empty"
server.upload-dirs = ( "$DATA" )
server.errorlog = "$DATA/lighttpd.log"
server.tag = ""
server.max-request-size = 16384
server.max-request-field-size = 32768
server.max-connections = 2048
server.max-fds = 8192
server.max-keep-alive-idle = 15
# What is being answered when the list of nodes changes is answered in full.
server.feature-flags = ( "server.graceful-shutdown-timeout" => "60" )
server.systemd-socket-activation = "enable"
server.errorfile-prefix = "$HERE/../errors/"
mimetype.assign = ( "" => "application/json" )
proxy.balance = "least-connection"
include "$DATA/nodes.conf"
CONF

# The nodes that are well, as "HOST PORT" lines.
well() {
    rows node | while read -r _ _ host port _; do
        ! curl -sf -o "$DATA/health" -m 2 "http://$host:$port/healthz" ||
            printf '%s %s\n' "$host" "$port"
    done
}

# With none, all: then it is they who say what is wrong.
write_nodes() {
    [ -s "$DATA/well" ] || rows node | awk '{ print $3, $4 }' >"$DATA/well"
    awk 'BEGIN { print "proxy.server = ( \"\" => (" }
        { printf "    ( \"host\" => \"%s\", \"port\" => %d,", $1, $2
          print " \"connect-timeout\" => 2, \"disable-time\" => 1 )," }
        END { print "))" }' "$DATA/well" >"$DATA/nodes.new"
    mv "$DATA/nodes.new" "$DATA/nodes.conf"
}

SERVER=
stop() {
    trap '' INT TERM HUP
    [ -z "$SERVER" ] || kill -TERM "$SERVER" 2>/dev/null || true
    wait
}
trap stop EXIT
trap 'exit 0' INT TERM HUP

well >"$DATA/well"
cp "$DATA/well" "$DATA/well.seen"
write_nodes
lighttpd -D -f "$DATA/lighttpd.conf" 2>>"$DATA/lighttpd.log" &
SERVER=$!
while kill -0 "$SERVER" 2>/dev/null; do
    sleep 1
    well >"$DATA/well.new"
    ! cmp -s "$DATA/well.new" "$DATA/well.seen" || continue
    cp "$DATA/well.new" "$DATA/well.seen"
    cp "$DATA/well.new" "$DATA/well"
    write_nodes
    # Reads its configuration anew; the port stays open meanwhile.
    kill -USR1 "$SERVER"
done
SERVER=
die "lighttpd ended; see $DATA/lighttpd.log"
