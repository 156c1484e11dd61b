# A fresh root of a Debian, for the checks that want a machine with nothing on
# it. Sourced in the checkout, by bash, as root:
#
#   fresh_bare           makes build/deb-bare-$codename, once
#   fresh_root DIR       a copy of it at DIR, with what a program there needs
#                        of this machine; in mount and process namespaces of
#                        one's own (fresh_alone)
#   fresh_alone ARGS...  starts this script again in such, with ARGS
#
# CODENAME names the Debian, default this machine's; MIRROR its archive, default
# the one that this machine uses for it, else debootstrap's. Where it cannot be
# done, exit status 77 and a last line that says why.
codename=${CODENAME:-$(. /etc/os-release && echo "${VERSION_CODENAME-}")}
bare=$(realpath -m "build/deb-bare-$codename")
export codename

step() { printf '== %s\n' "$*"; }
cannot() {
    printf '%s cannot run here: %s\n' "$(basename "$0" .sh)" "$*" >&2
    exit 77
}

fresh_bare() {
    local mirror log=build/deb-bootstrap-$codename.log
    [ "$(id -u)" = 0 ] || cannot 'a fresh root needs root'
    command -v debootstrap >/dev/null || cannot 'there is no debootstrap'
    [ ! -e "$bare/etc/debian_version" ] || return 0
    step "a fresh Debian ($codename)"
    mirror=${MIRROR:-$(apt-get indextargets --format \
        '$(RELEASE) $(CODENAME) $(REPO_URI)' |
        awk -v c="$codename" '$1 == c || $2 == c { print $NF; exit }')}
    rm -rf "$bare.new"
    debootstrap --variant=minbase "$codename" "$bare.new" \
        ${mirror:+"$mirror"} >"$log" 2>&1 ||
        cannot "debootstrap: $(tail -n 1 "$log")"
    mv "$bare.new" "$bare"
}

fresh_alone() {
    unshare --mount --pid --net --fork sh -c \
        'mount -t tmpfs tmpfs /mnt' 2>/dev/null ||
        cannot 'this machine allows no namespaces or no mounts in them'
    exec unshare --mount --pid --fork --kill-child bash "$0" "$@"
}

fresh_root() {
    local node file
    rm -rf "$1"
    cp -a "$bare" "$1"
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    # What somebody set up here, not what packages bring.
    for file in /etc/apt/apt.conf.d/*; do
        dpkg-query -S "$file" >/dev/null 2>&1 || [ ! -e "$file" ] ||
            cp "$file" "$1/etc/apt/apt.conf.d/"
    done
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys" 2>/dev/null || true
    mount -t tmpfs -o mode=755 tmpfs "$1/dev"
    for node in null zero random urandom full tty; do
        touch "$1/dev/$node"
        mount --bind "/dev/$node" "$1/dev/$node"
    done
    ln -s /proc/self/fd "$1/dev/fd"
}

# What is tracked or would be, as it stands, into DIR.
fresh_source() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do
            [ ! -e "$file" ] || printf '%s\0' "$file"
        done | xargs -0 cp --parents -t "$1"
}
