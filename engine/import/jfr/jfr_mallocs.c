#include "engine/import/jfr/jfr_mallocs.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/radix.h"

#define PART_COUNT UINT32_C(65536)
#define SPAN_BITS_MOST 46    // of a window's time, which sorts to some ns
#define WINDOW_PARTS_MIN 256 // however long that is: each window reads its chunks again
#define AHEAD 16             // events that are fetched into the cache
#define EVENTS_A_REPORT 65536
#define MS_A_MOMENT 10 // of the film, which takes a snapshot each time

mc_jfr_mallocs *mc_jfr_mallocs_create(mc_jfr_span span) {
    mc_jfr_mallocs *self = mc_alloc_zero(1, sizeof *self);
    if (!self) return NULL;
    self->span = span;
    self->over = MC_NONE;
    mc_film_init(&self->film, span.moment_count);
    self->parts = mc_alloc_zero(PART_COUNT, sizeof *self->parts);
    if (self->parts) return self;
    mc_jfr_mallocs_destroy(self);
    return NULL;
}

void mc_jfr_mallocs_destroy(mc_jfr_mallocs *self) {
    if (!self) return;
    mc_free(self->parts);
    mc_free(self->chunks);
    mc_film_deinit(&self->film);
    mc_live_blocks_deinit(&self->live);
    mc_free(self->blocks);
    mc_free(self);
}

// ---- the survey

// A later time has no lower part.
static uint32_t find_part(const mc_jfr_span *span, int64_t time_ns) {
    const double length = (double)(span->end_ns - span->start_ns);
    if (time_ns <= span->start_ns || length <= 0) return 0;
    const double part = (double)(time_ns - span->start_ns) * (PART_COUNT / length);
    return part < PART_COUNT ? (uint32_t)part : PART_COUNT - 1;
}

bool mc_jfr_mallocs_survey(mc_jfr_mallocs *self, const mc_jfr_header *header, int64_t time_ns,
                           bool is_free) {
    const uint32_t part = find_part(&self->span, time_ns);
    mc_jfr_malloc_chunk *last = self->chunk_count > 0 ? &self->chunks[self->chunk_count - 1] : NULL;
    if (!last || last->header.offset != header->offset) {
        if (!mc_reserve(&self->chunks, &self->chunk_capacity, self->chunk_count + 1,
                        sizeof *self->chunks))
            return false;
        last = &self->chunks[self->chunk_count++];
        *last = (mc_jfr_malloc_chunk){.header = *header, .first_part = part, .last_part = part};
    }
    if (part < last->first_part) last->first_part = part;
    if (part > last->last_part) last->last_part = part;
    self->parts[part]++;
    *(is_free ? &self->free_count : &self->malloc_count) += 1;
    return true;
}

void mc_jfr_mallocs_set_interval(mc_jfr_mallocs *self, const mc_jfr_header *header,
                                 uint64_t interval) {
    mc_jfr_malloc_chunk *last = self->chunk_count > 0 ? &self->chunks[self->chunk_count - 1] : NULL;
    if (!last || last->header.offset != header->offset) return;
    last->interval = interval;
    if (interval > self->interval) self->interval = interval;
}

// ---- a window

enum { TIME, THREAD, STACK, ADDRESS, SIZE };

static const char *const malloc_fields[] = {"startTime", "eventThread", "stackTrace",
                                            "address",   "size",        NULL};
static const char *const free_fields[] = {"startTime", "-", "-", "address", NULL};
static const char *const time_fields[] = {"startTime", NULL};

typedef struct event {
    uint64_t address, bytes;
    uint32_t kind; // MC_NONE: a free
    uint32_t objects;
} event;

typedef struct window {
    uint32_t first_part, end_part; // parts [first, end) of the time
    size_t capacity;               // of what follows
    uint32_t count;
    event *events;
    uint64_t *words, *spare; // the times of events, then also their numbers
    int64_t first_ns, last_ns;
} window;

// Up to how many bits of a word events are numbered in.
static uint32_t count_bits(uint64_t count) {
    return count > 1 ? 64 - (uint32_t)__builtin_clzll(count - 1) : 0;
}

