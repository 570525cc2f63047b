#include "engine/import/hprof/hprof_heap_file.h"

#include "engine/base/parallel.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/hprof/hprof_divide.h"
#include "engine/import/hprof/hprof_unpack.h"

#define HEADER_SIZE 64 // of a dump, and a little more

mc_result mc_hprof_heap_file_peek(const char *path, bool *is_dump, int64_t *time_ms,
                                  mc_error *error) {
    unsigned char unpacked[HEADER_SIZE];
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    size_t size = map.size < HEADER_SIZE ? map.size : HEADER_SIZE;
    if (mc_inflate_detect(map.data, map.size) == MC_COMPRESSION_NONE)
        memcpy(unpacked, map.data, size);
    else
        size = mc_inflate_prefix(map.data, map.size, unpacked, sizeof unpacked);
    *is_dump = mc_hprof_detect(unpacked, size);
    *time_ms = *is_dump ? mc_hprof_peek_time(unpacked, size) : 0;
    result = mc_file_map_finish(&map, path, result, error);
    mc_file_map_close(&map);
    return result;
}

static bool is_packed(const mc_hprof_heap_file *file) {
    return mc_inflate_detect(file->map.data, file->map.size) != MC_COMPRESSION_NONE;
}

static const mc_file_map *get_dump(const mc_hprof_heap_file *file) {
    return file->unpacked.data ? &file->unpacked : &file->map;
}

void mc_hprof_heap_file_close(mc_hprof_heap_file *file) {
    mc_hprof_heap_close(&file->heap);
    if (file->unpacked.data) mc_file_map_close(&file->unpacked);
    if (file->map.data) mc_file_map_close(&file->map);
    memset(file, 0, sizeof *file);
}

static mc_result unpack(mc_hprof_heap_file *file, const mc_progress *progress, mc_error *error) {
    uint32_t count = mc_parallel_get_core_count();
    mc_hprof_crew crew = {.worker_count =
                              count < MC_HPROF_THREADS_MAX ? count : MC_HPROF_THREADS_MAX,
                          .progress = progress,
                          .total = file->map.size};
    return mc_hprof_unpack(file->map.data, file->map.size, NULL, &crew, &file->unpacked,
                           &file->is_cut, error);
}

static mc_result open_heap(mc_hprof_heap_file *file, const mc_hprof_desc *wanted, mc_error *error) {
    const mc_file_map *dump = get_dump(file);
    mc_hprof_desc desc = *wanted;
    desc.is_mapped = true;
    desc.thread_count = mc_parallel_get_core_count();
    mc_result result = mc_hprof_heap_open(&file->heap, dump->data, dump->size, &desc, error);
    if (result == MC_OK && !mc_hprof_heap_list_parents(&file->heap))
        result = mc_error_out_of_memory(error);
    file->heap.crew.progress = NULL; // who asks later may have another
    return result;
}

// What is wrong is wrong there, and may be so because the file is cut meanwhile.
static mc_result finish(mc_hprof_heap_file *file, mc_result result, mc_error *error) {
    if (result != MC_OK)
        mc_bad_input_add_place(error, file->path, MC_BAD_INPUT_NO_ELEMENT,
                               file->unpacked.data != NULL);
    return file->map.data ? mc_file_map_finish(&file->map, file->path, result, error) : result;
}

mc_result mc_hprof_heap_file_open(mc_hprof_heap_file *file, const char *path,
                                  const mc_hprof_desc *desc, mc_error *error) {
    memset(file, 0, sizeof *file);
    file->path = path;
    mc_result result = mc_file_map_open(&file->map, path, error);
    if (result == MC_OK && is_packed(file)) result = unpack(file, desc->progress, error);
    if (result == MC_OK) result = open_heap(file, desc, error);
    return finish(file, result, error);
}

mc_result mc_hprof_heap_file_link(mc_hprof_heap_file *file, const mc_progress *progress,
                                  mc_error *error) {
    file->heap.crew.progress = progress;
    mc_result result = mc_hprof_heap_link(&file->heap, error);
    if (result == MC_OK) result = mc_hprof_divide(&file->heap, error);
    file->heap.crew.progress = NULL;
    return finish(file, result, error);
}

mc_result mc_hprof_heap_file_write_rows(mc_hprof_heap_file *file, const mc_hprof_columns *columns,
                                        mc_row_form form, mc_output_sink sink,
                                        const mc_progress *progress, mc_error *error) {
    file->heap.crew.progress = progress;
    mc_result result = mc_hprof_rows_write(&file->heap, columns, form, sink, error);
    file->heap.crew.progress = NULL;
    return result == MC_ERROR_IO ? result : finish(file, result, error); // that was the sink
}

void mc_hprof_heap_file_append_damage(const mc_hprof_heap_file *file, mc_text *text) {
    mc_hprof_report_append_damage(&file->heap.report, get_dump(file)->size, text);
    if (file->heap.report.damage.kind == MC_HPROF_WHOLE && file->is_cut)
        mc_text_append_string(text, "the packed data is cut off");
}
