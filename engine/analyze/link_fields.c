// By which fields the references of a link go.
#include "engine/analyze/link_finder_state.h"
#include "engine/base/memory.h"
#include "engine/base/radix.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void mc_link_finder_forget_fields(mc_link_finder *finder) {
    mc_field_rows_deinit(&finder->fields);
    mc_free(finder->fields_by_to);
    mc_free(finder->field_from_first);
    mc_free(finder->field_to_first);
    finder->fields_by_to = finder->field_from_first = finder->field_to_first = NULL;
}

mc_result mc_link_finder_load_fields(mc_link_finder *finder, uint32_t step, mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(finder->trace)->count;
    mc_link_finder_forget_fields(finder);
    mc_result result = mc_trace_read_fields(finder->trace, step, &finder->fields, error);
    const mc_field_rows *fields = &finder->fields;
    if (result != MC_OK || fields->count == 0) return result;
    mc_row_numbers from = {fields->items, sizeof *fields->items, offsetof(mc_field_count, from),
                           fields->count};
    mc_row_numbers to = from;
    to.offset = offsetof(mc_field_count, to);
    finder->field_from_first = mc_find_firsts(from, node_count);
    finder->field_to_first = mc_find_firsts(to, node_count);
    if (finder->field_to_first)
        finder->fields_by_to = mc_find_order(to, finder->field_to_first, node_count);
    if (finder->field_from_first && finder->fields_by_to) return MC_OK;
    mc_link_finder_forget_fields(finder);
    return mc_error_out_of_memory(error);
}

// ---- a link's

typedef struct named_field {
    mc_link_field field;
    const char *name;
} named_field;

static int compare_names(const void *a, const void *b) {
    const named_field *x = a, *y = b;
    if (x->field.name != y->field.name) return x->field.name < y->field.name ? -1 : 1;
    return (x->field.is_weak > y->field.is_weak) - (x->field.is_weak < y->field.is_weak);
}

static int compare_counts(const void *a, const void *b) {
    const named_field *x = a, *y = b;
    if (x->field.count != y->field.count) return x->field.count > y->field.count ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order == 0 ? compare_names(a, b) : order;
}

// Several leaves of a district may be referenced by one field: their counts are added up. Returns
// how many are left.
static uint32_t merge(named_field *fields, uint32_t count) {
    uint32_t kept = 0;
    qsort(fields, count, sizeof *fields, compare_names);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && compare_names(&fields[kept - 1], &fields[i]) == 0)
            fields[kept - 1].field.count += fields[i].field.count;
        else
            fields[kept++] = fields[i];
    }
    qsort(fields, kept, sizeof *fields, compare_counts);
    return kept;
}

typedef struct filler {
    const mc_link_finder *finder;
    mc_links *links;
    size_t capacity, count; // of the links' fields
    named_field *found;     // of one link
    size_t found_capacity;
} filler;

// The rows of a link's partner whose other end is the node, or below it.
static bool find_fields(filler *self, const mc_link *link, uint32_t *found_count) {
    const mc_link_finder *finder = self->finder;
    const mc_field_rows *fields = &finder->fields;
    bool is_incoming = link->direction == MC_LINK_INCOMING;
    const uint32_t *first = is_incoming ? finder->field_from_first : finder->field_to_first;
    uint32_t begin = first[link->partner], end = first[link->partner + 1];
    *found_count = 0;
    for (uint32_t k = begin; k < end; k++) {
        uint32_t i = is_incoming ? k : finder->fields_by_to[k];
        if (!mc_link_finder_is_below(finder,
                                     is_incoming ? fields->items[i].to : fields->items[i].from))
            continue;
        if (!mc_reserve(&self->found, &self->found_capacity, (size_t)*found_count + 1,
                        sizeof *self->found))
            return false;
        mc_link_field field = {fields->items[i].name, fields->items[i].is_weak,
                               fields->items[i].count};
        self->found[(*found_count)++] =
            (named_field){field, mc_trace_get_string(finder->trace, field.name, NULL)};
    }
    return true;
}

static bool fill_link(filler *self, mc_link *link) {
    uint32_t count;
    if (!find_fields(self, link, &count)) return false;
    if (count == 0) return true;
    count = merge(self->found, count);
    if (!mc_reserve(&self->links->fields, &self->capacity, self->count + count,
                    sizeof *self->links->fields))
        return false;
    link->first_field = (uint32_t)self->count;
    link->field_count = count;
    for (uint32_t i = 0; i < count; i++)
        self->links->fields[self->count++] = self->found[i].field;
    return true;
}

mc_result mc_link_finder_fill_fields(const mc_link_finder *finder, mc_links *links,
                                     mc_error *error) {
    filler self = {.finder = finder, .links = links};
    bool is_done = true;
    links->has_fields = mc_trace_get_step(finder->trace, finder->step)->has_referrers;
    if (finder->fields.count == 0) return MC_OK;
    for (uint32_t i = 0; i < links->count && is_done; i++)
        is_done = fill_link(&self, &links->links[i]);
    mc_free(self.found);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
