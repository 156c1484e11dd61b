# cited: build, run, check. GNU make; everything made goes under build/.
#
#   make            the three programs; says which packages are missing
#   make run        install what is missing, build, start a local service
#   make check      install what the tests need, run all of them
#   make bench      what the service costs, against bare programs
#   make bench-index   what the index costs, on real text, and hostile pages
#   make bench-quality COLLECTIONS=DIR   how good results and answers are
#   make bench-real COLLECTIONS=DIR   real questions over real documentation
#   make bench-check COLLECTIONS=DIR  what the check of sentences keeps
#   make bench-meaning COLLECTIONS=DIR   what the encoder adds to words
#   make bench-objects   how many fields of schemas get their value
#   make weights COLLECTIONS=DIR   fit the weights that choose answers, and fields
#   make weights-fields   the latter alone
#   make tools      the programs that the fits have in C, built only
#   make meaning    the encoder's weights, for [meaning] model
#   make words      the vectors of words that are built in, learned from those
#   make translations  German and French words that say what English ones do
#   make bench-model MODEL=FILE LLAMA=DIR   what a real model's sentences are worth
#   make soak TASKS=2000   tasks while everything is killed, stopped and set back
#   make install    programs, pages, manuals below PREFIX; DESTDIR is honoured
#   make deb        a Debian package in build/
#   make release    what is published: source, package, checksums, parts list
#   make cluster    several nodes on three PostgreSQLs on this machine; Ctrl-C stops it
#   make check-cluster TASKS=10000 MINUTES=30   tasks while all of that is killed
#   make bench-nodes   what more nodes bring; tasks taken against bare inserts
#   make check-container  build the container's image and ask it
#   make check-deb  install, use, remove and purge it in a fresh Debian root
#   make check-fresh CODENAME=trixie   the time to the first answer there
#   make unit       the unit tests, or those of NAMES='rank answer'
#   make unit-postgres   those of the state database, over PostgreSQL
#   make unit-pooled   the same through a PgBouncer
#   make suites SUITES=DIR   parsers against test suites from elsewhere
#   make fuzz       every fuzzer for SECONDS=60 of processor time
#   make pictures   docs/pictures, the console as it looks now
#   make docs       what is made of the table of keys and the version

# CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are yours: they come after our own.

# --- options ---------------------------------------------------------------
CC       ?= cc
FLAVOUR  ?= plain
PORT     ?= 8080
DATA     ?= ./var
PREFIX   ?= /usr/local
DESTDIR  ?=
SYSTEMDDIR ?= $(PREFIX)/lib/systemd/system
DATADIR  ?= /var/lib/cited
OWNER    ?= cited
WEBGROUP ?= www-data

PKGS     := libcjson sqlite3 md4c libidn2 libpsl libcrypto libargon2 \
            expat zlib uchardet
# Loaded when they are first needed, not linked (as libcurl is).
LOADED   := libpq
# Whole numbers with a name are enum constants here; clang 19 minds them beside
# floating-point numbers.
WARN     := -Wall -Wextra -Wconversion -Wno-enum-float-conversion -Wshadow \
            -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
OPT_plain := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
OPT_asan  := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
             -fno-sanitize-recover=undefined -DBUF_MIN_BYTES=1 \
             -DWALK_WINDOW_PASSAGES=64
OPT_fuzz := -O1 -g -fno-omit-frame-pointer \
            -fsanitize=address,undefined,fuzzer-no-link \
            -fno-sanitize-recover=undefined \
            -DBUF_MIN_BYTES=1 -DARENA_CHUNK_BYTES=1 \
            -DWALK_WINDOW_PASSAGES=64
OPT_werror := $(OPT_plain) -Werror

ifeq ($(FLAVOUR),plain)
OUT := build
else
OUT := build/$(FLAVOUR)
endif
OBJ := $(OUT)/obj

OWN_CFLAGS  := -std=c11 $(WARN) $(OPT_$(or $(OPT),$(FLAVOUR))) -fPIE \
               -MMD -MP $(shell pkg-config --cflags $(PKGS) $(LOADED) 2>/dev/null)
OWN_LDFLAGS := -pie -Wl,-z,relro,-z,now
OWN_LIBS    := -lfcgi -linih -lstemmer -lm -lpthread \
               $(shell pkg-config --libs $(PKGS) 2>/dev/null)