// The window that begins there, as large as may be, but not empty.
static uint64_t choose_window(const mc_jfr_mallocs *self, uint32_t first_part, window *w) {
    const uint64_t part_ns = (uint64_t)(self->span.end_ns - self->span.start_ns) / PART_COUNT + 1;
    uint64_t most = (UINT64_C(1) << SPAN_BITS_MOST) / part_ns;
    if (most < WINDOW_PARTS_MIN) most = WINDOW_PARTS_MIN;
    uint64_t count = self->parts[first_part];
    w->first_part = first_part;
    w->end_part = first_part + 1;
    while (w->end_part < PART_COUNT && w->end_part - first_part < most &&
           count + self->parts[w->end_part] <= MC_JFR_WINDOW_EVENTS)
        count += self->parts[w->end_part++];
    return count;
}

static bool create_window(const mc_jfr_mallocs *self, window *w) {
    uint64_t most = 0;
    for (uint32_t part = 0; part < PART_COUNT; part = w->end_part) {
        const uint64_t count = choose_window(self, part, w);
        if (count > most) most = count;
    }
    w->capacity = most < MC_NONE ? (size_t)most : 0;
    w->events = mc_alloc(w->capacity, sizeof *w->events);
    w->words = mc_alloc(w->capacity, sizeof *w->words);
    w->spare = mc_alloc(w->capacity, sizeof *w->spare);
    return w->events && w->words && w->spare;
}

static void deinit_window(window *w) {
    mc_free(w->events);
    mc_free(w->words);
    mc_free(w->spare);
}

// What the recorded mallocs stand for: one of a block that is smaller than the interval was
// recorded with the probability of size / interval, a larger one always.
static void set_size(event *e, uint64_t size, uint64_t interval) {
    e->bytes = size;
    e->objects = 1;
    if (size == 0 || size >= interval) return;
    const uint64_t objects = interval / size + (interval % size >= size - size / 2);
    e->bytes = interval;
    e->objects = objects < UINT32_MAX ? (uint32_t)objects : UINT32_MAX;
}

// A chunk that is read again.
typedef struct chunk_reader {
    mc_jfr_mallocs *mallocs;
    const mc_jfr_mallocs_input *input;
    const mc_jfr_malloc_chunk *from; // NULL: none is open
    mc_jfr_plan malloc_plan, free_plan, time_plans[2];
    uint64_t malloc_id, free_id;
    bool has_malloc, has_free;
    uint32_t until_report;
} chunk_reader;

static mc_result open_chunk(chunk_reader *self, const mc_jfr_malloc_chunk *from, mc_error *error) {
    mc_jfr_chunk *chunk = self->input->chunk;
    bool is_there;
    if (self->from == from) return MC_OK;
    self->from = NULL;
    mc_jfr_names_begin_chunk(self->input->names);
    mc_result result = mc_jfr_chunk_open(chunk, self->input->data, &from->header, &is_there, error);
    if (result != MC_OK) return result;
    const uint32_t malloc_type = mc_jfr_chunk_find_type(chunk, MC_JFR_MALLOC);
    const uint32_t free_type = mc_jfr_chunk_find_type(chunk, MC_JFR_FREE);
    self->malloc_plan = mc_jfr_plan_make(chunk, malloc_type, malloc_fields);
    self->free_plan = mc_jfr_plan_make(chunk, free_type, free_fields);
    self->time_plans[false] = mc_jfr_plan_make(chunk, malloc_type, time_fields);
    self->time_plans[true] = mc_jfr_plan_make(chunk, free_type, time_fields);
    self->has_malloc = is_there && malloc_type != MC_NONE;
    self->has_free = is_there && free_type != MC_NONE;
    if (self->has_malloc) self->malloc_id = chunk->types[malloc_type].id;
    if (self->has_free) self->free_id = chunk->types[free_type].id;
    self->from = from;
    return MC_OK;
}

static mc_result find_kind(chunk_reader *self, const mc_jfr_event *e,
                           const uint64_t numbers[MC_JFR_PLAN_SLOTS_MOST], uint32_t *kind,
                           mc_error *error) {
    mc_jfr_names *names = self->input->names;
    const mc_jfr_plan *plan = &self->malloc_plan;
    mc_jfr_chunk *chunk = self->input->chunk;
    mc_film *film = &self->mallocs->film;
    const unsigned char *slots[MC_JFR_PLAN_SLOTS_MOST];
    *kind = mc_jfr_names_find_known_native_kind(names, numbers[STACK], numbers[THREAD]);
    if (*kind != MC_NONE) return MC_OK;
    mc_result result = mc_jfr_plan_read(chunk, plan, e, slots, error);
    if (result != MC_OK) return result;
    *kind = mc_jfr_names_find_native_kind(
        names, chunk, mc_jfr_plan_get_value(chunk, plan, STACK, slots[STACK], e->end),
        numbers[STACK], mc_jfr_plan_get_value(chunk, plan, THREAD, slots[THREAD], e->end),
        numbers[THREAD]);
    if (*kind == MC_NONE) return mc_error_out_of_memory(error);
    if (*kind == film->kind_count && mc_film_add_kind(film) == MC_NONE)
        return mc_error_out_of_memory(error);
    return MC_OK;
}

