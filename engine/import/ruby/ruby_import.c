#include "engine/import/ruby/ruby_import.h"

#include "engine/import/objects/object_format.h"
#include "engine/import/ruby/ruby_reader.h"

MC_OBJECT_FORMAT(mc_ruby_heap_format, mc_ruby_reader, mc_ruby_detect, NULL);

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
