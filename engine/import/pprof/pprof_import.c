#include "engine/import/pprof/pprof_import.h"

#include "engine/import/pprof/pprof.h"

static const mc_profile_kind kind = {.parse = mc_pprof_parse};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_profile_importer_create(context, &kind, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_pprof_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_pprof_format = {
    .id = "pprof",
    .title = "pprof profiles",
    .help = "heap profiles of Go, Rust, Node, tcmalloc, Parca, Pyroscope",
    .record = "curl -o FILE.pb.gz HOST/debug/pprof/heap, pprof.Lookup(\"heap\").WriteTo(f, 0)",
    .options = "--depth, --library-frames",
    .extensions = {".pb", ".pprof", ".prof"},
    .detect = detect,
    .create = create,
    .read = mc_profile_importer_read,
    .flush = mc_profile_importer_flush,
    .destroy = mc_profile_importer_destroy};
