#include "engine/import/godump/go_reader.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/godump/go_state.h"
#include <inttypes.h>
#include <string.h>

#define REPORT_BYTES ((uint64_t)8 << 20) // between two reports
#define FIELD_SIZE_MOST 512u             // objects up to which have fields, others elements
#define STREAK_LEAST 8u                  // objects behind which more are expected

static const char *const classifiers[] = {"Site", "Size"};
#define LEVELS 2

bool mc_go_dump_detect(const void *data, size_t size) {
    return mc_go_detect(data, size);
}

mc_result mc_go_fail(const mc_go_state *self, const unsigned char *at, const char *wanted) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->cursor.begin),
                        "no heap dump of Go: expected %s", wanted);
}

mc_result mc_go_report(mc_go_state *self, uint32_t phase) {
    const uint64_t at = (uint64_t)(self->cursor.at - self->cursor.begin);
    if (at < self->report_at) return MC_OK;
    // What was read need not stay in memory.
    if (self->desc->is_mapped && at > self->kept_at + REPORT_BYTES) {
        mc_file_map_give_back(self->cursor.begin, self->kept_at, at - REPORT_BYTES);
        self->kept_at = at - REPORT_BYTES;
    }
    self->report_at = at + REPORT_BYTES;
    return mc_object_heap_report(self->heap, phase, at, self->size, self->error);
}

bool mc_go_pointer_take(const mc_go_state *self, mc_go_record *record, uint64_t *offset,
                        uint64_t *pointer, bool *is_wrong) {
    const mc_span contents = record->texts[0];
    if (!mc_go_fields_take(&record->fields, offset)) return false;
    *is_wrong = contents.size < self->pointer_size || *offset > contents.size - self->pointer_size;
    if (*is_wrong) return false;
    *pointer = mc_go_read_word(self, (const unsigned char *)contents.at + *offset);
    return true;
}

// ---- the first time through the file: objects

static mc_result set_parameters(mc_go_state *self, const mc_go_record *record) {
    if (record->numbers[1] != 4 && record->numbers[1] != 8)
        return mc_go_fail(self, record->begin, "pointers of 4 or 8 bytes");
    if (self->has_parameters) return MC_OK;
    self->is_big_endian = record->numbers[0] != 0;
    self->pointer_size = (uint32_t)record->numbers[1];
    self->has_parameters = true;
    self->arena_begin = record->numbers[2];
    self->arena_end = record->numbers[3];
    return MC_OK;
}

bool mc_go_begin_part(mc_go_state *self, const unsigned char *at) {
    const uint32_t object = self->heap->object_count;
    if (self->part_count > 0 &&
        object - self->parts[self->part_count - 1].begin < MC_GO_PART_OBJECTS)
        return true;
    if (!mc_reserve(&self->parts, &self->part_capacity, self->part_count + 1, sizeof *self->parts))
        return false;
    self->parts[self->part_count++] =
        (mc_go_part){.at = at, .begin = object, .edge_begin = self->edge_count};
    return true;
}

static mc_result add_object(mc_go_state *self, const mc_go_record *record) {
    mc_object_heap *heap = self->heap;
    const uint32_t at = heap->object_count;
    if (!self->has_parameters)
        return mc_go_fail(self, record->begin, "parameters (record 6) before objects");
    if (at >= MC_GO_OBJECTS_MOST || record->field_count >= MC_GO_OBJECTS_MOST)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many objects: more than 2^30");
    if (!mc_reserve(&heap->object_ids, &self->id_capacity, (size_t)at + 1,
                    sizeof *heap->object_ids) ||
        !mc_reserve(&heap->object_sizes, &self->size_capacity, (size_t)at + 1,
                    sizeof *heap->object_sizes) ||
        !mc_reserve(&heap->object_types, &self->type_capacity, (size_t)at + 1,
                    sizeof *heap->object_types))
        return mc_error_out_of_memory(self->error);
    if (!mc_go_begin_part(self, record->begin)) return mc_error_out_of_memory(self->error);
    heap->object_ids[at] = record->numbers[0];
    heap->object_sizes[at] = record->texts[0].size;
    heap->object_types[at] = mc_go_find_shape(self, record, &self->maps);
    if (heap->object_types[at] == MC_NONE) return mc_error_out_of_memory(self->error);
    heap->object_count++;
    self->edge_count += record->field_count;
    return MC_OK;
}

