#include "engine/import/objects/object_format.h"
#include "engine/import/perfetto/heapgraph_reader.h"
#include "engine/import/perfetto/perfetto_import.h"

MC_OBJECT_FORMAT(mc_heapgraph_heap_format, mc_heapgraph_reader, mc_heapgraph_detect, NULL);

const mc_format mc_heapgraph_format = {
    .id = "heapgraph",
    .title = "Java heap graphs",
    .help = "objects of an Android app, in a trace of Perfetto",
    .record = "tools/java_heap_dump -n NAME, perfetto with android.java_hprof",
    .options = "--no-references, --fast, --retained, --paths",
    .extensions = {NULL},
    .detect = detect,
    .create = create,
    .read = mc_object_importer_read,
    .destroy = mc_object_importer_destroy};
