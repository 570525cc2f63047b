#include "agent/native/alloc_rows.h"

#include "agent/native/names.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <math.h>
#include <stdlib.h>

#define ROWS_MOST (1u << 22)
#define ROW_BYTES 60    // of a frame
#define FRAME_ROWS 4096 // of one frame

// Sums are kept as real numbers and only what is sent is rounded, so no rounding adds up.
typedef struct row {
    uint32_t class_number, stack, thread;
    uint32_t next_changed; // MC_NONE: the last; of a row that is not in the list, itself
    double objects, bytes, allocated_objects, allocated_bytes, variance;
    int64_t sent_objects, sent_bytes;
    uint64_t sent_allocated_objects, sent_allocated_bytes;
    double sent_variance;
} row;

static row *rows;
static uint32_t row_count;
static size_t row_capacity;
static mc_slots slots;
static uint32_t first_changed = MC_NONE;
static double interval;

void mc_alloc_rows_begin(uint64_t interval_bytes) {
    mc_alloc_rows_end();
    interval = (double)interval_bytes;
}

void mc_alloc_rows_end(void) {
    free(rows);
    mc_slots_deinit(&slots);
    rows = NULL;
    row_count = 0;
    row_capacity = 0;
    first_changed = MC_NONE;
}

static uint32_t get_hash(uint32_t class_number, uint32_t stack, uint32_t thread) {
    uint64_t hash = (((uint64_t)stack << 32) | class_number) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 31) ^ thread) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(hash >> 32);
}

static uint32_t find_or_add(const mc_alloc_sample *sample) {
    uint32_t hash = get_hash(sample->class_number, sample->stack, sample->thread);
    for (uint32_t at = hash, found; (found = mc_slots_find(&slots, hash, &at)) != MC_NONE;)
        if (rows[found].class_number == sample->class_number &&
            rows[found].stack == sample->stack && rows[found].thread == sample->thread)
            return found;
    if (row_count >= ROWS_MOST ||
        !mc_reserve(&rows, &row_capacity, (size_t)row_count + 1, sizeof *rows) ||
        !mc_slots_add(&slots, hash, row_count))
        return MC_NONE;
    rows[row_count] = (row){.class_number = sample->class_number,
                            .stack = sample->stack,
                            .thread = sample->thread,
                            .next_changed = row_count};
    return row_count++;
}

static void note_change(uint32_t number) {
    if (rows[number].next_changed != number) return;
    rows[number].next_changed = first_changed;
    first_changed = number;
}

// How many objects one sampled object of this size stands for.
static double get_weight(uint64_t size) {
    if (interval <= 0) return 1;
    return -1 / expm1(-(double)size / interval);
}

static double get_variance(uint64_t size, double weight) {
    return weight * (weight - 1) * (double)size * (double)size;
}

uint32_t mc_alloc_rows_add(const mc_alloc_sample *sample) {
    uint32_t number = find_or_add(sample);
    if (number == MC_NONE) return MC_NONE;
    row *changed = &rows[number];
    double weight = get_weight(sample->size);
    changed->objects += weight;
    changed->bytes += weight * (double)sample->size;
    changed->allocated_objects += weight;
    changed->allocated_bytes += weight * (double)sample->size;
    changed->variance += get_variance(sample->size, weight);
    note_change(number);
    return number;
}

void mc_alloc_rows_remove(uint32_t number, uint64_t size) {
    row *changed = &rows[number];
    double weight = get_weight(size);
    changed->objects -= weight;
    changed->bytes -= weight * (double)size;
    changed->variance -= get_variance(size, weight);
    note_change(number);
}

// Where nothing lives any more, what is left are errors of adding.
static double get_positive(double sum) {
    return sum > 0 ? sum : 0;
}

static void append_row(mc_frames *out, row *sent) {
    int64_t objects = llround(get_positive(sent->objects));
    int64_t bytes = llround(get_positive(sent->bytes));
    uint64_t allocated_objects = (uint64_t)llround(sent->allocated_objects);
    uint64_t allocated_bytes = (uint64_t)llround(sent->allocated_bytes);
    double variance = objects > 0 ? get_positive(sent->variance) : 0;
    mc_frames_add_u32(out, sent->class_number);
    mc_frames_add_u32(out, sent->stack);
    mc_frames_add_u32(out, sent->thread);
    mc_frames_add_i64(out, objects - sent->sent_objects);
    mc_frames_add_i64(out, bytes - sent->sent_bytes);
    mc_frames_add_u64(out, allocated_objects - sent->sent_allocated_objects);
    mc_frames_add_u64(out, allocated_bytes - sent->sent_allocated_bytes);
    mc_frames_add_f64(out, variance - sent->sent_variance);
    sent->sent_objects = objects;
    sent->sent_bytes = bytes;
    sent->sent_allocated_objects = allocated_objects;
    sent->sent_allocated_bytes = allocated_bytes;
    sent->sent_variance = variance;
}

// A frame of what has changed; what has no name yet waits. Returns how many rows are in it.
static uint32_t append_frame(mc_frames *out, uint64_t now_ns, uint32_t *waiting) {
    uint32_t count = 0;
    mc_frames_begin(out, MC_AGENT_ALLOC);
    mc_frames_add_u64(out, now_ns);
    mc_frames_add_u64(out, (uint64_t)interval);
    size_t count_offset = mc_frames_get_offset(out);
    mc_frames_add_u32(out, 0);
    while (first_changed != MC_NONE && count < FRAME_ROWS) {
        uint32_t number = first_changed;
        row *changed = &rows[number];
        first_changed = changed->next_changed;
        if (mc_names_is_sent(changed->class_number, changed->stack, changed->thread)) {
            changed->next_changed = number;
            append_row(out, changed);
            count++;
        } else {
            changed->next_changed = *waiting;
            *waiting = number;
        }
    }
    mc_frames_set_u32(out, count_offset, count);
    mc_frames_end(out);
    return count;
}

bool mc_alloc_rows_flush(mc_frames *out, uint64_t now_ns) {
    uint32_t waiting = MC_NONE;
    do
        append_frame(out, now_ns, &waiting);
    while (first_changed != MC_NONE && mc_frames_has_room(out));
    uint32_t *end = &waiting; // what waits comes first the next time
    bool is_whole = waiting == MC_NONE && first_changed == MC_NONE;
    while (*end != MC_NONE)
        end = &rows[*end].next_changed;
    *end = first_changed;
    first_changed = waiting;
    return is_whole;
}
