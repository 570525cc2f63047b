#include "engine/import/smaps/process_memory.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include "engine/import/format/step_times.h"
#include "engine/import/stacks/line_reader.h"
#include <stdlib.h>
#include <string.h>

#define KILO UINT64_C(1024)
#define BYTES_MOST (UINT64_C(1) << 60) // that a number may stand for
#define TIME_LINE_MOST 256             // bytes of a line that may be a date

typedef enum section { OTHER, MAPPINGS, NMT, MALLOC, CLASSES, LOADERS } section;

typedef struct parser {
    mc_process_memory *memory;
    mc_process_text *text;
    mc_error *error;
    mc_span line;
    section section;
    bool is_in_heap;      // of malloc_info, not in its sums
    uint64_t table_begin; // of classes or loaders: its offset
} parser;

void mc_process_memory_deinit(mc_process_memory *memory) {
    mc_free(memory->mappings);
    mc_free(memory->ranges);
    mc_memory_contents_deinit(&memory->classes);
    mc_memory_contents_deinit(&memory->loaders);
    *memory = (mc_process_memory){0};
}

static void clear(mc_process_memory *memory) {
    memory->mapping_count = memory->range_count = 0;
    memory->category_count = 0;
    memory->has_arenas = memory->has_time = false;
    memory->arena_bytes = memory->arena_free_bytes = 0;
    mc_memory_contents_clear(&memory->classes);
    mc_memory_contents_clear(&memory->loaders);
}

static uint64_t get_offset(const parser *self) {
    return (uint64_t)(self->line.at - self->text->begin);
}

static mc_result fail(const parser *self, const char *expected) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, get_offset(self), "memory map: expected %s",
                        expected);
}

// ---- numbers

// "4 kB", "120KB", "1MB", "77"; false: none, or more than BYTES_MOST.
static bool take_bytes(mc_span *text, uint64_t *bytes) {
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"kB", KILO}, {"KB", KILO}, {"MB", KILO * KILO}, {"GB", KILO * KILO * KILO}};
    mc_span_skip_blanks(text);
    if (!mc_span_take_decimal(text, bytes)) return false;
    mc_span_skip_blanks(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!mc_span_skip(text, units[i].name)) continue;
        if (*bytes > BYTES_MOST / units[i].bytes) return false;
        *bytes *= units[i].bytes;
        return true;
    }
    mc_span_skip(text, "B");
    return *bytes <= BYTES_MOST;
}

// The number behind the first `name` in a line.
static bool find_bytes(mc_span line, const char *name, uint64_t *bytes) {
    size_t size = strlen(name);
    const char *found = line.size > 0 ? memmem(line.at, line.size, name, size) : NULL;
    if (!found) return false;
    mc_span rest = {found + size, line.size - (size_t)(found - line.at) - size};
    return take_bytes(&rest, bytes);
}

