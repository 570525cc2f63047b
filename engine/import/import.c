#include "engine/import/import.h"

#include "engine/import/formats.h"
#include "engine/import/graph/graph_import.h"
#include "engine/import/json/json_import.h"
#include "engine/import/mct/mct_import.h"
#include "engine/import/remote.h"
#include "engine/import/rows/rows_import.h"
#include "engine/import/source.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>

// ---- files of steps

typedef struct importer {
    mc_import_context context;
    mc_import_report report;
    mc_import_watch watch;
    mc_step_clock clock;
    mc_source_list sources;
    void *readers[MC_FORMAT_COUNT]; // made when they are needed
    size_t last;                    // of the reader that read the file before
    mc_remote *remote;              // the server of the address that was read last
} importer;

static mc_result flush(const importer *self, size_t index, mc_error *error) {
    const mc_format *format = mc_formats[index];
    return self->readers[index] && format->flush ? format->flush(self->readers[index], error)
                                                 : MC_OK;
}

// Steps of several formats are passed on in the order of their files, too.
static mc_result get_reader(importer *self, const mc_format *format, void **reader,
                            mc_error *error) {
    size_t index = 0;
    while (mc_formats[index] != format)
        index++;
    mc_result result = index != self->last ? flush(self, self->last, error) : MC_OK;
    self->last = index;
    if (result != MC_OK) return result;
    if (!self->readers[index]) {
        result = format->create(&self->context, &self->readers[index], error);
        if (result != MC_OK) return result;
    }
    *reader = self->readers[index];
    return MC_OK;
}

static mc_result read_remote(importer *self, const mc_source_file *file, mc_error *error) {
    void *reader;
    self->report.has_own_groups = true;
    mc_result result = get_reader(self, &mc_json_format, &reader, error);
    return result == MC_OK ? mc_remote_read(&self->remote, &self->context, reader, file, error)
                           : result;
}

// A file that was named right behind one that it completes is read by that one's reader.
static const mc_format *find_format(const importer *self, const mc_source_file *file,
                                    const mc_file_map *mapping) {
    const mc_format *before = mc_formats[self->last];
    void *reader = self->readers[self->last];
    bool is_unclear;
    if (file->kind != MC_SOURCE_STEP) return NULL;
    if (reader && before->completes && before->completes(reader, mapping->data, mapping->size))
        return before;
    return mc_formats_detect(mapping, &is_unclear);
}

// JSON's reader says what is wrong with a file that is of no known format.
static mc_result read_file(importer *self, const mc_source_file *file, mc_error *error) {
    mc_file_map mapping = {0};
    void *reader;
    if (file->is_remote) return read_remote(self, file, error);
    mc_result result = mc_file_map_open(&mapping, file->path, error);
    if (result != MC_OK) return result;
    const mc_format *format = find_format(self, file, &mapping);
    if (self->context.desc->is_graph) format = &mc_graph_format;
    if (!format && mapping.size == 0 && file->kind == MC_SOURCE_STEP &&
        !self->context.desc->skip_bad_steps) {
        mc_file_map_close(&mapping);
        return mc_fail(error, MC_ERROR_BAD_DATA, "%s:0: expected a step, but the file is empty",
                       file->name);
    }
    if (!format) format = &mc_json_format;
    if (file->kind == MC_SOURCE_STEP && !format->is_grouped) self->report.has_own_groups = true;
    result = get_reader(self, format, &reader, error);
    if (result == MC_OK) result = format->read(reader, file, &mapping, error);
    if (mapping.data) result = mc_file_map_finish(&mapping, file->name, result, error);
    mc_file_map_close(&mapping);
    return result == MC_OK ? mc_import_report_progress(&self->context, error) : result;
}

static mc_result read_files(importer *self, size_t begin, size_t end, mc_error *error) {
    mc_result result = MC_OK;
    for (size_t i = begin; i < end && result == MC_OK; i++)
        result = read_file(self, &self->sources.files[i], error);
    for (size_t i = 0; i < MC_FORMAT_COUNT && result == MC_OK; i++)
        result = flush(self, i, error);
    return result;
}

