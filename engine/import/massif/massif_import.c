#include "engine/import/massif/massif_import.h"

#include "engine/import/massif/massif.h"

static const mc_profile_kind kind = {.parse = mc_massif_parse};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_profile_importer_create(context, &kind, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_massif_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_massif_format = {.id = "massif",
                                    .title = "massif files",
                                    .help = "snapshots of valgrind's massif",
                                    .record = "valgrind --tool=massif --time-unit=ms PROGRAM",
                                    .options = "--depth, --library-frames",
                                    .extensions = {".massif", ".out"},
                                    .is_text = true,
                                    .detect = detect,
                                    .create = create,
                                    .read = mc_profile_importer_read,
                                    .flush = mc_profile_importer_flush,
                                    .destroy = mc_profile_importer_destroy};