static bool is_hex(char c) {
    return mc_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// ---- smaps

static bool take_flag(mc_span *text, char wanted, uint32_t flag, uint32_t *flags) {
    if (text->size == 0 || (*text->at != wanted && *text->at != '-')) return false;
    if (*text->at == wanted) *flags |= flag;
    text->at++;
    text->size--;
    return true;
}

// "7faa37000000-7faa37bc7000 rw-p 00001000 fe:00 318054    /usr/lib/libc.so.6"
static bool take_mapping(mc_span line, mc_mapping *mapping) {
    mc_span at = line;
    uint64_t number;
    *mapping = (mc_mapping){0};
    if (at.size == 0 || !is_hex(*at.at) || !mc_span_take_hex(&at, &mapping->begin) ||
        !mc_span_skip(&at, "-") || !mc_span_take_hex(&at, &mapping->end) || !mc_span_skip(&at, " "))
        return false;
    if (!take_flag(&at, 'r', MC_MAPPING_READ, &mapping->flags) ||
        !take_flag(&at, 'w', MC_MAPPING_WRITE, &mapping->flags) ||
        !take_flag(&at, 'x', MC_MAPPING_EXECUTE, &mapping->flags) || at.size == 0)
        return false;
    if (*at.at != 'p' && *at.at != 's') return false;
    if (*at.at == 's') mapping->flags |= MC_MAPPING_SHARED;
    at.at++;
    at.size--;
    if (!mc_span_skip(&at, " ") || !mc_span_take_hex(&at, &number) || !mc_span_skip(&at, " ") ||
        !mc_span_take_hex(&at, &number) || !mc_span_skip(&at, ":") ||
        !mc_span_take_hex(&at, &number) || !mc_span_skip(&at, " ") ||
        !mc_span_take_decimal(&at, &number))
        return false;
    mc_span_skip_blanks(&at);
    mapping->name = at;
    return true;
}

// A line that begins with a date belongs to the mappings behind it.
static void read_time(parser *self) {
    mc_span line = self->line;
    mc_process_text *text = self->text;
    int64_t time_ms;
    mc_span_skip(&line, "# ");
    if (line.size == 0 || line.size > TIME_LINE_MOST || !mc_is_digit(*line.at) ||
        !mc_step_times_find(line.at, line.size, &time_ms))
        return;
    text->time_ms = time_ms;
    text->has_time = true;
}

static void take_time(parser *self) {
    self->memory->has_time = self->text->has_time;
    self->memory->time_ms = self->text->time_ms;
    self->text->has_time = false;
}

static mc_mapping *get_last(const parser *self) {
    size_t count = self->memory->mapping_count;
    return count > 0 ? &self->memory->mappings[count - 1] : NULL;
}

static mc_result check_last(const parser *self) {
    const mc_mapping *last = get_last(self);
    if (!last || last->is_known) return MC_OK;
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, last->source_offset,
                        "memory map: expected a line \"Rss: N kB\" of this mapping");
}

static mc_result add_mapping(parser *self, mc_mapping added) {
    mc_process_memory *memory = self->memory;
    mc_result result = check_last(self);
    if (result != MC_OK) return result;
    if (added.begin >= added.end) return fail(self, "a mapping that ends behind its begin");
    if (!mc_reserve(&memory->mappings, &memory->mapping_capacity, memory->mapping_count + 1,
                    sizeof *memory->mappings))
        return mc_error_out_of_memory(self->error);
    added.source_offset = get_offset(self);
    if (memory->mapping_count == 0) take_time(self);
    memory->mappings[memory->mapping_count++] = added;
    self->section = MAPPINGS;
    return MC_OK;
}

// "Rss:               163340 kB"
static mc_result read_property(parser *self) {
    mc_mapping *mapping = get_last(self);
    struct {
        const char *name;
        uint64_t *bytes;
    } known[] = {{"Rss:", &mapping->resident},
                 {"Pss:", &mapping->proportional},
                 {"Swap:", &mapping->swapped},
                 {"Private_Dirty:", &mapping->dirty}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        mc_span rest = self->line;
        uint64_t kilobytes;
        if (!mc_span_skip(&rest, known[i].name)) continue;
        mc_span_skip_blanks(&rest);
        if (!mc_span_take_decimal(&rest, &kilobytes) || !mc_span_is(rest, " kB") ||
            kilobytes > (mapping->end - mapping->begin) / KILO)
            return fail(self, "a number of kB, at most as many as the mapping has");
        *known[i].bytes = kilobytes * KILO;
        mapping->is_known |= i == 0;
        return MC_OK;
    }
    return MC_OK;
}

// ---- what the JVM says

static mc_result add_range(parser *self, uint64_t begin, uint64_t end, mc_span owner,
                           bool is_by_map) {
    mc_process_memory *memory = self->memory;
    if (begin >= end) return fail(self, "a range that ends behind its begin");
    if (!mc_reserve(&memory->ranges, &memory->range_capacity, memory->range_count + 1,
                    sizeof *memory->ranges))
        return mc_error_out_of_memory(self->error);
    memory->ranges[memory->range_count++] = (mc_memory_range){begin, end, owner, is_by_map};
    return MC_OK;
}

