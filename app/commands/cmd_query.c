#include "app/command.h"
#include "app/query/functions.h"
#include "app/query/prompt.h"
#include "app/query/result.h"
#include "app/size_text.h"
#include "engine/base/free_memory.h"
#include "engine/base/memory.h"
#include "engine/import/heap_file.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST ((size_t)4 << 20) // bytes of SQL
#define MEMORY_LEAST ((uint64_t)256 << 20)
#define MEMORY_UNKNOWN ((uint64_t)4 << 30) // where nobody knows what is free

typedef struct query_options {
    const char *file, *sql, *time, *memory, *versus;
    uint32_t most;
    bool json, tsv, csv, html, keeps_going;
} query_options;

typedef struct query_side {
    const char *const *paths;
    uint32_t path_count;
    mc_trace *trace; // NULL: not opened yet
} query_side;

typedef struct query_command {
    const query_options *options;
    const mc_input_options *input;
    query_side sides[MC_QUERY_SIDES];
    uint32_t side_count;
    mc_query *query;
    mc_query_form form;
} query_command;

// ---- what is opened

static int compare_dumps(const void *a, const void *b) {
    const mc_query_dump *x = a, *y = b;
    if (x->time_ms != y->time_ms) return x->time_ms < y->time_ms ? -1 : 1;
    return x->path < y->path ? -1 : x->path > y->path; // as they were given
}

// The dumps among the paths. What is wrong with the others shows when they are read.
static bool list_dumps(const query_side *side, mc_query_source *source) {
    source->dumps = mc_alloc_zero(side->path_count, sizeof *source->dumps);
    if (!source->dumps) return false;
    for (uint32_t i = 0; i < side->path_count; i++) {
        mc_query_dump dump = {.path = side->paths[i]};
        bool is_dump = false;
        if (mc_heap_file_peek(dump.path, &is_dump, &dump.time_ms, NULL) == MC_OK && is_dump)
            source->dumps[source->dump_count++] = dump;
    }
    qsort(source->dumps, source->dump_count, sizeof *source->dumps, compare_dumps);
    return true;
}

static int open_trace(query_command *self, uint32_t index) {
    query_side *side = &self->sides[index];
    if (side->trace) return MC_EXIT_OK;
    int code = mc_command_open(side->paths, side->path_count, self->input, &side->trace);
    if (code == MC_EXIT_OK) mc_query_set_trace(self->query, index, side->trace);
    return code;
}

// ---- a statement

static int fail_query(const mc_error *error) {
    mc_message_say("query: %s", error->message);
    if (error->code == MC_ERROR_USAGE) return MC_EXIT_USAGE;
    return error->code == MC_ERROR_BAD_DATA ? MC_EXIT_BAD_INPUT : MC_EXIT_FAILED;
}

// Begins the statement at `sql`, after opening the traces that it is the first to need.
static int begin(query_command *self, const char *sql, size_t *size, bool *is_empty) {
    uint32_t needed_side;
    mc_error error = {0};
    mc_result result = mc_query_begin(self->query, sql, size, is_empty, &needed_side, &error);
    while (result == MC_OK && needed_side != MC_NONE) {
        int code = open_trace(self, needed_side);
        if (code != MC_EXIT_OK) return code;
        result = mc_query_begin(self->query, sql, size, is_empty, &needed_side, &error);
    }
    return result == MC_OK ? MC_EXIT_OK : fail_query(&error);
}

// No rows of what the trace doesn't know shall not pass for "there is none".
static void say_lacks(const mc_query *query) {
    mc_text text = {0};
    mc_query_append_lacks(query, &text);
    if (text.size > 0) mc_message_say("query: %s", text.data);
    mc_text_deinit(&text);
}

static int write_rows(query_command *self) {
    mc_text out = {0};
    mc_error error = {0};
    uint64_t count;
    bool has_more;
    mc_result result =
        mc_query_write(self->query, self->form, self->options->most,
                       (mc_query_output){&out, mc_command_pass_on}, &count, &has_more, &error);
    mc_query_end(self->query);
    if (result != MC_OK) {
        mc_text_deinit(&out);
        return fail_query(&error);
    }
    int code = mc_command_print(&out);
    if (code == MC_EXIT_OK) say_lacks(self->query);
    if (code == MC_EXIT_OK && has_more)
        mc_message_say("there are more than %" PRIu64 " rows; -n says how many", count);
    return code;
}

static int run_statement(query_command *self, const char *sql, size_t *size) {
    bool is_empty = true;
    mc_command_progress shown;
    int code = begin(self, sql, size, &is_empty);
    if (code != MC_EXIT_OK || is_empty) return code;
    (void)mc_command_begin_progress(&shown, "asking");
    code = write_rows(self);
    mc_command_stop_progress(&shown);
    return code;
}

// One statement after the other.
static int run_text(query_command *self, const char *sql) {
    int code = MC_EXIT_OK;
    while (*sql && (code == MC_EXIT_OK || self->options->keeps_going) &&
           !mc_command_is_interrupted()) {
        size_t size;
        int ended = run_statement(self, sql, &size);
        if (code == MC_EXIT_OK) code = ended;
        sql += size;
    }
    return code;
}

