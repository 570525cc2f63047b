#include "engine/import/json/json_tokens.h"

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/import/json/json_scan.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PIECE_SIZE (256u << 10)     // with its tokens it fits a second level cache
#define PIECE_SIZE_LEAST (2u << 10) // when only a few tokens may be needed

static bool is_space(unsigned char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool mc_json_detect(const unsigned char *data, size_t size, size_t within,
                    const char *const *wanted) {
    size_t at = 0, most = size < within ? size : within;
    while (at < most && is_space(data[at]))
        at++;
    if (at == most || data[at] != '{') return false;
    for (; *wanted; wanted++)
        if (!memmem(data, most, *wanted, strlen(*wanted))) return false;
    return true;
}

bool mc_json_tokens_init(mc_json_tokens *tokens) {
    memset(tokens, 0, sizeof *tokens);
    tokens->index = mc_json_index_create();
    return tokens->index != NULL;
}

void mc_json_tokens_deinit(mc_json_tokens *tokens) {
    mc_json_index_destroy(tokens->index);
    mc_text_deinit(&tokens->unescaped);
    mc_free(tokens->nesting);
    memset(tokens, 0, sizeof *tokens);
}

void mc_json_tokens_begin(mc_json_tokens *tokens, const unsigned char *data, size_t size,
                          uint64_t offset, mc_error *error) {
    static const uint32_t none[1] = {0};
    tokens->data = tokens->piece = data;
    tokens->size = size;
    tokens->offset = offset;
    tokens->at = tokens->end = none;
    tokens->next = tokens->seen = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    tokens->wanted = PIECE_SIZE_LEAST;
    tokens->bad_at = SIZE_MAX;
    tokens->has_escapes = tokens->failed = false;
    tokens->error = error;
}

// Messages

static bool fail(mc_json_tokens *tokens, mc_result code, const unsigned char *at,
                 const char *message) {
    if (tokens->failed) return false;
    tokens->failed = true;
    tokens->at = tokens->end;
    uint64_t offset =
        at ? tokens->offset + (uint64_t)(at - tokens->data) : (uint64_t)MC_ERROR_NO_OFFSET;
    mc_error_set(tokens->error, code, offset, "%s", message);
    return false;
}

bool mc_json_fail_at(mc_json_tokens *tokens, const unsigned char *at, const char *format, ...) {
    char message[MC_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(tokens, MC_ERROR_BAD_DATA, at, message);
}

bool mc_json_fail_memory(mc_json_tokens *tokens) {
    return fail(tokens, MC_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
}

// What stands there, as far as it helps: numbers and words in full.
static void describe(const mc_json_tokens *tokens, const unsigned char *at, char *text,
                     size_t text_size) {
    size_t left = tokens->size - (size_t)(at - tokens->data), length = 0;
    if (left == 0) {
        snprintf(text, text_size, "the end of the input");
        return;
    }
    while (length < left && length < 32 && at[length] > ' ' && at[length] < 0x7f &&
           !strchr(",:{}[]\"", at[length]))
        length++;
    if (*at == '"') {
        snprintf(text, text_size, "a string");
    } else if (*at == '{') {
        snprintf(text, text_size, "an object");
    } else if (*at == '[') {
        snprintf(text, text_size, "an array");
    } else if (length > 0) {
        snprintf(text, text_size, "%.*s", (int)length, (const char *)at);
    } else if (*at > ' ' && *at < 0x7f) {
        snprintf(text, text_size, "'%c'", *at);
    } else {
        snprintf(text, text_size, "byte 0x%02x", *at);
    }
}

static bool fail_expected(mc_json_tokens *tokens, const unsigned char *at, const char *expected) {
    char found[64];
    if (tokens->failed) return false;
    describe(tokens, at, found, sizeof found);
    return mc_json_fail_at(tokens, at, "expected %s, found %s", expected, found);
}

bool mc_json_fail(mc_json_tokens *tokens, const char *expected) {
    return fail_expected(tokens, mc_json_get_place(tokens), expected);
}

// Pieces

// Finds what makes a piece invalid, and where the string or scalar with it begins.
static void find_bad_place(mc_json_tokens *tokens, const unsigned char *piece, size_t size,
                           size_t *token_begin) {
    bool in_string = false, is_escaped = false;
    size_t begin = 0;
    for (size_t i = 0; i < size;) {
        unsigned char c = piece[i];
        size_t length = mc_utf8_measure(piece + i, size - i);
        bool is_control = in_string && c < 0x20;
        if (length == 0 || is_control) {
            tokens->bad_at = (size_t)(piece - tokens->data) + i;
            tokens->bad_expected =
                is_control ? "an escape in place of a control character" : "UTF-8";
            *token_begin = begin;
            return;
        }
        if (is_escaped) {
            is_escaped = false;
        } else if (c == '\\') {
            is_escaped = true;
        } else if (c == '"') {
            if (!in_string) begin = i;
            in_string = !in_string;
        } else if (!in_string && (is_space(c) || strchr(",:{}[]", c))) {
            begin = i + 1;
        }
        i += length;
    }
    // Nothing of this kind: a string that does not end.
    tokens->bad_at = tokens->size;
    tokens->bad_expected = "the end of a string";
    *token_begin = in_string ? begin : 0;
}

static bool find_tokens(mc_json_tokens *tokens, size_t size, mc_json_index_result *result) {
    uint32_t count;
    const unsigned char *piece = tokens->data + tokens->next;
    *result = mc_json_index_find(tokens->index, piece, size, &tokens->at, &count);
    tokens->end = tokens->at + count;
    tokens->piece = piece;
    return *result == MC_JSON_INDEX_OK;
}

void mc_json_tokens_note_seen(mc_json_tokens *tokens, size_t offset) {
    if (offset <= tokens->seen) return;
    if (tokens->is_counted) mc_import_watch_add(tokens->watch, offset - tokens->seen);
    tokens->seen = offset;
}

// The piece's tokens are used as far as they go: it is indexed once.
void mc_json_tokens_seek(mc_json_tokens *tokens, size_t offset) {
    mc_json_tokens_note_seen(tokens, offset);
    if (offset >= tokens->next) {
        tokens->at = tokens->end;
        tokens->next = offset;
        tokens->bad_at = SIZE_MAX;
        tokens->wanted = PIECE_SIZE_LEAST;
        return;
    }
    size_t place = offset - (size_t)(tokens->piece - tokens->data);
    const uint32_t *low = tokens->at, *high = tokens->end;
    while (low < high) {
        const uint32_t *middle = low + (high - low) / 2;
        if (*middle < place)
            low = middle + 1;
        else
            high = middle;
    }
    tokens->at = low;
}

// Pieces grow as long as all of them are read token by token.
static size_t choose_piece_size(mc_json_tokens *tokens) {
    if (tokens->piece_size) return tokens->piece_size;
    size_t wanted = tokens->wanted;
    tokens->wanted = wanted < PIECE_SIZE / 4 ? wanted * 4 : PIECE_SIZE;
    return wanted;
}

bool mc_json_tokens_refill(mc_json_tokens *tokens) {
    if (tokens->failed) return false;
    while (tokens->at == tokens->end) {
        if (tokens->bad_at != SIZE_MAX)
            return fail_expected(tokens, tokens->data + tokens->bad_at, tokens->bad_expected);
        if (tokens->next == tokens->size) return false;
        if (mc_import_watch_should_stop(tokens->watch))
            return fail(tokens, MC_ERROR_CANCELLED, NULL, "cancelled");
        const unsigned char *piece = tokens->data + tokens->next;
        mc_json_cut cut =
            mc_json_cut_piece(piece, tokens->size - tokens->next, choose_piece_size(tokens));
        mc_json_index_result result;
        if (!find_tokens(tokens, cut.size, &result)) {
            if (result == MC_JSON_INDEX_TOO_LARGE)
                return mc_json_fail_at(tokens, piece, "a single string or number of %zu bytes",
                                       cut.size);
            if (result == MC_JSON_INDEX_OUT_OF_MEMORY) return mc_json_fail_memory(tokens);
            // What stands before the broken place is read first: it may be wrong earlier.
            find_bad_place(tokens, piece, cut.size, &cut.size);
            if (!find_tokens(tokens, cut.size, &result) && result != MC_JSON_INDEX_INVALID)
                return mc_json_fail_memory(tokens);
        }
        tokens->has_escapes = cut.has_escapes;
        tokens->next += cut.size;
        mc_json_tokens_note_seen(tokens, tokens->next);
    }
    return true;
}

// Values

// The end of the token that begins at *tokens->at: tokens are apart by nothing but white space.
static const unsigned char *find_token_end(const mc_json_tokens *tokens) {
    const unsigned char *begin = tokens->piece + tokens->at[0];
    const unsigned char *end = tokens->piece + tokens->at[1];
    while (end > begin + 1 && is_space(end[-1]))
        end--;
    return end;
}

static bool read_hex(const unsigned char *at, const unsigned char *end, uint32_t *value) {
    if (end - at < 4) return false;
    *value = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char c = at[i], letter = (unsigned char)(c | 0x20);
        if (c >= '0' && c <= '9') {
            *value = *value << 4 | (uint32_t)(c - '0');
        } else if (letter >= 'a' && letter <= 'f') {
            *value = *value << 4 | (uint32_t)(letter - 'a' + 10);
        } else {
            return false;
        }
    }
    return true;
}

// Reads \uXXXX, or two of them that are one character beyond U+FFFF. `*at` is behind the backslash.
static bool read_unicode_escape(mc_json_tokens *tokens, const unsigned char **at,
                                const unsigned char *end, uint32_t *code) {
    const unsigned char *begin = *at - 1;
    uint32_t low;
    if (!read_hex(*at + 1, end, code))
        return mc_json_fail_at(tokens, begin, "expected four hexadecimal digits behind \\u");
    *at += 5;
    if (*code < 0xd800 || *code > 0xdfff) return true;
    if (*code > 0xdbff || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u' ||
        !read_hex(*at + 2, end, &low) || low < 0xdc00 || low > 0xdfff)
        return mc_json_fail_at(tokens, begin, "expected a surrogate pair, found half of one");
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    *at += 6;
    return true;
}

// Replaces the escapes. The result is never longer than the input.
static bool unescape(mc_json_tokens *tokens, const unsigned char *at, const unsigned char *end,
                     mc_json_string *string) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    mc_text *text = &tokens->unescaped;
    mc_text_clear(text);
    if (!mc_reserve(&text->data, &text->capacity, (size_t)(end - at) + 1, 1))
        return mc_json_fail_memory(tokens);
    char *out = text->data;
    while (at < end) {
        const unsigned char *stop = memchr(at, '\\', (size_t)(end - at));
        size_t plain = (size_t)((stop ? stop : end) - at);
        memcpy(out, at, plain);
        out += plain;
        at += plain;
        if (at == end) break;
        at++;
        const char *simple = at < end && *at ? strchr(from, *at) : NULL;
        uint32_t code = 0;
        if (simple) {
            *out++ = to[simple - from];
            at++;
        } else if (at < end && *at == 'u') {
            if (!read_unicode_escape(tokens, &at, end, &code)) return false;
            out += mc_utf8_encode(code, out);
        } else {
            return mc_json_fail_at(tokens, at - 1, "expected an escape that JSON knows");
        }
    }
    *out = '\0';
    text->size = (size_t)(out - text->data);
    *string = (mc_json_string){text->data, text->size};
    return true;
}

bool mc_json_take_any_string(mc_json_tokens *tokens, const char *expected, mc_json_string *string) {
    if (mc_json_peek(tokens) != '"') return mc_json_fail(tokens, expected);
    const unsigned char *begin = tokens->piece + *tokens->at + 1, *end = find_token_end(tokens);
    if (end <= begin || end[-1] != '"') return fail_expected(tokens, end, "the end of a string");
    end--;
    size_t size = (size_t)(end - begin);
    if (tokens->has_escapes && memchr(begin, '\\', size)) {
        if (!unescape(tokens, begin, end, string)) return false;
    } else {
        *string = (mc_json_string){(const char *)begin, size};
    }
    tokens->at++;
    return true;
}

static bool skip_string(mc_json_tokens *tokens, const char *expected) {
    mc_json_string string;
    if (tokens->has_escapes || mc_json_peek(tokens) != '"')
        return mc_json_take_string(tokens, expected, &string);
    tokens->at++;
    return true;
}

mc_json_member mc_json_fail_member(mc_json_tokens *tokens, const char *expected) {
    mc_json_fail(tokens, expected);
    return MC_JSON_FAILED;
}

static bool fail_integer(mc_json_tokens *tokens, int64_t least) {
    char expected[96];
    snprintf(expected, sizeof expected, "a whole number from %" PRId64 " to %" PRId64, least,
             INT64_MAX);
    return mc_json_fail(tokens, expected);
}

bool mc_json_take_any_integer(mc_json_tokens *tokens, int64_t least, int64_t *value) {
    int first = mc_json_peek(tokens);
    if (first < 0) return fail_integer(tokens, least);
    const unsigned char *at = tokens->piece + *tokens->at, *end = find_token_end(tokens);
    bool is_negative = first == '-';
    at += is_negative;
    if (at == end || (*at == '0' && end - at > 1) || end - at > 19)
        return fail_integer(tokens, least);
    uint64_t magnitude = 0; // nineteen digits fit
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9) return fail_integer(tokens, least);
        magnitude = magnitude * 10 + digit;
    }
    if (magnitude > (uint64_t)INT64_MAX + is_negative || (is_negative && magnitude == 0))
        return fail_integer(tokens, least);
    *value = is_negative ? -1 - (int64_t)(magnitude - 1) : (int64_t)magnitude;
    if (*value < least) return fail_integer(tokens, least);
    tokens->at++;
    return true;
}

