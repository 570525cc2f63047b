#include "app/query/result.h"

#include "app/csv.h"
#include "app/format.h"
#include "app/print/print.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>

#define ROWS_MEASURED 1000 // of a text: they say how wide columns are
#define WIDTH_MOST 120     // characters of a column that others are aligned with

typedef struct writer {
    mc_query *query;
    mc_query_form form;
    mc_query_output output;
    uint32_t column_count;
    mc_cell *cells;
    char (*numbers)[MC_FORMAT_SIZE]; // a column each: for people
    mc_column *columns;              // of what mc_print prints
    mc_text *names;                  // their titles
    mc_print print;
    // Of text: cells that are not printed yet, and how wide columns are.
    mc_text cell_text;
    size_t *ends;
    size_t end_count, end_capacity;
    int *widths;
    bool *is_number;
} writer;

// ---- for people

// Numbers as they are: whoever asked for them knows what they mean.
static mc_cell make_readable(writer *self, uint32_t column, mc_cell cell) {
    char *text = self->numbers[column];
    if (cell.kind == MC_CELL_NUMBER) {
        snprintf(text, MC_FORMAT_SIZE, "%" PRId64, cell.of.number);
        return mc_cell_text(text);
    }
    if (cell.kind == MC_CELL_EXACT) return mc_cell_text(mc_format_real(text, cell.of.real));
    return cell;
}

static int count_characters(const char *text, size_t size) {
    int count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static void append_padded(const writer *self, uint32_t column, const char *text, size_t size) {
    mc_text *out = self->output.out;
    bool is_right = self->is_number[column], is_last = column + 1 == self->column_count;
    int blanks = self->widths[column] - count_characters(text, size);
    if (blanks < 0) blanks = 0;
    if (column > 0) mc_text_append_string(out, "  ");
    if (is_right) mc_text_format(out, "%*s", blanks, "");
    mc_text_append(out, text, size);
    if (!is_right && !is_last) mc_text_format(out, "%*s", blanks, "");
}

static void append_headings(const writer *self) {
    for (uint32_t i = 0; i < self->column_count; i++)
        append_padded(self, i, mc_text_get(&self->names[i]), self->names[i].size);
    mc_text_append_string(self->output.out, "\n");
}

// Prints the rows that were kept.
static void append_rows(writer *self) {
    size_t begin = 0;
    for (size_t i = 0; i < self->end_count; i++) {
        uint32_t column = (uint32_t)(i % self->column_count);
        append_padded(self, column, self->cell_text.data + begin, self->ends[i] - begin);
        if (column + 1 == self->column_count) mc_text_append_string(self->output.out, "\n");
        begin = self->ends[i];
    }
    self->end_count = 0;
    mc_text_clear(&self->cell_text);
}

static bool keep_row(writer *self, bool is_measured) {
    if (!mc_reserve(&self->ends, &self->end_capacity, self->end_count + self->column_count,
                    sizeof *self->ends))
        return false;
    for (uint32_t i = 0; i < self->column_count; i++) {
        size_t begin = self->cell_text.size;
        mc_cell_append_line(make_readable(self, i, self->cells[i]), "NULL", &self->cell_text);
        if (self->cell_text.failed) return false;
        self->ends[self->end_count++] = self->cell_text.size;
        if (!is_measured) continue;
        int width = count_characters(self->cell_text.data + begin, self->cell_text.size - begin);
        if (width > WIDTH_MOST) width = WIDTH_MOST;
        if (width > self->widths[i]) self->widths[i] = width;
        if (self->cells[i].kind == MC_CELL_TEXT) self->is_number[i] = false;
    }
    return true;
}

static bool write_text_row(writer *self, uint64_t row) {
    if (!keep_row(self, row < ROWS_MEASURED)) return false;
    if (row + 1 < ROWS_MEASURED) return true;
    if (row + 1 == ROWS_MEASURED) append_headings(self);
    append_rows(self);
    return true;
}

// ---- for programs

static void write_csv_row(writer *self) {
    mc_text *out = self->output.out;
    for (uint32_t i = 0; i < self->column_count; i++) {
        const mc_cell *cell = &self->cells[i];
        if (cell->kind == MC_CELL_NUMBER)
            mc_csv_append_signed(out, cell->of.number);
        else if (cell->kind == MC_CELL_EXACT)
            mc_csv_append_written(out, mc_format_real(self->numbers[i], cell->of.real));
        else if (cell->kind == MC_CELL_TEXT)
            mc_csv_append_text(out, cell->in.text, cell->of.size);
        else
            mc_csv_append_written(out, NULL);
    }
    mc_csv_end_row(out);
}

static bool write_row(writer *self, uint64_t row) {
    for (uint32_t i = 0; i < self->column_count; i++)
        self->cells[i] = mc_query_get_cell(self->query, i);
    if (self->form == MC_QUERY_AS_TEXT) return write_text_row(self, row);
    if (self->form == MC_QUERY_AS_CSV) {
        write_csv_row(self);
        return true;
    }
    if (self->form == MC_QUERY_AS_HTML)
        for (uint32_t i = 0; i < self->column_count; i++)
            self->cells[i] = make_readable(self, i, self->cells[i]);
    mc_print_row(&self->print, self->cells);
    return true;
}

static void begin(writer *self) {
    static const char head[] =
        "<!DOCTYPE html><meta charset=utf-8><title>memcity query</title><style>body{font:14px "
        "sans-serif}table{border-collapse:collapse}th,td{text-align:left;padding:2px "
        "10px;border-bottom:1px solid #ccc}td{white-space:nowrap}</style>\n";
    if (self->form == MC_QUERY_AS_HTML) mc_text_append_string(self->output.out, head);
    if (self->form == MC_QUERY_AS_CSV) {
        for (uint32_t i = 0; i < self->column_count; i++)
            mc_csv_append_string(self->output.out, mc_text_get(&self->names[i]));
        mc_csv_end_row(self->output.out);
    } else if (self->form != MC_QUERY_AS_TEXT) {
        mc_print_begin_rows(&self->print, NULL, self->columns, self->column_count);
    }
}

static void end(writer *self, uint64_t row_count) {
    if (self->form == MC_QUERY_AS_TEXT) {
        if (row_count < ROWS_MEASURED) append_headings(self);
        append_rows(self);
    } else if (self->form != MC_QUERY_AS_CSV) {
        mc_print_end_rows(&self->print);
        mc_print_end(&self->print);
        if (self->form == MC_QUERY_AS_HTML) mc_text_append_string(self->output.out, "\n");
    }
}

// ----

static bool init(writer *self) {
    static const mc_print_form forms[] = {
        [MC_QUERY_AS_TEXT] = MC_PRINT_TEXT, [MC_QUERY_AS_JSON] = MC_PRINT_JSON,
        [MC_QUERY_AS_TSV] = MC_PRINT_TSV,   [MC_QUERY_AS_CSV] = MC_PRINT_TSV,
        [MC_QUERY_AS_HTML] = MC_PRINT_HTML,
    };
    uint32_t count = self->column_count;
    self->cells = mc_alloc_zero(count, sizeof *self->cells);
    self->numbers = mc_alloc(count, sizeof *self->numbers);
    self->columns = mc_alloc_zero(count, sizeof *self->columns);
    self->names = mc_alloc_zero(count, sizeof *self->names);
    self->widths = mc_alloc_zero(count, sizeof *self->widths);
    self->is_number = mc_alloc(count, sizeof *self->is_number);
    self->print =
        (mc_print){.form = forms[self->form], .out = self->output.out, .lines = MC_LINES_BETWEEN};
    if (!self->cells || !self->numbers || !self->columns || !self->names || !self->widths ||
        !self->is_number)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = mc_query_get_column(self->query, i);
        if (self->form == MC_QUERY_AS_TSV)
            mc_format_append_tsv(&self->names[i], name, strlen(name));
        else if (self->form == MC_QUERY_AS_TEXT || self->form == MC_QUERY_AS_HTML)
            mc_format_append_line(&self->names[i], name, strlen(name));
        else
            mc_text_append_string(&self->names[i], name);
        if (self->names[i].failed) return false;
        self->columns[i] = (mc_column){.key = mc_text_get(&self->names[i]),
                                       .heading = mc_text_get(&self->names[i]),
                                       .unknown = "NULL"};
        self->widths[i] = count_characters(mc_text_get(&self->names[i]), self->names[i].size);
        self->is_number[i] = true;
    }
    return true;
}

