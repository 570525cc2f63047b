#include "engine/import/perfetto/heapgraph_reader.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/objects/object_ids.h"
#include "engine/import/perfetto/heapgraph_types.h"
#include "engine/import/perfetto/perfetto_packets.h"
#include "engine/import/perfetto/perfetto_unpack.h"
#include <inttypes.h>
#include <string.h>

#define LEVELS 2

static const char *const classifiers[LEVELS] = {"Package", "Type"};

// The fields of a heap graph.
enum {
    PROCESS = 1,
    OBJECT = 2,
    FIELD_NAME = 4,
    CONTINUED = 5,
    INDEX = 6,
    ROOT = 7,
    FILE_NAME = 8,
    TYPE = 9
};

// Of a heap graph, in the order of the trace.
typedef struct graph_part {
    mc_proto body;
    uint32_t sequence;
    uint64_t time_ns, process, index;
    bool is_last, is_dropped;
} graph_part;

// What an object's fields say.
typedef struct object_fields {
    uint64_t id, id_delta, type, size, base, heap_kind;
    bool has_heap_kind;
    size_t field_count, reference_count;
} object_fields;

typedef struct reader {
    const unsigned char *data;
    mc_object_heap *heap;
    const mc_heap_desc *desc;
    mc_error *error;
    graph_part *parts;
    size_t part_count, part_capacity;
    mc_perfetto_clock clock;
    mc_heapgraph_types types;
    uint32_t sequence; // of the graph that is shown
    size_t first, last;
    uint64_t begin, time_ns; // begin: in the data
    bool is_whole, has_losses;
    mc_object_ids ids;
    size_t type_capacity, size_capacity, id_capacity, edge_capacity;
    uint64_t *fields, *targets; // scratch: of an object
    size_t field_capacity, target_capacity;
    uint64_t edge_count, dangling_count, last_id, last_kind;
    uint32_t next_object; // whose references come
} reader;

static bool has_graph(const mc_proto_field *field) {
    mc_perfetto_clock clock = {.is_known = true};
    mc_perfetto_packet packet;
    const unsigned char *bad;
    const char *expected;
    return mc_perfetto_packet_read(field, &packet, &clock, &bad, &expected) && !bad &&
           packet.heap_graph.number;
}

static bool has_compressed_graph(mc_perfetto_unpacker *unpacker, const unsigned char *data,
                                 const mc_proto_field *compressed) {
    mc_proto_field field;
    if (mc_perfetto_unpack_packets(unpacker, data, compressed, NULL) != MC_OK) return false;
    const mc_inflate_buffer *packets = &unpacker->packets;
    if (packets->size == 0) return false;
    mc_proto trace = mc_proto_begin(packets->data, packets->data + packets->size);
    while (mc_proto_next(&trace, &field))
        if (has_graph(&field)) return true;
    return false;
}

bool mc_heapgraph_detect(const void *data, size_t size) {
    mc_perfetto_unpacker unpacker = {.has_zlib = false};
    mc_proto trace = mc_proto_begin(data, (const unsigned char *)data + size);
    mc_proto_field field;
    bool is_there = false;
    if (!mc_perfetto_detect(data, size)) return false;
    while (!is_there && mc_proto_next(&trace, &field)) {
        mc_proto_field compressed = mc_perfetto_find_compressed(&field);
        is_there = compressed.number ? has_compressed_graph(&unpacker, data, &compressed)
                                     : has_graph(&field);
    }
    mc_perfetto_unpacker_deinit(&unpacker);
    return is_there;
}

static mc_result fail_at(const reader *self, const unsigned char *at, const char *expected) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->data),
                        "Java heap graph: expected %s", expected);
}

static mc_result finish(const reader *self, const mc_proto *proto) {
    return proto->bad ? fail_at(self, proto->bad, proto->expected) : MC_OK;
}

static mc_result out_of_memory(const reader *self) {
    return mc_error_out_of_memory(self->error);
}

// ---- which graph

