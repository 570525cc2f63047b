#include "app/answers/property.h"
#include "app/answers/slot.h"

#include "engine/base/memory.h"
#include <string.h>

const mc_property *const mc_properties[MC_PROPERTY_COUNT] = {
    [MC_PROPERTY_OWNERS] = &mc_property_owners,
};

// ---- what they are found from

void mc_property_source_deinit(mc_property_source *source) {
    mc_link_finder_destroy(source->links);
    *source = (mc_property_source){0};
}

mc_result mc_property_source_find_links(mc_property_source *source, mc_property_key key,
                                        mc_links *links, mc_error *error) {
    mc_result result = MC_OK;
    if (!source->links) result = mc_link_finder_create(source->trace, &source->links, error);
    if (result == MC_OK)
        result = mc_link_finder_find(source->links, key.step, key.node, links, error);
    return result;
}

// ---- all of a structure

mc_result mc_property_answers_find(mc_property_source *source, mc_property_key key,
                                   mc_property_answers *answers, mc_error *error) {
    mc_result result = MC_OK;
    mc_property_answers_deinit(answers);
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT && result == MC_OK; i++) {
        result = mc_properties[i]->find(source, key, &answers->items[i], error);
        if (answers->items[i].sentence.failed) result = mc_error_out_of_memory(error);
    }
    if (result != MC_OK) mc_property_answers_deinit(answers);
    return result;
}

void mc_property_answers_deinit(mc_property_answers *answers) {
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT; i++)
        mc_text_deinit(&answers->items[i].sentence);
    *answers = (mc_property_answers){0};
}

mc_cell mc_property_answer_get_object(const mc_property *property, const mc_property_answer *answer,
                                      mc_field fields[MC_PROPERTY_MOST_VALUES]) {
    for (uint32_t i = 0; i < property->column_count; i++)
        fields[i] = (mc_field){property->columns[i].key, answer->values[i]};
    return answer->is_known ? mc_cell_object(fields, property->column_count) : mc_cell_null();
}

void mc_property_answers_put(const mc_property_answers *answers, mc_print *print) {
    mc_field fields[MC_PROPERTY_MOST_VALUES];
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT; i++)
        mc_print_put(print, mc_properties[i]->name,
                     mc_property_answer_get_object(mc_properties[i], &answers->items[i], fields));
}

// ---- the query

static mc_result ask_properties(const mc_ask *ask, const void *key, void *answer, mc_error *error) {
    mc_property_source *source = *ask->memory;
    if (!source) *ask->memory = source = mc_alloc_zero(1, sizeof *source);
    if (!source) return mc_error_out_of_memory(error);
    source->trace = ask->trace;
    return mc_property_answers_find(source, *(const mc_property_key *)key, answer, error);
}

static bool differ(const void *a, const void *b) {
    return memcmp(a, b, sizeof(mc_property_key)) != 0;
}

static void deinit(void *answer) {
    mc_property_answers_deinit(answer);
}

static void forget(void *memory) {
    mc_property_source_deinit(memory);
    mc_free(memory);
}

const mc_question mc_question_properties = {
    .name = "properties",
    .key_size = MC_SIZE_OF_KEY(mc_property_key),
    .answer_size = sizeof(mc_property_answers),
    .nothing = &(const mc_property_key){.node = MC_NONE},
    .differ = differ,
    .ask = ask_properties,
    .deinit = deinit,
    .forget = forget,
};
