#include "engine/store/merge/merge.h"

#include "engine/base/memory.h"
#include "engine/store/merge/merge_state.h"
#include <stdlib.h>
#include <string.h>

// Beyond so many nodes the tables that answer in SQL what grew are left out: they would take
// several times as long as all else, and most of the file.
#define ANSWERED_NODES_MOST 2000000u

// ---- what steps lack, and what was noted of them

static mc_result add_remark(mc_merge_remarks *remarks, uint32_t step, const char *text, size_t size,
                            mc_error *error) {
    uint32_t index = mc_strings_intern(&remarks->texts, text, size);
    if (index == MC_NONE ||
        !mc_reserve(&remarks->of, &remarks->capacity, remarks->count + 1, sizeof *remarks->of))
        return mc_error_out_of_memory(error);
    remarks->of[remarks->count++] = (uint64_t)step << 32 | index;
    return MC_OK;
}

// "host: text", or what such a merged step says, "host: text; host: text".
mc_result mc_merge_add_remark(mc_merge *self, mc_merge_remarks *remarks, uint32_t step,
                              const mc_merge_source *source, const char *bytes, size_t size,
                              mc_error *error) {
    mc_result result = MC_OK;
    if (self->desc->under) {
        mc_text text = {0};
        mc_text_format(&text, "%s: ", self->desc->parts[source->index].name);
        mc_text_append(&text, bytes, size);
        for (size_t i = 0; i < text.size && !text.failed; i++)
            if (text.data[i] == ';') text.data[i] = ',';
        result = text.failed ? mc_error_out_of_memory(error)
                             : add_remark(remarks, step, text.data, text.size, error);
        mc_text_deinit(&text);
        return result;
    }
    for (const char *at = bytes, *end = bytes + size; at < end && result == MC_OK;) {
        const char *next = memchr(at, ';', (size_t)(end - at));
        if (!next) next = end;
        result = add_remark(remarks, step, at, (size_t)(next - at), error);
        at = next + 1;
        while (at < end && *at == ' ')
            at++;
    }
    return result;
}

static void remarks_deinit(mc_merge_remarks *remarks) {
    mc_strings_deinit(&remarks->texts);
    mc_free(remarks->of);
}

typedef struct remark {
    uint32_t step;
    const char *text;
    size_t size;
} remark;