static void deinit(writer *self) {
    for (uint32_t i = 0; i < self->column_count && self->names; i++)
        mc_text_deinit(&self->names[i]);
    mc_free(self->cells);
    mc_free(self->numbers);
    mc_free(self->columns);
    mc_free(self->names);
    mc_free(self->widths);
    mc_free(self->is_number);
    mc_free(self->ends);
    mc_text_deinit(&self->cell_text);
}

static mc_result write_rows(writer *self, uint64_t most, uint64_t *row_count, bool *has_more,
                            mc_error *error) {
    bool is_there = true;
    *row_count = 0;
    *has_more = false;
    while (is_there) {
        mc_result result = mc_query_next(self->query, &is_there, error);
        if (result != MC_OK) return result;
        *has_more = is_there && *row_count == most;
        if (*has_more) return MC_OK;
        if (!is_there) return MC_OK;
        if (!write_row(self, *row_count)) return mc_error_out_of_memory(error);
        ++*row_count;
        // Who reads may have gone; the last piece will say so.
        if (self->output.pass && !self->output.pass(self->output.out)) return MC_OK;
    }
    return MC_OK;
}

mc_result mc_query_write(mc_query *query, mc_query_form form, uint64_t most, mc_query_output output,
                         uint64_t *row_count, bool *has_more, mc_error *error) {
    writer self = {.query = query,
                   .form = form,
                   .output = output,
                   .column_count = mc_query_get_column_count(query)};
    mc_result result = MC_OK;
    *row_count = 0;
    *has_more = false;
    if (!init(&self)) {
        deinit(&self);
        return mc_error_out_of_memory(error);
    }
    begin(&self);
    result = write_rows(&self, most, row_count, has_more, error);
    if (result == MC_OK) end(&self, *row_count);
    deinit(&self);
    return result == MC_OK && output.out->failed ? mc_error_out_of_memory(error) : result;
}
