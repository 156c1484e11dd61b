/* The version of the three programs, printed and sent in User-Agent. */
#ifndef CITED_BASE_VERSION_H
#define CITED_BASE_VERSION_H

#define CITED_VERSION "0.1.0"

#endif
