#include "engine/import/pprof/pprof_import.h"

#include "engine/import/pprof/pprof.h"

MC_PROFILE_FORMAT(mc_pprof_detect, .parse = mc_pprof_parse);

const mc_format mc_pprof_format = {
    .id = "pprof",
    .title = "pprof profiles",
    .help = "heap profiles of Go, Rust, Node, tcmalloc, Parca, Pyroscope",
    .record = "curl -o FILE.pb.gz HOST/debug/pprof/heap, pprof.Lookup(\"heap\").WriteTo(f, 0)",
    .options = "--depth, --library-frames",
    .extensions = {".pb", ".pprof", ".prof"},
    .is_told_early = true, // they come by the thousand
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
