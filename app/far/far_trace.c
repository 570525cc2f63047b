#include "app/far/far_trace.h"

#include "app/command.h"
#include "app/far/far_folder.h"
#include "app/far/far_pack.h"
#include "app/user_files.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FOLDER "far/"
#define WORDS_FILE "words"
#define WORDS_MOST ((size_t)1 << 20)
#define KEPT_DAYS 30
#define KEY_SIZE 32 // of the hash's digits

// ---- the cache

static void remove_old(void) {
    mc_text folder = {0};
    DIR *entries = mc_user_append_cache_path(&folder, FOLDER) ? opendir(folder.data) : NULL;
    time_t now = time(NULL);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        mc_text path = {0};
        struct stat its;
        mc_text_format(&path, "%s%s", folder.data, entry->d_name);
        // The program copied from elsewhere lies here as well, and has another length of name.
        bool is_trace = strlen(entry->d_name) == KEY_SIZE;
        if (is_trace && !path.failed && lstat(path.data, &its) == 0 && S_ISDIR(its.st_mode) &&
            now - its.st_mtim.tv_sec > (time_t)KEPT_DAYS * 86400)
            mc_far_folder_remove_tree(path.data);
        mc_text_deinit(&path);
    }
    if (entries) closedir(entries);
    mc_text_deinit(&folder);
}

// What asks the same files again: options of memcity whatif, and the addresses, each with its NUL.
static void append_words(const mc_far_word *const *addresses, uint32_t count,
                         const mc_far_line *line, mc_text *out) {
    static const char *const names[] = {"group-by", "collections", "partial", NULL};
    for (uint32_t i = 0; i < line->count; i++) {
        const mc_far_word *word = &line->words[i];
        if (word->option && mc_far_is_among(word->option->name, names))
            mc_text_append(out, word->text, strlen(word->text) + 1);
    }
    for (uint32_t i = 0; i < count; i++)
        mc_text_append(out, addresses[i]->text, strlen(addresses[i]->text) + 1);
}

// NAME of FOLDER/KEY/NAME.mct: of the place and the first file.
static void append_name(const mc_far_word *address, mc_text *out) {
    const char *path = address->path;
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/';)
        begin--;
    mc_text name = {0};
    mc_text_format(&name, "%s %.*s", address->place.host, (int)(end - begin), path + begin);
    mc_user_append_file_name(out, mc_text_get(&name));
    mc_text_append_string(out, ".mct");
    mc_text_deinit(&name);
}

static mc_result make_path(const mc_far_word *const *addresses, uint32_t count,
                           const mc_far_line *line, const mc_text *identity, mc_text *path,
                           mc_error *error) {
    mc_text key = {0};
    mc_far_pack pack;
    char hash[MC_FAR_HASH_SIZE];
    mc_result result = mc_far_pack_find(&pack, error);
    if (result == MC_OK) {
        mc_far_place_append(&addresses[0]->place, &key);
        mc_text_format(&key, "\n%s\n", pack.hash);
        for (uint32_t i = 0; i < line->count; i++)
            if (mc_far_word_is_input(&line->words[i]))
                mc_text_format(&key, "%s\n", line->words[i].text);
        mc_text_append(&key, mc_text_get(identity), identity->size);
        if (key.failed) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) {
        mc_far_hash(key.data, key.size, hash);
        if (!mc_user_append_cache_path(path, FOLDER))
            result = mc_fail(error, MC_ERROR_IO,
                             "neither HOME nor XDG_CACHE_HOME says where to "
                             "keep what comes from elsewhere");
    }
    if (result == MC_OK) {
        mc_text_format(path, "%.*s/", KEY_SIZE, hash);
        append_name(addresses[0], path);
        if (path->failed) result = mc_error_out_of_memory(error);
    }
    (void)count;
    mc_text_deinit(&key);
    mc_far_pack_deinit(&pack);
    return result;
}

static void append_note_path(const char *path, mc_text *out) {
    const char *slash = strrchr(path, '/');
    mc_text_append(out, path, slash ? (size_t)(slash + 1 - path) : 0);
    mc_text_append_string(out, WORDS_FILE);
}

static mc_result write_note(const char *path, const mc_far_word *const *addresses, uint32_t count,
                            const mc_far_line *line, mc_error *error) {
    mc_text note = {0}, content = {0};
    append_note_path(path, &note);
    append_words(addresses, count, line, &content);
    mc_result result = note.failed || content.failed ? mc_error_out_of_memory(error) : MC_OK;
    if (result == MC_OK) result = mc_file_make_parents(note.data, MC_USER_FOLDER_MODE, error);
    if (result == MC_OK) result = mc_file_write(note.data, content.data, content.size, error);
    mc_text_deinit(&note);
    mc_text_deinit(&content);
    return result;
}

