#include "app/csv.h"

#include <inttypes.h>
#include <string.h>

static void separate(mc_text *out) {
    if (out->size > 0 && out->data[out->size - 1] != '\n') mc_text_append(out, ",", 1);
}

static bool is_formula(const char *bytes, size_t size) {
    return size > 0 && bytes[0] != '\0' && strchr("=+-@\t\r\n", bytes[0]);
}

// A first field that is empty must not look like the beginning of the row.
void mc_csv_append_text(mc_text *out, const char *bytes, size_t size) {
    separate(out);
    bool is_plain = size > 0, is_run = is_formula(bytes, size);
    for (size_t i = 0; i < size && is_plain; i++) {
        is_plain = !strchr(",\"\r\n", bytes[i]) && bytes[i] != '\0';
    }
    if (is_plain) {
        mc_text_append(out, "'", is_run);
        mc_text_append(out, bytes, size);
        return;
    }
    mc_text_append(out, is_run ? "\"'" : "\"", is_run ? 2 : 1);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '"') mc_text_append(out, "\"", 1);
        mc_text_append(out, bytes + i, 1);
    }
    mc_text_append(out, "\"", 1);
}

void mc_csv_append_string(mc_text *out, const char *string) {
    mc_csv_append_text(out, string, strlen(string));
}

void mc_csv_append_number(mc_text *out, uint64_t number) {
    separate(out);
    mc_text_format(out, "%" PRIu64, number);
}

void mc_csv_append_signed(mc_text *out, int64_t number) {
    separate(out);
    mc_text_format(out, "%" PRId64, number);
}

void mc_csv_append_real(mc_text *out, double number) {
    separate(out);
    mc_text_format(out, "%.6g", number);
}

void mc_csv_append_written(mc_text *out, const char *number) {
    if (!number) {
        mc_csv_append_string(out, "");
        return;
    }
    separate(out);
    mc_text_append_string(out, number);
}

void mc_csv_end_row(mc_text *out) {
    mc_text_append(out, "\r\n", 2);
}
