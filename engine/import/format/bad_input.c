#include "engine/import/format/bad_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void mc_bad_input_add_place(mc_error *error, const char *path, uint64_t element_index,
                            bool is_unpacked) {
    if (error->code != MC_ERROR_BAD_DATA) return;
    if (element_index != MC_BAD_INPUT_NO_ELEMENT) {
        char text[MC_ERROR_MESSAGE_SIZE];
        memcpy(text, error->message, sizeof text);
        mc_error_set(error, error->code, error->byte_offset, "[%" PRIu64 "]: %s", element_index,
                     text);
    }
    if (is_unpacked && error->byte_offset != MC_ERROR_NO_OFFSET) {
        char offset[64];
        snprintf(offset, sizeof offset, "unpacked byte %" PRIu64, error->byte_offset);
        error->byte_offset = MC_ERROR_NO_OFFSET;
        mc_error_prepend(error, offset);
    }
    mc_error_prepend(error, path);
}

mc_result mc_bad_input_skip(const mc_import_desc *desc, mc_import_report *report,
                            const mc_error *error) {
    if (error->code != MC_ERROR_BAD_DATA || !desc->skip_bad_steps) return error->code;
    report->skipped_count++;
    mc_log_write(desc->log, MC_LOG_WARNING, "left out: %s", error->message);
    return MC_OK;
}
