#include "engine/store/mct/mct_numbers.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#include <immintrin.h>
#include <pthread.h>
#include <string.h>

enum { WORD = 8, MASKS = 1 << WORD, NO_BYTE = 0x80 };

// By a mask of the bytes that another one of their code follows.
typedef struct code_row {
    uint8_t shuffle[2 * WORD]; // two bytes a code
} code_row;

static code_row rows[MASKS];
static uint8_t code_counts[MASKS], byte_counts[MASKS];
static bool is_wide;

static void fill_row(uint32_t mask) {
    uint32_t count = 0, at = 0;
    memset(rows[mask].shuffle, NO_BYTE, sizeof rows[mask].shuffle);
    for (; at < WORD; count++) {
        const bool goes_on = mask >> at & 1;
        if (goes_on && (at + 1 == WORD || (mask >> (at + 1) & 1))) break;
        rows[mask].shuffle[2 * count] = (uint8_t)at++;
        if (goes_on) rows[mask].shuffle[2 * count + 1] = (uint8_t)at++;
    }
    code_counts[mask] = (uint8_t)count;
    byte_counts[mask] = (uint8_t)at;
}

static void begin(void) {
    for (uint32_t mask = 0; mask < MASKS; mask++)
        fill_row(mask);
    is_wide = __builtin_cpu_supports("avx2");
}

__attribute__((target("avx2"))) static uint32_t decode_wide(const unsigned char **start,
                                                            const unsigned char *end,
                                                            uint64_t *values, uint32_t count) {
    const unsigned char *at = *start;
    uint32_t i = 0;
    const __m128i low = _mm_set1_epi16(0x7f), high = _mm_set1_epi16(0x3f80);
    const __m128i one = _mm_set1_epi16(1), zero = _mm_setzero_si128();
    while (count - i >= WORD && end - at >= WORD) {
        const __m128i word = _mm_loadl_epi64((const __m128i *)(const void *)at);
        const uint32_t mask = (uint32_t)_mm_movemask_epi8(word) & (MASKS - 1);
        if (code_counts[mask] == 0) break;
        const __m128i shuffle = _mm_loadu_si128((const __m128i *)(const void *)rows[mask].shuffle);
        const __m128i lanes = _mm_shuffle_epi8(word, shuffle);
        const __m128i codes =
            _mm_or_si128(_mm_and_si128(lanes, low), _mm_and_si128(_mm_srli_epi16(lanes, 1), high));
        const __m128i sign = _mm_sub_epi16(zero, _mm_and_si128(codes, one));
        const __m128i numbers = _mm_xor_si128(_mm_srli_epi16(codes, 1), sign);
        // Behind the last code there are zeros, which are written over.
        _mm256_storeu_si256((__m256i *)(void *)(values + i), _mm256_cvtepi16_epi64(numbers));
        _mm256_storeu_si256((__m256i *)(void *)(values + i + WORD / 2),
                            _mm256_cvtepi16_epi64(_mm_unpackhi_epi64(numbers, numbers)));
        at += byte_counts[mask];
        i += code_counts[mask];
    }
    *start = at;
    return i;
}

enum { WIDE = 4 }; // numbers

__attribute__((target("avx2"))) static uint32_t
add_wide(uint64_t *values, const uint64_t *base, const uint64_t *differences, uint32_t count) {
    uint32_t i = 0;
    for (; count - i >= WIDE; i += WIDE) {
        const __m256i from = _mm256_loadu_si256((const __m256i *)(const void *)(base + i));
        const __m256i more = _mm256_loadu_si256((const __m256i *)(const void *)(differences + i));
        _mm256_storeu_si256((__m256i *)(void *)(values + i), _mm256_add_epi64(from, more));
    }
    return i;
}

__attribute__((target("avx2"))) static uint32_t unite_wide(const uint64_t *values, uint32_t count,
                                                           uint64_t *bits) {
    uint32_t i = 0;
    uint64_t lanes[WIDE];
    __m256i all = _mm256_setzero_si256();
    for (; count - i >= WIDE; i += WIDE)
        all = _mm256_or_si256(all, _mm256_loadu_si256((const __m256i *)(const void *)(values + i)));
    _mm256_storeu_si256((__m256i *)(void *)lanes, all);
    *bits = lanes[0] | lanes[1] | lanes[2] | lanes[3];
    return i;
}

static bool get_is_wide(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, begin);
    return is_wide;
}

uint32_t mc_mct_decode_short(const unsigned char **at, const unsigned char *end, uint64_t *values,
                             uint32_t count) {
    if (count < WORD || end - *at < WORD) return 0;
    return get_is_wide() ? decode_wide(at, end, values, count) : 0;
}

#else

static bool get_is_wide(void) {
    return false;
}

static uint32_t add_wide(uint64_t *values, const uint64_t *base, const uint64_t *differences,
                         uint32_t count) {
    (void)values, (void)base, (void)differences, (void)count;
    return 0;
}

static uint32_t unite_wide(const uint64_t *values, uint32_t count, uint64_t *bits) {
    (void)values, (void)count, (void)bits;
    return 0;
}

uint32_t mc_mct_decode_short(const unsigned char **at, const unsigned char *end, uint64_t *values,
                             uint32_t count) {
    (void)at, (void)end, (void)values, (void)count;
    return 0;
}

#endif

void mc_mct_add_base(uint64_t *values, const uint64_t *base, const uint64_t *differences,
                     uint32_t count) {
    uint32_t i = get_is_wide() ? add_wide(values, base, differences, count) : 0;
    for (; i < count; i++)
        values[i] = base[i] + differences[i];
}

uint64_t mc_mct_unite_bits(const uint64_t *values, uint32_t count) {
    uint64_t bits = 0;
    uint32_t i = get_is_wide() ? unite_wide(values, count, &bits) : 0;
    for (; i < count; i++)
        bits |= values[i];
    return bits;
}