static const unsigned char *skip_digits(const unsigned char *at, const unsigned char *end) {
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

static bool is_number(const unsigned char *at, const unsigned char *end) {
    if (at < end && *at == '-') at++;
    const unsigned char *digits = at;
    at = skip_digits(at, end);
    if (at == digits || (*digits == '0' && at - digits > 1)) return false;
    if (at < end && *at == '.') {
        digits = ++at;
        at = skip_digits(at, end);
        if (at == digits) return false;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        digits = at;
        at = skip_digits(at, end);
        if (at == digits) return false;
    }
    return at == end;
}

bool mc_json_take_number(mc_json_tokens *tokens, mc_json_number *number) {
    const char *expected = "a number that is not negative: a whole one up to 9223372036854775807, "
                           "or, with a decimal point, one that a double can hold";
    int first = mc_json_peek(tokens);
    int64_t whole = 0;
    *number = (mc_json_number){0};
    if (first < '0' || first > '9') return mc_json_fail(tokens, expected);
    const unsigned char *at = tokens->piece + *tokens->at, *end = find_token_end(tokens);
    number->is_real = skip_digits(at, end) != end;
    if (number->is_real) {
        if (!is_number(at, end) ||
            !mc_json_read_real((const char *)at, (const char *)end, &number->real))
            return mc_json_fail(tokens, expected);
        tokens->at++;
        return true;
    }
    if (!mc_json_take_integer(tokens, 0, &whole)) return false;
    number->whole = (uint64_t)whole;
    return true;
}

bool mc_json_take_boolean(mc_json_tokens *tokens, bool *value) {
    int first = mc_json_peek(tokens);
    if (first < 0) return mc_json_fail(tokens, "true or false");
    const unsigned char *at = tokens->piece + *tokens->at, *end = find_token_end(tokens);
    size_t size = (size_t)(end - at);
    *value = size == 4 && memcmp(at, "true", 4) == 0;
    if (!*value && !(size == 5 && memcmp(at, "false", 5) == 0))
        return mc_json_fail(tokens, "true or false");
    tokens->at++;
    return true;
}

static bool skip_scalar(mc_json_tokens *tokens) {
    int first = mc_json_peek(tokens);
    if (first == '"') return skip_string(tokens, "a value");
    if (first < 0) return mc_json_fail(tokens, "a value");
    const unsigned char *at = tokens->piece + *tokens->at, *end = find_token_end(tokens);
    size_t size = (size_t)(end - at);
    if (!is_number(at, end) && !(size == 4 && memcmp(at, "true", 4) == 0) &&
        !(size == 4 && memcmp(at, "null", 4) == 0) && !(size == 5 && memcmp(at, "false", 5) == 0))
        return mc_json_fail(tokens, "a value");
    tokens->at++;
    return true;
}

static bool skip_name(mc_json_tokens *tokens) {
    return skip_string(tokens, "a field's name") &&
           (mc_json_take(tokens, ':') || mc_json_fail(tokens, "':' behind a field's name"));
}

// Skips strings that commas follow, as far as this piece has them: the most of what is skipped.
static void skip_listed_strings(mc_json_tokens *tokens) {
    const uint32_t *at = tokens->at, *last = tokens->end - 1;
    while (at < last && tokens->piece[at[0]] == '"' && tokens->piece[at[1]] == ',')
        at += 2;
    tokens->at = at;
}

bool mc_json_skip_value(mc_json_tokens *tokens) {
    size_t depth = 0;
    do {
        int token = mc_json_peek(tokens);
        if (token == '{' || token == '[') {
            if (depth == MC_JSON_DEPTH_MAX)
                return mc_json_fail_at(tokens, mc_json_get_place(tokens),
                                       "expected at most %d levels", MC_JSON_DEPTH_MAX);
            if (!mc_reserve(&tokens->nesting, &tokens->nesting_capacity, depth + 1, 1))
                return mc_json_fail_memory(tokens);
            tokens->nesting[depth++] = (unsigned char)token;
            tokens->at++;
            if (mc_json_peek(tokens) != token + 2) { // the closing bracket in ASCII
                if (token == '{' && !skip_name(tokens)) return false;
                if (token == '[' && !tokens->has_escapes) skip_listed_strings(tokens);
                continue;
            }
        } else if (!skip_scalar(tokens)) {
            return false;
        }
        // Behind a value, or before the closing bracket of an empty array or object.
        while (depth > 0 && mc_json_take(tokens, (char)(tokens->nesting[depth - 1] + 2)))
            depth--;
        if (depth == 0) break;
        if (!mc_json_take(tokens, ','))
            return mc_json_fail(tokens, "',' or a closing bracket behind a value");
        if (tokens->nesting[depth - 1] == '{' && !skip_name(tokens)) return false;
    } while (true);
    return true;
}

bool mc_json_take_end(mc_json_tokens *tokens) {
    if (mc_json_peek(tokens) < 0 && !tokens->failed) return true;
    return mc_json_fail(tokens, "the end of the input");
}
