#include "engine/live/agent/agent_stream.h"

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define READ_SIZE 65536
// So that what keeps names has a bound; an agent of ours stops earlier.
#define CLASS_MOST (1u << 20)
#define METHOD_MOST (1u << 22)
#define THREAD_MOST (1u << 20)
#define STACK_MOST (1u << 22)

// What is left of a frame. After a read beyond its end `has_failed` stays set, and reads give 0.
typedef struct reader {
    const unsigned char *at, *end;
    uint64_t offset; // of the frame in the stream
    bool has_failed;
} reader;

static uint64_t read_number(reader *self, size_t size) {
    uint64_t value = 0;
    if ((size_t)(self->end - self->at) < size) {
        self->has_failed = true;
        self->at = self->end;
        return 0;
    }
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)self->at[i] << (8 * i);
    self->at += size;
    return value;
}

static uint32_t read_u32(reader *self) {
    return (uint32_t)read_number(self, 4);
}

static uint64_t read_u64(reader *self) {
    return read_number(self, 8);
}

static int64_t read_i64(reader *self) {
    uint64_t bits = read_number(self, 8);
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double read_f64(reader *self) {
    uint64_t bits = read_number(self, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static mc_agent_string read_string(reader *self) {
    size_t size = read_number(self, 2);
    if ((size_t)(self->end - self->at) < size) {
        self->has_failed = true;
        size = 0;
    }
    mc_agent_string string = {(const char *)self->at, (uint32_t)size};
    self->at += size;
    return string;
}

// ---- what may be wrong

static mc_result fail(const reader *self, mc_error *error, const char *message) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset, "%s", message);
}

static mc_result check_text(const reader *self, mc_agent_string text, mc_error *error) {
    if (mc_utf8_is_valid(text.bytes, text.size)) return MC_OK;
    return fail(self, error, "a name is not UTF-8");
}

// Numbers are given one after another, so a name that comes twice is out of order, too.
static mc_result check_new(const reader *self, const char *what, uint32_t number, uint32_t *count,
                           uint32_t most, mc_error *error) {
    if (number == *count + 1 && number <= most) {
        *count = number;
        return MC_OK;
    }
    if (number == *count + 1)
        return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                            "more than %" PRIu32 " %s names", most, what);
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                        "a name for %s %" PRIu32 ", where that of %" PRIu32 " comes next", what,
                        number, *count + 1);
}

static mc_result check_known(const reader *self, const char *what, uint32_t number, uint32_t count,
                             mc_error *error) {
    if (number <= count) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset, "%s %" PRIu32 " has no name yet",
                        what, number);
}

// ---- frames

static mc_result read_hello(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                            mc_error *error) {
    uint32_t version = (uint32_t)read_number(self, 2);
    if (stream->has_hello) return fail(self, error, "a second greeting");
    stream->has_hello = true;
    if (!self->has_failed && version != MC_AGENT_VERSION)
        return mc_error_set(error, MC_ERROR_UNSUPPORTED, self->offset,
                            "the agent speaks version %" PRIu32 " of the protocol, memcity %d",
                            version, MC_AGENT_VERSION);
    event->pid = read_u32(self);
    event->wall_ms = read_i64(self);
    event->to_ns = read_u64(self);
    event->runtime = read_string(self);
    event->name = read_string(self);
    event->modes = read_u32(self);
    bool has_limit = (size_t)(self->end - self->at) >= sizeof event->heap_limit; // others end here
    if (has_limit) event->heap_limit = read_u64(self);
    if (event->heap_limit > INT64_MAX) event->heap_limit = 0;
    if (self->end > self->at) event->flags = (uint8_t)read_number(self, 1); // likewise
    mc_result result = check_text(self, event->runtime, error);
    return result == MC_OK ? check_text(self, event->name, error) : result;
}

static mc_result read_class(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                            mc_error *error) {
    event->number = read_u32(self);
    event->name = read_string(self);
    event->loader = read_u32(self);
    mc_result result = check_text(self, event->name, error);
    if (result != MC_OK || self->has_failed) return result;
    return check_new(self, "class", event->number, &stream->class_count, CLASS_MOST, error);
}

