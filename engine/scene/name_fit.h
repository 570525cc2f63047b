// name_fit.h - which part of a name is written where there is too little room for all of it.
//
// Names of classes, packages and files tell most at their end, so they are shortened from the
// front, and by no more than has to be: packages and outer classes go first, then the first words
// of the last one ("…$HostConnectionPool", "…ConnectionPool"). Only if its last word is too long by
// itself, letters go: of a name of one word the last ones, else the first ones, so that a name is
// never cut at both ends. No allocation. Threads: any. C and C++ alike.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// How wide a text is; `begin` to `end` is UTF-8. Of any unit.
typedef float (*mc_text_measure)(void *user, const char *begin, const char *end);

typedef struct mc_name_part {
    size_t begin, end;                // bytes of the name
    bool is_cut_before, is_cut_after; // by an ellipsis; never both
    bool is_torn;                     // within its last word
    float width;                      // with these
} mc_name_part;

// False: not even two letters of it fit. A width of 0 or less is any. O(length) measurements.
bool mc_name_fit(const char *name, float width, mc_text_measure measure, void *user,
                 mc_name_part *part);

#ifdef __cplusplus
}
#endif

#define MC_ELLIPSIS "\xe2\x80\xa6"
