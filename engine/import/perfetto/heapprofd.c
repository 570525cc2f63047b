#include "engine/import/perfetto/heapprofd.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/perfetto/perfetto_interned.h"
#include "engine/import/perfetto/perfetto_packets.h"
#include "engine/import/perfetto/perfetto_real_names.h"
#include "engine/import/perfetto/perfetto_unpack.h"
#include "engine/trace/notes.h"
#include <inttypes.h>
#include <string.h>

#define DEPTH_MOST 512  // frames of a stack that are looked at
#define FRAMES_A_BYTE 8 // that stacks may come to: more is what bombs do
#define FRAMES_FREE ((size_t)1 << 16)
#define SEEN_MOST 256 // heaps of a round of dumps

enum { OBJECTS, BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, METRIC_COUNT };

static const mc_path_metric metrics[METRIC_COUNT] = {
    MC_SITES_OBJECTS, MC_SITES_BYTES, MC_SITES_ALLOCATED_OBJECTS, MC_SITES_ALLOCATED_BYTES};

typedef struct sequence {
    uint32_t id, scope; // scope: of what it has said so far
    uint32_t chain;     // of packets that continue each other
} sequence;

// A heap of a process, or a part of it.
typedef struct dump {
    mc_proto body;
    uint64_t pid, time_ns;
    mc_span heap;
    uint32_t scope, chain;
} dump;

typedef struct parser {
    const mc_profile_input *input;
    mc_profile *profile;
    mc_error *error;
    sequence *sequences;
    size_t sequence_count, sequence_capacity;
    mc_slots sequence_slots;
    uint32_t scope_count, chain_count;
    mc_perfetto_interned interned;
    mc_perfetto_real_names real; // of Java methods
    dump *dumps;
    size_t dump_count, dump_capacity;
    mc_perfetto_clock clock;
    bool is_at_most, has_losses;
    bool has_pids, has_heaps; // several
    uint64_t *frame_ids;      // scratch
    size_t frame_id_capacity, frame_limit;
} parser;

static mc_result fail_at(const parser *self, const unsigned char *at, const char *expected) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->input->data),
                        "trace of Perfetto: expected %s", expected);
}

static mc_result finish(const parser *self, const mc_proto *proto) {
    return proto->bad ? fail_at(self, proto->bad, proto->expected) : MC_OK;
}

static mc_result begin_message(const parser *self, const mc_proto_field *field, mc_proto *body) {
    *body = mc_proto_begin(field->bytes, field->end);
    return field->wire == MC_PROTO_BYTES ? MC_OK : fail_at(self, field->begin, "a message");
}

// ---- packets

static sequence *find_sequence(parser *self, uint32_t id) {
    uint32_t h = (uint32_t)mc_hash_u64(id, 5), number = (uint32_t)self->sequence_count;
    for (uint32_t at = h, found; (found = mc_slots_find(&self->sequence_slots, h, &at)) != MC_NONE;)
        if (self->sequences[found].id == id) return &self->sequences[found];
    if (!mc_reserve(&self->sequences, &self->sequence_capacity, self->sequence_count + 1,
                    sizeof *self->sequences) ||
        !mc_slots_add(&self->sequence_slots, h, number))
        return NULL;
    self->sequences[self->sequence_count++] =
        (sequence){id, self->scope_count++, self->chain_count++};
    return &self->sequences[number];
}

static mc_result intern(parser *self, uint32_t scope, mc_perfetto_table table,
                        const mc_proto_field *field) {
    const unsigned char *wrong;
    if (!mc_perfetto_interned_add(&self->interned, scope, table, field, &wrong))
        return mc_error_out_of_memory(self->error);
    return wrong ? fail_at(self, wrong, "a message that has a number") : MC_OK;
}

static mc_result read_interned(parser *self, uint32_t scope, const mc_proto_field *field) {
    static const struct {
        uint32_t number;
        mc_perfetto_table table;
    } tables[] = {{5, MC_PERFETTO_FUNCTION}, {6, MC_PERFETTO_FRAME},   {7, MC_PERFETTO_CALLSTACK},
                  {17, MC_PERFETTO_PATH},    {18, MC_PERFETTO_SOURCE}, {19, MC_PERFETTO_MAPPING}};
    mc_proto body;
    mc_proto_field part;
    mc_result result = begin_message(self, field, &body);
    while (result == MC_OK && mc_proto_next(&body, &part))
        for (size_t i = 0; i < sizeof tables / sizeof *tables && result == MC_OK; i++)
            if (tables[i].number == part.number)
                result = intern(self, scope, tables[i].table, &part);
    return result == MC_OK ? finish(self, &body) : result;
}