static mc_result read_method(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                             mc_error *error) {
    event->number = read_u32(self);
    event->class_number = read_u32(self);
    event->name = read_string(self);
    event->signature = read_string(self);
    event->flags = (uint8_t)read_number(self, 1);
    event->file = read_string(self);
    mc_result result = check_text(self, event->name, error);
    if (result == MC_OK) result = check_text(self, event->signature, error);
    if (result == MC_OK) result = check_text(self, event->file, error);
    if (result == MC_OK)
        result = check_known(self, "class", event->class_number, stream->class_count, error);
    if (result != MC_OK || self->has_failed) return result;
    return check_new(self, "method", event->number, &stream->method_count, METHOD_MOST, error);
}

static mc_result read_thread(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                             mc_error *error) {
    event->number = read_u32(self);
    event->name = read_string(self);
    mc_result result = check_text(self, event->name, error);
    if (result != MC_OK || self->has_failed) return result;
    return check_new(self, "thread", event->number, &stream->thread_count, THREAD_MOST, error);
}

// Room for the rows that a frame says it has, if it is long enough for them.
static void *get_rows(mc_agent_stream *stream, reader *self, uint32_t count, size_t written_size,
                      size_t row_size, mc_result *result, mc_error *error) {
    if (self->has_failed || count > (size_t)(self->end - self->at) / written_size) {
        self->has_failed = true;
        return NULL;
    }
    size_t size = (count ? count : 1) * row_size; // a frame's rows: no more than it is long
    if (size > stream->row_capacity) {
        void *rows = mc_realloc(stream->rows, size, 1);
        if (!rows) {
            *result = mc_error_out_of_memory(error);
            return NULL;
        }
        stream->rows = rows;
        stream->row_capacity = size;
    }
    return stream->rows;
}

static mc_result read_stack(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                            mc_error *error) {
    mc_result result = MC_OK;
    event->number = read_u32(self);
    event->count = (uint32_t)read_number(self, 2);
    mc_agent_frame *rows = get_rows(stream, self, event->count, 8, sizeof *rows, &result, error);
    for (uint32_t i = 0; rows && i < event->count && result == MC_OK; i++) {
        uint32_t method = read_u32(self);
        rows[i] = (mc_agent_frame){.method = method, .line = read_u32(self)};
        result = check_known(self, "method", method, stream->method_count, error);
    }
    event->frames = rows;
    if (result != MC_OK || self->has_failed) return result;
    return check_new(self, "stack", event->number, &stream->stack_count, STACK_MOST, error);
}

static mc_result read_time(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                           mc_error *error) {
    mc_result result = MC_OK;
    event->from_ns = read_u64(self);
    event->to_ns = read_u64(self);
    event->how = (mc_agent_how)read_number(self, 1);
    event->count = read_u32(self);
    mc_agent_time *rows = get_rows(stream, self, event->count, 24, sizeof *rows, &result, error);
    if (!rows) return result;
    if (event->from_ns > event->to_ns) return fail(self, error, "times that end before they begin");
    if (event->how < MC_AGENT_EXACT || event->how >= MC_AGENT_HOW_END)
        return fail(self, error, "times measured in a way that is none");
    for (uint32_t i = 0; i < event->count && result == MC_OK; i++) {
        mc_agent_time *row = &rows[i];
        row->method = read_u32(self);
        row->thread = read_u32(self);
        row->ns = read_u64(self);
        row->calls = read_u64(self);
        result = check_known(self, "method", row->method, stream->method_count, error);
        if (result == MC_OK)
            result = check_known(self, "thread", row->thread, stream->thread_count, error);
    }
    event->times = rows;
    return result;
}

static mc_result check_alloc(const mc_agent_stream *stream, const reader *self,
                             const mc_agent_alloc *row, mc_error *error) {
    mc_result result = check_known(self, "class", row->class_number, stream->class_count, error);
    if (result == MC_OK)
        result = check_known(self, "stack", row->stack, stream->stack_count, error);
    if (result == MC_OK)
        result = check_known(self, "thread", row->thread, stream->thread_count, error);
    if (result == MC_OK && !isfinite(row->variance))
        result = fail(self, error, "a variance that is no number");
    return result;
}

static mc_result read_alloc(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                            mc_error *error) {
    mc_result result = MC_OK;
    event->to_ns = read_u64(self);
    event->value = read_u64(self);
    event->count = read_u32(self);
    mc_agent_alloc *rows = get_rows(stream, self, event->count, 52, sizeof *rows, &result, error);
    for (uint32_t i = 0; rows && i < event->count && result == MC_OK; i++) {
        mc_agent_alloc *row = &rows[i];
        row->class_number = read_u32(self);
        row->stack = read_u32(self);
        row->thread = read_u32(self);
        row->objects = read_i64(self);
        row->bytes = read_i64(self);
        row->allocated_objects = read_u64(self);
        row->allocated_bytes = read_u64(self);
        row->variance = read_f64(self);
        result = check_alloc(stream, self, row, error);
    }
    event->allocs = rows;
    return result;
}

