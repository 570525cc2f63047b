#include "app/command.h"
#include "engine/base/clock.h"
#include "engine/trace/mct/mct.h"
#include "engine/trace/mct/mct_claim.h"
#include <errno.h>
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

static mc_result add_holders(void *user, const mc_step_holders *holders, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_holders(self->writer, holders, error);
    return result == MC_OK ? commit_in_time(self, error) : result;
}

static mc_result add_paths(void *user, const mc_step_paths *paths, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_paths(self->writer, paths, error);
    return result == MC_OK ? commit_in_time(self, error) : result;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool go_on(void *user, uint64_t done, uint64_t total) {
    (void)user;
    (void)done;
    (void)total;
    return !mc_command_is_interrupted();
}

static int write_mct(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                     const char *path, mc_mct_sync sync) {
    destination self = {0};
    mc_command_catch_interrupts(); // what is half is taken back
    mc_error error = {0};
    mc_log log = mc_command_get_log();
    mc_progress progress = {go_on, NULL};
    mc_mct_writer_desc desc = {.path = path, .sync = sync, .log = &log, .progress = &progress};
    if (mc_mct_writer_create(&desc, &self.writer, &error) != MC_OK) return mc_command_fail(&error);
    mc_import_sink sink = {add_step, add_references, add_holders, add_paths, &self};
    int code = mc_command_read_steps(paths, path_count, input, &sink);
    if (code == MC_EXIT_OK && mc_mct_writer_finish(self.writer, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_mct_writer_destroy(self.writer);
    return code;
}

// Into a new file steps go as they are read, so that what is there can be looked at, and is not
// lost, should this program be killed.
static int write_new(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                     mc_mct_claim *claim) {
    mc_error error = {0};
    int code = write_mct(paths, path_count, input, claim->path, MC_MCT_SYNC_START);
    if (code == MC_EXIT_OK && mc_mct_claim_sync(claim, &error) != MC_OK)
        code = mc_command_fail(&error);
    return code;
}

// What is there is replaced in the end.
static int write_other(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                       mc_mct_claim *claim) {
    mc_error error = {0};
    mc_file_target target = {0};
    if (mc_file_target_begin(&target, claim->path, &error) != MC_OK) return mc_command_fail(&error);
    int code = write_mct(paths, path_count, input, target.temporary_path, MC_MCT_SYNC_NEVER);
    if (code == MC_EXIT_OK && mc_mct_claim_replace(claim, &target, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_file_target_discard(&target);
    return code;
}

static int import_trace(const char *const *paths, uint32_t path_count,
                        const mc_input_options *input, const char *output) {
    mc_error error = {0};
    mc_mct_claim claim;
    for (uint32_t i = 0; i < path_count; i++) {
        if (is_same_file(paths[i], output))
            return mc_command_wrong_usage("import: %s is input and output", output);
        if (access(paths[i], R_OK) != 0) {
            mc_error_set(&error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "%s: can't read: %s", paths[i],
                         strerror(errno));
            return mc_command_fail(&error);
        }
    }
    if (mc_mct_claim_begin(&claim, output, &error) != MC_OK) return mc_command_fail(&error);
    int code = claim.is_empty ? write_new(paths, path_count, input, &claim)
                              : write_other(paths, path_count, input, &claim);
    mc_mct_claim_end(&claim, code == MC_EXIT_OK); // what is half would look like the whole
    return code;
}

int mc_command_import(int argc, const char **argv) {
    const char *output = NULL;
    mc_input_options input = {.is_raw = true};
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "o", &output, "FILE.mct",
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
