#!/bin/bash
# `make deb`: the Debian package, in build/, checked with lintian.
#
#   deploy/lib/deb.sh OUT       OUT: the folder of the compiled programs
set -eu
cd "$(dirname "$0")/../.."
out=$(cd "$1" && pwd -P)
work=build/deb/cited
rm -rf build/deb
mkdir -p "$work"
# What git tracks or would; without git everything but what was made.
sources() {
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -print0
    fi
}
sources | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar -c --null -T - | tar -x -C "$work"
cp -R deploy/debian "$work/debian"
(cd "$work" && CITED_OUT=$out dpkg-buildpackage -b -us -uc -rfakeroot) \
    >build/deb/build.log 2>&1 || {
    tail -n 30 build/deb/build.log >&2
    exit 1
}
mv build/deb/cited_*.deb build/
package=$(ls -t build/cited_*.deb | head -n 1)
lintian --fail-on error "$package" || exit 1
echo "$package"
