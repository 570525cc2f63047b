#include "app/print/print_diff.h"

#include "app/format.h"
#include "app/node_text.h"
#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NAMED_MAX 3 // groups in the first sentence

// The groups are listed in parts: what grew before what shrank, the program's own before the
// language's library. What is new grew, what is gone shrank; a mark says so.
typedef struct group_part {
    bool is_shrunk, is_library;
} group_part;

typedef struct teller {
    const mc_diff_story *story;
    uint8_t *is_library; // per node of the pair
    bool is_told_apart;  // there are both
} teller;

static const mc_metric_info *get_info(const mc_diff_story *story) {
    return mc_trace_get_metric(story->desc->trace, story->desc->metric);
}

static bool is_within_most(const mc_diff_story *story, uint32_t count) {
    return story->most == 0 || count < story->most;
}

static void append_more(const mc_diff_story *story, uint32_t count, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    if (story->most > 0 && count > story->most)
        mc_text_format(out, "  and %s more\n", mc_format_count(text, count - story->most));
}

// Right-aligned; signs and dashes are more than one byte wide, and so is what is between numbers.
static void append_right(mc_text *out, const char *text, int width) {
    int letters = 0;
    for (const char *at = text; *at; at++)
        letters += ((unsigned char)*at & 0xc0) != 0x80;
    mc_text_format(out, "%*s%s  ", letters < width ? width - letters : 0, "", text);
}

static void append_difference(const mc_diff_story *story, double difference, mc_text *out) {
    mc_text text = {0};
    if (difference == 0)
        mc_text_append_string(&text, "±0");
    else
        mc_format_append_rate(&text, get_info(story), difference);
    append_right(out, text.failed ? "" : text.data, 14);
    out->failed |= text.failed;
    mc_text_deinit(&text);
}

// ---- groups

static bool is_told(const mc_diff_entry *entry) {
    return entry->kind < MC_DIFF_KIND_SAME;
}

// Of whom nobody knows how much there is, but that one side alone has it, that side decides.
static bool is_shrunk(const mc_diff_entry *entry) {
    return entry->difference < 0 || (entry->difference == 0 && entry->kind == MC_DIFF_KIND_GONE);
}

