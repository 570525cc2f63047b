#include "agent/native/time_rows.h"

#include "agent/native/names.h"
#include "engine/base/memory.h"

static void clear(mc_time_rows *rows) {
    mc_free(rows->rows);
    rows->rows = NULL;
    rows->capacity = 0;
    mc_slots_deinit(&rows->slots);
}

void mc_time_rows_begin(mc_time_rows *rows, uint64_t now_ns) {
    pthread_mutex_lock(&rows->mutex);
    clear(rows);
    rows->from_ns = now_ns;
    rows->lost = 0;
    pthread_mutex_unlock(&rows->mutex);
}

static void add(mc_time_rows *rows, mc_time_row row) { // with the lock
    uint64_t key = ((uint64_t)row.thread << 32) | row.method;
    uint32_t hash = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32), count = rows->slots.count;
    for (uint32_t at = hash, found; (found = mc_slots_find(&rows->slots, hash, &at)) != MC_NONE;) {
        assert(rows->rows); // what is found is there
        mc_time_row *known = &rows->rows[found];
        if (known->method != row.method || known->thread != row.thread) continue;
        known->ns += row.ns;
        known->calls += row.calls;
        return;
    }
    if (mc_reserve(&rows->rows, &rows->capacity, (size_t)count + 1, sizeof row) &&
        mc_slots_add(&rows->slots, hash, count))
        rows->rows[count] = row;
    else
        rows->lost++;
}

void mc_time_rows_add(mc_time_rows *rows, mc_time_row row) {
    if (!row.method) return;
    pthread_mutex_lock(&rows->mutex);
    add(rows, row);
    pthread_mutex_unlock(&rows->mutex);
}

typedef struct writer {
    mc_frames *out;
    mc_agent_how how;
    uint64_t from_ns, to_ns;
    size_t count_offset;
    uint32_t row_count;
} writer;

static void begin_frame(writer *to) {
    mc_frames_begin(to->out, MC_AGENT_TIME);
    mc_frames_add_u64(to->out, to->from_ns);
    mc_frames_add_u64(to->out, to->to_ns);
    mc_frames_add_u8(to->out, (uint8_t)to->how);
    to->count_offset = mc_frames_get_offset(to->out);
    mc_frames_add_u32(to->out, 0);
    to->row_count = 0;
}

static void end_frame(writer *to) {
    mc_frames_set_u32(to->out, to->count_offset, to->row_count);
    mc_frames_end(to->out);
}

// Threads that share a number may wait in one method at the same time. No thread is in it longer
// than there was time, and one of them is what it is to look like. What is less than twice too much
// is of one thread: its rows had to wait for a name.
static uint64_t get_ns(const writer *to, const mc_time_row *row) {
    uint64_t span_ns = to->to_ns > to->from_ns ? to->to_ns - to->from_ns : 0;
    if (to->how != MC_AGENT_EXACT || row->ns <= 2 * span_ns) return row->ns;
    return mc_names_is_shared(row->thread) ? span_ns : row->ns;
}

static void write_row(writer *to, const mc_time_row *row) {
    if (to->row_count == MC_AGENT_TIME_ROWS_MOST) {
        end_frame(to);
        begin_frame(to);
    }
    mc_frames_add_u32(to->out, row->method);
    mc_frames_add_u32(to->out, row->thread);
    mc_frames_add_u64(to->out, get_ns(to, row));
    mc_frames_add_u64(to->out, row->calls);
    to->row_count++;
}

void mc_time_rows_flush(mc_time_rows *rows, mc_agent_how how, mc_frames *out, uint64_t now_ns) {
    pthread_mutex_lock(&rows->mutex);
    mc_time_rows unsent = {.from_ns = rows->from_ns, .lost = rows->lost};
    writer to = {.out = out, .how = how, .from_ns = rows->from_ns, .to_ns = now_ns};
    begin_frame(&to);
    for (uint32_t i = 0; i < rows->slots.count; i++) {
        const mc_time_row *row = &rows->rows[i];
        if (mc_names_is_method_sent(row->method, row->thread))
            write_row(&to, row);
        else
            add(&unsent, *row);
    }
    end_frame(&to);
    clear(rows);
    rows->rows = unsent.rows;
    rows->capacity = unsent.capacity;
    rows->slots = unsent.slots;
    rows->lost = unsent.lost;
    rows->from_ns = now_ns;
    pthread_mutex_unlock(&rows->mutex);
}

void mc_time_rows_deinit(mc_time_rows *rows) {
    pthread_mutex_lock(&rows->mutex);
    clear(rows);
    pthread_mutex_unlock(&rows->mutex);
}