COMPILE = $(CC) -Isrc -I$(OBJ)/src -D_GNU_SOURCE $(OWN_CPPFLAGS) $(CPPFLAGS) \
          $(OWN_CFLAGS) \
          $(CFLAGS)
LIBS    = $(OWN_LIBS) $(LDLIBS)
# A rule may add to OWN_LDFLAGS; -fsanitize is asked for when linking, too.
LINKING = $(OWN_LDFLAGS) $(filter -fsanitize=%,$(OWN_CFLAGS)) $(LDFLAGS)

# --- sources ---------------------------------------------------------------
ROOMS    := base json net text meaning lang store index page reading question model \
            verify find answer object search research crawl web run
LIB_SRC  := $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c))
CLI_SRC  := $(wildcard src/prog/cli_*.c)
WORK_SRC := $(wildcard src/prog/worker*.c)
LIB_OBJ  := $(LIB_SRC:%.c=$(OBJ)/%.o) $(OBJ)/src/store/schema_sql.o \
            $(OBJ)/src/find/provider_texts.o $(OBJ)/src/web/web_texts.o \
            $(OBJ)/src/lang/words_tables.o
DEPLOY_FILES := lighttpd/cited.conf lighttpd/socket.conf apache/cited.conf \
            apache/socket.conf nginx/cited.conf \
            spawn-fcgi/cited cgi/cited.cgi shared-hosting/.htaccess \
            $(sort $(patsubst deploy/%,%,$(wildcard deploy/errors/*.json)))
PROVIDER_CONF := $(wildcard deploy/providers/*.conf)
LIB      := $(OUT)/libcited.a
PROGRAMS := $(OUT)/cited.fcgi $(OUT)/cited-worker $(OUT)/cited

UNIT_SRC := $(wildcard tests/unit/test_*.c)
FUZZERS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
# Their seeds are replayed apart where one makes up what another needs.
SEEDS_answer := answer page
SEEDS_http := http
SEEDS_rest := $(filter-out $(SEEDS_answer) $(SEEDS_http),$(FUZZERS))
SEEDS    := $(patsubst %,$(OUT)/tests/test_seeds_%,answer http rest)
UNIT     := $(UNIT_SRC:tests/unit/%.c=$(OUT)/tests/%) $(SEEDS)
# What end-to-end tests start to reach a module directly.
DRIVERS  := $(OUT)/tests/schema_check

# --- public targets --------------------------------------------------------
.PHONY: all run check unit unit-postgres unit-pooled print-postgres print-pooled tests bench bench-index bench-quality bench-real \
        bench-meaning bench-check bench-objects bench-model weights weights-fields tools meaning words translations soak cluster check-cluster bench-nodes bench-move \
        fuzz fuzz-run install deb check-deb check-container check-fresh release docs pictures suites clean \
        help
all: $(PROGRAMS)

help:
	@sed -n 's/^#   make/make/p' Makefile

$(OUT)/cited.fcgi: $(OBJ)/src/prog/main_fcgi.o $(LIB)
$(OUT)/cited-worker: $(OBJ)/src/prog/main_worker.o \
    $(WORK_SRC:%.c=$(OBJ)/%.o) $(LIB)
$(OUT)/cited: $(OBJ)/src/prog/main_cited.o $(CLI_SRC:%.c=$(OBJ)/%.o) \
    $(OBJ)/src/prog/deploy_texts.o $(OBJ)/src/prog/help_texts.o $(LIB)
$(PROGRAMS):
	$(CC) $(LINKING) $(CFLAGS) -o $@ $^ $(LIBS)

# Unit and handler tests of this flavour, each program once. NAMES picks.
UNIT_CHOSEN := $(if $(NAMES),$(NAMES:%=$(OUT)/tests/test_%),$(UNIT))
unit: $(UNIT_CHOSEN)
	@fail=0; for t in $(UNIT_CHOSEN); do \
	    echo "== $$t"; $$t || fail=1; done; exit $$fail

# What stands on the state database, over a PostgreSQL of its own; each program
# that can be run so uses tests/support/state_db.h. NAMES picks.
POSTGRES := $(filter-out faults_%,$(patsubst tests/unit/test_%.c,%, \
            $(shell grep -lE 'state_db\.h|webapp\.h' $(UNIT_SRC))))
POSTGRES_TESTS := $(patsubst %,$(OUT)/tests/test_%,$(or $(NAMES),$(POSTGRES)))
unit-postgres: $(POSTGRES_TESTS)
	@tests/support/postgres.sh sh -c 'fail=0; for t in $(POSTGRES_TESTS); do \
	    echo "== $$t"; $$t || fail=1; done; exit $$fail'
# Some of them through a PgBouncer, between whose transactions nothing lasts.
POOLED ?= task tasks_api account accounts_api crawl_job follow frontier crawl remote
POOLED_TESTS := $(POOLED:%=$(OUT)/tests/test_%)
unit-pooled: $(POOLED_TESTS)
	@POOLER=1 tests/support/postgres.sh sh -c 'fail=0; for t in $(POOLED_TESTS); do \
	    echo "== $$t"; $$t || fail=1; done; exit $$fail'
print-postgres:
	@echo $(POSTGRES_TESTS)
print-pooled:
	@echo $(POOLED_TESTS)

# The programs of the unit tests, not run, and the tests' own tools.
tests: $(UNIT) $(DRIVERS)

# Parsers against test suites from elsewhere, unpacked in the folder SUITES:
# the cases suite_… of the unit tests, which these alone hold.
SUITE_TESTS := $(patsubst tests/unit/%.c,$(OUT)/tests/%, \
               $(shell grep -l suites_choose $(UNIT_SRC)))
suites: export CITED_SUITES := $(SUITES)
suites:
	@[ -d "$$CITED_SUITES" ] || { \
	    echo 'SUITES=DIR names the folder of the suites' >&2; exit 2; }
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) -s --no-print-directory -j$$(nproc) $(SUITE_TESTS)
	@fail=0; for t in $(SUITE_TESTS); do \
	    echo "== $$t"; $$t || fail=1; done; exit $$fail

# A local service in the foreground; Ctrl-C stops it. What the user gives goes
# through the environment, where any character may stand.
run: export PORT := $(PORT)
run: export DATA := $(DATA)
run:
	@sh deploy/lib/packages.sh build run
	@echo "Building."
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all
	@BIN=$(OUT) exec sh deploy/lib/run.sh

# All tests; the last line counts them. Logs go to build/check/. WITH=package
# adds `make check-deb`, where it may run.
check:
	@sh deploy/lib/packages.sh build test
	@for peer in wiki searx httpbin browser; do \
	    sh deploy/lib/packages.sh $$peer || \
	        echo "SKIPPED tests with $$peer: it cannot be installed"; done
	@+MAKE='$(MAKE)' bash deploy/lib/check.sh $(WITH)

# What the service costs, against bare programs in the same run. NAMES picks.
BENCH := $(patsubst bench/%.c,build/bench/%,$(wildcard bench/*.c))
bench:
	@sh deploy/lib/packages.sh build test bench
	@+$(MAKE) --no-print-directory -j$$(nproc) all $(BENCH)
	@node bench/bench.mjs $(NAMES)

# TASKS tasks while helpers and responders are killed and stopped, the clock is
# set and the provider fails; minutes. With the Node that make check installs.
soak: all
	@set -- build/npm/node_modules/node-linux-*/bin/node; \
	[ -x "$$1" ] || { echo 'soak: run make check first, which installs' \
	    'the Node this needs' >&2; exit 1; }; \
	CITED_BIN='$(abspath $(OUT))' TASKS='$(TASKS)' "$$1" bench/soak.mjs

# A cluster on this machine: three of etcd, three of PostgreSQL, NODES of cited,
# a balancer, from PORT on. DOCS is what the nodes find.
cluster: export PORT := $(PORT)
cluster: export DATA := $(DATA)
cluster: export NODES := $(NODES)
cluster:
	@sh deploy/lib/packages.sh build run cluster
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all
	@BIN=$(OUT) exec sh deploy/cluster/cluster.sh

# TASKS tasks, or what MINUTES allow, while PostgreSQLs, nodes and helpers are
# killed; see bench/failover.mjs.
check-cluster:
	@sh deploy/lib/packages.sh build run cluster
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all
	@CITED_BIN='$(abspath $(OUT))' TASKS='$(TASKS)' MINUTES='$(MINUTES)' \
	    node bench/failover.mjs

# What two and four nodes bring against one, and POST /v1/research against
# single-row inserts with a synchronous standby. NAMES picks.
bench-nodes:
	@sh deploy/lib/packages.sh build run cluster bench
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all
	@CITED_BIN='$(abspath $(OUT))' node bench/nodes.mjs $(NAMES)

# 100,000 pages, or PAGES, moved to a PostgreSQL that writes to disk, and back;
# a node made from nothing.
bench-move: export PAGES := $(PAGES)
bench-move:
	@sh deploy/lib/packages.sh build test bench
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all
	@CITED_BIN='$(abspath $(OUT))' FSYNC=on tests/support/postgres.sh node bench/move.mjs

# What the index costs on SIZE passages of Debian's documentation, against
# plain FTS5 and Xapian, and what hostile pages cost; GROW names a larger size.
SIZE ?= 100000
bench-index:
	@sh deploy/lib/packages.sh build test docs
	@+$(MAKE) --no-print-directory -j$$(nproc) all $(BENCH) build/bench/xapian
	@SIZE='$(SIZE)' GROW='$(GROW)' node bench/index.mjs $(NAMES)
build/bench/xapian: bench/xapian.cc
	@mkdir -p $(@D)
	$(CXX) -O2 -Wall -Wextra -o $@ $< -lxapian -lsqlite3

# How good results, answers and extraction are: COLLECTIONS names the folder
# of test data, ONLY some of its sets.
bench-quality: export COLLECTIONS := $(COLLECTIONS)
bench-quality: export ONLY := $(ONLY)
bench-quality:
	@sh deploy/lib/packages.sh build test bench
	@+$(MAKE) --no-print-directory -j$$(nproc) all build/bench/plain_fts
	@node bench/quality.mjs
# Real questions over the documentation of Debian packages, which are unpacked
# and not installed: DIR/real where it is, and the project's own questions.
bench-real: export COLLECTIONS := $(COLLECTIONS)
bench-real: export ONLY := $(ONLY)
bench-real: export RESEARCH := $(RESEARCH)
bench-real: export EFFORT := $(EFFORT)
bench-real bench-quality: export MEANING := $(MEANING)
bench-quality bench-real bench-meaning bench-objects weights weights-fields: export KEEP := $(KEEP)
bench-real:
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) --no-print-directory -j$$(nproc) all
	@node bench/real.mjs
# What the check of sentences keeps of true ones and of false ones.
bench-check: export COLLECTIONS := $(COLLECTIONS)
bench-check:
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) -s --no-print-directory all
	@CITED_BIN=$(OUT) node bench/check.mjs
# What the encoder of sentences adds to words, over the same questions.
bench-meaning: export COLLECTIONS := $(COLLECTIONS)
bench-meaning: export ONLY := $(ONLY)
bench-meaning:
	@sh deploy/lib/packages.sh build $$(command -v node >/dev/null && \
	    command -v npm >/dev/null || echo meaning)
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all build/bench/meaning
	@node bench/meaning.mjs
# Fields of schemas over documentation; SPLIT=fit those that rules are set with.
bench-objects: export SPLIT := $(SPLIT)
bench-objects:
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) --no-print-directory -j$$(nproc) all
	@node bench/objects.mjs