static bool is_in_part(const teller *self, const mc_diff_entry *entry, group_part part) {
    return is_told(entry) && is_shrunk(entry) == part.is_shrunk &&
           (!self->is_told_apart || (self->is_library[entry->node] != 0) == part.is_library);
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

static void tell_apart(teller *self) {
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

static void print_rows(mc_print *print, const teller *self, group_part part, bool is_any_marked) {
    const mc_diff_story *story = self->story;
    const mc_metric_info *info = get_info(story);
    const mc_trace *trace = story->desc->trace, *base = story->sides[MC_BEFORE];
    const mc_column columns[] = {
        {.heading = "difference", .before = "  ", .width = 14, .after = "  "},
        {.heading = "before", .width = 14, .after = "  "},
        {.heading = "after", .width = 14, .after = "  "},
        {.heading = "", .width = -4, .after = "  ", .unknown = "", .is_off = !is_any_marked},
        {.heading = ""},
        {.heading = "", .before = "  (was ", .after = ")"}};
    MC_PRINT_BEGIN_ROWS(print, NULL, columns);
    for (uint32_t i = 0, told = 0; i < story->diff->count && is_within_most(story, told); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        if (!is_in_part(self, entry, part)) continue;
        mc_cell was = mc_cell_node(base, mc_versus_get_node(trace, MC_BEFORE, entry->node));
        mc_cell mark = mc_cell_text(mc_diff_state_names[entry->state]);
        if (entry->state == MC_DIFF_BOTH) mark = mc_cell_text("");
        MC_PRINT_ROW(print, mc_cell_rate(info, entry->difference),
                     mc_cell_value(info, entry->value[MC_BEFORE]),
                     mc_cell_value(info, entry->value[MC_AFTER]), mark,
                     mc_cell_node(trace, entry->node), mc_cell_if(entry->is_moved, was));
        told++;
    }
    mc_print_end_rows(print);
}

static void print_part(mc_print *print, const teller *self, group_part part) {
    const mc_diff_story *story = self->story;
    uint32_t count = 0, marked = 0, shown = 0;
    bool is_any_marked = false;
    char text[MC_FORMAT_SIZE];
    for (uint32_t i = 0; i < story->diff->count; i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        if (!is_in_part(self, entry, part)) continue;
        bool is_marked = entry->state != MC_DIFF_BOTH;
        count++;
        marked += is_marked;
        if (is_within_most(story, shown++)) is_any_marked |= is_marked;
    }
    if (count == 0) return;
    mc_text_format(print->out, "\n%s%s: %s", part.is_shrunk ? "Shrank" : "Grew",
                   self->is_told_apart && part.is_library ? " in the language's library" : "",
                   mc_format_counted(text, count, "group"));
    if (marked > 0)
        mc_text_format(print->out, ", %s %s", mc_format_count(text, marked),
                       part.is_shrunk ? "gone" : "new");
    mc_text_append_string(print->out, "\n");
    print_rows(print, self, part, is_any_marked);
    append_more(story, count, print->out);
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
static void append_most(const teller *self, bool wants_shrunk, mc_text *out) {
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

// "b.mct holds 2.63 MiB more than a.mct: +821 KiB in String, ...; 3 new groups, 1 gone."
static void append_sentence(const teller *self, mc_text *out) {
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
    mc_text_append_string(out, ".\n\n");
}

// ---- the rest

static void append_moves(const mc_diff_story *story, mc_text *out) {
    uint32_t count;
    const mc_versus_move *moves = mc_versus_get_moves(story->desc->trace, &count);
    char text[MC_FORMAT_SIZE];
    if (count == 0) return;
    mc_text_append_string(out, "\nMoved or renamed\n");
    for (uint32_t i = 0; i < count && is_within_most(story, i); i++) {
        mc_text_append_string(out, "  ");
        mc_node_append_place_line(story->sides[MC_BEFORE], moves[i].before_node, out);
        mc_text_append_string(out, moves[i].is_merged ? "  was moved into  " : "  is  ");
        mc_node_append_place_line(story->desc->trace, moves[i].node, out);
        mc_text_format(out, ", %s\n", mc_format_counted(text, moves[i].leaf_count, "group"));
    }
    append_more(story, count, out);
}

static void append_folds(const mc_diff_story *story, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    bool is_any = false;
    for (uint32_t i = 0; i < story->folds->count; i++) {
        const mc_fold *fold = &story->folds->items[i];
        if (fold->count == 0) continue;
        if (!is_any) mc_text_append_string(out, "\nTaken for one name\n");
        is_any = true;
        mc_text_format(out, "  %s by ", mc_format_counted(text, fold->count, "name"));
        mc_format_append_line(out, fold->pattern, strlen(fold->pattern));
        mc_text_append_string(out, "=");
        mc_format_append_line(out, fold->by, strlen(fold->by));
        mc_text_append_string(out, "\n");
    }
}

static void append_side(const mc_diff_story *story, mc_versus_side side, mc_text *out) {
    mc_step_range window = story->desc->window[side];
    char value[MC_FORMAT_SIZE];
    const mc_metric_info *info = get_info(story);
    mc_text_append_string(out, side == MC_BEFORE ? "before  " : "after   ");
    append_right(out, mc_format_value(value, info, story->diff->total[side]), 14);
    mc_format_append_line(out, story->names[side], strlen(story->names[side]));
    if (info->kind == MC_METRIC_FLOW || story->desc->is_growth)
        mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32 "\n", window.first_step,
                       window.last_step);
    else
        mc_text_format(out, ", step %" PRIu32 "\n", window.last_step);
}

static void append_total(const mc_diff_story *story, uint32_t same, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    const uint64_t *total = story->diff->total;
    const mc_metric_info *info = get_info(story);
    double before = mc_metric_get_number(info, total[MC_BEFORE]);
    double difference = mc_metric_get_number(info, total[MC_AFTER]) - before;
    mc_text_append_string(out, "        ");
    append_difference(story, difference, out);
    mc_format_append_line(out, info->key, info->key_size);
    if (before > 0)
        mc_text_format(out, ", %s%.1f %%", difference < 0 ? "−" : "+",
                       fabs(difference / before * 100));
    mc_text_format(out, "; %s the same\n", mc_format_counted(text, same, "group"));
}

static void append_ends_line(const mc_diff_story *story, mc_text *out) {
    size_t size = out->size;
    mc_diff_append_ends(story, out);
    if (out->size > size) mc_text_append_string(out, "\n");
}

static void print_all(mc_print *print, const teller *self) {
    static const group_part parts[] = {{false, false}, {false, true}, {true, false}, {true, true}};
    const mc_diff_story *story = self->story;
    mc_text *out = print->out;
    append_sentence(self, out);
    append_side(story, MC_BEFORE, out);
    append_side(story, MC_AFTER, out);
    append_total(story, story->diff->kind_counts[MC_DIFF_KIND_SAME], out);
    append_ends_line(story, out);
    if (story->desc->is_growth)
        mc_text_append_string(out, "differences are those of growth over the steps\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (self->is_told_apart || !parts[i].is_library) print_part(print, self, parts[i]);
    append_moves(story, out);
    append_folds(story, out);
    if (story->diff->kind_counts[MC_DIFF_KIND_CHANCE] == 0) return;
    mc_text_append_string(out, "\n");
    mc_diff_append_chance(story->diff, out);
    mc_text_append_string(out, "\n");
}

void mc_diff_print_text(mc_print *print, const mc_diff_story *story) {
    teller self = {.story = story};
    self.is_library = mc_alloc_zero(mc_trace_get_nodes(story->desc->trace)->count, 1);
    print->out->failed |= !self.is_library;
    if (!self.is_library) return;
    tell_apart(&self);
    print_all(print, &self);
    mc_free(self.is_library);
}
