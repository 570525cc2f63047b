#include "app/far/far_pack.h"

#include "app/program_files.h"
#include "app/user_files.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/program_path.h"
#include "engine/base/sha256.h"
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK_SIZE 512u
#define FILES_MOST 128u
#define NAME_MOST 99u // of a file in the archive

typedef struct packed_file {
    char *path; // here; NULL: it is a script
    char name[NAME_MOST + 1];
    bool is_program;
    struct stat its;
} packed_file;

typedef struct packing {
    packed_file files[FILES_MOST];
    uint32_t count;
    char linker[NAME_MOST + 1]; // its name below lib/
    mc_text script;
    gzFile out;
    bool failed;
} packing;

void mc_far_hash(const void *bytes, size_t size, char hash[MC_FAR_HASH_SIZE]) {
    mc_sha256 state;
    unsigned char digest[MC_SHA256_SIZE];
    mc_sha256_begin(&state);
    mc_sha256_add(&state, bytes, size);
    mc_sha256_end(&state, digest);
    for (int i = 0; i < MC_SHA256_SIZE; i++)
        snprintf(hash + (size_t)i * 2, 3, "%02x", digest[i]);
}

void mc_far_pack_deinit(mc_far_pack *pack) {
    mc_free(pack->path);
    pack->path = NULL;
}

// ---- what is packed

static void add_file(packing *self, const char *path, const char *folder, const char *name) {
    packed_file *file = &self->files[self->count];
    int size = snprintf(file->name, sizeof file->name, "%s%s", folder, name);
    file->path = realpath(path, NULL); // to free()
    file->is_program = true;
    if (self->count + 1 == FILES_MOST || size >= (int)sizeof file->name || !file->path ||
        stat(file->path, &file->its) != 0)
        self->failed = true;
    if (self->count + 1 < FILES_MOST) self->count++;
}

// Of the running program itself there is no name, and none of what the kernel maps.
static int add_library(struct dl_phdr_info *info, size_t size, void *user) {
    packing *self = user;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    (void)size;
    if (!slash) return 0;
    add_file(self, info->dlpi_name, "lib/", slash + 1);
    if (strncmp(slash + 1, "ld-", 3) == 0 || strncmp(slash + 1, "ld6", 3) == 0)
        snprintf(self->linker, sizeof self->linker, "%s", slash + 1);
    return 0;
}

static void add_loaded(packing *self, const char *name) {
    mc_text path = {0};
    if (mc_program_append_library(&path, name)) add_file(self, path.data, "lib/memcity/", name);
    mc_text_deinit(&path);
}

static mc_result collect(packing *self, mc_error *error) {
    mc_text program = {0};
    if (mc_program_find_own(&program)) add_file(self, program.data, "lib/", "memcity.bin");
    mc_text_deinit(&program);
    dl_iterate_phdr(add_library, self);
    add_loaded(self, "libmemcity-agent.so");
    add_loaded(self, "memcity-agent.jar");
    if (self->failed || self->count == 0 || !self->linker[0])
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "can't find the libraries that memcity is linked with");
    mc_text_format(&self->script,
                   "#!/bin/sh\nd=${0%%/bin/*}\nexport MEMCITY_OWN_PROGRAM=\"$0\"\n"
                   "exec \"$d/lib/%s\" --library-path \"$d/lib\" \"$d/lib/memcity.bin\" \"$@\"\n",
                   self->linker);
    return self->script.failed ? mc_error_out_of_memory(error) : MC_OK;
}

// Changes whenever one of the files does.
static bool append_key(const packing *self, mc_text *out) {
    mc_text all = {0};
    char hash[MC_FAR_HASH_SIZE];
    mc_text_append_string(&all, self->script.data);
    for (uint32_t i = 0; i < self->count; i++) {
        const struct stat *its = &self->files[i].its;
        mc_text_format(&all, "%s %s %llu %llu %lld.%09ld\n", self->files[i].name,
                       self->files[i].path, (unsigned long long)its->st_ino,
                       (unsigned long long)its->st_size, (long long)its->st_mtim.tv_sec,
                       (long)its->st_mtim.tv_nsec);
    }
    if (all.failed) return false;
    mc_far_hash(all.data, all.size, hash);
    mc_text_deinit(&all);
    mc_text_append_string(out, hash);
    return !out->failed;
}

// ---- the archive

static void write_bytes(packing *self, const void *bytes, size_t size) {
    if (size > 0 && gzfwrite(bytes, size, 1, self->out) != 1) self->failed = true;
}

// A header of a POSIX tar archive; whose it is and when it was made is in none.
static void write_head(packing *self, const char *name, size_t size) {
    static const char magic[] = {'u', 's', 't', 'a', 'r', '\0', '0', '0'};
    char head[BLOCK_SIZE] = {0};
    unsigned sum = 0;
    snprintf(head, NAME_MOST + 1, "%s", name);
    snprintf(head + 100, 8, "0000755");
    snprintf(head + 108, 8, "0000000");
    snprintf(head + 116, 8, "0000000");
    snprintf(head + 124, 12, "%011llo", (unsigned long long)size);
    snprintf(head + 136, 12, "00000000000");
    memset(head + 148, ' ', 8);
    head[156] = '0';
    memcpy(head + 257, magic, sizeof magic);
    for (size_t i = 0; i < sizeof head; i++)
        sum += (unsigned char)head[i];
    snprintf(head + 148, 8, "%06o", sum & 0777777u);
    write_bytes(self, head, sizeof head);
}

