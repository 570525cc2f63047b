#include "app/command.h"
#include "app/print/print.h"
#include "engine/import/formats.h"
#include <string.h>

enum { FORMAT, FILES, WHAT, RECORD, OPTIONS, COLUMN_COUNT };

static void append_names(mc_text *out, const mc_format *format) {
    for (const char *const *at = format->extensions; *at; at++)
        mc_text_format(out, "%s*%s", at == format->extensions ? "" : ", ", *at);
}

typedef struct row {
    const char *cells[COLUMN_COUNT];
    mc_text names;
} row;

static void fill(row rows[MC_FORMAT_COUNT + 1]) {
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++) {
        const mc_format *format = mc_formats[i];
        append_names(&rows[i].names, format);
        const char *cells[COLUMN_COUNT] = {format->id, mc_text_get(&rows[i].names), format->help,
                                           format->record ? format->record : "", format->options};
        memcpy(rows[i].cells, cells, sizeof cells);
    }
    rows[MC_FORMAT_COUNT] = (row){.cells = {"mct", "*.mct", "whole traces, memcity's own",
                                            "memcity import, record, run, attach, listen, merge",
                                            "--follow of the window"}};
}

// As wide as its widest cell; what is behind the last column is left as it is.
static int get_width(const row *rows, int column) {
    size_t width = 0;
    for (size_t i = 0; i <= MC_FORMAT_COUNT; i++)
        if (strlen(rows[i].cells[column]) > width) width = strlen(rows[i].cells[column]);
    return -(int)width;
}

static void print_rows(mc_print *print, const row *rows) {
    mc_column columns[COLUMN_COUNT] = {{.key = "format", .heading = "format"},
                                       {.key = "files", .heading = "files"},
                                       {.key = "what", .heading = "what it is, of whom"},
                                       {.key = "record", .heading = "how to record it"},
                                       {.key = "options", .forms = MC_IN_JSON | MC_IN_TSV}};
    for (int i = 0; i < RECORD; i++) {
        columns[i].width = get_width(rows, i);
        columns[i].after = "  ";
    }
    mc_print_begin_rows(print, NULL, columns, COLUMN_COUNT);
    for (size_t i = 0; i <= MC_FORMAT_COUNT; i++) {
        mc_cell cells[COLUMN_COUNT];
        for (int k = 0; k < COLUMN_COUNT; k++)
            cells[k] = mc_cell_text(rows[i].cells[k]);
        mc_print_row(print, cells);
    }
    mc_print_end_rows(print);
    mc_print_end(print);
}

int mc_command_formats(int argc, const char **argv) {
    mc_option_list list = {0};
    bool json = false, tsv = false;
    uint32_t count;
    int code;
    mc_option_list_add_flag(&list, "json", &json, "print JSON");
    mc_option_list_add_flag(&list, "tsv", &tsv, "print tab-separated rows");
    if (!mc_command_begin_counted(
            &list, "memcity formats",
            "Lists the formats that memcity reads, with the options of each (--json, --tsv). The "
            "content of a\nfile decides, whatever its name; in a folder, files with these names "
            "are "
            "read, also with .gz or\n.zst appended.",
            0, 0, argc, argv, &count, &code))
        return code;
    mc_text out = {0};
    mc_print print = mc_print_to(&out, json, tsv);
    row rows[MC_FORMAT_COUNT + 1] = {0};
    fill(rows);
    print_rows(&print, rows);
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++)
        mc_text_deinit(&rows[i].names);
    return mc_command_print(&out);
}
