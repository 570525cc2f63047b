// stack_id.h - which stack it is, by what its frames are called, however a file numbers them: 128
// bits of a hash.
//
// Method: sums of products of pairs of words, each with a word of its place added (NH of UMAC,
// Black et al. 1999), so that no multiplication waits for another. Two of a billion stacks have the
// same id with a chance of 10^-20; a file that was made for it can have two of its own taken for
// one. O(1) a frame. Threads: any.
#pragma once
#include "engine/base/hash.h"
#include "engine/import/stacks/site_frame.h"

typedef struct mc_stack_id {
    uint64_t halves[2];
} mc_stack_id;

// Adds the product of two words at a place.
static inline void mc_stack_id_add(mc_stack_id *id, uint64_t place, uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 wide;
    wide sum = (wide)id->halves[1] << 64 | id->halves[0];
    sum += (wide)(a + place * 0x9e3779b97f4a7c15u) * (b ^ (place * 0xd6e8feb86659fd93u));
    *id = (mc_stack_id){{(uint64_t)sum, (uint64_t)(sum >> 64)}};
}

// Of a frame as its names are; where the place in a file tells what it is called, that is not
// enough.
mc_stack_id mc_stack_id_of_frame(const mc_site_frame *frame);

// Of a frame that has a number.
static inline mc_stack_id mc_stack_id_of_number(uint32_t number) {
    return (mc_stack_id){{mc_hash_u64(number, 1), mc_hash_u64(number, 2)}};
}

// Adds the frame at a place, from 0 on, of a stack, whose id begins as zeros.
static inline void mc_stack_id_add_frame(mc_stack_id *stack, uint32_t place,
                                         const mc_stack_id *frame) {
    mc_stack_id_add(stack, (uint64_t)place + 1, frame->halves[0], frame->halves[1]);
}
