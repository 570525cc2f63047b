#include "app/commands/heap_dumps.h"
#include "app/output.h"
#include "engine/base/memory.h"
#include "engine/base/progress_part.h"
#include "engine/import/graph/graph_writer.h"
#include "engine/import/hprof/hprof_rows.h"
#include <errno.h>
#include <string.h>

#define GRAPH_READING_SHARE 0.6 // of the progress of --graph; the rest is writing

typedef struct objects_options {
    const char *columns, *output, *collections, *binary;
    bool references, graph, csv, partial;
} objects_options;

typedef struct objects_writer {
    const objects_options *options;
    mc_hprof_columns columns;
    mc_row_form form;
    mc_output output;
} objects_writer;

static bool write_bytes(void *user, const char *bytes, size_t size) {
    objects_writer *self = user;
    return mc_output_write(&self->output, bytes, size);
}

static int fail_output(const objects_writer *self) {
    const char *name = self->output.is_standard ? "the output" : self->options->output;
    mc_message_say("can't write %s: %s", name, strerror(errno));
    return MC_EXIT_FAILED;
}

static mc_result write_graph(objects_writer *self, mc_heap_file *file, const mc_dump *dump,
                             const mc_progress *whole, mc_error *error) {
    mc_progress_part of_link = {.whole = whole, .share = GRAPH_READING_SHARE};
    mc_progress_part of_rows = {whole, GRAPH_READING_SHARE, 1 - GRAPH_READING_SHARE};
    const mc_progress linking = mc_progress_part_get(&of_link);
    const mc_progress writing = mc_progress_part_get(&of_rows);
    mc_result result = mc_heap_file_link(file, &linking, error);
    return result == MC_OK ? mc_graph_write(file->heap, dump->time_ms, &writing,
                                            (mc_output_sink){write_bytes, self}, error)
                           : result;
}

static int write_dump(objects_writer *self, const mc_dump *dump) {
    mc_heap_file file;
    mc_grouping grouping;
    mc_command_progress shown;
    mc_error error = {0};
    mc_heap_desc desc = {.collections = self->options->collections,
                         .binary = self->options->binary};
    mc_dump_options limits = {.partial = self->options->partial};
    mc_progress progress = mc_command_begin_progress(&shown, "reading");
    mc_hprof_columns_get_desc(&self->columns, &grouping, &desc);
    if (self->options->graph) {
        (void)mc_grouping_parse(NULL, &grouping, NULL); // the usual one
        desc.has_references = desc.has_graph = true;
    }
    mc_progress_part of_reading = {.whole = &progress,
                                   .share = self->options->graph ? GRAPH_READING_SHARE : 1};
    const mc_progress reading = mc_progress_part_get(&of_reading);
    desc.progress = &reading;
    mc_result result = mc_heap_file_open(&file, dump->path, &desc, &error);
    if (result == MC_OK && self->options->graph)
        result = write_graph(self, &file, dump, &progress, &error);
    else if (result == MC_OK)
        result = mc_heap_file_write_rows(&file, &self->columns, self->form,
                                         (mc_output_sink){write_bytes, self}, &progress, &error);
    result = mc_command_end_progress(&shown, result, &error);
    int code = MC_EXIT_OK;
    if (result == MC_ERROR_IO && ferror(self->output.stream))
        code = fail_output(self);
    else if (result != MC_OK)
        code = mc_command_fail(&error);
    else
        code = mc_dump_tell_limits(&file, dump, &limits);
    mc_heap_file_close(&file);
    return code;
}

// Damaged dumps are told in the end: what is there is written.
static int write_dumps(objects_writer *self, const mc_dump *dumps, uint32_t count) {
    mc_text header = {0};
    if (!self->options->graph) mc_hprof_rows_append_header(&self->columns, self->form, &header);
    int code = MC_EXIT_OK, limits = MC_EXIT_OK;
    if (header.failed || (header.size > 0 && !write_bytes(self, header.data, header.size)))
        code = fail_output(self);
    mc_text_deinit(&header);
    for (uint32_t i = 0; i < count && code == MC_EXIT_OK; i++) {
        code = write_dump(self, &dumps[i]);
        if (code != MC_EXIT_BAD_INPUT) continue;
        limits = code;
        code = MC_EXIT_OK;
    }
    return code == MC_EXIT_OK ? limits : code;
}