# The weights of src/answer/weights*.inc, learned from the same questions but
# those that are kept from every fit, and from COLLECTIONS where it is.
weights: export COLLECTIONS := $(COLLECTIONS)
weights: weights-fields
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) --no-print-directory -j$$(nproc) all build/tools/pages build/tools/units build/tools/fit
	@node tools/weights.mjs
# Those of src/object/weights_*.inc, from fields of schemas.
weights-fields:
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) --no-print-directory -j$$(nproc) all build/tools/choices build/tools/fit
	@node tools/choices.mjs
# The weights of the encoder of sentences, into build/meaning; `make install`,
# `make deb` and `make run` take them from there.
meaning:
	@sh deploy/lib/packages.sh build $$(command -v node >/dev/null && \
	    command -v npm >/dev/null || echo meaning)
	@+$(MAKE) -s --no-print-directory -j$$(nproc) build/tools/meaning
	@node tools/meaning.mjs
# The vectors of words that are built in, src/meaning/words.model, learned from
# that encoder over dictionaries and manual pages of Debian packages.
words:
	@sh deploy/lib/packages.sh build $$(command -v node >/dev/null || echo meaning)
	@+$(MAKE) -s --no-print-directory -j$$(nproc) build/tools/words
	@node tools/words.mjs
# Which words of German and French say what words of English do,
# src/lang/CODE.near, learned from texts of Debian packages in both.
translations:
	@sh deploy/lib/packages.sh build $$(command -v node >/dev/null || echo meaning)
	@+$(MAKE) -s --no-print-directory -j$$(nproc) build/tools/near_pairs
	@node tools/translations.mjs
