#include "app/print/print.h"

#include "app/format.h"

static bool is_json(const mc_print *print) {
    return print->form == MC_PRINT_JSON;
}

// ---- JSON

void mc_print_break(mc_print *print) {
    print->has_broken = true;
}

// What stands before an item: a comma, a new line.
static void separate(mc_print *print) {
    static const char *const separators[] = {"", "\n", ",", ",\n"};
    const char *separator = separators[print->has_item << 1 | print->has_broken];
    if (separator[0]) mc_text_append_string(print->out, separator);
    print->has_item = true;
    print->has_broken = false;
}

void mc_print_key(mc_print *print, const char *bytes, size_t size) {
    if (!is_json(print)) return;
    separate(print);
    mc_format_append_json(print->out, bytes, size);
    mc_text_append(print->out, ":", 1);
    print->has_item = false; // nothing between it and its value
}

// Most keys are short and take one step, as they stand before every number.
static void begin_item(mc_print *print, const char *key) {
    char item[64] = ",\"";
    size_t size = 2;
    bool is_plain = key && print->has_item && !print->has_broken;
    for (; is_plain && key[size - 2]; size++) {
        char byte = item[size] = key[size - 2];
        is_plain = byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && size < 60;
    }
    if (is_plain) {
        item[size++] = '"';
        item[size++] = ':';
        mc_text_append(print->out, item, size);
        return;
    }
    if (key) mc_print_key(print, key, strlen(key));
    separate(print);
}

static void begin_nested(mc_print *print, const char *key, const char *bracket) {
    if (!is_json(print)) return;
    begin_item(print, key);
    mc_text_append(print->out, bracket, 1);
    print->has_item = false;
}

static void end_nested(mc_print *print, const char *bracket) {
    if (!is_json(print)) return;
    mc_text_append(print->out, bracket, 1);
    print->has_item = true;
}

void mc_print_begin_object(mc_print *print, const char *key) {
    begin_nested(print, key, "{");
}

void mc_print_end_object(mc_print *print) {
    end_nested(print, "}");
}

void mc_print_begin_list(mc_print *print, const char *key) {
    begin_nested(print, key, "[");
}

void mc_print_end_list(mc_print *print) {
    end_nested(print, "]");
}

void mc_print_put(mc_print *print, const char *key, mc_cell cell) {
    if (!is_json(print) || cell.kind == MC_CELL_ABSENT) return;
    if (cell.kind == MC_CELL_OBJECT) {
        mc_print_begin_object(print, key);
        mc_print_fields(print, cell.in.fields, cell.count);
        mc_print_end_object(print);
    } else if (cell.kind == MC_CELL_LIST || cell.kind == MC_CELL_EACH) {
        mc_print_begin_list(print, key);
        for (uint32_t i = 0; i < cell.count; i++) {
            if (cell.kind == MC_CELL_LIST)
                mc_print_put(print, NULL, cell.in.cells[i]);
            else
                cell.of.item(print, cell.in.user, i);
        }
        mc_print_end_list(print);
    } else {
        begin_item(print, key);
        mc_cell_append_json(cell, print->out);
    }
}

void mc_print_fields(mc_print *print, const mc_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        mc_print_put(print, fields[i].key, fields[i].cell);
}

void mc_print_end(mc_print *print) {
    if (is_json(print)) mc_text_append(print->out, "\n", 1);
}

// ---- text

static bool has_column(const mc_print *print, const mc_column *column) {
    bool is_for_people = print->form == MC_PRINT_TEXT || print->form == MC_PRINT_HTML;
    if (column->is_off || (column->forms && !(column->forms >> print->form & 1))) return false;
    return (is_for_people ? column->heading : column->key) != NULL;
}

// The characters of a line from byte `begin` on.
static int count_characters(const mc_text *text, size_t begin) {
    int count = 0;
    for (size_t i = begin; i < text->size; i++)
        count += ((unsigned char)text->data[i] & 0xc0) != 0x80;
    return count;
}

static void append_blanks(mc_text *out, int count) {
    static const char blanks[] = "                                ";
    for (int part; count > 0; count -= part) {
        part = count < (int)sizeof blanks ? count : (int)sizeof blanks - 1;
        mc_text_append(out, blanks, (size_t)part);
    }
}

// What was appended from byte `begin` on, at the right of the column. Returns how many blanks it
// lacks on its right.
static int align(mc_text *out, size_t begin, int width) {
    int blanks = (width < 0 ? -width : width) - count_characters(out, begin);
    if (blanks <= 0) return 0;
    if (width < 0) return blanks;
    size_t size = out->size - begin;
    append_blanks(out, blanks);
    if (out->failed) return 0;
    memmove(out->data + begin + blanks, out->data + begin, size);
    memset(out->data + begin, ' ', (size_t)blanks);
    return 0;
}

