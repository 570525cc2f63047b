#include "app/command.h"
#include "app/commands/methods.h"
#include "app/old_objects_text.h"
#include "app/owner_text.h"
#include "app/print/print_trace.h"
#include "app/print/print_unit.h"
#include "app/size_text.h"
#include "app/walk_text.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/trace/regroup/sliding_window.h"
#include <math.h>
#include <string.h>

#define S_PER_HOUR 3600.0

typedef struct why_options {
    const char *of, *limit;
    bool json;
} why_options;

// ---- JSON

// A text that was appended to `line`, which is empty then.
static void put_line(mc_print *print, const char *key, mc_text *line) {
    print->out->failed |= line->failed;
    mc_print_put(print, key, mc_cell_line(line));
    mc_text_clear(line);
}

// A group of the trace and a field, or null where the trace does not know them.
static mc_cell get_node_cell(const mc_why *why, uint32_t node) {
    return node == MC_NONE ? mc_cell_null() : mc_cell_node(why->trace, node);
}

static mc_cell get_string_cell(const mc_why *why, uint32_t string) {
    return string == MC_NONE ? mc_cell_null() : mc_cell_string(why->trace, string);
}

// The same from the places of its owner: each with the field by which it holds the next one.
static void put_owned_path(mc_print *print, const mc_why *why, const mc_cause *cause,
                           mc_text *line) {
    const mc_cause_owner *owner = &cause->owner;
    uint32_t count;
    const mc_owner *owners = mc_trace_get_owners(why->trace, &count);
    uint32_t root = owners[owner->hops[0].owner].root;
    const char *kind = root < MC_ROOT_COUNT ? mc_root_kind_names[root] : "several owners";
    mc_owner_append_root(&(mc_finding){why->trace, why->causes, cause, 0}, line);
    mc_print_put(print, "root",
                 MC_OBJECT({"kind", mc_cell_text(kind)}, {"text", mc_cell_line(line)}));
    mc_print_begin_list(print, "path");
    for (uint32_t i = 0; i + 1 < owner->count; i++)
        mc_print_put(
            print, NULL,
            MC_OBJECT({"key", get_node_cell(why, owners[owner->hops[i].owner].place)},
                      {"field", get_string_cell(why, owners[owner->hops[i + 1].owner].field)}));
    mc_print_end_list(print);
    mc_text_clear(line);
}

static void put_hop(mc_print *print, const mc_why *why, const char *key, const mc_cause_hop *hop) {
    uint32_t count;
    const mc_owner *owner = &mc_trace_get_owners(why->trace, &count)[hop->owner];
    mc_print_put(print, key,
                 MC_OBJECT({"field", get_string_cell(why, owner->field)},
                           {"class", get_string_cell(why, owner->class)},
                           {"objects", mc_cell_count(hop->objects)},
                           {"retained_bytes", mc_cell_count(hop->retained_bytes)}));
}

// Where it accumulates: from the root's place to what piles up, and what else keeps it alive.
static void put_owner(mc_print *print, const mc_why *why, const mc_cause *cause, mc_text *line) {
    static const char *const kinds[] = {"many", "large", "scattered"};
    const mc_cause_owner *owner = &cause->owner;
    if (!owner->hops) {
        MC_PRINT(print, {"owner", mc_cell_null()});
        return;
    }
    mc_print_begin_object(print, "owner");
    MC_PRINT(print, {"kind", mc_cell_text(kinds[owner->kind])});
    mc_owner_append_root(&(mc_finding){why->trace, why->causes, cause, 0}, line);
    put_line(print, "root", line);
    mc_print_begin_list(print, "path");
    for (uint32_t i = 0; i < owner->count; i++)
        put_hop(print, why, NULL, &owner->hops[i]);
    mc_print_end_list(print);
    put_hop(print, why, "content", &owner->hops[owner->count - 1]);
    mc_print_begin_list(print, "in_it");
    for (uint32_t i = 0; i < owner->below_count; i++)
        put_hop(print, why, NULL, &owner->below[i]);
    mc_print_end_list(print);
    mc_print_begin_list(print, "shared_by");
    for (uint32_t i = 0; i < owner->sharers.count; i++) {
        mc_owner_append_sharer(why->trace, &owner->sharers.items[i], line);
        mc_print_put(print, NULL,
                     MC_OBJECT({"root", mc_cell_line(line)},
                               {"field", get_string_cell(why, owner->sharers.items[i].field)},
                               {"references", mc_cell_count(owner->sharers.items[i].references)}));
        mc_text_clear(line);
    }
    mc_print_end_list(print);
    mc_print_end_object(print);
}

