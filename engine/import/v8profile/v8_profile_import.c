#include "engine/import/v8profile/v8_profile_import.h"

#include "engine/import/v8profile/v8_profile.h"

MC_PROFILE_FORMAT(mc_v8_profile_detect, .parse = mc_v8_profile_parse);

const mc_format mc_v8_profile_format = {
    .id = "v8-profile",
    .title = "V8 heap profiles",
    .help = "what is alive by line, sampled: .heapprofile of Node, Chrome and Deno",
    .record = "node --heap-prof PROGRAM, or DevTools: Allocation sampling",
    .options = "--depth, --library-frames",
    .extensions = {".heapprofile"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
