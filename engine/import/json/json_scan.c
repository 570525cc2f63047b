#include "engine/import/json/json_scan.h"

#include "engine/base/utf8.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__SSE2__)
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

#if defined(__x86_64__)
#define HAS_WIDE_BLOCKS true
#define WIDEST __attribute__((target("avx512f,avx512bw,pclmul,popcnt"), always_inline))
#define WIDE __attribute__((target("avx2,popcnt"), always_inline))

WIDE static inline uint64_t join_wide(__m256i low, __m256i high) {
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
}

WIDE static inline block_masks classify_wide(const unsigned char *block) {
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
    const __m256i opening = _mm256_set1_epi8('{'), closing = _mm256_set1_epi8('}');
    const __m256i case_bit = _mm256_set1_epi8(0x20);
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)block);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(block + 32));
    __m256i low_folded = _mm256_or_si256(low, case_bit);
    __m256i high_folded = _mm256_or_si256(high, case_bit);
    return (block_masks){
        .quotes = join_wide(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote)),
        .backslashes =
            join_wide(_mm256_cmpeq_epi8(low, backslash), _mm256_cmpeq_epi8(high, backslash)),
        .opening = join_wide(_mm256_cmpeq_epi8(low_folded, opening),
                             _mm256_cmpeq_epi8(high_folded, opening)),
        .closing = join_wide(_mm256_cmpeq_epi8(low_folded, closing),
                             _mm256_cmpeq_epi8(high_folded, closing))};
}

WIDEST static inline block_masks classify_widest(const unsigned char *block) {
    __m512i bytes = _mm512_loadu_si512(block);
    __m512i folded = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20));
    return (block_masks){.quotes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"')),
                         .backslashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\')),
                         .opening = _mm512_cmpeq_epi8_mask(folded, _mm512_set1_epi8('{')),
                         .closing = _mm512_cmpeq_epi8_mask(folded, _mm512_set1_epi8('}'))};
}

// What prefix_xor() does, in one multiplication without carries.
WIDEST static inline uint64_t prefix_xor_widest(uint64_t bits) {
    __m128i product =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8((char)0xff), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}
#endif

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

// Those that are not escaped, and so begin or end a string.
__attribute__((always_inline)) static inline uint64_t find_quotes(mc_json_array *array,
                                                                  const block_masks *masks) {
    bool has_escapes = masks->backslashes || array->is_escaped;
    return has_escapes ? masks->quotes & ~find_escaped(masks->backslashes, &array->is_escaped)
                       : masks->quotes;
}

// Takes one block of an array or object, of which `in_string` says what is in strings unless one
// was open before. The number of bytes up to its end, 0 if that is not here.
__attribute__((always_inline)) static inline size_t
take_block(mc_json_array *array, block_masks masks, uint64_t in_string) {
    in_string ^= array->inside;
    array->inside = (uint64_t)0 - (in_string >> (BLOCK_SIZE - 1));
    uint64_t opening = masks.opening & ~in_string, closing = masks.closing & ~in_string;
    uint64_t closing_count = (uint64_t)count_bits(closing);
    if (array->depth > closing_count) {
        array->depth += (uint64_t)count_bits(opening) - closing_count;
        return 0;
    }
    for (uint64_t brackets = opening | closing; brackets; brackets &= brackets - 1) {
        uint64_t bit = brackets & (0 - brackets);
        if (opening & bit) {
            array->depth++;
        } else if (--array->depth == 0) {
            return (size_t)__builtin_ctzll(bit) + 1;
        }
    }
    return 0;
}

// Goes on through whole blocks. The number of bytes up to the end in the last of them, or 0.
static size_t scan_blocks(mc_json_array *array, const unsigned char *data, size_t size) {
    size_t end = 0;
    for (; size - array->scanned >= BLOCK_SIZE; array->scanned += BLOCK_SIZE) {
        block_masks masks = classify(data + array->scanned);
        end = take_block(array, masks, prefix_xor(find_quotes(array, &masks)));
        if (end > 0) break;
    }
    return end;
}

#ifdef HAS_WIDE_BLOCKS
__attribute__((target("avx2,popcnt"))) static size_t
scan_wide_blocks(mc_json_array *array, const unsigned char *data, size_t size) {
    mc_json_array at = *array; // in registers
    size_t end = 0;
    for (; size - at.scanned >= BLOCK_SIZE; at.scanned += BLOCK_SIZE) {
        block_masks masks = classify_wide(data + at.scanned);
        end = take_block(&at, masks, prefix_xor(find_quotes(&at, &masks)));
        if (end > 0) break;
    }
    *array = at;
    return end;
}

