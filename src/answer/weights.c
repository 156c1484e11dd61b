/* The weights; see weights.h. */
#include "answer/weights.h"

static const struct weights by_nothing = {{
#include "answer/weights.inc"
                                          },
                                          {
#include "answer/weights_define.inc"
                                          },
                                          {
#include "answer/weights_subject.inc"
                                          },
                                          {
#include "answer/weights_direct.inc"
                                          }};

static const struct weights by_words = {{
#include "answer/weights_words.inc"
                                        },
                                        {
#include "answer/weights_words_define.inc"
                                        },
                                        {
#include "answer/weights_words_subject.inc"
                                        },
                                        {
#include "answer/weights_words_direct.inc"
                                        }};

static const struct weights by_encoder = {{
#include "answer/weights_meaning.inc"
                                          },
                                          {
#include "answer/weights_meaning_define.inc"
                                          },
                                          {
#include "answer/weights_meaning_subject.inc"
                                          },
                                          {
#include "answer/weights_meaning_direct.inc"
                                          }};

const struct weights *weights_of(enum meant_by by)
{
    return by == MEANT_BY_ENCODER ? &by_encoder
           : by == MEANT_BY_WORDS ? &by_words
                                  : &by_nothing;
}