static mc_result add_part(reader *self, const mc_perfetto_packet *packet) {
    const mc_proto_field *field = &packet->heap_graph;
    if (field->wire != MC_PROTO_BYTES) return fail_at(self, field->begin, "a message");
    graph_part part = {.body = mc_proto_begin(field->bytes, field->end),
                       .sequence = packet->sequence,
                       .time_ns = packet->time_ns,
                       .is_last = true,
                       .is_dropped = packet->is_dropped};
    mc_proto body = part.body;
    mc_proto_field inner;
    while (mc_proto_next(&body, &inner)) {
        if (inner.number == PROCESS) part.process = inner.value;
        if (inner.number == INDEX) part.index = inner.value;
        if (inner.number == CONTINUED) part.is_last = inner.value == 0;
    }
    if (body.bad) return finish(self, &body);
    if (!mc_reserve(&self->parts, &self->part_capacity, self->part_count + 1, sizeof part))
        return out_of_memory(self);
    self->parts[self->part_count++] = part;
    return MC_OK;
}

static mc_result add_real_names(reader *self, const mc_proto_field *field) {
    const unsigned char *wrong;
    if (!mc_perfetto_real_names_add(&self->types.real, field, &wrong)) return out_of_memory(self);
    return wrong ? fail_at(self, wrong, "names of classes and fields") : MC_OK;
}

static mc_result find_parts(reader *self, uint64_t size) {
    mc_proto trace = mc_proto_begin(self->data, self->data + size);
    mc_proto_field field;
    mc_perfetto_packet packet;
    const unsigned char *bad;
    const char *expected = NULL;
    while (mc_proto_next(&trace, &field)) {
        if (!mc_perfetto_packet_read(&field, &packet, &self->clock, &bad, &expected)) continue;
        mc_result result = bad                        ? fail_at(self, bad, expected)
                           : packet.heap_graph.number ? add_part(self, &packet)
                           : packet.real_names.number ? add_real_names(self, &packet.real_names)
                                                      : MC_OK;
        if (result != MC_OK) return result;
    }
    return finish(self, &trace);
}

// The last that is whole; else the last.
static mc_result choose_graph(reader *self) {
    size_t count = 0;
    if (self->part_count == 0)
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                            "this trace of Perfetto has no Java heap graph");
    self->last = self->part_count - 1;
    for (size_t i = 0; i < self->part_count; i++) {
        if (!self->parts[i].is_last) continue;
        self->last = i;
        self->is_whole = true;
        count++;
    }
    const graph_part *last = &self->parts[self->last];
    self->sequence = last->sequence;
    self->time_ns = last->time_ns;
    for (self->first = self->last; self->first > 0; self->first--) {
        const graph_part *before = &self->parts[self->first - 1];
        if (before->sequence == self->sequence && before->is_last) break;
    }
    self->begin = (uint64_t)(self->parts[self->first].body.at - self->data);
    uint64_t index = 0;
    bool has_index = false;
    for (size_t i = self->first; i <= self->last; i++) {
        const graph_part *part = &self->parts[i];
        if (part->sequence != self->sequence) continue;
        // What is missing before the graph's first packet is none of it.
        self->has_losses |= (part->is_dropped && (has_index || part->index != 0)) ||
                            (has_index && part->index != index + 1);
        index = part->index;
        has_index = true;
    }
    if (count > 1)
        mc_log_write(self->desc->log, MC_LOG_WARNING,
                     "%s: of its %zu Java heap graphs the last one is shown, that of process "
                     "%" PRIu64,
                     self->desc->path ? self->desc->path : "the trace", count, last->process);
    return MC_OK;
}

typedef mc_result (*take_field)(reader *self, const mc_proto_field *field);

