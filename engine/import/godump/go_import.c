#include "engine/import/godump/go_import.h"

#include "engine/import/godump/go_reader.h"
#include "engine/import/objects/object_format.h"

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_object_importer_create(context, &mc_go_reader, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_go_dump_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

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

// ---- as a heap

static mc_result open(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                      void **reader, mc_heap **heap, mc_error *error) {
    return mc_object_format_open(&mc_go_reader, data, size, desc, reader, heap, error);
}

const mc_heap_format mc_go_heap_format = {.detect = mc_go_dump_detect,
                                          .open = open,
                                          .link = mc_object_format_link,
                                          .write_rows = mc_object_format_write_rows,
                                          .append_damage = mc_object_format_append_damage,
                                          .close = mc_object_format_close};
