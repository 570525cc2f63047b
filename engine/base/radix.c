#include "engine/base/radix.h"

#include "engine/base/memory.h"
#include <string.h>

enum { DIGIT_BITS = 8, BUCKET_COUNT = 1 << DIGIT_BITS, DIGIT_COUNT = 64 / DIGIT_BITS };

static uint32_t get_digit(uint64_t word, uint32_t shift) {
    return (uint32_t)(word >> shift) & (BUCKET_COUNT - 1);
}

// Where the digits begin in which words differ; returns their number.
static uint32_t list_digits(const uint64_t *words, uint32_t count, uint32_t low_bit,
                            uint32_t shifts[DIGIT_COUNT]) {
    uint64_t varies = 0;
    uint32_t digit_count = 0;
    for (uint32_t i = 1; i < count; i++)
        varies |= words[i] ^ words[0];
    for (uint32_t shift = low_bit; shift < 64; shift += DIGIT_BITS)
        if (get_digit(varies, shift) != 0) shifts[digit_count++] = shift;
    return digit_count;
}

uint64_t *mc_radix_sort(uint64_t *words, uint64_t *spare, uint32_t count, uint32_t low_bit) {
    uint32_t counts[DIGIT_COUNT][BUCKET_COUNT], shifts[DIGIT_COUNT];
    uint32_t digit_count = list_digits(words, count, low_bit, shifts);
    memset(counts, 0, digit_count * sizeof counts[0]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < digit_count; k++)
            counts[k][get_digit(words[i], shifts[k])]++;
    for (uint32_t k = 0; k < digit_count; k++) {
        uint32_t *places = counts[k], place = 0, shift = shifts[k];
        for (uint32_t bucket = 0; bucket < BUCKET_COUNT; bucket++) {
            uint32_t size = places[bucket];
            places[bucket] = place;
            place += size;
        }
        for (uint32_t i = 0; i < count; i++)
            spare[places[get_digit(words[i], shift)]++] = words[i];
        uint64_t *sorted = spare;
        spare = words;
        words = sorted;
    }
    return words;
}

static uint32_t get_number(const mc_row_numbers *numbers, uint32_t row) {
    uint32_t number;
    const unsigned char *at = (const unsigned char *)numbers->rows + numbers->offset;
    memcpy(&number, at + row * numbers->row_size, sizeof number);
    return number;
}

uint32_t *mc_find_firsts(mc_row_numbers numbers, uint32_t end) {
    uint32_t *first = mc_alloc_zero((size_t)end + 2, sizeof *first);
    if (!first) return NULL;
    for (uint32_t i = 0; i < numbers.count; i++)
        first[get_number(&numbers, i) + 1]++;
    for (uint32_t number = 0; number <= end; number++)
        first[number + 1] += first[number];
    return first;
}

uint32_t *mc_find_order(mc_row_numbers numbers, uint32_t *firsts, uint32_t end) {
    uint32_t *order = mc_alloc((size_t)numbers.count + 1, sizeof *order);
    if (!order) return NULL;
    for (uint32_t i = 0; i < numbers.count; i++)
        order[firsts[get_number(&numbers, i)]++] = i;
    // Each number's start has moved to where the next one begins.
    memmove(firsts + 1, firsts, end * sizeof *firsts);
    firsts[0] = 0;
    return order;
}