// From the root down: each group with the field by which it holds the next one.
static void put_path(mc_print *print, const mc_why *why, const mc_cause *cause, mc_text *line) {
    if (cause->owner.hops) {
        put_owned_path(print, why, cause, line);
        return;
    }
    const mc_root_path *trail = &cause->walk.trail;
    mc_why_hop hops[MC_WHY_MOST_HOPS];
    bool is_known = mc_walk_knows_way(&cause->walk);
    uint32_t count = mc_why_get_path(&cause->walk, hops);
    if (is_known) mc_why_append_root(why, trail, line);
    mc_cell root = MC_OBJECT({"kind", mc_cell_text(mc_root_kind_names[trail->root_kind])},
                             {"text", mc_cell_line(line)});
    mc_print_put(print, "root", is_known ? root : mc_cell_null());
    mc_print_begin_list(print, "path");
    for (uint32_t i = 0; i < count; i++)
        mc_print_put(print, NULL,
                     MC_OBJECT({"key", mc_cell_node(why->trace, hops[i].node)},
                               {"field", mc_cell_string(why->trace, hops[i].field)}));
    mc_print_end_list(print);
    mc_text_clear(line);
}

// In bytes where the trace counts them, else in the metric that was asked for, which is named then.
static void put_growth(mc_print *print, const mc_why *why, const mc_cause *cause) {
    bool has_bytes = why->causes->unit == MC_METRIC_BYTES;
    MC_PRINT(print, {"growth_objects", mc_cell_number(cause->growth_objects)},
             {"growth_bytes", has_bytes ? mc_cell_number(cause->growth) : mc_cell_null()},
             {"bytes_per_hour", mc_cell_exact(has_bytes ? cause->growth_per_s * S_PER_HOUR : NAN)},
             {"bytes_per_hour_low",
              mc_cell_exact(has_bytes ? cause->growth_per_s_low * S_PER_HOUR : NAN)},
             {"bytes_per_hour_high",
              mc_cell_exact(has_bytes ? cause->growth_per_s_high * S_PER_HOUR : NAN)},
             {"own_growth_bytes", mc_cell_if(has_bytes, mc_cell_number(cause->own_growth))},
             {"retained_bytes", mc_cell_count(cause->retained_bytes)});
}

static void put_explained(mc_print *print, const mc_why *why, const mc_cause *cause) {
    mc_print_begin_list(print, "explains");
    for (uint32_t i = 0; i < cause->explained_count; i++)
        mc_print_put(print, NULL,
                     MC_OBJECT({"key", mc_cell_node(why->trace, cause->explained[i].node)},
                               {"share", mc_cell_share(cause->explained[i].share)}));
    mc_print_end_list(print);
}

static void put_new_roots(mc_print *print, const mc_why *why, const mc_cause *cause) {
    mc_print_begin_list(print, "roots_since_then");
    for (uint32_t i = 0; i < cause->root_count; i++)
        mc_print_put(print, NULL,
                     MC_OBJECT({"kind", mc_cell_text(mc_root_kind_names[cause->roots[i].kind])},
                               {"text", mc_cell_string(why->trace, cause->roots[i].name)}));
    mc_print_end_list(print);
}

static void put_cause(mc_print *print, const mc_why *why, const mc_cause *cause, mc_text *line) {
    mc_print_break(print);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"key", mc_cell_node(why->trace, cause->node)});
    mc_why_append_sentence(why, cause, line);
    put_line(print, "sentence", line);
    put_path(print, why, cause, line);
    put_owner(print, why, cause, line);
    MC_PRINT(print, {"since_step", mc_cell_count(cause->since_step)},
             {"since_early", mc_cell_count(cause->since_early)},
             {"since_late", mc_cell_count(cause->since_late)},
             {"since_is_change", mc_cell_bool(cause->change.is_found)},
             {"since_confidence", mc_cell_decimal(cause->change.confidence, 6)});
    put_growth(print, why, cause);
    mc_print_unit(print, "unit", why->trace, why->causes->desc.window, &why->causes->units,
                  mc_causes_get_unit(why->causes, cause));
    put_explained(print, why, cause);
    mc_print_nodes(print, "begun_then", why->trace, cause->begun, cause->begun_count);
    mc_print_nodes(print, "holders_since_then", why->trace, cause->referrers,
                   cause->referrer_count);
    put_new_roots(print, why, cause);
    mc_print_end_object(print);
}

