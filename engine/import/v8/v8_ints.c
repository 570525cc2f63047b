#include "engine/import/v8/v8_ints.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdatomic.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20) // bytes of text
#define BATCH 1024              // integers that are stored at once

static uint64_t count_commas(const char *at, const char *end) {
    uint64_t count = 0;
    while (at < end) {
        const char *until = end - at > 4096 ? at + 4096 : end;
        uint32_t part = 0;
        for (; at < until; at++)
            part += *at == ',';
        count += part;
    }
    return count;
}

static const char *get_block(const mc_v8_ints *ints, uint32_t block) {
    size_t size = (size_t)(ints->end - ints->begin), at = (size_t)block * BLOCK;
    return ints->begin + (at < size ? at : size);
}

static uint32_t count_blocks(const mc_v8_ints *ints) {
    return (uint32_t)((size_t)(ints->end - ints->begin) / BLOCK + 1);
}

static void count_block(void *user, uint32_t block, uint32_t thread) {
    const mc_v8_ints *ints = user;
    (void)thread;
    ints->commas[block] = count_commas(get_block(ints, block), get_block(ints, block + 1));
}

bool mc_v8_ints_count(mc_v8_ints *ints, uint32_t thread_count) {
    const uint32_t blocks = count_blocks(ints);
    const char *at = ints->begin;
    while (at < ints->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    ints->count = 0;
    if (at == ints->end) return true;
    ints->commas = mc_alloc((size_t)blocks + 1, sizeof *ints->commas);
    if (!ints->commas) return false;
    mc_parallel_run(blocks, thread_count, count_block, ints);
    uint64_t before = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        const uint64_t count = ints->commas[i];
        ints->commas[i] = before;
        before += count;
    }
    ints->count = before + 1;
    return true;
}

void mc_v8_ints_deinit(mc_v8_ints *ints) {
    mc_free(ints->commas);
    ints->commas = NULL;
}

// ---- reading

typedef struct reader {
    const mc_v8_ints *ints;
    mc_v8_store store;
    void *user;
    _Atomic(const char *) wrong; // the first place; NULL: none
} reader;

static inline bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Behind the integer, blanks and all; NULL: it is none.
static inline const char *read_int(const char *at, const char *end, uint64_t *value) {
    while (at < end && is_blank(*at))
        at++;
    bool is_negative = at < end && *at == '-';
    at += is_negative;
    const char *first = at;
    uint64_t number = 0;
    for (unsigned digit; at < end && (digit = (unsigned)(unsigned char)*at - '0') < 10; at++)
        number = number * 10 + digit;
    if (at == first || at - first > 19) return NULL;
    while (at < end && is_blank(*at))
        at++;
    *value = is_negative ? 0 : number;
    return at;
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
    const uint32_t blocks = count_blocks(ints);
    reader self = {.ints = ints, .store = store, .user = user};
    *wrong = NULL;
    if (ints->count == 0) return MC_OK;
    mc_parallel_run(blocks, thread_count, read_block, &self);
    *wrong = atomic_load(&self.wrong);
    return *wrong ? MC_ERROR_BAD_DATA : MC_OK;
}
