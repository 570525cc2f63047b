#include "app/print/cell.h"

#include "app/format.h"
#include "app/node_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void append_count(mc_text *out, uint64_t count) {
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + count % 10);
    while (count /= 10);
    mc_text_append(out, digits + at, sizeof digits - at);
}

// Numbers, in one form for all programs.
static void append_number(mc_cell cell, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    switch (cell.kind) {
    case MC_CELL_BOOL: mc_text_append_string(out, cell.of.word ? "true" : "false"); return;
    case MC_CELL_INDEX:
    case MC_CELL_COUNT:
    case MC_CELL_BYTES: append_count(out, cell.of.word); return;
    case MC_CELL_NUMBER:
    case MC_CELL_GROWTH:
    case MC_CELL_TIME: mc_text_format(out, "%" PRId64, cell.of.number); return;
    case MC_CELL_REAL: mc_text_format(out, "%.*g", (int)cell.count, cell.of.real); return;
    case MC_CELL_DECIMAL: mc_text_format(out, "%.*f", (int)cell.count, cell.of.real); return;
    case MC_CELL_EXACT:
        mc_text_append_string(out,
                              isfinite(cell.of.real) ? mc_format_real(text, cell.of.real) : "null");
        return;
    case MC_CELL_SHARE: mc_text_format(out, "%.6f", cell.of.real); return;
    case MC_CELL_RATE: mc_text_format(out, "%.17g", cell.of.real); return;
    case MC_CELL_VALUE:
    case MC_CELL_FIGURE:
        mc_text_append_string(out, mc_format_exact(text, cell.in.info, cell.of.word));
        return;
    case MC_CELL_FIGURE_GROWTH:
        mc_text_append_string(out,
                              mc_format_exact_growth(text, cell.in.info, cell.of.word, cell.other));
        return;
    default: assert(false);
    }
}

static bool is_text(mc_cell cell) {
    return cell.kind >= MC_CELL_TEXT && cell.kind <= MC_CELL_ESCAPED;
}

static bool is_node(mc_cell cell) {
    return cell.kind == MC_CELL_KEY || cell.kind == MC_CELL_NODE || cell.kind == MC_CELL_PATH;
}

// A text, or what a node is called for programs.
static void append_bytes(mc_cell cell, mc_text *out,
                         void (*append)(mc_text *out, const char *bytes, size_t size)) {
    mc_text name = {0};
    if (cell.kind == MC_CELL_READY) append = mc_text_append;
    if (!is_node(cell)) {
        append(out, cell.in.text, cell.of.size);
        return;
    }
    if (cell.kind == MC_CELL_PATH)
        mc_trace_append_path(cell.in.trace, cell.count, &name);
    else
        mc_trace_append_full_key(cell.in.trace, cell.count, &name);
    append(out, name.data ? name.data : "", name.size);
    out->failed |= name.failed;
    mc_text_deinit(&name);
}

void mc_cell_append_json(mc_cell cell, mc_text *out) {
    if (cell.kind <= MC_CELL_NULL)
        mc_text_append_string(out, "null");
    else if (is_text(cell) || is_node(cell))
        append_bytes(cell, out, mc_format_append_json);
    else
        append_number(cell, out);
}

void mc_cell_append_tsv(mc_cell cell, mc_text *out) {
    if (cell.kind <= MC_CELL_NULL) return;
    if (is_text(cell) || is_node(cell))
        append_bytes(cell, out, mc_format_append_tsv);
    else
        append_number(cell, out);
}

static const char *format_number(char out[MC_FORMAT_SIZE], mc_cell cell) {
    switch (cell.kind) {
    case MC_CELL_BOOL: return cell.of.word ? "yes" : "no";
    case MC_CELL_INDEX: snprintf(out, MC_FORMAT_SIZE, "%" PRIu64, cell.of.word); return out;
    case MC_CELL_COUNT: return mc_format_count(out, cell.of.word);
    case MC_CELL_BYTES: return mc_format_bytes(out, cell.of.word);
    case MC_CELL_NUMBER: return mc_format_growth(out, cell.of.number);
    case MC_CELL_GROWTH: return mc_format_bytes_growth(out, cell.of.number);
    case MC_CELL_SHARE: return mc_format_share(out, cell.of.real);
    case MC_CELL_TIME: return mc_format_time(out, cell.of.number);
    case MC_CELL_VALUE: return mc_format_value(out, cell.in.info, cell.of.word);
    case MC_CELL_FIGURE: return mc_format_figure(out, cell.in.info, cell.of.word);
    case MC_CELL_FIGURE_GROWTH:
        return mc_format_figure_growth(out, cell.in.info, cell.of.word, cell.other);
    default: snprintf(out, MC_FORMAT_SIZE, "%.6g", cell.of.real); return out;
    }
}

void mc_cell_append_line(mc_cell cell, const char *unknown, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    switch (cell.kind) {
    case MC_CELL_ABSENT: return;
    case MC_CELL_NULL: mc_text_append_string(out, unknown ? unknown : "–"); return;
    case MC_CELL_TEXT: mc_format_append_line(out, cell.in.text, cell.of.size); return;
    case MC_CELL_RATE:
        if (cell.of.real == 0)
            mc_text_append_string(out, "±0");
        else
            mc_format_append_rate(out, cell.in.info, cell.of.real);
        return;
    case MC_CELL_READY:
    case MC_CELL_ESCAPED:
    case MC_CELL_KEY: append_bytes(cell, out, mc_format_append_tsv); return;
    case MC_CELL_NODE: mc_node_append_place_line(cell.in.trace, cell.count, out); return;
    case MC_CELL_NAME: mc_node_append_name_line(cell.in.trace, cell.count, out); return;
    case MC_CELL_PATH: append_bytes(cell, out, mc_format_append_line); return;
    default: mc_text_append_string(out, format_number(text, cell));
    }
}
