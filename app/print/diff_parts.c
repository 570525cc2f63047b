#include "app/print/diff_parts.h"

#include "app/format.h"
#include "app/node_text.h"
#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

#define NAMED_MAX 3 // groups in the sentence

static const mc_metric_info *get_info(const mc_diff_story *story) {
    return mc_trace_get_metric(story->desc->trace, story->desc->metric);
}

// ---- parts

static bool is_told(const mc_diff_entry *entry) {
    return entry->kind < MC_DIFF_KIND_SAME;
}

// Of whom nobody knows how much there is, but that one side alone has it, that side decides.
static bool is_shrunk(const mc_diff_entry *entry) {
    return entry->difference < 0 || (entry->difference == 0 && entry->kind == MC_DIFF_KIND_GONE);
}

// An array of the program's own objects is the program's.
static bool is_own_array(const mc_trace *trace, const uint8_t *is_library, uint32_t node) {
    static const char *const primitives[] = {"boolean", "byte", "char",  "short",
                                             "int",     "long", "float", "double"};
    size_t size;
    const char *name = mc_trace_get_name(trace, node, &size);
    uint32_t parent = mc_trace_get_nodes(trace)->parent[node];
    if (parent != MC_NONE && is_library[parent]) return false;
    while (size > 2 && memcmp(name + size - 2, "[]", 2) == 0)
        size -= 2;
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (size == strlen(primitives[i]) && memcmp(name, primitives[i], size) == 0) return false;
    return !mc_class_is_library_of(trace, name, size);
}

static void tell_apart(mc_diff_parts *self) {
    const mc_trace *trace = self->story->desc->trace;
    const mc_diff *diff = self->story->diff;
    bool is_any[2] = {false, false};
    mc_class_find_libraries(trace, self->is_library);
    for (uint32_t i = 0; i < diff->count; i++) {
        const uint32_t node = diff->entries[i].node;
        if (self->is_library[node] && is_own_array(trace, self->is_library, node))
            self->is_library[node] = 0;
        if (is_told(&diff->entries[i])) is_any[self->is_library[node]] = true;
    }
    self->is_told_apart = is_any[0] && is_any[1];
}

bool mc_diff_parts_init(mc_diff_parts *self, const mc_diff_story *story) {
    *self = (mc_diff_parts){.story = story};
    self->is_library = mc_alloc_zero(mc_trace_get_nodes(story->desc->trace)->count, 1);
    if (!self->is_library) return false;
    tell_apart(self);
    return true;
}

void mc_diff_parts_deinit(mc_diff_parts *self) {
    mc_free(self->is_library);
    *self = (mc_diff_parts){NULL, NULL, false};
}

bool mc_diff_parts_has(const mc_diff_parts *self, uint32_t part, const mc_diff_entry *entry) {
    const bool is_library = self->is_told_apart && self->is_library[entry->node];
    return is_told(entry) && is_shrunk(entry) == (part >= 2) && is_library == (part % 2 == 1);
}

uint32_t mc_diff_parts_count(const mc_diff_parts *self, uint32_t part) {
    const mc_diff *diff = self->story->diff;
    uint32_t count = 0;
    for (uint32_t i = 0; i < diff->count; i++)
        count += mc_diff_parts_has(self, part, &diff->entries[i]);
    return count;
}

void mc_diff_parts_append_heading(const mc_diff_parts *self, uint32_t part, mc_text *out) {
    const mc_diff *diff = self->story->diff;
    const uint32_t count = mc_diff_parts_count(self, part);
    uint32_t marked = 0;
    char text[MC_FORMAT_SIZE];
    for (uint32_t i = 0; i < diff->count; i++)
        marked += diff->entries[i].state != MC_DIFF_BOTH &&
                  mc_diff_parts_has(self, part, &diff->entries[i]);
    mc_text_format(out, "%s%s: %s", part >= 2 ? "Shrank" : "Grew",
                   part % 2 == 1 ? " in the language's library" : "",
                   mc_format_counted(text, count, "group"));
    if (marked > 0)
        mc_text_format(out, ", %s %s", mc_format_count(text, marked), part >= 2 ? "gone" : "new");
}

// ---- the result in a sentence

static const char *get_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// By their names, as short as tells them apart.
static void append_name(const mc_diff_story *story, mc_versus_side side, mc_text *out) {
    const char *const *whole = story->names;
    const char *last[] = {get_last_part(whole[MC_BEFORE]), get_last_part(whole[MC_AFTER])};
    const char *const *names = strcmp(last[MC_BEFORE], last[MC_AFTER]) == 0 ? whole : last;
    if (strcmp(names[MC_BEFORE], names[MC_AFTER]) == 0)
        mc_text_append_string(out, side == MC_BEFORE ? "BEFORE" : "AFTER");
    else
        mc_format_append_line(out, names[side], strlen(names[side]));
}

