#include "engine/trace/build/sibling_sort.h"

#include <string.h>

#define PREFIX_SIZE 7 // bytes of a key in a prefix
#define GOES_ON 8     // a prefix's last byte, if its key has more bytes

// 7 bytes and how many of them there are, so that an ended key differs from one that goes on with
// NUL. In byte order as a number.
static inline uint64_t make_prefix(const char *key, size_t size, size_t readable) {
    const unsigned char *at = (const unsigned char *)key;
    if (readable >= 8) {
        uint64_t word = (uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 |
                        (uint64_t)at[3] << 32 | (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 |
                        (uint64_t)at[6] << 8 | at[7];
        if (size >= PREFIX_SIZE)
            return (word & ~(uint64_t)255) | (size > PREFIX_SIZE ? GOES_ON : PREFIX_SIZE);
        return size > 0 ? (word & UINT64_MAX << (64 - 8 * size)) | size : 0;
    }
    uint64_t prefix = size > PREFIX_SIZE ? GOES_ON : size;
    for (size_t k = 0; k < size && k < PREFIX_SIZE; k++)
        prefix |= (uint64_t)at[k] << (56 - 8 * k);
    return prefix;
}

// Of the bytes from `from` on. Returns whether the siblings are in order as far as these tell.
static bool load_prefixes(const mc_strings *strings, mc_sibling *siblings, uint32_t count,
                          size_t from) {
    bool is_sorted = true;
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t begin = strings->offsets[siblings[i].key] + from;
        uint64_t end = strings->offsets[siblings[i].key + 1] - 1;
        uint64_t prefix =
            make_prefix(strings->bytes + begin, (size_t)(end - begin), strings->bytes_size - begin);
        is_sorted &= before <= prefix;
        siblings[i].prefix = before = prefix;
    }
    return is_sorted;
}

// How many bytes all keys begin with, of which `from` are known to be the same.
static size_t find_shared_size(const mc_strings *strings, const mc_sibling *siblings,
                               uint32_t count, size_t from) {
    size_t shared;
    const char *first = mc_strings_get(strings, siblings[0].key, &shared);
    for (uint32_t i = 1; i < count && shared > from; i++) {
        size_t size, k = from;
        const char *key = mc_strings_get(strings, siblings[i].key, &size);
        if (size < shared) shared = size;
        while (k < shared && key[k] == first[k])
            k++;
        shared = k;
    }
    return shared;
}

#define INSERTION_MOST 12u // more are distributed first
#define DIGIT_BITS_MOST 10u

static void sort_by_insertion(mc_sibling *siblings, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        mc_sibling next = siblings[i];
        uint32_t at = i;
        for (; at > 0 && siblings[at - 1].prefix > next.prefix; at--)
            siblings[at] = siblings[at - 1];
        siblings[at] = next;
    }
}

// The bits from the first one on in which prefixes differ, about as many values as siblings.
static uint32_t choose_digit(uint64_t differing, uint32_t count, uint32_t *shift) {
    uint32_t end = 64 - (uint32_t)__builtin_clzll(differing);
    uint32_t bits = 32 - (uint32_t)__builtin_clz(count);
    if (bits > DIGIT_BITS_MOST) bits = DIGIT_BITS_MOST;
    *shift = end > bits ? end - bits : 0;
    return ((uint32_t)1 << bits) - 1;
}

// Radix sort from the top, each digit as narrow as its siblings are few.
static void sort_by_prefix(mc_sibling *siblings, mc_sibling *scratch, uint32_t count) {
    if (count <= INSERTION_MOST) {
        sort_by_insertion(siblings, count);
        return;
    }
    uint64_t differing = 0;
    for (uint32_t i = 1; i < count; i++)
        differing |= siblings[i].prefix ^ siblings[0].prefix;
    if (differing == 0) return;
    uint32_t shift, last = choose_digit(differing, count, &shift);
    uint32_t ends[1 << DIGIT_BITS_MOST];
    memset(ends, 0, (last + (size_t)1) * sizeof *ends);
    for (uint32_t i = 0; i < count; i++)
        ends[siblings[i].prefix >> shift & last]++;
    for (uint32_t digit = 0, at = 0; digit <= last; digit++) {
        uint32_t length = ends[digit];
        ends[digit] = at;
        at += length;
    }
    for (uint32_t i = 0; i < count; i++)
        scratch[ends[siblings[i].prefix >> shift & last]++] = siblings[i];
    memcpy(siblings, scratch, count * sizeof *siblings);
    for (uint32_t digit = 0, begin = 0; digit <= last && shift > 0; begin = ends[digit++])
        if (ends[digit] - begin > 1) sort_by_prefix(siblings + begin, scratch, ends[digit] - begin);
}

// Seven bytes at a time, then within the runs that are equal so far. A shorter key comes first;
// that it ended is told by a run whose keys all end, which is left as it is.
static void sort_from(const mc_strings *strings, mc_sibling *siblings, mc_sibling *scratch,
                      uint32_t count, size_t from) {
    while (count > 1) {
        bool is_sorted = load_prefixes(strings, siblings, count, from);
        from += PREFIX_SIZE;
        if (is_sorted && siblings[0].prefix == siblings[count - 1].prefix) {
            if ((siblings[0].prefix & 15) != GOES_ON) return;
            from = find_shared_size(strings, siblings, count, from);
            continue;
        }
        if (!is_sorted) sort_by_prefix(siblings, scratch, count);
        // Runs of equal prefixes go on behind them; the last run is done by this loop.
        uint32_t begin = 0;
        for (uint32_t i = 1; i < count; i++) {
            if (siblings[i].prefix == siblings[begin].prefix) continue;
            if (i - begin > 1 && (siblings[begin].prefix & 15) == GOES_ON)
                sort_from(strings, siblings + begin, scratch, i - begin, from);
            begin = i;
        }
        if ((siblings[begin].prefix & 15) != GOES_ON) return;
        siblings += begin;
        count -= begin;
    }
}

void mc_siblings_sort(const mc_strings *strings, mc_sibling *siblings, mc_sibling *scratch,
                      uint32_t count) {
    sort_from(strings, siblings, scratch, count, 0);
}
