#include "engine/import/v8/v8_ints.h"

#include "engine/base/ascii.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdatomic.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20) // bytes of text
#define BATCH 1024              // integers that are stored at once

#define LINE 64         // bytes that are looked at at once
#define BLOCKS_MOST 64u // that are searched for an array's end at once

typedef struct finder {
    const char *begin, *end; // end: of the text
    uint32_t first;          // of the blocks that are searched
    uint64_t *commas;        // in each block
    _Atomic uint32_t last;   // the first block with a bracket; MC_NONE: none has
} finder;

static const char *get_place(const char *begin, const char *end, uint32_t block) {
    const size_t size = (size_t)(end - begin), at = (size_t)block * BLOCK;
    return begin + (at < size ? at : size);
}

static const char *get_block(const mc_v8_ints *ints, uint32_t block) {
    return get_place(ints->begin, ints->end, block);
}

// A fixed number of bytes, which compilers count many at a time.
static uint32_t count_in_line(const char *at, char wanted) {
    unsigned char count = 0;
    for (int i = 0; i < LINE; i++)
        count = (unsigned char)(count + (at[i] == wanted));
    return count;
}

// Up to a bracket, if there is one: then false.
static bool count_commas(const char *at, const char *end, uint64_t *count) {
    *count = 0;
    for (; end - at >= LINE && count_in_line(at, ']') == 0; at += LINE)
        *count += count_in_line(at, ',');
    for (; at < end && *at != ']'; at++)
        *count += *at == ',';
    return at == end;
}

static void count_block(void *user, uint32_t part, uint32_t thread) {
    finder *self = user;
    const uint32_t block = self->first + part;
    (void)thread;
    if (count_commas(get_place(self->begin, self->end, block),
                     get_place(self->begin, self->end, block + 1), &self->commas[block]))
        return;
    uint32_t known = atomic_load(&self->last);
    while (block < known && !atomic_compare_exchange_weak(&self->last, &known, block))
        continue;
}

static inline bool is_blank(char c) {
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
}

// Up to the bracket at most.
static const char *skip_blanks(const char *at) {
    while (is_blank(*at))
        at++;
    return at;
}

// How many integers there are, once their end is known; commas become those before each block.
static void sum_up(mc_v8_ints *ints, uint32_t blocks) {
    uint64_t before = 0;
    assert(ints->commas);
    for (uint32_t i = 0; i < blocks; i++) {
        const uint64_t count = ints->commas[i];
        ints->commas[i] = before;
        before += count;
    }
    ints->count = skip_blanks(ints->begin) == ints->end ? 0 : before + 1;
}

bool mc_v8_ints_find(mc_v8_ints *ints, const char *begin, const char *end, uint32_t thread_count) {
    const uint32_t blocks = (uint32_t)((size_t)(end - begin) / BLOCK + 1);
    finder self = {.begin = begin, .end = end, .last = MC_NONE};
    size_t capacity = 0;
    mc_v8_ints_deinit(ints);
    // Twice as many at a time, as a short array has a long text behind it.
    for (uint32_t next, some = 1; self.first < blocks && self.last == MC_NONE; self.first = next) {
        next = some < blocks - self.first ? self.first + some : blocks;
        if (!mc_reserve(&self.commas, &capacity, (size_t)next + 1, sizeof *self.commas)) {
            mc_free(self.commas);
            return false;
        }
        mc_parallel_run(next - self.first, thread_count, count_block, &self);
        if (some < BLOCKS_MOST) some *= 2;
    }
    ints->begin = begin;
    ints->commas = self.commas;
    if (self.last == MC_NONE) return true;
    const char *last = get_place(begin, end, self.last);
    ints->end = memchr(last, ']', (size_t)(end - last));
    sum_up(ints, self.last + 1);
    return true;
}

void mc_v8_ints_deinit(mc_v8_ints *ints) {
    mc_free(ints->commas);
    *ints = (mc_v8_ints){.begin = NULL};
}

// ---- reading

typedef struct reader {
    const mc_v8_ints *ints;
    mc_v8_store store;
    void *user;
    _Atomic(const char *) wrong; // the first place; NULL: none
} reader;

// Behind the integer, blanks and all; NULL: it is none. `end`: the array's bracket, which ends all
// that is looked for.
static inline const char *read_int(const char *at, const char *end, uint64_t *value) {
    at = skip_blanks(at);
    bool is_negative = *at == '-';
    at += is_negative;
    const char *first = at;
    uint64_t number = 0;
    // Most have one digit.
    if (mc_is_digit(*at) && !mc_is_digit(at[1]))
        number = (uint64_t)(*at++ - '0');
    else if (end - at >= 8)
        at += mc_read_digits(at, &number);
    for (; mc_is_digit(*at); at++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (at == first || at - first > 19) return NULL;
    *value = is_negative ? 0 : number;
    return skip_blanks(at);
}

static void tell_wrong(reader *self, const char *at) {
    const char *known = atomic_load(&self->wrong);
    while ((!known || at < known) && !atomic_compare_exchange_weak(&self->wrong, &known, at))
        continue;
}

static void give_back(const mc_v8_ints *ints, uint32_t block) {
    if (!ints->mapping) return;
    const uint64_t begin = (uint64_t)(get_block(ints, block) - ints->mapping);
    const uint64_t end = (uint64_t)(get_block(ints, block + 1) - ints->mapping);
    mc_file_map_give_back((const unsigned char *)ints->mapping, begin, end);
}

// Those that begin in a block, behind its commas; of the first block, also the one before.
static void read_numbers(reader *self, uint32_t block) {
    const char *at = get_block(self->ints, block), *until = get_block(self->ints, block + 1);
    const char *end = self->ints->end;
    uint64_t number = self->ints->commas[block], values[BATCH];
    size_t count = 0;
    if (block > 0) {
        at = at < until ? memchr(at, ',', (size_t)(until - at)) : NULL;
        if (!at) return;
        at++;
        number++;
    }
    for (;;) {
        const char *next = read_int(at, end, &values[count]);
        if (!next || (next < end && *next != ',')) {
            tell_wrong(self, next ? next : at);
            return;
        }
        count++;
        bool is_last = next >= until || next == end;
        if (count == BATCH || is_last) {
            self->store(self->user, number, values, count);
            number += count;
            count = 0;
        }
        if (is_last) return;
        at = next + 1;
    }
}

static void read_block(void *user, uint32_t block, uint32_t thread) {
    reader *self = user;
    (void)thread;
    read_numbers(self, block);
    give_back(self->ints, block);
}

mc_result mc_v8_ints_read(const mc_v8_ints *ints, uint32_t thread_count, mc_v8_store store,
                          void *user, const char **wrong) {
    const uint32_t blocks = (uint32_t)((size_t)(ints->end - ints->begin) / BLOCK + 1);
    reader self = {.ints = ints, .store = store, .user = user};
    *wrong = NULL;
    if (ints->count == 0) return MC_OK;
    mc_parallel_run(blocks, thread_count, read_block, &self);
    *wrong = atomic_load(&self.wrong);
    return *wrong ? MC_ERROR_BAD_DATA : MC_OK;
}