static bool is_outermost(mc_span name) {
    static const char exit[] = "runtime.goexit";
    return name.size == sizeof exit - 1 && memcmp(name.at, exit, name.size) == 0;
}

static bool is_of_runtime(mc_span name) {
    return name.size > 8 && memcmp(name.at, "runtime.", 8) == 0;
}

static mc_result note_frame(mc_go_state *self, const mc_go_record *record) {
    mc_go_clues *clues = &self->clues;
    const mc_span name = record->texts[1];
    if (self->goroutine_count > 0) {
        mc_go_goroutine *of = &self->goroutines[self->goroutine_count - 1];
        if (!is_outermost(name)) of->begun = name;
        if (of->inner.size == 0 && !is_of_runtime(name)) of->inner = name;
    }
    for (uint32_t i = 0; i < clues->function_count; i++)
        if (clues->functions[i].address == record->numbers[3]) return MC_OK;
    if (clues->function_count == MC_GO_CLUES || name.size == 0) return MC_OK;
    clues->functions[clues->function_count].address = record->numbers[3];
    clues->functions[clues->function_count++].name = name;
    return MC_OK;
}

static mc_result note_goroutine(mc_go_state *self, const mc_go_record *record) {
    if (!mc_reserve(&self->goroutines, &self->goroutine_capacity, self->goroutine_count + 1,
                    sizeof *self->goroutines))
        return mc_error_out_of_memory(self->error);
    self->goroutines[self->goroutine_count++] = (mc_go_goroutine){.address = record->numbers[0]};
    return MC_OK;
}

static mc_result note_segment(mc_go_state *self, const mc_go_record *record) {
    mc_go_clues *clues = &self->clues;
    if (!self->has_parameters)
        return mc_go_fail(self, record->begin, "parameters (record 6) before segments");
    if (record->tag == MC_GO_DATA && clues->data_size == 0) {
        clues->data_address = record->numbers[0];
        clues->data_size = record->texts[0].size;
    } else if (record->tag == MC_GO_BSS && clues->bss_size == 0) {
        clues->bss_address = record->numbers[0];
        clues->bss_size = record->texts[0].size;
    }
    return MC_OK;
}

static mc_result note_record(mc_go_state *self, const mc_go_record *record) {
    switch (record->tag) {
    case MC_GO_PARAMETERS: return set_parameters(self, record);
    case MC_GO_OBJECT: return add_object(self, record);
    case MC_GO_BUCKET: return mc_go_add_bucket(self, record);
    case MC_GO_SAMPLE: return mc_go_add_sample(self, record);
    case MC_GO_TYPE:
    case MC_GO_ITAB: return MC_OK;
    default: break;
    }
    if (!self->first_root) self->first_root = record->begin;
    switch (record->tag) {
    case MC_GO_GOROUTINE: return note_goroutine(self, record);
    case MC_GO_FRAME: return note_frame(self, record);
    case MC_GO_DATA:
    case MC_GO_BSS: return note_segment(self, record);
    default: return MC_OK;
    }
}

