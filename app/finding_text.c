#include "app/finding_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pace_text.h"
#include "app/root_path_text.h"
#include "app/subject_text.h"
#include "app/unit_text.h"
#include "engine/analyze/class_names.h"
#include <inttypes.h>
#include <string.h>

static const mc_metric_info *get_unit(const mc_finding *f) {
    return mc_trace_get_metric(f->trace, f->causes->unit);
}

static bool is_short(const mc_finding *f) {
    return f->causes->suspects.is_short;
}

// ---- what

// "(overhead of malloc)": what no line allocated.
static bool is_of_none(const mc_trace *trace, uint32_t node) {
    return mc_trace_get_string(trace, mc_trace_get_nodes(trace)->name[node], NULL)[0] == '(';
}

bool mc_finding_append_subject(const mc_trace *trace, uint32_t node, mc_text *out) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    bool is_heap = mc_subject_is_heap(trace);
    if (is_heap) node = mc_subject_find_site(trace, node);
    if (node == 0 && is_heap) {
        mc_text_append_string(out, "The heap");
        return false;
    }
    bool is_site = is_heap && mc_subject_has_role(trace, node, "site") && !is_of_none(trace, node);
    if (is_site) {
        uint32_t parent = nodes->parent[node];
        if (mc_subject_has_role(trace, parent, "type")) {
            mc_node_append_name_line(trace, parent, out);
            mc_text_append_string(out, " objects allocated at ");
        } else {
            mc_text_append_string(out, "Objects allocated at ");
        }
    }
    mc_node_append_name_line(trace, node, out);
    if (nodes->level[node] > 1 && mc_subject_is_resident_memory(trace)) {
        mc_text_append_string(out, " (");
        mc_node_append_name_line(trace, nodes->parent[node], out);
        mc_text_append_string(out, ")");
    }
    if (is_site || !is_heap || !mc_subject_has_role(trace, node, "type")) return is_site;
    mc_text_append_string(out, " objects");
    return true;
}

// ---- where

static void append_string(const mc_trace *trace, uint32_t string, mc_text *out) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    mc_format_append_line(out, text, size);
}

static bool ends_with(const mc_trace *trace, uint32_t string, const char *end) {
    size_t size, length = strlen(end);
    const char *text = mc_trace_get_string(trace, string, &size);
    return size >= length && memcmp(text + size - length, end, length) == 0;
}

// A field that a class of the program declares, which the reader knows by its name.
static bool is_program_field(const mc_trace *trace, uint32_t node, uint32_t field) {
    return field != MC_NONE && !mc_class_is_library(trace, node) &&
           !ends_with(trace, field, ".<class>") && !ends_with(trace, field, ".<loader>") &&
           !ends_with(trace, field, "[] elements");
}

// The field of the program that is the nearest to what piles up; MC_NONE: there is none.
static uint32_t find_field(const mc_trace *trace, const mc_walk *walk) {
    for (uint32_t i = mc_walk_get_found(walk); i + 1 < walk->count; i++)
        if (is_program_field(trace, walk->stops[i + 1].node, walk->stops[i].field))
            return walk->stops[i].field;
    const mc_root_path *trail = &walk->trail;
    uint32_t shown = mc_root_path_get_shown_count(trail, trace);
    for (uint32_t i = 0; i < shown; i++)
        if (is_program_field(trace, trail->hops[i].node, trail->hops[i].field))
            return trail->hops[i].field;
    return MC_NONE;
}

static void append_way(const mc_trace *trace, const mc_walk *walk, mc_text *out) {
    const mc_root_path *trail = &walk->trail;
    uint32_t field = find_field(trace, walk);
    bool is_static = trail->root_kind == MC_ROOT_STATIC && trail->root_name != MC_NONE;
    // What many fields may hold, this one holds as likely as not.
    if (trail->other_count > MC_ROOT_PATH_OTHER_COUNT) mc_text_append_string(out, ", probably");
    if (field != MC_NONE) {
        mc_text_append_string(out, " in ");
        append_string(trace, field, out);
        mc_text_append_string(out, ", held by ");
    } else {
        mc_text_append_string(out, is_static ? " in " : ", held by ");
    }
    if (is_static)
        mc_static_append_name(trace, trail->root_name, out);
    else
        mc_root_path_append_root(trail, trace, out);
}

// The container that its parts belong to.
static uint32_t find_container(const mc_trace *trace, const mc_walk *walk) {
    uint32_t at = walk->cause_index;
    while (at + 1 < walk->count) {
        at++;
        if (walk->stops[at].verdict == MC_WALK_HOLDER &&
            !mc_class_is_container_part(trace, walk->stops[at].node))
            break;
    }
    return at;
}

static void append_holder(const mc_trace *trace, const mc_walk *walk, mc_text *out) {
    uint32_t at = find_container(trace, walk);
    if (at == walk->cause_index) return;
    const mc_walk_stop *holder = &walk->stops[at];
    const mc_link *link = &holder[-1].link;
    bool is_counted = !(link->flags & MC_LINK_PARTNER_UNKNOWN);
    uint64_t count = is_counted ? link->partner_objects : 0;
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, count == 1 ? " in one " : " in ");
    mc_node_append_name_line(trace, holder->node, out);
    mc_text_append_string(out, count == 1 ? "" : " objects");
    if (holder->objects > 1)
        mc_text_format(out, " (this file does not say which of %s)",
                       mc_format_count(text, holder->objects));
}

static bool has_walk(const mc_walk *walk) {
    return walk->count > 0 && walk->cause_index != MC_NONE;
}

// ---- how fast, and since when

