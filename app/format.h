// format.h - numbers and times as people read them, the same in the window and on the terminal.
//
// Every function writes a NUL-terminated string of at most MC_FORMAT_SIZE bytes and returns it.
// Threads: any.
#pragma once
#include "engine/base/text.h"

#define MC_FORMAT_SIZE 48

char *mc_format_count(char out[MC_FORMAT_SIZE], uint64_t count);       // 160,003
char *mc_format_growth(char out[MC_FORMAT_SIZE], int64_t growth);      // +159,998, −3, ±0
char *mc_format_si(char out[MC_FORMAT_SIZE], uint64_t count);          // 160 k, 1.87 M
char *mc_format_bytes(char out[MC_FORMAT_SIZE], uint64_t bytes);       // 3.66 MiB
char *mc_format_bytes_growth(char out[MC_FORMAT_SIZE], int64_t bytes); // +3.66 MiB
// Growth that was computed: rounded, or, beyond 64 bits, as +1.23e+25.
char *mc_format_rate(char out[MC_FORMAT_SIZE], double rate);
char *mc_format_bytes_rate(char out[MC_FORMAT_SIZE], double bytes); // beyond them, as +1.23e+07 EiB
char *mc_format_share(char out[MC_FORMAT_SIZE], double share);      // 27.4 %
char *mc_format_real(char out[MC_FORMAT_SIZE], double value);       // 0.1, 3.0: exact; finite
// 1:36.0, 2:05:07, 3,252 d 06:00; what is since 1970 as a date: 2024-05-01 12:00:00
char *mc_format_time(char out[MC_FORMAT_SIZE], int64_t time_ms);

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
