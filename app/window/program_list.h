// program_list.h - the programs that can be recorded, as a list that stays where it is.
//
// Rows are in the order of their programs' start, new ones come last, and those that have ended go
// only while nobody points at the list. Plain data; zero-initialise. Used by the main thread.
#pragma once
#include "engine/live/program.h"

#define MC_PROGRAM_LIST_MOST 64
// A row that has changed takes no click for so long: it was meant for what was there before.
#define MC_PROGRAM_LIST_CALM_NS UINT64_C(300000000)

typedef struct mc_program_row {
    mc_program program;
    bool has_ended;
    uint64_t changed_ns; // when another program came here, or this one ended
} mc_program_row;

typedef struct mc_program_list {
    mc_program_row rows[MC_PROGRAM_LIST_MOST];
    uint32_t count;
} mc_program_list;

// Takes over the programs that run now, in the order of mc_program_find_all(). `is_pointed`: at a
// row. Returns whether another program is in a row, or one has ended; figures change all the time.
bool mc_program_list_update(mc_program_list *list, const mc_program *programs, uint32_t count,
                            uint64_t now_ns, bool is_pointed);

// Whether a click on a row at this moment is meant for its program.
bool mc_program_list_can_take(const mc_program_list *list, uint32_t row, uint64_t now_ns);
