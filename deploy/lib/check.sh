#!/bin/bash
# `make check`: everything that can be checked, one after the other, with a
# count at the end. Logs go to build/check/.
#
#   deploy/lib/check.sh            after deploy/lib/packages.sh build test
#   deploy/lib/check.sh package    the Debian package as well
#
# The last line is "N passed, N failed, N skipped": cmocka cases of every
# compiler and flavour, node tests, and one for each of the other steps. A
# program that ends by a signal, or fails without saying which case, counts
# as one failure. Exit status 0 only when nothing failed.
set -u
cd "$(dirname "$0")/../.." || exit 2
LOGS=$PWD/build/check
rm -rf "$LOGS"
mkdir -p "$LOGS" || exit 2
MAKE=${MAKE:-make}
passed=0
failed=0
skipped=0
unset CITED_CONF CITED_DATA CITED_DATA_DIR MAKEFLAGS MFLAGS

say() { printf '%s\n' "$*"; }

# step NAME COMMAND...: one check that passes or fails as a whole.
step() {
    local name=$1 log=$LOGS/${1//[^a-z0-9]/-}.log
    shift
    if "$@" >"$log" 2>&1; then
        say "ok      $name"
        passed=$((passed + 1))
    else
        say "FAILED  $name ($log)"
        tail -n 30 "$log"
        failed=$((failed + 1))
        return 1
    fi
}

# The number in cmocka's summary line "[  PASSED  ] 5 test(s)".
summary() {
    sed -n "s/^\[  $1 *\] \([0-9]*\) test(s).*/\1/p" "$2" | tail -n 1
}

# unit_program NAME PROGRAM [WRAPPER]: run one cmocka program and count.
unit_program() {
    local log=$LOGS/unit-$1-${2##*/}.log code=0 ok bad skip
    timeout -k 10 600 ${3:+"$3"} "$2" >"$log" 2>&1 || code=$?
    ok=$(summary PASSED "$log")
    bad=$(summary FAILED "$log")
    skip=$(summary SKIPPED "$log")
    if [ -z "$ok" ]; then
        # It ended before its summary.
        ok=$(grep -c '^\[       OK \]' "$log")
        bad=$(($(grep -c '^\[  FAILED  \]' "$log") + 1))
    fi
    bad=${bad:-0}
    # cmocka's status is its number of failures; anything else, such as a
    # leak found at exit, is one failure more.
    if [ $code -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + ${skip:-0}))
    if [ "$bad" -gt 0 ]; then
        say "FAILED  unit $1 ${2##*/}: $bad failed, status $code ($log)"
        grep -aE '^\[  (FAILED|ERROR)|Sanitizer|runtime error|LINE' "$log" |
            head -n 20
    elif [ "${skip:-0}" -gt 0 ]; then
        say "SKIPPED unit $1 ${2##*/}: $skip ($log)"
        grep -aE '^\[  SKIPPED' "$log"
    fi
}

# flavour NAME OUT MAKE-ARGUMENTS...: build programs and unit tests, run.
flavour() {
    local name=$1 out=$2 before=$passed test
    shift 2
    step "build $name" "$MAKE" -j2 --no-print-directory OUT="$out" "$@" \
        all tests || return
    for test in "$out"/tests/test_*; do
        case $test in
        *.d | *.o) continue ;;
        esac
        if [ -x "$test" ]; then
            unit_program "$name" "$test"
        fi
    done
    say "ok      unit tests, $name: $((passed - before - 1)) cases passed"
}

# The same programs on the state database of several machines.
postgres() {
    local before=$passed test
    if ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
        say "SKIPPED unit tests, PostgreSQL: the package is not installed"
        skipped=$((skipped + 1))
        return
    fi
    for test in $("$MAKE" -s --no-print-directory OUT=build/gcc \
        print-postgres); do
        unit_program postgres "$test" tests/support/postgres.sh
    done
    say "ok      unit tests, PostgreSQL: $((passed - before)) cases passed"
    if ! command -v pgbouncer >/dev/null; then
        say "SKIPPED unit tests, PgBouncer: the package is not installed"
        skipped=$((skipped + 1))
        return
    fi
    before=$passed
    for test in $("$MAKE" -s --no-print-directory OUT=build/gcc print-pooled); do
        POOLER=1 unit_program pooled "$test" tests/support/postgres.sh
    done
    say "ok      unit tests, PgBouncer: $((passed - before)) cases passed"
}

# npm_ci FOLDER TO NPM...: what FOLDER's lock file pins, into TO.
npm_ci() {
    local from=$1 to=$2
    shift 2
    if [ -f "$to/node_modules/.package-lock.json" ] &&
        cmp -s "$from/package-lock.json" "$to/package-lock.json"; then
        return 0
    fi
    mkdir -p "$to" &&
        cp "$from/package.json" "$from/.npmrc" "$from/package-lock.json" "$to/" &&
        (cd "$to" && "$@" ci --no-bin-links) || {
        rm -f "$to/package-lock.json"
        return 1
    }
}