# All that the fits above and the benches have in C; that it is whole is checked.
tools: $(patsubst tools/%.c,build/tools/%,$(wildcard tools/*.c)) \
    build/bench/passages build/bench/meaning
build/tools/%: tools/%.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) $(LINKING) -o $@ $< $(LIB) $(LIBS)
# These ask the index as the service does.
build/bench/passages build/bench/meaning: build/bench/%: bench/%.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) $(LINKING) -o $@ $< $(LIB) $(LIBS)

# A real model as the writer: MODEL is a GGUF file, run by node-llama-cpp in
# the folder LLAMA, or MODEL_URL an endpoint (with MODEL_NAME, MODEL_KEY).
bench-model: export MODEL := $(MODEL)
bench-model: export LLAMA := $(LLAMA)
bench-model: export MODEL_URL := $(MODEL_URL)
bench-model: export MODEL_NAME := $(MODEL_NAME)
bench-model: export MODEL_KEY := $(MODEL_KEY)
bench-model:
	@sh deploy/lib/packages.sh build test
	@+$(MAKE) --no-print-directory -j$$(nproc) all
	@CITED_BIN=$(OUT) node bench/model.mjs
build/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -o $@ $< \
	    -lfcgi -lcurl -lgumbo -lsqlite3 -lpthread -lm

# Every fuzzer for SECONDS of processor time; each parser of foreign bytes has
# one. NAMES picks. What they find stays in build/fuzz.
SECONDS ?= 60
fuzz:
	@sh deploy/lib/packages.sh build test
	$(MAKE) CC=clang FLAVOUR=fuzz fuzz-run
fuzz-run: $(patsubst %,build/fuzz/fuzz_%,$(or $(NAMES),$(FUZZERS)))
	@tests/fuzz/run.sh $(SECONDS) $^
build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) -Itests/support $(LINKING) -fsanitize=fuzzer -o $@ \
	    $< $(LIB) $(LIBS) -lcmocka

# cited.fcgi and cited-worker lie beside each other where nobody calls them by
# hand. The units are filled for DATADIR, OWNER and the web server's WEBGROUP.
SHARE := $(DESTDIR)$(PREFIX)/share
UNITS := cited.socket cited.service cited-worker.service
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/cited \
	    $(SHARE)/cited $(SHARE)/doc/cited $(DESTDIR)$(SYSTEMDDIR) \
	    $(SHARE)/bash-completion/completions \
	    $(SHARE)/man/man1 $(SHARE)/man/man5 $(SHARE)/man/man8
	install -m 755 $(OUT)/cited $(DESTDIR)$(PREFIX)/bin/
	install -m 755 $(OUT)/cited.fcgi $(OUT)/cited-worker \
	    $(DESTDIR)$(PREFIX)/lib/cited/
	[ ! -f $(OUT)/meaning/minilm.model ] || install -m 644 \
	    $(OUT)/meaning/minilm.model $(DESTDIR)$(PREFIX)/lib/cited/
	install -m 644 deploy/man/*.1 $(SHARE)/man/man1/
	install -m 644 deploy/man/*.5 $(SHARE)/man/man5/
	install -m 644 deploy/man/*.8 $(SHARE)/man/man8/
	install -m 644 deploy/completion/cited \
	    $(SHARE)/bash-completion/completions/cited
	cp -R www $(SHARE)/cited/
	for d in apache cgi cluster cron errors grafana lighttpd nginx shared-hosting \
	    spawn-fcgi systemd lib/fill.sh; do \
	    install -d $(SHARE)/cited/$$(dirname deploy/$$d) && \
	    cp -R deploy/$$d $(SHARE)/cited/deploy/$$(dirname $$d)/; done
	install -d $(SHARE)/doc/cited/src
	cp -R README.md NEWS.md CONTRIBUTING.md SECURITY.md LICENSE docs deploy/cited.conf.example $(SHARE)/doc/cited/
	cp src/README.md $(SHARE)/doc/cited/src/
	ln -sfn ../../cited/deploy $(SHARE)/doc/cited/deploy
	for u in $(UNITS); do deploy/lib/fill.sh deploy/systemd/$$u \
	    USER='$(OWNER)' GROUP='$(WEBGROUP)' DATA='$(DATADIR)' \
	    BINDIR='$(PREFIX)/lib/cited' > $(DESTDIR)$(SYSTEMDDIR)/$$u || exit 1; \
	done
	chmod -R u=rwX,go=rX $(SHARE)/cited $(SHARE)/doc/cited

# What is kept and made from the source: the example and the reference of the
# configuration, the version in the description of the interface.
docs: $(OUT)/cited
	@deploy/lib/conf-docs.sh $(OUT)/cited > $(OUT)/configuration.md
	@mv $(OUT)/configuration.md docs/configuration.md
	@$(OUT)/cited conf example > $(OUT)/example
	@mv $(OUT)/example deploy/cited.conf.example
	@sh deploy/lib/version.sh write

# What drives the browser is installed by `make check`.
pictures: all
	@sh deploy/lib/packages.sh browser test
	@set -- build/npm/node_modules/node-linux-*/bin/node; \
	[ -x "$$1" ] || { echo 'pictures: run make check first' >&2; exit 1; }; \
	"$$1" tools/pictures.mjs

# The package is built from a copy of what is tracked, from compiled objects.
deb:
	@sh deploy/lib/packages.sh build deb
	@+$(MAKE) --no-print-directory -j$$(nproc) all
	@bash deploy/lib/deb.sh $(OUT)
check-container:
	@sh deploy/lib/packages.sh container
	@bash deploy/lib/check-container.sh
check-deb: deb
	@sh deploy/lib/packages.sh check-deb
	@bash deploy/lib/check-deb.sh
check-fresh:
	@sh deploy/lib/packages.sh check-deb
	@bash deploy/lib/check-fresh.sh
# Of the commit TAG, default this one: source, package, checksums, parts list,
# in build/release.
TAG ?= HEAD
release:
	@sh deploy/lib/packages.sh build deb
	@+bash deploy/lib/release.sh '$(TAG)'

clean:
	rm -rf build

# --- internal --------------------------------------------------------------
$(LIB): $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^

# Before the first compilation: is there what every program needs? If not, it
# is said which packages have it.
HEADERS := fcgiapp.h cjson/cJSON.h curl/curl.h sqlite3.h md4c.h ini.h \
           idn2.h libpsl.h openssl/sha.h argon2.h expat.h zlib.h \
           uchardet.h libstemmer.h libpq-fe.h
$(OBJ)/ready:
	@mkdir -p $(@D)
	@{ printf '#include <%s>\n' stdio.h $(HEADERS); \
	    echo 'int main(void) { return 0; }'; } > $@.c
	@$(CC) $(CPPFLAGS) $(OWN_CFLAGS) $(CFLAGS) $(LINKING) -o $@.program $@.c \
	    $(LIBS) 2>$@.log || { \
	    sh deploy/lib/packages.sh --missing build && cat $@.log >&2; exit 1; }
	@rm -f $@.*
	@touch $@

# The encoder's arithmetic, for processors that are asked at run time.
ifneq ($(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null)),)
FOR_kernel_avx2 := -mavx2 -mfma -mpopcnt
FOR_kernel_vnni := -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni \
                   -mfma -mpopcnt
endif
$(OBJ)/src/meaning/kernel_%.o: OWN_CFLAGS += -O3 -ffp-contract=fast \
    $(FOR_$(basename $(@F)))
$(OBJ)/src/meaning/encoder.o: OWN_CFLAGS += -O3
$(OBJ)/src/meaning/encoder.o: src/meaning/words.model

$(OBJ)/%.o: %.c | $(OBJ)/ready
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

# Files as C strings (deploy/lib/embed.sh says what they become): the SQL of
# the two databases, the shipped providers' definitions, the documents the
# service sends, the files of deploy/ that the command writes, what its help
# says of each word.
EMBED := deploy/lib/embed.sh
SQL := $(sort $(wildcard src/store/*.sql))
$(OBJ)/src/store/schema_sql.c: $(SQL) $(EMBED)
	@mkdir -p $(@D)
	@$(EMBED) strings $(SQL) > $@
$(OBJ)/src/find/provider_texts.c: $(PROVIDER_CONF) $(EMBED)
	@mkdir -p $(@D)
	@$(EMBED) table find/provider_json.h provider_text \
	    $(foreach f,$(PROVIDER_CONF),$(basename $(notdir $f))=$f) > $@
WEB_TEXTS := $(sort $(wildcard src/web/*.json))
$(OBJ)/src/web/web_texts.c: $(WEB_TEXTS) $(EMBED)
	@mkdir -p $(@D)
	@$(EMBED) strings $(WEB_TEXTS) > $@
$(OBJ)/src/prog/deploy_texts.c: $(DEPLOY_FILES:%=deploy/%) $(EMBED)
	@mkdir -p $(@D)
	@$(EMBED) table prog/cli_deploy.h deploy_text \
	    $(foreach f,$(DEPLOY_FILES),$f=deploy/$f) > $@
HELP_TEXTS := $(sort $(wildcard src/prog/*.help))
$(OBJ)/src/prog/help_texts.c: $(HELP_TEXTS) $(EMBED)
	@mkdir -p $(@D)
	@$(EMBED) strings $(HELP_TEXTS) > $@
WORDS := $(sort $(wildcard src/lang/*.words) $(wildcard src/lang/*.near))
$(OBJ)/src/lang/words_tables.c: $(WORDS) deploy/lib/words.awk
	@mkdir -p $(@D)
	@LC_ALL=C awk -f deploy/lib/words.awk $(WORDS) > $@.$$$$ && mv $@.$$$$ $@
$(OBJ)/src/meaning/encoder.o: src/meaning/words.model
$(OBJ)/%.o: $(OBJ)/%.c
	$(COMPILE) -c -o $@ $<

# Calls from our own objects that these make fail; libraries keep theirs.
$(OUT)/tests/test_faults_db: OWN_LDFLAGS += -Wl,--wrap=sqlite3_step
$(OUT)/tests/test_faults_alloc: OWN_LDFLAGS += \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
$(DRIVERS): $(OUT)/tests/%: tests/support/%.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) $(LINKING) -o $@ $< $(LIB) $(LIBS)

# The fuzzers' seeds, each once.
define seeds_program
$(OUT)/tests/test_seeds_$(1): $(SEEDS_$(1):%=$(OBJ)/tests/fuzz/fuzz_%.o)
$(OUT)/tests/test_seeds_$(1): NAMED := $(SEEDS_$(1):%=X(%))
endef
$(foreach s,answer http rest,$(eval $(call seeds_program,$(s))))
$(SEEDS): tests/fuzz/seeds.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) -Itests/unit -D'FUZZERS=$(NAMED)' $(LINKING) \
	    -o $@ $(filter %.c %.o,$^) $(LIB) $(LIBS) -lcmocka
$(OBJ)/tests/fuzz/%.o: OWN_CPPFLAGS += -Itests/support \
    -DLLVMFuzzerTestOneInput=$(*F)

# Its getaddrinfo and connect stand in for the C library's, for libcurl too.
$(OUT)/tests/test_guard: OWN_LDFLAGS += -rdynamic
# The parser that ours is held against.
$(OUT)/tests/test_html_tree: OWN_LIBS += -lgumbo
$(OUT)/tests/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(COMPILE) -Itests/support $(LINKING) -o $@ $< $(LIB) $(LIBS) -lcmocka

-include $(shell find $(OBJ) $(OUT)/tests $(OUT)/bench $(OUT)/fuzz \
    -path $(OUT)/bench/sites -prune -o -type f -name '*.d' -print 2>/dev/null)