// In samples of the moment at which the most was alive.
static bool has_most(const mc_proto_field *sample) {
    mc_proto body = mc_proto_begin(sample->bytes, sample->end);
    mc_proto_field part;
    while (mc_proto_next(&body, &part))
        if (part.number == 8) return true;
    return false;
}

static mc_result add_dump(parser *self, const sequence *of, uint64_t time_ns,
                          const mc_proto_field *field) {
    dump added = {.time_ns = time_ns, .scope = of->scope, .chain = of->chain};
    mc_proto_field part;
    uint64_t sampling = 0;
    bool has_samples = false;
    mc_result result = begin_message(self, field, &added.body);
    if (result != MC_OK) return result;
    mc_proto body = added.body;
    while (mc_proto_next(&body, &part)) {
        if (part.number == 1 && part.wire == MC_PROTO_VARINT) added.pid = part.value;
        if (part.number == 11) added.heap = mc_perfetto_get_text(&part);
        if (part.number == 12 && part.wire == MC_PROTO_VARINT) sampling = part.value;
        bool is_loss = (part.number == 4 || (part.number >= 6 && part.number <= 8) ||
                        part.number == 10 || part.number == 14) &&
                       part.value != 0;
        self->has_losses |= is_loss;
        if (part.number != 2) continue;
        if (part.wire != MC_PROTO_BYTES) return fail_at(self, part.begin, "a sample");
        if (!has_samples && has_most(&part)) self->is_at_most = true;
        has_samples = true;
    }
    if (body.bad) return finish(self, &body);
    if (added.heap.size == 0) added.heap = (mc_span){"malloc", 6};
    if (!has_samples) return MC_OK;
    if (sampling == 0) sampling = MC_PROFILE_SAMPLING_UNTOLD;
    if (sampling > self->profile->sampling) self->profile->sampling = sampling;
    if (self->dump_count > 0) {
        const dump *first = &self->dumps[0];
        self->has_pids |= first->pid != added.pid;
        self->has_heaps |= first->heap.size != added.heap.size ||
                           memcmp(first->heap.at, added.heap.at, added.heap.size) != 0;
    }
    if (!mc_reserve(&self->dumps, &self->dump_capacity, self->dump_count + 1, sizeof added))
        return mc_error_out_of_memory(self->error);
    self->dumps[self->dump_count++] = added;
    return MC_OK;
}

static mc_result read_profile(parser *self, sequence *of, uint64_t time_ns,
                              const mc_proto_field *field) {
    mc_proto body;
    mc_proto_field part;
    bool is_continued = false;
    mc_result result = begin_message(self, field, &body);
    while (result == MC_OK && mc_proto_next(&body, &part)) {
        switch (part.number) {
        case 1: result = intern(self, of->scope, MC_PERFETTO_TEXT, &part); break;
        case 2: result = intern(self, of->scope, MC_PERFETTO_FRAME, &part); break;
        case 3: result = intern(self, of->scope, MC_PERFETTO_CALLSTACK, &part); break;
        case 4: result = intern(self, of->scope, MC_PERFETTO_MAPPING, &part); break;
        case 5: result = add_dump(self, of, time_ns, &part); break;
        case 6: is_continued = part.value != 0; break;
        default: break;
        }
    }
    if (!is_continued) of->chain = self->chain_count++;
    return result == MC_OK ? finish(self, &body) : result;
}

static mc_result add_real_names(parser *self, const mc_proto_field *field) {
    const unsigned char *wrong;
    if (!mc_perfetto_real_names_add(&self->real, field, &wrong))
        return mc_error_out_of_memory(self->error);
    return wrong ? fail_at(self, wrong, "names of classes and methods") : MC_OK;
}

