#!/bin/bash
# `make check-deb`: the Debian package (PACKAGE) in a fresh root of its Debian:
# installed, its documents' links followed, set up behind lighttpd and Apache by
# the lines of the documents, found sound by `cited doctor`, removed (data
# stays) and purged (data goes). As root; mounts and processes are in namespaces
# of their own, so that all of them end with this program.
#
# Where no service manager runs, systemd-socket-activate and the command lines
# of the units stand in for it. deploy/lib/fresh.sh says what CODENAME and
# MIRROR are, and exit status 77.
set -eu
cd "$(dirname "$0")/../.."
. deploy/lib/fresh.sh
root=$PWD/build/deb-root-$codename
package=${PACKAGE:-$(ls -t build/cited_*.deb | head -n 1)}

if [ "${1-}" != inside ]; then
    fresh_bare
    fresh_alone inside
fi
fresh_root "$root"
cp "$package" "$root/tmp/"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

cat >"$root/tmp/check.sh" <<'INSIDE'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
step() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
quiet() { "$@" >/tmp/log 2>&1 || { tail -n 30 /tmp/log; fail "$*"; }; }
PIDS=
stop() { for pid in $PIDS; do kill "$pid" 2>/dev/null || true; done; }
trap stop EXIT
as_cited() { setpriv --reuid cited --regid cited --init-groups "$@"; }

# documented SECTION WORDS...: the lines of that section of the documents that
# begin like that, as they stand there.
documented() {
    section=$1
    shift
    for words; do
        awk -v section="$section" '/^## / { on = index($0, section) } on' \
            /usr/share/doc/cited/docs/operating.md \
            /usr/share/doc/cited/docs/deployment.md |
            sed -n "s|^    \($words.*\)|\1|p" >/tmp/lines
        [ -s /tmp/lines ] || fail "'$section' has no line '$words'"
        quiet sh -e -x /tmp/lines
    done
}
# Every process that runs this program belongs to this user.
belongs() {
    for exe in /proc/[0-9]*/exe; do
        [ "$(readlink "$exe" 2>/dev/null)" = "$1" ] || continue
        [ "$(stat -c %U "${exe%/exe}")" = "$2" ] ||
            fail "$1 runs as $(stat -c %U "${exe%/exe}"), not as $2"
    done
}

if [ "${1-}" != served ]; then
    step "apt-get install of the package, lighttpd, Apache"
    quiet apt-get update
    quiet apt-get install -y --no-install-recommends ./tmp/cited_*.deb
    quiet apt-get install -y --no-install-recommends lighttpd apache2 systemd \
        curl poppler-utils iproute2
    # A network of its own, in which every port is free.
    exec unshare --net sh "$0" served
fi
ip link set lo up

[ "$(stat -c '%U %a' /var/lib/cited)" = 'cited 700' ] || fail 'the data folder'
for unit in cited.socket cited.service cited-worker.service; do
    quiet systemd-analyze verify --man=no "/lib/systemd/system/$unit"
done
# Exposure in tenths, from 0 (none) to 100; a unit without sandbox has 96.
for unit in cited.service cited-worker.service; do
    quiet systemd-analyze security --offline=yes --threshold=25 \
        "/lib/systemd/system/$unit"
    tail -n 1 /tmp/log
done

# The command lines and settings of the units, by hand.
install -d /run/cited
start() {
    touch /var/log/cited.log && chown cited /var/log/cited.log
    rm -f /run/cited/cited.sock
    CITED_DATA_DIR=/var/lib/cited CITED_RESEARCH_WORKERS=0 \
        systemd-socket-activate -l /run/cited/cited.sock \
        -E CITED_DATA_DIR -E CITED_RESEARCH_WORKERS -E PATH \
        setpriv --reuid cited --regid cited --init-groups \
        /usr/lib/cited/cited.fcgi >>/var/log/cited.log 2>&1 &
    PIDS="$PIDS $!"
    CITED_DATA_DIR=/var/lib/cited setpriv --reuid cited --regid cited \
        --init-groups /usr/lib/cited/cited-worker --stay \
        >>/var/log/cited.log 2>&1 &
    PIDS="$PIDS $!"
    for i in $(seq 100); do [ -S /run/cited/cited.sock ] && break; sleep 0.1; done
    chown cited:www-data /run/cited/cited.sock
    chmod 660 /run/cited/cited.sock
}
wait_for() {
    for i in $(seq 100); do
        curl -sf -o /dev/null "$1/healthz" && return
        sleep 0.1
    done
    tail -n 20 /var/log/cited.log
    curl -s -i "$1/healthz" || true
    fail "$1 does not answer"
}
doctor() {
    as_cited cited doctor --url "$1" >/tmp/doctor || {
        cat /tmp/doctor /var/log/cited.log; fail "cited doctor $1"; }
    # A root of this kind lies on a disk of any kind.
    if grep '^WARNING' /tmp/doctor | grep -v ' file-system '; then
        fail "warnings"
    fi
    tail -n 1 /tmp/doctor
}

