#include "app/commands/graph_input.h"
#include "app/commands/pseudonyms.h"
#include "app/commands/rows_command.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_claim.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Small steps take less than a transaction does. What files say is committed by its amount, so that
// their traces are the same, byte for byte, however fast they are read; what comes through a pipe
// can be slow.
#define COMMIT_ROWS 1000000
#define COMMIT_INTERVAL_NS 100000000u

typedef struct destination {
    mc_mct_writer *writer;
    bool is_streamed; // from something other than files
    size_t row_count; // of what is not committed
    uint64_t committed_ns;
} destination;

// What is imported, and what goes on beside.
typedef struct import_source {
    const char *const *paths;
    uint32_t path_count;
    mc_input_options input;
    const char *rows_from;        // NULL: from the paths
    bool is_graph;                // the paths are graphs of rows
    mc_rows_command rows_command; // that runs, if rows come from one
    mc_pseudonyms names;
    mc_note_list notes;
} import_source;

static bool is_in_time(const destination *self) {
    return !self->is_streamed || mc_clock_now_ns() - self->committed_ns < COMMIT_INTERVAL_NS;
}

static mc_result commit_in_time(destination *self, size_t row_count, mc_error *error) {
    self->row_count += row_count;
    if (self->row_count < COMMIT_ROWS && is_in_time(self)) return MC_OK;
    self->row_count = 0;
    self->committed_ns = mc_clock_now_ns();
    return mc_mct_writer_commit(self->writer, error);
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_step(self->writer, tree, source, error);
    return result == MC_OK ? commit_in_time(self, tree->node_count, error) : result;
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_references(self->writer, map, direction, error);
    return result == MC_OK ? commit_in_time(self, map->entry_count, error) : result;
}

static mc_result add_referrers(void *user, const mc_step_referrers *referrers, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_referrers(self->writer, referrers, error);
    return result == MC_OK
               ? commit_in_time(self, referrers->field_count + referrers->root_count, error)
               : result;
}

static mc_result add_paths(void *user, const mc_step_paths *paths, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_paths(self->writer, paths, error);
    return result == MC_OK ? commit_in_time(self, paths->sum_count, error) : result;
}

static mc_result add_owners(void *user, const mc_step_owners *owners, mc_error *error) {
    destination *self = user;
    mc_result result = mc_mct_writer_add_owners(self->writer, owners, error);
    return result == MC_OK ? commit_in_time(self, owners->sum_count, error) : result;
}

static bool is_streamed(const import_source *source) {
    struct stat info;
    for (uint32_t i = 0; i < source->path_count; i++) {
        if (stat(source->paths[i], &info) != 0) return true;
        if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return true;
    }
    return false;
}

