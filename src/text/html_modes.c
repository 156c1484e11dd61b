/*
 * What each token does in each insertion mode (WHATWG HTML, section 13.2.6.4,
 * whose names and order it has), and in svg and math; see html_build.h.
 */
#include "text/html_build.h"

#include <string.h>

/* --- the modes ----------------------------------------------------------
 * Each takes x->token; true: it is to be taken again, in another mode.
 */

static bool take_in(struct tree *x, enum mode mode);

/* The attributes of a second <html> or <body>. */
static void add_attrs(struct tree *x, uint32_t i)
{
    size_t count;

    if (x->e[i].attr_count > 0 || x->opened[TAG_TEMPLATE] > 0)
        return;
    x->e[i].attrs = tree_keep_attrs(x, &count);
    x->e[i].attr_count = (uint8_t)count;
}

static bool is_open(const struct tree *x)
{
    return x->token.kind == TOKEN_OPEN;
}

static bool is_close(const struct tree *x)
{
    return x->token.kind == TOKEN_CLOSE;
}

/* Drop the white space that the text begins with; is it all? */
static bool skip_white(struct tree *x)
{
    while (ascii_is_space(*x->token.text))
        x->token.text++;
    return *x->token.text == '\0';
}

static bool is_white(const char *z)
{
    while (ascii_is_space(*z))
        z++;
    return *z == '\0';
}

static bool go(struct tree *x, enum mode mode)
{
    x->mode = mode;
    return true;
}

static void reset_mode(struct tree *x)
{
    for (size_t i = x->depth; i-- > 0; x->steps++) {
        enum tag tag = tree_tag_at(x, i);
        bool table = x->opened[TAG_TABLE] > 0;

        x->mode = tag == TAG_SELECT && table       ? IN_SELECT_IN_TABLE
                  : tag == TAG_SELECT              ? IN_SELECT
                  : tag == TAG_TD || tag == TAG_TH ? IN_CELL
                  : tag == TAG_TR                  ? IN_ROW
                  : IS(tag, TAG_TBODY, TAG_THEAD, TAG_TFOOT) ? IN_TABLE_BODY
                  : tag == TAG_CAPTION                       ? IN_CAPTION
                  : tag == TAG_COLGROUP                      ? IN_COLUMN_GROUP
                  : tag == TAG_TABLE                         ? IN_TABLE
                  : tag == TAG_TEMPLATE && x->template_count > 0
                      ? x->templates[x->template_count - 1]
                  : tag == TAG_HEAD ? IN_HEAD
                  : tag == TAG_BODY ? IN_BODY
                                    : AFTER_BODY;
        if (x->mode != AFTER_BODY)
            return;
    }
    x->mode = x->head == NONE ? BEFORE_HEAD : AFTER_HEAD;
}

static void open_template(struct tree *x)
{
    if (x->template_count == TEMPLATES_MAX)
        return;
    tree_open_token(x);
    tree_add_format(x, MARKER);
    x->mode = x->templates[x->template_count++] = IN_TEMPLATE;
}

static void close_template(struct tree *x)
{
    if (x->opened[TAG_TEMPLATE] == 0)
        return;
    tree_pop_until(x, TAG_TEMPLATE);
    tree_clear_formats(x);
    if (x->template_count > 0)
        x->template_count--;
    reset_mode(x);
}

static bool before_html(struct tree *x)
{
    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_close(x) && !IS(x->token.tag, TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR))
        return false;
    x->quirks = !x->t.doctype || x->t.quirks;
    return go(x, BEFORE_HEAD);
}

static bool before_head(struct tree *x)
{
    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x) && x->token.tag == TAG_HTML)
        return take_in(x, IN_BODY);
    if (is_open(x) && x->token.tag == TAG_HEAD) {
        x->head = tree_open_token(x);
        x->mode = IN_HEAD;
        return false;
    }
    if (is_close(x) && !IS(x->token.tag, TAG_HEAD, TAG_BODY, TAG_HTML, TAG_BR))
        return false;
    x->head = tree_open_implied(x, TAG_HEAD);
    return go(x, IN_HEAD);
}