step "documents: readable as they are, and no link leads nowhere"
cd /usr/share/doc/cited
packed=$(find . -name '*.gz' ! -name 'changelog*')
[ -z "$packed" ] || fail "compressed: $packed"
find -L . -name '*.md' | while read -r file; do
    grep -o '](\([^)#]*\)' "$file" | sed 's/^](//' | sort -u |
        while read -r to; do
            case $to in
            '' | *://* | mailto:*) continue ;;
            esac
            [ -e "$(dirname "$file")/$to" ] || echo "$file: $to"
        done
done >/tmp/dead
[ ! -s /tmp/dead ] || fail "dead links: $(cat /tmp/dead)"
cd /

step "lighttpd, as the documents say"
documented 'install it on Debian' 'cited init'
[ "$(stat -c '%U' /var/lib/cited/state.db)" = cited ] || fail 'owner of state.db'
[ "$(stat -c '%G %a' /etc/cited/cited.conf)" = 'cited 640' ] ||
    fail 'owner of cited.conf'
as_cited cited index add /usr/share/doc/cited/docs \
    --base https://docs.example.org/ >/tmp/log 2>&1 || fail "$(cat /tmp/log)"
pictures=$(find /usr/share/doc/cited/docs -name '*.png' | wc -l)
grep -q " $pictures skipped ($pictures of another kind), 0 failed" /tmp/log ||
    fail "documents: $(cat /tmp/log)"
documented 'install it on Debian' 'cp /etc/cited/lighttpd' \
    'lighttpd-enable-mod'
# Beside modules that are on already, too.
quiet lighttpd-enable-mod fastcgi rewrite setenv
quiet lighttpd -tt -f /etc/lighttpd/lighttpd.conf
start
# As its unit does.
lighttpd -D -f /etc/lighttpd/lighttpd.conf >/tmp/lighttpd.log 2>&1 &
PIDS="$PIDS $!"
wait_for http://127.0.0.1:8080
belongs "$(readlink -f /usr/sbin/lighttpd)" www-data
belongs /usr/lib/cited/cited.fcgi cited
# Its own site is what it was; ours has the console.
curl -s -i http://127.0.0.1/v1/search | grep -q '^HTTP/1.1 404' ||
    fail "lighttpd's own site"
curl -s http://127.0.0.1:8080/ | grep -q '<title>cited' || fail 'the console'
curl -s http://127.0.0.1:8080/none.html | grep -q '^{"statusCode":404' ||
    fail "lighttpd's own errors"
step "cited doctor behind lighttpd"
doctor http://127.0.0.1:8080

step "a lighttpd of its own, started by root, does not stay root"
quiet install -d /etc/own
quiet cited --conf /etc/own/cited.conf --data /var/lib/own init \
    --server lighttpd --port 8083
lighttpd -D -f /etc/own/lighttpd.conf >/tmp/own.log 2>&1 &
own=$!
wait_for http://127.0.0.1:8083
[ "$(stat -c %U "/proc/$own")" = cited ] || fail 'it runs as another user'
belongs /usr/lib/cited/cited.fcgi cited
kill "$own"

step "behind Apache"
mv /etc/cited/cited.conf /etc/cited/kept.conf
quiet cited --conf /etc/cited/second.conf init --server apache --port 8082 \
    --socket /run/cited/cited.sock
mv /etc/cited/kept.conf /etc/cited/cited.conf
sed -i 's/^Listen 80$/Listen 81/' /etc/apache2/ports.conf
documented 'behind Apache' 'cp /etc/cited/apache' 'a2enmod' 'a2ensite'
quiet apache2ctl configtest
apache2ctl -D FOREGROUND >/tmp/apache.log 2>&1 &
PIDS="$PIDS $!"
wait_for http://127.0.0.1:8082
doctor http://127.0.0.1:8082
stop
sleep 1
PIDS=
sleep 1

step "removing leaves the data"
quiet apt-get remove -y cited
[ -s /var/lib/cited/state.db ] && [ -s /etc/cited/cited.conf ] ||
    fail 'data is gone'
[ ! -e /usr/bin/cited ] || fail 'the program is still there'
step "purging removes it"
quiet lighttpd-disable-mod cited
quiet apt-get purge -y cited
quiet lighttpd -tt -f /etc/lighttpd/lighttpd.conf
[ ! -e /var/lib/cited ] && [ ! -e /etc/cited ] || fail 'data is still there'
step "the package is in order"
INSIDE
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" \
    sh /tmp/check.sh
