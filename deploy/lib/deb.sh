#!/bin/bash
# `make deb`: the Debian package, in build/, checked with lintian.
#
#   deploy/lib/deb.sh OUT       OUT: the folder of the compiled programs
#
# Its version is src/base/version.h's, its list of changes names NEWS.md.
set -eu
cd "$(dirname "$0")/../.."
out=$(cd "$1" && pwd -P)
version=$(sh deploy/lib/version.sh)
work=build/deb/cited
rm -rf build/deb
mkdir -p "$work"
# What git tracks or would; without git everything but what was made.
sources() {
    if [ -e .git ]; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -print0
    fi
}
sources | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar -c --null -T - | tar -x -C "$work"
cp -R deploy/debian "$work/debian"
maintainer=$(sed -n 's/^Maintainer: //p' deploy/debian/control)
printf 'cited (%s) unstable; urgency=medium\n\n  * NEWS.md has the changes.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R -u -r NEWS.md)" \
    >"$work/debian/changelog"
(cd "$work" && CITED_OUT=$out dpkg-buildpackage -b -us -uc -rfakeroot) \
    >build/deb/build.log 2>&1 || {
    tail -n 30 build/deb/build.log >&2
    exit 1
}
mv build/deb/cited_*.deb build/
package=$(ls -t build/cited_*.deb | head -n 1)
lintian --display-info --pedantic --fail-on error,warning,info,pedantic "$package" || exit 1
echo "$package"