static void put_standing(mc_print *print, const mc_why *why, const mc_suspect_reason *standing,
                         mc_text *line) {
    bool has_steps = standing->trend.growth.kind != MC_GROWTH_NONE;
    uint32_t cause = standing->cause ? standing->cause->node : MC_NONE;
    mc_print_break(print);
    mc_print_begin_object(print, "of");
    MC_PRINT(print, {"key", mc_cell_node(why->trace, standing->node)},
             {"state", mc_cell_text(mc_suspect_reason_names[standing->kind])});
    mc_why_append_suspect_reason(why, standing, line);
    put_line(print, "sentence", line);
    mc_why_append_shared(why, standing, line);
    if (line->size > 0) put_line(print, "shared", line);
    MC_PRINT(print, {"cause", mc_cell_node(why->trace, cause)},
             {"since_step", mc_cell_if(has_steps, mc_cell_count(standing->since_step))},
             {"until_step", mc_cell_if(has_steps, mc_cell_count(standing->until_step))});
    mc_print_end_object(print);
}

static void put_limit(mc_print *print, const mc_why *why) {
    const mc_causes *causes = why->causes;
    if (why->limit == 0 || causes->unit != MC_METRIC_BYTES) return;
    double left = mc_causes_get_seconds_left(causes, why->limit);
    MC_PRINT(print, {"limit_bytes", mc_cell_count(why->limit)},
             {"full_in_s", mc_cell_exact(causes->count > 0 && left >= 0 ? left : INFINITY)});
}

static void put_old_objects(mc_print *print, const mc_why *why, mc_text *line) {
    const mc_old_objects *old = &why->causes->old_objects;
    uint32_t count;
    const mc_retaining_path *paths = mc_trace_get_paths(why->trace, &count);
    if (!mc_old_objects_is_told(why->causes)) return;
    mc_print_begin_object(print, "old_objects");
    MC_PRINT(print, {"sampled", mc_cell_count(old->sampled)}, {"held", mc_cell_count(old->held)},
             {"clear", mc_cell_bool(old->is_clear)});
    mc_old_objects_append_root(why->trace, why->causes, line);
    mc_print_put(print, "root", mc_cell_if(old->hop_count > 0, mc_cell_line(line)));
    mc_text_clear(line);
    mc_print_begin_list(print, "path");
    for (uint32_t i = 0; i < old->hop_count; i++)
        mc_print_put(print, NULL,
                     MC_OBJECT({"field", get_string_cell(why, paths[old->hops[i]].field)},
                               {"class", get_string_cell(why, paths[old->hops[i]].class)}));
    mc_print_end_list(print);
    MC_PRINT(print, {"heap_growth_bytes", mc_cell_number(old->growth)},
             {"heap_bytes_per_hour", mc_cell_exact(old->growth_per_s * S_PER_HOUR)});
    mc_print_end_object(print);
}

// `standing`: of the group that was asked for: then only its cause is told; NULL: all are.
static void put_why(mc_print *print, const mc_why *why, const mc_suspect_reason *standing) {
    const mc_causes *causes = why->causes;
    mc_text line = {0};
    const mc_heap_verdict verdict = mc_suspects_get_verdict(&causes->suspects);
    MC_PRINT(print, {"verdict", mc_cell_text(mc_heap_verdict_names[verdict])});
    mc_why_append_headline(why, &line);
    put_line(print, "sentence", &line);
    MC_PRINT(print,
             {"metric", mc_cell_metric(mc_trace_get_metric(why->trace, causes->desc.metric))},
             {"first_step", mc_cell_count(causes->desc.window.first_step)},
             {"last_step", mc_cell_count(causes->desc.window.last_step)});
    const char *thrower = mc_why_get_thrower(why);
    if (thrower) MC_PRINT(print, {"thrown", mc_cell_text(thrower)});
    put_limit(print, why);
    put_old_objects(print, why, &line);
    if (standing) put_standing(print, why, standing, &line);
    mc_print_break(print);
    mc_print_begin_list(print, "causes");
    for (uint32_t i = 0; i < causes->count; i++) {
        const mc_cause *cause = &causes->items[i];
        if (standing && (!standing->cause || standing->cause != cause)) continue;
        put_cause(print, why, cause, &line);
    }
    mc_print_end_list(print);
    MC_PRINT(print, {"left_out", mc_cell_count(causes->left_out_count)});
    mc_text_deinit(&line);
}

// ---- the command

