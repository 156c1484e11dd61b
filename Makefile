# cited: build, run, check. GNU make; everything made goes under build/.
#
#   make            the three programs
#   make run        install what is missing, build, start a local service
#   make check      install what the tests need, run all of them
#   make bench      what the service costs, against bare programs
#   make bench-index   what the index costs, on real text, and hostile pages
#   make bench-quality COLLECTIONS=DIR   how good results and answers are
#   make bench-model MODEL=FILE LLAMA=DIR   what a real model's sentences are worth
#   make install    programs, pages, manuals below PREFIX; DESTDIR is honoured
#   make deb        a Debian package in build/
#   make check-deb  install, use, remove and purge it in a fresh Debian root
#   make fuzz       every fuzzer for SECONDS=60
#   make docs       docs/configuration.md, from the table of keys

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

PKGS     := libcjson sqlite3 gumbo libidn2 libpsl libcrypto libargon2 expat \
            zlib uchardet
WARN     := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Wformat=2
OPT_plain := -O2 -g -D_FORTIFY_SOURCE=2 -fstack-protector-strong
OPT_asan  := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
             -fno-sanitize-recover=undefined -DBUF_MIN_BYTES=1
OPT_fuzz := -O1 -g -fno-omit-frame-pointer \
            -fsanitize=address,undefined,fuzzer-no-link
OPT_werror := $(OPT_plain) -Werror

ifeq ($(FLAVOUR),plain)
OUT := build
else
OUT := build/$(FLAVOUR)
endif
OBJ := $(OUT)/obj

CPPFLAGS += -Isrc -I$(OBJ)/src -D_GNU_SOURCE
CFLAGS   += -std=c11 $(WARN) $(OPT_$(or $(OPT),$(FLAVOUR))) -fPIE -MMD -MP \
            $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LDFLAGS  += -pie -Wl,-z,relro,-z,now $(filter -fsanitize=%,$(CFLAGS))
LDLIBS   += -lfcgi -linih -lstemmer -lm -lpthread \
            $(shell pkg-config --libs $(PKGS) 2>/dev/null)

# --- sources ---------------------------------------------------------------
ROOMS    := base json net text store search research crawl web
LIB_SRC  := $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c)) \
            src/prog/spawn.c src/prog/kick.c src/prog/courier.c \
            src/prog/pdf.c src/prog/crawler.c src/prog/programs.c \
            src/prog/retention.c
CLI_SRC  := $(wildcard src/prog/cli_*.c)
WORK_SRC := $(wildcard src/prog/worker*.c)
LIB_OBJ  := $(LIB_SRC:%.c=$(OBJ)/%.o) $(OBJ)/src/store/schema_sql.o \
            $(OBJ)/src/search/provider_texts.o $(OBJ)/src/web/web_texts.o
