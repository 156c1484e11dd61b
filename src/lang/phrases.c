/* What the program says, by language; see phrases.h. */
#include "lang/phrases.h"

#include <stddef.h>

static const char *const said[PHRASE_COUNT][LANG_COUNT] = {
    [PHRASE_INTRODUCES] = {[LANG_EN] = "introduction overview about what",
                           [LANG_DE] = "Einleitung \xC3\x9C"
                                       "berblick \xC3\xBC"
                                       "ber was",
                           [LANG_FR] = "introduction pr\xC3\xA9sentation "
                                       "aper\xC3\xA7u propos",
                           [LANG_ES] = "introducci\xC3\xB3n resumen acerca "
                                       "qu\xC3\xA9",
                           [LANG_IT] = "introduzione panoramica cosa",
                           [LANG_PT] = "introdu\xC3\xA7\xC3\xA3o sobre vis\xC3\xA3o "
                                       "geral",
                           [LANG_NL] = "inleiding overzicht over wat",
                           [LANG_SV] = "inledning \xC3\xB6versikt om vad",
                           [LANG_DA] = "indledning oversigt om hvad",
                           [LANG_NO] = "innledning oversikt om hva"},
    [PHRASE_ONLY_CLOSE] = {
        [LANG_EN] = "The pages found do not answer this directly. The closest "
                    "passage:",
        [LANG_DE] = "Die gefundenen Seiten beantworten das nicht direkt. Die "
                    "n\xC3\xA4"
                    "chste Stelle:",
        [LANG_FR] = "Les pages trouv\xC3\xA9"
                    "es n\xE2\x80\x99y r\xC3\xA9pondent pas "
                    "directement. Le passage le plus proche :",
        [LANG_ES] = "Las p\xC3\xA1ginas encontradas no responden a esto "
                    "directamente. El pasaje m\xC3\xA1s cercano:",
        [LANG_IT] = "Le pagine trovate non rispondono direttamente. Il passo "
                    "pi\xC3\xB9 vicino:",
        [LANG_PT] = "As p\xC3\xA1ginas encontradas n\xC3\xA3o respondem "
                    "diretamente. O trecho mais pr\xC3\xB3ximo:",
        [LANG_NL] =
            "De gevonden pagina\xE2\x80\x99s beantwoorden dit niet "
            "rechtstreeks. De passage die het dichtst in de buurt komt:",
        [LANG_SV] = "Sidorna som hittades svarar inte direkt p\xC3\xA5 detta. "
                    "Det n\xC3\xA4rmaste avsnittet:",
        [LANG_DA] = "De fundne sider besvarer ikke dette direkte. Det "
                    "n\xC3\xA6rmeste afsnit:",
        [LANG_NO] =
            "Sidene som ble funnet, svarer ikke direkte p\xC3\xA5 dette. "
            "Det n\xC3\xA6rmeste avsnittet:",
        [LANG_FI] =
            "L\xC3\xB6ydetyt sivut eiv\xC3\xA4t vastaa t\xC3\xA4h\xC3\xA4n "
            "suoraan. L\xC3\xA4hin kohta:",
        [LANG_RU] =
            "\xD0\x9D\xD0\xB0\xD0\xB9\xD0\xB4\xD0\xB5\xD0\xBD\xD0\xBD\xD1\x8B"
            "\xD0\xB5 "
            "\xD1\x81\xD1\x82\xD1\x80\xD0\xB0\xD0\xBD\xD0\xB8\xD1\x86\xD1\x8B "
            "\xD0\xBD\xD0\xB5 "
            "\xD0\xBE\xD1\x82\xD0\xB2\xD0\xB5\xD1\x87\xD0\xB0\xD1\x8E\xD1\x82 "
            "\xD0\xBD\xD0\xB0 \xD1\x8D\xD1\x82\xD0\xBE "
            "\xD0\xBF\xD1\x80\xD1\x8F\xD0\xBC\xD0\xBE. "
            "\xD0\x91\xD0\xBB\xD0\xB8\xD0\xB6\xD0\xB0\xD0\xB9\xD1\x88\xD0\xB5"
            "\xD0\xB5 "
            "\xD0\xBC\xD0\xB5\xD1\x81\xD1\x82\xD0\xBE:",
        [LANG_ZH] =
            "\xE6\x89\xBE\xE5\x88\xB0\xE7\x9A\x84\xE9\xA1\xB5\xE9\x9D\xA2"
            "\xE6\xB2\xA1\xE6\x9C\x89\xE7\x9B\xB4\xE6\x8E\xA5\xE5\x9B\x9E"
            "\xE7\xAD\x94\xE3\x80\x82\xE6\x9C\x80\xE6\x8E\xA5\xE8\xBF\x91"
            "\xE7\x9A\x84\xE6\xAE\xB5\xE8\x90\xBD\xEF\xBC\x9A",
        [LANG_JA] =
            "\xE8\xA6\x8B\xE3\x81\xA4\xE3\x81\x8B\xE3\x81\xA3\xE3\x81\x9F"
            "\xE3\x83\x9A\xE3\x83\xBC\xE3\x82\xB8\xE3\x81\xAB\xE7\x9B\xB4"
            "\xE6\x8E\xA5\xE3\x81\xAE\xE7\xAD\x94\xE3\x81\x88\xE3\x81\xAF"
            "\xE3\x81\x82\xE3\x82\x8A\xE3\x81\xBE\xE3\x81\x9B\xE3\x82\x93"
            "\xE3\x80\x82\xE6\x9C\x80\xE3\x82\x82\xE8\xBF\x91\xE3\x81\x84"
            "\xE7\xAE\x87\xE6\x89\x80\xEF\xBC\x9A",
        [LANG_KO] =
            "\xEC\xB0\xBE\xEC\x9D\x80 \xED\x8E\x98\xEC\x9D\xB4\xEC\xA7\x80"
            "\xEC\x97\x90\xEB\x8A\x94 \xEC\xA7\x81\xEC\xA0\x91\xEC\xA0\x81"
            "\xEC\x9D\xB8 \xEB\x8B\xB5\xEC\x9D\xB4 \xEC\x97\x86\xEC\x8A\xB5"
            "\xEB\x8B\x88\xEB\x8B\xA4. \xEA\xB0\x80\xEC\x9E\xA5 \xEA\xB0\x80"
            "\xEA\xB9\x8C\xEC\x9A\xB4 \xEA\xB5\xAC\xEC\xA0\x88:"}};

const char *phrase(enum lang l, enum phrase p)
{
    const char *z = l < LANG_COUNT ? said[p][l] : NULL;

    return z != NULL ? z : said[p][LANG_EN];
}
