#include "engine/import/hprof/hprof_heap.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_cells.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_rows.h"
#include "engine/import/hprof/hprof_shapes.h"

static mc_result open(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                      void **reader, mc_heap **heap, mc_error *error) {
    mc_hprof_dump *dump = *reader = mc_alloc_zero(1, sizeof *dump);
    if (!dump) return mc_error_out_of_memory(error);
    mc_result result = mc_hprof_dump_open(dump, data, size, desc, error);
    if (result == MC_OK && !mc_heap_list_parents(&dump->heap))
        result = mc_error_out_of_memory(error);
    *heap = &dump->heap;
    dump->crew.progress = dump->heap.progress = NULL; // who asks later may have another
    return result;
}

// What reads all of the dump shows the progress of who asks, and no longer.
static mc_hprof_dump *begin(void *reader) {
    mc_hprof_dump *dump = reader;
    dump->crew.progress = dump->heap.progress;
    return dump;
}

static mc_result end(mc_hprof_dump *dump, mc_result result) {
    dump->crew.progress = NULL;
    return result;
}

static mc_result link_dump(void *reader, mc_error *error) {
    mc_hprof_dump *dump = begin(reader);
    return end(dump, mc_hprof_dump_link(dump, error));
}

static mc_result write_rows(void *reader, const mc_hprof_columns *columns, mc_row_form form,
                            mc_output_sink sink, mc_error *error) {
    mc_hprof_dump *dump = begin(reader);
    return end(dump, mc_hprof_rows_write(dump, columns, form, sink, error));
}

static uint64_t count_rows(const void *reader) {
    return mc_hprof_cells_count_rows(reader);
}

static mc_result read_cells(void *reader, const mc_hprof_columns *columns, mc_hprof_cells *cells,
                            mc_error *error) {
    mc_hprof_dump *dump = begin(reader);
    return end(dump, mc_hprof_cells_read(dump, columns, cells, error));
}

static mc_result read_shapes(void *reader, const mc_hprof_columns *columns, mc_hprof_shapes *shapes,
                             mc_error *error) {
    mc_hprof_dump *dump = begin(reader);
    return end(dump, mc_hprof_shapes_read(dump, columns, shapes, error));
}

static void append_damage(const void *reader, mc_text *text) {
    const mc_hprof_dump *dump = reader;
    mc_hprof_damage_append(&dump->report.damage, dump->file.size, text);
}

static void close(void *reader) {
    if (reader) mc_hprof_dump_close(reader);
    mc_free(reader);
}

const mc_heap_format mc_hprof_heap_format = {.detect = mc_hprof_detect,
                                             .peek_time = mc_hprof_peek_time,
                                             .open = open,
                                             .link = link_dump,
                                             .write_rows = write_rows,
                                             .count_rows = count_rows,
                                             .read_cells = read_cells,
                                             .read_shapes = read_shapes,
                                             .append_damage = append_damage,
                                             .close = close};