// Steps first: a pointer map names the leaves of its step.
static mc_result read_all(importer *self, mc_error *error) {
    const mc_import_desc *desc = self->context.desc;
    mc_result result =
        mc_source_list_find(&self->sources, desc->paths, desc->path_count, desc->log, error);
    if (result != MC_OK) return result;
    for (size_t i = 0; i < self->sources.count; i++) {
        mc_source_file *file = &self->sources.files[i];
        file->name = desc->names ? desc->names[file->group] : file->path;
    }
    self->report.input_bytes = self->context.input_size = self->sources.size;
    self->context.step_count = self->sources.step_count;
    result = read_files(self, 0, self->sources.step_count, error);
    if (result != MC_OK) return result;
    if (self->report.step_count == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "no step is left: all %" PRIu32 " are wrong or lack steps",
                       self->report.skipped_count);
    result = mc_step_clock_finish(&self->clock, error);
    if (result == MC_OK)
        result = read_files(self, self->sources.step_count, self->sources.count, error);
    if (result != MC_OK) return result;
    if (self->context.input_size < self->sources.size)
        self->context.input_size = self->sources.size;
    atomic_store(&self->watch.done, self->context.input_size);
    return mc_import_report_progress(&self->context, error);
}

static mc_result import_files(const mc_import_desc *desc, const mc_import_sink *sink,
                              mc_import_report *report, mc_error *error) {
    if (desc->rows.is_stated) return mc_rows_import(desc, sink, report, error);
    importer self = {.clock = {.list = desc->times}};
    self.context = (mc_import_context){.desc = desc,
                                       .sink = sink,
                                       .report = &self.report,
                                       .watch = &self.watch,
                                       .clock = &self.clock};
    mc_error own = {.code = MC_OK};
    mc_result result = read_all(&self, error ? error : &own);
    atomic_store(&self.watch.stop, true);
    for (size_t i = 0; i < MC_FORMAT_COUNT; i++)
        mc_formats[i]->destroy(self.readers[i]);
    mc_remote_destroy(self.remote);
    mc_source_list_deinit(&self.sources);
    if (report) *report = self.report;
    return result;
}

// ---- a trace of them, or an .mct file

static mc_result add_to_builder(void *user, const mc_step_tree *tree, const char *source,
                                mc_error *error) {
    return mc_trace_builder_add_step(user, tree, source, error);
}

static mc_result add_references_to_builder(void *user, const mc_reference_map *map,
                                           mc_reference_direction direction, mc_error *error) {
    return mc_trace_builder_add_references(user, map, direction, error);
}

static mc_result add_referrers_to_builder(void *user, const mc_step_referrers *referrers,
                                          mc_error *error) {
    return mc_trace_builder_add_referrers(user, referrers, error);
}

static mc_result add_paths_to_builder(void *user, const mc_step_paths *paths, mc_error *error) {
    return mc_trace_builder_add_paths(user, paths, error);
}

static mc_result add_owners_to_builder(void *user, const mc_step_owners *owners, mc_error *error) {
    return mc_trace_builder_add_owners(user, owners, error);
}

// ---- groups

static mc_result fail_grouping(mc_import_report *report, mc_result result) {
    report->is_wrong_grouping = result == MC_ERROR_BAD_DATA;
    return result;
}

// Whether some file is of a format whose groups are its own; of the others the list has to be one
// that who reads them knows.
static mc_result find_own_groups(const mc_import_desc *desc, mc_import_report *report,
                                 bool *has_own, mc_error *error) {
    mc_source_list sources = {0};
    mc_grouping grouping;
    bool is_unclear;
    *has_own = true;
    if (desc->rows.is_stated) return MC_OK;
    mc_result result = mc_source_list_find(&sources, desc->paths, desc->path_count, NULL, error);
    *has_own = false;
    for (size_t i = 0; i < sources.step_count && result == MC_OK; i++) {
        mc_file_map mapping = {0};
        if (sources.files[i].is_remote) {
            *has_own = true;
            continue;
        }
        result = mc_file_map_open(&mapping, sources.files[i].path, error);
        if (result != MC_OK) break;
        const mc_format *format = mc_formats_detect(&mapping, &is_unclear);
        result = mc_file_map_finish(&mapping, sources.files[i].path, MC_OK, error);
        mc_file_map_close(&mapping);
        if (!format || !format->is_grouped)
            *has_own = true;
        else if (result == MC_OK)
            result = fail_grouping(report, mc_grouping_parse(desc->group_by, &grouping, error));
    }
    mc_source_list_deinit(&sources);
    return result;
}