static bool has_headings(const mc_print *print) {
    for (uint32_t i = 0; i < print->column_count; i++)
        if (has_column(print, &print->columns[i]) && print->columns[i].heading[0]) return true;
    return false;
}

static void append_text_row(const mc_print *print, const mc_cell *cells) {
    mc_text *out = print->out;
    int blanks = 0; // left of the next cell
    for (uint32_t i = 0; i < print->column_count; i++) {
        const mc_column *column = &print->columns[i];
        if (!has_column(print, column)) continue;
        if (cells ? cells[i].kind == MC_CELL_ABSENT : !column->heading[0]) continue;
        append_blanks(out, blanks);
        if (column->before) mc_text_append_string(out, column->before);
        size_t begin = out->size;
        if (cells)
            mc_cell_append_line(cells[i], column->unknown, out);
        else
            mc_text_append_string(out, column->heading);
        blanks = align(out, begin, column->width);
        if (column->after) mc_text_append_string(out, column->after);
    }
    mc_text_append(out, "\n", 1);
}

// ---- TSV

static void append_tsv_row(const mc_print *print, const mc_cell *cells) {
    bool is_first = true;
    for (uint32_t i = 0; i < print->column_count; i++) {
        if (!has_column(print, &print->columns[i])) continue;
        if (!is_first) mc_text_append(print->out, "\t", 1);
        is_first = false;
        if (cells)
            mc_cell_append_tsv(cells[i], print->out);
        else
            mc_text_append_string(print->out, print->columns[i].key);
    }
    mc_text_append(print->out, "\n", 1);
}

// ---- HTML

static void append_html_row(const mc_print *print, const mc_cell *cells) {
    mc_text *out = print->out, line = {0};
    const char *tag = cells ? "td" : "th";
    mc_text_append_string(out, "<tr>");
    for (uint32_t i = 0; i < print->column_count; i++) {
        const mc_column *column = &print->columns[i];
        if (!has_column(print, column)) continue;
        const char *mark = cells && cells[i].mark ? cells[i].mark : column->mark;
        mc_text_format(out, mark ? "<%s class=%s>" : "<%s>", tag, mark);
        mc_text_clear(&line);
        if (cells)
            mc_cell_append_line(cells[i], column->unknown, &line);
        else
            mc_text_append_string(&line, column->heading);
        if (cells && cells[i].kind == MC_CELL_READY)
            mc_text_append(out, line.data, line.size);
        else if (line.size > 0)
            mc_format_append_markup(out, line.data, line.size);
        out->failed |= line.failed;
        mc_text_format(out, "</%s>", tag);
    }
    mc_text_append_string(out, cells ? "</tr>\n" : "</tr>");
    mc_text_deinit(&line);
}

static void begin_html(const mc_print *print, const char *mark) {
    mc_text_append_string(print->out, "<div class=scroll><table");
    if (mark) mc_text_format(print->out, " class=\"%s\"", mark);
    mc_text_append_string(print->out, "><thead>");
    append_html_row(print, NULL);
    mc_text_append_string(print->out, "</thead><tbody>\n");
}

// ---- rows

void mc_print_begin_rows(mc_print *print, const char *key, const mc_column *columns,
                         uint32_t count) {
    print->columns = columns;
    print->column_count = count;
    mc_print_begin_list(print, key);
    if (print->form == MC_PRINT_TSV) append_tsv_row(print, NULL);
    if (print->form == MC_PRINT_TEXT && has_headings(print)) append_text_row(print, NULL);
    if (print->form == MC_PRINT_HTML) begin_html(print, key);
}

static void append_json_row(mc_print *print, const mc_cell *cells) {
    print->has_broken =
        print->lines == MC_LINES_EACH || (print->lines == MC_LINES_BETWEEN && print->has_item);
    mc_print_begin_object(print, NULL);
    for (uint32_t i = 0; i < print->column_count; i++)
        if (has_column(print, &print->columns[i]))
            mc_print_put(print, print->columns[i].key, cells[i]);
    mc_print_end_object(print);
}

void mc_print_row(mc_print *print, const mc_cell *cells) {
    if (print->form == MC_PRINT_TSV) append_tsv_row(print, cells);
    if (print->form == MC_PRINT_TEXT) append_text_row(print, cells);
    if (print->form == MC_PRINT_HTML) append_html_row(print, cells);
    if (is_json(print)) append_json_row(print, cells);
}

void mc_print_end_rows(mc_print *print) {
    if (print->form == MC_PRINT_HTML) mc_text_append_string(print->out, "</tbody></table></div>");
    mc_print_end_list(print);
}