// Passes each field of a number of the graph that is shown.
static mc_result walk(reader *self, uint32_t number, uint32_t phase, take_field take) {
    for (size_t i = self->first; self->parts && i <= self->last; i++) {
        if (self->parts[i].sequence != self->sequence) continue;
        mc_proto body = self->parts[i].body;
        mc_proto_field field;
        mc_result result = mc_object_heap_report(self->heap, phase, i - self->first,
                                                 self->last - self->first + 1, self->error);
        while (result == MC_OK && mc_proto_next(&body, &field)) {
            if (field.number != number) continue;
            result = field.wire == MC_PROTO_BYTES ? take(self, &field)
                                                  : fail_at(self, field.begin, "a message");
        }
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result take_type(reader *self, const mc_proto_field *field) {
    const unsigned char *wrong;
    const mc_perfetto_table table = field->number == TYPE        ? MC_PERFETTO_MAPPING
                                    : field->number == FILE_NAME ? MC_PERFETTO_PATH
                                                                 : MC_PERFETTO_TEXT;
    if (!mc_heapgraph_types_add(&self->types, field, table, &wrong)) return out_of_memory(self);
    return wrong ? fail_at(self, wrong, "a type or the name of a field") : MC_OK;
}

// ---- objects

// Numbers of a packed field behind those that are there. False: memory is out.
static bool take_numbers(const mc_proto_field *part, uint64_t **numbers, size_t *count,
                         size_t *capacity, const unsigned char **wrong) {
    mc_proto list = mc_proto_begin_numbers(part);
    uint64_t number;
    while (mc_proto_next_number(&list, part, &number)) {
        if (!mc_reserve(numbers, capacity, *count + 1, sizeof number)) return false;
        (*numbers)[(*count)++] = number;
    }
    *wrong = part->wire == MC_PROTO_BYTES ? list.bad : NULL;
    return true;
}

// Its references are in self->fields and self->targets; those of the runtime are in none.
static mc_result read_object(reader *self, const mc_proto_field *field, object_fields *o) {
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    mc_proto_field part;
    const unsigned char *wrong = NULL;
    *o = (object_fields){.id = 0};
    while (!wrong && mc_proto_next(&body, &part)) {
        bool fits = true;
        switch (part.number) {
        case 1: o->id = part.value; break;
        case 2: o->type = part.value; break;
        case 3: o->size = part.value; break;
        case 6: o->base = part.value; break;
        case 7: o->id_delta = part.value; break;
        case 9:
            o->heap_kind = part.value;
            o->has_heap_kind = true;
            break;
        case 4:
            fits =
                take_numbers(&part, &self->fields, &o->field_count, &self->field_capacity, &wrong);
            break;
        case 5:
            fits = take_numbers(&part, &self->targets, &o->reference_count, &self->target_capacity,
                                &wrong);
            break;
        default: break;
        }
        if (!fits) return out_of_memory(self);
    }
    if (wrong) return fail_at(self, wrong, "the references of an object");
    return finish(self, &body);
}

static mc_result add_object(reader *self, const mc_proto_field *field, uint64_t id,
                            const object_fields *o) {
    mc_object_heap *heap = self->heap;
    const size_t count = (size_t)heap->object_count + 1;
    mc_heapgraph_type *type = mc_heapgraph_types_find(&self->types, o->type);
    uint64_t size = o->size > 0 || !type ? o->size : type->size;
    if (mc_object_ids_is_taken(&self->ids, heap, id))
        return fail_at(self, field->begin, "an object of another id");
    if (size > INT64_MAX) return fail_at(self, field->begin, "a size below 2^63");
    if (count >= MC_NONE / 4) return fail_at(self, field->begin, "at most 2^30 objects");
    uint32_t heap_type = mc_heapgraph_types_get(&self->types, type);
    if (heap_type == MC_NONE ||
        !mc_reserve(&heap->object_ids, &self->id_capacity, count, sizeof *heap->object_ids) ||
        !mc_reserve(&heap->object_types, &self->type_capacity, count, sizeof *heap->object_types) ||
        !mc_reserve(&heap->object_sizes, &self->size_capacity, count, sizeof *heap->object_sizes) ||
        !mc_object_ids_reserve(&self->ids))
        return out_of_memory(self);
    heap->object_ids[count - 1] = id;
    heap->object_types[count - 1] = heap_type;
    heap->object_sizes[count - 1] = size;
    mc_object_ids_enter(&self->ids, id, heap->object_count++);
    return MC_OK;
}

// Ids and kinds of heaps are said as what has changed.
static mc_result take_object(reader *self, const mc_proto_field *field) {
    enum { ZYGOTE = 2, BOOT_IMAGE = 3 };
    object_fields o;
    mc_result result = read_object(self, field, &o);
    if (result != MC_OK) return result;
    self->last_id = o.id_delta ? self->last_id + o.id_delta : o.id;
    if (o.has_heap_kind) self->last_kind = o.heap_kind;
    result = add_object(self, field, self->last_id, &o);
    bool is_kept = self->last_kind == ZYGOTE || self->last_kind == BOOT_IMAGE; // never collected
    if (result != MC_OK || !is_kept) return result;
    return mc_object_heap_add_root(self->heap, self->heap->object_count - 1, MC_ROOT_VM_INTERNAL,
                                   MC_NONE)
               ? MC_OK
               : out_of_memory(self);
}

// ---- references

static mc_result add_edge(reader *self, uint64_t id, uint32_t label) {
    mc_object_heap *heap = self->heap;
    uint32_t target = mc_object_ids_find(&self->ids, heap, id);
    if (label == MC_NONE) return out_of_memory(self);
    if (target == MC_NONE) {
        self->dangling_count++;
        return MC_OK;
    }
    if (self->edge_count >= MC_NONE / 2)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many references: 2^31 or more");
    if (!mc_reserve(&heap->edges, &self->edge_capacity, (size_t)self->edge_count + 1,
                    sizeof *heap->edges))
        return out_of_memory(self);
    heap->edges[self->edge_count++] = (mc_object_edge){target, label};
    return MC_OK;
}

static uint32_t get_label(reader *self, mc_heapgraph_type *type, const object_fields *o, size_t i) {
    if (o->field_count > 0)
        return mc_heapgraph_types_get_label(&self->types, type, self->fields[i]);
    uint32_t count = type ? mc_heapgraph_types_list_labels(&self->types, type) : 0;
    if (count == MC_NONE) return MC_NONE;
    return i < count ? self->types.labels[type->labels + i] : 0;
}

// Of what the runtime notes beside an object's fields.
static mc_result add_inner_edges(reader *self, const mc_proto_field *field) {
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    mc_proto_field part;
    mc_result result = MC_OK;
    uint64_t number;
    while (result == MC_OK && mc_proto_next(&body, &part)) {
        if (part.number != 10) continue;
        mc_proto list = mc_proto_begin_numbers(&part);
        while (result == MC_OK && mc_proto_next_number(&list, &part, &number))
            result = add_edge(self, number, 0);
    }
    return result;
}

static mc_result take_references(reader *self, const mc_proto_field *field) {
    object_fields o;
    mc_result result = read_object(self, field, &o);
    if (result != MC_OK) return result;
    mc_heapgraph_type *type = mc_heapgraph_types_find(&self->types, o.type);
    self->heap->edge_begins[self->next_object++] = self->edge_count;
    if (o.field_count > 0 && o.field_count != o.reference_count)
        return fail_at(self, field->begin, "as many fields as references in an object");
    for (size_t i = 0; i < o.reference_count && result == MC_OK; i++)
        if (self->targets[i] != 0)
            result = add_edge(self, self->targets[i] + o.base, get_label(self, type, &o, i));
    return result == MC_OK ? add_inner_edges(self, field) : result;
}

static mc_result read_references(reader *self) {
    mc_object_heap *heap = self->heap;
    heap->edge_begins = mc_alloc_zero((size_t)heap->object_count + 2, sizeof *heap->edge_begins);
    if (!heap->edge_begins ||
        !mc_reserve(&heap->edges, &self->edge_capacity, 1, sizeof *heap->edges))
        return out_of_memory(self);
    mc_result result = self->desc->has_counts_only ? MC_OK : walk(self, OBJECT, 1, take_references);
    heap->edge_begins[heap->object_count] = self->edge_count;
    return result;
}

static mc_result take_root(reader *self, const mc_proto_field *field) {
    static const mc_root_kind kinds[] = {MC_ROOT_UNKNOWN,
                                         MC_ROOT_JNI_GLOBAL,
                                         MC_ROOT_JNI_LOCAL,
                                         MC_ROOT_STACK,
                                         MC_ROOT_NATIVE_STACK,
                                         MC_ROOT_SYSTEM_CLASS,
                                         MC_ROOT_THREAD_BLOCK,
                                         MC_ROOT_MONITOR,
                                         MC_ROOT_THREAD,
                                         MC_ROOT_INTERNED_STRING,
                                         MC_ROOT_FINALIZING,
                                         MC_ROOT_DEBUGGER,
                                         MC_ROOT_REFERENCE_CLEANUP,
                                         MC_ROOT_VM_INTERNAL,
                                         MC_ROOT_JNI_MONITOR};
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    mc_proto_field part;
    uint64_t kind = 0;
    size_t count = 0;
    const unsigned char *wrong = NULL;
    while (!wrong && mc_proto_next(&body, &part)) {
        if (part.number == 2) kind = part.value;
        if (part.number == 1 &&
            !take_numbers(&part, &self->targets, &count, &self->target_capacity, &wrong))
            return out_of_memory(self);
    }
    if (wrong) return fail_at(self, wrong, "the objects of a root");
    if (body.bad) return finish(self, &body);
    if (kind >= sizeof kinds / sizeof *kinds) kind = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t object = mc_object_ids_find(&self->ids, self->heap, self->targets[i]);
        if (object == MC_NONE) {
            self->dangling_count++;
            continue;
        }
        if (!mc_object_heap_add_root(self->heap, object, kinds[kind], MC_NONE))
            return out_of_memory(self);
    }
    return MC_OK;
}

// ---- all of it

static mc_result read_graph(reader *self) {
    mc_result result = walk(self, TYPE, 0, take_type);
    if (result == MC_OK) result = walk(self, FIELD_NAME, 0, take_type);
    if (result == MC_OK) result = walk(self, FILE_NAME, 0, take_type);
    if (result == MC_OK) result = walk(self, OBJECT, 0, take_object);
    if (result == MC_OK && self->heap->object_count == 0)
        result = mc_error_set(self->error, MC_ERROR_BAD_DATA, self->begin,
                              "the Java heap graph has no object");
    if (result == MC_OK) result = read_references(self);
    if (result == MC_OK && !self->desc->has_counts_only) result = walk(self, ROOT, 1, take_root);
    if (self->clock.is_known)
        self->heap->time_ms = mc_perfetto_clock_get_ms(&self->clock, self->time_ns);
    return result;
}

static void note_damage(const reader *self, mc_text *damage) {
    if (!self->is_whole)
        mc_text_append_string(damage, "its end is missing");
    else if (self->has_losses)
        mc_text_append_string(damage, "packets of it were lost");
    else if (self->dangling_count > 0)
        mc_text_format(damage, "%" PRIu64 " references lead to objects that it lacks",
                       self->dangling_count);
}

static mc_result read_packets(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                              mc_object_heap *heap, mc_text *damage, mc_error *error) {
    reader self = {.data = data, .heap = heap, .desc = desc, .error = error};
    self.ids.seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)&self;
    self.types.heap = heap;
    self.types.label_most = ((size_t)1 << 16) + (size_t)size;
    mc_perfetto_real_names_begin(&self.types.real, size);
    mc_result result = mc_object_heap_init(heap, classifiers, LEVELS, desc->thread_count, error);
    if (result == MC_OK) result = find_parts(&self, size);
    if (result == MC_OK) result = choose_graph(&self);
    if (result == MC_OK) result = read_graph(&self);
    if (result == MC_OK) note_damage(&self, damage);
    mc_heapgraph_types_deinit(&self.types);
    mc_slots_deinit(&self.ids.slots);
    mc_free(self.parts);
    mc_free(self.fields);
    mc_free(self.targets);
    return result == MC_OK ? mc_object_heap_end(heap, error) : result;
}

static mc_result read_trace(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                            mc_object_heap *heap, mc_text *damage, mc_error *error) {
    mc_inflate_buffer unpacked = {.data = NULL};
    mc_result result = mc_perfetto_unpack(data, (size_t)size, NULL, &unpacked, error);
    if (result == MC_OK) {
        const bool is_plain = !unpacked.data;
        result = read_packets(is_plain ? data : unpacked.data, is_plain ? size : unpacked.size,
                              desc, heap, damage, error);
        if (result != MC_OK) mc_perfetto_unpack_mark(&unpacked, error);
    }
    mc_inflate_buffer_deinit(&unpacked);
    return result;
}

const mc_object_reader mc_heapgraph_reader = {.read = read_trace};