static mc_span trim(mc_span text) {
    mc_span_skip_blanks(&text);
    while (text.size > 0 && text.at[text.size - 1] == ' ')
        text.size--;
    return text;
}

// "[0x00007faa33000000 - 0x00007faa37000000] reserved 65536KB for Metaspace from"
static mc_result read_range(parser *self) {
    static const char before[] = " for ", after[] = " from";
    mc_span at = self->line;
    uint64_t begin, end;
    if (!mc_span_skip(&at, "[") || !mc_span_take_hex(&at, &begin) || !mc_span_skip(&at, " - ") ||
        !mc_span_take_hex(&at, &end) || !mc_span_skip(&at, "] reserved"))
        return MC_OK; // a call site's frame
    const char *name = memmem(at.at, at.size, before, sizeof before - 1);
    if (!name) return fail(self, "\"for\" and the range's owner");
    mc_span owner = {name + sizeof before - 1, 0};
    owner.size = at.size - (size_t)(owner.at - at.at);
    owner = trim(owner);
    size_t length = sizeof after - 1;
    if (owner.size > length && memcmp(owner.at + owner.size - length, after, length) == 0)
        owner.size -= length;
    owner = trim(owner);
    if (owner.size == 0) return fail(self, "\"for\" and the range's owner");
    return add_range(self, begin, end, owner, false);
}

// "-                 Java Heap (reserved=262144KB, committed=262144KB)"
static void read_category(parser *self) {
    mc_process_memory *memory = self->memory;
    const char *open = memchr(self->line.at, '(', self->line.size);
    uint64_t reserved, committed;
    if (!open || memory->category_count == MC_MEMORY_CATEGORY_MOST ||
        !find_bytes(self->line, "(reserved=", &reserved) ||
        !find_bytes(self->line, "committed=", &committed))
        return;
    mc_span name = {self->line.at + 1, (size_t)(open - self->line.at) - 1};
    memory->categories[memory->category_count++] =
        (mc_memory_category){trim(name), reserved, committed, 0};
}

static mc_result read_nmt(parser *self) {
    mc_process_memory *memory = self->memory;
    uint64_t bytes;
    mc_span at = self->line;
    if (mc_span_begins_with(at, "[0x")) return read_range(self);
    if (mc_span_begins_with(at, "- ")) {
        read_category(self);
        return MC_OK;
    }
    mc_span_skip_blanks(&at);
    if (memory->category_count > 0 && memory->range_count == 0 && mc_span_skip(&at, "(malloc=") &&
        take_bytes(&at, &bytes))
        memory->categories[memory->category_count - 1].allocated = bytes;
    return MC_OK;
}

// "0x000000008c000000-0x000000008c001000  4096 ---p  4096  0 4K  com  CDS  -"
static mc_result read_map_row(parser *self) {
    mc_span at = self->line, columns[7];
    uint64_t begin, end;
    if (!mc_span_take_hex(&at, &begin) || !mc_span_skip(&at, "-") || !mc_span_take_hex(&at, &end))
        return MC_OK;
    for (size_t i = 0; i < 7; i++) {
        mc_span_skip_blanks(&at);
        columns[i] = (mc_span){at.at, 0};
        while (at.size > 0 && *at.at != ' ') {
            at.at++;
            at.size--;
            columns[i].size++;
        }
    }
    if (columns[6].size == 0) return fail(self, "seven columns behind the addresses");
    return mc_span_is(columns[6], "-") ? MC_OK : add_range(self, begin, end, columns[6], true);
}

