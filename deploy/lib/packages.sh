#!/bin/sh
# Installs the Debian packages a task needs, and nothing else.
#
#   . deploy/lib/packages.sh
#   need build run          # or: deploy/lib/packages.sh build run
#   deploy/lib/packages.sh --missing build     says what is missing, fails then
#
# Owns: the list of packages with the reason for each. Says what is missing
# and why before it installs; asks sudo only when not root. Never leaves a
# server started or enabled: Debian starts lighttpd and nginx when they are
# installed, so that is forbidden while we install (policy-rc.d) and what the
# packages enabled is disabled afterwards. Servers that were there before are
# not touched.

# need | package, or alternatives (the first that this system's archive has is
# installed, any that is there will do) | what for
package_table() {
    cat <<'TABLE'
build|gcc/clang|compiles the programs
build|libc6-dev|C library headers
build|make|runs the build
build|pkgconf/pkg-config|finds the libraries
build|libfcgi-dev|FastCGI
build|libcjson-dev|JSON
build|libcurl4-openssl-dev/libcurl4-gnutls-dev/libcurl4-nss-dev|HTTP client
build|libsqlite3-dev|database and full-text index
build|libpq-dev|PostgreSQL, for several machines
build|libmd4c-dev|Markdown parser
build|libinih-dev|configuration files
build|libidn2-dev|internationalised host names
build|libpsl-dev|public suffixes of host names
build|libssl-dev|hashes of API keys
build|libargon2-dev|hashes of passwords
build|libexpat1-dev|XML parser, for sitemaps
build|libuchardet-dev|character sets of old pages
build|libstemmer-dev|stems of other languages than English
build|zlib1g-dev|compressed sitemaps
run|lighttpd|the web server in front of the responder
run|curl|asks the first question
run|ca-certificates|so that https pages can be crawled
run|mandoc|turns our manual pages into text for the index
bench|wrk|generates load
bench|sqlite3|reads the databases that are compared
docs|libxapian-dev|what the bench of the index measures against
docs|g++/clang|compiles the program that asks it
docs|sqlite3-doc|text for the bench of the index
docs|postgresql-doc/postgresql-doc-15|text for the bench of the index
docs|git-doc|text for the bench of the index
docs|python3-doc|text for the bench of the index
docs|debian-handbook|text for the bench of the index
docs|linux-doc/linux-doc-6.1|text for the bench of the index
test|libcmocka-dev|unit tests
test|libgumbo-dev|what our HTML parser is held against
test|clang|the second compiler
test|libclang-rt-dev/libclang-rt-14-dev|address sanitizer for clang
test|lighttpd|tested front end
test|apache2-bin|tested front end
test|libapache2-mod-fcgid|tested front end
test|nginx|tested front end
test|spawn-fcgi|starts the responder for nginx
test|mandoc|checks the manual pages
test|sqlite3-doc|real pages for the crawl test
test|postgresql-doc/postgresql-doc-15|real pages for the questions test
test|git-doc|real pages for the questions test
test|debian-handbook|real pages for the questions test
test|postgresql|the state database of several machines
test|pgbouncer|a pooler before that
test|json-schema-test-suite|what our schema checker is held against
test|curl|asks the running servers
test|ca-certificates|so that the npm packages can be had
test|nodejs|installs the end-to-end tests
test|npm/nodejs|installs the end-to-end tests
meaning|nodejs|turns the encoder of sentences into a file, and checks it
meaning|npm/nodejs|fetches the encoder of sentences
deb|build-essential|every Debian package is built with it
deb|debhelper|builds the Debian package
deb|dpkg-dev|builds the Debian package
deb|fakeroot|builds the Debian package
deb|lintian|checks the Debian package
cluster|etcd-server|says which PostgreSQL is the primary
cluster|patroni|has another PostgreSQL take over
cluster|postgresql|the state database of several machines
cluster|nodejs|kills them
container|buildah|builds the container's image
container|debootstrap|makes the fresh root it is built upon
container|curl|asks the service in it
check-deb|debootstrap|makes the fresh root the package is tried in
run|poppler-utils|reads the text of PDF files
test|poppler-utils|reads the text of PDF files
wiki|php-cgi|first, or mediawiki brings a module for a web server
wiki|php-cli|runs mediawiki
wiki|php-sqlite3|the database of mediawiki
wiki|php-mbstring|mediawiki asks for it
wiki|php-xml|mediawiki asks for it
wiki|php-intl|mediawiki asks for it
wiki|mediawiki|a real search provider and real pages
searx|searx|a real meta search engine
httpbin|python3-httpbin|a real server with every kind of response
browser|chromium|opens the pages of www/
TABLE
}

package_installed() {
    case $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) in
    *' installed') return 0 ;;
    esac
    return 1
}

# Is one of the alternatives a/b/c there? npm may come with another nodejs
# package than Debian's, so for npm the command decides.
row_satisfied() {
    if [ "$1" = npm/nodejs ]; then
        command -v npm >/dev/null 2>&1
        return
    fi
    row_rest=$1/
    while [ -n "$row_rest" ]; do
        package_installed "${row_rest%%/*}" && return 0
        row_rest=${row_rest#*/}
    done
    return 1
}

# Lines "alternatives|what for" of everything missing for the given needs.
packages_missing() {
    package_table | while IFS='|' read -r need_ alternatives why; do
        case " $* " in
        *" $need_ "*) ;;
        *) continue ;;
        esac
        row_satisfied "$alternatives" ||
            printf '%s|%s\n' "$alternatives" "$why"
    done | awk -F '|' '!seen[$1]++'
}

# Does the archive have this package, as far as we have its lists?
package_known() {
    apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'
}

