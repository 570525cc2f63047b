// Opening an .mct file: strings, classifiers and nodes.
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/store/mct/mct_opener.h"
#include <string.h>

// Rows of strings and of nodes hold the entries from `first` on; the next row begins behind.
static bool is_chunk(int64_t count, uint32_t first, uint32_t total) {
    return count > 0 && count <= total - first;
}

// ---- strings and nodes

static mc_result take_strings(mc_mct_opener *self, const mc_mct_field *row) {
    uint32_t count = (uint32_t)row[MC_MCT_STRINGS_COUNT].number;
    const mc_mct_field *sizes = &row[MC_MCT_STRINGS_SIZES], *bytes = &row[MC_MCT_STRINGS_BYTES];
    mc_result result = mc_mct_decode_column(&self->store->codec, sizes->data, sizes->size,
                                            self->values, count, MC_MCT_NO_BASE);
    const unsigned char *content = NULL;
    size_t content_size = 0, most = 0;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (self->values[i] >= SIZE_MAX / 2 - most) result = MC_ERROR_BAD_DATA;
        if (result == MC_OK) most += (size_t)self->values[i] + 1;
    }
    if (result == MC_OK)
        result = mc_mct_decode_bytes(&self->store->codec, bytes->data, bytes->size, most, &content,
                                     &content_size);
    if (result == MC_OK && content_size != most) result = MC_ERROR_BAD_DATA;
    size_t at = 0;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        size_t size = (size_t)self->values[i];
        if (content[at + size] != '\0')
            result = MC_ERROR_BAD_DATA;
        else if (mc_strings_append(&self->builder->strings, (const char *)content + at, size) ==
                 MC_NONE)
            result = MC_ERROR_OUT_OF_MEMORY;
        at += size + 1;
    }
    return mc_mct_opener_explain(self, result, "the strings");
}

static mc_result read_strings(mc_mct_opener *self) {
    mc_result result = MC_OK;
    while (self->builder->strings.count < self->string_count && result == MC_OK) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        uint32_t first = self->builder->strings.count;
        result = mc_mct_opener_get(self, MC_MCT_STRINGS, first, row);
        if (result == MC_OK &&
            !is_chunk(row[MC_MCT_STRINGS_COUNT].number, first, self->string_count))
            result = mc_mct_opener_damaged(self, "the strings");
        if (result == MC_OK)
            result = mc_mct_opener_reserve_values(self, (size_t)row[MC_MCT_STRINGS_COUNT].number);
        if (result == MC_OK) result = take_strings(self, row);
        mc_mct_file_release(&self->store->file, MC_MCT_STRINGS);
        if (result == MC_OK)
            result = mc_builder_ask(self->builder, first, self->string_count, self->error);
    }
    return result;
}

// Nodes tell classifiers by number, but people, and the JSON form that names them, by name.
static mc_result note_classifier(mc_mct_opener *self, mc_strings *names, uint32_t classifier) {
    size_t size;
    const mc_strings *strings = &self->builder->strings;
    const char *name = mc_strings_get(strings, self->builder->classifiers[classifier], &size);
    uint32_t index = mc_strings_intern(names, name, size);
    if (index == MC_NONE) return mc_error_out_of_memory(self->error);
    mc_excerpt excerpt;
    if (index == classifier) return MC_OK;
    return mc_fail(self->error, MC_ERROR_BAD_DATA,
                   "%s: damaged: classifiers %" PRIu32 " and %" PRIu32
                   " have one name, \"%s\"; without knowing them apart nothing can be read",
                   self->store->file.path, index, classifier,
                   mc_excerpt_make(&excerpt, name, size));
}

static mc_result read_classifiers(mc_mct_opener *self) {
    mc_trace_builder *builder = self->builder;
    uint32_t count = (uint32_t)self->header[MC_MCT_TRACE_CLASSIFIERS].number;
    mc_strings names = {0};
    mc_result result = MC_OK;
    if (!mc_reserve(&builder->classifiers, &builder->classifier_capacity, count,
                    sizeof *builder->classifiers))
        return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        result = mc_mct_opener_get(self, MC_MCT_CLASSIFIER, i, row);
        if (result == MC_OK) {
            const mc_mct_field *name = &row[MC_MCT_CLASSIFIER_NAME];
            builder->classifiers[i] = mc_strings_append(&builder->strings, name->data, name->size);
            builder->classifier_count = i + 1;
            result = builder->classifiers[i] == MC_NONE ? mc_error_out_of_memory(self->error)
                                                        : note_classifier(self, &names, i);
        }
        mc_mct_file_release(&self->store->file, MC_MCT_CLASSIFIER);
    }
    mc_strings_deinit(&names);
    return result;
}

// One field of the nodes from `first` on. False: a value that can't be.
static bool take_node_field(mc_mct_opener *self, int field, uint32_t first, uint32_t count) {
    mc_seen_node *nodes = self->builder->nodes + first;
    const uint64_t *values = self->values;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = values[i], index = (uint64_t)first + i;
        switch (field) {
        case MC_MCT_NODES_PARENTS:
            if (index == 0 ? value != 0 : value >= index) return false;
            nodes[i].parent = index == 0 ? MC_NONE : (uint32_t)value;
            break;
        case MC_MCT_NODES_KEYS:
            if (value >= self->string_count) return false;
            nodes[i].key = (uint32_t)value;
            break;
        case MC_MCT_NODES_NAMES:
            if (value >= self->string_count) return false;
            nodes[i].name = (uint32_t)value;
            break;
        default:
            if (value > self->builder->classifier_count) return false;
            nodes[i].role = (uint32_t)value - 1; // 0 becomes MC_NONE
        }
    }
    return true;
}

