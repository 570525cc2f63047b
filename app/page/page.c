#include "app/page/page.h"

#include "app/page/page_facts.h"
#include "app/page/page_links.h"
#include "app/page/page_pack.h"
#include "app/page/page_viewer.h"
#include "engine/analyze/cause_finder.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/scene/style_source.h"
#include "engine/trace/regroup/sliding_window.h"
#include "engine/trace/versus/versus.h"
#include <math.h>
#include <string.h>

#define LEAST_STEPS 8u // before buildings are left out
#define FEWEST_STEPS 2u
#define FEWEST_CHILDREN 8u
#define MOST_TRIES 24

// What one try is made of.
typedef struct draft {
    uint32_t step_count, child_limit;
    bool has_links, has_other; // references; a second metric
    mc_city *city;             // of city_limit, kept from try to try
    uint32_t city_limit;
    mc_page_report report;
    mc_text packed;           // all but the viewer
    mc_page_content *content; // the same before it was deflated; NULL: not wanted
} draft;

// ---- what is packed

static uint32_t *choose_steps(mc_step_range window, uint32_t count) {
    uint32_t *steps = mc_alloc(count, sizeof *steps), last = window.last_step - window.first_step;
    for (uint32_t i = 0; steps && i < count; i++) {
        uint64_t share = count > 1 ? ((uint64_t)last * i + (count - 1) / 2) / (count - 1) : last;
        steps[i] = window.first_step + (uint32_t)share;
    }
    return steps;
}

// The words first, their size before them, then the columns.
static mc_result pack(const mc_page_facts *facts, draft *d, mc_error *error) {
    mc_text words = {0}, whole = {0};
    mc_result result = mc_page_facts_append(facts, &words, error);
    if (result == MC_OK) {
        unsigned char size[4];
        for (int i = 0; i < 4; i++)
            size[i] = (unsigned char)(words.size >> 8 * i);
        mc_text_append(&whole, (const char *)size, sizeof size);
        mc_text_append(&whole, words.data, words.size);
        mc_text_append(&whole, facts->columns->bytes.data, facts->columns->bytes.size);
        mc_text_clear(&d->packed);
        if (whole.failed || !mc_page_deflate(whole.data, whole.size, &d->packed))
            result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK && d->content) {
        mc_page_content_deinit(d->content);
        d->content->words = words;
        words = (mc_text){.data = NULL};
    }
    mc_text_deinit(&words);
    mc_text_deinit(&whole);
    return result;
}

// Objects beside bytes, and the other way round; of two traces each has its own.
static mc_metric get_other(const mc_trace *trace, mc_metric metric) {
    if (mc_trace_is_versus(trace)) return MC_NONE;
    if (metric == MC_METRIC_BYTES && mc_trace_counts_objects(trace)) return MC_METRIC_OBJECTS;
    return metric == MC_METRIC_OBJECTS ? MC_METRIC_BYTES : MC_NONE;
}

static mc_result add_values(const mc_page_facts *facts, mc_page_columns *out,
                            const mc_progress *progress, mc_error *error) {
    const mc_trace *trace = facts->desc->trace;
    mc_page_values values = {.steps = facts->steps,
                             .metric = facts->desc->city.metric,
                             .of_districts = facts->of_districts,
                             .names = {"first", "changed", "change"},
                             .beyond = "beyond",
                             .unknown = "unknown"};
    mc_page_values other = {.steps = facts->steps,
                            .metric = facts->report->other,
                            .of_districts = facts->of_districts,
                            .names = {"other_first", "other_changed", "other_change"}};
    mc_page_values sides[MC_VERSUS_SIDES] = {other, other};
    static const char *const names[MC_VERSUS_SIDES][3] = {
        [MC_BEFORE] = {"a_first", "a_changed", "a_change"},
        [MC_AFTER] = {"b_first", "b_changed", "b_change"}};
    mc_result result = mc_page_values_append(trace, facts->plan, &values, progress, out, error);
    for (int side = 0; side < MC_VERSUS_SIDES && facts->is_difference && result == MC_OK; side++) {
        mc_versus_values of = side == MC_BEFORE ? MC_VERSUS_BEFORE : MC_VERSUS_AFTER;
        sides[side].metric = mc_versus_get_metric(trace, values.metric, of);
        memcpy(sides[side].names, names[side], sizeof names[side]);
        result = mc_page_values_append(trace, facts->plan, &sides[side], progress, out, error);
    }
    if (result == MC_OK && facts->is_difference)
        result = mc_page_states_append(trace, facts->plan, out, error);
    if (result == MC_OK && other.metric != MC_NONE)
        result = mc_page_values_append(trace, facts->plan, &other, progress, out, error);
    return result;
}

