#include "engine/import/hprof/hprof_sizes.h"

#include <string.h>

#define PADDING_SIZE 128 // -XX:ContendedPaddingWidth

uint32_t mc_hprof_list_models(uint32_t id_size, mc_hprof_model *models) {
    // References and class pointers at full width; compressed; compressed class pointers only (ZGC,
    // heaps over 32 GB) or references only; both headers in one word (JDK 24). Since JDK 23,
    // elements of up to four bytes begin right behind an array's length.
    static const mc_hprof_model wide[] = {
        {8, 16, 24, true},  {4, 12, 16, true},  {8, 12, 16, true},  {4, 16, 24, true},
        {8, 16, 20, true},  {4, 16, 20, true},  {4, 8, 12, true},   {8, 8, 12, true},
        {8, 16, 24, false}, {4, 12, 16, false}, {8, 12, 16, false}, {4, 16, 24, false}};
    static const mc_hprof_model narrow[] = {{4, 8, 12, true}, {4, 8, 12, false}};
    uint32_t count = id_size == 8 ? sizeof wide / sizeof *wide : sizeof narrow / sizeof *narrow;
    memcpy(models, id_size == 8 ? wide : narrow, count * sizeof *models);
    return count;
}

mc_hprof_layout mc_hprof_layout_begin(const mc_hprof_model *model) {
    return (mc_hprof_layout){.end = model->header_size, .fields_end = model->header_size};
}

static void add_gap(mc_hprof_layout *layout, uint32_t begin, uint32_t size) {
    if (size == 0 || layout->gap_count == MC_HPROF_GAPS_MAX) return;
    layout->gap_begin[layout->gap_count] = begin;
    layout->gap_size[layout->gap_count++] = size;
}

static void remove_gap(mc_hprof_layout *layout, uint32_t gap) {
    layout->gap_count--;
    for (uint32_t i = gap; i < layout->gap_count; i++) {
        layout->gap_begin[i] = layout->gap_begin[i + 1];
        layout->gap_size[i] = layout->gap_size[i + 1];
    }
}

// The smallest gap that the field fits in, of equal ones the last; MC_NONE: none.
static uint32_t find_gap(const mc_hprof_layout *layout, uint32_t width) {
    uint32_t found = MC_NONE;
    for (uint32_t i = layout->gap_count; i-- > 0;) {
        uint32_t begin = (uint32_t)mc_hprof_align(layout->gap_begin[i], width);
        if (begin + width > layout->gap_begin[i] + layout->gap_size[i]) continue;
        if (found == MC_NONE || layout->gap_size[i] < layout->gap_size[found]) found = i;
    }
    return found;
}

static void append_fields(mc_hprof_layout *layout, uint32_t width, uint32_t count) {
    if (count == 0) return;
    uint32_t at = (uint32_t)mc_hprof_align(layout->end, width);
    add_gap(layout, layout->end, at - layout->end);
    layout->end = at + width * count;
}

static void place_fields(mc_hprof_layout *layout, uint32_t width, uint32_t count) {
    while (count > 0) {
        uint32_t gap = find_gap(layout, width);
        if (gap == MC_NONE) break;
        uint32_t begin = layout->gap_begin[gap], end = begin + layout->gap_size[gap];
        uint32_t at = (uint32_t)mc_hprof_align(begin, width);
        remove_gap(layout, gap);
        add_gap(layout, begin, at - begin);
        add_gap(layout, at + width, end - at - width);
        count--;
    }
    append_fields(layout, width, count);
}

// The widest first, references last. `place` says where each kind goes.
static void add_packed(mc_hprof_layout *layout, const mc_hprof_model *model,
                       const mc_hprof_field_counts *fields,
                       void (*place)(mc_hprof_layout *, uint32_t, uint32_t)) {
    place(layout, 8, fields->of_8);
    place(layout, 4, fields->of_4);
    place(layout, 2, fields->of_2);
    place(layout, 1, fields->of_1);
    place(layout, model->reference_size, fields->references);
}

// Before JDK 15: from where the superclass ends, with one gap to fill before the widest fields.
static void add_unpacked(mc_hprof_layout *layout, const mc_hprof_model *model,
                         const mc_hprof_field_counts *fields) {
    uint32_t reference_size = model->reference_size, references = fields->references;
    uint32_t of_4 = fields->of_4, of_2 = fields->of_2, of_1 = fields->of_1;
    uint32_t end = (uint32_t)mc_hprof_align(layout->end, reference_size);
    if (fields->of_8 > 0 && end % 8 != 0) {
        uint32_t begin = end;
        end = (uint32_t)mc_hprof_align(end, 8);
        for (; end - begin >= 4 && of_4 > 0; begin += 4)
            of_4--;
        for (; end - begin >= 2 && of_2 > 0; begin += 2)
            of_2--;
        for (; end - begin >= 1 && of_1 > 0; begin++)
            of_1--;
        for (; end - begin >= reference_size && references > 0; begin += reference_size)
            references--;
    }
    end += 8 * fields->of_8 + 4 * of_4 + 2 * of_2 + of_1;
    end = (uint32_t)mc_hprof_align(end, reference_size) + reference_size * references;
    layout->end = end;
}

static bool is_empty(const mc_hprof_field_counts *fields) {
    return fields->of_8 + fields->of_4 + fields->of_2 + fields->of_1 + fields->references == 0;
}

static void add_fields(mc_hprof_layout *layout, const mc_hprof_model *model,
                       const mc_hprof_field_counts *fields, bool is_appended) {
    if (is_empty(fields)) return;
    if (model->is_packed)
        add_packed(layout, model, fields, is_appended ? append_fields : place_fields);
    else
        add_unpacked(layout, model, fields);
}

static void add_padding(mc_hprof_layout *layout, const mc_hprof_model *model) {
    layout->end += PADDING_SIZE;
    if (!model->is_packed) layout->end = (uint32_t)mc_hprof_align(layout->end, 8);
}

void mc_hprof_layout_add(mc_hprof_layout *layout, const mc_hprof_model *model,
                         const mc_hprof_own_fields *fields) {
    bool has_group = !is_empty(&fields->padded);
    if (layout->is_padded && model->is_packed) {
        // Padding begins anew behind the last field, also that of a class between.
        layout->end = layout->fields_end;
        add_padding(layout, model);
    }
    bool is_appended = layout->is_padded || fields->is_padded;
    if (fields->is_padded) add_padding(layout, model);
    add_fields(layout, model, &fields->plain, is_appended);
    if (has_group) add_padding(layout, model);
    add_fields(layout, model, &fields->padded, true);
    if (is_empty(&fields->plain) && !has_group && !fields->is_padded) return;
    layout->fields_end = layout->end;
    if (has_group || fields->is_padded) add_padding(layout, model);
    layout->is_padded = layout->is_padded || has_group || fields->is_padded;
}

uint32_t mc_hprof_measure_statics(const mc_hprof_model *model,
                                  const mc_hprof_field_counts *fields) {
    uint32_t size = model->reference_size * fields->references;
    if (fields->of_8 > 0) size = (uint32_t)mc_hprof_align(size, 8); // and this gap stays
    return size + 8 * fields->of_8 + 4 * fields->of_4 + 2 * fields->of_2 + fields->of_1;
}
