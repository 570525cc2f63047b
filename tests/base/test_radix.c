// A radix sort is stable and goes by the upper bits alone: beside a sort by comparison.
#include "engine/base/memory.h"
#include "engine/base/radix.h"
#include "tests/test.h"

typedef struct placed {
    uint64_t word;
    uint32_t place, low_bit;
} placed;

static int compare_placed(const void *a, const void *b) {
    const placed *x = a, *y = b;
    uint64_t left = x->word >> x->low_bit, right = y->word >> y->low_bit;
    if (left != right) return left < right ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static uint64_t random_word(void) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 32 ^ state) * 0x9e3779b97f4a7c15u;
}

// Words that differ in the bits of `mask` alone.
static void check_sort(uint32_t count, uint32_t low_bit, uint64_t mask) {
    uint64_t *words = mc_alloc((size_t)count + 1, sizeof *words);
    uint64_t *spare = mc_alloc((size_t)count + 1, sizeof *spare);
    placed *expected = mc_alloc((size_t)count + 1, sizeof *expected);
    REQUIRE(words && spare && expected);
    uint64_t same = random_word() & ~mask;
    for (uint32_t i = 0; i < count; i++) {
        words[i] = same | (random_word() & mask);
        expected[i] = (placed){words[i], i, low_bit};
    }
    qsort(expected, count, sizeof *expected, compare_placed);
    const uint64_t *sorted = mc_radix_sort(words, spare, count, low_bit);
    CHECK(sorted == words || sorted == spare);
    uint32_t wrong_count = 0;
    for (uint32_t i = 0; i < count; i++)
        wrong_count += sorted[i] != expected[i].word;
    CHECK(wrong_count == 0);
    mc_free(words);
    mc_free(spare);
    mc_free(expected);
}

int main(void) {
    static const uint32_t COUNTS[] = {0, 1, 2, 3, 100, 5000};
    static const uint32_t LOW_BITS[] = {0, 1, 7, 19, 32, 57, 63};
    static const uint64_t MASKS[] = {0, 1, UINT64_MAX, 0xffff, 0xf0f00000ff0000f0u, 3ull << 62};
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
        for (size_t b = 0; b < sizeof LOW_BITS / sizeof *LOW_BITS; b++)
            for (size_t m = 0; m < sizeof MASKS / sizeof *MASKS; m++)
                check_sort(COUNTS[c], LOW_BITS[b], MASKS[m]);
    return test_finish();
}
