#include "app/answers/linked.h"
#include "app/answers/slot.h"

#include "app/answers/arrange.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "engine/trace/regroup/sliding_window.h"

#define ROWS_MOST 200

static bool has_methods(const mc_dataset *dataset) {
    return mc_trace_has_methods(mc_trace_get_base(dataset->trace));
}

const char *mc_linked_get_grouping(const mc_dataset *dataset) {
    return mc_regrouping_get_usual(dataset->trace);
}

mc_result mc_linked_check(const mc_dataset *a, const mc_dataset *b, mc_error *error) {
    if (has_methods(a) != has_methods(b)) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   has_methods(a) ? "both traces are of methods; expected one of a heap"
                                  : "a heap can be linked only with a trace of methods and their "
                                    "times, as `memcity run --methods sampled` records it");
}

// The tables of names are made once for two traces.
typedef struct linked_memory {
    mc_dataset *linked; // held
    double frame_ms;
    mc_method_link *link;
} linked_memory;

static void forget(void *kept) {
    linked_memory *memory = kept;
    mc_method_link_destroy(memory->link);
    mc_dataset_release(memory->linked);
    mc_free(memory);
}

static mc_result prepare(const mc_ask *ask, const mc_linked_key *key, mc_dataset *linked,
                         mc_method_link **link, mc_error *error) {
    linked_memory *memory = *ask->memory;
    if (!memory || memory->linked != linked || memory->frame_ms != key->frame_ms) {
        if (memory) forget(memory);
        *ask->memory = memory = mc_alloc_zero(1, sizeof *memory);
        if (!memory) return mc_error_out_of_memory(error);
        memory->linked = mc_dataset_hold(linked);
        memory->frame_ms = key->frame_ms;
    }
    const mc_trace *heap = key->of_method ? linked->trace : ask->trace;
    const mc_trace *methods = key->of_method ? ask->trace : linked->trace;
    mc_result result =
        memory->link ? MC_OK
                     : mc_method_link_create(heap, methods, key->frame_ms, &memory->link, error);
    *link = memory->link;
    return result;
}

// With the steps that came since. What can't be read stays as it was.
static mc_dataset *read_again(mc_dataset *linked, const mc_linked_key *key) {
    const mc_form_texts *paths = &linked->paths;
    mc_import_desc desc = {.paths = (const char *const *)paths->items,
                           .path_count = paths->count,
                           .is_live = true,
                           .keeps_groups = true};
    mc_trace *trace = NULL;
    mc_grouped grouped = {.dataset = NULL};
    if (mc_import_trace(&desc, &trace, NULL, NULL) != MC_OK) return mc_dataset_hold(linked);
    mc_dataset *read = mc_dataset_create_next(linked, trace);
    if (!read) return mc_dataset_hold(linked);
    mc_result result = mc_dataset_arrange(read, key->group_by, key->frame_ms / 1000, NULL, NULL,
                                          NULL, &grouped, NULL);
    mc_dataset *again = result != MC_OK ? linked : grouped.dataset ? grouped.dataset : read;
    mc_dataset_hold(again);
    if (result == MC_OK) mc_grouped_deinit(&grouped);
    mc_dataset_release(read);
    return again;
}

static mc_result ask_linked(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_linked_key *key = asked;
    mc_linked *linked = answer;
    mc_method_link *link;
    linked->dataset =
        key->reads_again ? read_again(ask->linked, key) : mc_dataset_hold(ask->linked);
    mc_result result = prepare(ask, key, linked->dataset, &link, error);
    if (result != MC_OK) return result;
    const mc_selection *nodes = &key->nodes;
    uint32_t step = key->step;
    linked->is_by_class = mc_method_link_get_way(link) == MC_METHOD_LINK_BY_CLASS;
    linked->step =
        mc_method_link_find_step(ask->trace, step, linked->dataset->trace, &linked->gap_ms);
    result = key->of_method ? mc_method_link_read(link, linked->step, step, ask->progress, error)
                            : mc_method_link_read(link, step, linked->step, ask->progress, error);
    if (result != MC_OK) return result;
    return key->of_method ? mc_method_link_find_groups(link, nodes->nodes, nodes->count, ROWS_MOST,
                                                       &linked->found, error)
                          : mc_method_link_find_methods(link, nodes->nodes, nodes->count, ROWS_MOST,
                                                        &linked->found, error);
}

static bool differ(const void *first, const void *second) {
    const mc_linked_key *a = first, *b = second;
    return !mc_selection_equals(&a->nodes, &b->nodes) || a->step != b->step ||
           a->numbering != b->numbering || a->version != b->version ||
           a->of_method != b->of_method || a->frame_ms != b->frame_ms ||
           a->read_count != b->read_count;
}

static void deinit(void *answer) {
    mc_linked *linked = answer;
    mc_method_link_found_deinit(&linked->found);
    mc_dataset_release(linked->dataset);
}

static const mc_linked_key nothing;

const mc_question mc_question_linked = {
    .name = "linked",
    .key_size = MC_SIZE_OF_KEY(mc_linked_key),
    .answer_size = sizeof(mc_linked),
    .nothing = &nothing,
    .differ = differ,
    .ask = ask_linked,
    .deinit = deinit,
    .forget = forget,
};