static mc_result read_packet(parser *self, const mc_perfetto_packet *packet) {
    const mc_proto_field *interned = &packet->interned, *profile = &packet->profile;
    const size_t known_count = self->sequence_count;
    sequence *of = find_sequence(self, packet->sequence);
    if (!of) return mc_error_out_of_memory(self->error);
    const bool is_first = self->sequence_count > known_count;
    if (packet->is_cleared) of->scope = self->scope_count++;
    mc_result result = interned->number ? read_interned(self, of->scope, interned) : MC_OK;
    if (result == MC_OK && packet->real_names.number)
        result = add_real_names(self, &packet->real_names);
    if (result != MC_OK || !profile->number) return result;
    // The service says the same of the first packet of each sequence, as it knows of none before.
    self->has_losses |= packet->is_dropped && !is_first;
    return read_profile(self, of, packet->time_ns, profile);
}

static mc_result read_packets(parser *self) {
    mc_proto trace = mc_proto_begin(self->input->data, self->input->data + self->input->size);
    mc_proto_field field;
    mc_perfetto_packet packet;
    const unsigned char *bad;
    const char *expected = NULL;
    while (mc_proto_next(&trace, &field)) {
        if (!mc_perfetto_packet_read(&field, &packet, &self->clock, &bad, &expected)) continue;
        mc_result result = bad ? fail_at(self, bad, expected) : read_packet(self, &packet);
        if (result != MC_OK) return result;
        if (mc_import_watch_should_stop(self->input->watch))
            return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
    }
    return finish(self, &trace);
}

// ---- frames

static mc_span find_text(const parser *self, uint32_t scope, mc_perfetto_table table,
                         uint64_t iid) {
    const mc_perfetto_message *message =
        mc_perfetto_interned_find(&self->interned, scope, table, iid);
    if (!message)
        message = mc_perfetto_interned_find(&self->interned, scope, MC_PERFETTO_TEXT, iid);
    mc_span text = {NULL, 0};
    mc_proto_field part;
    mc_proto body = message ? message->body : mc_proto_begin(NULL, NULL);
    while (iid != 0 && mc_proto_next(&body, &part))
        if (part.number == 2) text = mc_perfetto_get_text(&part);
    return text;
}

// The text as the profile keeps it, if there is any. False: memory is out.
static bool store(parser *self, const mc_text *text, mc_span *stored) {
    if (text->failed || text->size == 0) return !text->failed;
    char *kept = mc_profile_store(self->profile, text->size);
    if (!kept) return false;
    memcpy(kept, text->data, text->size);
    *stored = (mc_span){kept, text->size};
    return true;
}

static bool find_real_name(parser *self, mc_site_frame *frame) {
    mc_text text = {0};
    mc_perfetto_real_names_write_member(&self->real, frame->function, true, frame->module, &text);
    bool fits = store(self, &text, &frame->function);
    mc_text_deinit(&text);
    return fits;
}

// "/system/lib64/libart.so" of its parts. False: memory is out.
static bool find_path(parser *self, uint32_t scope, uint64_t iid, mc_span *path) {
    mc_perfetto_message *mapping =
        mc_perfetto_interned_find(&self->interned, scope, MC_PERFETTO_MAPPING, iid);
    *path = (mc_span){NULL, 0};
    if (!mapping) return true;
    mc_text text = {0};
    mc_proto body = mapping->body;
    mc_proto_field part;
    uint64_t number;
    while (!mapping->has_text && mc_proto_next(&body, &part)) {
        if (part.number != 7 || text.size > 4096) continue;
        mc_proto numbers = mc_proto_begin_numbers(&part);
        while (mc_proto_next_number(&numbers, &part, &number)) {
            mc_span name = find_text(self, scope, MC_PERFETTO_PATH, number);
            if (name.size > 4096 || text.size > 4096) break;
            mc_text_append(&text, "/", 1);
            mc_text_append(&text, name.at, name.size);
        }
    }
    bool fits = store(self, &text, &mapping->text);
    mc_text_deinit(&text);
    mapping->has_text = true;
    *path = mapping->text;
    return fits;
}

