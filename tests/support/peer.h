/*
 * What every server inside a test program does: listen on the loopback, read
 * a request.
 */
#ifndef CITED_TESTS_PEER_H
#define CITED_TESTS_PEER_H

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A listening socket on a free port, -1 if there is none. */
static inline int peer_listen(int *port)
{
    struct sockaddr_in sa = {.sin_family = AF_INET};
    socklen_t n = sizeof(sa);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)&sa, sizeof(sa)) != 0 ||
        listen(fd, 256) != 0 ||
        getsockname(fd, (struct sockaddr *)&sa, &n) != 0)
        return -1;
    *port = ntohs(sa.sin_port);
    return fd;
}

/* One request into z[max + 1]: headers and the body they announce. */
static inline void peer_read(int fd, char *z, size_t max)
{
    size_t n = 0, want = 0;
    char *end = NULL, *len;

    while (n < max && (end == NULL || n < want)) {
        ssize_t k = recv(fd, z + n, max - n, 0);

        if (k <= 0)
            break;
        n += (size_t)k;
        z[n] = '\0';
        if (end == NULL && (end = strstr(z, "\r\n\r\n")) != NULL) {
            len = strcasestr(z, "Content-Length:");
            want = (size_t)(end + 4 - z) +
                   (len != NULL && len < end ? (size_t)atol(len + 15) : 0);
        }
    }
    z[n] = '\0';
}

#endif