// ---- at the prompt

static void print_columns(const mc_query_table *table) {
    printf("%s: %s\n", table->name, table->help);
    for (uint32_t i = 0; i < table->column_count; i++)
        printf("  %-19s %s\n", table->columns[i].name, table->columns[i].help);
}

static void print_tables(const char *wanted, bool has_other) {
    bool is_known = wanted[0] == '\0';
    for (uint32_t i = 0; mc_query_tables[i]; i++) {
        const mc_query_table *table = mc_query_tables[i];
        if (wanted[0] == '\0') printf("  %-12s %s\n", table->name, table->help);
        if (strcmp(wanted, table->name) != 0) continue;
        print_columns(table);
        is_known = true;
    }
    if (wanted[0] == '\0')
        printf("  %-12s %s\n.tables NAME lists the columns of a table\n%s", "leaves",
               "those of nodes that are leaves",
               has_other ? "The other trace's are other.nodes and so on\n" : "");
    if (!is_known) mc_message_say("query: there is no table %s", wanted);
}

static void print_prompt_help(void) {
    printf("SQL, ended by \";\".  .tables [NAME]: tables and their columns  .quit\nfunctions:\n");
    for (uint32_t i = 0; mc_query_functions[i].name; i++)
        printf("  %s(%s): %s\n", mc_query_functions[i].name, mc_query_functions[i].arguments,
               mc_query_functions[i].help);
}

// What was pressed while nothing ran ends nothing.
static bool read_line(mc_query_prompt *prompt, bool goes_on, mc_text *line, bool *is_interrupted) {
    mc_command_forget_interrupt();
    return mc_query_prompt_read(prompt, goes_on ? "   ...> " : "memcity> ", line, is_interrupted);
}

// False: it ends.
static bool run_dot_command(const char *line, bool has_other) {
    const char *argument = strchr(line, ' ');
    while (argument && *argument == ' ')
        argument++;
    if (strncmp(line, ".q", 2) == 0 || strncmp(line, ".e", 2) == 0) return false;
    if (strncmp(line, ".t", 2) == 0 || strncmp(line, ".s", 2) == 0)
        print_tables(argument ? argument : "", has_other);
    else
        print_prompt_help();
    return true;
}

static bool is_blank(const mc_text *text) {
    return !text->data || text->data[strspn(text->data, " \t\n;")] == '\0';
}

static int run_prompt(query_command *self) {
    mc_query_prompt *prompt = mc_query_prompt_create();
    mc_text line = {0}, statement = {0};
    bool goes_on = prompt != NULL, is_interrupted;
    printf("SQL over what is open; .tables lists tables, .help functions, Ctrl+D ends it.\n");
    // Also between a line and what it asks for.
    mc_command_catch_interrupts();
    while (goes_on && read_line(prompt, statement.size > 0, &line, &is_interrupted)) {
        if (is_interrupted) {
            printf("\n");
            mc_text_clear(&statement);
            continue;
        }
        if (statement.size == 0 && mc_text_get(&line)[0] == '.') {
            mc_query_prompt_remember(prompt, line.data);
            goes_on = run_dot_command(line.data, self->side_count > 1);
            continue;
        }
        if (statement.size > 0) mc_text_append_string(&statement, "\n");
        mc_text_append(&statement, mc_text_get(&line), line.size);
        if (is_blank(&statement)) mc_text_clear(&statement);
        if (statement.size == 0 || !mc_query_is_complete(statement.data)) continue;
        mc_query_prompt_remember(prompt, statement.data);
        (void)run_text(self, statement.data);
        mc_text_clear(&statement);
    }
    if (goes_on) printf("\n");
    mc_text_deinit(&line);
    mc_text_deinit(&statement);
    mc_query_prompt_destroy(prompt);
    return MC_EXIT_OK;
}

// ---- the command

static int run_file(query_command *self, const char *path) {
    bool is_standard = strcmp(path, "-") == 0;
    mc_text sql = {0};
    char bytes[4096];
    FILE *file = is_standard ? stdin : fopen(path, "rb");
    if (!file) {
        mc_message_say("can't open %s", path);
        return MC_EXIT_FAILED;
    }
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;)
        if (sql.size <= FILE_MOST) mc_text_append(&sql, bytes, size);
    bool has_failed = ferror(file) || sql.failed;
    int code = MC_EXIT_OK;
    if (!is_standard) fclose(file);
    if (has_failed) {
        mc_message_say("can't read %s", path);
        code = MC_EXIT_FAILED;
    } else if (sql.size > FILE_MOST) {
        code = mc_command_wrong_usage("query: %s has more than 4 MB of SQL", path);
    } else if (sql.size > 0 && memchr(sql.data, '\0', sql.size)) {
        code = mc_command_wrong_usage("query: %s is not a text", path);
    } else {
        code = run_text(self, mc_text_get(&sql));
    }
    mc_text_deinit(&sql);
    return code;
}