void mc_far_trace_find_words(const char *path, mc_form_texts *words) {
    mc_text note = {0}, folder = {0};
    mc_file_map map;
    bool is_kept =
        mc_user_append_cache_path(&folder, FOLDER) && strncmp(path, folder.data, folder.size) == 0;
    append_note_path(path, &note);
    if (is_kept && !note.failed && mc_file_map_open(&map, note.data, NULL) == MC_OK) {
        const char *at = (const char *)map.data, *end = at + map.size, *nul;
        for (; map.size <= WORDS_MOST && at < end && (nul = memchr(at, '\0', (size_t)(end - at)));
             at = nul + 1)
            if (!mc_form_texts_add(words, at, (size_t)(nul - at))) break;
        mc_file_map_close(&map);
    }
    mc_text_deinit(&note);
    mc_text_deinit(&folder);
}

// ---- fetching

static void touch_folder(const char *path) {
    mc_text folder = {0};
    const char *slash = strrchr(path, '/');
    mc_text_append(&folder, path, slash ? (size_t)(slash - path) : 0);
    if (!folder.failed) (void)utimensat(AT_FDCWD, folder.data, NULL, 0);
    mc_text_deinit(&folder);
}

static bool is_said(const mc_far_line *line, const char *name) {
    for (uint32_t i = 0; i < line->count; i++) {
        const mc_option *option = line->words[i].option;
        if (option && strcmp(option->name, name) == 0) return true;
    }
    return false;
}

static mc_result import_there(mc_far_link *link, const mc_far_word *const *addresses,
                              uint32_t count, const mc_far_line *line, const char *path, int *code,
                              mc_error *error) {
    mc_far_call call = {.output_count = 0};
    mc_far_call_add(&call, MC_FAR_WORD, "import");
    // The dump isn't here to be asked later.
    if (!is_said(line, "fast") && !is_said(line, "no-references"))
        mc_far_call_add(&call, MC_FAR_WORD, "--paths");
    for (uint32_t i = 0; i < line->count; i++)
        if (mc_far_word_is_input(&line->words[i]))
            mc_far_call_add(&call, MC_FAR_WORD, line->words[i].text);
    if (line->keep) mc_far_call_add(&call, MC_FAR_KEEP, line->keep);
    mc_far_call_add(&call, MC_FAR_WORD, "-o");
    mc_far_call_add(&call, MC_FAR_OUTPUT, path);
    for (uint32_t i = 0; i < count; i++)
        mc_far_call_add(&call, MC_FAR_PATTERN, addresses[i]->path);
    mc_result result = mc_far_call_run(link, &call, code, error);
    mc_far_call_deinit(&call);
    return result;
}

static mc_result identify(mc_far_link *link, const mc_far_word *const *addresses, uint32_t count,
                          mc_text *identity, int *code, mc_error *error) {
    mc_far_call call = {.output_count = 0};
    for (uint32_t i = 0; i < count; i++)
        mc_far_call_add(&call, MC_FAR_PATTERN, addresses[i]->path);
    mc_result result = mc_far_call_identify(link, &call, identity, code, error);
    mc_far_call_deinit(&call);
    return result;
}

int mc_far_trace_fetch(const mc_far_word *const *addresses, uint32_t address_count,
                       const mc_far_line *line, char **path) {
    mc_far_link link;
    mc_error error = {0};
    mc_text identity = {0}, kept = {0};
    int code = MC_EXIT_OK;
    *path = NULL;
    mc_result result = mc_far_link_begin(&link, &addresses[0]->place, &error);
    if (result == MC_OK)
        result = identify(&link, addresses, address_count, &identity, &code, &error);
    bool goes_on = result == MC_OK && code == MC_EXIT_OK;
    if (goes_on) result = make_path(addresses, address_count, line, &identity, &kept, &error);
    bool is_there = result == MC_OK && goes_on && !line->keep && access(kept.data, R_OK) == 0;
    if (is_there) touch_folder(kept.data);
    if (result == MC_OK && goes_on && !is_there) {
        remove_old();
        result = write_note(kept.data, addresses, address_count, line, &error);
        if (result == MC_OK)
            result = import_there(&link, addresses, address_count, line, kept.data, &code, &error);
    }
    mc_far_link_end(&link);
    if (result != MC_OK) code = mc_command_fail(&error);
    if (code == MC_EXIT_OK && access(mc_text_get(&kept), R_OK) == 0)
        *path = mc_copy_string(mc_text_get(&kept));
    if (code == MC_EXIT_OK && !*path) {
        mc_message_say("no trace came");
        code = MC_EXIT_FAILED;
    }
    mc_text_deinit(&identity);
    mc_text_deinit(&kept);
    return code;
}