static mc_result read_objects(mc_go_state *self, mc_text *damage) {
    mc_go_record record;
    const char *wanted = "a record";
    mc_go_outcome outcome = MC_GO_READ;
    mc_result result = MC_OK;
    uint32_t streak = 0, streak_least = STREAK_LEAST; // of objects
    while (result == MC_OK &&
           (outcome = mc_go_record_read(&self->cursor, &record, &wanted)) == MC_GO_READ) {
        bool is_worth_it = true;
        result = note_record(self, &record);
        if (result == MC_OK) result = mc_go_report(self, 0);
        streak = record.tag == MC_GO_OBJECT ? streak + 1 : 0;
        if (result != MC_OK || streak < streak_least) continue;
        result = mc_go_read_ahead(self, &is_worth_it);
        streak = 0;
        if (!is_worth_it && streak_least < MC_GO_PART_OBJECTS) streak_least *= 4;
    }
    if (result != MC_OK) return result;
    if (outcome == MC_GO_WRONG) return mc_go_fail(self, self->cursor.at, wanted);
    const uint64_t at = (uint64_t)(self->cursor.at - self->cursor.begin);
    if (outcome == MC_GO_CUT)
        mc_text_format(damage, "it is cut off in or before the record at byte %" PRIu64 "%s", at,
                       self->clues.bss_size > 0    ? ""
                       : self->clues.data_size > 0 ? ", so that global variables are missing"
                                                   : ", so that roots are missing");
    self->cursor.end = self->cursor.at; // what was read is read again
    return MC_OK;
}

// ---- the second time: references

// Of a field of whatever type; MC_NONE: out of memory.
static uint32_t find_label(mc_go_state *self) {
    if (self->text.failed) return MC_NONE;
    const uint32_t text = mc_object_heap_add_text(self->heap, self->text.data, self->text.size);
    return text == MC_NONE ? MC_NONE
                           : mc_object_heap_find_label(self->heap, text, MC_HEAP_LINK_FIELD, false);
}

static mc_result prepare_labels(mc_go_state *self) {
    static const char *const of_maps[MC_GO_MAP_WORDS] = {"count",       "flags",     "buckets",
                                                         "old buckets", "evacuated", "extra"};
    for (uint32_t i = 0; i < MC_GO_SLOT_LABELS; i++) {
        mc_text_clear(&self->text);
        mc_text_format(&self->text, "(field at %" PRIu32 ")", i * self->pointer_size);
        self->slot_labels[i] = find_label(self);
        if (self->slot_labels[i] == MC_NONE) return mc_error_out_of_memory(self->error);
    }
    for (uint32_t i = 0; i < MC_GO_MAP_WORDS; i++) {
        mc_text_clear(&self->text);
        mc_text_append_string(&self->text, of_maps[i]);
        self->map_labels[i] = find_label(self);
        if (self->map_labels[i] == MC_NONE) return mc_error_out_of_memory(self->error);
    }
    return MC_OK;
}

// The label of a reference; 0: it is an element.
static uint32_t get_label(const mc_go_state *self, uint32_t object, uint64_t size,
                          uint64_t offset) {
    const uint32_t title = self->heap->types[self->heap->object_types[object]].title;
    const uint64_t word = offset / self->pointer_size;
    if (title == self->map_title) return word < MC_GO_MAP_WORDS ? self->map_labels[word] : 0;
    if (title == self->buckets_title || size > FIELD_SIZE_MOST || word >= MC_GO_SLOT_LABELS)
        return 0;
    return self->slot_labels[word];
}

#define PENDING_MOST 256u

// Of a part: pointers whose objects are found at once, in the order of the file. Each part writes
// what is its own.
typedef struct pending {
    const mc_go_state *state;
    mc_go_part *part;
    uint32_t next; // object whose references begin behind those that were added
    uint32_t count;
    uint64_t pointers[PENDING_MOST];
    uint32_t sources[PENDING_MOST], labels[PENDING_MOST];
} pending;

// Up to and with `object`.
static void begin_objects(pending *self, uint32_t object) {
    while (self->next <= object)
        self->state->heap->edge_begins[self->next++] = self->part->edge_count;
}

