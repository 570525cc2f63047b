#include "engine/import/dhat/dhat_import.h"

#include "engine/import/dhat/dhat.h"

static const mc_profile_kind kind = {.parse = mc_dhat_parse, .complete = mc_dhat_complete};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_profile_importer_create(context, &kind, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_dhat_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_dhat_format = {.id = "dhat",
                                  .title = "DHAT files",
                                  .help =
                                      "peak, end and accesses of valgrind's DHAT, and of dhat-rs",
                                  .record = "valgrind --tool=dhat PROGRAM",
                                  .options = "--depth, --library-frames",
                                  .extensions = {".dhat", ".out"},
                                  .is_text = true,
                                  .detect = detect,
                                  .create = create,
                                  .read = mc_profile_importer_read,
                                  .flush = mc_profile_importer_flush,
                                  .destroy = mc_profile_importer_destroy};
