// output.h - a command's output, to a file, a pipe or a terminal. Only this module tells them
// apart.
//
// Files and pipes get the bytes unchanged. A terminal would obey control characters, which may come
// from untrusted files, so it gets only printable text, line by line (docs/reference/output.md).
// Threads: one object, one thread at a time.
#pragma once
#include "engine/base/file.h"
#include "engine/base/printable_text.h"

typedef struct mc_output {
    FILE *stream;
    mc_file_writer file; // or the standard output
    bool is_standard, is_terminal;
    bool is_closed; // the pipe's reader has gone
    mc_printable_lines lines;
    mc_text shown; // of the terminal
} mc_output;

// `path` NULL or "-": the standard output. `is_csv`: a value may have lines, between quotes.
mc_result mc_output_begin(mc_output *output, const char *path, bool is_csv, mc_error *error);

// False: it failed, and errno says why.
bool mc_output_write(mc_output *output, const char *bytes, size_t size);

// Ends the output. `result` MC_OK gives the file its name; anything else leaves an existing file as
// it was. A pipe whose reader has gone is no failure.
mc_result mc_output_end(mc_output *output, mc_result result, mc_error *error);