static void read_collection(reader *self, mc_agent_event *event) {
    event->to_ns = read_u64(self);
    uint64_t duration_ns = read_u64(self);
    event->from_ns = duration_ns < event->to_ns ? event->to_ns - duration_ns : 0;
    event->value = read_u64(self);
    if (self->end > self->at) event->flags = (uint8_t)read_number(self, 1); // others end here
}

static mc_result read_frame(mc_agent_stream *stream, reader *self, mc_agent_event *event,
                            mc_error *error) {
    switch (event->type) {
    case MC_AGENT_HELLO: return read_hello(stream, self, event, error);
    case MC_AGENT_CLASS: return read_class(stream, self, event, error);
    case MC_AGENT_METHOD: return read_method(stream, self, event, error);
    case MC_AGENT_THREAD: return read_thread(stream, self, event, error);
    case MC_AGENT_STACK: return read_stack(stream, self, event, error);
    case MC_AGENT_TIME: return read_time(stream, self, event, error);
    case MC_AGENT_ALLOC: return read_alloc(stream, self, event, error);
    case MC_AGENT_GC: read_collection(self, event); return MC_OK;
    case MC_AGENT_LOST:
        event->flags = (uint8_t)read_number(self, 1);
        event->value = read_u64(self);
        break;
    case MC_AGENT_ACK:
        event->number = read_u32(self);
        event->flags = (uint8_t)read_number(self, 1);
        break;
    default: break; // BYE, NOTE
    }
    event->name = read_string(self);
    return check_text(self, event->name, error);
}

// ---- the stream

static bool is_for_us(uint32_t type) {
    return type >= MC_AGENT_HELLO && type < MC_AGENT_TYPE_COUNT && type != MC_AGENT_COMMAND;
}

mc_result mc_agent_stream_next(mc_agent_stream *stream, mc_agent_event *event, bool *is_there,
                               mc_error *error) {
    *is_there = false;
    for (;;) {
        const unsigned char *at = stream->bytes + stream->taken;
        size_t left = stream->size - stream->taken;
        if (left < 4) return MC_OK;
        reader self = {.at = at, .end = at + 4, .offset = stream->offset + stream->taken};
        uint32_t size = read_u32(&self);
        if (size == 0 || size > MC_AGENT_FRAME_MAX)
            return mc_error_set(error, MC_ERROR_BAD_DATA, self.offset,
                                "a frame of %" PRIu32 " bytes; expected 1 to %" PRIu32, size,
                                MC_AGENT_FRAME_MAX);
        if (left - 4 < size) return MC_OK;
        self.end = at + 4 + size;
        uint32_t type = (uint32_t)read_number(&self, 1);
        if (!stream->has_hello && type != MC_AGENT_HELLO)
            return fail(&self, error, "no agent: it does not begin with its greeting");
        stream->taken += 4 + (size_t)size;
        if (!is_for_us(type)) continue;
        *event = (mc_agent_event){.type = (mc_agent_type)type, .offset = self.offset};
        mc_result result = read_frame(stream, &self, event, error);
        if (result == MC_OK && self.has_failed)
            result = fail(&self, error, "a frame is shorter than what it holds");
        *is_there = result == MC_OK;
        return result;
    }
}

unsigned char *mc_agent_stream_get_room(mc_agent_stream *stream, size_t *room) {
    if (stream->taken > 0) {
        memmove(stream->bytes, stream->bytes + stream->taken, stream->size - stream->taken);
        stream->offset += stream->taken;
        stream->size -= stream->taken;
        stream->taken = 0;
    }
    if (!mc_reserve(&stream->bytes, &stream->capacity, stream->size + READ_SIZE, 1)) return NULL;
    *room = READ_SIZE;
    return stream->bytes + stream->size;
}

void mc_agent_stream_add(mc_agent_stream *stream, size_t size) {
    assert(size <= stream->capacity - stream->size);
    stream->size += size;
}

void mc_agent_stream_deinit(mc_agent_stream *stream) {
    mc_free(stream->bytes);
    mc_free(stream->rows);
    *stream = (mc_agent_stream){0};
}