static int compare_remarks(const void *a, const void *b) {
    const remark *x = a, *y = b;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    size_t shared = x->size < y->size ? x->size : y->size;
    int order = memcmp(x->text, y->text, shared);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

// All of a step in one text: `joined` holds them; `at`: where that of a step is, NULL: it has none.
static mc_result join_remarks(const mc_merge_remarks *remarks, uint32_t step_count, mc_text *joined,
                              const char **at, mc_error *error) {
    size_t count = remarks->count, *begins = mc_alloc(step_count, sizeof *begins);
    remark *items = mc_alloc(count + 1, sizeof *items);
    bool is_fine = begins && items;
    for (size_t i = 0; i < count && is_fine; i++) {
        items[i].step = (uint32_t)(remarks->of[i] >> 32);
        items[i].text = mc_strings_get(&remarks->texts, (uint32_t)remarks->of[i], &items[i].size);
    }
    if (is_fine && count > 0) qsort(items, count, sizeof *items, compare_remarks);
    for (size_t i = 0; i < count && is_fine; i++) {
        bool is_first = i == 0 || items[i].step != items[i - 1].step;
        if (!is_first && items[i].text == items[i - 1].text) continue;
        if (is_first) {
            if (i > 0) mc_text_append(joined, "\0", 1);
            begins[items[i].step] = joined->size;
        } else {
            mc_text_append_string(joined, "; ");
        }
        mc_text_append(joined, items[i].text, items[i].size);
    }
    for (size_t i = 0; i < count && is_fine && !joined->failed; i++)
        at[items[i].step] = joined->data + begins[items[i].step];
    mc_free(begins);
    mc_free(items);
    return is_fine && !joined->failed ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result say_remarks(mc_merge *self, mc_text joined[2], mc_error *error) {
    const char **missing = mc_alloc_zero(self->step_count, sizeof *missing);
    const char **notes = mc_alloc_zero(self->step_count, sizeof *notes);
    mc_result result = missing && notes ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK)
        result = join_remarks(&self->reasons, self->step_count, &joined[0], missing, error);
    if (result == MC_OK)
        result = join_remarks(&self->notes, self->step_count, &joined[1], notes, error);
    for (uint32_t i = 0; i < self->step_count && result == MC_OK; i++) {
        self->steps[i].missing = missing[i];
        self->steps[i].note = notes[i];
    }
    mc_free(missing);
    mc_free(notes);
    return result;
}

// ---- the order of the groups that stand side by side

typedef struct outer {
    const mc_merge *merge;
    uint32_t source, name;
    uint32_t node, rank; // of the file
} outer;

static int compare_outers(const void *a, const void *b) {
    const outer *x = a, *y = b;
    size_t x_size, y_size;
    const char *x_name = mc_strings_get(&x->merge->names, x->name, &x_size);
    const char *y_name = mc_strings_get(&y->merge->names, y->name, &y_size);
    int order = memcmp(x_name, y_name, x_size < y_size ? x_size : y_size);
    return order != 0 ? order : (x_size > y_size) - (x_size < y_size);
}

static int compare_outer_nodes(const void *a, const void *b) {
    const outer *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

static mc_result append_ranks(mc_mct_bytes *ranks, uint64_t first, uint64_t count, uint64_t *before,
                              mc_error *error) {
    uint64_t values[256];
    for (uint64_t done = 0; done < count;) {
        uint32_t piece = 0;
        for (; piece < 256 && done < count; piece++)
            values[piece] = first + done++;
        mc_mct_base base = {.is_chain = true, .before = *before};
        if (mc_mct_append_column(ranks, values, piece, base) != MC_OK)
            return mc_error_out_of_memory(error);
        *before = values[piece - 1];
    }
    return MC_OK;
}

// Siblings appeared in the order of their numbers, but for the outermost groups, which come by
// name.
static mc_result make_ranks(const mc_merge *self, const outer *outers, uint32_t count,
                            mc_mct_bytes *ranks, mc_error *error) {
    uint64_t before = 0, next = (uint64_t)count + 1;
    uint32_t node = 1;
    mc_result result = append_ranks(ranks, 0, 1, &before, error);
    for (uint32_t i = 0; i <= count && result == MC_OK; i++) {
        uint32_t end = i < count ? outers[i].node : mc_merge_file_get_node_count(self->file);
        result = append_ranks(ranks, next, end - node, &before, error);
        next += end - node;
        node = end + 1;
        if (result == MC_OK && i < count)
            result = append_ranks(ranks, outers[i].rank, 1, &before, error);
    }
    return result;
}

// `outers`: of all parts together, as they were copied.
static mc_result order_outers(const mc_merge *self, outer *outers, uint32_t count,
                              mc_mct_bytes *ranks, mc_error *error) {
    if (count > 0) qsort(outers, count, sizeof *outers, compare_outers);
    bool is_ordered = true;
    for (uint32_t i = 0; i < count; i++) {
        outers[i].rank = i + 1;
        is_ordered &= i == 0 || outers[i].node > outers[i - 1].node;
    }
    if (is_ordered) return MC_OK;
    qsort(outers, count, sizeof *outers, compare_outer_nodes);
    return make_ranks(self, outers, count, ranks, error);
}

// ---- all

static mc_result begin(mc_merge *self, mc_error *error) {
    const mc_metrics *metrics = &self->tables.metrics;
    self->steps = mc_alloc_zero(self->step_count, sizeof *self->steps);
    self->lacks_limit = mc_alloc_zero(self->step_count, sizeof *self->lacks_limit);
    self->root_rests =
        mc_alloc_zero((size_t)self->step_count * metrics->count, sizeof *self->root_rests);
    if (!self->steps || !self->lacks_limit || !self->root_rests)
        return mc_error_out_of_memory(error);
    mc_merge_file_desc desc = {.path = self->desc->path,
                               .times_ms = self->times_ms,
                               .step_count = self->step_count,
                               .metrics = metrics,
                               .classifiers = &self->tables.classifiers,
                               .root_key = self->tables.root_key,
                               .root_key_size = self->tables.root_key_size};
    return mc_merge_file_create(&desc, &self->file, error);
}

static mc_result copy(mc_merge *self, uint32_t index, mc_error *error) {
    mc_merge_source *source = &self->sources[index];
    mc_trace *trace = NULL;
    mc_result result = self->desc->open(self->desc->user, source->index, &trace, error);
    if (result == MC_OK) {
        result = mc_merge_copy(self, source, trace, error);
        // What a file says of itself begins with its name already.
        const char *path = self->desc->parts[source->index].path;
        bool is_named = result != MC_OK && error && strstr(error->message, path) != NULL;
        if (result != MC_OK && result != MC_ERROR_CANCELLED && !is_named)
            mc_error_prepend(error, path);
    }
    mc_trace_destroy(trace);
    return result;
}

static void finish_step(mc_merge *self, uint32_t step) {
    mc_merge_step *made = &self->steps[step];
    if (self->lacks_limit[step]) made->heap_limit = 0;
    for (mc_metric metric = 0; metric < self->tables.metrics.count; metric++) {
        const mc_metric_info *info = &self->tables.metrics.items[metric];
        uint64_t rest = self->root_rests[(size_t)step * self->tables.metrics.count + metric];
        uint64_t *total = &made->totals[metric];
        if (rest > self->root_max[metric]) self->root_max[metric] = rest;
        if (*total > self->largest[metric]) self->largest[metric] = *total;
        if (metric >= MC_METRIC_FIRST_OWN) *total = info->is_additive ? *total + 1 : 0;
    }
}

static mc_result finish(mc_merge *self, mc_error *error) {
    mc_text remarks[2] = {{0}, {0}};
    mc_mct_bytes ranks = {0};
    mc_result result = MC_OK;
    bool has_rest = false;
    size_t most = 1;
    for (uint32_t step = 0; step < self->step_count; step++)
        finish_step(self, step);
    for (mc_metric metric = 0; metric < self->tables.metrics.count; metric++)
        has_rest |= self->root_max[metric] > 0;
    for (uint32_t i = 0; i < self->source_count; i++)
        most += self->sources[i].member_count;
    outer *outers = mc_alloc(most, sizeof *outers);
    uint32_t count = 0;
    if (!outers) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->source_count && outers && !self->desc->under; i++)
        for (uint32_t k = 0; k + 1 < self->sources[i].member_count; k++)
            if (self->sources[i].members[k].node != MC_NONE)
                outers[count++] = (outer){.merge = self,
                                          .source = i,
                                          .name = self->sources[i].members[k].name,
                                          .node = self->sources[i].members[k].node};
    if (result == MC_OK) result = order_outers(self, outers, count, &ranks, error);
    if (result == MC_OK && has_rest) result = mc_merge_file_add_own(self->file, 0, error);
    if (result == MC_OK) result = say_remarks(self, remarks, error);
    mc_merge_finish all = {.steps = self->steps,
                           .root_max = self->root_max,
                           .largest = self->largest,
                           .ranks = ranks.size > 0 ? &ranks : NULL};
    if (result == MC_OK) result = mc_merge_file_finish(self->file, &all, error);
    mc_text_deinit(&remarks[0]);
    mc_text_deinit(&remarks[1]);
    mc_mct_bytes_deinit(&ranks);
    mc_free(outers);
    return result;
}

static void deinit(mc_merge *self) {
    for (uint32_t i = 0; self->sources && i < self->source_count; i++) {
        mc_merge_source *source = &self->sources[i];
        for (uint32_t k = 0; k < source->member_count; k++)
            mc_free(source->members[k].has_step);
        mc_free(source->members);
        mc_free(source->times_ms);
    }
    mc_merge_file_destroy(self->file);
    mc_free(self->sources);
    mc_merge_tables_deinit(&self->tables);
    mc_strings_deinit(&self->names);
    mc_free(self->name_owners);
    mc_text_deinit(&self->outer);
    mc_free(self->times_ms);
    mc_free(self->steps);
    mc_free(self->lacks_limit);
    remarks_deinit(&self->reasons);
    remarks_deinit(&self->notes);
    mc_free(self->root_rests);
}

// As of any recording that has ended.
static mc_result write_answers(const mc_merge_desc *desc, mc_error *error) {
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc more = {
        .path = desc->path, .append = true, .sync = MC_MCT_SYNC_NEVER, .progress = desc->progress};
    mc_result result = mc_mct_writer_create(&more, &writer, error);
    if (result == MC_OK) result = mc_mct_writer_finish(writer, error);
    mc_mct_writer_destroy(writer);
    return result;
}

mc_result mc_trace_merge(const mc_merge_desc *desc, mc_merge_report *report, mc_error *error) {
    mc_merge self = {.desc = desc};
    mc_error unseen;
    if (!error) error = &unseen;
    mc_result result = mc_merge_survey(&self, error);
    if (result == MC_OK) result = mc_merge_plan(&self, error);
    if (result == MC_OK) result = begin(&self, error);
    for (uint32_t i = 0; i < self.source_count && result == MC_OK; i++)
        result = copy(&self, i, error);
    if (result == MC_OK) result = finish(&self, error);
    if (result == MC_OK && self.root_links > 0)
        mc_log_write(desc->log, MC_LOG_WARNING,
                     "%llu references of what no group explains in a whole part were left out",
                     (unsigned long long)self.root_links);
    if (report)
        *report =
            (mc_merge_report){.part_count = self.source_count,
                              .skipped_count = desc->part_count - self.source_count,
                              .step_count = self.step_count,
                              .node_count = self.file ? mc_merge_file_get_node_count(self.file) : 0,
                              .alignment = self.alignment,
                              .bucket_ms = self.bucket_ms,
                              .held_count = self.held_count};
    bool has_answers =
        result == MC_OK && mc_merge_file_get_node_count(self.file) <= ANSWERED_NODES_MOST;
    deinit(&self);
    return has_answers ? write_answers(desc, error) : result;
}
