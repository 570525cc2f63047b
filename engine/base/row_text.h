// row_text.h - formats values as databases read them: the fields of a row, tab-separated or as CSV.
//
// Tab-separated is ClickHouse's TabSeparated and the text form of PostgreSQL's COPY: separators
// inside values are escaped with a backslash, NULL is \N. CSV is PostgreSQL's: quotes where they
// are needed, and around empty values, because NULL is an empty field. Lines end with \n. Nothing
// is changed to suit spreadsheets (that is app/csv.h), so values survive a round trip. Threads:
// any, on separate texts.
#pragma once
#include "engine/base/text.h"
#include <string.h>

typedef enum mc_row_form {
    MC_ROW_TSV,
    MC_ROW_CSV,
    MC_ROW_PLAIN // as it is, for those who take a field alone and its size
} mc_row_form;

static inline char mc_row_get_separator(mc_row_form form) {
    return form == MC_ROW_TSV ? '\t' : ',';
}

// Appends one field, without a separator. Bytes are not looked at whether they are UTF-8. O(size).
void mc_row_append_text(mc_text *row, mc_row_form form, const char *bytes, size_t size);

static inline const char *mc_row_get_null(mc_row_form form) {
    return form == MC_ROW_CSV ? "" : "\\N";
}

#define MC_ROW_NUMBER_SIZE 32 // the most that a number takes
// Write a number at `out`, without an end, and return what follows it.
char *mc_row_put_number(char *out, uint64_t number);
char *mc_row_put_real(char *out, double number); // the shortest that is read as the same number

// Something that was made before.
static inline char *mc_row_put(char *out, const char *bytes, size_t size) {
    memcpy(out, bytes, size);
    return out + size;
}

static inline char *mc_row_put_null(char *out, mc_row_form form) {
    return form == MC_ROW_CSV ? out : mc_row_put(out, "\\N", 2);
}
