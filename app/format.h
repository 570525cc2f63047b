// format.h - numbers and times as people read them, the same in the window and on the terminal.
//
// Every function writes a NUL-terminated string of at most MC_FORMAT_SIZE bytes and returns it.
// Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/trace/metrics.h"

#define MC_FORMAT_SIZE 48

char *mc_format_count(char out[MC_FORMAT_SIZE], uint64_t count); // 160,003
// 160,003 objects, 1 object: of what is many with an s.
char *mc_format_counted(char out[MC_FORMAT_SIZE], uint64_t count, const char *noun);
char *mc_format_growth(char out[MC_FORMAT_SIZE], int64_t growth); // +159,998, −3, ±0
char *mc_format_si(char out[MC_FORMAT_SIZE], uint64_t count);     // 160 k, 1.87 M
// For all that follow, in all threads: bytes in kB, MB … of 1,000 instead of KiB, MiB … of 1,024.
// Once, at the start: what is written already stays.
void mc_format_use_decimal_bytes(bool is_decimal);
char *mc_format_bytes(char out[MC_FORMAT_SIZE], uint64_t bytes);       // 3.66 MiB
char *mc_format_bytes_growth(char out[MC_FORMAT_SIZE], int64_t bytes); // +3.66 MiB
// Growth that was computed: rounded, or, beyond 64 bits, as +1.23e+25.
char *mc_format_rate(char out[MC_FORMAT_SIZE], double rate);
char *mc_format_bytes_rate(char out[MC_FORMAT_SIZE], double bytes); // beyond them, as +1.23e+07 EiB
char *mc_format_share(char out[MC_FORMAT_SIZE], double share);      // 27.4 %
char *mc_format_real(char out[MC_FORMAT_SIZE], double value);       // 0.1, 3.0: exact; finite
// 1:36.0, 2:05:07, 3,252 d 06:00; what is since 1970 as a date: 2024-05-01 12:00:00
bool mc_format_is_date(int64_t time_ms);
char *mc_format_time(char out[MC_FORMAT_SIZE], int64_t time_ms);
char *mc_format_elapsed(char out[MC_FORMAT_SIZE], int64_t time_ms); // the same, never a date

// ---- values of a metric, in its unit: 3.66 MiB, 160,003, 12.5 s, 70.0 %; "–": not known

// `word` as mc_trace_read_value() has it; `growth` a difference of mc_metric_get_count()s.
char *mc_format_value(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word);
// In as little room as there is in lists and legends: 160 k
char *mc_format_brief(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word);
char *mc_format_value_growth(char out[MC_FORMAT_SIZE], const mc_metric_info *info, int64_t growth);
// The number alone, all of its digits, for columns of them: 160,003, 0.7.
char *mc_format_figure(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word);
char *mc_format_figure_growth(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t first,
                              uint64_t last);
// As JSON has numbers, exactly; null: not known.
char *mc_format_exact(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t word);
char *mc_format_exact_growth(char out[MC_FORMAT_SIZE], const mc_metric_info *info, uint64_t first,
                             uint64_t last);
// In a sentence: with what is counted ("80,000 objects"), unless the unit says enough.
void mc_format_append_value(mc_text *text, const mc_metric_info *info, uint64_t word);
void mc_format_append_growth(mc_text *text, const mc_metric_info *info, int64_t growth);
// The same after "grew by": without a plus.
void mc_format_append_amount(mc_text *text, const mc_metric_info *info, int64_t growth);
// A rate or a median: a number of the metric's unit that was computed, with its sign.
void mc_format_append_rate(mc_text *text, const mc_metric_info *info, double number);

// What is not printable (engine/base/printable.h) becomes U+FFFD.
void mc_format_append_line(mc_text *text, const char *bytes, size_t size);
// The same as text or attribute of HTML or XML: nothing of it can become markup.
void mc_format_append_markup(mc_text *text, const char *bytes, size_t size);
// Exact, and safe on a terminal: tab, CR, LF and backslash are escaped with a backslash, the bytes
// of what else is not printable as \\x1b.
void mc_format_append_tsv(mc_text *text, const char *bytes, size_t size);
// A JSON string, with its quotes: exact but for bytes that are no UTF-8, which become U+FFFD; what
// is not printable is escaped.
void mc_format_append_json(mc_text *text, const char *bytes, size_t size);