// In place of `trace`, which becomes the new one's, or goes.
static mc_result regroup(const mc_import_desc *desc, mc_trace **trace, mc_import_report *report,
                         mc_error *error) {
    mc_trace *base = *trace;
    mc_regrouping grouping;
    double frame_ms = mc_trace_has_methods(base) ? desc->frame_ms : 0;
    mc_result result = MC_OK;
    if (desc->group_by)
        result = mc_regrouping_parse(base, desc->group_by, &grouping, error);
    else
        grouping = mc_regrouping_of_methods(base, 0);
    grouping.frame_ms = frame_ms;
    *trace = NULL;
    if (result != MC_OK) {
        fail_grouping(report, result);
    } else if (mc_regrouping_is_own(base, &grouping)) {
        *trace = base;
        return MC_OK;
    } else {
        result = mc_trace_regroup(base, &grouping, NULL, trace, error);
    }
    if (result == MC_OK)
        mc_trace_regroup_own_base(*trace, base);
    else
        mc_trace_destroy(base);
    return result;
}

// Who waits for an import is told bytes of input; the builder, which has its own numbers, asks him
// with those that he was told last.
typedef struct last_progress {
    const mc_progress *progress;
    uint64_t done, total;
} last_progress;

static bool report_first(void *user, uint64_t done, uint64_t total) {
    last_progress *self = user;
    self->done = done;
    self->total = total;
    return mc_progress_report(self->progress, done, total);
}

static bool report_again(void *user, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    const last_progress *self = user;
    return mc_progress_report(self->progress, self->done, self->total);
}

static mc_result build_trace(const mc_import_desc *desc, mc_trace **trace, mc_import_report *report,
                             mc_error *error) {
    mc_trace_builder *builder = NULL;
    last_progress last = {.progress = desc->progress};
    mc_progress first = {report_first, &last}, again = {report_again, &last};
    mc_import_desc own = *desc;
    own.progress = &first;
    mc_result result = mc_trace_builder_create(desc->log, &builder, error);
    if (result != MC_OK) return result;
    mc_trace_builder_set_progress(builder, &again);
    mc_import_sink sink = {add_to_builder,           add_references_to_builder,
                           add_referrers_to_builder, add_paths_to_builder,
                           add_owners_to_builder,    builder};
    // All that reading needed is given back before the builder packs the trace.
    result = import_files(&own, &sink, report, error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, error);
    mc_trace_builder_destroy(builder);
    return result;
}

// As its files have it, but for what their reader groups.
static mc_result open_trace(const mc_import_desc *desc, const char *mct, mc_trace **trace,
                            mc_import_report *report, mc_error *error) {
    return mct ? mc_mct_import_open(desc, mct, trace, report, error)
               : build_trace(desc, trace, report, error);
}

mc_result mc_import_trace(const mc_import_desc *desc, mc_trace **trace, mc_import_report *report,
                          mc_error *error) {
    const char *mct;
    *trace = NULL;
    mc_result result = mc_mct_import_find(desc, &mct, error);
    mc_import_report own;
    bool has_own = false;
    if (!report) report = &own;
    *report = (mc_import_report){0};
    if (result == MC_OK && desc->group_by && !mct)
        result = find_own_groups(desc, report, &has_own, error);
    if (result == MC_OK) result = open_trace(desc, mct, trace, report, error);
    if (result != MC_OK) return result;
    if (desc->notes) result = mc_trace_take_notes(*trace, desc->notes, error);
    if (result != MC_OK) {
        mc_trace_destroy(*trace);
        *trace = NULL;
        return result;
    }
    bool regroups = report->has_own_groups && desc->group_by && !desc->keeps_groups;
    regroups |= desc->frame_ms > 0 && mc_trace_has_methods(*trace);
    return regroups ? regroup(desc, trace, report, error) : MC_OK;
}

mc_result mc_import_steps(const mc_import_desc *desc, const mc_import_sink *sink,
                          mc_import_report *report, mc_error *error) {
    const char *mct;
    mc_trace *trace;
    mc_import_report own;
    mc_result result = mc_mct_import_find(desc, &mct, error);
    bool is_trace = mct != NULL;
    if (!report) report = &own;
    *report = (mc_import_report){0};
    if (result == MC_OK && desc->group_by && !mct)
        result = find_own_groups(desc, report, &is_trace, error);
    if (result != MC_OK) return result;
    if (!is_trace) return import_files(desc, sink, report, error);
    // What is regrouped has to be there as a whole.
    result = mc_import_trace(desc, &trace, report, error);
    if (result == MC_OK) result = mc_mct_import_pass(trace, desc, desc->paths[0], sink, error);
    mc_trace_destroy(trace);
    return result;
}