static bool find_frame(parser *self, uint32_t scope, uint64_t iid, uint32_t *frame) {
    mc_perfetto_message *message =
        mc_perfetto_interned_find(&self->interned, scope, MC_PERFETTO_FRAME, iid);
    uint64_t numbers[7] = {0}; // by field
    if (message && message->frame != MC_NONE) {
        *frame = message->frame;
        return true;
    }
    mc_proto body = message ? message->body : mc_proto_begin(NULL, NULL);
    mc_proto_field part;
    while (mc_proto_next(&body, &part))
        if (part.number < 7 && part.wire == MC_PROTO_VARINT) numbers[part.number] = part.value;
    mc_site_frame found = {.function = find_text(self, scope, MC_PERFETTO_FUNCTION, numbers[2]),
                           .file = find_text(self, scope, MC_PERFETTO_SOURCE, numbers[5]),
                           .line = numbers[6] < MC_NONE ? (uint32_t)numbers[6] : 0,
                           .address = numbers[4],
                           .file_offset = numbers[4],
                           .is_file_address = true};
    if (!find_path(self, scope, numbers[3], &found.module)) return false;
    if (!find_real_name(self, &found)) return false;
    found.has_file_offset = found.function.size == 0 && found.module.size > 0;
    *frame = mc_profile_add_frame(self->profile, found);
    if (message) message->frame = *frame;
    return *frame != MC_NONE;
}

// The innermost frame comes last in the file.
static mc_result push_stack(parser *self, uint32_t scope, uint64_t iid) {
    const mc_perfetto_message *message =
        mc_perfetto_interned_find(&self->interned, scope, MC_PERFETTO_CALLSTACK, iid);
    mc_proto body = message ? message->body : mc_proto_begin(NULL, NULL);
    mc_proto_field part;
    uint64_t number;
    size_t count = 0;
    while (mc_proto_next(&body, &part)) {
        if (part.number != 2) continue;
        mc_proto numbers = mc_proto_begin_numbers(&part);
        while (mc_proto_next_number(&numbers, &part, &number)) {
            if (!mc_reserve(&self->frame_ids, &self->frame_id_capacity, count + 1, sizeof number))
                return mc_error_out_of_memory(self->error);
            self->frame_ids[count++] = number;
        }
        if (numbers.bad) return finish(self, &numbers);
    }
    self->has_losses |= !message;
    if (message && self->profile->stack_frame_count > self->frame_limit)
        return fail_at(self, message->body.at,
                       "stacks that are not many times as much as the file");
    for (size_t pushed = 0; pushed < count && pushed < DEPTH_MOST; pushed++) {
        uint32_t frame;
        if (!find_frame(self, scope, self->frame_ids[count - 1 - pushed], &frame) ||
            !mc_profile_push_frame(self->profile, frame))
            return mc_error_out_of_memory(self->error);
    }
    return MC_OK;
}

// ---- steps

static bool push_labels(parser *self, const dump *d) {
    if (self->has_pids) {
        char digits[24];
        int size = snprintf(digits, sizeof digits, "%" PRIu64, d->pid);
        char *kept = mc_profile_store(self->profile, (size_t)size);
        if (!kept) return false;
        memcpy(kept, digits, (size_t)size);
        const mc_site_label label = {{"process", 7}, {kept, (size_t)size}};
        if (!mc_profile_push_label(self->profile, label)) return false;
    }
    if (!self->has_heaps) return true;
    return mc_profile_push_label(self->profile, (mc_site_label){{"heap", 4}, d->heap});
}

static mc_result read_sample(parser *self, const dump *d, const mc_proto_field *field) {
    uint64_t numbers[10] = {0}, values[METRIC_COUNT];
    mc_proto body;
    mc_proto_field part;
    mc_result result = begin_message(self, field, &body);
    while (result == MC_OK && mc_proto_next(&body, &part))
        if (part.number < 10 && part.wire == MC_PROTO_VARINT) numbers[part.number] = part.value;
    if (result == MC_OK) result = finish(self, &body);
    for (uint32_t i = 2; i < 10 && result == MC_OK; i++)
        if (numbers[i] > MC_COUNT_MAX && i != 4)
            result = fail_at(self, field->begin, "counts below 2^63");
    if (result == MC_OK) result = push_stack(self, d->scope, numbers[1]);
    if (result != MC_OK) return result;
    // What was freed more than is known to be allocated was there before.
    values[OBJECTS] = numbers[5] > numbers[6] ? numbers[5] - numbers[6] : 0;
    values[BYTES] = numbers[2] > numbers[3] ? numbers[2] - numbers[3] : 0;
    values[ALLOCATED_OBJECTS] = numbers[5];
    values[ALLOCATED_BYTES] = numbers[2];
    if (self->is_at_most) {
        values[OBJECTS] = numbers[9];
        values[BYTES] = numbers[8];
    }
    if (!push_labels(self, d) ||
        !mc_profile_add_sample(self->profile, values, NULL,
                               (uint64_t)(field->begin - self->input->data)))
        return mc_error_out_of_memory(self->error);
    return MC_OK;
}

