#include "engine/import/hprof/hprof_file.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_scan.h"
#include "engine/trace/step_tree.h"
#include <inttypes.h>

#define BATCH_SIZE ((uint64_t)4 << 20)
#define WALK_SIZE ((uint64_t)32 << 20) // of records between two times that memory is given back
#define RECORD_HEAD 9                  // tag, time, length
static const char magic[] = "JAVA PROFILE 1.0.";

enum {
    TAG_STRING = 0x01,
    TAG_LOAD_CLASS = 0x02,
    TAG_FRAME = 0x04,
    TAG_TRACE = 0x05,
    TAG_HEAP_DUMP = 0x0c,
    TAG_HEAP_DUMP_SEGMENT = 0x1c,
    TAG_HEAP_DUMP_END = 0x2c
};

bool mc_hprof_detect(const void *data, size_t size) {
    const size_t prefix = sizeof magic - 1;
    const unsigned char *bytes = data;
    return size >= prefix + 2 && memcmp(data, magic, prefix) == 0 && bytes[prefix] >= '0' &&
           bytes[prefix] <= '9' && bytes[prefix + 1] == '\0';
}

void mc_hprof_damage_add(mc_hprof_damage *damage, const mc_hprof_damage *other) {
    if (other->kind == MC_HPROF_WHOLE) return;
    if (damage->kind == MC_HPROF_WHOLE || other->offset < damage->offset) {
        damage->kind = other->kind;
        damage->offset = other->offset;
    }
    damage->lost_size += other->lost_size;
    damage->count += other->count;
}

void mc_hprof_damage_append(const mc_hprof_damage *damage, uint64_t size, mc_text *text) {
    switch (damage->kind) {
    case MC_HPROF_WHOLE: return;
    case MC_HPROF_DAMAGE_NO_END:
        mc_text_format(text, "the dump is cut off at its end, byte %" PRIu64, size);
        break;
    case MC_HPROF_DAMAGE_CUT:
        if (damage->offset + damage->lost_size == size) {
            mc_text_format(text,
                           "the file ends within the record at byte %" PRIu64
                           ": what came behind it is missing",
                           damage->offset);
            return;
        }
        mc_text_format(text, "the record at byte %" PRIu64 " is cut off", damage->offset);
        break;
    default: mc_text_format(text, "byte %" PRIu64 " begins no record", damage->offset);
    }
    if (damage->lost_size > 0)
        mc_text_format(text, "; %" PRIu64 " of %" PRIu64 " bytes are left out", damage->lost_size,
                       size);
}

static void add_damage(mc_hprof_file *file, mc_hprof_damage_kind kind, uint64_t offset,
                       uint64_t lost_size) {
    mc_hprof_damage damage = {.kind = kind, .offset = offset, .lost_size = lost_size, .count = 1};
    mc_hprof_damage_add(&file->damage, &damage);
}

void mc_hprof_file_deinit(mc_hprof_file *file) {
    mc_hprof_table_deinit(&file->strings);
    mc_hprof_table_deinit(&file->class_names);
    mc_hprof_table_deinit(&file->serial_names);
    mc_hprof_table_deinit(&file->frames);
    mc_hprof_table_deinit(&file->traces);
    mc_free(file->ranges);
    memset(file, 0, sizeof *file);
}

static void give_back(const mc_hprof_file *file, uint64_t begin, uint64_t end) {
    if (file->is_mapped) mc_file_map_give_back(file->data, begin, end);
}

// ---- records

