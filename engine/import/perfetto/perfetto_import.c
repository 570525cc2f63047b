#include "engine/import/perfetto/perfetto_import.h"

#include "engine/import/perfetto/heapprofd.h"
#include "engine/import/perfetto/perfetto_packets.h"

static const mc_profile_kind kind = {.parse = mc_heapprofd_parse, .has_addresses = true};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_profile_importer_create(context, &kind, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_perfetto_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

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
