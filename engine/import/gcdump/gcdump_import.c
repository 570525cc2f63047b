#include "engine/import/gcdump/gcdump_import.h"

#include "engine/import/gcdump/gcdump_file.h"
#include "engine/import/gcdump/gcdump_reader.h"
#include "engine/import/objects/object_format.h"

MC_OBJECT_FORMAT(mc_gcdump_heap_format, mc_gcdump_reader, mc_gcdump_detect, NULL);

const mc_format mc_gcdump_format = {.id = "gcdump",
                                    .title = "dumps of .NET",
                                    .help = "objects of a .NET program",
                                    .record = "dotnet-gcdump collect -p PID",
                                    .options = "--no-references, --fast, --retained, --paths",
                                    .extensions = {".gcdump"},
                                    .detect = detect,
                                    .create = create,
                                    .read = mc_object_importer_read,
                                    .destroy = mc_object_importer_destroy};
