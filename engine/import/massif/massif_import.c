#include "engine/import/massif/massif_import.h"

#include "engine/import/massif/massif.h"

MC_PROFILE_FORMAT(mc_massif_detect, .parse = mc_massif_parse);

const mc_format mc_massif_format = {
    .id = "massif",
    .title = "massif files",
    .help = "snapshots of valgrind's massif",
    .record = "valgrind --tool=massif --time-unit=ms --detailed-freq=1 PROGRAM",
    .options = "--depth, --library-frames",
    .extensions = {".massif", ".out"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