static mc_result fill(const mc_page_desc *desc, const mc_causes *causes, draft *d,
                      const mc_progress *progress, mc_error *error) {
    mc_page_plan plan = {0};
    mc_page_columns columns = {0};
    const mc_metric_info *info = mc_trace_get_metric(desc->trace, desc->city.metric);
    uint32_t *steps = choose_steps(desc->city.window, d->step_count);
    mc_page_facts facts = {.desc = desc,
                           .plan = &plan,
                           .columns = &columns,
                           .steps = {steps, d->step_count},
                           .causes = causes,
                           .is_difference = mc_style_is_of_pair(desc->trace, desc->city.metric),
                           .report = &d->report,
                           .of_districts = !info->is_additive || d->city->hidden_leaf_count > 0};
    mc_result result = steps ? mc_page_plan_create(desc->trace, d->city, &plan, error)
                             : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        d->report.node_count = plan.count;
        mc_page_plan_append(&plan, &columns);
        result = mc_page_names_append(desc->trace, &plan, &columns, error);
    }
    if (result == MC_OK) result = add_values(&facts, &columns, progress, error);
    if (result == MC_OK && d->has_links)
        result =
            mc_page_links_append(desc->trace, &plan, steps[d->step_count - 1], &columns, error);
    if (result == MC_OK) result = pack(&facts, d, error);
    if (result == MC_OK && d->content) {
        d->content->columns = columns;
        columns = (mc_page_columns){.count = 0};
    }
    mc_page_plan_deinit(&plan);
    mc_page_columns_deinit(&columns);
    mc_free(steps);
    return result;
}

static mc_result lay_out(const mc_page_desc *desc, draft *d, const mc_progress *progress,
                         mc_error *error) {
    mc_city_desc shown = desc->city;
    if (d->city && d->city_limit == d->child_limit) return MC_OK;
    mc_city_destroy(d->city);
    d->city = NULL;
    d->city_limit = d->child_limit;
    if (d->child_limit > 0) shown.child_limit = d->child_limit;
    mc_result result = mc_city_create(desc->trace, &shown, progress, &d->city, error);
    if (result == MC_OK && d->city->building_count == 0)
        result = mc_fail(error, MC_ERROR_USAGE, "there is nothing to show: all values are 0");
    return result;
}

static mc_result try(const mc_page_desc *desc, const mc_causes *causes, draft *d,
                     const mc_progress *progress, mc_error *error) {
    mc_result result = lay_out(desc, d, progress, error);
    if (result == MC_OK) {
        uint32_t all = desc->city.window.last_step - desc->city.window.first_step + 1;
        mc_metric other = d->has_other ? get_other(desc->trace, desc->city.metric) : MC_NONE;
        d->report = (mc_page_report){.other = other,
                                     .step_count = d->step_count,
                                     .all_step_count = all,
                                     .hidden_count = d->city->hidden_leaf_count,
                                     .hidden_share = d->city->hidden_share};
        result = fill(desc, causes, d, progress, error);
    }
    return result;
}

// ---- how much of it

static uint32_t get_most_children(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t most = 0;
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->child_count[i] > most) most = nodes->child_count[i];
    return most;
}

