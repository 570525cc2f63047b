#include "engine/import/graph/graph_import.h"

#include "engine/import/graph/graph_reader.h"
#include "engine/import/graph/graph_rows.h"
#include "engine/import/objects/object_format.h"

MC_OBJECT_FORMAT(mc_graph_heap_format, mc_graph_reader, mc_graph_detect, mc_graph_rows_peek_time);

const mc_format mc_graph_format = {
    .id = "graph",
    .title = "graphs of objects",
    .help = "objects, references and roots as rows, of any runtime (docs/reference/graph.md)",
    .record = "memcity objects DUMP --graph -o FILE.graph, or a script of your own",
    .options = "--no-references, --fast, --retained, --paths",
    .extensions = {".graph"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_object_importer_read,
    .destroy = mc_object_importer_destroy};