// <total type="rest" count="6" size="164869"/> and <system type="current" size="299008"/>, of all
// arenas together.
static void read_malloc(parser *self) {
    static const char quote[] = "size=\"";
    mc_process_memory *memory = self->memory;
    uint64_t bytes;
    if (mc_span_begins_with(self->line, "<heap ")) self->is_in_heap = true;
    if (mc_span_begins_with(self->line, "</heap>")) self->is_in_heap = false;
    if (mc_span_begins_with(self->line, "</malloc>")) self->section = OTHER;
    if (self->is_in_heap || !find_bytes(self->line, quote, &bytes)) return;
    if (mc_span_begins_with(self->line, "<total type=\"fast\"") ||
        mc_span_begins_with(self->line, "<total type=\"rest\""))
        memory->arena_free_bytes += bytes <= BYTES_MOST - memory->arena_free_bytes ? bytes : 0;
    if (mc_span_begins_with(self->line, "<system type=\"current\"")) {
        memory->arena_bytes = bytes;
        memory->has_arenas = true;
    }
}

// ---- tables of classes and loaders

static mc_memory_contents *get_table(const parser *self) {
    return self->section == CLASSES   ? &self->memory->classes
           : self->section == LOADERS ? &self->memory->loaders
                                      : NULL;
}

// What one that is cut off does not have would seem free.
static mc_result end_table(parser *self, bool partial) {
    mc_memory_contents *table = get_table(self);
    if (!table || table->has_end) return MC_OK;
    if (partial) {
        mc_memory_contents_clear(table);
        return MC_OK;
    }
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, self->table_begin,
                        "memory map: expected this table's last line, \"%s\"",
                        self->section == CLASSES ? "Total" : "Total Usage");
}

static bool begins_table(mc_span line, section *found) {
    if (mc_memory_contents_begins_classes(line))
        *found = CLASSES;
    else if (mc_memory_contents_begins_loaders(line))
        *found = LOADERS;
    else
        return false;
    return true;
}

static mc_result begin_table(parser *self, section found) {
    mc_result result = end_table(self, false);
    self->section = found;
    self->table_begin = get_offset(self);
    mc_memory_contents_clear(get_table(self));
    return result;
}

static mc_result read_table(parser *self) {
    mc_memory_contents *table = get_table(self);
    const char *expected = self->section == CLASSES
                               ? mc_memory_contents_read_class(table, self->line)
                               : mc_memory_contents_read_loader(table, self->line);
    if (expected == MC_MEMORY_CONTENTS_FULL) return mc_error_out_of_memory(self->error);
    if (expected) return fail(self, expected);
    if (table->has_end) self->section = OTHER;
    return MC_OK;
}

// ---- a snapshot

static mc_result read_line(parser *self) {
    mc_mapping mapping;
    section found;
    if (begins_table(self->line, &found)) return begin_table(self, found);
    if (get_table(self)) return read_table(self);
    if (take_mapping(self->line, &mapping)) return add_mapping(self, mapping);
    if (mc_span_begins_with(self->line, "Native Memory Tracking:")) {
        self->section = NMT;
    } else if (mc_span_begins_with(self->line, "<malloc ")) {
        self->section = MALLOC;
        self->is_in_heap = false;
    } else if (mc_span_begins_with(self->line, "0x")) {
        return read_map_row(self);
    } else if (self->line.size > 0 && (mc_is_digit(*self->line.at) || *self->line.at == '#')) {
        read_time(self);
    } else if (self->section == MAPPINGS) {
        return read_property(self);
    } else if (self->section == NMT) {
        return read_nmt(self);
    } else if (self->section == MALLOC) {
        read_malloc(self);
    }
    return MC_OK;
}

static bool begins_another(const parser *self) {
    const mc_mapping *last = get_last(self);
    mc_mapping mapping;
    return last && take_mapping(self->line, &mapping) && mapping.begin < last->end;
}

// To the next mapping that follows no other: behind an error.
static void skip_rest(parser *self, mc_lines *lines) {
    uint64_t last_end = get_last(self) ? get_last(self)->end : 0;
    mc_mapping mapping;
    for (;;) {
        const char *before = lines->at;
        if (!mc_lines_next(lines, &self->line)) break;
        if (!take_mapping(self->line, &mapping)) continue;
        if (mapping.begin < last_end) {
            lines->at = before;
            break;
        }
        last_end = mapping.end;
    }
    self->text->at = lines->at;
}

