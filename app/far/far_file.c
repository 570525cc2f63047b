#include "app/far/far_file.h"

#include "engine/base/text.h"
#include <errno.h>
#include <string.h>

#define FOLDER_MODE 0777

bool mc_far_file_is_below(const char *path, size_t size) {
    if (size == 0 || memchr(path, '\0', size)) return false;
    for (size_t begin = 0; begin <= size;) {
        const char *slash = memchr(path + begin, '/', size - begin);
        size_t length = (slash ? (size_t)(slash - path) : size) - begin;
        bool is_dots = (length == 1 && path[begin] == '.') ||
                       (length == 2 && path[begin] == '.' && path[begin + 1] == '.');
        if (length == 0 || is_dots) return false;
        begin += length + 1;
    }
    return true;
}

mc_result mc_far_file_begin(mc_far_file *file, const char *const *outputs, uint32_t output_count,
                            const char *head, size_t size, mc_error *error) {
    if (file->is_open || size == 0 || (unsigned char)head[0] >= output_count ||
        (size > 1 && !mc_far_file_is_below(head + 1, size - 1)))
        return mc_fail(error, MC_ERROR_BAD_DATA, "a file came that nobody asked for");
    mc_text path = {0};
    mc_text_append_string(&path, outputs[(unsigned char)head[0]]);
    if (size > 1) mc_text_append_string(&path, "/");
    mc_text_append(&path, head + 1, size - 1);
    mc_result result = path.failed ? mc_error_out_of_memory(error) : MC_OK;
    if (result == MC_OK && size > 1) result = mc_file_make_parents(path.data, FOLDER_MODE, error);
    if (result == MC_OK) result = mc_file_writer_begin(&file->writer, path.data, error);
    file->is_open = result == MC_OK;
    mc_text_deinit(&path);
    return result;
}

mc_result mc_far_file_write(mc_far_file *file, const char *bytes, size_t size, mc_error *error) {
    if (!file->is_open)
        return mc_fail(error, MC_ERROR_BAD_DATA, "a file came that nobody asked for");
    if (fwrite(bytes, 1, size, file->writer.stream) == size) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "%s: %s", file->writer.target.path, strerror(errno));
}

mc_result mc_far_file_commit(mc_far_file *file, mc_error *error) {
    if (!file->is_open)
        return mc_fail(error, MC_ERROR_BAD_DATA, "a file came that nobody asked for");
    file->is_open = false;
    return mc_file_writer_commit(&file->writer, error);
}

void mc_far_file_discard(mc_far_file *file) {
    if (file->is_open) mc_file_writer_discard(&file->writer);
    file->is_open = false;
}
