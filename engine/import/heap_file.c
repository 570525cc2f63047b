#include "engine/import/heap_file.h"

#include "engine/base/parallel.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/gcdump/gcdump_import.h"
#include "engine/import/godump/go_import.h"
#include "engine/import/graph/graph_import.h"
#include "engine/import/hprof/hprof_heap.h"
#include "engine/import/hprof/hprof_unpack.h"
#include "engine/import/perfetto/perfetto_import.h"
#include "engine/import/ruby/ruby_import.h"
#include "engine/import/v8/v8_import.h"

static const mc_heap_format *const formats[] = {
    &mc_hprof_heap_format, &mc_graph_heap_format,  &mc_v8_heap_format,        &mc_ruby_heap_format,
    &mc_go_heap_format,    &mc_gcdump_heap_format, &mc_heapgraph_heap_format, NULL};

// NULL: none of them.
static const mc_heap_format *detect(const mc_file_map *map, int64_t *time_ms) {
    unsigned char prefix[MC_HEAP_DETECT_SIZE];
    const unsigned char *data = map->data;
    size_t size = map->size;
    if (mc_inflate_detect(map->data, map->size) != MC_COMPRESSION_NONE) {
        size = mc_inflate_prefix(map->data, map->size, prefix, sizeof prefix);
        data = prefix;
    }
    *time_ms = 0;
    for (size_t i = 0; formats[i]; i++) {
        if (!formats[i]->detect(data, size)) continue;
        if (formats[i]->peek_time) *time_ms = formats[i]->peek_time(data, size);
        return formats[i];
    }
    return NULL;
}

mc_result mc_heap_file_peek(const char *path, bool *is_heap, int64_t *time_ms, mc_error *error) {
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    *is_heap = detect(&map, time_ms) != NULL;
    result = mc_file_map_finish(&map, path, result, error);
    mc_file_map_close(&map);
    return result;
}

void mc_heap_file_close(mc_heap_file *file) {
    if (file->format) file->format->close(file->reader);
    if (file->unpacked.data) mc_file_map_close(&file->unpacked);
    if (file->map.data) mc_file_map_close(&file->map);
    memset(file, 0, sizeof *file);
}

static mc_result unpack(mc_heap_file *file, const mc_progress *progress, mc_error *error) {
    uint32_t count = mc_parallel_get_core_count();
    mc_hprof_crew crew = {.worker_count =
                              count < MC_HPROF_THREADS_MAX ? count : MC_HPROF_THREADS_MAX,
                          .progress = progress,
                          .total = file->map.size};
    if (mc_inflate_detect(file->map.data, file->map.size) == MC_COMPRESSION_NONE) return MC_OK;
    return mc_hprof_unpack(file->map.data, file->map.size, NULL, &crew, &file->unpacked,
                           &file->is_cut, error);
}

static mc_result open_heap(mc_heap_file *file, const mc_heap_desc *wanted, mc_error *error) {
    const mc_file_map *map = file->unpacked.data ? &file->unpacked : &file->map;
    int64_t time_ms;
    mc_heap_desc desc = *wanted;
    desc.is_mapped = true;
    desc.path = file->path;
    desc.thread_count = mc_parallel_get_core_count();
    file->format = detect(map, &time_ms);
    if (!file->format) file->format = formats[0]; // which says what it expected
    assert(file->format);
    return file->format->open(map->data, map->size, &desc, &file->reader, &file->heap, error);
}

// What is wrong is wrong there, and may be so because the file is cut meanwhile.
static mc_result finish(mc_heap_file *file, mc_result result, mc_error *error) {
    if (file->heap) file->heap->progress = NULL;
    if (result != MC_OK)
        mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT,
                               file->unpacked.data != NULL);
    return file->map.data ? mc_file_map_finish(&file->map, file->path, result, error) : result;
}

mc_result mc_heap_file_open(mc_heap_file *file, const char *path, const mc_heap_desc *desc,
                            mc_error *error) {
    memset(file, 0, sizeof *file);
    file->path = path;
    mc_result result = mc_file_map_open(&file->map, path, error);
    if (result == MC_OK) result = unpack(file, desc->progress, error);
    if (result == MC_OK) result = open_heap(file, desc, error);
    return finish(file, result, error);
}

mc_result mc_heap_file_link(mc_heap_file *file, const mc_progress *progress, mc_error *error) {
    file->heap->progress = progress;
    return finish(file, file->format->link(file->reader, error), error);
}

mc_result mc_heap_file_write_rows(mc_heap_file *file, const struct mc_hprof_columns *columns,
                                  mc_row_form form, mc_output_sink sink,
                                  const mc_progress *progress, mc_error *error) {
    file->heap->progress = progress;
    mc_result result = file->format->write_rows(file->reader, columns, form, sink, error);
    if (result != MC_ERROR_IO) return finish(file, result, error);
    file->heap->progress = NULL;
    return result; // that was the sink
}

mc_result mc_heap_file_read_cells(mc_heap_file *file, const struct mc_hprof_columns *columns,
                                  struct mc_hprof_cells *cells, const mc_progress *progress,
                                  mc_error *error) {
    file->heap->progress = progress;
    return finish(file, file->format->read_cells(file->reader, columns, cells, error), error);
}

mc_result mc_heap_file_read_shapes(mc_heap_file *file, const struct mc_hprof_columns *columns,
                                   struct mc_hprof_shapes *shapes, const mc_progress *progress,
                                   mc_error *error) {
    file->heap->progress = progress;
    return finish(file, file->format->read_shapes(file->reader, columns, shapes, error), error);
}

void mc_heap_file_append_damage(const mc_heap_file *file, mc_text *text) {
    size_t size = text->size;
    file->format->append_damage(file->reader, text);
    if (text->size == size && file->is_cut)
        mc_text_append_string(text, "the packed data is cut off");
}
