/*
 * The elements of HTML that anything is known of, and what the tree builder
 * and the readers of its tree have to know about each. Private to text/.
 */
#ifndef CITED_TEXT_TAG_H
#define CITED_TEXT_TAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* WHATWG HTML, section 13.2, in its words where it has one. */
enum tag_kind {
    K_VOID = 1,         /* no content */
    K_SPECIAL = 1 << 1, /* "special" */
    K_FORMAT = 1 << 2,  /* "formatting" */
    K_SCOPE = 1 << 3,   /* ends "in scope" */
    K_IMPLIED = 1 << 4, /* its end tag may be left out */
    K_PARA = 1 << 5,    /* ends a paragraph, nothing else to it */
    K_RAW = 1 << 6,     /* holds text only */
    K_PLAIN = 1 << 7,   /* is HTML even inside svg and math */
    K_BLOCK = 1 << 8,   /* begins a new block of text */
    K_HEAD = 1 << 9,    /* as in the head wherever it stands */
    K_CELL = 1 << 10    /* a part of a table */
};

/* In strcmp order of the names. */
#define TAGS(T)                                                                \
    T(A, a, K_FORMAT)                                                          \
    T(ABBR, abbr, 0)                                                           \
    T(ACRONYM, acronym, 0)                                                     \
    T(ADDRESS, address, K_SPECIAL | K_PARA | K_BLOCK)                          \
    T(APPLET, applet, K_SPECIAL | K_SCOPE)                                     \
    T(AREA, area, K_VOID | K_SPECIAL)                                          \
    T(ARTICLE, article, K_SPECIAL | K_PARA | K_BLOCK)                          \
    T(ASIDE, aside, K_SPECIAL | K_PARA | K_BLOCK)                              \
    T(AUDIO, audio, 0)                                                         \
    T(B, b, K_FORMAT | K_PLAIN)                                                \
    T(BASE, base, K_VOID | K_SPECIAL | K_HEAD)                                 \
    T(BASEFONT, basefont, K_VOID | K_SPECIAL | K_HEAD)                         \
    T(BGSOUND, bgsound, K_VOID | K_SPECIAL | K_HEAD)                           \
    T(BIG, big, K_FORMAT | K_PLAIN)                                            \
    T(BLOCKQUOTE, blockquote, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)          \
    T(BODY, body, K_SPECIAL | K_PLAIN | K_BLOCK)                               \
    T(BR, br, K_VOID | K_SPECIAL | K_PLAIN)                                    \
    T(BUTTON, button, K_SPECIAL | K_BLOCK)                                     \
    T(CANVAS, canvas, 0)                                                       \
    T(CAPTION, caption, K_SPECIAL | K_SCOPE | K_BLOCK | K_CELL)                \
    T(CENTER, center, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)                  \
    T(CODE, code, K_FORMAT | K_PLAIN)                                          \
    T(COL, col, K_VOID | K_SPECIAL | K_CELL)                                   \
    T(COLGROUP, colgroup, K_SPECIAL | K_CELL)                                  \
    T(DATALIST, datalist, 0)                                                   \
    T(DD, dd, K_SPECIAL | K_IMPLIED | K_PLAIN | K_BLOCK)                       \
    T(DEL, del, 0)                                                             \
    T(DETAILS, details, K_SPECIAL | K_PARA | K_BLOCK)                          \
    T(DIALOG, dialog, K_PARA)                                                  \
    T(DIR, dir, K_SPECIAL | K_PARA | K_BLOCK)                                  \
    T(DIV, div, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)                        \
    T(DL, dl, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)                          \
    T(DT, dt, K_SPECIAL | K_IMPLIED | K_PLAIN | K_BLOCK)                       \
    T(EM, em, K_FORMAT | K_PLAIN)                                              \
    T(EMBED, embed, K_VOID | K_SPECIAL | K_PLAIN)                              \
    T(FIELDSET, fieldset, K_SPECIAL | K_PARA | K_BLOCK)                        \
    T(FIGCAPTION, figcaption, K_SPECIAL | K_PARA | K_BLOCK)                    \
    T(FIGURE, figure, K_SPECIAL | K_PARA | K_BLOCK)                            \
    T(FONT, font, K_FORMAT)                                                    \
    T(FOOTER, footer, K_SPECIAL | K_PARA | K_BLOCK)                            \
    T(FORM, form, K_SPECIAL | K_BLOCK)                                         \
    T(FRAME, frame, K_VOID | K_SPECIAL)                                        \
    T(FRAMESET, frameset, K_SPECIAL)                                           \
    T(H1, h1, K_SPECIAL | K_PLAIN | K_BLOCK)                                   \
    T(H2, h2, K_SPECIAL | K_PLAIN | K_BLOCK)                                   \
    T(H3, h3, K_SPECIAL | K_PLAIN | K_BLOCK)                                   \
    T(H4, h4, K_SPECIAL | K_PLAIN | K_BLOCK)                                   \
    T(H5, h5, K_SPECIAL | K_PLAIN | K_BLOCK)                                   \
    T(H6, h6, K_SPECIAL | K_PLAIN | K_BLOCK)                                   \
    T(HEAD, head, K_SPECIAL | K_PLAIN)                                         \
    T(HEADER, header, K_SPECIAL | K_PARA | K_BLOCK)                            \
    T(HGROUP, hgroup, K_SPECIAL | K_PARA | K_BLOCK)                            \
    T(HR, hr, K_VOID | K_SPECIAL | K_PLAIN | K_BLOCK)                          \
    T(HTML, html, K_SPECIAL | K_SCOPE)                                         \
    T(I, i, K_FORMAT | K_PLAIN)                                                \
    T(IFRAME, iframe, K_SPECIAL | K_RAW)                                       \
    T(IMAGE, image, 0)                                                         \
    T(IMG, img, K_VOID | K_SPECIAL | K_PLAIN)                                  \
    T(INPUT, input, K_VOID | K_SPECIAL)                                        \
    T(INS, ins, 0)                                                             \
    T(KBD, kbd, 0)                                                             \
    T(KEYGEN, keygen, K_VOID)                                                  \
    T(LABEL, label, 0)                                                         \
    T(LEGEND, legend, K_BLOCK)                                                 \
    T(LI, li, K_SPECIAL | K_IMPLIED | K_PLAIN | K_BLOCK)                       \
    T(LINK, link, K_VOID | K_SPECIAL | K_HEAD)                                 \
    T(LISTING, listing, K_SPECIAL | K_PLAIN | K_BLOCK)                         \
    T(MAIN, main, K_SPECIAL | K_PARA | K_BLOCK)                                \
    T(MAP, map, 0)                                                             \
    T(MARQUEE, marquee, K_SPECIAL | K_SCOPE)                                   \
    T(MATH, math, 0)                                                           \
    T(MENU, menu, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)                      \
    T(META, meta, K_VOID | K_SPECIAL | K_PLAIN | K_HEAD)                       \
    T(NAV, nav, K_SPECIAL | K_PARA | K_BLOCK)                                  \
    T(NOBR, nobr, K_FORMAT | K_PLAIN)                                          \
    T(NOEMBED, noembed, K_SPECIAL | K_RAW)                                     \
    T(NOFRAMES, noframes, K_SPECIAL | K_RAW | K_HEAD)                          \
    T(NOSCRIPT, noscript, K_SPECIAL)                                           \
    T(OBJECT, object, K_SPECIAL | K_SCOPE)                                     \
    T(OL, ol, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)                          \
    T(OPTGROUP, optgroup, K_IMPLIED)                                           \
    T(OPTION, option, K_IMPLIED | K_BLOCK)                                     \
    T(P, p, K_SPECIAL | K_IMPLIED | K_PARA | K_PLAIN | K_BLOCK)                \
    T(PARAM, param, K_VOID | K_SPECIAL)                                        \
    T(PLAINTEXT, plaintext, K_SPECIAL | K_BLOCK)                               \
    T(PRE, pre, K_SPECIAL | K_PLAIN | K_BLOCK)                                 \
    T(PROGRESS, progress, 0)                                                   \
    T(Q, q, 0)                                                                 \
    T(RB, rb, K_IMPLIED)                                                       \
    T(RP, rp, K_IMPLIED)                                                       \
    T(RT, rt, K_IMPLIED)                                                       \
    T(RTC, rtc, K_IMPLIED)                                                     \
    T(RUBY, ruby, K_PLAIN)                                                     \
    T(S, s, K_FORMAT | K_PLAIN)                                                \
    T(SAMP, samp, 0)                                                           \
    T(SCRIPT, script, K_SPECIAL | K_RAW | K_HEAD)                              \
    T(SEARCH, search, K_SPECIAL | K_PARA)                                      \
    T(SECTION, section, K_SPECIAL | K_PARA | K_BLOCK)                          \
    T(SELECT, select, K_SPECIAL | K_BLOCK)                                     \
    T(SMALL, small, K_FORMAT | K_PLAIN)                                        \
    T(SOURCE, source, K_VOID | K_SPECIAL)                                      \
    T(SPAN, span, K_PLAIN)                                                     \
    T(STRIKE, strike, K_FORMAT | K_PLAIN)                                      \
    T(STRONG, strong, K_FORMAT | K_PLAIN)                                      \
    T(STYLE, style, K_SPECIAL | K_RAW | K_HEAD)                                \
    T(SUB, sub, K_PLAIN)                                                       \
    T(SUMMARY, summary, K_SPECIAL | K_PARA | K_BLOCK)                          \
    T(SUP, sup, K_PLAIN)                                                       \
    T(SVG, svg, 0)                                                             \
    T(TABLE, table, K_SPECIAL | K_SCOPE | K_PLAIN | K_BLOCK)                   \
    T(TBODY, tbody, K_SPECIAL | K_BLOCK | K_CELL)                              \
    T(TD, td, K_SPECIAL | K_SCOPE | K_BLOCK | K_CELL)                          \
    T(TEMPLATE, template, K_SPECIAL | K_SCOPE | K_HEAD)                        \
    T(TEXTAREA, textarea, K_SPECIAL | K_RAW)                                   \
    T(TFOOT, tfoot, K_SPECIAL | K_BLOCK | K_CELL)                              \
    T(TH, th, K_SPECIAL | K_SCOPE | K_BLOCK | K_CELL)                          \
    T(THEAD, thead, K_SPECIAL | K_BLOCK | K_CELL)                              \
    T(TIME, time, 0)                                                           \
    T(TITLE, title, K_SPECIAL | K_RAW | K_HEAD)                                \
    T(TR, tr, K_SPECIAL | K_BLOCK | K_CELL)                                    \
    T(TRACK, track, K_VOID | K_SPECIAL)                                        \
    T(TT, tt, K_FORMAT | K_PLAIN)                                              \
    T(U, u, K_FORMAT | K_PLAIN)                                                \
    T(UL, ul, K_SPECIAL | K_PARA | K_PLAIN | K_BLOCK)                          \
    T(VAR, var, K_PLAIN)                                                       \
    T(VIDEO, video, 0)                                                         \
    T(WBR, wbr, K_VOID | K_SPECIAL)                                            \
    T(XMP, xmp, K_SPECIAL | K_RAW | K_BLOCK)

#define TAG_ENUM(id, name, kind) TAG_##id,
enum tag { TAGS(TAG_ENUM) TAG_UNKNOWN, TAG_COUNT };
#undef TAG_ENUM

/* The element of the name, any case; TAG_UNKNOWN. */
enum tag tag_find(const char *name, size_t n);

const char *tag_name(enum tag tag); /* "" of TAG_UNKNOWN */

/* Its enum tag_kind, or-ed; 0 of TAG_UNKNOWN. */
unsigned tag_kind(enum tag tag);

#endif