/* What is treated as in the head wherever it stands. */
static void take_head_element(struct tree *x)
{
    if (x->token.tag == TAG_TEMPLATE)
        open_template(x);
    else if ((tag_kind(x->token.tag) & K_VOID) != 0)
        tree_put_void(x);
    else
        tree_put_raw(x);
}

static bool in_head(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return take_in(x, IN_BODY);
        if (tag == TAG_HEAD)
            return false;
        if ((tag_kind(tag) & K_HEAD) != 0) {
            take_head_element(x);
            return false;
        }
        if (tag == TAG_NOSCRIPT) {
            tree_open_token(x);
            x->mode = IN_HEAD_NOSCRIPT;
            return false;
        }
    } else if (is_close(x)) {
        if (tag == TAG_HEAD) {
            tree_pop(x);
            x->mode = AFTER_HEAD;
            return false;
        }
        if (tag == TAG_TEMPLATE)
            close_template(x);
        if (!IS(tag, TAG_BODY, TAG_HTML, TAG_BR))
            return false;
    }
    tree_pop(x);
    return go(x, AFTER_HEAD);
}

static bool in_head_noscript(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return take_in(x, IN_BODY);
        if (IS(tag, TAG_BASEFONT, TAG_BGSOUND, TAG_LINK, TAG_META, TAG_NOFRAMES,
               TAG_STYLE))
            return take_in(x, IN_HEAD);
        if (IS(tag, TAG_HEAD, TAG_NOSCRIPT))
            return false;
    } else if (is_close(x) && tag != TAG_BR) {
        if (tag == TAG_NOSCRIPT) {
            tree_pop(x);
            x->mode = IN_HEAD;
        }
        return false;
    }
    tree_pop(x);
    return go(x, IN_HEAD);
}

static bool after_head(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return take_in(x, IN_BODY);
        if (IS(tag, TAG_HEAD, TAG_FRAMESET))
            return false;
        if (tag == TAG_BODY) {
            tree_open_token(x);
            x->mode = IN_BODY;
            return false;
        }
        if ((tag_kind(tag) & K_HEAD) != 0) {
            tree_push(x, x->head); /* few elements are open here */
            take_head_element(x);
            tree_remove_open(x, tree_depth_of(x, x->head));
            return false;
        }
    } else if (is_close(x)) {
        if (tag == TAG_TEMPLATE)
            close_template(x);
        if (!IS(tag, TAG_BODY, TAG_HTML, TAG_BR))
            return false;
    }
    tree_open_implied(x, TAG_BODY);
    return go(x, IN_BODY);
}

/* A new <li>, <dt> or <dd> closes the one before it in its list. */
static void open_item(struct tree *x, enum tag a, enum tag b)
{
    for (size_t i = x->depth; i-- > 0 && x->opened[a] + x->opened[b] > 0;
         x->steps++) {
        enum tag tag = tree_tag_at(x, i);

        if (tag == a || tag == b) {
            tree_pop_to(x, i);
            break;
        }
        if (tree_is_special(&x->e[x->stack[i]]) &&
            !IS(tag, TAG_ADDRESS, TAG_DIV, TAG_P))
            break;
    }
    tree_close_p(x);
    tree_open_token(x);
}

static void open_format(struct tree *x)
{
    enum tag tag = x->token.tag;
    size_t entry = tag == TAG_A ? tree_find_format(x, tag) : 0;

    if (entry > 0) {
        uint32_t old = x->formats[entry - 1];

        tree_close_format(x, tag);
        entry = tree_format_of(x, old);
        if (entry > 0)
            tree_drop_format(x, entry - 1);
        if (x->e[old].open)
            tree_remove_open(x, tree_depth_of(x, old));
    }
    tree_reopen_formats(x);
    if (tag == TAG_NOBR && tree_has_in(x, tag, IN_SCOPE)) {
        tree_close_format(x, tag);
        tree_reopen_formats(x);
    }
    if (x->token.closed) { /* an XML writer's empty one: <a id="x"/> */
        tree_put_void(x);
        return;
    }
    tree_add_format(x, tree_open_token(x));
}

