#include "engine/import/json/json_pattern.h"

#include "engine/base/ascii.h"
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define SIZE_MOST 4096 // of a node that is worth the while
#define SLACK 32       // bytes that may be read, not used, behind what is compared
#define PAUSE_MOST 64
#define DIGITS_MOST 18 // that surely fit 63 bits

void mc_json_pattern_forget(mc_json_pattern *pattern) {
    pattern->hole_count = pattern->noted_count = 0;
    pattern->vain_count = pattern->pause = 0;
}

void mc_json_pattern_deinit(mc_json_pattern *pattern) {
    mc_text_deinit(&pattern->text);
    memset(pattern, 0, sizeof *pattern);
}

// ---- learning

static bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(unsigned char c) {
    return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c >= 0x80;
}

static bool add_hole(mc_json_pattern *pattern, mc_json_hole hole, const unsigned char *literal,
                     size_t literal_size) {
    if (pattern->hole_count == MC_JSON_HOLES_MAX) return false;
    mc_text_append(&pattern->text, (const char *)literal, literal_size);
    hole.literal_size = literal_size;
    pattern->holes[pattern->hole_count++] = hole;
    return true;
}

// Where the key ends a string of `text` again: of a path, say. NULL: nowhere.
static const unsigned char *find_key(const unsigned char *text, const unsigned char *end,
                                     const char *key, size_t key_size) {
    if (key_size == 0) return NULL;
    for (const unsigned char *at = text + 1; (size_t)(end - at) > key_size; at++) {
        at = memchr(at, key[0], (size_t)(end - at) - key_size);
        if (!at) return NULL;
        if (at[key_size] == '"' && !is_word(at[-1]) && memcmp(at, key, key_size) == 0) return at;
    }
    return NULL;
}

// The text up to a hole, with the holes that the key makes in it.
static bool add_literal(mc_json_pattern *pattern, const unsigned char **from,
                        const unsigned char *end, const char *key, size_t key_size) {
    const unsigned char *again;
    while (*from < end && (again = find_key(*from, end, key, key_size)) != NULL) {
        mc_json_hole hole = {.kind = MC_JSON_HOLE_KEY_AGAIN};
        if (!add_hole(pattern, hole, *from, (size_t)(again - *from))) return false;
        *from = again + key_size;
    }
    return true;
}

// Where the value of a hole begins and ends, without quotes. False: it is none that can be matched.
static bool measure_hole(const mc_json_hole *hole, const unsigned char *data, size_t end,
                         const unsigned char **from, const unsigned char **to) {
    const unsigned char *at = data + hole->offset, *limit = data + end;
    if (at >= limit) return false;
    if (hole->kind == MC_JSON_HOLE_KEY || hole->kind == MC_JSON_HOLE_NAME) {
        *from = at + 1;
        *to = memchr(*from, '"', (size_t)(limit - *from));
        return *at == '"' && *to && !memchr(*from, '\\', (size_t)(*to - *from));
    }
    *from = at;
    if (hole->kind == MC_JSON_HOLE_SIZE && *at == '-') at++;
    while (at < limit && is_digit(*at))
        at++;
    *to = at;
    return at > *from;
}

// Into an empty pattern.
static bool learn(mc_json_pattern *pattern, const unsigned char *data, size_t begin, size_t end,
                  const char *key, size_t key_size) {
    const unsigned char *at = data + begin, *from, *to;
    bool has_key = false; // before it nothing can be compared with it
    for (uint32_t i = 0; i < pattern->noted_count; i++) {
        const mc_json_hole *hole = &pattern->noted[i];
        if (!measure_hole(hole, data, end, &from, &to) || from < at) return false;
        if (has_key && !add_literal(pattern, &at, from, key, key_size)) return false;
        if (!has_key && hole->kind == MC_JSON_HOLE_NAME) return false;
        has_key |= hole->kind == MC_JSON_HOLE_KEY;
        if (!add_hole(pattern, *hole, at, (size_t)(from - at))) return false;
        at = to;
    }
    const unsigned char *last = data + end;
    static const char padding[SLACK];
    if (!has_key || !add_literal(pattern, &at, last, key, key_size)) return false;
    pattern->rest_size = (size_t)(last - at);
    mc_text_append(&pattern->text, (const char *)at, pattern->rest_size);
    mc_text_append(&pattern->text, padding, sizeof padding);
    return !pattern->text.failed;
}

void mc_json_pattern_learn(mc_json_pattern *pattern, const unsigned char *data, size_t begin,
                           size_t end, const char *key, size_t key_size) {
    if (pattern->noted_count == 0 || pattern->noted_count > MC_JSON_HOLES_MAX ||
        end - begin > SIZE_MOST)
        return;
    if (pattern->pause > 0) {
        pattern->pause--;
        return;
    }
    pattern->pause = ((uint32_t)1 << pattern->vain_count) - 1;
    if (pattern->pause < PAUSE_MOST - 1) pattern->vain_count++;
    pattern->hole_count = 0;
    mc_text_clear(&pattern->text);
    if (!learn(pattern, data, begin, end, key, key_size)) pattern->hole_count = 0;
}

