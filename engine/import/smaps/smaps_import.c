#include "engine/import/smaps/smaps_import.h"

#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/smaps/memory_groups.h"
#include <inttypes.h>

// A file of mappings waits for those that complete it.
typedef struct importer {
    const mc_import_context *context;
    mc_memory_groups *groups;
    mc_process_memory memory;
    mc_step_tree tree;
    mc_inflate_buffer unpacked;
    mc_text waiting;
    mc_text path; // of the file that waits
    bool is_waiting, is_unpacked;
    mc_text text; // scratch
} importer;

static mc_result fail_or_skip(const importer *self, const char *path, bool is_unpacked,
                              mc_error *error) {
    mc_bad_input_add_place(error, path, MC_BAD_INPUT_NO_ELEMENT, is_unpacked);
    return mc_bad_input_skip(self->context->desc, self->context->report, error);
}

static mc_result add_step(importer *self, uint32_t index, mc_error *error) {
    const char *path = mc_text_get(&self->path);
    mc_time_origin origin;
    mc_result result =
        mc_memory_groups_fill_tree(self->groups, &self->memory, NULL, &self->tree, error);
    const mc_import_step step = {path, index, index > 0,
                                 self->memory.has_time ? &self->memory.time_ms : NULL};
    if (result == MC_OK)
        result =
            mc_import_pass_step(self->context, &step, &self->tree, &self->text, &origin, error);
    if (result != MC_OK) return result;
    if (index == 1 && origin == MC_TIME_FROM_STEP_BEFORE)
        mc_log_write(self->context->desc->log, MC_LOG_WARNING,
                     "%s: nothing says when its memory maps were read; they are shown a second "
                     "apart (--times says it better)",
                     path);
    return MC_OK;
}

static mc_result read_waiting(importer *self, mc_error *error) {
    const char *begin = mc_text_get(&self->waiting);
    mc_process_text text = {.at = begin, .begin = begin, .end = begin + self->waiting.size};
    if (!self->is_waiting) return MC_OK;
    self->is_waiting = false;
    for (uint32_t index = 0;; index++) {
        bool is_there = false;
        mc_result result = mc_process_memory_read(&self->memory, &text,
                                                  self->context->desc->partial, &is_there, error);
        if (result == MC_OK && !is_there) return MC_OK;
        if (result == MC_OK) result = add_step(self, index, error);
        if (result != MC_OK)
            result = fail_or_skip(self, mc_text_get(&self->path), self->is_unpacked, error);
        if (result != MC_OK) return result;
        if (mc_import_watch_should_stop(self->context->watch))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
}

static mc_result take(importer *self, const mc_source_file *file, const unsigned char *data,
                      size_t size, bool is_unpacked, mc_error *error) {
    mc_result result = MC_OK;
    if (!mc_process_memory_detect(data, size)) {
        if (!self->is_waiting) {
            mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                         "expected a file of mappings (/proc/PID/smaps) before what a JVM "
                         "says of its memory");
            return fail_or_skip(self, file->path, is_unpacked, error);
        }
        mc_text_append(&self->waiting, "\n", 1);
    } else {
        result = read_waiting(self, error);
        mc_text_clear(&self->waiting);
        mc_text_clear(&self->path);
        mc_text_append_string(&self->path, file->path);
        self->is_waiting = true;
        self->is_unpacked = is_unpacked;
    }
    if (result != MC_OK) return result;
    mc_text_append(&self->waiting, (const char *)data, size);
    return self->waiting.failed || self->path.failed ? mc_error_out_of_memory(error) : MC_OK;
}

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    importer *self = reader;
    mc_import_watch *watch = self->context->watch;
    if (mc_inflate_detect(mapping->data, mapping->size) == MC_COMPRESSION_NONE) {
        mc_result result = take(self, file, mapping->data, mapping->size, false, error);
        mc_import_watch_add(watch, mapping->size);
        return result;
    }
    mc_result result = mc_inflate(mapping->data, mapping->size, &self->unpacked, watch, error);
    if (result != MC_OK) return fail_or_skip(self, file->path, false, error);
    return take(self, file, self->unpacked.data, self->unpacked.size, true, error);
}

static mc_result flush(void *reader, mc_error *error) {
    return read_waiting(reader, error);
}

static void destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    mc_memory_groups_destroy(self->groups);
    mc_process_memory_deinit(&self->memory);
    mc_step_tree_deinit(&self->tree);
    mc_inflate_buffer_deinit(&self->unpacked);
    mc_text_deinit(&self->waiting);
    mc_text_deinit(&self->path);
    mc_text_deinit(&self->text);
    mc_free(self);
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    importer *self = mc_alloc_zero(1, sizeof *self);
    *reader = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    mc_result result = mc_memory_groups_create(&self->groups, error);
    if (result == MC_OK)
        *reader = self;
    else
        destroy(self);
    return result;
}

static bool completes(void *reader, const unsigned char *data, size_t size) {
    const importer *self = reader;
    return self->is_waiting && mc_process_memory_detect_contents(data, size);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    bool is_ours =
        mc_process_memory_detect(data, size) || mc_process_memory_detect_owners(data, size);
    return is_ours ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_smaps_format = {
    .id = "smaps",
    .title = "memory maps",
    .help = "what a process has in memory: smaps of Linux, and what its JVM says of it",
    .record = "memcity rss PID; cat /proc/PID/smaps; jcmd PID VM.native_memory detail",
    .options = "--partial",
    .extensions = {".smaps", ".txt"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = read_file,
    .completes = completes,
    .flush = flush,
    .destroy = destroy};
