#include "engine/import/tracemalloc/tracemalloc_import.h"

#include "engine/import/tracemalloc/tracemalloc.h"

static const mc_profile_kind kind = {.parse = mc_tracemalloc_parse};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_profile_importer_create(context, &kind, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_tracemalloc_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_tracemalloc_format = {
    .id = "tracemalloc",
    .title = "tracemalloc snapshots",
    .help = "snapshots of Python's tracemalloc",
    .record = "tracemalloc.start(25); tracemalloc.take_snapshot().dump(FILE)",
    .options = "--depth, --library-frames",
    .extensions = {".tracemalloc", ".pickle", ".pkl"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
