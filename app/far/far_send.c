#include "app/far/far_send.h"

#include "engine/base/memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MOST 100u
#define DEPTH_MOST 16
#define PIECE_SIZE ((size_t)1 << 18)
#define FOLDER_MODE 0700

// The end of a name has its kind.
static const char *get_last_part(const char *name) {
    const char *slash = strrchr(name, '/'), *part = slash && slash[1] ? slash + 1 : name;
    size_t size = strlen(part);
    return size > NAME_MOST ? part + size - NAME_MOST : part;
}

mc_result mc_far_outputs_add(mc_far_outputs *outputs, const char *folder, const char *name,
                             const char *keep, const char **path, mc_error *error) {
    if (outputs->count == MC_FAR_SENT_MOST)
        return mc_fail(error, MC_ERROR_USAGE, "too many files to write");
    mc_text text = {0};
    if (keep) {
        mc_text_append_string(&text, keep);
    } else {
        mc_text_format(&text, "%s/%u", folder, outputs->count);
        if (!text.failed && mkdir(text.data, FOLDER_MODE) != 0 && errno != EEXIST) {
            mc_text_deinit(&text);
            return mc_fail(error, MC_ERROR_IO, "can't make a folder in %s: %s", folder,
                           strerror(errno));
        }
        mc_text_append_string(&text, "/");
        for (const char *at = get_last_part(name); *at; at++)
            mc_text_append(&text, *at == '/' ? "_" : at, 1);
    }
    uint32_t i = outputs->count;
    outputs->paths[i] = text.failed ? NULL : mc_copy_string(text.data);
    outputs->names[i] = mc_copy_string(name);
    outputs->count++;
    mc_text_deinit(&text);
    if (!outputs->paths[i] || !outputs->names[i]) return mc_error_out_of_memory(error);
    *path = outputs->paths[i];
    return MC_OK;
}

void mc_far_outputs_deinit(mc_far_outputs *outputs) {
    for (uint32_t i = 0; i < outputs->count; i++) {
        mc_free(outputs->paths[i]);
        mc_free(outputs->names[i]);
    }
    *outputs = (mc_far_outputs){.count = 0};
}

void mc_far_outputs_rename(const mc_far_outputs *outputs, const char *bytes, size_t size,
                           mc_text *out) {
    for (size_t at = 0; at < size;) {
        size_t length = 0;
        for (uint32_t i = 0; i < outputs->count && length == 0; i++) {
            size_t wanted = strlen(outputs->paths[i]);
            if (wanted > size - at || memcmp(bytes + at, outputs->paths[i], wanted) != 0) continue;
            mc_text_append_string(out, outputs->names[i]);
            length = wanted;
        }
        if (length == 0) mc_text_append(out, bytes + at, 1);
        at += length > 0 ? length : 1;
    }
}

// ---- sending

typedef struct sending {
    mc_far_stream *stream;
    uint32_t index;
    mc_error *error;
} sending;

static mc_result send_content(const sending *self, int fd, const char *path) {
    char *bytes = mc_alloc(PIECE_SIZE, 1);
    mc_result result = bytes ? MC_OK : mc_error_out_of_memory(self->error);
    while (result == MC_OK) {
        ssize_t size = read(fd, bytes, PIECE_SIZE);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0)
            result = mc_fail(self->error, MC_ERROR_IO, "%s: %s", path, strerror(errno));
        else if (size > 0 && !mc_far_stream_send(self->stream, MC_FAR_BYTES, bytes, (size_t)size))
            result = mc_fail(self->error, MC_ERROR_CANCELLED, "the connection ended");
        if (size <= 0) break;
    }
    mc_free(bytes);
    return result;
}

static mc_result send_file(const sending *self, const char *path, const char *below) {
    mc_text head = {0};
    const char index = (char)self->index;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return mc_fail(self->error, MC_ERROR_IO, "%s: %s", path, strerror(errno));
    mc_text_append(&head, &index, 1);
    mc_text_append_string(&head, below);
    mc_result result = head.failed ? mc_error_out_of_memory(self->error) : MC_OK;
    if (result == MC_OK) (void)mc_far_stream_send(self->stream, MC_FAR_FILE, head.data, head.size);
    if (result == MC_OK) result = send_content(self, fd, path);
    if (result == MC_OK) (void)mc_far_stream_send(self->stream, MC_FAR_WHOLE, "", 0);
    mc_text_deinit(&head);
    close(fd);
    return result;
}

static mc_result send_entry(const sending *self, const char *path, const char *below, int depth);

static mc_result send_folder(const sending *self, const char *path, const char *below, int depth) {
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    mc_result result =
        count < 0 ? mc_fail(self->error, MC_ERROR_IO, "%s: %s", path, strerror(errno)) : MC_OK;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        mc_text whole = {0}, part = {0};
        mc_text_format(&whole, "%s/%s", path, name);
        mc_text_format(&part, "%s%s%s", below, below[0] ? "/" : "", name);
        bool is_entry = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
        if (result == MC_OK && (whole.failed || part.failed))
            result = mc_error_out_of_memory(self->error);
        if (result == MC_OK && is_entry) result = send_entry(self, whole.data, part.data, depth);
        mc_text_deinit(&whole);
        mc_text_deinit(&part);
        free(entries[i]);
    }
    free(entries);
    return result;
}

static mc_result send_entry(const sending *self, const char *path, const char *below, int depth) {
    struct stat its;
    if (lstat(path, &its) != 0) return MC_OK; // nothing was written
    if (S_ISDIR(its.st_mode) && depth < DEPTH_MOST)
        return send_folder(self, path, below, depth + 1);
    return S_ISREG(its.st_mode) ? send_file(self, path, below) : MC_OK;
}

mc_result mc_far_outputs_send(const mc_far_outputs *outputs, mc_far_stream *stream,
                              mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < outputs->count && result == MC_OK; i++) {
        sending self = {stream, i, error};
        result = send_entry(&self, outputs->paths[i], "", 0);
    }
    return result;
}