__attribute__((target("avx512f,avx512bw,pclmul,popcnt"))) static size_t
scan_widest_blocks(mc_json_array *array, const unsigned char *data, size_t size) {
    mc_json_array at = *array;
    size_t end = 0;
    for (; size - at.scanned >= BLOCK_SIZE; at.scanned += BLOCK_SIZE) {
        block_masks masks = classify_widest(data + at.scanned);
        end = take_block(&at, masks, prefix_xor_widest(find_quotes(&at, &masks)));
        if (end > 0) break;
    }
    *array = at;
    return end;
}
#endif

// With the widest instructions that the processor has, unless a test wants others.
static size_t scan(mc_json_array *array, const unsigned char *data, size_t size) {
#ifdef HAS_WIDE_BLOCKS
    bool can_count = __builtin_cpu_supports("popcnt");
    bool is_widest = array->most <= MC_JSON_WIDEST && __builtin_cpu_supports("avx512f") &&
                     __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("pclmul");
    if (is_widest && can_count) return scan_widest_blocks(array, data, size);
    bool is_wide = array->most <= MC_JSON_WIDE && __builtin_cpu_supports("avx2");
    if (is_wide && can_count) return scan_wide_blocks(array, data, size);
#endif
    return scan_blocks(array, data, size);
}

// Goes on measuring an array or object. False if the data ends before it does.
static bool measure_container(mc_json_array *array) {
    const unsigned char *data = array->data + array->element;
    size_t size = array->size - array->element, end = scan(array, data, size);
    // Blocks are scanned once, so a part of one only where nothing follows.
    if (end == 0 && array->scanned < size && !array->is_partial) {
        unsigned char rest[BLOCK_SIZE];
        memset(rest, ' ', sizeof rest);
        memcpy(rest, data + array->scanned, size - array->scanned);
        block_masks masks = classify(rest);
        end = take_block(array, masks, prefix_xor(find_quotes(array, &masks)));
        if (end == 0) array->scanned = size;
    }
    if (end > 0) array->at = array->element + array->scanned + end;
    return end > 0;
}

