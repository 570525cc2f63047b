#include "engine/import/godump/go_import.h"

#include "engine/import/godump/go_reader.h"
#include "engine/import/objects/object_format.h"

MC_OBJECT_FORMAT(mc_go_heap_format, mc_go_reader, mc_go_dump_detect, NULL);

const mc_format mc_go_format = {
    .id = "go",
    .title = "heap dumps of Go",
    .help = "objects of a Go program (debug.WriteHeapDump)",
    .record = "runtime.GC(); debug.WriteHeapDump(file.Fd()), of runtime/debug",
    .options = "--binary, --no-references, --fast, --retained, --paths",
    .extensions = {".dump", ".heapdump", ".godump"},
    .is_text = true, // others have such names, too
    .detect = detect,
    .create = create,
    .read = mc_object_importer_read,
    .destroy = mc_object_importer_destroy};