static uint32_t reduce(uint32_t count, uint32_t least, double share) {
    uint32_t less = (uint32_t)(count * share);
    if (less >= count) less = count - 1;
    return less > least ? less : least;
}

// Leaves more out. False: there is nothing more to leave out.
static bool leave_out(const mc_page_desc *desc, draft *d, double share) {
    if (d->has_other) {
        d->has_other = false;
        return true;
    }
    if (d->has_links) {
        d->has_links = false;
        return true;
    }
    if (d->step_count > LEAST_STEPS) {
        d->step_count = reduce(d->step_count, LEAST_STEPS, share);
        return true;
    }
    uint32_t limit = d->child_limit > 0 ? d->child_limit : get_most_children(desc->trace);
    if (limit > FEWEST_CHILDREN) {
        d->child_limit = reduce(limit, FEWEST_CHILDREN, share);
        return true;
    }
    if (d->step_count <= FEWEST_STEPS) return false;
    d->step_count = FEWEST_STEPS;
    return true;
}

static mc_result make(const mc_page_desc *desc, const mc_causes *causes, draft *d,
                      const mc_progress *progress, mc_error *error) {
    uint32_t all = desc->city.window.last_step - desc->city.window.first_step + 1;
    d->step_count = desc->most_steps > 0 && desc->most_steps < all ? desc->most_steps : all;
    d->child_limit = desc->city.child_limit;
    d->has_links = mc_trace_has_references(desc->trace);
    d->has_other = get_other(desc->trace, desc->city.metric) != MC_NONE;
    for (int i = 0; i < MOST_TRIES; i++) {
        mc_result result = try(desc, causes, d, progress, error);
        size_t size = mc_page_get_base64_size(d->packed.size) + mc_page_get_viewer_size();
        if (result != MC_OK || desc->most_size == 0 || size <= desc->most_size) return result;
        // The viewer stays as it is.
        double rest = (double)desc->most_size - (double)mc_page_get_viewer_size();
        double share = fmax(rest, 0) / (double)(size - mc_page_get_viewer_size());
        if (!leave_out(desc, d, share > 0.9 ? 0.9 : share)) break;
    }
    return mc_fail(error, MC_ERROR_USAGE,
                   "--max-size: even two steps of the largest groups take more");
}

// Of methods there is nothing to find, nor of two traces as one.
static bool has_causes(const mc_trace *trace) {
    return !mc_trace_is_versus(trace) && mc_trace_get_frame_ms(trace) <= 0 &&
           !mc_trace_has_methods(trace);
}

mc_result mc_page_pack(const mc_page_desc *desc, const mc_progress *progress, mc_text *out,
                       mc_page_content *content, mc_page_report *report, mc_error *error) {
    mc_causes found = {0};
    const mc_causes *causes = NULL;
    draft d = {.content = content};
    mc_causes_desc causes_desc = {.metric = desc->city.metric, .window = desc->city.window};
    mc_result result = MC_OK;
    if (has_causes(desc->trace)) causes = desc->causes ? desc->causes : &found;
    if (causes == &found)
        result = mc_causes_find(desc->trace, &causes_desc, progress, &found, error);
    if (result == MC_OK) result = make(desc, causes, &d, progress, error);
    if (result == MC_OK) {
        *report = d.report;
        *out = d.packed;
        d.packed = (mc_text){.data = NULL};
    }
    mc_city_destroy(d.city);
    mc_text_deinit(&d.packed);
    mc_causes_deinit(&found);
    return result;
}

mc_result mc_page_append(const mc_page_desc *desc, const mc_progress *progress, mc_text *out,
                         mc_page_report *report, mc_error *error) {
    mc_text packed = {0};
    mc_result result = mc_page_pack(desc, progress, &packed, NULL, report, error);
    if (result == MC_OK) {
        mc_page_append_embedded(desc->title, &packed, out);
        if (out->failed) result = mc_error_out_of_memory(error);
    }
    mc_text_deinit(&packed);
    return result;
}