static void write_entry(packing *self, const char *name, const void *bytes, size_t size) {
    static const char zeros[BLOCK_SIZE];
    write_head(self, name, size);
    write_bytes(self, bytes, size);
    write_bytes(self, zeros, (BLOCK_SIZE - size % BLOCK_SIZE) % BLOCK_SIZE);
}

static mc_result write_archive(packing *self, int fd, mc_error *error) {
    static const char zeros[2 * BLOCK_SIZE];
    mc_result result = MC_OK;
    int copy = dup(fd);
    self->out = copy >= 0 ? gzdopen(copy, "wb3") : NULL;
    if (!self->out) {
        if (copy >= 0) close(copy);
        return mc_error_out_of_memory(error);
    }
    write_entry(self, "bin/memcity", self->script.data, self->script.size);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++) {
        mc_file_map map;
        result = mc_file_map_open(&map, self->files[i].path, error);
        if (result != MC_OK) break;
        write_entry(self, self->files[i].name, map.data, map.size);
        result = mc_file_map_finish(&map, self->files[i].path, MC_OK, error);
        mc_file_map_close(&map);
    }
    write_bytes(self, zeros, sizeof zeros);
    if (gzclose(self->out) != Z_OK) self->failed = true;
    if (result == MC_OK && self->failed)
        result =
            mc_fail(error, MC_ERROR_IO, "can't write the archive of memcity: %s", strerror(errno));
    return result;
}

static mc_result make(packing *self, const char *path, mc_error *error) {
    mc_file_target target = {.fd = -1, .lock = -1};
    mc_result result = mc_file_make_parents(path, MC_USER_FOLDER_MODE, error);
    if (result == MC_OK) result = mc_file_target_begin(&target, path, error);
    if (result != MC_OK) return result;
    result = write_archive(self, target.fd, error);
    if (result == MC_OK) result = mc_file_target_commit(&target, MC_FILE_SYNC_CONTENT, error);
    mc_file_target_discard(&target);
    return result;
}

static mc_result measure(mc_far_pack *pack, mc_error *error) {
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, pack->path, error);
    if (result != MC_OK) return result;
    mc_far_hash(map.data, map.size, pack->hash);
    pack->size = map.size;
    result = mc_file_map_finish(&map, pack->path, MC_OK, error);
    mc_file_map_close(&map);
    return result;
}

// Beside the archive stands what it is, so that it isn't read each time: should it be damaged, the
// other side sees that.
static bool read_note(mc_far_pack *pack, const char *note) {
    unsigned long long size = 0;
    struct stat its;
    FILE *file = fopen(note, "r");
    bool is_read = file && fscanf(file, "%64[0-9a-f] %llu", pack->hash, &size) == 2;
    if (file) fclose(file);
    pack->size = size;
    return is_read && strlen(pack->hash) == MC_FAR_HASH_SIZE - 1 && stat(pack->path, &its) == 0 &&
           (unsigned long long)its.st_size == size;
}

static mc_result find_or_make(packing *self, mc_far_pack *pack, mc_error *error) {
    mc_text note = {0}, content = {0};
    mc_result result = MC_OK;
    mc_text_format(&note, "%s.sha256", pack->path);
    bool is_known = !note.failed && read_note(pack, note.data);
    if (!is_known && access(pack->path, R_OK) != 0) result = make(self, pack->path, error);
    if (!is_known && result == MC_OK) {
        result = measure(pack, error);
        mc_text_format(&content, "%s %llu\n", pack->hash, (unsigned long long)pack->size);
        if (result == MC_OK && !note.failed && !content.failed)
            result = mc_file_write(note.data, content.data, content.size, error);
    }
    mc_text_deinit(&note);
    mc_text_deinit(&content);
    return result;
}

mc_result mc_far_pack_find(mc_far_pack *pack, mc_error *error) {
    packing self = {.count = 0};
    mc_text path = {0};
    *pack = (mc_far_pack){.path = NULL};
    mc_result result = collect(&self, error);
    if (result == MC_OK && !mc_user_append_cache_path(&path, "pack/"))
        result = mc_fail(error, MC_ERROR_IO,
                         "neither HOME nor XDG_CACHE_HOME says where to keep "
                         "what goes to other machines");
    if (result == MC_OK && append_key(&self, &path)) mc_text_append_string(&path, ".tar.gz");
    if (result == MC_OK && path.failed) result = mc_error_out_of_memory(error);
    if (result == MC_OK) pack->path = mc_copy_string(path.data);
    if (result == MC_OK && !pack->path) result = mc_error_out_of_memory(error);
    if (result == MC_OK) result = find_or_make(&self, pack, error);
    for (uint32_t i = 0; i < self.count; i++)
        free(self.files[i].path);
    mc_text_deinit(&self.script);
    mc_text_deinit(&path);
    return result;
}
