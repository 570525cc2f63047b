// owner_words.h - what kinds and links of a heap are called as owners, and what they are to them.
//
// Kinds and links are told apart by their texts: classes of one name that several loaders have
// loaded are one. Memory: 5 bytes a link, 4 a kind and its standing, and the texts. Threads:
// reading, any.
#pragma once
#include "engine/heap/heap.h"

#define MC_OWNER_LINK_STATIC 1u  // the field of a class
#define MC_OWNER_LINK_ROOT 2u    // likewise, and what it references counts as held by a root
#define MC_OWNER_LINK_LOCAL 4u   // of a kind that is_local
#define MC_OWNER_LINK_ELEMENT 8u // of a kind that is a list

typedef struct mc_owner_words {
    mc_strings texts;
    uint32_t *classes;           // by kind: text
    uint32_t *fields;            // by link: text
    unsigned char *links;        // by link: MC_OWNER_LINK_…; ROOT is the caller's
    mc_heap_standing *standings; // by kind
} mc_owner_words;

// To be deinitialised in any case.
mc_result mc_owner_words_init(mc_owner_words *words, const mc_heap *heap, mc_error *error);
void mc_owner_words_deinit(mc_owner_words *words);