static void open_foreign(struct tree *x, enum space space, uint8_t tag)
{
    tree_open_as(x, space, tag);
    if (x->token.closed)
        tree_pop(x);
}

static void open_select(struct tree *x)
{
    bool table = IN_TABLE <= x->mode && x->mode <= IN_CELL;

    tree_reopen_formats(x);
    tree_open_token(x);
    x->mode = table ? IN_SELECT_IN_TABLE : IN_SELECT;
}

static void open_form(struct tree *x)
{
    bool template = x->opened[TAG_TEMPLATE] > 0;
    uint32_t i;

    if (x->form != NONE && !template)
        return;
    tree_close_p(x);
    i = tree_open_token(x);
    if (!template)
        x->form = i;
}

static void open_in_body(struct tree *x)
{
    enum tag tag = x->token.tag;
    unsigned kind = tag_kind(tag);

    switch (tag) {
    case TAG_HTML:
        add_attrs(x, 0);
        return;
    case TAG_BODY:
        if (x->depth > 1 && tree_tag_at(x, 1) == TAG_BODY)
            add_attrs(x, x->stack[1]);
        return;
    case TAG_HEAD:
    case TAG_FRAME:
    case TAG_FRAMESET:
        return;
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        tree_close_p(x);
        if (tree_current_tag(x) >= TAG_H1 && tree_current_tag(x) <= TAG_H6)
            tree_pop(x);
        break;
    case TAG_PRE:
    case TAG_LISTING:
        tree_close_p(x);
        x->line_due = true;
        break;
    case TAG_FORM:
        open_form(x);
        return;
    case TAG_LI:
        open_item(x, TAG_LI, TAG_LI);
        return;
    case TAG_DD:
    case TAG_DT:
        open_item(x, TAG_DD, TAG_DT);
        return;
    case TAG_BUTTON:
        if (tree_has_in(x, tag, IN_SCOPE))
            tree_pop_until(x, tag);
        tree_reopen_formats(x);
        break;
    case TAG_TABLE:
        if (!x->quirks)
            tree_close_p(x);
        x->mode = IN_TABLE;
        break;
    case TAG_HR:
        tree_close_p(x);
        tree_put_void(x);
        return;
    case TAG_IMAGE:
        x->token.tag = TAG_IMG;
        tree_reopen_formats(x);
        tree_put_void(x);
        return;
    case TAG_PARAM:
    case TAG_SOURCE:
    case TAG_TRACK:
        tree_put_void(x);
        return;
    case TAG_XMP:
        tree_close_p(x);
        tree_reopen_formats(x);
        tree_put_raw(x);
        return;
    case TAG_PLAINTEXT:
        tree_close_p(x);
        tree_put_raw(x);
        return;
    case TAG_SELECT:
        open_select(x);
        return;
    case TAG_OPTION:
    case TAG_OPTGROUP:
        if (tree_current_tag(x) == TAG_OPTION)
            tree_pop(x);
        tree_reopen_formats(x);
        break;
    case TAG_RB:
    case TAG_RTC:
    case TAG_RP:
    case TAG_RT:
        if (tree_has_in(x, TAG_RUBY, IN_SCOPE))
            tree_close_implied(x, tag == TAG_RP || tag == TAG_RT ? TAG_RTC
                                                                 : TAG_HTML);
        break;
    case TAG_MATH:
        tree_reopen_formats(x);
        open_foreign(x, MATH, TAG_MATH);
        return;
    case TAG_SVG:
        tree_reopen_formats(x);
        open_foreign(x, SVG, TAG_SVG);
        return;
    case TAG_APPLET:
    case TAG_MARQUEE:
    case TAG_OBJECT:
        tree_reopen_formats(x);
        tree_open_token(x);
        tree_add_format(x, MARKER);
        return;
    default:
        if ((kind & K_HEAD) != 0) {
            take_head_element(x);
            return;
        }
        if ((kind & K_CELL) != 0)
            return;
        if ((kind & K_FORMAT) != 0) {
            open_format(x);
            return;
        }
        if ((kind & K_RAW) != 0) {
            tree_put_raw(x);
            return;
        }
        if ((kind & K_PARA) != 0)
            tree_close_p(x);
        else
            tree_reopen_formats(x);
        if ((kind & K_VOID) != 0) {
            tree_put_void(x);
            return;
        }
        break;
    }
    tree_open_token(x);
}

