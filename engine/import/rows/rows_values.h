// rows_values.h - parses single fields of rows: times, numbers, names (docs/reference/rows.md).
//
// Pure functions, any thread.
#pragma once
#include "engine/base/text.h"
#include "engine/import/format/rows_options.h"

// A time in ms: a whole number of `unit`, or "2024-05-01 12:00:00.123+02:00" (a T in the middle, Z,
// a fraction or no zone, which is UTC, are fine; what is below a millisecond is cut). False: it is
// none, or out of range.
bool mc_rows_read_time(const char *text, size_t size, mc_rows_time_unit unit, int64_t *time_ms);

// A whole number up to MC_COUNT_MAX. False: it is none.
bool mc_rows_read_whole(const char *text, size_t size, uint64_t *number);
// A number with a decimal point or an exponent, finite and not negative, exactly as strtod() in C.
bool mc_rows_read_real(const char *text, size_t size, double *number);

// Appends what a field of tab-separated rows stands for (\t \n \r \b \f \v \0 \' \\). Returns NULL,
// or what is wrong with it.
const char *mc_rows_unescape(const char *text, size_t size, mc_text *out);
// Likewise of a CSV field with its quotes. Nothing is wrong with one that was split off by them.
void mc_rows_unquote(const char *text, size_t size, mc_text *out);
