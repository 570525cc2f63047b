#include "engine/import/bytes/source.h"

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/import/histogram/histogram_import.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const extensions[] = {".json",  ".json.gz",  ".json.zst",
                                         ".hprof", ".hprof.gz", ".hprof.zst"};
static const char *const text_extensions[] = {".txt", ".txt.gz", ".txt.zst", ".histo"};
static const char points_to_folder[] = "points-to-maps";
static const char pointed_from_folder[] = "pointed-from-maps";

void mc_source_list_deinit(mc_source_list *list) {
    for (size_t i = 0; i < list->count; i++)
        mc_free(list->files[i].path);
    mc_free(list->files);
    memset(list, 0, sizeof *list);
}

static bool ends_with(const char *name, const char *extension) {
    size_t length = strlen(name), size = strlen(extension);
    return length > size && memcmp(name + length - size, extension, size) == 0;
}

// The length of the extension, 0 if it is none of ours.
static size_t measure_extension(const char *name) {
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (ends_with(name, extensions[i])) return strlen(extensions[i]);
    return 0;
}

// A text may be anything: only class histograms are taken.
static bool is_histogram(const char *name, const char *path) {
    mc_file_map map = {0};
    bool has_extension = false;
    for (size_t i = 0; i < sizeof text_extensions / sizeof *text_extensions; i++)
        has_extension |= ends_with(name, text_extensions[i]);
    if (!has_extension || mc_file_map_open(&map, path, NULL) != MC_OK) return false;
    bool result = mc_histogram_import_detect(&map);
    mc_file_map_close(&map);
    return result;
}

const char *mc_source_file_get_stem(const mc_source_file *file, size_t *size) {
    const char *slash = strrchr(file->path, '/');
    const char *name = slash ? slash + 1 : file->path;
    *size = strlen(name) - measure_extension(name);
    return name;
}

static mc_result fail_io(const char *path, mc_error *error) {
    return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "%s: can't read: %s", path,
                        strerror(errno));
}

// "folder/name", to be freed; NULL if memory is out.
static char *join(const char *folder, const char *name) {
    size_t folder_size = strlen(folder), name_size = strlen(name);
    while (folder_size > 1 && folder[folder_size - 1] == '/')
        folder_size--;
    char *path = mc_alloc(folder_size + name_size + 2, 1);
    if (!path) return NULL;
    snprintf(path, folder_size + name_size + 2, "%.*s/%s", (int)folder_size, folder, name);
    return path;
}

// Takes over `path`, which may be NULL.
static mc_result add_file(mc_source_list *list, char *path, mc_source_kind kind, uint32_t group,
                          uint64_t size, mc_error *error) {
    if (!path || !mc_reserve(&list->files, &list->capacity, list->count + 1, sizeof *list->files)) {
        mc_free(path);
        return mc_error_out_of_memory(error);
    }
    list->files[list->count++] =
        (mc_source_file){.path = path, .kind = kind, .group = group, .size = size};
    list->size += size;
    return MC_OK;
}

static int compare_paths(const void *a, const void *b) {
    const mc_source_file *left = a, *right = b;
    return strcmp(left->path, right->path);
}

// Adds the files of one folder, those with an extension of ours or class histograms; none if there
// is no such folder.
static mc_result add_files(mc_source_list *list, const char *folder, mc_source_kind kind,
                           uint32_t group, bool are_texts, mc_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return errno == ENOENT || errno == ENOTDIR ? MC_OK : fail_io(folder, error);
    size_t first = list->count;
    mc_result result = MC_OK;
    struct dirent *entry;
    while (result == MC_OK && (errno = 0, entry = readdir(directory))) {
        if (entry->d_name[0] == '.') continue;
        if (!are_texts && measure_extension(entry->d_name) == 0) continue;
        char *path = join(folder, entry->d_name);
        struct stat status;
        if (!path) {
            result = mc_error_out_of_memory(error);
        } else if (stat(path, &status) != 0) {
            result = fail_io(path, error);
            mc_free(path);
        } else if (!S_ISREG(status.st_mode) || (are_texts && !is_histogram(entry->d_name, path))) {
            mc_free(path);
        } else {
            result = add_file(list, path, kind, group, (uint64_t)status.st_size, error);
        }
    }
    if (result == MC_OK && errno != 0) result = fail_io(folder, error);
    closedir(directory);
    if (list->count - first > 1)
        qsort(list->files + first, list->count - first, sizeof *list->files, compare_paths);
    return result;
}

