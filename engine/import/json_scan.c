#include "engine/import/json_scan.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define BLOCK_SIZE 64
#define PREFETCH_DISTANCE 2048

static bool is_space(unsigned char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool ends_scalar(unsigned char c) {
    return is_space(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']';
}

// Where a scan stands between two bytes.
typedef struct string_state {
    bool in_string;
    bool is_escaped; // a backslash precedes
} string_state;

static void step(string_state *state, unsigned char c) {
    if (state->is_escaped) {
        state->is_escaped = false;
    } else if (c == '\\') {
        state->is_escaped = true;
    } else if (c == '"') {
        state->in_string = !state->in_string;
    }
}

mc_json_cut mc_json_cut_piece(const unsigned char *data, size_t size, size_t wanted) {
    string_state state = {0};
    mc_json_cut cut = {0};
    if (wanted > size) wanted = size;
    size_t at = 0;
    while (at + BLOCK_SIZE <= wanted) {
        // Only whether the number of quotes is odd matters, as long as none is escaped.
        unsigned char quotes = 0, backslashes = 0;
        // This is where bytes come from memory; the processor's own prefetching ends at each page.
        if (size - at > PREFETCH_DISTANCE) __builtin_prefetch(data + at + PREFETCH_DISTANCE);
        for (size_t i = 0; i < BLOCK_SIZE; i++) {
            quotes ^= data[at + i] == '"';
            backslashes |= data[at + i] == '\\';
        }
        if (backslashes == 0 && !state.is_escaped) {
            state.in_string ^= (quotes & 1) != 0;
        } else {
            cut.has_escapes = true;
            for (size_t i = 0; i < BLOCK_SIZE; i++)
                step(&state, data[at + i]);
        }
        at += BLOCK_SIZE;
    }
    for (; at < size; at++) {
        unsigned char c = data[at];
        bool is_free = !state.in_string && !state.is_escaped;
        if (at >= wanted && is_free && (ends_scalar(c) || (at > 0 && data[at - 1] == '"'))) break;
        cut.has_escapes |= c == '\\';
        step(&state, c);
    }
    cut.size = at;
    cut.is_unclosed = state.in_string;
    return cut;
}

// Which of a block's bytes are what, one bit a byte.
typedef struct block_masks {
    uint64_t quotes, backslashes, opening, closing;
} block_masks;

static block_masks classify(const unsigned char *block) {
    block_masks masks = {0};
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i opening = _mm_set1_epi8('{'), closing = _mm_set1_epi8('}');
    const __m128i case_bit = _mm_set1_epi8(0x20); // the only difference between { and [, } and ]
    for (int i = 0; i < BLOCK_SIZE / 16; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i));
        __m128i folded = _mm_or_si128(bytes, case_bit);
        int shift = 16 * i;
        masks.quotes |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, quote))
                        << shift;
        masks.backslashes |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, backslash))
                             << shift;
        masks.opening |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(folded, opening))
                         << shift;
        masks.closing |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(folded, closing))
                         << shift;
    }
#else
    for (int i = 0; i < BLOCK_SIZE; i++) {
        unsigned char c = block[i];
        masks.quotes |= (uint64_t)(c == '"') << i;
        masks.backslashes |= (uint64_t)(c == '\\') << i;
        masks.opening |= (uint64_t)(c == '{' || c == '[') << i;
        masks.closing |= (uint64_t)(c == '}' || c == ']') << i;
    }
#endif
    return masks;
}

// The bytes that a backslash precedes; `*carry` says so of the next block's first byte.
static uint64_t find_escaped(uint64_t backslashes, bool *carry) {
    uint64_t escaped = *carry ? 1 : 0;
    *carry = false;
    backslashes &= ~escaped;
    while (backslashes) {
        int i = __builtin_ctzll(backslashes);
        if (i == BLOCK_SIZE - 1) {
            *carry = true;
            break;
        }
        escaped |= UINT64_C(2) << i;
        backslashes &= ~(UINT64_C(3) << i);
    }
    return escaped;
}