static void add_pending(pending *self) {
    mc_object_edge *edges = self->state->heap->edges + self->part->edge_begin;
    uint32_t targets[PENDING_MOST];
    mc_go_spans_find_all(&self->state->spans, self->pointers, targets, self->count);
    for (uint32_t i = 0; i < self->count; i++) {
        begin_objects(self, self->sources[i]);
        if (targets[i] == MC_NONE) continue; // of a segment, a stack, or what is no object any more
        edges[self->part->edge_count++] = (mc_object_edge){targets[i], self->labels[i]};
    }
    self->count = 0;
}

static bool add_references(pending *self, uint32_t object, mc_go_record *record) {
    const mc_go_state *state = self->state;
    const uint64_t size = record->texts[0].size;
    uint64_t offset, pointer;
    bool is_wrong = false;
    while (mc_go_pointer_take(state, record, &offset, &pointer, &is_wrong)) {
        if (pointer == 0) continue;
        self->pointers[self->count] = pointer;
        self->sources[self->count] = object;
        self->labels[self->count++] = get_label(state, object, size, offset);
        if (self->count == PENDING_MOST) add_pending(self);
    }
    return !is_wrong;
}

typedef struct reference_reader {
    mc_go_state *state;
    size_t first; // part of a round
} reference_reader;

static uint32_t get_part_end(const mc_go_state *self, size_t part) {
    return part + 1 < self->part_count ? self->parts[part + 1].begin : self->heap->object_count;
}

static void read_part(void *user, uint32_t index, uint32_t thread) {
    const reference_reader *reader = user;
    const mc_go_state *self = reader->state;
    mc_go_part *part = &self->parts[reader->first + index];
    const uint32_t end = get_part_end(self, reader->first + index);
    // Fields of a file that changes meanwhile may be more than they were.
    const uint64_t room = (reader->first + index + 1 < self->part_count
                               ? self->parts[reader->first + index + 1].edge_begin
                               : self->edge_count) -
                          part->edge_begin;
    mc_go_cursor cursor = {self->cursor.begin, part->at, self->cursor.end};
    mc_go_record record;
    const char *wanted;
    pending wait = {.state = self, .part = part, .next = part->begin};
    uint32_t object = part->begin;
    uint64_t fields = 0;
    (void)thread;
    while (object < end && !part->wrong &&
           mc_go_record_read(&cursor, &record, &wanted) == MC_GO_READ) {
        if (record.tag != MC_GO_OBJECT) continue;
        fields += record.field_count;
        if (fields > room) break;
        if (!add_references(&wait, object, &record)) part->wrong = record.begin;
        object++;
    }
    add_pending(&wait);
    if (end > part->begin) begin_objects(&wait, end - 1);
}

// Puts what the parts have found one behind another.
static mc_result join_parts(mc_go_state *self) {
    mc_object_heap *heap = self->heap;
    uint64_t count = 0;
    for (size_t i = 0; i < self->part_count; i++) {
        const mc_go_part *part = &self->parts[i];
        const uint32_t end = get_part_end(self, i);
        if (part->wrong) return mc_go_fail(self, part->wrong, "pointers within the object");
        memmove(heap->edges + count, heap->edges + part->edge_begin,
                (size_t)part->edge_count * sizeof *heap->edges);
        for (uint32_t k = part->begin; k < end; k++)
            heap->edge_begins[k] += count;
        count += part->edge_count;
    }
    heap->edge_begins[heap->object_count] = self->edge_count = count;
    return MC_OK;
}

