/*
 * The address guard's rule: which addresses may be connected to without the
 * operator naming the host. After the IANA special-purpose address registries
 * (RFC 6890 and its updates). http.c asks it for every socket it opens; it
 * knows nothing of names, requests or the allow list.
 */
#include "net/http.h"

#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

struct range4 {
    uint32_t base;
    int bits;
};

struct range6 {
    unsigned char base[4]; /* no range here is longer than 32 bits */
    int bits;
};

#define IP4(a, b, c, d)                                                        \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 |          \
     (uint32_t)(d))

static const struct range4 closed4[] = {
    {IP4(0, 0, 0, 0), 8},       /* this network */
    {IP4(10, 0, 0, 0), 8},      /* private */
    {IP4(100, 64, 0, 0), 10},   /* shared (carrier NAT) */
    {IP4(127, 0, 0, 0), 8},     /* loopback */
    {IP4(169, 254, 0, 0), 16},  /* link-local, cloud metadata */
    {IP4(172, 16, 0, 0), 12},   /* private */
    {IP4(192, 0, 0, 0), 24},    /* protocol assignments */
    {IP4(192, 0, 2, 0), 24},    /* documentation */
    {IP4(192, 88, 99, 0), 24},  /* 6to4 relays */
    {IP4(192, 168, 0, 0), 16},  /* private */
    {IP4(198, 18, 0, 0), 15},   /* benchmarking */
    {IP4(198, 51, 100, 0), 24}, /* documentation */
    {IP4(203, 0, 113, 0), 24},  /* documentation */
    {IP4(224, 0, 0, 0), 4},     /* multicast */
    {IP4(240, 0, 0, 0), 4},     /* reserved, broadcast */
};

/* Inside 2000::/3, the only block given out as global unicast. */
static const struct range6 closed6[] = {
    {{0x20, 0x01, 0x00, 0x00}, 23}, /* protocol assignments, Teredo, ORCHID */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
    {{0x20, 0x02, 0x00, 0x00}, 16}, /* 6to4: carries any IPv4 address */
    {{0x3f, 0xff, 0x00, 0x00}, 20}, /* documentation */
};

static uint32_t load32(const unsigned char *p)
{
    return IP4(p[0], p[1], p[2], p[3]);
}

static bool within(uint32_t value, uint32_t base, int bits)
{
    uint32_t mask = UINT32_MAX << (32 - bits);

    return (value & mask) == (base & mask);
}

static bool is_public4(const struct in_addr *in)
{
    uint32_t v = ntohl(in->s_addr);

    for (size_t i = 0; i < sizeof closed4 / sizeof *closed4; i++)
        if (within(v, closed4[i].base, closed4[i].bits))
            return false;
    return true;
}

static bool is_public6(const struct in6_addr *in)
{
    uint32_t v = load32(in->s6_addr);

    /* Leaves out ::, ::1, mapped, NAT64, unique local, link-local,
     * multicast: none of them begins with the bits 001. */
    if (!within(v, UINT32_C(0x20000000), 3))
        return false;
    for (size_t i = 0; i < sizeof closed6 / sizeof *closed6; i++)
        if (within(v, load32(closed6[i].base), closed6[i].bits))
            return false;
    return true;
}

bool http_address_is_public(const struct sockaddr *sa)
{
    if (sa->sa_family == AF_INET) {
        struct sockaddr_in in;

        memcpy(&in, sa, sizeof in);
        return is_public4(&in.sin_addr);
    }
    if (sa->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;

        memcpy(&in6, sa, sizeof in6);
        return is_public6(&in6.sin6_addr);
    }
    return false;
}
