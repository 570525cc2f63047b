#include "app/commands/graph_input.h"

#include "app/command.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)

typedef struct gathering {
    int file;
    uint64_t size;
    unsigned char *block;
    mc_error error;
} gathering;

static mc_result append(gathering *self, const void *bytes, size_t size) {
    if (mc_command_is_interrupted()) return mc_fail(&self->error, MC_ERROR_CANCELLED, "cancelled");
    int failed = mc_file_write_at(self->file, bytes, size, self->size);
    if (failed != 0)
        return mc_fail(&self->error, MC_ERROR_IO, "can't write a temporary file: %s",
                       strerror(failed));
    self->size += size;
    return MC_OK;
}

// A part that ends without a line's end would go on in the next one.
static mc_result end_part(gathering *self) {
    return append(self, "\n", 1);
}

static mc_result append_packed(gathering *self, const mc_file_map *map) {
    mc_inflate_stream *stream = NULL;
    mc_result result = mc_inflate_stream_create(map->data, map->size, NULL, &stream, &self->error);
    while (result == MC_OK && !mc_inflate_stream_is_done(stream)) {
        size_t produced = 0;
        result = mc_inflate_stream_read(stream, self->block, BLOCK, &produced, &self->error);
        if (result == MC_OK) result = append(self, self->block, produced);
    }
    mc_inflate_stream_destroy(stream);
    return result;
}

static mc_result append_file(gathering *self, const char *path) {
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, &self->error);
    if (result != MC_OK) return result;
    if (mc_inflate_detect(map.data, map.size) != MC_COMPRESSION_NONE)
        result = append_packed(self, &map);
    else
        result = append(self, map.data, map.size);
    if (result == MC_ERROR_BAD_DATA) (void)mc_error_prepend(&self->error, path);
    result = mc_file_map_finish(&map, path, result, &self->error);
    mc_file_map_close(&map);
    return result == MC_OK ? end_part(self) : result;
}

static mc_result append_standard_input(gathering *self) {
    for (;;) {
        ssize_t size = read(STDIN_FILENO, self->block, BLOCK);
        if (size == 0) return MC_OK;
        if (size < 0 && errno == EINTR && !mc_command_is_interrupted()) continue;
        if (size < 0 && errno == EINTR)
            return mc_fail(&self->error, MC_ERROR_CANCELLED, "cancelled");
        if (size < 0)
            return mc_fail(&self->error, MC_ERROR_IO, "can't read the standard input: %s",
                           strerror(errno));
        mc_result result = append(self, self->block, (size_t)size);
        if (result != MC_OK) return result;
    }
}

static bool ends_with(const char *name, const char *end) {
    size_t size = strlen(name), length = strlen(end);
    return size > length && strcmp(name + size - length, end) == 0;
}

static int is_part(const struct dirent *entry) {
    static const char *const ends[] = {".tsv",   ".tsv.gz",   ".tsv.zst",
                                       ".jsonl", ".jsonl.gz", ".jsonl.zst",
                                       ".graph", ".graph.gz", ".graph.zst"};
    if (entry->d_name[0] == '.') return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(entry->d_name, ends[i])) return 1;
    return 0;
}

static mc_result append_folder(gathering *self, const char *path) {
    struct dirent **entries = NULL;
    mc_text name = {0};
    int count = scandir(path, &entries, is_part, alphasort);
    mc_result result = MC_OK;
    if (count < 0)
        return mc_fail(&self->error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
    if (count == 0)
        result = mc_fail(
            &self->error, MC_ERROR_BAD_DATA,
            "%s: no file of rows is there: expected *.tsv, *.jsonl or *.graph, also .gz or .zst",
            path);
    for (int i = 0; i < count; i++) {
        mc_text_clear(&name);
        mc_text_format(&name, "%s/%s", path, entries[i]->d_name);
        if (result == MC_OK)
            result =
                name.failed ? mc_error_out_of_memory(&self->error) : append_file(self, name.data);
        free(entries[i]);
    }
    free(entries);
    mc_text_deinit(&name);
    return result;
}

static mc_result gather(gathering *self, const char *path) {
    struct stat status;
    if (strcmp(path, "-") == 0) return append_standard_input(self);
    if (stat(path, &status) != 0)
        return mc_fail(&self->error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
    mc_result result =
        S_ISDIR(status.st_mode) ? append_folder(self, path) : append_file(self, path);
    const struct timespec times[2] = {status.st_mtim, status.st_mtim};
    if (result == MC_OK) (void)futimens(self->file, times); // a step's, if nothing says it
    return result;
}

static mc_result add(mc_graph_input *input, gathering *self, const char *path, const char *folder) {
    mc_text name = {0};
    self->file = mc_file_open_nameless(folder);
    self->size = 0;
    if (self->file < 0)
        return mc_fail(&self->error, MC_ERROR_IO, "%s: can't write a temporary file there: %s",
                       folder, strerror(errno));
    input->files[input->count] = self->file;
    input->names[input->count] = strcmp(path, "-") == 0 ? "standard input" : path;
    mc_text_format(&name, "/proc/self/fd/%d", self->file);
    input->paths[input->count++] = name.failed ? NULL : name.data;
    if (name.failed) return mc_error_out_of_memory(&self->error);
    return gather(self, path);
}

int mc_graph_input_begin(mc_graph_input *input, const char *const *paths, uint32_t count,
                         const char *folder) {
    gathering self = {.block = mc_alloc(BLOCK, 1)};
    *input = (mc_graph_input){.paths = mc_alloc_zero((size_t)count + 1, sizeof *input->paths),
                              .names = mc_alloc((size_t)count + 1, sizeof *input->names),
                              .files = mc_alloc((size_t)count + 1, sizeof *input->files)};
    mc_result result = self.block && input->paths && input->names && input->files
                           ? MC_OK
                           : mc_error_out_of_memory(&self.error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        result = add(input, &self, paths[i], folder);
    mc_free(self.block);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&self.error);
}

void mc_graph_input_end(mc_graph_input *input) {
    for (uint32_t i = 0; i < input->count; i++) {
        (void)close(input->files[i]);
        mc_free(input->paths[i]);
    }
    mc_free(input->paths);
    mc_free(input->names);
    mc_free(input->files);
    *input = (mc_graph_input){.count = 0};
}
