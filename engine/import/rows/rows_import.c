#include "engine/import/rows/rows_import.h"

#include "engine/base/clock.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/rows/rows_detect.h"
#include "engine/import/rows/rows_order.h"
#include "engine/import/rows/rows_references.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASK_NS 50000000 // between two questions whether to go on

// A step in one of two threads: it is read in one, and passed on in the other.
typedef struct job {
    mc_step_tree tree;
    mc_reference_map maps[2];
    bool has[2];
} job;

#define JOB_COUNT 2

typedef struct importer {
    const mc_import_context *context;
    const char *name;
    mc_rows_source source;
    int reference_fd; // -1: none
    mc_rows_reader *reader;
    mc_rows_order *order;
    mc_rows_steps *steps;
    mc_rows_references *references; // NULL: none
    const mc_rows_row *row;         // that begins the next step; NULL: none was read

    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool has_mutex, has_thread;
    job jobs[JOB_COUNT];
    uint64_t filled, taken; // jobs; the next is number `filled` % JOB_COUNT
    bool is_done;           // none comes behind those that are filled
    mc_result result;       // why not
    mc_error error;
} importer;

static const char *get_folder(const mc_import_desc *desc) {
    if (desc->rows.folder) return desc->rows.folder;
    return desc->temporary_folder ? desc->temporary_folder : "/var/tmp";
}

// ---- reading

static mc_result make_references(importer *self, job *own) {
    mc_error *error = &self->error;
    own->has[0] = own->has[1] = false;
    return self->references ? mc_rows_references_take(self->references, self->steps,
                                                      own->tree.time_ms, own->maps, own->has, error)
                            : MC_OK;
}

// *is_there is false behind the last step.
static mc_result make_step(importer *self, job *own, bool *is_there) {
    mc_error *error = &self->error;
    mc_result result = MC_OK;
    if (!self->row) result = mc_rows_order_next(self->order, &self->row, error);
    *is_there = self->row != NULL;
    if (result != MC_OK) return result;
    if (!self->row)
        return self->references ? mc_rows_references_finish(self->references, error) : MC_OK;
    result = mc_rows_steps_begin(self->steps, self->row->time_ms, &own->tree, error);
    while (result == MC_OK && self->row && self->row->time_ms == own->tree.time_ms) {
        result = mc_rows_steps_add(self->steps, self->row, error);
        if (result == MC_OK) result = mc_rows_order_next(self->order, &self->row, error);
    }
    if (result == MC_OK) result = mc_rows_steps_end(self->steps, error);
    return result == MC_OK ? make_references(self, own) : result;
}

// Before its first step: the groups that references name are known from then on.
static mc_result open_references(importer *self) {
    const mc_import_desc *desc = self->context->desc;
    const char *path = desc->rows.references;
    if (!path) return MC_OK;
    bool is_standard = strcmp(path, "-") == 0;
    int fd = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (!is_standard) self->reference_fd = fd;
    if (fd < 0)
        return mc_fail(&self->error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
    mc_rows_references_desc references = {
        .reader = {.source = {.name = is_standard ? "standard input" : path,
                              .fd = fd,
                              .watch = self->source.watch},
                   .options = &desc->rows,
                   .partial = desc->partial,
                   .log = desc->log,
                   .rows = self->reader},
        .folder = get_folder(desc)};
    return mc_rows_references_create(&references, &self->references, &self->error);
}

static mc_result make_steps(importer *self) {
    mc_result result = MC_OK;
    for (bool is_there = true; result == MC_OK && is_there;) {
        pthread_mutex_lock(&self->mutex);
        while (self->filled - self->taken == JOB_COUNT &&
               !mc_import_watch_should_stop(self->context->watch))
            pthread_cond_wait(&self->changed, &self->mutex);
        job *own = &self->jobs[self->filled % JOB_COUNT];
        pthread_mutex_unlock(&self->mutex);
        if (mc_import_watch_should_stop(self->context->watch))
            return mc_fail(&self->error, MC_ERROR_CANCELLED, "cancelled");
        result = make_step(self, own, &is_there);
        if (result != MC_OK || !is_there) break;
        pthread_mutex_lock(&self->mutex);
        self->filled++;
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->mutex);
    }
    return result;
}

// Here, too, as whoever writes a pipe may take his time before the first row.
static mc_result prepare(importer *self) {
    const mc_import_desc *desc = self->context->desc;
    mc_rows_source source = self->source;
    mc_rows_reader_desc reader = {
        .source = source, .options = &desc->rows, .partial = desc->partial, .log = desc->log};
    mc_result result = mc_rows_reader_create(&reader, &self->reader, &self->error);
    if (result == MC_OK) result = open_references(self);
    if (result == MC_OK) result = mc_rows_steps_create(self->reader, &self->steps, &self->error);
    if (result != MC_OK) return result;
    mc_rows_order_desc order = {.reader = self->reader,
                                .folder = get_folder(desc),
                                .is_unordered = desc->rows.is_unordered,
                                .is_rising = self->references != NULL,
                                .watch = source.watch};
    return mc_rows_order_create(&order, &self->order, &self->error);
}

