#include "engine/tree/strips.h"

#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

enum { LEAST_TEXELS = 64, MOST_TEXELS = 32768 };

// sRGB bytes in linear light.
typedef struct decoding {
    float linear[256];
} decoding;

static void fill_decoding(decoding *table) {
    for (int i = 0; i < 256; i++) {
        double c = i / 255.0;
        table->linear[i] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
}

void mc_strips_deinit(mc_strips *strips) {
    mc_free(strips->sums);
    mc_free(strips->spans);
    mc_free(strips->covers);
    memset(strips, 0, sizeof *strips);
}

uint32_t mc_strips_choose_texels(double length, bool is_round) {
    // The pixels of a ring lie anywhere on it; with four texels or more each, what is off is less
    // than can be seen. No pixel of a straight row may fall between two texels' edges.
    double wanted = is_round ? exp2(ceil(log2(fmax(length, 1) * 4))) : ceil(length);
    if (wanted > MOST_TEXELS) return MOST_TEXELS;
    return wanted > LEAST_TEXELS ? (uint32_t)wanted
           : is_round            ? LEAST_TEXELS
                                 : (uint32_t)fmax(wanted, 1);
}

static void decode(const decoding *table, uint32_t color, float weight, float out[4]) {
    float alpha = (float)(color >> 24) * (1.0f / 255.0f) * weight;
    out[0] = table->linear[color & 255] * alpha;
    out[1] = table->linear[color >> 8 & 255] * alpha;
    out[2] = table->linear[color >> 16 & 255] * alpha;
    out[3] = alpha;
}

static void add(float *texel, const float color[4], float cover) {
    for (int c = 0; c < 4; c++)
        texel[c] += color[c] * cover;
}

typedef struct row_builder {
    const mc_strip_source *source;
    const decoding *table;
    float *sums, *spans; // of the row
    float *most;         // per texel: how much of it its span's node covers
    double texel_count;
    double scale, shift; // from shares of the root to texels: (share - shift) * scale
    float weight;        // of each level
    bool has_spans;
} row_builder;

static mc_interval get_interval(const row_builder *b, uint32_t entry) {
    const mc_strip_source *source = b->source;
    mc_interval now = source->intervals[entry];
    if (source->from_intervals) {
        mc_interval before = source->from_intervals[entry];
        now.from = before.from + (now.from - before.from) * source->blend;
        now.to = before.to + (now.to - before.to) * source->blend;
    }
    return (mc_interval){(now.from - b->shift) * b->scale, (now.to - b->shift) * b->scale};
}

static void get_color(const row_builder *b, uint32_t entry, float color[4]) {
    const mc_strip_source *source = b->source;
    decode(b->table, source->colors[entry], b->weight, color);
    if (!source->from_colors || source->from_colors[entry] == source->colors[entry]) return;
    float before[4], blend = (float)source->blend;
    decode(b->table, source->from_colors[entry], b->weight, before);
    for (int c = 0; c < 4; c++)
        color[c] = before[c] + (color[c] - before[c]) * blend;
}

// A texel knows of the node that covers the most of it.
static void set_span(const row_builder *b, uint32_t texel, mc_interval span, float cover) {
    if (!b->has_spans || cover <= b->most[texel]) return;
    b->most[texel] = cover;
    b->spans[texel * 2] = (float)(span.from / b->texel_count);
    b->spans[texel * 2 + 1] = (float)(span.to / b->texel_count);
}

static void add_node(const row_builder *b, uint32_t entry) {
    mc_interval span = get_interval(b, entry);
    double from = span.from > 0 ? span.from : 0;
    double to = span.to < b->texel_count ? span.to : b->texel_count;
    if (!(from < to)) return;
    float color[4];
    get_color(b, entry, color);
    uint32_t first = (uint32_t)from, last = (uint32_t)to;
    if (first == last) {
        add(b->sums + (size_t)first * 4, color, (float)(to - from));
        set_span(b, first, span, (float)(to - from));
        return;
    }
    double head = first + 1 - from, tail = to - last;
    add(b->sums + (size_t)first * 4, color, (float)head);
    set_span(b, first, span, (float)head);
    for (uint32_t i = first + 1; i < last; i++) {
        add(b->sums + (size_t)i * 4, color, 1);
        set_span(b, i, span, 1);
    }
    if (tail <= 0) return;
    add(b->sums + (size_t)last * 4, color, (float)tail);
    set_span(b, last, span, (float)tail);
}

// From what covers each texel to sums up to it, the first one 0. Where entries overlap for a moment
// (on the way to another order), their mean covers the texel. `sums` begins with the padding.
static void sum_up(float *sums, uint32_t pad, uint32_t texel_count) {
    double sum[4] = {0};
    for (uint32_t i = 0; i < texel_count; i++) {
        float *texel = sums + ((size_t)pad + i) * 4, cover[4];
        memcpy(cover, texel, sizeof cover);
        float most = cover[3] > 1 ? 1 / cover[3] : 1;
        for (int c = 0; c < 4; c++) {
            texel[c] = (float)sum[c];
            sum[c] += (double)(cover[c] * most);
        }
    }
    float whole[4] = {(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
    float *end = sums + ((size_t)pad + texel_count) * 4;
    const float *begin = sums + (size_t)pad * 4;
    // A ring goes on; a straight row has nothing more, and a second end to read beyond the first.
    for (uint32_t i = 0; i < pad + 2; i++)
        for (int c = 0; c < 4; c++)
            end[i * 4 + (uint32_t)c] = whole[c] + (pad > 0 ? begin[i * 4 + (uint32_t)c] : 0);
    for (uint32_t i = 0; i < pad; i++)
        for (int c = 0; c < 4; c++)
            sums[i * 4 + (uint32_t)c] =
                sums[((size_t)texel_count + i) * 4 + (uint32_t)c] - whole[c];
}

static bool reserve(mc_strips *strips, uint32_t form, uint32_t rows, uint32_t texels) {
    size_t sum_count = MC_FLAT_SUM_COUNT(form, texels);
    return mc_reserve(&strips->sums, &strips->sum_capacity, sum_count * 4 * rows,
                      sizeof *strips->sums) &&
           mc_reserve(&strips->spans, &strips->span_capacity, (size_t)texels * 2 * rows,
                      sizeof *strips->spans) &&
           mc_reserve(&strips->covers, &strips->cover_capacity, texels, sizeof *strips->covers);
}

mc_result mc_strips_build(mc_strips *strips, const mc_strip_source *source, uint32_t texel_count,
                          mc_error *error) {
    uint32_t levels = source->level_count > 0 ? source->level_count : 1;
    uint32_t levels_per_row = (levels - 1) / MC_STRIPS_MOST_ROWS + 1;
    uint32_t rows = (levels - 1) / levels_per_row + 1;
    if (!reserve(strips, source->form, rows, texel_count)) return mc_error_out_of_memory(error);
    strips->row_count = rows;
    strips->texel_count = texel_count;
    strips->levels_per_row = levels_per_row;
    strips->form = source->form;
    size_t sum_count = MC_FLAT_SUM_COUNT(source->form, texel_count);
    uint32_t pad = MC_FLAT_PAD(source->form, texel_count);
    memset(strips->sums, 0, sum_count * 4 * rows * sizeof *strips->sums);
    memset(strips->spans, 0, (size_t)texel_count * 2 * rows * sizeof *strips->spans);
    decoding table;
    fill_decoding(&table);
    double width = source->view.to - source->view.from;
    row_builder builder = {.source = source,
                           .table = &table,
                           .most = strips->covers,
                           .texel_count = texel_count,
                           .scale = width > 0 ? texel_count / width : 0,
                           .shift = source->view.from,
                           .weight = 1 / (float)levels_per_row,
                           .has_spans = levels_per_row == 1};
    mc_node_span span = {source->root, source->root + 1};
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t row = level / levels_per_row;
        builder.sums = strips->sums + (row * sum_count + pad) * 4;
        builder.spans = strips->spans + (size_t)row * texel_count * 2;
        memset(strips->covers, 0, texel_count * sizeof *strips->covers);
        for (uint32_t i = span.first; i < span.end; i++)
            add_node(&builder, i);
        span = mc_partition_get_children(&source->tree, span);
    }
    for (uint32_t row = 0; row < rows; row++)
        sum_up(strips->sums + row * sum_count * 4, pad, texel_count);
    return MC_OK;
}

void mc_strips_get_mean(const mc_strips *strips, uint32_t row, double from, double to,
                        float color[4]) {
    double texels = strips->texel_count;
    bool is_round = strips->form == MC_FLAT_SUNBURST;
    size_t first = (size_t)row * MC_FLAT_SUM_COUNT(strips->form, strips->texel_count) +
                   MC_FLAT_PAD(strips->form, strips->texel_count);
    double low = floor(from * texels + 0.5), high = floor(to * texels + 0.5);
    float count = (float)fmax(high - low, 1);
    if (!is_round) {
        low = fmin(fmax(low, 0), texels);
        high = fmin(fmax(high, 0), texels);
    }
    const float *a = strips->sums + ((ptrdiff_t)first + (ptrdiff_t)low) * 4;
    const float *b = strips->sums + ((ptrdiff_t)first + (ptrdiff_t)high) * 4;
    for (int c = 0; c < 4; c++)
        color[c] = (b[c] - a[c]) / count;
}