static int write_mct(import_source *source, const char *path, mc_mct_sync sync) {
    destination self = {.is_streamed = is_streamed(source)};
    mc_command_catch_interrupts(); // what is half is taken back
    mc_error error = {0};
    mc_log log = mc_command_get_log();
    mc_progress progress = {mc_command_go_on, NULL};
    mc_mct_writer_desc desc = {.path = path, .sync = sync, .log = &log, .progress = &progress};
    if (mc_mct_writer_create(&desc, &self.writer, &error) != MC_OK) return mc_command_fail(&error);
    mc_import_sink sink = {add_step, add_references, add_referrers, add_paths, add_owners, &self};
    int code = mc_pseudonyms_wrap(&source->names, &sink, &error) == MC_OK
                   ? mc_command_read_steps(source->paths, source->path_count, &source->input, &sink)
                   : mc_command_fail(&error);
    if (code == MC_EXIT_OK) code = mc_pseudonyms_check(&source->names);
    // Whether all is there is known when who wrote it has ended.
    int ended = mc_rows_command_end(&source->rows_command, STDIN_FILENO, code == MC_EXIT_OK);
    if (ended != MC_EXIT_OK) code = ended;
    if (code == MC_EXIT_OK && source->notes.count > 0 &&
        mc_mct_writer_take_notes(self.writer, &source->notes, &error) != MC_OK)
        code = mc_command_fail(&error);
    if (code == MC_EXIT_OK && mc_mct_writer_finish(self.writer, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_mct_writer_destroy(self.writer);
    return code;
}

// Into a new file steps go as they are read, so that what is there can be looked at, and is not
// lost, should this program be killed.
static int write_new(import_source *source, mc_mct_claim *claim) {
    mc_error error = {0};
    int code = write_mct(source, claim->path, MC_MCT_SYNC_START);
    if (code == MC_EXIT_OK && mc_mct_claim_sync(claim, &error) != MC_OK)
        code = mc_command_fail(&error);
    return code;
}

// What is there is replaced in the end.
static int write_other(import_source *source, mc_mct_claim *claim) {
    mc_error error = {0};
    mc_file_target target = {0};
    if (mc_file_target_begin(&target, claim->path, &error) != MC_OK) return mc_command_fail(&error);
    int code = write_mct(source, target.temporary_path, MC_MCT_SYNC_NEVER);
    if (code == MC_EXIT_OK && mc_mct_claim_replace(claim, &target, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_file_target_discard(&target);
    return code;
}

// That of a file, for mc_free(); NULL: out of memory.
static char *get_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = mc_copy_string(slash ? path : ".");
    if (folder && slash) folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

static int check_rows(const char *const *paths, uint32_t path_count, const mc_rows_options *rows) {
    uint32_t standard_count = rows->references && strcmp(rows->references, "-") == 0;
    bool has_some = rows->form != MC_ROWS_BY_CONTENT || rows->unit != MC_ROWS_MILLISECONDS ||
                    rows->time || rows->classifiers || rows->metrics || rows->references ||
                    rows->is_unordered;
    if (!rows->is_stated && has_some)
        return mc_command_wrong_usage("import: options for reading rows need --rows");
    for (uint32_t i = 0; i < path_count; i++)
        standard_count += rows->is_stated && strcmp(paths[i], "-") == 0;
    if (standard_count > 1)
        return mc_command_wrong_usage(
            "import: the standard input can be read only once; read references from another "
            "descriptor: --references <(command)");
    if (rows->references && path_count > 1)
        return mc_command_wrong_usage("import: --references needs exactly one stream of rows");
    return MC_EXIT_OK;
}

static int check_paths(const import_source *source, const char *output) {
    mc_error error = {0};
    for (uint32_t i = 0; i < source->path_count; i++) {
        const char *path = source->paths[i];
        if ((source->input.rows.is_stated || source->is_graph) && strcmp(path, "-") == 0) continue;
        if (mc_file_is_same(path, output))
            return mc_command_wrong_usage("import: %s is both input and output", output);
        if (!mc_ws_is_address(path) && access(path, R_OK) != 0) {
            mc_fail(&error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
            return mc_command_fail(&error);
        }
    }
    return MC_EXIT_OK;
}

static int import_trace(import_source *source, const char *output) {
    mc_error error = {0};
    mc_graph_input graphs = {.count = 0};
    mc_mct_claim claim;
    int code = check_paths(source, output);
    if (code != MC_EXIT_OK) return code;
    mc_command_catch_interrupts(); // from here on there is something to take back
    if (mc_mct_claim_begin(&claim, output, &error) != MC_OK) return mc_command_fail(&error);
    char *folder = get_folder(claim.path);
    source->input.rows.folder = folder; // what is sorted lies where what is written has room
    if (source->is_graph)
        code =
            mc_graph_input_begin(&graphs, source->paths, source->path_count, folder ? folder : ".");
    if (source->is_graph) source->paths = (const char *const *)graphs.paths;
    if (source->is_graph) source->input.names = graphs.names;
    source->input.is_graph = source->is_graph;
    if (source->rows_from)
        code = mc_rows_command_begin(&source->rows_command, source->rows_from, STDIN_FILENO);
    if (code == MC_EXIT_OK)
        code = claim.is_empty ? write_new(source, &claim) : write_other(source, &claim);
    (void)mc_rows_command_end(&source->rows_command, STDIN_FILENO, false);
    mc_graph_input_end(&graphs);
    mc_mct_claim_end(&claim, code == MC_EXIT_OK); // what is half would look like the whole
    mc_free(folder);
    return code;
}

int mc_command_import(int argc, const char **argv) {
    static const char *const standard_input[] = {"-"};
    const char *output = NULL;
    import_source source = {.input = {.is_raw = true}};
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "o", &output, "FILE.mct",
                            "file to write; replaces an existing .mct file");
    mc_option_list_add_input(&list, &source.input);
    mc_option_list_add_rows(&list, &source.input.rows);
    mc_option_list_add_string(
        &list, "rows-from", &source.rows_from, "COMMAND",
        "read rows from the output of a shell command; if it fails, no file is written");
    mc_option_list_add_flag(&list, "graph", &source.is_graph,
                            "read each TRACE (a folder, a file, or - for standard input) as rows "
                            "of objects, references and roots: docs/reference/graph.md");
    mc_option_list_add_pseudonyms(&list, &source.names);
    uint32_t path_count;
    int code;
    if (!mc_command_begin_counted(
            &list, "memcity import TRACE… -o FILE.mct",
            "Writes a trace as one .mct file, an SQLite database that opens at once, whatever its "
            "size.\n\nWhat grew the most: sqlite3 FILE.mct 'SELECT path, growth FROM growth ORDER "
            "BY growth DESC LIMIT 10'",
            0, MC_NONE, argc, argv, &path_count, &code))
        return code;
    if (!output) return mc_command_wrong_usage("import: -o FILE.mct is missing");
    if (path_count > 0 && source.rows_from)
        return mc_command_wrong_usage("import: %s and --rows-from can't be combined", argv[0]);
    if (path_count == 0 && !source.rows_from)
        return mc_command_wrong_usage("import: a trace or --rows-from is missing");
    if (source.is_graph && (source.rows_from || source.input.rows.is_stated))
        return mc_command_wrong_usage("import: --graph reads rows of objects; without --rows");
    source.paths = source.rows_from ? standard_input : argv;
    source.path_count = source.rows_from ? 1 : path_count;
    if (source.rows_from) source.input.rows.is_stated = true;
    code = mc_pseudonyms_begin(&source.names);
    if (code == MC_EXIT_OK) code = check_rows(source.paths, source.path_count, &source.input.rows);
    if (code == MC_EXIT_OK) code = mc_command_read_notes(&source.input, &source.notes);
    mc_pseudonyms_take_notes(&source.names, &source.notes);
    if (code == MC_EXIT_OK) code = import_trace(&source, output);
    mc_note_list_deinit(&source.notes);
    return mc_pseudonyms_end(&source.names, code);
}