static int read_limits(const query_options *options, mc_query_limits *limits) {
    int64_t time_ms = 600000;
    if (!mc_command_take_duration("--time", options->time, &time_ms)) return MC_EXIT_USAGE;
    uint64_t free_size = mc_free_memory_get();
    uint64_t memory = free_size > 0 ? free_size / 2 : MEMORY_UNKNOWN;
    if (memory < MEMORY_LEAST) memory = MEMORY_LEAST;
    if (options->memory && !mc_size_parse(options->memory, &memory))
        return mc_command_wrong_usage("--memory: expected a size as 512m or 2g, not \"%s\"",
                                      options->memory);
    *limits = (mc_query_limits){.seconds = (double)time_ms / 1000, .memory = memory};
    return MC_EXIT_OK;
}

static int create_query(query_command *self) {
    static const mc_progress progress = {mc_command_go_on, NULL};
    mc_query_source sources[MC_QUERY_SIDES];
    mc_query_limits limits;
    mc_error error = {0};
    int code = read_limits(self->options, &limits);
    if (code != MC_EXIT_OK) return code;
    bool is_listed = true;
    for (uint32_t i = 0; i < self->side_count; i++) {
        sources[i] = (mc_query_source){.collections = self->input->deep.collections,
                                       .binary = self->input->deep.binary,
                                       .is_partial = self->input->partial,
                                       .progress = &progress};
        is_listed = is_listed && list_dumps(&self->sides[i], &sources[i]);
    }
    if (is_listed &&
        mc_query_create(sources, self->side_count, &limits, &self->query, &error) == MC_OK)
        return MC_EXIT_OK;
    for (uint32_t i = 0; i < self->side_count && !is_listed; i++)
        mc_query_source_deinit(&sources[i]);
    if (!is_listed) (void)mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

static int run(query_command *self, const char *sql) {
    const query_options *options = self->options;
    int code = create_query(self);
    if (code != MC_EXIT_OK) return code;
    self->form = options->json   ? MC_QUERY_AS_JSON
                 : options->tsv  ? MC_QUERY_AS_TSV
                 : options->csv  ? MC_QUERY_AS_CSV
                 : options->html ? MC_QUERY_AS_HTML
                                 : MC_QUERY_AS_TEXT;
    if (options->file)
        code = run_file(self, options->file);
    else if (sql)
        code = run_text(self, sql);
    else if (isatty(STDIN_FILENO))
        code = run_prompt(self);
    else
        code = run_file(self, "-");
    mc_query_destroy(self->query);
    for (uint32_t i = 0; i < self->side_count; i++)
        mc_trace_destroy(self->sides[i].trace);
    return code;
}

int mc_command_query(int argc, const char **argv) {
    query_options options = {.most = 100000};
    mc_input_options input = {.groups_as_usual = true};
    uint32_t count;
    int code;
    mc_option_list list = {0};
    mc_option_list_add_string(&list, "f", &options.file, "FILE",
                              "read the SQL from this file; -: standard input");
    mc_option_list_add_string(&list, "sql", &options.sql, "SQL",
                              "the SQL, for scripts: all else are files then");
    mc_option_list_add_string(&list, "versus", &options.versus, "TRACE",
                              "another trace, whose tables are other.nodes, other.leaves, …");
    mc_option_list_add_flag(&list, "json", &options.json, "print an array of objects");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "print tab-separated values");
    mc_option_list_add_flag(&list, "csv", &options.csv, "print CSV for spreadsheets");
    mc_option_list_add_flag(&list, "html", &options.html, "print an HTML page");
    mc_option_list_add_flag(&list, "keep-going", &options.keeps_going,
                            "after a statement that fails go on with the next one");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N rows (100000)");
    mc_option_list_add_string(&list, "time", &options.time, "DURATION",
                              "end a statement that takes longer (10m)");
    mc_option_list_add_string(&list, "memory", &options.memory, "SIZE",
                              "end a statement that needs more memory (half of what is free)");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(
            &list,
            "memcity query TRACE… [--versus TRACE] ['SQL'] [-f FILE] [-n N] "
            "[--json|--tsv|--csv|--html]",
            "Answers questions in SQL (SQLite's) over groups, steps, references, GC roots, owners, "
            "findings and,\nof heap dumps, single objects; docs/reference/query.md lists the "
            "tables. A query can neither write nor\nopen files. Without SQL there is a prompt, "
            "with history and completion.",
            argc, argv, &count, &code))
        return code;
    if ((int)options.json + options.tsv + options.csv + options.html > 1)
        return mc_command_wrong_usage("query: --json, --tsv, --csv and --html exclude each other");

    const char *sql = options.sql;
    if (!options.file && !sql && count > 1 && access(argv[count - 1], F_OK) != 0)
        sql = argv[--count];
    query_command self = {.options = &options, .input = &input, .side_count = 1};
    self.sides[0] = (query_side){.paths = argv, .path_count = count};
    if (options.versus)
        self.sides[self.side_count++] = (query_side){.paths = &options.versus, .path_count = 1};
    return run(&self, sql);
}
