#include "engine/import/dhat/dhat_import.h"

#include "engine/import/dhat/dhat.h"

MC_PROFILE_FORMAT(mc_dhat_detect, .parse = mc_dhat_parse, .complete = mc_dhat_complete);

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
