// Siblings of many kinds of keys, held against qsort() by whole keys.
#include "engine/trace/build/sibling_sort.h"
#include "tests/random.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>

enum { COUNT_MOST = 5000, SIZE_MOST = 64 };

static mc_strings strings;
static mc_sibling siblings[COUNT_MOST], scratch[COUNT_MOST], expected[COUNT_MOST];

static int compare(const void *a, const void *b) {
    const mc_sibling *x = a, *y = b;
    size_t x_size, y_size;
    const char *x_key = mc_strings_get(&strings, x->key, &x_size);
    const char *y_key = mc_strings_get(&strings, y->key, &y_size);
    int order = memcmp(x_key, y_key, x_size < y_size ? x_size : y_size);
    if (order != 0) return order;
    if (x_size != y_size) return x_size < y_size ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

// `shared` bytes that all keys have, then up to `size` of `letters` different ones. The first one
// is NUL, the last one 0xff.
static void check_keys(uint32_t count, size_t shared, size_t size, uint32_t letters) {
    uint64_t state = count * 1000 + shared + size * 100 + letters;
    mc_strings_deinit(&strings);
    for (uint32_t i = 0; i < count; i++) {
        char key[SIZE_MOST];
        size_t length = shared + (size_t)(test_random(&state) % (size + 1));
        memset(key, 'k', shared);
        for (size_t k = shared; k < length; k++)
            key[k] = (char)(255 * (test_random(&state) % letters) / (letters - 1));
        uint32_t index = mc_strings_append(&strings, key, length);
        REQUIRE(index == i);
    }
    mc_strings_seal(&strings); // so that whoever reads behind them is found out
    for (uint32_t i = 0; i < count; i++)
        siblings[i] = expected[i] =
            (mc_sibling){.node = i, .key = (uint32_t)(test_random(&state) % count)};
    qsort(expected, count, sizeof *expected, compare);
    mc_siblings_sort(&strings, siblings, scratch, count);
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(siblings[i].node == expected[i].node && siblings[i].key == expected[i].key);
}

int main(void) {
    static const uint32_t counts[] = {1, 2, 3, 12, 13, 100, 1000, COUNT_MOST};
    static const size_t shares[] = {0, 1, 6, 7, 8, 20};
    static const size_t sizes[] = {0, 1, 3, 7, 8, 30};
    static const uint32_t letters[] = {2, 3, 26, 256};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
            for (size_t m = 0; m < sizeof sizes / sizeof *sizes; m++)
                for (size_t n = 0; n < sizeof letters / sizeof *letters; n++)
                    check_keys(counts[i], shares[k], sizes[m], letters[n]);
    mc_strings_deinit(&strings);
    return test_finish();
}