static void write_text(const mc_why *why, const mc_suspect_reason *standing, mc_text *out) {
    if (!standing) {
        mc_why_append_text(why, out);
        return;
    }
    mc_text shared = {0};
    bool is_itself = standing->kind == MC_SUSPECT_REASON_CAUSE;
    if (!is_itself) mc_why_append_suspect_reason(why, standing, out);
    if (!is_itself) mc_text_append_string(out, standing->cause ? "\n\n" : "\n");
    if (standing->cause) mc_why_append_cause(why, standing->cause, out);
    mc_why_append_shared(why, standing, &shared);
    if (shared.size > 0) mc_text_format(out, "\n%s\n", mc_text_get(&shared));
    out->failed |= shared.failed;
    mc_text_deinit(&shared);
}

static int print(const mc_why *why, uint32_t node, bool json) {
    mc_suspect_reason standing;
    mc_error error = {0};
    mc_text out = {0};
    bool is_asked = node != MC_NONE;
    if (is_asked &&
        mc_suspect_reason_find(why->trace, why->causes, node, &standing, &error) != MC_OK)
        return mc_command_fail(&error);
    mc_print print = mc_print_to(&out, json, false);
    mc_print_begin_object(&print, NULL);
    if (json)
        put_why(&print, why, is_asked ? &standing : NULL);
    else
        write_text(why, is_asked ? &standing : NULL, &out);
    mc_print_incomplete(&print, why->trace, why->causes->desc.window.first_step,
                        why->causes->desc.window.last_step);
    mc_print_end_object(&print);
    mc_print_end(&print);
    return mc_command_print(&out);
}

static int run(const mc_trace *trace, const mc_layout_options *layout, const why_options *options,
               uint64_t limit) {
    mc_city_desc city;
    uint32_t node = MC_NONE;
    int code = mc_command_get_city_desc(layout, trace, &city);
    if (code == MC_EXIT_OK && options->of)
        code = mc_command_find_node(trace, "--of", options->of, &node);
    if (code != MC_EXIT_OK) return code;
    mc_causes causes = {0};
    mc_causes_desc desc = {.metric = city.metric, .window = city.window};
    mc_error error = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "looking for causes");
    mc_result result = mc_causes_find(trace, &desc, &progress, &causes, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (limit == 0) limit = mc_why_get_limit(trace, city.window);
    mc_why why = {.trace = trace, .causes = &causes, .limit = limit};
    code = result == MC_OK ? print(&why, node, options->json) : mc_command_fail(&error);
    if (code == MC_EXIT_OK && causes.largest.count > 0 && node != MC_NONE && !options->json)
        mc_message_say("memcity walk --from says who holds it");
    mc_causes_deinit(&causes);
    return code;
}

int mc_command_why(int argc, const char **argv) {
    why_options options = {0};
    uint32_t path_count;
    uint64_t limit = 0;
    int code;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    mc_option_list list = {0};
    list.examples = "memcity why shop.mct\nmemcity why before.hprof after.hprof --limit 512m";
    mc_option_list_add_string(
        &list, "of", &options.of, "KEY",
        "full key of one group to explain: its cause, or why it is no suspect");
    mc_option_list_add_string(&list, "limit", &options.limit, "SIZE",
                              "maximum heap size, as in -Xmx (512m, 2g), to predict when it is "
                              "full (the limit that `record` stored)");
    mc_option_list_add_metric(&list, &layout);
    mc_option_list_add_window(&list, &layout,
                              "time window: growth from step A to step B, counted from 0");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(
            &list,
            "memcity why TRACE… [--of KEY] [--limit SIZE] [--window A:B] "
            "[--metric NAME] [--json]",
            "Explains why the heap grows, cause by cause, or reports that nothing keeps growing: "
            "what\naccumulates and what keeps it alive, since when, how fast, when the heap will "
            "be full, and what\nelse began then. One sentence, then the evidence.",
            argc, argv, &path_count, &code))
        return code;
    if (options.limit && !mc_size_parse(options.limit, &limit))
        return mc_command_wrong_usage("--limit: expected a size as 512m, 2g or 1.5GiB, not \"%s\"",
                                      options.limit);
    mc_trace *trace = NULL;
    input.groups_as_usual = true;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK && mc_trace_get_frame_ms(trace) > 0)
        code = mc_command_refuse_methods("why");
    else if (code == MC_EXIT_OK)
        code = run(trace, &layout, &options, limit);
    mc_trace_destroy(trace);
    return code;
}