static void *run(void *user) {
    importer *self = user;
    mc_result result = prepare(self);
    if (result == MC_OK) result = make_steps(self);
    pthread_mutex_lock(&self->mutex);
    self->result = result;
    self->is_done = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

// ---- passing on

static mc_result pass_step(importer *self, const job *own, mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    mc_result result = sink->add_step(sink->user, &own->tree, self->name, error);
    for (int i = 0; i < 2 && result == MC_OK; i++)
        if (own->has[i])
            result =
                sink->add_references(sink->user, &own->maps[i], (mc_reference_direction)i, error);
    if (result == MC_ERROR_BAD_DATA) return mc_error_prepend(error, self->name);
    if (result == MC_OK) self->context->report->step_count++;
    return result == MC_OK ? mc_import_report_progress(self->context, error) : result;
}

// The step that is passed on next; NULL: there are no more. Asks now and then whether to go on.
static mc_result wait_for_job(importer *self, job **own, mc_error *error) {
    mc_result result = MC_OK;
    pthread_mutex_lock(&self->mutex);
    while (self->filled == self->taken && !self->is_done && result == MC_OK) {
        struct timespec until = mc_clock_get_deadline(CLOCK_REALTIME, ASK_NS);
        pthread_cond_timedwait(&self->changed, &self->mutex, &until);
        pthread_mutex_unlock(&self->mutex);
        result = mc_import_report_progress(self->context, error);
        pthread_mutex_lock(&self->mutex);
    }
    *own = self->filled > self->taken ? &self->jobs[self->taken % JOB_COUNT] : NULL;
    if (result == MC_OK && !*own && self->result != MC_OK) {
        result = self->result;
        *error = self->error;
    }
    pthread_mutex_unlock(&self->mutex);
    return result;
}

static mc_result pass_steps(importer *self, mc_error *error) {
    for (;;) {
        job *own;
        mc_result result = wait_for_job(self, &own, error);
        if (result != MC_OK || !own) return result;
        result = pass_step(self, own, error);
        if (result != MC_OK) return result;
        pthread_mutex_lock(&self->mutex);
        self->taken++;
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->mutex);
    }
}

static mc_result start(importer *self, mc_error *error) {
    self->has_mutex =
        pthread_mutex_init(&self->mutex, NULL) == 0 && pthread_cond_init(&self->changed, NULL) == 0;
    self->has_thread = self->has_mutex && pthread_create(&self->thread, NULL, run, self) == 0;
    return self->has_thread ? MC_OK : mc_error_out_of_memory(error);
}

static void stop(importer *self) {
    if (self->has_thread) {
        pthread_mutex_lock(&self->mutex);
        if (!self->is_done) atomic_store(&self->context->watch->stop, true);
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->mutex);
        pthread_join(self->thread, NULL);
    }
    if (self->has_mutex) {
        pthread_mutex_destroy(&self->mutex);
        pthread_cond_destroy(&self->changed);
    }
    mc_rows_references_destroy(self->references);
    mc_rows_order_destroy(self->order);
    mc_rows_steps_destroy(self->steps);
    mc_rows_reader_destroy(self->reader);
    for (int i = 0; i < JOB_COUNT; i++) {
        mc_step_tree_deinit(&self->jobs[i].tree);
        mc_reference_map_deinit(&self->jobs[i].maps[0]);
        mc_reference_map_deinit(&self->jobs[i].maps[1]);
    }
}

static mc_result import_source(const mc_import_context *context, mc_rows_source source,
                               mc_error *error) {
    importer self = {.context = context, .name = source.name, .source = source, .reference_fd = -1};
    mc_result result = start(&self, error);
    if (result == MC_OK) result = pass_steps(&self, error);
    stop(&self);
    if (self.reference_fd >= 0) close(self.reference_fd);
    return result;
}

// ---- rows that are said to be some

static mc_result import_path(mc_import_context *context, const char *path, mc_error *error) {
    bool is_standard = strcmp(path, "-") == 0;
    const char *name = is_standard ? "standard input" : path;
    struct stat status;
    int fd = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return mc_fail(error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        context->input_size += (uint64_t)status.st_size;
    mc_rows_source source = {.name = name, .fd = fd, .watch = context->watch};
    mc_result result = import_source(context, source, error);
    if (!is_standard) close(fd);
    return result;
}

mc_result mc_rows_import(const mc_import_desc *desc, const mc_import_sink *sink,
                         mc_import_report *report, mc_error *error) {
    mc_import_watch watch = {0};
    mc_import_report own = {.has_own_groups = true};
    mc_import_context context = {.desc = desc, .sink = sink, .report = &own, .watch = &watch};
    mc_error unused = {0};
    mc_result result = MC_OK;
    if (!error) error = &unused;
    for (uint32_t i = 0; i < desc->path_count && result == MC_OK; i++)
        result = import_path(&context, desc->paths[i], error);
    own.input_bytes = atomic_load(&watch.done);
    if (report) *report = own;
    if (result != MC_OK || own.step_count > 0) return result;
    return mc_fail(error, MC_ERROR_BAD_DATA, "expected rows behind the header line, found none");
}

// ---- rows that are recognised

static mc_result read_file(void *reader, const mc_source_file *file, mc_file_map *mapping,
                           mc_error *error) {
    const mc_import_context *context = reader;
    mc_rows_source source = {.name = file->path,
                             .fd = -1,
                             .data = mapping->data,
                             .size = mapping->size,
                             .watch = context->watch};
    mc_result result = MC_OK;
    if (mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE)
        result = mc_inflate_stream_create(mapping->data, mapping->size, context->watch,
                                          &source.packed, error);
    if (result == MC_OK) result = import_source(context, source, error);
    mc_inflate_stream_destroy(source.packed);
    return result;
}

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    (void)error;
    *reader = (void *)context;
    return MC_OK;
}

static void destroy(void *reader) {
    (void)reader;
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_rows_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_rows_format = {
    .id = "rows",
    .title = "rows",
    .help = "tab-separated or CSV rows: time, classifiers, objects, bytes, metrics",
    .record = "any database (docs/reference/rows.md)",
    .options = "--rows and those below it of memcity import",
    .extensions = {".tsv", ".csv"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = read_file,
    .destroy = destroy};
