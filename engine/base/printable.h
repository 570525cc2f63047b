// printable.h - makes text of unknown origin safe to show: in a message, a table, on a terminal.
//
// Names come from untrusted files. Whatever would break a line, control a terminal or change the
// order in which other text is read is shown as U+FFFD: control characters (C0, DEL, C1), line and
// paragraph separators, directional marks, embeddings, overrides and isolates, U+FFFE and U+FFFF,
// and every byte that is not UTF-8. All messages (mc_error, mc_log) are sanitised in this way where
// they are set. Threads: any.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MC_PRINTABLE_REPLACEMENT "\xef\xbf\xbd" // U+FFFD

// Whether a character may be shown; MC_UTF8_NONE may not.
bool mc_is_printable(uint32_t character);

// How many bytes from the beginning on may be shown as they are. O(size).
size_t mc_printable_measure(const char *bytes, size_t size);

// Into a buffer of `out_size` bytes (at least 1), always terminated; what does not fit is cut off
// behind a character. Returns the length.
size_t mc_printable_copy(char *out, size_t out_size, const char *bytes, size_t size);

// A name in a message: printable, its end replaced by "…" where it is too long.
#define MC_EXCERPT_SIZE 256
typedef struct mc_excerpt {
    char text[MC_EXCERPT_SIZE];
} mc_excerpt;

// Returns excerpt->text. `bytes` may be NULL if the size is 0.
const char *mc_excerpt_make(mc_excerpt *excerpt, const char *bytes, size_t size);
