// go_program.h - the program that wrote a heap dump of Go: names of its variables and functions.
//
// A dump has addresses of global variables and no build id; it has names and addresses of functions
// that ran, and where its segments lie, by which its program is recognised among files. Which of
// them are opened decides the user alone: those that he names (--binary: files, or folders with
// such files), and those that lie beside the dump. Method: elfutils' libelf, the table of symbols.
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"
#include "engine/import/stacks/frame_name.h"

// What a dump says of its program.
#define MC_GO_CLUES 64
typedef struct mc_go_clues {
    struct {
        uint64_t address;
        mc_span name;
    } functions[MC_GO_CLUES];
    uint32_t function_count;
    uint64_t data_address, data_size, bss_address, bss_size; // of size 0: not known
} mc_go_clues;

typedef struct mc_go_program mc_go_program;

// `binaries`: separated by commas; NULL: none is named, and what lies beside the dump is looked
// at. `path`: the dump's; NULL: it has none. *program: NULL if no file fits that nobody has named.
// MC_ERROR_UNSUPPORTED: a file that is named is not the program. `log` is told which is used.
mc_result mc_go_program_find(const mc_go_clues *clues, const char *path, const char *binaries,
                             const mc_log *log, mc_go_program **program, mc_error *error);
void mc_go_program_destroy(mc_go_program *program); // NULL is fine

// The name of the variable or the function that an address is in, as long as `program` lives; NULL:
// it is not known.
const char *mc_go_program_get_variable(const mc_go_program *program, uint64_t address);
const char *mc_go_program_get_function(const mc_go_program *program, uint64_t address);
