// graph_input.h - graphs of rows (docs/reference/graph.md) from where they may lie: a folder of
// files, the standard input, or a file, each gathered in one file without a name.
//
// Threads: that of the command.
#pragma once
#include "engine/base/base.h"

typedef struct mc_graph_input {
    char **paths;       // of what was gathered, one a given path
    const char **names; // of the given paths in messages
    int *files;
    uint32_t count;
} mc_graph_input;

// `folder`: where the files are. Errors are told. To be ended in any case.
int mc_graph_input_begin(mc_graph_input *input, const char *const *paths, uint32_t count,
                         const char *folder);
void mc_graph_input_end(mc_graph_input *input);
