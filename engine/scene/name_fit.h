// name_fit.h - shortens a name to the room that it has.
//
// Names of classes, packages and files are most specific at their end, so they are shortened from
// the front, by no more than necessary: first packages go, then the end of the outer class, which
// tells one Node from another ("Concurr…$Node"), then all of it and the first words of the last
// name ("…$HostConnectionPool", "…ConnectionPool"). Only if the last word alone is too long, its
// last letters go, because fewer words share a beginning than an ending. A name is never cut at
// both ends. Of the site "a.Pool.get(b/Pool.java:7)" first the file's path goes, then the
// file ("a.Pool.get:7"), then the line. No allocation. Threads: any. C and C++ alike.
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
    size_t gap_begin, gap_end;        // of these, which are left out; equal: none are
    bool has_gap_dots;                // an ellipsis stands in the gap
    bool is_cut_before, is_cut_after; // by an ellipsis; never both
    bool is_torn;                     // within its last word
    float width;                      // with these
} mc_name_part;

// Fewer bytes of a torn word say nothing in a segment.
#define MC_NAME_LEAST_TORN 5

// False: not even two letters of it fit. A width of 0 or less is any. O(length) measurements.
bool mc_name_fit(const char *name, float width, mc_text_measure measure, void *user,
                 mc_name_part *part);

// What is written of a name, from the left to the right: pieces of it, and ellipses.
typedef struct mc_name_piece {
    const char *begin, *end;
} mc_name_piece;
#define MC_NAME_PIECES_MOST 5
unsigned mc_name_part_get_pieces(const mc_name_part *part, const char *name,
                                 mc_name_piece pieces[MC_NAME_PIECES_MOST]);

#ifdef __cplusplus
}
#endif

#define MC_ELLIPSIS "\xe2\x80\xa6"
