// Opening an .mct file: its metrics.
#include "engine/store/mct/mct_opener.h"
#include <string.h>

static int find_name(const mc_mct_field *field, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == field->size && memcmp(names[i], field->data, field->size) == 0)
            return i;
    return -1;
}

// The first two are the same in every trace.
static bool is_base(mc_metric metric, const mc_metric_info *info) {
    const char *key = metric == MC_METRIC_OBJECTS ? "objects" : "bytes";
    mc_metric_info base = mc_metric_info_of_key(key, strlen(key));
    return info->key_size == base.key_size && memcmp(info->key, key, base.key_size) == 0 &&
           info->unit == base.unit && info->kind == base.kind && info->is_additive &&
           !info->is_real;
}

// False: a row that can't be.
static bool take_metric(mc_mct_opener *self, mc_metric metric, const mc_mct_field *row) {
    const mc_mct_field *name = &row[MC_MCT_METRIC_NAME], *title = &row[MC_MCT_METRIC_TITLE];
    int unit = find_name(&row[MC_MCT_METRIC_UNIT], mc_unit_names);
    int kind = find_name(&row[MC_MCT_METRIC_KIND], mc_metric_kind_names);
    int64_t is_additive = row[MC_MCT_METRIC_ADDITIVE].number,
            is_real = row[MC_MCT_METRIC_REAL].number;
    int64_t says = row[MC_MCT_METRIC_SAYS].number, largest = row[MC_MCT_METRIC_LARGEST].number;
    mc_metrics *metrics = &self->trace->metrics;
    if (unit < 0 || kind < 0 || name->size == 0 || is_additive >> 1 != 0 || is_real >> 1 != 0 ||
        says < 0 || says > MC_METRIC_SAYS_ALL ||
        mc_metrics_find(metrics, name->data, name->size) != MC_NONE)
        return false;
    mc_metric_info info = {.key = name->data,
                           .title = title->data ? title->data : "",
                           .key_size = name->size,
                           .title_size = title->size,
                           .unit = (mc_unit)unit,
                           .kind = (mc_metric_kind)kind,
                           .is_additive = is_additive != 0,
                           .is_real = is_real != 0,
                           .says = (uint32_t)says};
    if (largest < 0 || (uint64_t)largest > mc_metric_get_most(&info)) return false;
    if (info.is_real) info.scale = mc_metric_choose_scale(mc_metric_unpack((uint64_t)largest));
    if (metric < MC_METRIC_FIRST_OWN && !is_base(metric, &info)) return false;
    if (mc_metrics_add(metrics, &info) == MC_NONE) mc_error_out_of_memory(self->error);
    return true;
}

// Version 1 has none but those that it knows; its steps say whether they have sizes.
mc_result mc_mct_opener_make_metrics(mc_mct_opener *self) {
    uint64_t kinds = 0;
    mc_metrics *metrics = &self->trace->metrics;
    if (!mc_metrics_add_base(metrics)) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self->file_step_count; i++)
        kinds |= self->store->columns[i].column_mask;
    for (int kind = MC_MCT_KIND_RETAINED_1; kind <= MC_MCT_KIND_CLOSURE_1; kind++) {
        const char *key = kind == MC_MCT_KIND_RETAINED_1 ? mc_metric_retained : mc_metric_closure;
        mc_metric_info info = mc_metric_info_of_key(key, strlen(key));
        if (kinds >> kind & 1 && mc_metrics_add(metrics, &info) == MC_NONE)
            return mc_error_out_of_memory(self->error);
    }
    return MC_OK;
}

static mc_result read_metric(mc_mct_opener *self, mc_metric metric) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_result result = mc_mct_opener_get(self, MC_MCT_METRIC, metric, row);
    if (result == MC_OK && !take_metric(self, metric, row))
        result = mc_mct_opener_damaged(self, "the metrics");
    if (result == MC_OK && self->trace->metrics.count <= metric) result = MC_ERROR_OUT_OF_MEMORY;
    mc_mct_file_release(&self->store->file, MC_MCT_METRIC);
    return result;
}

mc_result mc_mct_opener_read_metrics(mc_mct_opener *self) {
    mc_result result = MC_OK;
    int version = self->store->file.version;
    int64_t count = self->header[MC_MCT_TRACE_METRICS].number;
    if (version == 1) return MC_OK; // once the steps are known
    if (count < MC_METRIC_FIRST_OWN || count > MC_METRIC_MOST)
        return mc_mct_opener_damaged(self, "impossible counts");
    for (mc_metric metric = 0; metric < count && result == MC_OK; metric++)
        result = read_metric(self, metric);
    return result;
}
