#!/bin/sh
# Runs a command with a PostgreSQL of its own: a new cluster in a scratch
# folder, on a socket there, as a user without privileges, gone afterwards.
# CITED_TEST_POSTGRES is its address, to which parameters may be added.
#
#   [POOLER=1] [FSYNC=on] tests/support/postgres.sh build/tests/test_task
#
# Nothing of it outlives a power cut but with FSYNC.
# With POOLER, CITED_TEST_POOLER is the address of a PgBouncer before it that gives
# each transaction another session; %s in it is a role's name.
#
# Says so and ends with 77 where Debian's package postgresql is not there.
set -u
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
if [ ! -x "$bin/postgres" ]; then
    echo 'SKIPPED with PostgreSQL: the package postgresql is not installed' >&2
    exit 77
fi
dir=$(mktemp -d /tmp/cited-pg-XXXXXX) || exit 1
# The server refuses to run as root.
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
    chown postgres "$dir"
    as() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
fi
cleanup() {
    [ -z "$pooler" ] || kill "$pooler" 2>/dev/null
    as "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$dir"
}
pooler=
trap cleanup EXIT
trap 'exit 1' INT TERM
cd "$dir" || exit 1
as "$bin/initdb" -D "$dir/data" -A trust -U cited -E UTF8 --no-locale -N \
    >"$dir/log" 2>&1 &&
    as "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/server.log" \
        -o "-c listen_addresses='' -k '$dir' -c fsync=${FSYNC-off} -c max_connections=300" \
        start >>"$dir/log" 2>&1 || {
    cat "$dir/log" "$dir/server.log" >&2
    exit 1
}
cd "$OLDPWD" || exit 1
export CITED_TEST_POSTGRES="postgresql://cited@/postgres?host=$dir&"
[ -n "${POOLER-}" ] || { "$@"; exit; }
command -v pgbouncer >/dev/null || {
    echo 'SKIPPED with PgBouncer: the package pgbouncer is not installed' >&2
    exit 77
}
cat >"$dir/pgbouncer.ini" <<INI
[databases]
postgres = host=$dir auth_user=cited
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $dir
auth_type = trust
auth_query = SELECT rolname, '' FROM pg_roles WHERE rolname = \$1
pool_mode = transaction
default_pool_size = 4
max_client_conn = 1000
INI
chmod 644 "$dir/pgbouncer.ini"
if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=postgres --regid=postgres --init-groups \
        pgbouncer -q "$dir/pgbouncer.ini" >"$dir/pooler.log" 2>&1 &
else
    pgbouncer -q "$dir/pgbouncer.ini" >"$dir/pooler.log" 2>&1 &
fi
pooler=$!
for _ in $(seq 100); do [ -S "$dir/.s.PGSQL.6432" ] && break; sleep 0.1; done
export CITED_TEST_POOLER="postgresql://%s@/postgres?host=$dir&port=6432&"
"$@"
