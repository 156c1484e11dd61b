/*
 * The floor: a bare libfcgi program that answers every request with 80 bytes
 * of JSON. Usage: bare_fcgi THREADS, with a listening socket as descriptor 0.
 * What our responder is compared with in the same run.
 */
#include <fcgiapp.h>
#include <pthread.h>
#include <stdlib.h>

static const char reply[] =
    "Status: 200 OK\r\nContent-Type: application/json\r\n\r\n"
    "{\"padding\":\"0123456789012345678901234567890123456789012345678901"
    "234567890123456\"}\n";

static void *serve(void *arg)
{
    FCGX_Request rq;

    (void)arg;
    FCGX_InitRequest(&rq, 0, 0);
    while (FCGX_Accept_r(&rq) == 0) {
        FCGX_PutStr(reply, sizeof reply - 1, rq.out);
        FCGX_Finish_r(&rq);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 16;

    FCGX_Init();
    for (long i = 1; i < n; i++) {
        pthread_t t;

        if (pthread_create(&t, NULL, serve, NULL) != 0)
            return 1;
    }
    serve(NULL);
    return 0;
}
