#include "app/commands/export_rows.h"

#include "app/command.h"
#include "app/output.h"
#include "engine/store/rows/row_ddl.h"
#include "engine/store/rows/row_writer.h"
#include <errno.h>
#include <signal.h>
#include <string.h>

mc_export_rows_options mc_export_rows_options_default(void) {
    return (mc_export_rows_options){.ddl = MC_NONE, .table = "heap"};
}

void mc_option_list_add_export_rows(mc_option_list *list, mc_export_rows_options *options) {
    list->group = "rows";
    mc_option_list_add_flag(
        list, "rows", &options->rows,
        "write rows for a database, one per group and step, with a header line");
    mc_option_list_add_flag(list, "tsv", &options->tsv,
                            "tab-separated values, as ClickHouse reads them (the default)");
    mc_option_list_add_flag(list, "csv", &options->csv, "CSV, as PostgreSQL reads it");
    mc_option_list_add_choice(list, "ddl", &options->ddl, mc_row_dialect_names, "DB",
                              "write the table definition of this database instead of rows");
    mc_option_list_add_string(list, "table", &options->table, "NAME", "name of that table (heap)");
    mc_option_list_add_string(list, "references", &options->references, "FILE",
                              "file for references as rows; -: standard output");
}

static bool is_standard(const char *output) {
    return !output || strcmp(output, "-") == 0;
}

static mc_result write_bytes(void *user, const char *bytes, size_t size, mc_error *error) {
    if (mc_output_write(user, bytes, size)) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "can't write the output: %s", strerror(errno));
}

typedef mc_result writer(const mc_row_desc *desc, mc_row_report *report, mc_error *error);

static mc_result write_rows(const mc_row_layout *layout, mc_row_form form, writer *write,
                            const char *output, mc_row_report *report, mc_error *error) {
    mc_output to;
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "writing");
    mc_result result = mc_output_begin(&to, output, form == MC_ROW_CSV, error);
    mc_row_desc desc = {
        .layout = layout, .form = form, .output = {write_bytes, &to}, .progress = &progress};
    if (result == MC_OK) {
        result = write(&desc, report, error);
        result = mc_output_end(&to, result, error);
    }
    return mc_command_end_progress(&shown, result, error);
}

static mc_result write_ddl(const mc_row_layout *layout, const mc_export_rows_options *options,
                           const char *output, mc_error *error) {
    mc_output to;
    mc_text text = {0};
    mc_result result =
        mc_row_append_ddl(layout, (mc_row_dialect)options->ddl, options->table, &text, error);
    if (result == MC_OK) result = mc_output_begin(&to, output, false, error);
    if (result == MC_OK) {
        result = write_bytes(&to, text.data, text.size, error);
        result = mc_output_end(&to, result, error);
    }
    mc_text_deinit(&text);
    return result;
}

int mc_export_rows(const mc_trace *trace, const mc_export_rows_options *options,
                   const char *output) {
    mc_error error = {0};
    mc_row_layout layout;
    mc_row_report report = {0}, unused;
    if (options->tsv && options->csv)
        return mc_command_wrong_usage("export: expected one of --tsv and --csv");
    if (options->references && is_standard(options->references) && is_standard(output))
        return mc_command_wrong_usage("export: rows and references can't both go to the standard "
                                      "output; give -o FILE or --references FILE");
    mc_row_form form = options->csv ? MC_ROW_CSV : MC_ROW_TSV;
    signal(SIGPIPE, SIG_IGN); // writing says it, too
    mc_result result = mc_row_layout_create(&layout, trace, &error);
    if (result == MC_OK && options->ddl != MC_NONE)
        result = write_ddl(&layout, options, output, &error);
    else if (result == MC_OK)
        result = write_rows(&layout, form, mc_rows_write, output, &report, &error);
    if (result == MC_OK && options->references && options->ddl == MC_NONE)
        result = write_rows(&layout, form, mc_rows_write_references, options->references, &unused,
                            &error);
    mc_row_layout_deinit(&layout);
    if (result != MC_OK) return mc_command_fail(&error);
    if (report.contradicting_count > 0)
        mc_message_warn("the totals of %u steps differ from the sums of their groups; the rows "
                        "contain the groups",
                        report.contradicting_count);
    return MC_EXIT_OK;
}