static int compare_ranges(const void *left, const void *right) {
    const mc_memory_range *a = left, *b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

// Where ranges overlap, the first one keeps what it has.
static void order_ranges(mc_process_memory *memory) {
    const size_t count = memory->range_count;
    uint64_t end = 0;
    if (count > 1) qsort(memory->ranges, count, sizeof *memory->ranges, compare_ranges);
    memory->range_count = 0;
    for (size_t i = 0; i < count; i++) {
        mc_memory_range range = memory->ranges[i];
        if (range.begin < end) range.begin = end;
        if (range.begin >= range.end) continue;
        end = range.end;
        memory->ranges[memory->range_count++] = range;
    }
}

// System.map has all that NMT has, mapping by mapping, and the threads' names.
static void choose_ranges(mc_process_memory *memory) {
    bool has_map = false;
    size_t count = 0;
    for (size_t i = 0; i < memory->range_count; i++)
        has_map |= memory->ranges[i].is_by_map;
    for (size_t i = 0; i < memory->range_count; i++)
        if (memory->ranges[i].is_by_map == has_map) memory->ranges[count++] = memory->ranges[i];
    memory->range_count = count;
    order_ranges(memory);
}

bool mc_process_memory_add_ranges(mc_process_memory *memory, const mc_memory_range *ranges,
                                  size_t count) {
    if (count == 0) return true;
    if (!mc_reserve(&memory->ranges, &memory->range_capacity, memory->range_count + count,
                    sizeof *memory->ranges))
        return false;
    memcpy(memory->ranges + memory->range_count, ranges, count * sizeof *ranges);
    memory->range_count += count;
    order_ranges(memory);
    return true;
}

mc_result mc_process_memory_read(mc_process_memory *memory, mc_process_text *text, bool partial,
                                 bool *is_there, mc_error *error) {
    mc_error own = {.code = MC_OK};
    parser self = {.memory = memory, .text = text, .error = error ? error : &own};
    mc_lines lines = {text->at, text->end};
    mc_result result = MC_OK;
    clear(memory);
    while (result == MC_OK && mc_lines_next(&lines, &self.line)) {
        if (begins_another(&self)) {
            lines.at = self.line.at;
            break;
        }
        result = read_line(&self);
    }
    if (result == MC_OK && partial && get_last(&self) && !get_last(&self)->is_known)
        memory->mapping_count--;
    if (result == MC_OK) result = check_last(&self);
    if (result == MC_OK) result = end_table(&self, partial);
    text->at = lines.at;
    *is_there = result == MC_OK && memory->mapping_count > 0;
    if (result == MC_ERROR_BAD_DATA) skip_rest(&self, &lines);
    if (result == MC_OK) choose_ranges(memory);
    return result;
}

// ---- which text it is

bool mc_process_memory_detect(const unsigned char *data, size_t size) {
    mc_lines lines = {(const char *)data, (const char *)data + size};
    mc_span line;
    mc_mapping mapping;
    for (int i = 0; i < 4 && mc_lines_next(&lines, &line); i++)
        if (take_mapping(line, &mapping))
            return mc_lines_next(&lines, &line) && mc_span_begins_with(line, "Size:");
    return false;
}

bool mc_process_memory_detect_owners(const unsigned char *data, size_t size) {
    mc_lines lines = {(const char *)data, (const char *)data + size};
    mc_span line;
    for (int i = 0; i < 4 && mc_lines_next(&lines, &line); i++)
        if (mc_span_begins_with(line, "Native Memory Tracking:") ||
            mc_span_begins_with(line, "Memory mappings:") ||
            mc_memory_contents_begins_loaders(line) ||
            mc_span_begins_with(line, "<malloc version="))
            return true;
    return false;
}

bool mc_process_memory_detect_contents(const unsigned char *data, size_t size) {
    mc_lines lines = {(const char *)data, (const char *)data + size};
    mc_span line;
    section found;
    for (int i = 0; i < 16 && mc_lines_next(&lines, &line); i++)
        if (begins_table(line, &found)) return true;
    return false;
}