// An event of the window's time goes into it.
static mc_result take_event(chunk_reader *self, window *w, const mc_jfr_event *e, bool is_free,
                            mc_error *error) {
    mc_jfr_chunk *chunk = self->input->chunk;
    const mc_jfr_plan *plan = is_free ? &self->free_plan : &self->malloc_plan;
    uint64_t numbers[MC_JFR_PLAN_SLOTS_MOST];
    mc_result result =
        mc_jfr_plan_read_numbers(chunk, &self->time_plans[is_free], e, numbers, error);
    if (result != MC_OK) return result;
    const int64_t time_ns = mc_jfr_chunk_convert_ticks(chunk, (int64_t)numbers[TIME]);
    const uint32_t part = find_part(&self->mallocs->span, time_ns);
    if (part < w->first_part || part >= w->end_part || w->count == w->capacity) return MC_OK;
    result = mc_jfr_plan_read_numbers(chunk, plan, e, numbers, error);
    if (result != MC_OK) return result;
    event *added = &w->events[w->count];
    *added = (event){.address = numbers[ADDRESS], .kind = MC_NONE};
    if (!is_free) {
        result = find_kind(self, e, numbers, &added->kind, error);
        if (result != MC_OK) return result;
        set_size(added, numbers[SIZE], self->from->interval);
    }
    if (w->count == 0 || time_ns < w->first_ns) w->first_ns = time_ns;
    if (w->count == 0 || time_ns > w->last_ns) w->last_ns = time_ns;
    w->words[w->count++] = (uint64_t)time_ns;
    return MC_OK;
}

static mc_result read_chunk(chunk_reader *self, const mc_jfr_malloc_chunk *from, window *w,
                            mc_error *error) {
    mc_jfr_chunk *chunk = self->input->chunk;
    mc_error own = {.code = MC_OK};
    mc_jfr_event e;
    mc_result result = open_chunk(self, from, error);
    if (result != MC_OK) return result;
    const unsigned char *at = chunk->begin + MC_JFR_HEADER_SIZE;
    while (result == MC_OK && mc_jfr_chunk_next_event(chunk, &at, &e, &own)) {
        const bool is_free = self->has_free && e.type_id == self->free_id;
        if (--self->until_report == 0) {
            self->until_report = EVENTS_A_REPORT;
            if (!mc_progress_report(self->input->progress, self->input->size, self->input->size))
                return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        }
        if (is_free || (self->has_malloc && e.type_id == self->malloc_id))
            result = take_event(self, w, &e, is_free, error);
    }
    return result;
}

// ---- applying it

// Where the moment ends and the next one begins, as moments are found by times.
static int64_t find_moment_end(const mc_jfr_span *span, uint32_t moment) {
    __extension__ typedef __int128 wide;
    if (moment + 1 >= span->moment_count) return INT64_MAX;
    const wide length = (wide)span->end_ns - span->start_ns;
    const wide end = (length * (moment + 1) + span->moment_count - 1) / span->moment_count;
    return (int64_t)(span->start_ns + end);
}

static void end_moment(mc_jfr_mallocs *self) {
    mc_film_set_time(&self->film, (int64_t)++self->moment * MS_A_MOMENT);
    self->moment_end_ns = find_moment_end(&self->span, self->moment);
}

static void end_block(mc_jfr_mallocs *self, uint32_t index) {
    mc_jfr_block *block = &self->blocks[index];
    mc_film_free_sample(&self->film, block->kind, block->objects, block->bytes);
    block->next_over = self->over;
    self->over = index;
}