static int count_bits(uint64_t bits) {
    // By hand: the compiler's own calls a function where the target may lack the instruction.
    bits = bits - ((bits >> 1) & 0x5555555555555555u);
    bits = (bits & 0x3333333333333333u) + ((bits >> 2) & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((bits * 0x0101010101010101u) >> 56);
}

// Bit i is set if an odd number of bits up to i is.
static uint64_t prefix_xor(uint64_t bits) {
    for (int shift = 1; shift < BLOCK_SIZE; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

// The size of the array or object that begins at data[0]; `size`, and `*is_cut` set, if the data
// ends before.
static size_t measure_container(const unsigned char *data, size_t size, bool *is_cut) {
    uint64_t inside = 0, depth = 0; // all bits set: the block begins inside a string
    bool is_escaped = false;
    for (size_t at = 0; at < size; at += BLOCK_SIZE) {
        unsigned char rest[BLOCK_SIZE];
        const unsigned char *block = data + at;
        if (size - at < BLOCK_SIZE) {
            memset(rest, ' ', sizeof rest);
            memcpy(rest, block, size - at);
            block = rest;
        }
        block_masks masks = classify(block);
        uint64_t quotes = masks.quotes;
        if (masks.backslashes || is_escaped)
            quotes &= ~find_escaped(masks.backslashes, &is_escaped);
        uint64_t in_string = prefix_xor(quotes) ^ inside;
        inside = (uint64_t)0 - (in_string >> (BLOCK_SIZE - 1));
        uint64_t opening = masks.opening & ~in_string, closing = masks.closing & ~in_string;
        uint64_t closing_count = (uint64_t)count_bits(closing);
        if (depth > closing_count) {
            depth += (uint64_t)count_bits(opening) - closing_count;
            continue;
        }
        for (uint64_t brackets = opening | closing; brackets; brackets &= brackets - 1) {
            uint64_t bit = brackets & (0 - brackets);
            if (opening & bit) {
                depth++;
            } else if (--depth == 0) {
                return at + (size_t)__builtin_ctzll(bit) + 1;
            }
        }
    }
    *is_cut = true;
    return size;
}

static size_t skip_space(const unsigned char *data, size_t size, size_t at) {
    while (at < size && is_space(data[at]))
        at++;
    return at;
}

static size_t skip_mark(const unsigned char *data, size_t size) {
    return size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool mc_json_is_array(const unsigned char *data, size_t size) {
    size_t at = skip_space(data, size, skip_mark(data, size));
    return at < size && data[at] == '[';
}

void mc_json_array_begin(mc_json_array *array, const unsigned char *data, size_t size) {
    size_t at = skip_space(data, size, skip_mark(data, size));
    assert(at < size && data[at] == '[');
    *array = (mc_json_array){.data = data, .size = size, .at = at + 1};
}

static mc_result fail(mc_json_array *array, size_t at, const char *expected, mc_error *error) {
    array->is_done = true;
    return mc_error_set(error, MC_ERROR_BAD_DATA, at, "expected %s, found %s", expected,
                        at < array->size ? "something else" : "the end of the input");
}

static mc_result end(mc_json_array *array, size_t at, mc_error *error) {
    array->is_done = true;
    at = skip_space(array->data, array->size, at);
    if (at < array->size) return fail(array, at, "the end of the input behind the array", error);
    return MC_OK;
}

// The size of a value that is neither array nor object, as far as it can be told.
static size_t measure_scalar(const unsigned char *data, size_t size) {
    string_state state = {0};
    for (size_t at = 0; at < size; at++) {
        bool is_free = !state.in_string && !state.is_escaped;
        if (at > 0 && is_free && ends_scalar(data[at])) return at;
        step(&state, data[at]);
    }
    return size;
}

mc_result mc_json_array_next(mc_json_array *array, size_t *begin, size_t *element_size,
                             mc_error *error) {
    *begin = *element_size = 0;
    array->is_done |= array->is_cut;
    if (array->is_done) return MC_OK;
    size_t at = skip_space(array->data, array->size, array->at);
    if (array->count == 0) {
        if (at < array->size && array->data[at] == ']') return end(array, at + 1, error);
    } else {
        if (at < array->size && array->data[at] == ']') return end(array, at + 1, error);
        if (at >= array->size || array->data[at] != ',')
            return fail(array, at, "',' or ']' behind an element of the array", error);
        at = skip_space(array->data, array->size, at + 1);
    }
    if (at >= array->size) return fail(array, at, "an element of the array", error);
    unsigned char first = array->data[at];
    if (first == ',' || first == ']' || first == '}' || first == ':')
        return fail(array, at, "an element of the array", error);
    size_t rest = array->size - at;
    *begin = at;
    if (first == '{' || first == '[') {
        *element_size = measure_container(array->data + at, rest, &array->is_cut);
    } else {
        *element_size = measure_scalar(array->data + at, rest);
        array->is_cut = *element_size == rest;
    }
    array->at = at + *element_size;
    array->count++;
    return MC_OK;
}