# The same lines with one package each: the first alternative that the archive
# has. Fails when it has none of some line, which then keeps its first.
packages_chosen() {
    code=0
    while IFS='|' read -r alternatives why; do
        name=
        for one in $(printf '%s' "$alternatives" | tr / ' '); do
            ! package_known "$one" || { name=$one; break; }
        done
        [ -n "$name" ] || code=1
        printf '%s|%s\n' "${name:-${alternatives%%/*}}" "$why"
    done
    return $code
}

say() {
    printf '%s\n' "$*" >&2
}

# Services whose start-up script exists now, one a line.
services_present() {
    for service in lighttpd apache2 apache-htcacheclean nginx \
        phpsessionclean.timer etcd patroni postgresql pgbouncer; do
        if [ -e "/etc/init.d/$service" ] ||
            [ -e "/lib/systemd/system/$service" ] ||
            [ -e "/lib/systemd/system/$service.service" ]; then
            echo "$service"
        fi
    done
}

# Turn off those services that were not there before ($1: the old list).
services_disable_new() {
    for service in $(services_present); do
        case " $(echo $1) " in
        *" $service "*) continue ;;
        esac
        if command -v systemctl >/dev/null 2>&1; then
            $AS_ROOT systemctl disable "$service" >/dev/null 2>&1 || true
            if [ -d /run/systemd/system ]; then
                $AS_ROOT systemctl stop "$service" >/dev/null 2>&1 || true
            fi
        fi
        if command -v update-rc.d >/dev/null 2>&1; then
            $AS_ROOT update-rc.d "$service" disable >/dev/null 2>&1 || true
        fi
        say "  $service: installed, left stopped and disabled"
    done
}

POLICY=/usr/sbin/policy-rc.d
POLICY_MARK='# written by cited while it installs packages'

# A file of ours that an interrupted run left behind is taken over.
policy_put() {
    if [ -e "$POLICY" ] && ! grep -qF "$POLICY_MARK" "$POLICY"; then
        return 0
    fi
    printf '#!/bin/sh\n%s\nexit 101\n' "$POLICY_MARK" |
        $AS_ROOT tee "$POLICY" >/dev/null || return 1
    $AS_ROOT chmod 755 "$POLICY"
}

policy_remove() {
    if [ -e "$POLICY" ] && grep -qF "$POLICY_MARK" "$POLICY"; then
        $AS_ROOT rm -f "$POLICY"
    fi
}

apt_update() {
    say 'Reading the package lists (apt-get update).'
    $AS_ROOT apt-get -q update >&2
}

apt_install() {
    $AS_ROOT env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$@" >&2
}

# Runs in a subshell so that its traps are its own.
packages_install() (
    before=$(services_present)
    # After an interruption too: what was installed is disabled, and the
    # policy file is ours to remove.
    trap 'services_disable_new "$before"; policy_remove' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
    policy_put || exit 1
    if [ -z "$updated" ] && ! apt-get -s -q install "$@" >/dev/null 2>&1; then
        apt_update || exit 1
        updated=1
    fi
    apt_install "$@" && exit 0
    # Lists that are too old name files the archive no longer has.
    [ -z "$updated" ] || exit 1
    apt_update && apt_install "$@"
)

# Prints lines "package|what for", and the command that installs them.
tell_missing() {
    say 'Debian packages that are missing, and what they are for:'
    printf '%s\n' "$1" | while IFS='|' read -r name why; do
        printf '  %-24s %s\n' "$name" "$why" >&2
    done
}
tell_command() {
    say "  apt-get update && apt-get install --no-install-recommends $1"
}
names_of() {
    printf '%s\n' "$1" | cut -d '|' -f 1 | tr '\n' ' '
}

is_debian() {
    command -v dpkg-query >/dev/null 2>&1 &&
        command -v apt-get >/dev/null 2>&1
}

# need build|run|test...: returns 0 when everything is there afterwards.
need() {
    if ! is_debian; then
        say 'This is no Debian system: the packages it needs must be there.'
        return 0
    fi
    missing=$(packages_missing "$@")
    [ -n "$missing" ] || return 0
    AS_ROOT=
    updated=
    unknown=
    [ "$(id -u)" = 0 ] || AS_ROOT=sudo
    chosen=$(printf '%s\n' "$missing" | packages_chosen) || {
        # Perhaps there are no lists yet.
        if [ -z "$AS_ROOT" ] || command -v sudo >/dev/null 2>&1; then
            apt_update && updated=1
        fi
        chosen=$(printf '%s\n' "$missing" | packages_chosen) || unknown=1
    }
    tell_missing "$chosen"
    names=$(names_of "$chosen")
    if [ -n "$unknown" ]; then
        for name in $names; do
            package_known "$name" || say "This Debian has no package $name."
        done
        return 1
    fi
    if [ -n "$AS_ROOT" ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            say 'Not root, and there is no sudo. As root, please run:'
            tell_command "$names"
            return 1
        fi
        say 'Installing them with sudo; it may ask for your password.'
    else
        say 'Installing them.'
    fi
    # Word splitting wanted: package names hold no spaces.
    # shellcheck disable=SC2086
    packages_install $names || {
        say "Could not install: $names"
        return 1
    }
}

# Like need, but changes nothing: fails when something is missing.
need_missing() {
    is_debian || return 0
    missing=$(packages_missing "$@")
    [ -n "$missing" ] || return 0
    chosen=$(printf '%s\n' "$missing" | packages_chosen) || true
    tell_missing "$chosen"
    say 'Please install them as root:'
    tell_command "$(names_of "$chosen")"
    return 1
}

case ${0##*/} in
packages.sh)
    set -u
    case ${1-} in
    --missing)
        shift
        need_missing "$@"
        ;;
    *) need "$@" ;;
    esac
    ;;
esac
