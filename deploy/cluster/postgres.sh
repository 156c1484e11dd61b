#!/bin/sh
# A PostgreSQL under Patroni, in the foreground. The first of them makes the
# database, the others copy it and follow; one of those has every commit before
# the client hears of it (synchronous_mode), and becomes the primary when the
# primary is lost. Needs Debian's patroni and postgresql.
#
#   SECRETS=FILE postgres.sh MEMBERS NAME FOLDER       see members.sh
#
# FILE holds three lines, the passwords of the roles postgres, replicator and
# cited; the same on all machines.
set -eu
here=$(dirname "$0")
. "$here/members.sh"
member postgres "$@"

BIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -x "$BIN/postgres" ] || die "the package postgresql is not installed"
{ read -r ROOT_PASSWORD && read -r COPY_PASSWORD && read -r CITED_PASSWORD; } \
    <"${SECRETS:?names the file of passwords}" ||
    die "$SECRETS does not hold three lines"

# What is asked of all members is in etcd from the first start on: `patronictl
# edit-config` changes it then. A primary that ends is not waited for
# (primary_start_timeout); one whose machine is gone is missed after ttl.
umask 077
cat >"$DATA/patroni.yml" <<YML
scope: cited
name: $NAME
restapi:
  listen: $HOST:$PORT2
  connect_address: $HOST:$PORT2
etcd3:
  hosts: $(joined etcd '%h:%p')
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    primary_start_timeout: 0
    failsafe_mode: true
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 300
        password_encryption: scram-sha-256
        wal_keep_size: 256MB
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
  pg_hba:
$(rows postgres | awk '{ print "    - host replication replicator " $3 "/32 scram-sha-256" }' | sort -u)
$(rows postgres | awk '{ print "    - host all postgres " $3 "/32 scram-sha-256" }' | sort -u)
$(rows node | awk '{ print "    - host cited cited " $3 "/32 scram-sha-256" }' | sort -u)
  post_bootstrap: $DATA/made.sh
postgresql:
  listen: $HOST:$PORT
  connect_address: $HOST:$PORT
  data_dir: $DATA/data
  bin_dir: $BIN
  pgpass: $DATA/pgpass
  basebackup:
    - checkpoint: fast
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  parameters:
    unix_socket_directories: ''
  authentication:
    superuser:
      username: postgres
      password: $ROOT_PASSWORD
    replication:
      username: replicator
      password: $COPY_PASSWORD
YML

# Once, on the first: the role and the database of cited.
cat >"$DATA/made.sh" <<SH
#!/bin/sh
exec "$BIN/psql" -q -v ON_ERROR_STOP=1 "\$1" <<'SQL'
CREATE ROLE cited LOGIN PASSWORD '$CITED_PASSWORD';
CREATE DATABASE cited OWNER cited;
SQL
SH
chmod 700 "$DATA/made.sh"

cd "$DATA"
[ "$(id -u)" = 0 ] || exec patroni "$DATA/patroni.yml"
# PostgreSQL refuses to run as root.
chown -R postgres "$DATA"
exec setpriv --reuid=postgres --regid=postgres --init-groups \
    patroni "$DATA/patroni.yml"