static mc_result read_header(mc_hprof_file *file, uint64_t *begin, mc_error *error) {
    const uint64_t prefix = sizeof magic + 1; // the last digit and the end of the string
    if (!mc_hprof_detect(file->data, file->size))
        return mc_error_set(error, MC_ERROR_BAD_DATA, 0, "expected \"JAVA PROFILE 1.0.x\"");
    if (file->size < prefix + 12)
        return mc_error_set(error, MC_ERROR_BAD_DATA, file->size,
                            "expected a heap dump's header, found the end of the file");
    file->id_size = mc_hprof_read_u4(file->data + prefix);
    uint64_t time_ms = mc_hprof_read_u8(file->data + prefix + 4);
    if (file->id_size != 4 && file->id_size != 8)
        return mc_error_set(error, MC_ERROR_BAD_DATA, prefix,
                            "expected ids of 4 or 8 bytes, found %u", file->id_size);
    if (time_ms > MC_TIME_MAX)
        return mc_error_set(error, MC_ERROR_BAD_DATA, prefix + 4,
                            "expected a time in ms since 1970");
    file->time_ms = (int64_t)time_ms;
    *begin = prefix + 12;
    return MC_OK;
}

int64_t mc_hprof_peek_time(const unsigned char *data, size_t size) {
    uint64_t begin;
    mc_hprof_file file = {.data = data, .size = size};
    return read_header(&file, &begin, NULL) == MC_OK ? file.time_ms : 0;
}

static bool add_range(mc_hprof_file *file, uint64_t begin, uint64_t end) {
    if (!mc_reserve(&file->ranges, &file->range_capacity, file->range_count + 1,
                    sizeof *file->ranges))
        return false;
    file->ranges[file->range_count++] = (mc_hprof_range){begin, end};
    return true;
}

static bool put(mc_hprof_table *table, uint64_t key, uint64_t value) {
    uint64_t *slot = mc_hprof_table_put(table, key);
    if (slot) *slot = value;
    return slot != NULL;
}

// How long a heap record is whose length says `length`, with `left` bytes to the file's end. The
// length has 32 bits, of which long ones keep the lower; and a writer that was stopped left 0.
static uint64_t measure_heap(const unsigned char *body, uint64_t length, uint64_t left) {
    bool has_overflown = length < left && (left - length) % (UINT64_C(1) << 32) == 0;
    if (has_overflown) return left;
    bool is_followed =
        left >= RECORD_HEAD && (body[0] == TAG_HEAP_DUMP_END || body[0] == TAG_HEAP_DUMP_SEGMENT ||
                                body[0] == TAG_HEAP_DUMP);
    return length == 0 && left > 0 && !is_followed ? left : length;
}

// False if memory is out.
static bool take_record(mc_hprof_file *file, uint8_t tag, uint64_t begin, uint64_t length) {
    const unsigned char *body = file->data + begin;
    const uint32_t id_size = file->id_size;
    switch (tag) {
    case TAG_STRING:
        return length < id_size ||
               put(&file->strings, mc_hprof_read_id(body, id_size), begin + id_size);
    case TAG_LOAD_CLASS:
        return length < 8 + 2 * (uint64_t)id_size ||
               (put(&file->class_names, mc_hprof_read_id(body + 4, id_size),
                    mc_hprof_read_id(body + 8 + id_size, id_size)) &&
                put(&file->serial_names, mc_hprof_read_u4(body),
                    mc_hprof_read_id(body + 8 + id_size, id_size)));
    case TAG_FRAME:
        return length < 8 + 4 * (uint64_t)id_size ||
               put(&file->frames, mc_hprof_read_id(body, id_size), begin);
    case TAG_TRACE: return length < 12 || put(&file->traces, mc_hprof_read_u4(body), begin);
    case TAG_HEAP_DUMP:
    case TAG_HEAP_DUMP_SEGMENT: return length == 0 || add_range(file, begin, begin + length);
    default: return true;
    }
}