static mc_result read_node_rows(mc_mct_opener *self) {
    mc_trace_builder *builder = self->builder;
    mc_result result = MC_OK;
    while (builder->node_count < self->node_count && result == MC_OK) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        uint32_t first = (uint32_t)builder->node_count, count = 0;
        result = mc_mct_opener_get(self, MC_MCT_NODES, first, row);
        if (result == MC_OK && !is_chunk(row[MC_MCT_NODES_COUNT].number, first, self->node_count))
            result = mc_mct_opener_damaged(self, "the nodes");
        if (result == MC_OK) {
            count = (uint32_t)row[MC_MCT_NODES_COUNT].number;
            result = mc_mct_opener_reserve_values(self, count);
        }
        if (result == MC_OK && !mc_reserve(&builder->nodes, &builder->node_capacity,
                                           (size_t)first + count, sizeof *builder->nodes))
            result = mc_error_out_of_memory(self->error);
        for (int field = MC_MCT_NODES_PARENTS; field <= MC_MCT_NODES_ROLES && result == MC_OK;
             field++) {
            result = mc_mct_decode_column(&self->store->codec, row[field].data, row[field].size,
                                          self->values, count, MC_MCT_CHAIN);
            if (result == MC_OK && !take_node_field(self, field, first, count))
                result = MC_ERROR_BAD_DATA;
            result = mc_mct_opener_explain(self, result, "the nodes");
        }
        mc_mct_file_release(&self->store->file, MC_MCT_NODES);
        if (result == MC_OK)
            result = mc_builder_ask(self->builder, first, self->node_count, self->error);
        builder->node_count += count;
    }
    return result;
}

// Which inner nodes have a self node.
static mc_result read_own(mc_mct_opener *self) {
    mc_result result = MC_OK;
    int64_t row_count = self->header[MC_MCT_TRACE_OWN].number;
    for (int64_t i = 0; i < row_count && result == MC_OK; i++) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        uint32_t count = 0;
        result = mc_mct_opener_get(self, MC_MCT_OWN, i, row);
        if (result == MC_OK && !is_chunk(row[MC_MCT_OWN_COUNT].number, 0, self->node_count))
            result = mc_mct_opener_damaged(self, "the own shares");
        if (result == MC_OK) {
            count = (uint32_t)row[MC_MCT_OWN_COUNT].number;
            result = mc_mct_opener_reserve_values(self, count);
        }
        if (result == MC_OK)
            result = mc_mct_opener_explain(
                self,
                mc_mct_decode_column(&self->store->codec, row[MC_MCT_OWN_NODES].data,
                                     row[MC_MCT_OWN_NODES].size, self->values, count, MC_MCT_CHAIN),
                "the own shares");
        for (uint32_t k = 0; k < count && result == MC_OK; k++) {
            if (self->values[k] >= self->node_count)
                result = mc_mct_opener_damaged(self, "the own shares");
            else
                self->order.self[self->values[k]] = 0;
        }
        mc_mct_file_release(&self->store->file, MC_MCT_OWN);
    }
    return result;
}

// In which order nodes appeared, if their numbers don't say it.
static mc_result read_appearance(mc_mct_opener *self) {
    mc_seen_node *nodes = self->builder->nodes;
    for (uint32_t i = 0; i < self->node_count; i++) {
        nodes[i].first_entry = i;
        nodes[i].first_time_ms = 0;
    }
    if (self->header[MC_MCT_TRACE_REORDERED].number == 0) return MC_OK;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_result result = mc_mct_opener_get(self, MC_MCT_APPEARANCE, 1, row);
    // Nodes that came later, with later steps, have appeared in the order of their numbers.
    int64_t count = row[MC_MCT_APPEARANCE_COUNT].number;
    if (result == MC_OK && (count < 0 || count > self->node_count))
        result = mc_mct_opener_damaged(self, "the order of appearance");
    if (result == MC_OK) result = mc_mct_opener_reserve_values(self, (size_t)count);
    if (result == MC_OK)
        result = mc_mct_opener_explain(
            self,
            mc_mct_decode_column(&self->store->codec, row[MC_MCT_APPEARANCE_RANKS].data,
                                 row[MC_MCT_APPEARANCE_RANKS].size, self->values, (uint32_t)count,
                                 MC_MCT_CHAIN),
            "the order of appearance");
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        nodes[i].first_entry = (uint32_t)self->values[i];
    mc_mct_file_release(&self->store->file, MC_MCT_APPEARANCE);
    return result;
}

mc_result mc_mct_opener_read_nodes(mc_mct_opener *self) {
    mc_result result = read_strings(self);
    if (result == MC_OK) result = read_classifiers(self);
    if (result == MC_OK) result = read_node_rows(self);
    if (result == MC_OK) result = read_appearance(self);
    if (result == MC_OK)
        result = mc_node_order_init(&self->order, self->builder, self->trace, self->error);
    return result == MC_OK ? read_own(self) : result;
}
