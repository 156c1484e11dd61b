#!/bin/sh
# `make docs`: docs/configuration.md, from what `cited conf example` prints,
# which is the table the program reads its configuration with.
#
#   deploy/lib/conf-docs.sh build/cited > docs/configuration.md
#
# tests/e2e/docs.test.js compares the two.
set -eu

[ $# -eq 1 ] || { echo "usage: conf-docs.sh CITED" >&2; exit 64; }
example=$(mktemp)
trap 'rm -f "$example"' EXIT
"$1" conf example >"$example"

cat <<'END'
# Configuration

All settings: every key, what it does, what it may be and its default. This page is
made by `make docs` from the table the program uses; do not edit it.

## How do I change a setting?

To change a setting, write it into `cited.conf` below the name of its section, and
restart the service:

```ini
[limits]
rate_per_second = 5
```

No file is needed, and every key has a default. The file is `/etc/cited/cited.conf`,
or `cited.conf` in the working directory, or what `--conf FILE` or `CITED_CONF` names.
`cited conf check` says what is wrong with a file, `cited conf example` prints one with
every key. In text, `limits.rate_per_second` is the key `rate_per_second` of the
section `[limits]`.

## Can I configure it with environment variables (env vars)?

Yes: every setting can be set by an environment variable of its section and name, such
as `CITED_LIMITS_RATE_PER_SECOND=5`; the last column of the tables has them. The
environment wins over the file, and keeps secrets like `CITED_MODEL_KEY` out of it. A
provider's section must stand in the file; any of its settings may come from a variable:
`CITED_PROVIDER_`, the section's name, `_` and the setting, all in capitals.

## How do I configure a search provider?

A provider has a section of its own, `[provider.NAME]`; [how to add
one](operating.md#how-do-i-add-a-search-engine-such-as-brave-or-searxng) shows it. The
format of the file, and all keys of these sections, are in `cited.conf(5)`.
END
# What a section is for, in the words of who looks for it.
awk '
BEGIN {
    about["data"] = "The data folder."
    about["state"] = "The database: SQLite in the data folder, or PostgreSQL " \
        "for several servers."
    about["server"] = "Threads, the path in the address, calls from other " \
        "web sites (CORS)."
    about["clients"] = "Interfaces for programs made for SearXNG, Tavily, " \
        "OpenAI, Open WebUI; turn (switch) them off."
    about["log"] = "How much is logged."
    about["retention"] = "When old tasks and pages are deleted automatically."
    about["limits"] = "Rate limit, size of requests, number of tasks."
    about["accounts"] = "Who may register, and how long a sign-in lasts."
    about["metrics"] = "Who may read the figures for Prometheus."
    about["search"] = "Time limits (timeouts) of searches."
    about["model"] = "The language model (LLM) that writes answers, such as " \
        "one of Ollama or OpenAI."
    about["rerank"] = "A reranker that puts results in a better order."
    about["embeddings"] = "Embeddings that do the same as a reranker."
    about["meaning"] = "The encoder that finds what pages say in other words."
    about["read"] = "Reading pages that search providers find, and PDF files."
    about["research"] = "Helpers for research tasks, and callbacks (webhooks)."
    about["crawl"] = "The crawler: its name and contact, how fast, how deep, " \
        "how many pages."
    about["net"] = "Private addresses that may be reached."
}
/^# Search providers are sections/ { exit }
/^\[/      { print "\n## Section " $0 "\n"
             name = substr($0, 2, length($0) - 2)
             if (name in about) print about[name] "\n"
             print "| key | what | allowed | default | environment |"
             print "|---|---|---|---|---|"; started = 1; next }
!started   { next }
/^# Allowed: /     { allowed = substr($0, 12); sub(/\.$/, "", allowed)
                     sub(/^one of: /, "", allowed); next }
/^# Environment: / { split(substr($0, 16), names, ", or short ")
                     env = "`" names[1] "`"
                     if (names[2] != "") env = env ", `" names[2] "`"; next }
/^# /              { help = substr($0, 3); gsub(/\|/, "\\|", help); next }
/^#[a-z_]+ =/      { key = substr($1, 2); value = substr($0, length($1) + 4)
                     print "| `" key "` | " help " | " allowed " | " \
                         (value == "" ? "empty" : "`" value "`") " | " env " |" }
' "$example"
