#!/bin/bash
# `make check-container`: the image of deploy/container, built with buildah upon
# a fresh root of Debian, started as its own user, asked through its port. As
# root, with nothing but Debian's archive. deploy/lib/fresh.sh says what CODENAME
# and MIRROR are, and exit status 77.
set -eu
cd "$(dirname "$0")/../.."
. deploy/lib/fresh.sh
work=$PWD/build/container-$codename
base=localhost/debian-$codename
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
b() { buildah --root "$work/store" --runroot "$work/run" "$@"; }

command -v buildah >/dev/null || cannot 'there is no buildah'
fresh_bare
mkdir -p "$work"

step 'the base image'
c=$(b from scratch) || cannot 'buildah keeps no images here'
b add -q "$c" "$bare" / >/dev/null
b add -q "$c" /etc/apt/apt.conf.d /etc/apt/apt.conf.d >/dev/null
b commit -q "$c" "$base" >/dev/null
b rm "$c" >/dev/null

step 'the image'
built=$(date +%s)
rm -rf "$work/src"
fresh_source "$work/src"
b bud -q --format docker --build-arg "BASE=$base" -f "$work/src/deploy/container/Containerfile" \
    -t cited "$work/src" >"$work/build.log" 2>&1 || {
    tail "$work/build.log"
    exit 1
}

step 'the service in it'
user=$(b inspect --type image --format '{{.OCIv1.Config.User}}' cited)
[ "$user" = cited ] || { echo "runs as '$user'"; exit 1; }
b inspect --type image cited | grep -q healthz || { echo 'no health check'; exit 1; }
c=$(b from cited)
began=$(date +%s%N)
b run --user cited "$c" -- cited serve --port 18080 >"$work/serve.log" 2>&1 &
served=$!
end() {
    kill "$served" 2>/dev/null || true
    wait "$served" 2>/dev/null || true
    b rm "$c" >/dev/null 2>&1 || true
}
trap end EXIT
for _ in $(seq 500); do
    ! grep -q '^Serving on ' "$work/serve.log" || break
    kill -0 "$served" || { cat "$work/serve.log"; exit 1; }
    sleep 0.2
done
key=$(sed -n 's/^  \(ck_.*\)$/\1/p' "$work/serve.log")
ask() {
    curl -sS -f -H "Authorization: Bearer $key" \
        -H 'Content-Type: application/json' "http://127.0.0.1:18080$1" "${@:2}"
}
ask /v1/pages -d '{"url": "https://lamps.example/oil", "title": "Oil",
    "text": "Lamps burn rape oil, of which a barrel lasts a month."}' >/dev/null
ask /v1/search -d '{"q": "How long does a barrel of rape oil last?",
    "depth": "fast", "outputType": "sourcedAnswer"}' | grep -q 'a month'
ask / | grep -q '<title>cited'
echo "container, $codename: the first answer after $(($(date +%s) - built)) s," \
    "$((($(date +%s%N) - began) / 1000000)) ms of them with the image built"
echo 'check-container: ok'
