#include "engine/import/perfetto/perfetto_import.h"

#include "engine/import/perfetto/heapprofd.h"
#include "engine/import/perfetto/perfetto_packets.h"

MC_PROFILE_FORMAT(mc_perfetto_detect, .parse = mc_heapprofd_parse, .has_addresses = true);

const mc_format mc_perfetto_format = {
    .id = "perfetto",
    .title = "traces of Perfetto",
    .help = "allocations of Android's and Linux's native heaps, by heapprofd",
    .record = "tools/heap_profile -n NAME, perfetto with android.heapprofd",
    .options = "--depth, --library-frames, --symbols",
    .extensions = {".perfetto-trace", ".pftrace"},
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