// The same for what is neither array nor object, as far as it can be told.
static bool measure_scalar(mc_json_array *array) {
    const unsigned char *data = array->data + array->element;
    size_t size = array->size - array->element;
    string_state state = {array->inside != 0, array->is_escaped};
    for (; array->scanned < size; array->scanned++) {
        unsigned char c = data[array->scanned];
        if (array->scanned > 0 && !state.in_string && !state.is_escaped && ends_scalar(c)) {
            array->at = array->element + array->scanned;
            return true;
        }
        step(&state, c);
    }
    array->inside = state.in_string ? UINT64_MAX : 0;
    array->is_escaped = state.is_escaped;
    return false;
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

bool mc_json_is_object(const unsigned char *data, size_t size) {
    size_t at = skip_space(data, size, skip_mark(data, size));
    return at < size && data[at] == '{';
}

void mc_json_array_begin(mc_json_array *array, const unsigned char *data, size_t size) {
    size_t at = skip_space(data, size, skip_mark(data, size));
    assert(at < size && data[at] == '[');
    *array = (mc_json_array){.data = data, .size = size, .at = at + 1};
}

void mc_json_array_begin_within(mc_json_array *array, const unsigned char *data, size_t size) {
    assert(size > 0 && (data[0] == '[' || data[0] == '{'));
    bool is_single = data[0] == '{';
    *array = (mc_json_array){.data = data,
                             .size = size,
                             .at = is_single ? 0 : 1,
                             .is_within = true,
                             .is_single = is_single};
}

static mc_result fail(mc_json_array *array, const char *expected, mc_error *error) {
    array->is_done = true;
    return mc_error_set(error, MC_ERROR_BAD_DATA, array->at, "expected %s, found %s", expected,
                        array->at < array->size ? "something else" : "the end of the input");
}

// Behind the array nothing but white space may come.
static mc_result take_end(mc_json_array *array, mc_error *error) {
    if (array->is_within) {
        array->is_done = true;
        return MC_OK;
    }
    array->at = skip_space(array->data, array->size, array->at);
    if (array->at < array->size) return fail(array, "the end of the input behind the array", error);
    array->is_done = !array->is_partial;
    return MC_OK;
}

// Takes what stands between two elements, up to the first byte of the next.
static mc_result take_separators(mc_json_array *array, mc_error *error) {
    while (array->state != MC_JSON_ARRAY_IN_ELEMENT) {
        if (array->state == MC_JSON_ARRAY_BEHIND_ELEMENT && array->is_single)
            array->state = MC_JSON_ARRAY_BEHIND_END;
        if (array->state == MC_JSON_ARRAY_BEHIND_END) return take_end(array, error);
        array->at = skip_space(array->data, array->size, array->at);
        if (array->at == array->size && array->is_partial) return MC_OK;
        int c = array->at < array->size ? array->data[array->at] : -1;
        if (c == ']' && array->state != MC_JSON_ARRAY_BEHIND_COMMA) {
            array->state = MC_JSON_ARRAY_BEHIND_END;
            array->at++;
        } else if (array->state == MC_JSON_ARRAY_BEHIND_ELEMENT) {
            if (c != ',') return fail(array, "',' or ']' behind an element of the array", error);
            array->state = MC_JSON_ARRAY_BEHIND_COMMA;
            array->at++;
        } else if (c < 0 || strchr(",:]}", c)) {
            return fail(array, "an element of the array", error);
        } else {
            array->state = MC_JSON_ARRAY_IN_ELEMENT;
            array->element = array->at;
            array->scanned = 0;
            array->depth = array->inside = 0;
            array->is_escaped = false;
        }
    }
    return MC_OK;
}

mc_result mc_json_array_next(mc_json_array *array, size_t *begin, size_t *element_size,
                             mc_error *error) {
    *begin = *element_size = 0;
    if (array->is_done) return MC_OK;
    mc_result result = take_separators(array, error);
    if (result != MC_OK || array->state != MC_JSON_ARRAY_IN_ELEMENT) return result;
    unsigned char first = array->data[array->element];
    if (first == '{' || first == '[' ? measure_container(array) : measure_scalar(array)) {
        array->state = MC_JSON_ARRAY_BEHIND_ELEMENT;
    } else {
        if (array->is_partial) return MC_OK;
        array->at = array->size;
        array->state = MC_JSON_ARRAY_BEHIND_END; // cut off: nothing can follow
    }
    array->count++;
    *begin = array->element;
    *element_size = array->at - array->element;
    return MC_OK;
}

size_t mc_json_array_get_needed(const mc_json_array *array) {
    return array->state == MC_JSON_ARRAY_IN_ELEMENT ? array->element : array->at;
}

void mc_json_array_move(mc_json_array *array, const unsigned char *data, size_t size,
                        size_t dropped) {
    assert(dropped <= mc_json_array_get_needed(array));
    array->data = data;
    array->size = size;
    array->at -= dropped < array->at ? dropped : array->at;
    array->element -= dropped < array->element ? dropped : array->element;
}

// ---- guessing

// Behind the value at `at`; SIZE_MAX: it does not end.
static size_t skip_value(const unsigned char *data, size_t size, size_t at) {
    mc_json_array value = {.data = data, .size = size, .element = at};
    unsigned char first = at < size ? data[at] : ' ';
    bool ends = first == '{' || first == '[' ? measure_container(&value) : measure_scalar(&value);
    return ends ? value.at : SIZE_MAX;
}

// Whether the field's name, with its quotes, is one that only steps and pointer maps have.
static bool is_step_field(const unsigned char *name, size_t size) {
    static const char *const names[] = {"\"time\"", "\"root\"", "\"classifiers\"",
                                        "\"pointerMap\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (size == strlen(names[i]) && memcmp(name, names[i], size) == 0) return true;
    return false;
}

// The name of the member that begins at `*at`, behind a brace or a comma, with its quotes.
static mc_json_search scan_name(const unsigned char *data, size_t size, size_t *at, size_t *end) {
    *at = skip_space(data, size, *at);
    if (*at == size) return MC_JSON_CUT;
    if (data[*at] != '"') return MC_JSON_MISSING; // the end, or no JSON
    *end = skip_value(data, size, *at);
    return *end == SIZE_MAX ? MC_JSON_CUT : MC_JSON_FOUND;
}

// Behind a name: the colon, and where the value begins.
static mc_json_search scan_colon(const unsigned char *data, size_t size, size_t *at) {
    *at = skip_space(data, size, *at);
    if (*at == size) return MC_JSON_CUT;
    if (data[*at] != ':') return MC_JSON_MISSING;
    *at = skip_space(data, size, *at + 1);
    return *at == size ? MC_JSON_CUT : MC_JSON_FOUND;
}

// The value, and the comma behind it.
static mc_json_search scan_value(const unsigned char *data, size_t size, size_t *at) {
    *at = skip_value(data, size, *at);
    if (*at == SIZE_MAX) return MC_JSON_CUT;
    *at = skip_space(data, size, *at);
    if (*at == size) return MC_JSON_CUT;
    return data[(*at)++] == ',' ? MC_JSON_FOUND : MC_JSON_MISSING;
}

static bool is_number(const unsigned char *text, size_t size) {
    size_t at = size > 0 && text[0] == '-';
    if (at == size || text[at] < '0' || text[at] > '9') return false;
    while (at < size && text[at] != '\0' && strchr("0123456789+-.eE", text[at]))
        at++;
    return at == size;
}

static bool is_plain_string(const unsigned char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] < ' ') return false;
    return size >= 2 && text[size - 1] == '"' && mc_utf8_is_valid((const char *)text, size);
}

