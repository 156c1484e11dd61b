#!/bin/bash
# `make release`: what is published of a commit, in build/release:
#
#   cited-VERSION.tar.gz           the source, as git has it
#   cited_VERSION_amd64.deb        the package, built from that source
#   cited-VERSION.cdx.json         what it is made of (CycloneDX)
#   SHA256SUMS                     of these
#
#   deploy/lib/release.sh COMMIT [OUT]
#
# COMMIT is HEAD, or a tag vVERSION; a tag must name the version that it holds,
# and NEWS.md of a tag must have that version. OUT is a folder of programs that
# are compiled already, for tests: else the source is compiled.
set -eu
cd "$(dirname "$0")/../.."
tag=$1
made=$PWD/build/release
say() { printf 'release: %s\n' "$*" >&2; exit 1; }

git rev-parse -q --verify "$tag^{commit}" >/dev/null ||
    say "there is no commit $tag"
version=$(git show "$tag:src/base/version.h" |
    sed -n 's/^#define CITED_VERSION "\(.*\)"$/\1/p')
[ -n "$version" ] || say "$tag has no version in src/base/version.h"
case $tag in
v[0-9]*)
    [ "$tag" = "v$version" ] ||
        say "$tag holds version $version (src/base/version.h)"
    git show "$tag:NEWS.md" | grep -qx "## $version\( .*\)\?" ||
        say "NEWS.md of $tag has no heading '## $version'"
    ;;
esac

rm -rf "$made"
mkdir -p "$made/work"
name=cited-$version
# The same commit makes the same bytes.
git archive --format=tar --prefix="$name/" "$tag" | gzip -9 -n \
    >"$made/$name.tar.gz"
tar -x -C "$made/work" -f "$made/$name.tar.gz"
cd "$made/work/$name"
if [ -n "${2-}" ]; then
    # A copy: what is compiled again here would name its parts by other paths.
    out=$made/work/out
    mkdir "$out"
    cp -a "$2/obj" "$2/libcited.a" "$2/cited" "$2/cited.fcgi" \
        "$2/cited-worker" "$out/"
else
    out=$PWD/build
    ${MAKE:-make} -s --no-print-directory -j"$(nproc)" all
fi
bash deploy/lib/deb.sh "$out"
mv build/cited_*.deb "$made/"
bash deploy/lib/sbom.sh "$out" >"$made/$name.cdx.json"
cd "$made"
rm -rf work
# What the package asks for is on the list of parts.
for part in $(dpkg-deb -f cited_*.deb Depends | tr -d ' ' |
    sed 's/([^)]*)//g' | tr ',' '\n' | sed -n 's/.*\(\blib[^|]*\)$/\1/p'); do
    grep -q "\"name\": \"$part\"" "$name.cdx.json" ||
        say "$part is not in $name.cdx.json"
done
sha256sum -- *.tar.gz *.deb *.cdx.json >SHA256SUMS
echo "$made:"
cat SHA256SUMS
