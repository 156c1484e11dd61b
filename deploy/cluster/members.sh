# What the scripts of this folder share: who is in the cluster. Sourced.
#
# The file of members has a line for each:
#
#   ROLE      NAME  HOST       PORT   PORT2
#   etcd      etcd1 10.0.0.11  2379   2380    (clients; the other members)
#   postgres  pg1   10.0.0.21  5432   8008    (clients; Patroni)
#   node      node1 10.0.0.31  8080
#   balancer  web   10.0.0.41  80
#
# All scripts take it as their first argument, then the name of the member to
# be, then a folder for what it writes.

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# rows ROLE: the lines of a role.
rows() {
    awk -v role="$1" '$1 == role' "$MEMBERS"
}

# joined ROLE FORMAT: all of a role in one line, with commas. In FORMAT, %n is
# the name, %h the host, %p and %q the ports.
joined() {
    rows "$1" | awk -v format="$2" '{
        s = format
        gsub(/%n/, $2, s); gsub(/%h/, $3, s)
        gsub(/%p/, $4, s); gsub(/%q/, $5, s)
        printf "%s%s", (NR > 1 ? "," : ""), s }'
}

# member ROLE ARGS…: sets MEMBERS, NAME, DATA, HOST, PORT, PORT2, HERE.
member() {
    role=$1
    MEMBERS=${2:-} NAME=${3:-} DATA=${4:-}
    [ -n "$DATA" ] || die 'give the file of members, a name in it, a folder'
    # shellcheck disable=SC2046  # the columns
    set -- $(rows "$role" | awk -v name="$NAME" '$2 == name')
    [ $# -ge 4 ] || die "$MEMBERS has no line: $role $NAME HOST PORT"
    HOST=$3 PORT=$4 PORT2=${5:-}
    HERE=$(cd "$(dirname "$0")" && pwd -P)
    mkdir -p "$DATA" || die "cannot make $DATA"
    DATA=$(cd "$DATA" && pwd -P)
}