// Whether there is such a value, `size` bytes long; of arrays and objects only the beginning is
// looked at.
static bool is_value(const unsigned char *text, size_t size) {
    static const char *const words[] = {"true", "false", "null"};
    if (size == 0) return false;
    if (text[0] == '{' || text[0] == '[') return true;
    if (text[0] == '"') return is_plain_string(text, size);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (size == strlen(words[i]) && memcmp(text, words[i], size) == 0) return true;
    return is_number(text, size);
}

// Behind the value at *at: whether a comma follows. If not, *guess is what that says.
static bool guess_value(const unsigned char *data, size_t size, size_t *at, mc_json_guess *guess) {
    size_t end = skip_value(data, size, *at);
    *guess = MC_JSON_UNCLEAR;
    if (end == SIZE_MAX || !is_value(data + *at, end - *at)) return false;
    end = skip_space(data, size, end);
    if (end == size) return false;
    *at = end + 1;
    if (data[end] == '}') *guess = MC_JSON_NO_STEPS;
    return data[end] == ',';
}

// The fields of the object whose brace stands before `at`.
static mc_json_guess guess_object(const unsigned char *data, size_t size, size_t at) {
    for (;;) {
        size_t end;
        mc_json_guess guess;
        mc_json_search search = scan_name(data, size, &at, &end);
        if (search == MC_JSON_MISSING && data[at] == '}') return MC_JSON_NO_STEPS;
        if (search != MC_JSON_FOUND) return MC_JSON_UNCLEAR;
        // A name with escapes may be any.
        if (is_step_field(data + at, end - at)) return MC_JSON_STEPS;
        if (memchr(data + at, '\\', end - at) || !is_value(data + at, end - at))
            return MC_JSON_UNCLEAR;
        at = end;
        if (scan_colon(data, size, &at) != MC_JSON_FOUND) return MC_JSON_UNCLEAR;
        if (!guess_value(data, size, &at, &guess)) return guess;
    }
}

mc_json_search mc_json_find_field(const unsigned char *data, size_t size, const char *name,
                                  size_t *value) {
    size_t at = skip_space(data, size, skip_mark(data, size)), length = strlen(name);
    if (at == size) return MC_JSON_CUT;
    if (data[at++] != '{') return MC_JSON_MISSING;
    for (;;) {
        size_t begin = at, end;
        mc_json_search search = scan_name(data, size, &begin, &end);
        if (search != MC_JSON_FOUND) return search;
        at = end;
        search = scan_colon(data, size, &at);
        if (search != MC_JSON_FOUND) return search;
        if (end - begin == length + 2 && memcmp(data + begin + 1, name, length) == 0) {
            *value = at;
            return MC_JSON_FOUND;
        }
        search = scan_value(data, size, &at);
        if (search != MC_JSON_FOUND) return search;
    }
}

mc_json_guess mc_json_guess_steps(const unsigned char *data, size_t size) {
    size_t at = skip_space(data, size, skip_mark(data, size));
    bool is_array = at < size && data[at] == '[';
    if (is_array) at = skip_space(data, size, at + 1);
    if (at == size || (is_array && data[at] == ']')) return MC_JSON_UNCLEAR;
    if (data[at] == '{') return guess_object(data, size, at + 1);
    size_t end = skip_value(data, size, at);
    if (end == SIZE_MAX) end = size; // nothing follows
    return is_value(data + at, end - at) ? MC_JSON_NO_STEPS : MC_JSON_UNCLEAR;
}
