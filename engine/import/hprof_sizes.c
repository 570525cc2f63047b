#include "engine/import/hprof_sizes.h"

#include <string.h>

#define PADDING_SIZE 128 // -XX:ContendedPaddingWidth

uint32_t mc_hprof_list_models(uint32_t id_size, mc_hprof_model *models) {
    // References and class pointers at full width; compressed; compressed class pointers only (ZGC,
    // heaps over 32 GB); and both headers in one word (JDK 24).
    static const mc_hprof_model wide[] = {{8, 16, 24, true},  {4, 12, 16, true}, {8, 12, 16, true},
                                          {4, 8, 12, true},   {8, 8, 12, true},  {8, 16, 24, false},
                                          {4, 12, 16, false}, {8, 12, 16, false}};
    static const mc_hprof_model narrow[] = {{4, 8, 12, true}, {4, 8, 12, false}};
    uint32_t count = id_size == 8 ? sizeof wide / sizeof *wide : sizeof narrow / sizeof *narrow;
    memcpy(models, id_size == 8 ? wide : narrow, count * sizeof *models);
    return count;
}

mc_hprof_layout mc_hprof_layout_begin(const mc_hprof_model *model) {
    return (mc_hprof_layout){.end = model->header_size};
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
    if (count == 0) return;
    uint32_t at = (uint32_t)mc_hprof_align(layout->end, width);
    add_gap(layout, layout->end, at - layout->end);
    layout->end = at + width * count;
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

void mc_hprof_layout_add(mc_hprof_layout *layout, const mc_hprof_model *model,
                         const mc_hprof_field_counts *fields) {
    if (!model->is_packed) {
        if (fields->of_8 + fields->of_4 + fields->of_2 + fields->of_1 + fields->references > 0)
            add_unpacked(layout, model, fields);
        return;
    }
    place_fields(layout, 8, fields->of_8);
    place_fields(layout, 4, fields->of_4);
    place_fields(layout, 2, fields->of_2);
    place_fields(layout, 1, fields->of_1);
    place_fields(layout, model->reference_size, fields->references);
}

uint32_t mc_hprof_measure_statics(const mc_hprof_model *model,
                                  const mc_hprof_field_counts *fields) {
    uint32_t size = model->reference_size * fields->references;
    if (fields->of_8 > 0) size = (uint32_t)mc_hprof_align(size, 8); // and this gap stays
    return size + 8 * fields->of_8 + 4 * fields->of_4 + 2 * fields->of_2 + fields->of_1;
}

void mc_hprof_layout_add_padding(mc_hprof_layout *layout) {
    // Subclasses begin where the next object could.
    layout->end = (uint32_t)mc_hprof_align(layout->end + PADDING_SIZE, 8);
    layout->gap_count = 0;
}

static bool is_named(const char *name, size_t size, const char *expected) {
    return strlen(expected) == size && memcmp(name, expected, size) == 0;
}

// Facts of javaClasses.hpp in OpenJDK 17.
mc_hprof_field_counts mc_hprof_get_injected_fields(const char *name, size_t size) {
    static const struct {
        const char *name;
        mc_hprof_field_counts fields;
    } injected[] = {
        {"java/lang/Class", {.of_8 = 2, .of_4 = 2, .references = 3}},
        {"java/lang/ClassLoader", {.of_8 = 1}},
        {"java/lang/Module", {.of_8 = 1}},
        {"java/lang/String", {.of_1 = 1}},
        {"java/lang/StackFrameInfo", {.of_2 = 1}},
        {"java/lang/invoke/MemberName", {.of_8 = 1}},
        {"java/lang/invoke/ResolvedMethodName", {.of_8 = 1, .references = 1}},
        {"java/lang/invoke/MethodHandleNatives$CallSiteContext", {.of_8 = 2}},
    };
    for (size_t i = 0; name && i < sizeof injected / sizeof *injected; i++)
        if (is_named(name, size, injected[i].name)) return injected[i].fields;
    return (mc_hprof_field_counts){0};
}

mc_hprof_padding mc_hprof_get_padding(const char *name, size_t size) {
    static const char package[] = "java/util/concurrent/";
    static const char *const padded[] = {"ConcurrentHashMap$CounterCell", "atomic/Striped64$Cell",
                                         "ForkJoinPool$WorkQueue", "Exchanger$Node",
                                         "SubmissionPublisher$BufferedSubscription"};
    if (!name) return MC_HPROF_PADDING_NONE;
    if (is_named(name, size, "java/lang/Thread")) return MC_HPROF_PADDING_GROUP;
    const size_t prefix = sizeof package - 1;
    if (size < prefix || memcmp(name, package, prefix) != 0) return MC_HPROF_PADDING_NONE;
    for (size_t i = 0; i < sizeof padded / sizeof *padded; i++)
        if (is_named(name + prefix, size - prefix, padded[i])) return MC_HPROF_PADDING_CLASS;
    return MC_HPROF_PADDING_NONE;
}