static void close_form(struct tree *x)
{
    uint32_t i = x->form;

    if (x->opened[TAG_TEMPLATE] > 0) {
        if (tree_has_in(x, TAG_FORM, IN_SCOPE))
            tree_pop_until(x, TAG_FORM);
        return;
    }
    x->form = NONE;
    if (i == NONE || !x->e[i].open || !tree_has_in(x, TAG_FORM, IN_SCOPE))
        return;
    tree_close_implied(x, TAG_HTML);
    tree_remove_open(x, tree_depth_of(x, i));
}

static bool close_in_body(struct tree *x)
{
    enum tag tag = x->token.tag;
    unsigned kind = tag_kind(tag);

    switch (tag) {
    case TAG_TEMPLATE:
        close_template(x);
        return false;
    case TAG_BODY:
    case TAG_HTML:
        if (!tree_has_in(x, TAG_BODY, IN_SCOPE))
            return false;
        x->mode = AFTER_BODY;
        return tag == TAG_HTML;
    case TAG_FORM:
        close_form(x);
        return false;
    case TAG_P:
        if (!tree_has_in(x, tag, IN_BUTTON_SCOPE))
            tree_open_implied(x, tag);
        tree_close_p(x);
        return false;
    case TAG_LI:
    case TAG_DD:
    case TAG_DT:
        if (tree_has_in(x, tag, tag == TAG_LI ? IN_LIST_SCOPE : IN_SCOPE))
            tree_pop_until(x, tag);
        return false;
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        if (!tree_has_heading(x))
            return false;
        while (tree_current_tag(x) < TAG_H1 || tree_current_tag(x) > TAG_H6)
            tree_pop(x);
        tree_pop(x);
        return false;
    case TAG_APPLET:
    case TAG_MARQUEE:
    case TAG_OBJECT:
        if (tree_has_in(x, tag, IN_SCOPE)) {
            tree_pop_until(x, tag);
            tree_clear_formats(x);
        }
        return false;
    case TAG_BR:
        x->token.attr_count = 0;
        tree_reopen_formats(x);
        tree_put_void(x);
        return false;
    default:
        break;
    }
    if ((kind & K_FORMAT) != 0)
        tree_close_format(x, tag);
    else if ((kind & K_PARA) == 0 && !IS(tag, TAG_PRE, TAG_LISTING, TAG_BUTTON))
        tree_close_other(x, tag, x->token.name);
    else if (tree_has_in(x, tag, IN_SCOPE))
        tree_pop_until(x, tag);
    return false;
}

static bool in_body(struct tree *x)
{
    switch (x->token.kind) {
    case TOKEN_TEXT:
        tree_reopen_formats(x);
        tree_insert_text(x, x->token.text);
        return false;
    case TOKEN_OPEN:
        open_in_body(x);
        return false;
    case TOKEN_CLOSE:
        return close_in_body(x);
    default:
        return false;
    }
}

static bool foster_in_body(struct tree *x)
{
    bool again;

    x->foster = true;
    again = in_body(x);
    x->foster = false;
    return again;
}

static bool close_table(struct tree *x)
{
    if (!tree_has_in(x, TAG_TABLE, IN_TABLE_SCOPE))
        return false;
    tree_pop_until(x, TAG_TABLE);
    reset_mode(x);
    return true;
}

