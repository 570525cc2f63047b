// bad_input.h - reports bad input with its position; it then ends the import or is skipped.
//
// Threads: the importing thread.
#pragma once
#include "engine/import/format/format.h"

#define MC_BAD_INPUT_NO_ELEMENT UINT64_MAX // the file is no array

// Names the place in a message about bad data: "FILE:OFFSET: [element]: …", with "unpacked byte
// OFFSET" if it is one of what came out of a packed file. Other errors stay as they are.
void mc_bad_input_add_place(mc_error *error, const char *path, uint64_t element_index,
                            bool is_unpacked);

// What ends the import; MC_OK if it is the input's fault and `desc` wants such input left out,
// which then is counted and logged.
mc_result mc_bad_input_skip(const mc_import_desc *desc, mc_import_report *report,
                            const mc_error *error);
