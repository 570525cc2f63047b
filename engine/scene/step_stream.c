#include "engine/scene/step_stream.h"

#include "engine/base/memory.h"
#include "engine/trace/versus/versus.h"
#include <pthread.h>

#define LARGEST_STRIDE 16 // a larger change is a jump, after which the neighbours come next

typedef enum column_state {
    COLUMN_EMPTY,
    COLUMN_READING,
    COLUMN_READY,
    COLUMN_FAILED
} column_state;

typedef struct column {
    column_state state;
    uint32_t step;
    uint64_t *counts, *values;
    uint64_t leaf_total;
    mc_error error;
} column;

struct mc_step_stream {
    const mc_trace *trace;
    mc_step_stream_desc desc;
    uint64_t *half; // scratch of the thread; NULL: not needed
    bool reads_ahead;
    uint32_t shown, shown_before; // columns that were got last; MC_NONE: none

    pthread_t thread;
    bool has_thread, has_mutex, has_wanted, has_read;
    pthread_mutex_t mutex;
    pthread_cond_t wanted, read; // something is wanted, or it is time to quit; a step has been read
    // Guarded by the mutex, but for what a column that is being read holds.
    column columns[MC_STEP_STREAM_COLUMNS];
    uint32_t steps[1 + MC_STEP_STREAM_AHEAD]; // wanted, most urgent first; MC_NONE: nothing
    uint32_t kept[2];                         // columns that must stay as they are
    bool quit;
};

static uint64_t sum_leaves(const mc_node_columns *nodes, const mc_metric_info *info,
                           const uint64_t *values) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        if (nodes->child_count[i] > 0) continue;
        uint64_t count = mc_metric_get_count(info, values[i]);
        sum = count < UINT64_MAX - sum ? sum + count : UINT64_MAX;
    }
    return sum;
}

static void gather(const mc_step_stream_desc *desc, const uint64_t *values, uint32_t first,
                   uint32_t end, uint64_t *counts) {
    for (uint32_t i = first; i < end; i++)
        counts[i] = values[desc->nodes[i]];
}

// Of two traces side by side each by itself.
static mc_result gather_halves(const mc_step_stream *stream, column *to) {
    const mc_step_stream_desc *desc = &stream->desc;
    const uint32_t ends[] = {0, desc->half_count, desc->node_count};
    mc_result result = MC_OK;
    for (uint32_t half = 0; half < 2 && result == MC_OK; half++) {
        mc_metric metric =
            mc_versus_get_metric(stream->trace, desc->metric, (mc_versus_values)half);
        result = mc_trace_read_column(stream->trace, to->step, metric, stream->half, &to->error);
        if (result == MC_OK) gather(desc, stream->half, ends[half], ends[half + 1], to->counts);
    }
    return result;
}

// In the stream's thread, without the mutex.
static mc_result read_step(mc_step_stream *stream, column *to) {
    const mc_step_stream_desc *desc = &stream->desc;
    const mc_metric_info *info = mc_trace_get_metric(stream->trace, desc->metric);
    mc_result result =
        mc_trace_read_column(stream->trace, to->step, desc->metric, to->values, &to->error);
    if (result != MC_OK) return result;
    if (desc->half_count > 0)
        result = gather_halves(stream, to);
    else
        gather(desc, to->values, 0, desc->node_count, to->counts);
    if (result != MC_OK) return result;
    mc_metric_get_counts(info, to->counts, desc->node_count);
    to->leaf_total = sum_leaves(mc_trace_get_nodes(stream->trace), info, to->values);
    return MC_OK;
}

static uint32_t find_column(const mc_step_stream *stream, uint32_t step) {
    for (uint32_t i = 0; i < MC_STEP_STREAM_COLUMNS; i++)
        if (stream->columns[i].state != COLUMN_EMPTY && stream->columns[i].step == step) return i;
    return MC_NONE;
}

static bool is_wanted(const mc_step_stream *stream, const column *at) {
    if (at->state == COLUMN_EMPTY) return false;
    for (uint32_t i = 0; i <= MC_STEP_STREAM_AHEAD; i++)
        if (stream->steps[i] == at->step) return true;
    return false;
}

// There is always one: two columns are kept, and of the wanted steps one is missing.
static column *find_free_column(mc_step_stream *stream) {
    for (uint32_t i = 0; i < MC_STEP_STREAM_COLUMNS; i++)
        if (i != stream->kept[0] && i != stream->kept[1] && !is_wanted(stream, &stream->columns[i]))
            return &stream->columns[i];
    return NULL;
}

static uint32_t find_missing_step(const mc_step_stream *stream) {
    for (uint32_t i = 0; i <= MC_STEP_STREAM_AHEAD; i++)
        if (stream->steps[i] != MC_NONE && find_column(stream, stream->steps[i]) == MC_NONE)
            return stream->steps[i];
    return MC_NONE;
}

static void *read_steps(void *user) {
    mc_step_stream *stream = user;
    pthread_mutex_lock(&stream->mutex);
    while (!stream->quit) {
        uint32_t step = find_missing_step(stream);
        if (step == MC_NONE) {
            pthread_cond_wait(&stream->wanted, &stream->mutex);
            continue;
        }
        column *to = find_free_column(stream);
        assert(to);
        to->state = COLUMN_READING;
        to->step = step;
        pthread_mutex_unlock(&stream->mutex);
        mc_result result = read_step(stream, to);
        pthread_mutex_lock(&stream->mutex);
        to->state = result == MC_OK ? COLUMN_READY : COLUMN_FAILED;
        pthread_cond_signal(&stream->read);
    }
    pthread_mutex_unlock(&stream->mutex);
    return NULL;
}