static bool is_hidden_input(const struct tree *x)
{
    for (size_t i = 0; i < x->token.attr_count; i++)
        if (strcmp(x->token.attrs[i].name, "type") == 0)
            return str_ieq(str_of(x->token.attrs[i].value), "hidden");
    return false;
}

static bool open_in_table(struct tree *x)
{
    switch (x->token.tag) {
    case TAG_CAPTION:
        tree_clear_to(x, TAG_TABLE, TAG_TABLE, TAG_TABLE);
        tree_add_format(x, MARKER);
        tree_open_token(x);
        x->mode = IN_CAPTION;
        return false;
    case TAG_COLGROUP:
    case TAG_COL:
        tree_clear_to(x, TAG_TABLE, TAG_TABLE, TAG_TABLE);
        x->mode = IN_COLUMN_GROUP;
        if (x->token.tag == TAG_COLGROUP)
            tree_open_token(x);
        else
            tree_open_implied(x, TAG_COLGROUP);
        return x->token.tag == TAG_COL;
    case TAG_TBODY:
    case TAG_THEAD:
    case TAG_TFOOT:
    case TAG_TD:
    case TAG_TH:
    case TAG_TR:
        tree_clear_to(x, TAG_TABLE, TAG_TABLE, TAG_TABLE);
        x->mode = IN_TABLE_BODY;
        if (!IS(x->token.tag, TAG_TD, TAG_TH, TAG_TR)) {
            tree_open_token(x);
            return false;
        }
        tree_open_implied(x, TAG_TBODY);
        return true;
    case TAG_TABLE:
        return close_table(x);
    case TAG_STYLE:
    case TAG_SCRIPT:
    case TAG_TEMPLATE:
        take_head_element(x);
        return false;
    case TAG_INPUT:
        if (!is_hidden_input(x))
            break;
        tree_put_void(x);
        return false;
    case TAG_FORM:
        if (x->form != NONE || x->opened[TAG_TEMPLATE] > 0)
            return false;
        x->form = tree_open_token(x);
        tree_pop(x);
        return false;
    default:
        break;
    }
    return foster_in_body(x);
}

static bool in_table(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT &&
        IS(tree_current_tag(x), TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD,
           TAG_TR, TAG_TEMPLATE) &&
        is_white(x->token.text))
        return false; /* nobody reads it */
    if (is_open(x))
        return open_in_table(x);
    if (is_close(x)) {
        if (tag == TAG_TABLE)
            close_table(x);
        if (tag == TAG_TABLE || tag == TAG_BODY || tag == TAG_HTML ||
            (tag_kind(tag) & K_CELL) != 0)
            return false;
    }
    return foster_in_body(x);
}

