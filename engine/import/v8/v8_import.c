#include "engine/import/v8/v8_import.h"

#include "engine/import/objects/object_format.h"
#include "engine/import/v8/v8_file.h"
#include "engine/import/v8/v8_reader.h"

MC_OBJECT_FORMAT(mc_v8_heap_format, mc_v8_reader, mc_v8_detect, NULL);

const mc_format mc_v8_format = {
    .id = "v8",
    .title = "heap snapshots",
    .help = "heap snapshots of JavaScript: Node, Chrome, Electron, Deno",
    .record = "v8.writeHeapSnapshot(), node --heapsnapshot-signal=SIGUSR2, DevTools' Memory",
    .options = "--no-references, --fast, --retained, --paths, --moments",
    .extensions = {".heapsnapshot", ".heaptimeline"},
    .detect = detect,
    .create = create,
    .read = mc_object_importer_read,
    .destroy = mc_object_importer_destroy};