static int run(const objects_options *options, const mc_dump *dumps, uint32_t count) {
    objects_writer self = {.options = options, .form = options->csv ? MC_ROW_CSV : MC_ROW_TSV};
    mc_error error = {0};
    if (mc_hprof_columns_parse(options->columns, options->references, &self.columns, &error) !=
        MC_OK)
        return mc_command_wrong_usage("--columns: %s", error.message);
    if (mc_output_begin(&self.output, options->output, options->csv, &error) != MC_OK)
        return mc_command_fail(&error);
    int code = write_dumps(&self, dumps, count);
    bool is_done = code == MC_EXIT_OK || code == MC_EXIT_BAD_INPUT;
    mc_result result = mc_output_end(&self.output, is_done ? MC_OK : MC_ERROR_IO, &error);
    return is_done && result != MC_OK ? mc_command_fail(&error) : code;
}

// The help lists what can be told. False: out of memory.
static bool describe(mc_text *text) {
    mc_text_append_string(text,
                          "Writes one row per object of heap dumps, or with --references per "
                          "reference, tab-separated with a\nheader line, for a database to group. "
                          "Only the requested columns are computed. docs/fleet.md has\nthe queries "
                          "that turn them into a city.\n\ncolumns of objects:");
    mc_text name = {0};
    const char *help;
    for (uint32_t i = 0, side = 0; side < 2; i++) {
        mc_text_clear(&name);
        if (!mc_hprof_columns_describe(i, side == 1, &name, &help)) {
            if (side++ == 0)
                mc_text_append_string(text, "\ncolumns of references, of both ends (from_, to_):");
            i = MC_NONE; // the next is 0
            continue;
        }
        if (name.size > 3 && memcmp(name.data, "to_", 3) == 0) continue; // as from_
        mc_text_format(text, "\n  %-18s %s", name.failed ? "" : name.data, help);
    }
    mc_text_deinit(&name);
    return !text->failed;
}

int mc_command_objects(int argc, const char **argv) {
    objects_options options = {.columns = NULL};
    uint32_t count;
    int code = MC_EXIT_FAILED;
    mc_option_list list = {0};
    mc_option_list_add_string(&list, "columns", &options.columns, "LIST",
                              "columns to write, such as class,package,loader,bytes,retained");
    mc_option_list_add_flag(&list, "references", &options.references,
                            "write one row per reference instead of per object");
    mc_option_list_add_flag(&list, "graph", &options.graph,
                            "write objects, references and roots of one dump as a graph "
                            "(docs/reference/graph.md), which memcity opens like the dump");
    mc_option_list_add_flag(&list, "csv", &options.csv, "write CSV, as PostgreSQL reads it");
    mc_option_list_add_file(&list, "o", &options.output, "FILE",
                            "file to write; -: standard output (-)");
    mc_option_list_add_string(
        &list, "collections", &options.collections, "PATTERNS",
        "further classes to treat as data structures, such as com.acme.Cache,com.acme.*Pool");
    mc_option_list_add_binary(&list, &options.binary);
    mc_option_list_add_flag(&list, "partial", &options.partial,
                            "accept damaged and truncated dumps");
    mc_text text = {0};
    bool goes_on =
        describe(&text) &&
        mc_command_begin(&list, "memcity objects DUMP… [--columns LIST] [--references] [--csv]",
                         text.data, argc, argv, &count, &code);
    if (text.failed) code = MC_EXIT_FAILED;
    mc_text_deinit(&text);
    if (!goes_on) return code;
    if (options.graph && (count > 1 || options.columns || options.references || options.csv))
        return mc_command_wrong_usage("objects: --graph writes one dump as a whole, without "
                                      "--columns, --references and --csv");
    mc_dump *dumps = NULL;
    code = mc_dumps_list(argv, count, "objects", &dumps);
    if (code == MC_EXIT_OK) code = run(&options, dumps, count);
    mc_free(dumps);
    return code;
}
