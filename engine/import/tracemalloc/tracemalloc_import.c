#include "engine/import/tracemalloc/tracemalloc_import.h"

#include "engine/import/tracemalloc/tracemalloc.h"

MC_PROFILE_FORMAT(mc_tracemalloc_detect, .parse = mc_tracemalloc_parse);

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
