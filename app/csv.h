// csv.h - tables for spreadsheets, in RFC 4180: CRLF, quotes where needed.
//
// A spreadsheet evaluates a text that begins like a formula, and names come from untrusted files: a
// text that begins with =, +, -, @, a tab or a line break gets an apostrophe in front. Numbers are
// written unchanged. Threads: any, on separate texts.
#pragma once
#include "engine/base/text.h"

// A row is its fields, one after another, and an end.
void mc_csv_append_text(mc_text *out, const char *bytes, size_t size);
void mc_csv_append_string(mc_text *out, const char *string);
void mc_csv_append_number(mc_text *out, uint64_t number);
void mc_csv_append_signed(mc_text *out, int64_t number);
void mc_csv_append_real(mc_text *out, double number);         // six digits
void mc_csv_append_written(mc_text *out, const char *number); // as it is; NULL: an empty field
void mc_csv_end_row(mc_text *out);
