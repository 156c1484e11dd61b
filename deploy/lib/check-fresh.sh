#!/bin/bash
# `make check-fresh`: how long a fresh Debian takes to its first answer, by
# `make run` in a checkout and by the Debian package built there; the package
# stays in build/fresh-CODENAME/. CODENAME=trixie takes another Debian than this
# machine's; deploy/lib/fresh.sh says more, and what exit status 77 is.
#
# The clock starts where a newcomer would type: git and make are there, the
# package lists are read, what is downloaded counts.
set -eu
cd "$(dirname "$0")/../.."
. deploy/lib/fresh.sh
root=$PWD/build/fresh-root-$codename
kept=$PWD/build/fresh-$codename
mkdir -p "$kept"

case ${1-} in
'')
    fresh_bare
    for part in run deb; do bash "$0" alone $part; done
    exit ;;
alone) fresh_alone "$2" ;;
esac
fresh_root "$root"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cat >"$root/tmp/check.sh" <<'INSIDE'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
quiet() { "$@" >/tmp/log 2>&1 || { tail -n 30 /tmp/log; fail "$*"; }; }
began() { start=$(date +%s%N); }
took() {
    printf '%s, %s: the first answer after %s s\n' "$1" "$codename" \
        "$((($(date +%s%N) - start) / 1000000000))"
}
quiet apt-get update
INSIDE
case $1 in
run)
    step "make run, $codename"
    fresh_source "$root/root/cited"
    cat >>"$root/tmp/check.sh" <<'INSIDE'
quiet apt-get install -y --no-install-recommends git make ca-certificates
cd /root/cited
began
: >/tmp/run.log
make run PORT=18090 >/tmp/run.log 2>&1 &
run=$!
until grep -q '^Serving on http' /tmp/run.log; do
    kill -0 $run 2>/dev/null || { tail -n 30 /tmp/run.log; fail 'make run'; }
    sleep 0.1
done
took 'make run'
kill $run
wait $run 2>/dev/null || true
quiet make deb
INSIDE
    ;;
deb)
    step "the package, $codename"
    cp "$kept"/cited_*.deb "$root/tmp/"
    cat >>"$root/tmp/check.sh" <<'INSIDE'
began
quiet apt-get install -y ./tmp/cited_*.deb lighttpd curl
quiet cited init --email you@example.org --server lighttpd --port 18091
key=$(sed -n 's/^  \(ck_.*\)$/\1/p' /tmp/log)
quiet setpriv --reuid cited --regid cited --init-groups \
    cited index add /usr/share/doc/cited/docs --base https://docs.example.org/
lighttpd -D -f /etc/cited/lighttpd.conf >/tmp/lighttpd.log 2>&1 &
ask() {
    curl -sf -o /tmp/answer -H "Authorization: Bearer $key" \
        -H 'Content-Type: application/json' \
        -d '{"q": "How does cited check its citations?", "depth": "standard",
             "outputType": "sourcedAnswer"}' http://127.0.0.1:18091/v1/search
}
for _ in $(seq 100); do
    ! ask || break
    sleep 0.1
done
[ -s /tmp/answer ] || fail "no answer: $(cat /tmp/lighttpd.log)"
took 'package'
INSIDE
    ;;
esac
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root codename="$codename" \
    chroot "$root" sh /tmp/check.sh
[ "$1" = deb ] || {
    rm -f "$kept"/cited_*.deb
    cp "$root"/root/cited/build/cited_*.deb "$kept/"
}
