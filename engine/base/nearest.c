#include "engine/base/nearest.h"

#include <string.h>

#define MOST_LETTERS 40

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// How many letters differ, with two that are exchanged as one (optimal string alignment).
static uint32_t measure(const char *a, size_t a_size, const char *b, size_t b_size) {
    uint32_t rows[3][MOST_LETTERS + 1];
    for (uint32_t j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (uint32_t i = 1; i <= a_size; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= b_size; j++) {
            uint32_t other = a[i - 1] != b[j - 1];
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + other);
            bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged) row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[a_size % 3][b_size];
}

const char *mc_find_nearest(const char *word, size_t size, const char *const *words,
                            uint32_t count) {
    const char *nearest = NULL, *longer = NULL;
    uint32_t best = size < 5 ? 2 : 3, longer_count = 0;
    if (size < 2 || size > MOST_LETTERS) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        size_t letters = strlen(words[i]);
        if (letters > MOST_LETTERS) continue;
        uint32_t distance = measure(word, size, words[i], letters);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
        if (letters > size && memcmp(words[i], word, size) == 0) {
            longer = words[i];
            longer_count++;
        }
    }
    return longer_count == 1 ? longer : nearest;
}
