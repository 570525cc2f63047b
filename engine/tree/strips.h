// strips.h - the levels of a tree as strips of texels, so that the cost of drawing depends on the
// pixels alone.
//
// A strip is a row of a plane (flat_plane.h), cut into texels. Every texel blends, in linear light,
// the nodes that it covers, each by its exact share. Stored are prefix sums from the row's
// beginning, so the mean over any part of it is a difference. A texel also stores the extent of the
// node that covers most of it, for lines between segments. If there are more levels than rows, a
// row is the mean of several levels. Zero-initialise, build, deinit. Threads: separate objects may
// be built in parallel.
#pragma once
#include "engine/layout/partition.h"
#include "shaders/shared/flat_types.h"

enum { MC_STRIPS_MOST_ROWS = 256 };

// What strips are made of. Columns are over a tree's entries.
typedef struct mc_strip_source {
    mc_partition_tree tree;
    uint32_t root;        // entry; its level is row 0
    uint32_t level_count; // from the root's on
    const mc_interval *intervals;
    const uint32_t *colors; // RGBA8, R in the lowest byte, sRGB-encoded, not multiplied by alpha
    // On the way from other intervals and colours, of the same entries: `blend` 0 to 1. NULL: not.
    const mc_interval *from_intervals;
    const uint32_t *from_colors;
    double blend;
    mc_interval view; // what of the root's interval is the whole of the strips
    uint32_t form;    // MC_FLAT_*: the rows of a sunburst are closed
} mc_strip_source;

typedef struct mc_strips {
    uint32_t row_count, texel_count;
    uint32_t form; // MC_FLAT_*
    uint32_t levels_per_row;
    float *sums;   // per row MC_FLAT_SUM_COUNT times four floats: times alpha, linear light
    float *spans;  // per row texel_count times from, to along the row; from = to: nothing is there
    float *covers; // scratch, of one row
    size_t sum_capacity, span_capacity, cover_capacity;
} mc_strips;

// The number of texels for a row of at most `length` pixels, in a sunburst or not. Where rows are
// straight, one per pixel is exact, and fewer would leave pixels without one.
uint32_t mc_strips_choose_texels(double length, bool is_round);

// O(entries of the levels + texels). On failure `strips` is as it was or empty.
mc_result mc_strips_build(mc_strips *strips, const mc_strip_source *source, uint32_t texel_count,
                          mc_error *error);
void mc_strips_deinit(mc_strips *strips);

// How many texels of sums and of spans there are.
static inline uint32_t mc_strips_get_sum_count(const mc_strips *strips) {
    return strips->row_count * MC_FLAT_SUM_COUNT(strips->form, strips->texel_count);
}
static inline uint32_t mc_strips_get_span_count(const mc_strips *strips) {
    return strips->row_count * strips->texel_count;
}

// The mean colour of a row from `from` to `to` (from < to), as the shader finds it: four floats,
// multiplied by alpha, linear light. The CPU reference of flat.frag.
void mc_strips_get_mean(const mc_strips *strips, uint32_t row, double from, double to,
                        float color[4]);
