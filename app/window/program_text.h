// program_text.h - a program that runs in words, for lists.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/live/jvm_list.h"

// "PID 4711 · ann · heap 38.0 MiB · up 2:13".
void mc_program_append_detail(const mc_jvm_entry *program, mc_text *out);

// "0:42", "2:05:07", "3 d 06:00": whole seconds.
void mc_program_append_duration(double seconds, mc_text *out);
