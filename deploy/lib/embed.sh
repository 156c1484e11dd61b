#!/bin/sh
# Files as C strings, on standard output.
#
#   deploy/lib/embed.sh strings src/web/openapi.json …
#       const char openapi_json[] = "…"; one for each file
#   deploy/lib/embed.sh table prog/cli_deploy.h deploy_text NAME=FILE …
#       the array deploy_texts of struct deploy_text, as that header declares it:
#       {name, text} for each, then {NULL, NULL}
set -eu

# "?\?" keeps compilers from seeing trigraphs. What is indented in JSON is
# indented for readers of the source.
text_of() {
    indent=
    case $1 in
    *.json) indent='s/^ *//' ;;
    esac
    sed -e "$indent" -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/??/?\\?/g' \
        -e 's/^/"/' -e 's/$/\\n"/' "$1"
}

kind=$1
shift
case $kind in
strings)
    for file; do
        name=$(basename "$file" | tr . _)
        printf 'extern const char %s[];\nconst char %s[] =\n' "$name" "$name"
        text_of "$file"
        echo ';'
    done
    ;;
table)
    printf '#include "%s"\nconst struct %s %ss[] = {\n' "$1" "$2" "$2"
    shift 2
    for pair; do
        printf '{"%s",\n' "${pair%%=*}"
        text_of "${pair#*=}"
        echo '},'
    done
    echo '{NULL, NULL}};'
    ;;
*)
    echo 'usage: embed.sh strings FILE... | table HEADER STRUCT NAME=FILE...' >&2
    exit 64
    ;;
esac