// A round ends when a heap comes again.
static bool begins_round(const parser *self, size_t first, size_t index) {
    const dump *d = &self->dumps[index];
    if (index - first >= SEEN_MOST) return true;
    for (size_t i = first; i < index; i++) {
        const dump *other = &self->dumps[i];
        if (other->pid == d->pid && other->chain != d->chain && other->heap.size == d->heap.size &&
            memcmp(other->heap.at, d->heap.at, d->heap.size) == 0)
            return true;
    }
    return index == first;
}

static mc_result read_steps(parser *self) {
    mc_profile *profile = self->profile;
    size_t first = 0;
    int64_t last_ms = INT64_MIN;
    memcpy(profile->metrics, metrics, (self->is_at_most ? 2 : METRIC_COUNT) * sizeof *metrics);
    for (size_t i = 0; i < self->dump_count; i++) {
        const dump *d = &self->dumps[i];
        if (i == 0 || begins_round(self, first, i)) {
            first = i;
            int64_t time_ms = mc_perfetto_clock_get_ms(&self->clock, d->time_ns);
            if (time_ms <= last_ms) time_ms = last_ms + 1;
            last_ms = time_ms;
            mc_profile_step step = {.time_ms = time_ms,
                                    .has_time = self->clock.is_known,
                                    .note = self->is_at_most ? MC_NOTE_PEAK : NULL};
            if (!mc_profile_add_step(profile, step)) return mc_error_out_of_memory(self->error);
        }
        mc_proto body = d->body;
        mc_proto_field part;
        while (mc_proto_next(&body, &part)) {
            mc_result result = part.number == 2 ? read_sample(self, d, &part) : MC_OK;
            if (result != MC_OK) return result;
            if (mc_import_watch_should_stop(self->input->watch))
                return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
        }
    }
    if (self->has_losses) profile->warning = "heapprofd missed some of the allocations";
    return MC_OK;
}

static mc_result check_dumps(const parser *self) {
    if (self->dump_count > 0) return MC_OK;
    return mc_error_set(
        self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
        "trace of Perfetto: it has neither allocations of heapprofd nor a Java heap graph");
}

static mc_result parse_packets(const mc_profile_input *input, mc_profile *profile,
                               mc_error *error) {
    parser self = {.input = input,
                   .profile = profile,
                   .error = error,
                   .frame_limit = FRAMES_FREE + input->size * FRAMES_A_BYTE};
    mc_perfetto_real_names_begin(&self.real, input->size);
    mc_result result = read_packets(&self);
    if (result == MC_OK) result = check_dumps(&self);
    self.real.needs_path = self.has_pids; // else it may be another app's
    if (result == MC_OK) result = read_steps(&self);
    mc_free(self.sequences);
    mc_slots_deinit(&self.sequence_slots);
    mc_perfetto_interned_deinit(&self.interned);
    mc_perfetto_real_names_deinit(&self.real);
    mc_free(self.dumps);
    mc_free(self.frame_ids);
    return result;
}

static void destroy_unpacked(void *scratch) {
    mc_inflate_buffer_deinit(scratch);
    mc_free(scratch);
}

// Names of the profile point into what was unpacked.
static mc_inflate_buffer *get_unpacked(mc_profile *profile) {
    if (!profile->scratch) {
        profile->scratch = mc_alloc_zero(1, sizeof(mc_inflate_buffer));
        profile->free_scratch = destroy_unpacked;
    }
    return profile->scratch;
}

mc_result mc_heapprofd_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error) {
    mc_error own = {.code = MC_OK};
    mc_profile_input plain = *input;
    mc_inflate_buffer *unpacked = get_unpacked(profile);
    if (!error) error = &own;
    if (!unpacked) return mc_error_out_of_memory(error);
    mc_inflate_buffer_deinit(unpacked);
    mc_result result = mc_perfetto_unpack(input->data, input->size, input->watch, unpacked, error);
    if (result != MC_OK) return result;
    if (unpacked->data) {
        plain.data = unpacked->data;
        plain.size = unpacked->size;
    }
    result = parse_packets(&plain, profile, error);
    if (result != MC_OK) mc_perfetto_unpack_mark(unpacked, error);
    return result;
}
