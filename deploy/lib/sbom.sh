#!/bin/bash
# What the programs are made of, as a CycloneDX 1.5 document on standard output:
# each library that they link, or load when it is first needed, with what that
# needs in turn; its version and licence as Debian's package has them.
#
#   deploy/lib/sbom.sh OUT      OUT: the folder of the compiled programs
#
# On the machine that compiled them. A licence is the one that the package's
# copyright file names for its files at large; "NOASSERTION" where it names none
# in the form that programs read.
set -eu
cd "$(dirname "$0")/../.."
out=$1
version=$(sh deploy/lib/version.sh)
arch=$(dpkg --print-architecture)
system=$(. /etc/os-release && echo "debian-$VERSION_ID")

# The files of the libraries.
libraries() {
    local program
    for program in "$out/cited.fcgi" "$out/cited-worker" "$out/cited"; do
        ldd "$program"
    done
    # Loaded when they are first needed (curl_load.c, pg_load.c).
    ldconfig -p | awk '$1 == "libcurl.so.4" || $1 == "libpq.so.5" {
        print $1, "=>", $NF }'
}

# The packages that hold them, with those that these need. /lib may be a link
# to /usr/lib; a file is known under either.
packages() {
    local files
    files=$(libraries | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | sort -u)
    # Word splitting wanted: no library's path has a blank.
    # shellcheck disable=SC2086
    { ldd $files | sed -n 's/.* => \(\/[^ ]*\).*/\1/p'
      printf '%s\n' $files; } | sed 's|^/usr/lib/|/lib/|' | sort -u |
        sed 'p; s|^|/usr|' | xargs dpkg-query -S 2>/dev/null |
        sed 's/:.*//' | sort -u
}

# The licence of a package under Debian's short name, as SPDX writes it where
# that is another.
licence() {
    awk -v FS=': *' '
        tolower($1) == "files" { all = $2 ~ /^\*( |$)/ }
        tolower($1) == "license" && all && name == "" { name = $2 }
        END { print name ~ /^[^ ]+( (or|and) [^ ]+)*$/ ? name : "NOASSERTION" }' \
        "/usr/share/doc/$1/copyright" |
        sed -e 's/^Expat$/MIT/' -e 's/^BSD-3-clause$/BSD-3-Clause/' \
            -e 's/^Apache-2$/Apache-2.0/' -e 's/^zlib$/Zlib/'
}

component() {
    local name=$1 upstream licence kind=name
    upstream=$(dpkg-query -W -f '${Version}' "$name:$arch")
    licence=$(licence "$name")
    case $licence in
    MIT | Apache-2.0 | BSD-3-Clause | Zlib | curl) kind=id ;;
    esac
    printf '%s{"type": "library", "bom-ref": "%s", "name": "%s",
   "version": "%s",
   "licenses": [{"license": {"%s": "%s"}}],
   "purl": "pkg:deb/debian/%s@%s?arch=%s&distro=%s"}' "$2" "$name" "$name" \
        "$upstream" "$kind" "$licence" "$name" \
        "$(printf '%s' "$upstream" | sed -e 's/+/%2B/g' -e 's/:/%3A/g')" \
        "$arch" "$system"
}

cat <<END
{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
 "metadata": {"component": {"type": "application", "bom-ref": "cited",
   "name": "cited", "version": "$version",
   "licenses": [{"license": {"id": "MIT"}}]}},
 "components": [
END
comma='  '
for name in $(packages); do
    component "$name" "$comma"
    comma=',
  '
done
printf '\n ]}\n'
