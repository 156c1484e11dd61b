#!/bin/bash
# `make check-deb`: the Debian package in a fresh Debian 12 root: installed,
# set up by `cited init`, served behind lighttpd and Apache, found sound by
# `cited doctor`, removed (data stays) and purged (data goes). As root.
#
# Where no service manager runs, systemd-socket-activate and the command lines
# of the units stand in for it. MIRROR names the archive; default this
# machine's own.
set -eu
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'check-deb must be run as root' >&2; exit 1; }
package=$(ls -t build/cited_*.deb | head -n 1)
root=$PWD/build/deb-root
bare=$PWD/build/deb-bare
mirror=${MIRROR:-$(sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' \
    -e 's/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' /etc/apt/sources.list \
    /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)}

step() { printf '== %s\n' "$*"; }
clean() {
    for dir in proc dev; do
        umount -l "$root/$dir" 2>/dev/null || true
    done
}
trap clean EXIT

if [ ! -e "$bare/etc/debian_version" ]; then
    step "a fresh Debian 12"
    rm -rf "$bare.new"
    debootstrap --variant=minbase bookworm "$bare.new" "$mirror" \
        >build/deb-bootstrap.log 2>&1 || { tail build/deb-bootstrap.log; exit 1; }
    mv "$bare.new" "$bare"
fi
clean
rm -rf "$root"
cp -a "$bare" "$root"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp -R /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for node in null zero random urandom full tty; do
    touch "$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
done
ln -s /proc/self/fd "$root/dev/fd"
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

step "apt-get install of the package, lighttpd, Apache"
quiet apt-get update
quiet apt-get install -y --no-install-recommends ./tmp/cited_*.deb
quiet apt-get install -y --no-install-recommends lighttpd apache2 systemd \
    curl poppler-utils
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

step "cited init for lighttpd"
quiet cited init --email first@example.org --contact first@example.org \
    --server lighttpd --port 8081 --socket /run/cited/cited.sock
[ "$(stat -c '%U' /var/lib/cited/state.db)" = cited ] || fail 'owner of state.db'
[ "$(stat -c '%G %a' /etc/cited/cited.conf)" = 'cited 640' ] ||
    fail 'owner of cited.conf'
as_cited cited index add /usr/share/doc/cited/docs \
    --base https://docs.example.org/ >/dev/null
start
# As on Debian, where its own configuration names the user.
setpriv --reuid www-data --regid www-data --init-groups \
    lighttpd -D -f /etc/cited/lighttpd.conf >/tmp/lighttpd.log 2>&1 &
PIDS="$PIDS $!"
wait_for http://127.0.0.1:8081
step "cited doctor behind lighttpd"
doctor http://127.0.0.1:8081

step "behind Apache"
mv /etc/cited/cited.conf /etc/cited/kept.conf
quiet cited --conf /etc/cited/second.conf init --server apache --port 8082 \
    --socket /run/cited/cited.sock
mv /etc/cited/kept.conf /etc/cited/cited.conf
cp /etc/cited/apache.conf /etc/apache2/sites-available/cited.conf
quiet a2enmod proxy_fcgi headers
quiet a2dissite 000-default
sed -i 's/^Listen 80$//' /etc/apache2/ports.conf
quiet a2ensite cited
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
quiet apt-get purge -y cited
[ ! -e /var/lib/cited ] && [ ! -e /etc/cited ] || fail 'data is still there'
step "the package is in order"
INSIDE
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    unshare --pid --mount --fork --kill-child chroot "$root" sh -c \
    'mount -t proc proc /proc && sh /tmp/check.sh'