static bool begin_block(mc_jfr_mallocs *self, const event *e) {
    uint32_t index = self->over, before;
    if (index != MC_NONE) {
        self->over = self->blocks[index].next_over;
    } else {
        if (self->block_count >= MC_NONE - 1 ||
            !mc_reserve(&self->blocks, &self->block_capacity, (size_t)self->block_count + 1,
                        sizeof *self->blocks))
            return false;
        index = self->block_count++;
    }
    self->blocks[index] = (mc_jfr_block){.bytes = e->bytes, .kind = e->kind, .objects = e->objects};
    if (!mc_live_blocks_put(&self->live, e->address, index, &before)) return false;
    if (before != MC_NONE) {
        end_block(self, before);
        self->lost_count++;
    }
    return true;
}

static bool apply_event(mc_jfr_mallocs *self, const event *e) {
    if (e->kind == MC_NONE) {
        const uint32_t index = mc_live_blocks_take(&self->live, e->address);
        if (index != MC_NONE)
            end_block(self, index);
        else
            self->unknown_count++;
        return true;
    }
    if (self->free_count > 0 && !begin_block(self, e)) return false;
    mc_film_allocate_sample(&self->film, e->kind, e->objects, e->bytes);
    return true;
}

// The times of events become words that sort as they do, with the events' numbers.
static void number_events(window *w, uint32_t bits, uint32_t shift) {
    for (uint32_t i = 0; i < w->count; i++)
        w->words[i] = ((w->words[i] - (uint64_t)w->first_ns) >> shift) << bits | i;
}

static mc_result apply_window(mc_jfr_mallocs *self, window *w, mc_error *error) {
    const uint32_t bits = count_bits(w->count);
    const uint32_t span_bits = count_bits((uint64_t)(w->last_ns - w->first_ns) + 1);
    // Of recordings of years, times next to each other count as one.
    const uint32_t shift = span_bits + bits > 64 ? span_bits + bits - 64 : 0;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    if (w->count == 0) return MC_OK;
    number_events(w, bits, shift);
    const uint64_t *words = mc_radix_sort(w->words, w->spare, w->count, bits);
    for (uint32_t i = 0; i < w->count; i++) {
        const int64_t time_ns = w->first_ns + (int64_t)((words[i] >> bits) << shift);
        if (i + 2 * AHEAD < w->count) __builtin_prefetch(&w->events[words[i + 2 * AHEAD] & mask]);
        if (i + AHEAD < w->count)
            mc_live_blocks_prefetch(&self->live, w->events[words[i + AHEAD] & mask].address);
        while (time_ns >= self->moment_end_ns)
            end_moment(self);
        if (!apply_event(self, &w->events[words[i] & mask])) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

static mc_result read_window(chunk_reader *self, window *w, mc_error *error) {
    mc_jfr_mallocs *mallocs = self->mallocs;
    mc_result result = MC_OK;
    w->count = 0;
    for (size_t i = 0; i < mallocs->chunk_count && result == MC_OK; i++) {
        const mc_jfr_malloc_chunk *chunk = &mallocs->chunks[i];
        if (chunk->first_part >= w->end_part || chunk->last_part < w->first_part) continue;
        result = read_chunk(self, chunk, w, error);
        mc_file_map_give_back(self->input->data, chunk->header.offset,
                              chunk->header.offset + chunk->header.size);
    }
    return result == MC_OK ? apply_window(mallocs, w, error) : result;
}

mc_result mc_jfr_mallocs_read(mc_jfr_mallocs *self, const mc_jfr_mallocs_input *input,
                              mc_error *error) {
    chunk_reader reader = {.mallocs = self, .input = input, .until_report = EVENTS_A_REPORT};
    window w = {.count = 0};
    mc_result result = create_window(self, &w) ? MC_OK : mc_error_out_of_memory(error);
    self->moment_end_ns = find_moment_end(&self->span, 0);
    for (uint32_t part = 0; part < PART_COUNT && result == MC_OK; part = w.end_part)
        if (choose_window(self, part, &w) > 0) result = read_window(&reader, &w, error);
    deinit_window(&w);
    // Only the film is of use from here on.
    mc_live_blocks_deinit(&self->live);
    mc_free(self->blocks);
    self->blocks = NULL;
    if (result != MC_OK) return result;
    while (self->moment < self->span.moment_count)
        end_moment(self);
    result = mc_film_finish(&self->film, error);
    self->film.is_peak_passed = true; // steps are the recording's moments alone
    return result;
}