static bool in_caption(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool cell = (tag_kind(tag) & K_CELL) != 0;

    if (is_open(x) ? cell : is_close(x) && IS(tag, TAG_TABLE, TAG_CAPTION)) {
        if (!tree_has_in(x, TAG_CAPTION, IN_TABLE_SCOPE))
            return false;
        tree_pop_until(x, TAG_CAPTION);
        tree_clear_formats(x);
        x->mode = IN_TABLE;
        return is_open(x) || tag == TAG_TABLE;
    }
    if (is_close(x) && (cell || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_body(x);
}

static bool in_column_group(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT && skip_white(x))
        return false;
    if (is_open(x)) {
        if (tag == TAG_HTML)
            return in_body(x);
        if (tag == TAG_TEMPLATE) {
            open_template(x);
            return false;
        }
        if (tag == TAG_COL) {
            tree_put_void(x);
            return false;
        }
    } else if (is_close(x) && IS(tag, TAG_COL, TAG_TEMPLATE)) {
        if (tag == TAG_TEMPLATE)
            close_template(x);
        return false;
    }
    if (tree_current_tag(x) != TAG_COLGROUP)
        return false;
    tree_pop(x);
    x->mode = IN_TABLE;
    return !(is_close(x) && tag == TAG_COLGROUP);
}

static bool in_table_body(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool group = IS(tag, TAG_TBODY, TAG_TFOOT, TAG_THEAD);

    if (is_open(x) && IS(tag, TAG_TR, TAG_TD, TAG_TH)) {
        tree_clear_to(x, TAG_TBODY, TAG_TFOOT, TAG_THEAD);
        x->mode = IN_ROW;
        if (tag == TAG_TR)
            tree_open_token(x);
        else
            tree_open_implied(x, TAG_TR);
        return tag != TAG_TR;
    }
    if (is_open(x) ? group || IS(tag, TAG_CAPTION, TAG_COL, TAG_COLGROUP)
                   : is_close(x) && (group || tag == TAG_TABLE)) {
        if (is_close(x) && group
                ? !tree_has_in(x, tag, IN_TABLE_SCOPE)
                : !tree_has_in(x, TAG_TBODY, IN_TABLE_SCOPE) &&
                      !tree_has_in(x, TAG_THEAD, IN_TABLE_SCOPE) &&
                      !tree_has_in(x, TAG_TFOOT, IN_TABLE_SCOPE))
            return false;
        tree_clear_to(x, TAG_TBODY, TAG_TFOOT, TAG_THEAD);
        tree_pop(x);
        x->mode = IN_TABLE;
        return is_open(x) || !group;
    }
    if (is_close(x) &&
        ((tag_kind(tag) & K_CELL) != 0 || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_table(x);
}

static bool in_row(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool cell = IS(tag, TAG_TD, TAG_TH);
    bool part = (tag_kind(tag) & K_CELL) != 0;

    if (is_open(x) && cell) {
        tree_clear_to(x, TAG_TR, TAG_TR, TAG_TR);
        tree_open_token(x);
        x->mode = IN_CELL;
        tree_add_format(x, MARKER);
        return false;
    }
    if (is_open(x) ? part
                   : is_close(x) && IS(tag, TAG_TR, TAG_TABLE, TAG_TBODY,
                                       TAG_TFOOT, TAG_THEAD)) {
        if (!tree_has_in(x, TAG_TR, IN_TABLE_SCOPE) ||
            (is_close(x) && !tree_has_in(x, tag, IN_TABLE_SCOPE)))
            return false;
        tree_clear_to(x, TAG_TR, TAG_TR, TAG_TR);
        tree_pop(x);
        x->mode = IN_TABLE_BODY;
        return is_open(x) || tag != TAG_TR;
    }
    if (is_close(x) && (part || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_table(x);
}

static void close_cell(struct tree *x)
{
    while (x->depth > 1 && !IS(tree_current_tag(x), TAG_TD, TAG_TH))
        tree_pop(x);
    tree_pop(x);
    tree_clear_formats(x);
    x->mode = IN_ROW;
}

static bool in_cell(struct tree *x)
{
    enum tag tag = x->token.tag;
    bool part = (tag_kind(tag) & K_CELL) != 0;

    if (is_close(x) && IS(tag, TAG_TD, TAG_TH)) {
        if (tree_has_in(x, tag, IN_TABLE_SCOPE)) {
            tree_pop_until(x, tag);
            tree_clear_formats(x);
            x->mode = IN_ROW;
        }
        return false;
    }
    if (is_open(x) && part) {
        if (!tree_has_in(x, TAG_TD, IN_TABLE_SCOPE) &&
            !tree_has_in(x, TAG_TH, IN_TABLE_SCOPE))
            return false;
        close_cell(x);
        return true;
    }
    if (is_close(x) &&
        IS(tag, TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR)) {
        if (!tree_has_in(x, tag, IN_TABLE_SCOPE))
            return false;
        close_cell(x);
        return true;
    }
    if (is_close(x) && (part || IS(tag, TAG_BODY, TAG_HTML)))
        return false;
    return in_body(x);
}

static bool close_select(struct tree *x)
{
    if (x->opened[TAG_SELECT] == 0)
        return false;
    tree_pop_until(x, TAG_SELECT);
    reset_mode(x);
    return true;
}

static bool open_in_select(struct tree *x)
{
    enum tag tag = x->token.tag;

    switch (tag) {
    case TAG_HTML:
        add_attrs(x, 0);
        return false;
    case TAG_OPTION:
    case TAG_OPTGROUP:
    case TAG_HR:
        if (tree_current_tag(x) == TAG_OPTION)
            tree_pop(x);
        if (tag != TAG_OPTION && tree_current_tag(x) == TAG_OPTGROUP)
            tree_pop(x);
        tree_open_token(x);
        if (tag == TAG_HR)
            tree_pop(x);
        return false;
    case TAG_SELECT:
        close_select(x);
        return false;
    case TAG_INPUT:
    case TAG_KEYGEN:
    case TAG_TEXTAREA:
        return close_select(x);
    case TAG_SCRIPT:
    case TAG_TEMPLATE:
        take_head_element(x);
        return false;
    default:
        return false;
    }
}

static bool in_select(struct tree *x)
{
    enum tag tag = x->token.tag;

    if (x->token.kind == TOKEN_TEXT)
        tree_insert_text(x, x->token.text);
    if (is_open(x))
        return open_in_select(x);
    if (!is_close(x))
        return false;
    if (tag == TAG_OPTGROUP && tree_current_tag(x) == TAG_OPTION &&
        tree_tag_at(x, x->depth - 2) == TAG_OPTGROUP)
        tree_pop(x);
    if (IS(tag, TAG_OPTION, TAG_OPTGROUP) && tree_current_tag(x) == tag)
        tree_pop(x);
    if (tag == TAG_SELECT)
        close_select(x);
    if (tag == TAG_TEMPLATE)
        close_template(x);
    return false;
}

static bool in_select_in_table(struct tree *x)
{
    enum tag tag = x->token.tag;

    if ((is_open(x) || is_close(x)) &&
        IS(tag, TAG_CAPTION, TAG_TABLE, TAG_TBODY, TAG_TFOOT, TAG_THEAD, TAG_TR,
           TAG_TD, TAG_TH)) {
        if (is_close(x) && !tree_has_in(x, tag, IN_TABLE_SCOPE))
            return false;
        return close_select(x);
    }
    return in_select(x);
}

static bool in_template(struct tree *x)
{
    enum tag tag = x->token.tag;
    unsigned kind = tag_kind(tag);
    enum mode mode = IN_BODY;

    if (x->token.kind == TOKEN_TEXT)
        return in_body(x);
    if (is_close(x) && tag == TAG_TEMPLATE)
        close_template(x);
    if (!is_open(x))
        return false;
    if ((kind & K_HEAD) != 0) {
        take_head_element(x);
        return false;
    }
    if ((kind & K_CELL) != 0)
        mode = tag == TAG_COL            ? IN_COLUMN_GROUP
               : tag == TAG_TR           ? IN_TABLE_BODY
               : IS(tag, TAG_TD, TAG_TH) ? IN_ROW
                                         : IN_TABLE;
    if (x->template_count > 0)
        x->templates[x->template_count - 1] = mode;
    return go(x, mode);
}

static bool after_body(struct tree *x)
{
    if ((x->token.kind == TOKEN_TEXT && is_white(x->token.text)) ||
        (is_open(x) && x->token.tag == TAG_HTML))
        return in_body(x);
    if (x->token.kind == TOKEN_END || (is_close(x) && x->token.tag == TAG_HTML))
        return false;
    return go(x, IN_BODY);
}

static bool take_in(struct tree *x, enum mode mode)
{
    static bool (*const modes[])(struct tree *) = {
        [BEFORE_HTML] = before_html,
        [BEFORE_HEAD] = before_head,
        [IN_HEAD] = in_head,
        [IN_HEAD_NOSCRIPT] = in_head_noscript,
        [AFTER_HEAD] = after_head,
        [IN_BODY] = in_body,
        [IN_TABLE] = in_table,
        [IN_CAPTION] = in_caption,
        [IN_COLUMN_GROUP] = in_column_group,
        [IN_TABLE_BODY] = in_table_body,
        [IN_ROW] = in_row,
        [IN_CELL] = in_cell,
        [IN_SELECT] = in_select,
        [IN_SELECT_IN_TABLE] = in_select_in_table,
        [IN_TEMPLATE] = in_template,
        [AFTER_BODY] = after_body};

    return modes[mode](x);
}

/* --- svg and math ------------------------------------------------------ */

static bool name_is(const struct elem *e, const char *words)
{
    return word_in(e->data, words);
}

/* May HTML stand in it? Text of math, of svg islands. */
static bool is_island(const struct elem *e, bool text_only)
{
    if (e->tag != TAG_ISLAND)
        return false;
    if (e->space == SVG)
        return true;
    if (!name_is(e, "annotation-xml"))
        return text_only;
    for (size_t i = 0; i < e->attr_count; i++)
        if (strcmp(e->attrs[i].name, "encoding") == 0)
            return str_ieq(str_of(e->attrs[i].value), "text/html") ||
                   str_ieq(str_of(e->attrs[i].value), "application/xhtml+xml");
    return false;
}

/* Do the rules of section 13.2.6.5 hold for the token? */
static bool is_foreign(const struct tree *x)
{
    const struct elem *e = &x->e[tree_current(x)];
    const struct token *t = &x->token;

    if (e->space == HTML || t->kind == TOKEN_END)
        return false;
    if (t->kind == TOKEN_CLOSE)
        return true;
    if (t->kind == TOKEN_TEXT)
        return !is_island(e, true);
    if (e->space == MATH && e->tag == TAG_ISLAND) {
        if (name_is(e, "annotation-xml") && t->tag == TAG_SVG)
            return false;
        return !is_island(e, !word_in(t->name, "mglyph malignmark"));
    }
    return !is_island(e, false);
}

/* HTML that has no place in svg and math ends them. */
static bool leave_foreign(struct tree *x)
{
    do
        tree_pop(x);
    while (x->e[tree_current(x)].space != HTML &&
           !is_island(&x->e[tree_current(x)], true));
    return true;
}

static bool is_plain_html(const struct token *t)
{
    if (t->tag == TAG_FONT)
        for (size_t i = 0; i < t->attr_count; i++)
            if (word_in(t->attrs[i].name, "color face size"))
                return true;
    return (tag_kind(t->tag) & K_PLAIN) != 0;
}

static bool take_foreign(struct tree *x)
{
    const struct token *t = &x->token;

    if (t->kind == TOKEN_TEXT) {
        tree_insert_text(x, t->text);
        return false;
    }
    if (t->kind == TOKEN_OPEN) {
        enum space space = (enum space)x->e[tree_current(x)].space;
        const char *islands = space == SVG ? "foreignobject desc title"
                                           : "mi mo mn ms mtext annotation-xml";

        if (is_plain_html(t))
            return leave_foreign(x);
        open_foreign(x, space,
                     word_in(t->name, islands) ? TAG_ISLAND : TAG_UNKNOWN);
        return false;
    }
    if (t->tag == TAG_BR || t->tag == TAG_P)
        return leave_foreign(x);
    for (size_t i = x->depth; i-- > 1; x->steps++) {
        if (x->e[x->stack[i]].space == HTML)
            return take_in(x, x->mode);
        if (strcmp(x->e[x->stack[i]].data, t->name) == 0) {
            tree_pop_to(x, i);
            break;
        }
    }
    return false;
}

void tree_take(struct tree *x)
{
    bool again = true;

    if (x->token.kind == TOKEN_TEXT && x->line_due && *x->token.text == '\n')
        x->token.text++;
    x->line_due = false;
    while (x->token.kind == TOKEN_END && x->opened[TAG_TEMPLATE] > 0)
        close_template(x);
    while (again && !tree_stopped(x))
        again = is_foreign(x) ? take_foreign(x) : take_in(x, x->mode);
    x->full = x->full || x->steps > STEPS_MAX;
}
