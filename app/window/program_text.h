// program_text.h - a program that runs in words, for lists.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/live/program.h"

// Ways to record it: the first tells what grows, the last who holds it, too. Returns what the way
// is called; `detail` gets what it does, and what that costs the program.
uint32_t mc_program_get_way_count(const mc_program *program);
const char *mc_program_describe_way(const mc_program *program, uint32_t way, mc_text *detail);
const char *mc_program_get_ways_heading(const mc_program *program); // what is so of all of them

// "Java · PID 4711 · ann · heap 38.0 MiB · up 2:13".
void mc_program_append_detail(const mc_program *program, mc_text *out);

// "0:42", "2:05:07", "3 d 06:00": whole seconds.
void mc_program_append_duration(double seconds, mc_text *out);
