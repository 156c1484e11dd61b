#!/bin/sh
# The version, on standard output, from the one place where it stands. With
# `write` also into what is made from it and kept: the description of the
# interface. `make docs` calls it.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define CITED_VERSION "\(.*\)"$/\1/p' src/base/version.h)
if [ "${1-}" = write ]; then
    sed -i "0,/\"version\": \".*\"/s//\"version\": \"$version\"/" \
        src/web/openapi.json
fi
echo "$version"
