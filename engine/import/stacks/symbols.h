// symbols.h - looks addresses up in the symbols and debug information of programs and libraries.
//
// Which file is opened decides the user alone: those that he names (--symbols: files, or folders
// with such files), and those that lie beside the profile. The profile says what a file is called,
// of which the last part counts; whatever path it has is never opened. Separate debug information
// is not looked for. Method: elfutils' libdw; names are demangled (C++ and Rust). Threads: one
// object serves one thread at a time.
#pragma once
#include "engine/import/stacks/stack_sites.h"

typedef struct mc_symbols mc_symbols;

// `files`: separated by commas; may be NULL. `log` is told which files are used; may be NULL.
mc_result mc_symbols_create(const char *files, const mc_log *log, mc_symbols **symbols,
                            mc_error *error);
void mc_symbols_destroy(mc_symbols *symbols); // NULL is fine

// The frames at an offset of a file that a profile names, what was inlined first. Their texts last
// as long as `symbols`. Returns how many; 0: nothing is known. MC_NONE: out of memory.
#define MC_SYMBOLS_MOST 32
uint32_t mc_symbols_find(mc_symbols *symbols, const char *profile_path,
                         const mc_site_frame *address, mc_site_frame found[MC_SYMBOLS_MOST]);