# The tests' own Node, an npm that can read their packages' overrides, and
# these packages, into build/.
e2e_install() {
    npm_ci tests/e2e/npm build/npm npm || return 1
    for node in build/npm/node_modules/node-linux-*/bin/node; do
        node=$PWD/$node
    done
    npm_ci tests/e2e build "$node" \
        "$PWD/build/npm/node_modules/npm/bin/npm-cli.js"
}

# e2e NAME PROGRAMS TEST-FILE...: run node's test runner and count.
e2e() {
    local name=$1 programs=$2 log tap code=0 n
    log=$LOGS/e2e-$1.log
    tap=$LOGS/e2e-$1.tap
    shift 2
    CITED_BIN=$PWD/$programs CITED_TRAFFIC=$LOGS/traffic.jsonl \
        timeout -k 30 1500 "$node" --test \
        --test-concurrency=1 --test-timeout=600000 \
        --test-reporter=spec --test-reporter-destination="$log" \
        --test-reporter=tap --test-reporter-destination="$tap" \
        "$@" >"$LOGS/e2e-$name.out" 2>&1 || code=$?
    # Nothing is counted of a run that was ended in its midst.
    n() { sed -n "s/^# $1 \([0-9]*\)$/\1/p" "$tap" | tail -n 1 | grep . || echo 0; }
    local ok bad skip
    ok=$(n pass)
    bad=$(($(n fail) + $(n cancelled)))
    skip=$(($(n skipped) + $(n todo)))
    if [ "$ok" -eq 0 ] || { [ $code -ne 0 ] && [ $bad -eq 0 ]; }; then
        bad=$((bad + 1))
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + skip))
    if [ $bad -gt 0 ]; then
        say "FAILED  e2e $name: $bad failed ($log)"
        grep -E '^ *not ok' "$tap" | grep -v '# SKIP' | head -n 40
    else
        say "ok      e2e $name: $ok passed"
    fi
    if [ $skip -gt 0 ]; then
        say "SKIPPED e2e $name: $skip"
        grep -E '# (SKIP|TODO)' "$tap"
    fi
}

manuals_lint() {
    local page found=0
    for page in deploy/man/*.[1-8]; do
        [ -f "$page" ] || continue
        found=1
        mandoc -T lint -W warning "$page" || return 1
    done
    [ $found = 1 ]
}

# What a release of this commit has, from the programs that gcc made; then its
# package in a fresh root, where this machine allows one.
package() {
    local log=$LOGS/package-in-a-fresh-root.log code=0
    if ! sh deploy/lib/packages.sh build deb check-deb >"$log" 2>&1; then
        code=77
    else
        step "release" bash deploy/lib/release.sh HEAD "$PWD/build/gcc" ||
            return
        PACKAGE=$(ls build/release/cited_*.deb) \
            bash deploy/lib/check-deb.sh >"$log" 2>&1 || code=$?
    fi
    if [ $code -eq 0 ]; then
        say "ok      package in a fresh root"
        passed=$((passed + 1))
    elif [ $code -eq 77 ]; then
        say "SKIPPED package in a fresh root: $(tail -n 1 "$log")"
        skipped=$((skipped + 1))
    else
        say "FAILED  package in a fresh root ($log)"
        tail -n 30 "$log"
        failed=$((failed + 1))
    fi
}

started=$SECONDS
step "layers" sh tests/support/layers.sh
step "flags of packagers" sh tests/support/flags.sh
step "manual pages" manuals_lint
flavour gcc build/gcc CC=gcc OPT=werror FLAVOUR=plain
step "build tools" "$MAKE" -j2 --no-print-directory OUT=build/gcc CC=gcc \
    OPT=werror FLAVOUR=plain tools
postgres
flavour gcc-asan build/asan CC=gcc FLAVOUR=asan
flavour clang build/clang CC=clang OPT=werror FLAVOUR=plain
flavour clang-asan build/clang-asan CC=clang FLAVOUR=asan

# What the tests of the encoder need; once.
[ -f build/meaning/minilm.model ] ||
    timeout 600 "$MAKE" --no-print-directory meaning >"$LOGS/meaning.log" 2>&1 ||
    say "SKIPPED tests with the encoder: make meaning failed ($LOGS/meaning.log)"

if step "npm packages" e2e_install; then
    if [ -x "$node" ] && [ -x build/gcc/cited.fcgi ]; then
        # The description of the interface is held against what all other
        # tests saw, so it comes last.
        interface=tests/e2e/openapi.test.js
        others=()
        for test in tests/e2e/*.test.js; do
            [ "$test" = $interface ] || others+=("$test")
        done
        e2e plain build/gcc "${others[@]}"
        if [ -x build/asan/cited.fcgi ]; then
            e2e asan build/asan tests/e2e/contract.test.js \
                tests/e2e/bad-requests.test.js
        fi
        e2e interface build/gcc $interface
    else
        say "FAILED  e2e: the programs or the tests' Node are missing"
        failed=$((failed + 1))
    fi
fi

if [ "${1-}" = package ]; then
    package
fi

say "took $((SECONDS - started)) s; logs are in build/check/"
say "$passed passed, $failed failed, $skipped skipped" | tee "$LOGS/count"
[ $failed -eq 0 ]