// Rounds, as progress is told in one thread.
static mc_result read_references(mc_go_state *self) {
    mc_object_heap *heap = self->heap;
    const uint32_t threads = self->desc->thread_count > 0 ? self->desc->thread_count : 1;
    const uint32_t round = threads * 4;
    if (self->edge_count >= MC_NONE / 2)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many references: 2^31 or more");
    heap->edges = mc_alloc((size_t)self->edge_count + 1, sizeof *heap->edges);
    heap->edge_begins = mc_alloc((size_t)heap->object_count + 2, sizeof *heap->edge_begins);
    if (!heap->edges || !heap->edge_begins) return mc_error_out_of_memory(self->error);
    mc_result result = prepare_labels(self);
    for (size_t i = 0; result == MC_OK && i < self->part_count; i += round) {
        const size_t left = self->part_count - i;
        reference_reader reader = {self, i};
        mc_parallel_run(left < round ? (uint32_t)left : round, threads, read_part, &reader);
        if (self->desc->is_mapped && left > round)
            mc_file_map_give_back(self->cursor.begin,
                                  (uint64_t)(self->parts[i].at - self->cursor.begin),
                                  (uint64_t)(self->parts[i + round].at - self->cursor.begin));
        result = mc_object_heap_report(heap, 1, (uint64_t)(self->parts[i].at - self->cursor.begin),
                                       self->size, self->error);
    }
    return result == MC_OK ? join_parts(self) : result;
}

static mc_result leave_out_references(mc_go_state *self) {
    mc_object_heap *heap = self->heap;
    heap->edges = mc_alloc(1, sizeof *heap->edges);
    heap->edge_begins = mc_alloc_zero((size_t)heap->object_count + 2, sizeof *heap->edge_begins);
    return heap->edges && heap->edge_begins ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- all of it

static mc_result find_program(mc_go_state *self) {
    const mc_heap_desc *desc = self->desc;
    mc_result result = mc_go_program_find(&self->clues, desc->path, desc->binary, desc->log,
                                          &self->program, self->error);
    if (result == MC_OK && !self->program && desc->path && self->clues.bss_size > 0)
        mc_log_write(desc->log, MC_LOG_WARNING,
                     "%s: its program is not beside it, so global variables have no names; give it "
                     "with --binary FILE",
                     desc->path);
    return result;
}

static mc_result read_all(mc_go_state *self, mc_text *damage) {
    const mc_go_cursor first = self->cursor;
    mc_object_heap *heap = self->heap;
    mc_result result = read_objects(self, damage);
    if (result == MC_OK && heap->object_count == 0)
        result = mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(first.at - first.begin),
                              "it has no object");
    if (result == MC_OK)
        result = mc_go_spans_build(&self->spans, heap->object_ids, heap->object_sizes,
                                   heap->object_count, self->error);
    if (result == MC_OK) result = mc_go_find_types(self);
    if (result == MC_OK && self->desc->has_counts_only) return leave_out_references(self);
    if (result == MC_OK) result = find_program(self);
    if (result == MC_OK) result = read_references(self);
    if (self->first_root) self->cursor.at = self->first_root;
    self->report_at = 0;
    self->kept_at = (uint64_t)(self->cursor.at - self->cursor.begin);
    return result == MC_OK ? mc_go_read_roots(self) : result;
}

static mc_result read_dump(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                           mc_object_heap *heap, mc_text *damage, mc_error *error) {
    mc_go_state self = {.heap = heap, .desc = desc, .size = size, .error = error};
    mc_result result = mc_object_heap_init(heap, classifiers, LEVELS, desc->thread_count, error);
    if (result == MC_OK && !mc_go_detect(data, size))
        result = mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                              "no heap dump of Go: expected \"go1.7 heap dump\"");
    if (result == MC_OK) {
        self.cursor = mc_go_cursor_begin(data, size);
        result = read_all(&self, damage);
    }
    mc_go_program_destroy(self.program);
    mc_go_spans_deinit(&self.spans);
    mc_free(self.buckets);
    mc_slots_deinit(&self.bucket_slots);
    mc_free(self.samples);
    mc_free(self.parts);
    mc_free(self.goroutines);
    mc_free(self.maps.buckets);
    mc_text_deinit(&self.text);
    return result == MC_OK ? mc_object_heap_end(heap, error) : result;
}

const mc_object_reader mc_go_reader = {.read = read_dump};