static mc_result read_records(mc_hprof_file *file, uint64_t at, mc_error *error) {
    bool needs_end = false, has_end = false, has_heap = false;
    uint64_t given_back = at;
    while (at < file->size) {
        uint64_t left = file->size - at;
        if (left < RECORD_HEAD) {
            add_damage(file, MC_HPROF_DAMAGE_CUT, at, left);
            break;
        }
        uint8_t tag = file->data[at];
        uint64_t length = mc_hprof_read_u4(file->data + at + 5), begin = at + RECORD_HEAD;
        bool is_heap = tag == TAG_HEAP_DUMP || tag == TAG_HEAP_DUMP_SEGMENT;
        left -= RECORD_HEAD;
        if (is_heap) length = measure_heap(file->data + begin, length, left);
        if (length > left) {
            // of a heap, what is there is read; where it ends shows when it is
            if (!is_heap) {
                add_damage(file, MC_HPROF_DAMAGE_CUT, at, left + RECORD_HEAD);
                break;
            }
            add_damage(file, MC_HPROF_DAMAGE_NO_END, file->size, 0);
            length = left;
        }
        if (!take_record(file, tag, begin, length)) return mc_error_out_of_memory(error);
        has_heap = has_heap || is_heap;
        needs_end = needs_end || tag == TAG_HEAP_DUMP_SEGMENT;
        has_end = has_end || tag == TAG_HEAP_DUMP_END;
        at = begin + length;
        if (at - given_back < WALK_SIZE) continue;
        give_back(file, given_back, at);
        given_back = at;
    }
    if (!has_heap)
        return mc_error_set(error, MC_ERROR_BAD_DATA, file->size,
                            "expected a heap in this dump, found none%s",
                            file->damage.kind == MC_HPROF_WHOLE ? "" : ": it is cut off before");
    if (needs_end && !has_end && file->damage.kind == MC_HPROF_WHOLE)
        add_damage(file, MC_HPROF_DAMAGE_NO_END, file->size, 0);
    return MC_OK;
}

mc_result mc_hprof_file_init(mc_hprof_file *file, const unsigned char *data, uint64_t size,
                             bool is_mapped, mc_error *error) {
    uint64_t begin = 0;
    *file = (mc_hprof_file){.data = data, .size = size, .is_mapped = is_mapped};
    mc_result result = read_header(file, &begin, error);
    return result == MC_OK ? read_records(file, begin, error) : result;
}

const char *mc_hprof_file_get_string(const mc_hprof_file *file, uint64_t id, size_t *size) {
    uint64_t begin = mc_hprof_table_get(&file->strings, id);
    if (begin == MC_HPROF_NO_VALUE) return NULL;
    // Read again: the file may have changed since.
    uint32_t length = mc_hprof_read_u4(file->data + begin - file->id_size - 4);
    if (length < file->id_size || length - file->id_size > file->size - begin) return NULL;
    *size = length - file->id_size;
    return (const char *)file->data + begin;
}

const char *mc_hprof_file_get_class_name(const mc_hprof_file *file, uint64_t class_id,
                                         size_t *size) {
    uint64_t string = mc_hprof_table_get(&file->class_names, class_id);
    return string == MC_HPROF_NO_VALUE ? NULL : mc_hprof_file_get_string(file, string, size);
}

bool mc_hprof_file_get_frame(const mc_hprof_file *file, uint32_t trace, uint32_t index,
                             mc_hprof_frame *frame) {
    const uint32_t id_size = file->id_size;
    uint64_t begin = mc_hprof_table_get(&file->traces, trace);
    if (begin == MC_HPROF_NO_VALUE) return false;
    // Lengths are read again: the file may have changed since.
    uint32_t length = mc_hprof_read_u4(file->data + begin - 4);
    uint64_t at = 12 + (uint64_t)index * id_size;
    if (length > file->size - begin || at + id_size > length) return false;
    uint64_t record =
        mc_hprof_table_get(&file->frames, mc_hprof_read_id(file->data + begin + at, id_size));
    if (record == MC_HPROF_NO_VALUE) return false;
    const unsigned char *body = file->data + record; // was long enough, and is before the end
    frame->method = mc_hprof_read_id(body + id_size, id_size);
    frame->source = mc_hprof_read_id(body + 3 * (size_t)id_size, id_size);
    frame->class_name =
        mc_hprof_table_get(&file->serial_names, mc_hprof_read_u4(body + 4 * (size_t)id_size));
    frame->line = (int32_t)mc_hprof_read_u4(body + 4 * (size_t)id_size + 4);
    return true;
}

