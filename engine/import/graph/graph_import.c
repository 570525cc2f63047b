#include "engine/import/graph/graph_import.h"

#include "engine/import/graph/graph_reader.h"
#include "engine/import/graph/graph_rows.h"
#include "engine/import/objects/object_format.h"

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_object_importer_create(context, &mc_graph_reader, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_graph_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

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

// ---- as a heap

static mc_result open(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                      void **reader, mc_heap **heap, mc_error *error) {
    return mc_object_format_open(&mc_graph_reader, data, size, desc, reader, heap, error);
}

const mc_heap_format mc_graph_heap_format = {.detect = mc_graph_detect,
                                             .peek_time = mc_graph_rows_peek_time,
                                             .open = open,
                                             .link = mc_object_format_link,
                                             .write_rows = mc_object_format_write_rows,
                                             .append_damage = mc_object_format_append_damage,
                                             .close = mc_object_format_close};
