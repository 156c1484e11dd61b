#!/bin/sh
# Checks that includes follow the layers of the house:
#
#   prog > run > web > {research, crawl} > search > object > answer > find >
#   {model, verify} > question > reading > page > lang > index > store >
#   meaning > {net, json, text} > base
#
# A file includes headers of its own room and of rooms further right; a
# library's header is included only in its home; some functions of the C
# library are not used at all. Prints every offence as file:line, exits 1.
set -u
cd "$(dirname "$0")/../.." || exit 2

# Offences are lines "file:line: why"; sources come as file:line:text.
offences=$(
    grep -rnE --include='*.c' --include='*.h' \
        '^[[:space:]]*#[[:space:]]*include' src |
        awk -F: '
        BEGIN {
            n = split("base net,json,text meaning store index lang page " \
                "reading question model,verify find answer object search " \
                "research,crawl web run prog", floor, " ")
            for (i = 1; i <= n; i++) {
                m = split(floor[i], room, ",")
                for (k = 1; k <= m; k++) floor_of[room[k]] = i
            }
        }
        function level(room) { return room in floor_of ? floor_of[room] : -1 }
        function home(lib, place) {
            if (index(FILE, place) != 1)
                printf "%s:%s: %s belongs to %s\n", FILE, LINE, lib, place
        }
        {
            FILE = $1; LINE = $2; text = $0
            sub(/^[^:]*:[^:]*:/, "", text)
            split(FILE, part, "/"); mine = part[2]
            if (text ~ /cJSON\.h/) home("cJSON", "src/json/")
            if (text ~ /sqlite3\.h/) home("sqlite3", "src/store/")
            if (text ~ /curl\/[a-z]+\.h/) home("libcurl", "src/net/")
            if (text ~ /libpq-fe\.h/) home("libpq", "src/store/pg_load.h")
            if (text ~ /fcgi(app|_stdio|os|misc)\.h/)
                home("libfcgi", "src/web/fcgi.c")
            if (text ~ /md4c\.h/) home("MD4C", "src/text/markdown.c")
            if (text ~ /libstemmer\.h/)
                home("libstemmer", "src/text/stemmer.c")
            if (text ~ /[<"\/]ini\.h/) home("inih", "src/base/conf.c")
            if (text !~ /include[ \t]*"/) next
            name = text
            sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
            if (name !~ /\//) {
                printf "%s:%s: \"%s\" names no room\n", FILE, LINE, name
                next
            }
            split(name, part, "/"); other = part[1]
            if (other == mine) next
            if (level(other) < 0 || level(mine) < 0)
                printf "%s:%s: \"%s\" is in no known room\n", FILE, LINE, name
            else if (level(other) >= level(mine))
                printf "%s:%s: %s may not include \"%s\"\n", FILE, LINE,
                    mine, name
        }'
    grep -rnE --include='*.c' --include='*.h' \
        '(^|[^A-Za-z0-9_.>])(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|system|popen|localtime|gmtime)[[:space:]]*\(' \
        src | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\*|/\*|//)' |
        sed -E 's/^([^:]*:[0-9]+):.*[^A-Za-z0-9_]?(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|system|popen|localtime|gmtime)[[:space:]]*\(.*/\1: \2 is not used here/'
)
if [ -n "$offences" ]; then
    printf '%s\n' "$offences"
    exit 1
fi
echo "layers: in order"
