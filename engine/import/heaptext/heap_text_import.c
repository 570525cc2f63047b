#include "engine/import/heaptext/heap_text_import.h"

#include "engine/import/heaptext/heap_text.h"

MC_PROFILE_FORMAT(mc_heap_text_detect, .parse = mc_heap_text_parse, .has_addresses = true);

const mc_format mc_heap_text_format = {
    .id = "heap-profile",
    .title = "heap profiles",
    .help = "heap profiles of jemalloc, gperftools, tcmalloc, and Go's as text",
    .record =
        "MALLOC_CONF=prof:true,lg_prof_interval:30, HEAPPROFILE=FILE, /debug/pprof/heap?debug=1",
    .options = "--symbols, --depth, --library-frames",
    .extensions = {".heap", ".prof", ".txt"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