// Without its sign, with what is counted unless the unit says enough.
static void append_amount(const mc_metric_info *info, double amount, mc_text *out) {
    mc_text text = {0};
    bool is_plain = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
    mc_format_append_rate(&text, info, fabs(amount));
    const char *shown = mc_text_get(&text);
    mc_text_append_string(out, shown + (*shown == '+'));
    if (is_plain) mc_text_append_string(out, " ");
    if (is_plain) mc_format_append_line(out, info->title, info->title_size);
    out->failed |= text.failed;
    mc_text_deinit(&text);
}

static double get_total_difference(const mc_diff_story *story) {
    const mc_metric_info *info = get_info(story);
    const mc_diff *diff = story->diff;
    if (!story->desc->is_growth)
        return mc_metric_get_number(info, diff->total[MC_AFTER]) -
               mc_metric_get_number(info, diff->total[MC_BEFORE]);
    double sum = 0;
    for (uint32_t i = 0; i < diff->count; i++)
        sum += diff->entries[i].difference;
    return sum;
}

// A class of a heap is known without its package; a method or a site needs what it is in.
static bool is_known_by_name(const mc_trace *trace, uint32_t node) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    uint32_t level = 0;
    for (; parent[node] != MC_NONE; node = parent[node])
        level++;
    return level <= 2 && mc_class_is_jvm_trace(trace);
}

static void append_named(const mc_diff_story *story, const mc_diff_entry *entry,
                         const char *between, mc_text *out) {
    mc_text_append_string(out, between);
    mc_format_append_rate(out, get_info(story), entry->difference);
    mc_text_append_string(out, " in ");
    if (is_known_by_name(story->desc->trace, entry->node))
        mc_node_append_name_line(story->desc->trace, entry->node, out);
    else
        mc_node_append_place_line(story->desc->trace, entry->node, out);
}

// What made the most of the difference, and, if none of that is the program's, the most of what is.
static void append_most(const mc_diff_parts *self, bool wants_shrunk, mc_text *out) {
    const mc_diff *diff = self->story->diff;
    uint32_t named = 0;
    bool is_own = !self->is_told_apart;
    for (uint32_t i = 0; i < diff->count && (named < NAMED_MAX || !is_own); i++) {
        const mc_diff_entry *entry = &diff->entries[i];
        if (!is_told(entry) || entry->difference == 0 || is_shrunk(entry) != wants_shrunk) continue;
        if (named >= NAMED_MAX && self->is_library[entry->node]) continue;
        if (!self->is_library[entry->node]) is_own = true;
        append_named(self->story, entry,
                     named == 0          ? ": "
                     : named < NAMED_MAX ? ", "
                                         : "; of the program's own groups most, ",
                     out);
        named++;
    }
}

static void append_counts(const mc_diff *diff, mc_text *out) {
    const uint32_t new = diff->kind_counts[MC_DIFF_KIND_NEW];
    const uint32_t gone = diff->kind_counts[MC_DIFF_KIND_GONE];
    char text[MC_FORMAT_SIZE];
    const char *before = "; ";
    if (new > 0) {
        mc_text_format(out, "%s%s", before, mc_format_counted(text, new, "new group"));
        before = ", ";
    }
    if (gone > 0) mc_text_format(out, "%s%s gone", before, mc_format_count(text, gone));
}

void mc_diff_parts_append_sentence(const mc_diff_parts *self, mc_text *out) {
    const mc_diff_story *story = self->story;
    const uint64_t *total = story->diff->total;
    const mc_metric_info *info = get_info(story);
    if (total[MC_BEFORE] == MC_COUNT_UNKNOWN || total[MC_AFTER] == MC_COUNT_UNKNOWN) return;
    const double difference = get_total_difference(story);
    append_name(story, MC_AFTER, out);
    const bool is_held = info->kind != MC_METRIC_FLOW && info->unit == MC_UNIT_BYTES;
    mc_text_append_string(out, story->desc->is_growth ? " grew by "
                               : is_held              ? " holds "
                                                      : " has ");
    if (difference != 0) append_amount(info, difference, out);
    mc_text_append_string(out, difference < 0   ? " less than "
                               : difference > 0 ? " more than "
                                                : "as much as ");
    append_name(story, MC_BEFORE, out);
    append_most(self, difference < 0, out);
    append_counts(story->diff, out);
    mc_text_append_string(out, ".");
}

void mc_diff_append_fold(const mc_fold *fold, mc_text *out) {
    if (fold->what) {
        mc_text_append_string(out, fold->what);
        return;
    }
    mc_text_append_string(out, "--fold ");
    mc_format_append_line(out, fold->pattern, strlen(fold->pattern));
    mc_text_append_string(out, "=");
    mc_format_append_line(out, fold->by, strlen(fold->by));
}
