#include "engine/import/ruby/ruby_import.h"

#include "engine/import/objects/object_format.h"
#include "engine/import/ruby/ruby_reader.h"

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_object_importer_create(context, &mc_ruby_reader, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_ruby_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_ruby_format = {
    .id = "ruby",
    .title = "dumps of Ruby",
    .help = "objects of a Ruby program",
    .record = "ObjectSpace.dump_all(output: File.open(FILE, \"w\")), with objspace",
    .options = "--no-references, --fast, --retained, --paths, --by-generation, --moments",
    .extensions = {".jsonl", ".rubyheap"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_object_importer_read,
    .destroy = mc_object_importer_destroy};

// ---- as a heap

static mc_result open(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                      void **reader, mc_heap **heap, mc_error *error) {
    return mc_object_format_open(&mc_ruby_reader, data, size, desc, reader, heap, error);
}

const mc_heap_format mc_ruby_heap_format = {.detect = mc_ruby_detect,
                                            .open = open,
                                            .link = mc_object_format_link,
                                            .write_rows = mc_object_format_write_rows,
                                            .append_damage = mc_object_format_append_damage,
                                            .close = mc_object_format_close};