static mc_result allocate(mc_step_stream *stream, mc_error *error) {
    size_t count = (size_t)stream->desc.node_count + 1; // never none
    uint32_t all_count = mc_trace_get_nodes(stream->trace)->count;
    bool fits = true;
    if (stream->desc.half_count > 0) {
        stream->half = mc_alloc(all_count, sizeof *stream->half);
        fits = stream->half != NULL;
    }
    for (uint32_t i = 0; i < MC_STEP_STREAM_COLUMNS; i++) {
        column *at = &stream->columns[i];
        at->counts = mc_alloc_zero(count, sizeof *at->counts);
        at->values = mc_alloc(all_count, sizeof *at->values);
        fits = fits && at->counts && at->values;
    }
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_step_stream_create(const mc_trace *trace, const mc_step_stream_desc *desc,
                                mc_step_stream **out, mc_error *error) {
    *out = NULL;
    mc_step_stream *stream = mc_alloc_zero(1, sizeof *stream);
    if (!stream) return mc_error_out_of_memory(error);
    stream->trace = trace;
    stream->desc = *desc;
    stream->shown = stream->shown_before = MC_NONE;
    stream->kept[0] = stream->kept[1] = MC_NONE;
    for (uint32_t i = 0; i <= MC_STEP_STREAM_AHEAD; i++)
        stream->steps[i] = MC_NONE;
    mc_result result = allocate(stream, error);
    if (result == MC_OK) {
        stream->has_mutex = pthread_mutex_init(&stream->mutex, NULL) == 0;
        stream->has_wanted = pthread_cond_init(&stream->wanted, NULL) == 0;
        stream->has_read = pthread_cond_init(&stream->read, NULL) == 0;
        if (stream->has_mutex && stream->has_wanted && stream->has_read)
            stream->has_thread = pthread_create(&stream->thread, NULL, read_steps, stream) == 0;
        if (!stream->has_thread)
            result = mc_fail(error, MC_ERROR_UNSUPPORTED, "can't start a background thread");
    }
    if (result == MC_OK) {
        *out = stream;
    } else {
        mc_step_stream_destroy(stream);
    }
    return result;
}

void mc_step_stream_destroy(mc_step_stream *stream) {
    if (!stream) return;
    if (stream->has_thread) {
        pthread_mutex_lock(&stream->mutex);
        stream->quit = true;
        pthread_cond_signal(&stream->wanted);
        pthread_mutex_unlock(&stream->mutex);
        pthread_join(stream->thread, NULL);
    }
    if (stream->has_mutex) pthread_mutex_destroy(&stream->mutex);
    if (stream->has_wanted) pthread_cond_destroy(&stream->wanted);
    if (stream->has_read) pthread_cond_destroy(&stream->read);
    for (uint32_t i = 0; i < MC_STEP_STREAM_COLUMNS; i++) {
        mc_free(stream->columns[i].counts);
        mc_free(stream->columns[i].values);
    }
    mc_free(stream->half);
    mc_free(stream);
}

// The step that probably follows, `count` changes on.
static uint32_t predict(const mc_step_stream *stream, uint32_t step, uint32_t count) {
    mc_step_range window = stream->desc.window;
    if (step < window.first_step || step > window.last_step) return MC_NONE;
    int64_t stride = 1, length = (int64_t)window.last_step - window.first_step + 1;
    if (stream->shown != MC_NONE) {
        stride = (int64_t)step - stream->columns[stream->shown].step;
        if (stride > LARGEST_STRIDE || stride < -LARGEST_STRIDE || stride == 0) stride = 1;
    }
    int64_t at = ((int64_t)step - window.first_step + stride * count) % length;
    return window.first_step + (uint32_t)(at < 0 ? at + length : at);
}

// With the mutex.
static void want(mc_step_stream *stream, uint32_t step) {
    stream->steps[0] = step;
    for (uint32_t i = 1; i <= MC_STEP_STREAM_AHEAD; i++)
        stream->steps[i] = stream->reads_ahead ? predict(stream, step, i) : MC_NONE;
    pthread_cond_signal(&stream->wanted);
}

mc_result mc_step_stream_get(mc_step_stream *stream, uint32_t step, mc_step_counts *counts,
                             mc_error *error) {
    mc_result result = MC_OK;
    pthread_mutex_lock(&stream->mutex);
    bool is_shown = stream->shown != MC_NONE && stream->columns[stream->shown].step == step;
    if (!is_shown) {
        stream->reads_ahead = stream->reads_ahead || stream->shown != MC_NONE;
        want(stream, step);
    }
    uint32_t found;
    while ((found = find_column(stream, step)) == MC_NONE ||
           stream->columns[found].state == COLUMN_READING)
        pthread_cond_wait(&stream->read, &stream->mutex);
    column *got = &stream->columns[found];
    if (got->state == COLUMN_FAILED) {
        result = got->error.code;
        if (error) *error = got->error;
        // Whoever asks again wants another try, but until then there is none.
        got->state = COLUMN_EMPTY;
        stream->steps[0] = MC_NONE;
    } else {
        if (!is_shown) {
            stream->shown_before = stream->shown;
            stream->shown = found;
        }
        stream->kept[0] = stream->shown;
        stream->kept[1] = stream->shown_before;
        *counts = (mc_step_counts){got->counts, got->values, got->leaf_total};
    }
    pthread_mutex_unlock(&stream->mutex);
    return result;
}

void mc_step_stream_read_ahead(mc_step_stream *stream) {
    if (stream->reads_ahead || stream->shown == MC_NONE) return;
    pthread_mutex_lock(&stream->mutex);
    stream->reads_ahead = true;
    want(stream, stream->columns[stream->shown].step);
    pthread_mutex_unlock(&stream->mutex);
}
