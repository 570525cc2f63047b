#include "engine/import/stacks/stack_id.h"

#include <string.h>

// Up to 8 bytes as a number.
static uint64_t load_few(const char *at, size_t size) {
    uint64_t word = 0;
    uint32_t first, last;
    if (size == 8) {
        memcpy(&word, at, 8);
    } else if (size >= 4) { // those in the middle twice
        memcpy(&first, at, 4);
        memcpy(&last, at + size - 4, 4);
        word = (uint64_t)last << 32 | first;
    } else {
        for (size_t i = 0; i < size; i++)
            word = word << 8 | (unsigned char)at[i];
    }
    return word;
}

// Spreads what the sums of products have in some bits over all.
static mc_stack_id spread(mc_stack_id id, uint64_t size) {
    return (mc_stack_id){{mc_hash_fold(id.halves[0], 0xe7037ed1a0b428dbu) ^ id.halves[1],
                          mc_hash_fold(id.halves[1] + size, 0x8ebc6af09c88c6e3u) + id.halves[0]}};
}

// The text, and how long it is.
static mc_stack_id identify_text(mc_span text) {
    mc_stack_id id = {{0, 0}};
    uint64_t place = 1, words[2];
    const char *at = text.at;
    size_t left = text.size;
    for (; left > 16; left -= 16, at += 16) {
        memcpy(words, at, 16);
        mc_stack_id_add(&id, place++, words[0], words[1]);
    }
    words[0] = load_few(at, left < 8 ? left : 8);
    words[1] = left > 8 ? load_few(at + 8, left - 8) : 0;
    mc_stack_id_add(&id, place, words[0], words[1]);
    return spread(id, text.size);
}

// Of what frames are called by alone: programs that start anew have other addresses.
mc_stack_id mc_stack_id_of_frame(const mc_site_frame *f) {
    const bool has_file = f->file.size > 0, has_name = has_file || f->function.size > 0;
    const mc_span module = has_file ? (mc_span){NULL, 0} : f->module;
    const mc_span texts[] = {f->function, f->file, module};
    mc_stack_id id = {{has_name ? 0 : f->address, has_file ? f->line : 0}};
    for (uint64_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mc_stack_id text = identify_text(texts[i]);
        mc_stack_id_add(&id, i + 1, text.halves[0], text.halves[1]);
    }
    return spread(id, 0);
}