// ---- ranges to batches

// Cuts `range` between records, so that each part but the last has at least BATCH_SIZE bytes.
static mc_result split_range(mc_hprof_file *file, mc_hprof_range range, mc_hprof_crew *crew,
                             mc_error *error) {
    mc_hprof_cursor cursor = {file->data + range.begin, file->data + range.end, file->id_size};
    uint64_t begin = range.begin;
    mc_hprof_item item;
    mc_hprof_kind kind;
    do {
        kind = mc_hprof_next(&cursor, &item);
        uint64_t at = (uint64_t)(cursor.at - file->data);
        bool has_ended = kind == MC_HPROF_END || kind == MC_HPROF_CUT || kind == MC_HPROF_BAD;
        if (!has_ended && at - begin < BATCH_SIZE) continue;
        if (at > begin && !add_range(file, begin, at)) return mc_error_out_of_memory(error);
        give_back(file, begin, at);
        begin = at;
        if (!mc_progress_report(crew->progress, atomic_load(&crew->done), crew->total))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        if (has_ended) break;
    } while (true);
    if (kind != MC_HPROF_END)
        add_damage(file, kind == MC_HPROF_CUT ? MC_HPROF_DAMAGE_CUT : MC_HPROF_DAMAGE_TAG, begin,
                   range.end - begin);
    return MC_OK;
}

static mc_result split_large_ranges(mc_hprof_file *file, mc_hprof_crew *crew, mc_error *error) {
    size_t count = file->range_count;
    mc_hprof_range *ranges = file->ranges;
    mc_result result = MC_OK;
    file->ranges = NULL;
    file->range_count = file->range_capacity = 0;
    for (size_t i = 0; i < count && result == MC_OK; i++) {
        if (ranges[i].end - ranges[i].begin >= 4 * BATCH_SIZE)
            result = split_range(file, ranges[i], crew, error);
        else if (!add_range(file, ranges[i].begin, ranges[i].end))
            result = mc_error_out_of_memory(error);
    }
    mc_free(ranges);
    return result;
}

mc_result mc_hprof_file_plan(mc_hprof_file *file, mc_hprof_batch **batches, size_t *batch_count,
                             mc_hprof_crew *crew, mc_error *error) {
    size_t capacity = 0, count = 0;
    *batches = NULL;
    *batch_count = 0;
    mc_result result = split_large_ranges(file, crew, error);
    if (result != MC_OK) return result;
    for (size_t i = 0; i < file->range_count; i++) {
        uint64_t size = file->ranges[i].end - file->ranges[i].begin;
        if (count > 0 && (*batches)[count - 1].size < BATCH_SIZE) {
            (*batches)[count - 1].range_count++;
            (*batches)[count - 1].size += size;
            continue;
        }
        if (!mc_reserve(batches, &capacity, count + 1, sizeof **batches)) {
            mc_free(*batches);
            *batches = NULL;
            return mc_error_out_of_memory(error);
        }
        (*batches)[count++] = (mc_hprof_batch){.first_range = i, .range_count = 1, .size = size};
    }
    *batch_count = count;
    return MC_OK;
}

void mc_hprof_file_end_batch(const mc_hprof_file *file, const mc_hprof_batch *batch,
                             mc_hprof_crew *crew) {
    atomic_fetch_add_explicit(&crew->done, batch->size, memory_order_relaxed);
    const mc_hprof_range *ranges = file->ranges + batch->first_range;
    give_back(file, ranges[0].begin, ranges[batch->range_count - 1].end);
}

bool mc_hprof_walk_enter(mc_hprof_walk *walk) {
    const mc_hprof_file *file = walk->file;
    if (walk->range == walk->end) return false;
    walk->cursor = (mc_hprof_cursor){file->data + walk->range->begin, file->data + walk->range->end,
                                     file->id_size};
    walk->range++;
    return true;
}
