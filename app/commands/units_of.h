// units_of.h - `memcity units DUMP --of KEY`: what each object of a group retains, exactly.
#pragma once
#include "app/commands/heap_dumps.h"

typedef struct mc_units_of_options {
    const char *of;
    mc_dump_options dump;
    uint32_t step, most; // MC_NONE: the last dump
    bool tsv, json;
} mc_units_of_options;

int mc_command_units_of(const mc_units_of_options *options, const char **paths, uint32_t count);
