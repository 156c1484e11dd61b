/*
 * cited.fcgi: the responder. Serves FastCGI on descriptor 0, or on 3 when a
 * service manager passed a socket there; else one request of plain CGI.
 */
#include "base/log.h"
#include "base/meter.h"
#include "base/version.h"
#include "find/provider.h"
#include "model/model.h"
#include "model/relevance.h"
#include "net/http.h"
#include "run/follower.h"
#include "run/kick.h"
#include "run/pdf.h"
#include "web/limit.h"
#include "web/usage.h"

#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static const char help[] =
    "usage: cited.fcgi [--conf FILE] [--data DIR]\n"
    "The FastCGI and CGI responder of cited. A web server, spawn-fcgi or a\n"
    "service manager starts it with a listening socket as descriptor 0 (or 3\n"
    "with LISTEN_FDS); `make run` starts the whole service by hand.\n";

/* The descriptor that listens, or -1. */
static int listening_fd(void)
{
    const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
    int fd = pid != NULL && fds != NULL && strtol(pid, NULL, 10) == getpid()
                 ? 3
                 : STDIN_FILENO;
    int on = 0;
    socklen_t len = sizeof on;

    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &len) != 0)
        return -1;
    return on ? fd : -1;
}

/* Signals that end us become readable bytes; threads inherit the mask. */
static int stop_signals(void)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The figures of all processes of the data folder; where there is no folder
 * yet, this process counts for itself. */
static enum err open_meter(struct app *app)
{
    enum err e = meter_open(app->conf, &app->meter);

    provider_set_count_in(app->providers, app->meter);
    model_count_in(app->model, app->meter);
    relevance_count_in(app->relevance, app->meter);
    return e;
}

/* stop_fd is -1 for plain CGI. */
static enum err serve(struct app *app, int listen_fd, int stop_fd,
                      struct errctx *ec)
{
    enum err e;

    if (listen_fd < 0)
        return cgi_serve(app, environ, STDIN_FILENO, STDOUT_FILENO, ec);
    if (stop_fd < 0)
        return err_set(ec, ERR_IO, "signals cannot be watched");
    e = fcgi_serve(app, listen_fd, stop_fd, ec);
    if (e == ERR_TIMEOUT) { /* threads still run: give nothing back */
        log_warn(NULL, "%s", ec->msg);
        _exit(0);
    }
    return e;
}

static enum err run(struct conf *c, int listen_fd, struct errctx *ec)
{
    struct store_files files = {0};
    struct app app = {.conf = c,
                      .files = &files,
                      .web_servers = getenv("FCGI_WEB_SERVER_ADDRS")};
    /* Before the first thread: one that did not block them would take them. */
    int stop_fd = listen_fd >= 0 ? stop_signals() : -1;
    struct pdf_reader pdf;
    struct follower follower = {.started = false};
    enum err e = store_files_open(c, &files, ec);

    /* lighttpd ends a CGI program as soon as its reply is read: before the
     * helper that has to follow is started. */
    if (listen_fd < 0)
        signal(SIGTERM, SIG_IGN);
    pdf_reader_init(&pdf, c);
    app.pdf = &pdf;
    if (e == ERR_OK)
        e = provider_set_new(c, &app.providers, ec);
    if (e == ERR_OK)
        e = model_new(c, &app.model, ec);
    if (e == ERR_OK)
        e = relevance_new(c, &app.relevance, ec);
    if (e == ERR_OK)
        e = usage_new(&app.usage);
    if (e == ERR_OK)
        e = kick_new(&app, listen_fd >= 0, ec);
    if (e == ERR_OK)
        e = open_meter(&app); /* after kick_new: it makes the folder */
    if (e == ERR_OK)
        e = limits_open(c, &app.limits);
    if (e == ERR_OK && listen_fd >= 0)
        follower_start(&follower, c, &files);
    if (e == ERR_OK)
        limits_share(app.limits, &app.nodes);
    if (e == ERR_OK)
        e = serve(&app, listen_fd, stop_fd, ec);
    else if (listen_fd < 0)
        cgi_refuse(STDOUT_FILENO, e);
    follower_stop(&follower);
    kick_free(&app);
    usage_free(app.usage, files.state);
    limits_free(app.limits);
    relevance_free(app.relevance);
    model_free(app.model);
    provider_set_free(app.providers);
    meter_free(app.meter);
    store_files_close(&files);
    http_global_fini();
    if (stop_fd >= 0)
        close(stop_fd);
    return e;
}

/* -1 to go on, else the exit status. */
static int read_options(int argc, char **argv, const char **conf_path,
                        const char **data_dir)
{
    static const struct option options[] = {
        {"conf", required_argument, NULL, 'c'},
        {"data", required_argument, NULL, 'd'},
        {"version", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int o;

    while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (o == 'c')
            *conf_path = optarg;
        else if (o == 'd')
            *data_dir = optarg;
        else if (o == 'v')
            return puts("cited.fcgi " CITED_VERSION) < 0;
        else if (o == 'h')
            return fputs(help, stdout) < 0;
        else
            return fputs(help, stderr) < 0 ? 1 : 2;
    }
    return -1;
}

/* Under CGI the server turns a query string without '=' into arguments
 * (RFC 3875, section 4.4): those are a stranger's words, not options. */
static bool has_foreign_arguments(void)
{
    const char *q = getenv("QUERY_STRING");

    return q != NULL && *q != '\0' && strchr(q, '=') == NULL;
}

int main(int argc, char **argv)
{
    const char *conf_path = NULL, *data_dir = getenv("CITED_DATA");
    int listen_fd = listening_fd();
    bool cgi = listen_fd < 0 && getenv("REQUEST_METHOD") != NULL;
    struct conf c;
    struct errctx ec = {0};
    enum err e;
    int status = cgi && has_foreign_arguments()
                     ? -1
                     : read_options(argc, argv, &conf_path, &data_dir);

    if (status >= 0)
        return status;
    if (listen_fd < 0 && !cgi)
        return fputs(help, stderr) < 0 ? 1 : 2;
    /* Many threads, little memory: few heaps, and a big block goes back to
     * the system as soon as it is free. */
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
    e = conf_load(&c, conf_path, data_dir, environ, &ec);
    if (e == ERR_OK) {
        log_set_level_named(c.log_level);
        e = run(&c, listen_fd, &ec);
        conf_fini(&c);
    } else if (cgi) {
        cgi_refuse(STDOUT_FILENO, ERR_INTERNAL);
    }
    if (e != ERR_OK)
        log_error(NULL, "cited.fcgi: %s", ec.msg);
    return e == ERR_OK ? 0 : 1;
}