static void append_retained(const mc_finding *f, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    if (f->cause->retained_bytes == MC_COUNT_UNKNOWN) return;
    mc_text_format(out, "; they retain %s", mc_format_bytes(text, f->cause->retained_bytes));
}

static void append_numbers(const mc_finding *f, mc_text *out) {
    mc_step_range window = f->causes->desc.window;
    if (is_short(f)) {
        mc_format_append_growth(out, get_unit(f), f->cause->growth);
    } else {
        mc_pace_append(f->trace, window, get_unit(f), f->cause->growth_per_s, out);
    }
    mc_text_append_string(out, " since ");
    mc_finding_append_step(f->trace, is_short(f) ? window.first_step : f->cause->since_step, out);
    if (!is_short(f)) {
        mc_text_append_string(out, ", ");
        mc_format_append_growth(out, get_unit(f), f->cause->growth);
        mc_text_append_string(out, " so far");
    }
    append_retained(f, out);
    if (!is_short(f)) mc_finding_append_full(f, out);
}

// ---- the sentence

// "JavaCompiler and 205 more classes pile up together, 19 objects of each"
static void append_together(const mc_finding *f, mc_text *out) {
    const mc_walk_unit *unit = &f->cause->walk.unit;
    char text[MC_FORMAT_SIZE];
    mc_node_append_name_line(f->trace, f->cause->node, out);
    mc_text_format(out, " and %" PRIu32 " more classes pile up together, %s objects of each",
                   unit->count - 1, mc_format_count(text, (uint64_t)unit->growth));
}

// Of what looks as if it kept growing, but may do so by chance, what grew the most, rather a class
// of the program; NULL: there is none.
static const mc_suspect *find_largest_chance(const mc_finding *f) {
    const mc_suspects *suspects = &f->causes->suspects;
    const mc_suspect *found = NULL;
    bool is_library = true;
    for (uint32_t i = 0; i < suspects->chance_count; i++) {
        const mc_suspect *one = &suspects->items[suspects->count + i];
        bool one_is_library = mc_class_is_library(f->trace, one->node);
        if (found && one_is_library && !is_library) continue;
        if (found && one_is_library == is_library && one->growth <= found->growth) continue;
        found = one;
        is_library = one_is_library;
    }
    return found;
}

// "The heap keeps growing, though no group in it surely does by itself (among those that grew are
// Message objects, +2.2 MiB)"
static void append_district(const mc_finding *f, bool is_many, mc_text *out) {
    const mc_suspect *one = is_short(f) ? NULL : find_largest_chance(f);
    mc_text_append_string(out, is_short(f) ? " grew"
                               : is_many   ? " keep growing"
                                           : " keeps growing");
    if (!one) {
        mc_text_append_string(out, is_short(f) ? ", though nothing in it did by itself"
                                               : ", though nothing in it does by itself");
        return;
    }
    bool is_in = mc_nodes_is_inside(mc_trace_get_nodes(f->trace), one->node, f->cause->node);
    mc_text_format(out, ", though no group %s surely does by itself (%s that grew are ",
                   is_many ? "of them" : "in it", is_in ? "among those" : "others");
    mc_finding_append_subject(f->trace, one->node, out);
    mc_text_append_string(out, ", ");
    mc_format_append_growth(out, get_unit(f), one->growth);
    mc_text_append_string(out, ")");
}

// A list that is allocated anew, and is larger each time: as many objects as before.
static bool is_of_larger_objects(const mc_finding *f) {
    return mc_subject_is_profile(f->trace) && mc_trace_counts_objects(f->trace) &&
           f->cause->own_growth > 0 && f->cause->growth_objects <= 0;
}

// ", with those of 3 more lines": what is said of how much is of all of them.
static void append_other_lines(const mc_finding *f, mc_text *out) {
    uint32_t count = f->cause->explained_count;
    if (count > 0 && mc_causes_get_unit(f->causes, f->cause) && mc_subject_is_profile(f->trace))
        mc_text_format(out, ", with those of %" PRIu32 " more line%s", count,
                       count == 1 ? "" : "s");
}

static void append_what(const mc_finding *f, mc_text *out) {
    const mc_walk *walk = &f->cause->walk;
    bool has_children = mc_trace_get_nodes(f->trace)->child_count[f->cause->node] > 0;
    bool is_many = mc_finding_append_subject(f->trace, f->cause->node, out);
    if (has_children) {
        append_district(f, is_many, out);
        return;
    }
    bool is_larger = (has_walk(walk) && walk->end == MC_WALK_END_LARGER) || is_of_larger_objects(f);
    if (is_short(f))
        mc_text_append_string(out, is_larger ? " became larger" : " grew the most");
    else if (is_larger)
        mc_text_append_string(out, " become larger");
    else if (is_many)
        mc_text_append_string(out, " pile up");
    else
        mc_text_append_string(out,
                              mc_subject_is_heap(f->trace) && !is_of_none(f->trace, f->cause->node)
                                  ? " piles up"
                                  : " keeps growing");
    append_other_lines(f, out);
    if (mc_walk_knows_way(walk))
        append_way(f->trace, walk, out);
    else if (has_walk(walk))
        append_holder(f->trace, walk, out);
}

void mc_finding_append_sentence(const mc_finding *f, mc_text *out) {
    if (f->cause->is_unit)
        append_together(f, out);
    else
        append_what(f, out);
    mc_text_append_string(out, ": ");
    append_numbers(f, out);
    if (!f->cause->is_unit) mc_unit_append_of_cause(f->trace, f->causes, f->cause, out);
    mc_text_append_string(out, ".");
    if (!is_short(f)) return;
    mc_text_append_string(out, " ");
    mc_finding_append_short(&f->causes->suspects, f->causes->desc.window, out);
}
