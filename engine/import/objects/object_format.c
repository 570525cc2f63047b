#include "engine/import/objects/object_format.h"

#include "engine/base/memory.h"
#include "engine/base/progress_part.h"
#include "engine/import/objects/object_rows.h"

#define READING_SHARE 0.5 // of all progress; the rest is linking

typedef struct opened_heap {
    mc_object_heap heap;
    mc_text damage;
} opened_heap;

mc_result mc_object_format_open(const mc_object_reader *reader, const unsigned char *data,
                                uint64_t size, const mc_heap_desc *desc, void **opened,
                                mc_heap **heap, mc_error *error) {
    opened_heap *self = *opened = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    mc_progress_part part = {.whole = desc->progress, .share = READING_SHARE};
    const mc_progress progress = mc_progress_part_get(&part);
    self->heap.heap.progress = &progress;
    mc_result result = reader->read(data, size, desc, &self->heap, &self->damage, error);
    *heap = &self->heap.heap;
    self->heap.heap.progress = NULL; // who asks later may have another
    return result;
}

mc_result mc_object_format_link(void *opened, mc_error *error) {
    opened_heap *self = opened;
    const mc_progress *whole = self->heap.heap.progress;
    mc_progress_part part = {whole, READING_SHARE, 1 - READING_SHARE};
    const mc_progress progress = mc_progress_part_get(&part);
    self->heap.heap.progress = &progress;
    mc_result result = mc_object_heap_link(&self->heap, error);
    self->heap.heap.progress = whole;
    return result;
}

mc_result mc_object_format_write_rows(void *opened, const struct mc_hprof_columns *columns,
                                      mc_row_form form, mc_output_sink sink, mc_error *error) {
    opened_heap *self = opened;
    const mc_progress *whole = self->heap.heap.progress;
    mc_progress_part part = {whole, READING_SHARE, 1 - READING_SHARE};
    const mc_progress progress = mc_progress_part_get(&part);
    self->heap.heap.progress = &progress;
    mc_result result = mc_object_rows_write(&self->heap, columns, form, sink, error);
    self->heap.heap.progress = whole;
    return result;
}

void mc_object_format_append_damage(const void *opened, mc_text *text) {
    const opened_heap *self = opened;
    if (self) mc_text_append(text, mc_text_get(&self->damage), self->damage.size);
}

void mc_object_format_close(void *opened) {
    opened_heap *self = opened;
    if (!self) return;
    mc_object_heap_deinit(&self->heap);
    mc_text_deinit(&self->damage);
    mc_free(self);
}