static mc_result add_folder(mc_source_list *list, const char *folder, mc_source_kind kind,
                            uint32_t group, mc_error *error) {
    return add_files(list, folder, kind, group, false, error);
}

static mc_result add_subfolder(mc_source_list *list, const char *folder, const char *name,
                               mc_source_kind kind, uint32_t group, mc_error *error) {
    char *path = join(folder, name);
    if (!path) return mc_error_out_of_memory(error);
    mc_result result = add_folder(list, path, kind, group, error);
    mc_free(path);
    return result;
}

static mc_result add_maps(mc_source_list *list, const char *folder, uint32_t group,
                          mc_error *error) {
    mc_result result =
        add_subfolder(list, folder, points_to_folder, MC_SOURCE_POINTS_TO, group, error);
    if (result != MC_OK) return result;
    return add_subfolder(list, folder, pointed_from_folder, MC_SOURCE_POINTED_FROM, group, error);
}

static bool is_named(const char *folder, const char *name) {
    size_t size = strlen(folder), name_size = strlen(name);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    return size >= name_size && memcmp(folder + size - name_size, name, name_size) == 0 &&
           (size == name_size || folder[size - name_size - 1] == '/');
}

// The steps of a folder that someone gave, from where they are found first: beside each other in
// default-format/ or in anttracks-format/, or in the folder itself, or class histograms there.
static mc_result add_steps(mc_source_list *list, const char *folder, uint32_t group,
                           const mc_log *log, mc_error *error) {
    static const char *const forms[] = {"default-format", "anttracks-format"};
    size_t first = list->count;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        mc_result result = add_subfolder(list, folder, forms[i], MC_SOURCE_STEP, group, error);
        if (result != MC_OK) return result;
        if (list->count == first) continue;
        mc_log_write(log, MC_LOG_INFO, "%s: the steps are taken from %s/", folder, forms[i]);
        return MC_OK;
    }
    mc_result result = add_folder(list, folder, MC_SOURCE_STEP, group, error);
    if (result != MC_OK || list->count > first) return result;
    return add_files(list, folder, MC_SOURCE_STEP, group, true, error);
}

static mc_result add_path(mc_source_list *steps, mc_source_list *maps, const char *path,
                          uint32_t group, const mc_log *log, mc_error *error) {
    struct stat status;
    if (stat(path, &status) != 0) return fail_io(path, error);
    if (!S_ISDIR(status.st_mode)) {
        char *copy = mc_alloc(strlen(path) + 1, 1);
        if (copy) memcpy(copy, path, strlen(path) + 1);
        return add_file(steps, copy, MC_SOURCE_STEP, group, (uint64_t)status.st_size, error);
    }
    if (is_named(path, points_to_folder) || is_named(path, pointed_from_folder))
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "%s: expected a folder of steps, found one of pointer maps: give the "
                            "folder in which it is",
                            path);
    size_t before = steps->count, maps_before = maps->count;
    mc_result result = add_steps(steps, path, group, log, error);
    if (result != MC_OK) return result;
    if (steps->count == before)
        return mc_error_set(
            error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
            "%s: expected *.json, *.hprof or class histograms as *.txt (or those .gz, .zst) in "
            "this folder, or *.json in default-format/ or anttracks-format/, found none",
            path);
    // The maps lie beside the steps of the default form, whichever form the steps come in.
    char *sub = join(path, "default-format");
    result = sub ? add_maps(maps, sub, group, error) : mc_error_out_of_memory(error);
    mc_free(sub);
    if (result == MC_OK && maps->count == maps_before) result = add_maps(maps, path, group, error);
    return result;
}

mc_result mc_source_list_find(mc_source_list *list, const char *const *paths, uint32_t path_count,
                              const mc_log *log, mc_error *error) {
    mc_source_list maps = {0};
    mc_result result = MC_OK;
    memset(list, 0, sizeof *list);
    for (uint32_t i = 0; i < path_count && result == MC_OK; i++)
        result = add_path(list, &maps, paths[i], i, log, error);
    list->step_count = list->count;
    if (result == MC_OK && maps.count > 0) {
        if (mc_reserve(&list->files, &list->capacity, list->count + maps.count,
                       sizeof *list->files)) {
            memcpy(list->files + list->count, maps.files, maps.count * sizeof *maps.files);
            list->count += maps.count;
            list->size += maps.size;
            maps.count = 0; // their paths belong to the list now
        } else {
            result = mc_error_out_of_memory(error);
        }
    }
    mc_source_list_deinit(&maps);
    return result;
}
