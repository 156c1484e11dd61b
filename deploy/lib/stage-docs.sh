#!/bin/sh
# The documents of this product, as pages for the index of a service:
#
#   deploy/lib/stage-docs.sh DIR      DIR is made; README is cited.md there
#
# The map of the source is not among them: it answers no question of those who
# use or run the service.
set -eu
mkdir -p "$1/man"
DIR=$(cd "$1" && pwd -P)
cd "$(dirname "$0")/../.."
cp README.md "$DIR/cited.md"
cp docs/*.md "$DIR/"
cp deploy/shared-hosting/README.md "$DIR/shared-hosting.md"
for page in deploy/man/*.[1-8]; do
    mandoc -T html "$page" >"$DIR/man/${page##*/}.html"
done
