#include "engine/import/input_kind.h"

#include "engine/import/bytes/inflate.h"
#include "engine/import/histogram/histogram_import.h"
#include "engine/import/hprof/hprof_import.h"
#include "engine/import/json/json_scan.h"

#define PREFIX_SIZE ((size_t)64 << 10) // of what comes out of a packed file

static mc_input_kind detect_json(const unsigned char *data, size_t size) {
    switch (mc_json_guess_steps(data, size)) {
    case MC_JSON_STEPS: return MC_INPUT_STEPS;
    case MC_JSON_NO_STEPS: return MC_INPUT_OTHER;
    default: return MC_INPUT_UNCLEAR;
    }
}

mc_input_kind mc_input_detect(const mc_file_map *mapping) {
    unsigned char prefix[PREFIX_SIZE];
    if (mapping->size == 0) return MC_INPUT_UNCLEAR;
    if (mc_hprof_import_detect(mapping)) return MC_INPUT_DUMP;
    if (mc_histogram_import_detect(mapping)) return MC_INPUT_HISTOGRAMS;
    if (mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE)
        return detect_json(mapping->data, mapping->size);
    size_t size = mc_inflate_prefix(mapping->data, mapping->size, prefix, sizeof prefix);
    return detect_json(prefix, size);
}
