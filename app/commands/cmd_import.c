#include "app/command.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/trace/mct.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMIT_INTERVAL_NS 100000000u // small steps take less than a transaction does

typedef struct destination {
    mc_mct_writer *writer;
    uint64_t committed_ns;
} destination;

static mc_result commit_in_time(destination *self, mc_error *error) {
    uint64_t now_ns = mc_clock_now_ns();
    if (now_ns - self->committed_ns < COMMIT_INTERVAL_NS) return MC_OK;
    self->committed_ns = now_ns;
    return mc_mct_writer_commit(self->writer, error);
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_step(self->writer, tree, source, error);
    return result == MC_OK ? commit_in_time(self, error) : result;
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_references(self->writer, map, direction, error);
    return result == MC_OK ? commit_in_time(self, error) : result;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// Where to write. What is there and of this program's making is replaced in the end; anything else
// stays: a slip of the pen must not cost a recording. Into a new file steps go as they are read, so
// that what is there can be looked at, and is not lost, should this program be killed.
static mc_result choose_place(const char *name, char **path, char **temporary_path,
                              mc_error *error) {
    struct stat status;
    unsigned char beginning[MC_MCT_DETECT_SIZE];
    mc_result result = mc_file_get_target(name, path, temporary_path, error);
    if (result != MC_OK) return result;
    if (stat(*path, &status) != 0) {
        mc_free(*temporary_path);
        *temporary_path = NULL;
        return MC_OK; // who makes the file says what is wrong
    }
    FILE *file = S_ISREG(status.st_mode) ? fopen(*path, "rbe") : NULL;
    size_t size = file ? fread(beginning, 1, sizeof beginning, file) : 0;
    bool is_replaceable = file && (status.st_size == 0 || mc_mct_detect(beginning, size));
    if (file) fclose(file);
    if (is_replaceable && *temporary_path) return MC_OK;
    return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET,
                        "%s: there is something else, which is not replaced", name);
}

static bool go_on(void *user, uint64_t done, uint64_t total) {
    (void)user;
    (void)done;
    (void)total;
    return !mc_command_is_interrupted();
}

static int write_mct(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                     const char *path) {
    destination self = {0};
    mc_command_catch_interrupts(); // what is half is taken back
    mc_error error = {0};
    mc_log log = mc_command_get_log();
    mc_progress progress = {go_on, NULL};
    mc_mct_writer_desc desc = {.path = path, .log = &log, .progress = &progress};
    if (mc_mct_writer_create(&desc, &self.writer, &error) != MC_OK) return mc_command_fail(&error);
    mc_import_sink sink = {add_step, add_references, &self};
    int code = mc_command_read_steps(paths, path_count, input, &sink);
    if (code == MC_EXIT_OK && mc_mct_writer_finish(self.writer, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_mct_writer_destroy(self.writer);
    if (code != MC_EXIT_OK) unlink(path); // what is half would look like the whole
    return code;
}

static int import_trace(const char *const *paths, uint32_t path_count,
                        const mc_input_options *input, const char *output) {
    mc_error error = {0};
    char *path = NULL, *temporary_path = NULL;
    for (uint32_t i = 0; i < path_count; i++) {
        if (is_same_file(paths[i], output))
            return mc_command_wrong_usage("import: %s is input and output", output);
        if (access(paths[i], R_OK) != 0) {
            mc_error_set(&error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "%s: can't read: %s", paths[i],
                         strerror(errno));
            return mc_command_fail(&error);
        }
    }
    int code, lock = -1;
    // What somebody records into would go on where nobody finds it.
    if (choose_place(output, &path, &temporary_path, &error) == MC_OK &&
        (!temporary_path || mc_command_lock_output(path, &lock, &error) == MC_OK)) {
        code = write_mct(paths, path_count, input, temporary_path ? temporary_path : path);
        if (code == MC_EXIT_OK && temporary_path &&
            mc_file_replace(temporary_path, path, &error) != MC_OK) {
            code = mc_command_fail(&error);
            unlink(temporary_path);
        }
    } else {
        code = mc_command_fail(&error);
    }
    if (lock >= 0) close(lock);
    mc_free(path);
    mc_free(temporary_path);
    return code;
}

int mc_command_import(int argc, const char **argv) {
    const char *output = NULL;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_string(&list, "o", &output, "FILE.mct",
                              "the file to write; an .mct file that is there "
                              "is replaced");
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list, "memcity import TRACE… -o FILE.mct",
            "Writes a trace as one .mct file, an SQLite database that opens at once, whatever "
            "its size.\nWhat grew: sqlite3 FILE.mct 'SELECT path, growth FROM growth ORDER BY "
            "growth DESC LIMIT 10'",
            argc, argv, &path_count, &code))
        return code;
    if (!output) return mc_command_wrong_usage("import: where to? -o FILE.mct is missing");
    return import_trace(argv, path_count, &input, output);
}