DEPLOY_FILES := lighttpd/cited.conf lighttpd/socket.conf apache/cited.conf \
            apache/socket.conf nginx/cited.conf \
            spawn-fcgi/cited cgi/cited.cgi shared-hosting/.htaccess \
            $(sort $(patsubst deploy/%,%,$(wildcard deploy/errors/*.json)))
PROVIDER_CONF := $(wildcard deploy/providers/*.conf)
LIB      := $(OUT)/libcited.a
PROGRAMS := $(OUT)/cited.fcgi $(OUT)/cited-worker $(OUT)/cited

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT     := $(UNIT_SRC:tests/unit/%.c=$(OUT)/tests/%)
# What end-to-end tests start to reach a module directly.
DRIVERS  := $(OUT)/tests/schema_check

# --- public targets --------------------------------------------------------
.PHONY: all run check unit tests bench bench-index bench-quality bench-model fuzz \
        fuzz-run install deb check-deb docs clean help
all: $(PROGRAMS)

help:
	@sed -n 's/^#   make/make/p' Makefile

$(OUT)/cited.fcgi: $(OBJ)/src/prog/main_fcgi.o $(LIB)
$(OUT)/cited-worker: $(OBJ)/src/prog/main_worker.o \
    $(WORK_SRC:%.c=$(OBJ)/%.o) $(LIB)
$(OUT)/cited: $(OBJ)/src/prog/main_cited.o $(CLI_SRC:%.c=$(OBJ)/%.o) \
    $(OBJ)/src/prog/deploy_texts.o $(LIB)
$(PROGRAMS):
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Unit and handler tests of this flavour, each program once.
unit: $(UNIT)
	@fail=0; for t in $(UNIT); do \
	    echo "== $$t"; $$t || fail=1; done; exit $$fail

# The programs of the unit tests, not run, and the tests' own tools.
tests: $(UNIT) $(DRIVERS)

# A local service in the foreground; Ctrl-C stops it.
run:
	@sh deploy/lib/packages.sh build run
	@echo "Building."
	@+$(MAKE) -s --no-print-directory -j$$(nproc) all
	@exec env PORT='$(PORT)' DATA='$(DATA)' BIN='$(OUT)' \
	    sh deploy/lib/run.sh

# All tests; the last line counts them. Logs go to build/check/.
check:
	@sh deploy/lib/packages.sh build test
	@for peer in wiki searx httpbin browser; do \
	    sh deploy/lib/packages.sh $$peer || \
	        echo "SKIPPED tests with $$peer: it cannot be installed"; done
	@+MAKE='$(MAKE)' bash deploy/lib/check.sh

# What the service costs, against bare programs in the same run. NAMES picks.
BENCH := $(patsubst bench/%.c,build/bench/%,$(wildcard bench/*.c))
bench:
	@sh deploy/lib/packages.sh build test bench
	@+$(MAKE) --no-print-directory -j$$(nproc) all $(BENCH)
	@node bench/bench.mjs $(NAMES)

# What the index costs on SIZE passages of Debian's documentation, against
# plain FTS5, and what hostile pages cost.
SIZE ?= 100000
bench-index:
	@sh deploy/lib/packages.sh build test docs
	@+$(MAKE) --no-print-directory -j$$(nproc) all $(BENCH)
	@SIZE='$(SIZE)' node bench/index.mjs $(NAMES)

# How good results, answers and extraction are: COLLECTIONS names the folder
# of test data, ONLY some of its sets.
bench-quality:
	@sh deploy/lib/packages.sh build test bench
	@+$(MAKE) --no-print-directory -j$$(nproc) all build/bench/plain_fts
	@COLLECTIONS='$(COLLECTIONS)' ONLY='$(ONLY)' node bench/quality.mjs
# This one asks the index as the service does.
build/bench/passages: bench/passages.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# A real model as the writer: MODEL is a GGUF file, run by node-llama-cpp in
# the folder LLAMA, or MODEL_URL an endpoint (with MODEL_NAME, MODEL_KEY).
bench-model: all
	@CITED_BIN='$(OUT)' MODEL='$(MODEL)' LLAMA='$(LLAMA)' \
	    MODEL_URL='$(MODEL_URL)' MODEL_NAME='$(MODEL_NAME)' \
	    MODEL_KEY='$(MODEL_KEY)' node bench/model.mjs
build/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -o $@ $< \
	    -lfcgi -lcurl -lgumbo -lsqlite3 -lpthread -lm

# Every fuzzer for SECONDS; each parser of foreign bytes has one.
SECONDS ?= 60
FUZZ := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/*.c))
fuzz:
	$(MAKE) CC=clang FLAVOUR=fuzz fuzz-run
fuzz-run: $(FUZZ)
	@for f in $(FUZZ); do echo "== $$f"; mkdir -p $$f.corpus; \
	    $$f -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=1024 \
	    -print_final_stats=0 $$f.corpus 2>$$f.log || { tail -30 $$f.log; exit 1; }; \
	    tail -1 $$f.log; done
build/fuzz/%: tests/fuzz/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer -pie -o $@ $< $(LIB) $(LDLIBS)

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
	install -m 644 deploy/man/*.1 $(SHARE)/man/man1/
	install -m 644 deploy/man/*.5 $(SHARE)/man/man5/
	install -m 644 deploy/man/*.8 $(SHARE)/man/man8/
	install -m 644 deploy/completion/cited \
	    $(SHARE)/bash-completion/completions/cited
	cp -R www $(SHARE)/cited/
	for d in apache cgi cron errors grafana lighttpd nginx shared-hosting \
	    spawn-fcgi systemd lib/fill.sh; do \
	    install -d $(SHARE)/cited/$$(dirname deploy/$$d) && \
	    cp -R deploy/$$d $(SHARE)/cited/deploy/$$(dirname $$d)/; done
	cp -R README.md docs deploy/cited.conf.example $(SHARE)/doc/cited/
	for u in $(UNITS); do deploy/lib/fill.sh deploy/systemd/$$u \
	    USER='$(OWNER)' GROUP='$(WEBGROUP)' DATA='$(DATADIR)' \
	    BINDIR='$(PREFIX)/lib/cited' > $(DESTDIR)$(SYSTEMDDIR)/$$u || exit 1; \
	done
	chmod -R u=rwX,go=rX $(SHARE)/cited $(SHARE)/doc/cited

# The reference of the configuration, written over the one in docs/.
docs: $(OUT)/cited
	@deploy/lib/conf-docs.sh $(OUT)/cited > $(OUT)/configuration.md
	@mv $(OUT)/configuration.md docs/configuration.md

# The package is built from a copy of what is tracked, from compiled objects.
deb: all
	@sh deploy/lib/packages.sh build deb
	@bash deploy/lib/deb.sh '$(OUT)'
check-deb: deb
	@sh deploy/lib/packages.sh check-deb
	@bash deploy/lib/check-deb.sh

clean:
	rm -rf build

# --- internal --------------------------------------------------------------
$(LIB): $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# The SQL of the two databases as C strings: state_sql[], state_2_sql[] …
SQL := $(sort $(wildcard src/store/*.sql))
$(OBJ)/src/store/schema_sql.c: $(SQL)
	@mkdir -p $(@D)
	@{ for f in $(basename $(notdir $(SQL))); do \
	    printf 'extern const char %s_sql[];\nconst char %s_sql[] =\n' $$f $$f; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' \
	        src/store/$$f.sql; \
	    echo ';'; done; } > $@
$(OBJ)/src/store/schema_sql.o: $(OBJ)/src/store/schema_sql.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# The shipped providers' definitions as C strings.
$(OBJ)/src/search/provider_texts.c: $(PROVIDER_CONF)
	@mkdir -p $(@D)
	@{ echo '#include "search/provider_json.h"'; \
	echo 'const struct provider_text provider_texts[] = {'; \
	for f in $(PROVIDER_CONF); do \
	    printf '{"%s",\n' "$$(basename $$f .conf)"; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; \
	    echo '},'; done; echo '{NULL, NULL}};'; } > $@
$(OBJ)/src/search/provider_texts.o: $(OBJ)/src/search/provider_texts.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Documents the service sends, as C strings: openapi_json[] …
WEB_TEXTS := $(sort $(wildcard src/web/*.json))
$(OBJ)/src/web/web_texts.c: $(WEB_TEXTS)
	@mkdir -p $(@D)
	@{ for f in $(basename $(notdir $(WEB_TEXTS))); do \
	    printf 'extern const char %s_json[];\nconst char %s_json[] =\n' \
	        $$f $$f; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^ */"/' -e 's/$$/\\n"/' \
	        src/web/$$f.json; \
	    echo ';'; done; } > $@
$(OBJ)/src/web/web_texts.o: $(OBJ)/src/web/web_texts.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# The files of deploy/ that the command writes, as C strings.
$(OBJ)/src/prog/deploy_texts.c: $(DEPLOY_FILES:%=deploy/%)
	@mkdir -p $(@D)
	@{ echo '#include "prog/cli_deploy.h"'; \
	echo 'const struct deploy_text deploy_texts[] = {'; \
	for f in $(DEPLOY_FILES); do printf '{"%s",\n' "$$f"; \
	    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/??/?\\?/g' \
	        -e 's/^/"/' -e 's/$$/\\n"/' deploy/$$f; \
	    echo '},'; done; echo '{NULL, NULL}};'; } > $@
$(OBJ)/src/prog/deploy_texts.o: $(OBJ)/src/prog/deploy_texts.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Calls from our own objects that these make fail; libraries keep theirs.
$(OUT)/tests/test_faults_db: LDFLAGS += -Wl,--wrap=sqlite3_step
$(OUT)/tests/test_faults_alloc: LDFLAGS += \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
$(DRIVERS): $(OUT)/tests/%: tests/support/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# Its getaddrinfo and connect stand in for the C library's, for libcurl too.
$(OUT)/tests/test_guard: LDFLAGS += -rdynamic
$(OUT)/tests/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests/support $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) \
	    $(LDLIBS) -lcmocka

-include $(shell find $(OBJ) $(OUT)/tests $(OUT)/bench $(OUT)/fuzz \
    -type f -name '*.d' 2>/dev/null)