// ---- matching

// Both may be read up to 16 bytes behind their ends.
static inline bool equals(const unsigned char *a, const unsigned char *b, size_t size) {
#if defined(__SSE2__)
    while (true) {
        __m128i left = _mm_loadu_si128((const __m128i *)(const void *)a);
        __m128i right = _mm_loadu_si128((const __m128i *)(const void *)b);
        unsigned same = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(left, right));
        if (size <= 16) return (~same & (((unsigned)1 << size) - 1)) == 0;
        if (same != 0xffff) return false;
        a += 16;
        b += 16;
        size -= 16;
    }
#else
    return memcmp(a, b, size) == 0;
#endif
}

// The length of the plain ASCII text before a quote; SIZE_MAX: there is something else before it.
static inline size_t measure_plain(const unsigned char *at, const unsigned char *end) {
    const unsigned char *begin = at;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(' ');
    for (; end - at >= 16; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        // As signed bytes, those beyond ASCII are below the space, too.
        __m128i special = _mm_or_si128(
            _mm_cmplt_epi8(bytes, space),
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
        unsigned mask = (unsigned)_mm_movemask_epi8(special);
        if (mask == 0) continue;
        at += __builtin_ctz(mask);
        return *at == '"' ? (size_t)(at - begin) : SIZE_MAX;
    }
#else
    for (; at < end && *at >= ' ' && *at < 0x80 && *at != '\\'; at++)
        if (*at == '"') return (size_t)(at - begin);
#endif
    return SIZE_MAX;
}

// The digits' end; NULL if there are none, too many, or a leading zero. `at` has 8 bytes.
static inline const unsigned char *read_number(const unsigned char *at, const unsigned char *end,
                                               uint64_t *number) {
    const unsigned char *begin = at;
    uint64_t value = 0;
    const unsigned count = mc_read_digits(at, &value);
    if (count == 0) return NULL;
    at += count;
    for (; count == 8 && at < end && is_digit(*at) && at - begin <= DIGITS_MOST; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    *number = value;
    bool is_fine = at > begin && at - begin <= DIGITS_MOST && (*begin != '0' || at - begin == 1);
    return is_fine ? at : NULL;
}

static inline const unsigned char *match_number(const mc_json_hole *hole, const unsigned char *at,
                                                const unsigned char *end, mc_json_match *match) {
    uint64_t number = 0;
    if (hole->kind == MC_JSON_HOLE_SIZE && at[0] == '-')
        return at[1] == '1' && !is_digit(at[2]) ? at + 2 : NULL;
    at = read_number(at, end, &number);
    if (hole->kind == MC_JSON_HOLE_OBJECTS) {
        match->objects = number;
    } else if (hole->kind == MC_JSON_HOLE_BYTES) {
        match->bytes = number;
    } else {
        match->values[match->value_count] = number;
        match->metrics[match->value_count++] = hole->metric;
    }
    return at;
}

const unsigned char *mc_json_pattern_match(const mc_json_pattern *pattern, const unsigned char *at,
                                           const unsigned char *end, mc_json_match *match) {
    const unsigned char *literal = (const unsigned char *)pattern->text.data;
    match->name = NULL;
    match->value_count = 0;
    for (uint32_t i = 0; i < pattern->hole_count; i++) {
        const mc_json_hole *hole = &pattern->holes[i];
        size_t size = hole->literal_size;
        if ((size_t)(end - at) < size + SLACK || !equals(at, literal, size)) return NULL;
        at += size;
        literal += size;
        if (hole->kind == MC_JSON_HOLE_KEY || hole->kind == MC_JSON_HOLE_NAME) {
            size = measure_plain(at, end);
            if (size == SIZE_MAX) return NULL;
            *(hole->kind == MC_JSON_HOLE_KEY ? &match->key : &match->name) = (const char *)at;
            *(hole->kind == MC_JSON_HOLE_KEY ? &match->key_size : &match->name_size) = size;
            at += size;
        } else if (hole->kind == MC_JSON_HOLE_KEY_AGAIN) {
            size = match->key_size;
            if ((size_t)(end - at) < size + SLACK ||
                !equals(at, (const unsigned char *)match->key, size))
                return NULL;
            at += size;
        } else {
            at = match_number(hole, at, end, match);
            if (!at) return NULL;
        }
    }
    if ((size_t)(end - at) < pattern->rest_size + SLACK || !equals(at, literal, pattern->rest_size))
        return NULL;
    return at + pattern->rest_size;
}
