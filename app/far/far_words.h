// far_words.h - which words of a command line are addresses, options, files to write.
//
// Threads: one.
#pragma once
#include "app/far_address.h"
#include "app/options.h"

typedef struct mc_far_word {
    const char *text;
    const mc_option *option; // that it is, or whose value it is; NULL: neither
    bool is_value;
    bool is_address;
    bool is_behind; // behind "--"
    bool is_joined; // with the next one by "="
    mc_far_place place;
    const char *path; // of the address; NULL: it only says where
} mc_far_word;

typedef struct mc_far_line {
    mc_far_word *words;
    uint32_t count, address_count;
    const char *keep; // of --keep, which is not among the words; NULL: not said
} mc_far_line;

// "--name=value" becomes two words. MC_ERROR_USAGE: an address is none. To be deinitialised in any
// case; its texts are those of argv, or stay for good.
mc_result mc_far_line_read(mc_far_line *line, const mc_option *options, uint32_t option_count,
                           int argc, const char **argv, mc_error *error);
void mc_far_line_deinit(mc_far_line *line);

// Whether a word is the name of a file that the command writes.
bool mc_far_word_is_output(const mc_far_word *word);
// Whether it is one that says how a trace is read, or the value of one.
bool mc_far_word_is_input(const mc_far_word *word);
// Whether it names a trace: an address, or what stands for one here.
bool mc_far_word_is_trace_option(const mc_far_word *word);

// Whether a name is one of those, which end with NULL.
bool mc_far_is_among(const char *name, const char *const *names);
