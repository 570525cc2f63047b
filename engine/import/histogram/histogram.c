#include "engine/import/histogram/histogram.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include "engine/import/format/step_times.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct line {
    const unsigned char *begin, *end; // without what ends it
    bool is_ended;                    // by a line feed, not by the end of the text
} line;

struct mc_histogram_reader {
    mc_grouping grouping;
    mc_heap_groups *groups;
    uint64_t *objects, *bytes, *offsets; // by leaf
    size_t object_capacity, byte_capacity, offset_capacity;
    const unsigned char *data;
    size_t size, at;
    bool is_lost; // after an error: rows belong to what was wrong

    // the histogram that is being read
    bool has_modules;
    uint64_t row_count, object_sum, byte_sum;
};

static bool is_space(unsigned char byte) {
    return byte == ' ' || byte == '\t';
}

static const unsigned char *skip_spaces(const unsigned char *at, const unsigned char *end) {
    while (at < end && is_space(*at))
        at++;
    return at;
}

static line get_line(const unsigned char *data, size_t size, size_t *at) {
    line result = {.begin = data + *at};
    const unsigned char *feed = memchr(result.begin, '\n', size - *at);
    result.is_ended = feed != NULL;
    result.end = feed ? feed : data + size;
    *at = (size_t)(result.end - data) + (feed ? 1 : 0);
    while (result.end > result.begin && (result.end[-1] == '\r' || is_space(result.end[-1])))
        result.end--;
    return result;
}

static bool begins_with(const line *l, const char *word) {
    const unsigned char *at = skip_spaces(l->begin, l->end);
    size_t size = strlen(word);
    return (size_t)(l->end - at) >= size && memcmp(at, word, size) == 0;
}

static bool contains(const line *l, const char *word) {
    size_t size = (size_t)(l->end - l->begin);
    return size > 0 && memmem(l->begin, size, word, strlen(word)) != NULL;
}

static bool is_header(const line *l) {
    return begins_with(l, "num") && contains(l, "class name");
}

static bool is_ruler(const line *l) {
    const unsigned char *at = skip_spaces(l->begin, l->end);
    for (; at < l->end; at++)
        if (*at != '-') return false;
    return true; // an empty line, too
}

bool mc_histogram_detect(const unsigned char *data, size_t size) {
    size_t at = 0;
    if (size > MC_HISTOGRAM_DETECT_SIZE) size = MC_HISTOGRAM_DETECT_SIZE;
    while (at < size) {
        line l = get_line(data, size, &at);
        if (is_header(&l)) return true;
    }
    return false;
}

mc_result mc_histogram_reader_create(const mc_grouping *grouping, mc_histogram_reader **reader,
                                     mc_error *error) {
    mc_histogram_reader *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->grouping = *grouping;
    mc_result result = mc_class_groups_create(grouping, &self->groups, error);
    if (result != MC_OK) {
        mc_histogram_reader_destroy(self);
        *reader = NULL;
    }
    return result;
}

void mc_histogram_reader_destroy(mc_histogram_reader *reader) {
    if (!reader) return;
    mc_heap_groups_destroy(reader->groups);
    mc_free(reader->objects);
    mc_free(reader->bytes);
    mc_free(reader->offsets);
    mc_free(reader);
}

void mc_histogram_reader_begin(mc_histogram_reader *reader, const unsigned char *data,
                               size_t size) {
    reader->data = data;
    reader->size = size;
    reader->at = 0;
    reader->is_lost = false;
}

// ---- rows

static mc_result expected(const mc_histogram_reader *self, const unsigned char *at,
                          const unsigned char *end, const char *what, mc_error *error) {
    char found[64] = "the end of the line";
    if (at == self->data + self->size) {
        memcpy(found, "the end of the text", sizeof "the end of the text");
    } else if (at < end) {
        size_t size = 0;
        while (size < 24 && at + size < end && at[size] > ' ' && at[size] < 0x7f)
            size++;
        if (size > 0)
            snprintf(found, sizeof found, "\"%.*s\"", (int)size, (const char *)at);
        else
            snprintf(found, sizeof found, "byte 0x%02x", *at);
    }
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->data),
                        "expected %s, found %s", what, found);
}

// A number with spaces before it. False: there is none, or it is too large.
static bool take_number(const unsigned char **at, const unsigned char *end, uint64_t *number) {
    const unsigned char *first = skip_spaces(*at, end);
    *at = first;
    *number = 0;
    for (; *at < end && mc_is_digit(**at); (*at)++) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (*number > (MC_COUNT_MAX - digit) / 10) {
            *at = first;
            return false;
        }
        *number = *number * 10 + digit;
    }
    return *at > first;
}

// "name (module@version)"; names may contain spaces.
static mc_class_place split_name(const mc_histogram_reader *self, const unsigned char *begin,
                                 const unsigned char *end) {
    static const char unnamed[] = "(unnamed)";
    mc_class_place place = {.name = (const char *)begin};
    if (self->has_modules) {
        place.module = unnamed;
        place.module_size = sizeof unnamed - 1;
        const unsigned char *open = end;
        while (open > begin && *open != '(')
            open--;
        if (end[-1] == ')' && open > begin + 1 && open[-1] == ' ' && open + 2 < end) {
            place.module = (const char *)open + 1;
            place.module_size = (size_t)(end - 1 - (open + 1));
            end = open - 1;
        }
    }
    while (end > begin && is_space(end[-1]))
        end--;
    place.name_size = (size_t)(end - begin);
    return place;
}

static mc_result reserve_leaf(mc_histogram_reader *self, uint32_t leaf, mc_error *error) {
    size_t known = self->object_capacity, needed = (size_t)leaf + 1;
    if (needed <= known) return MC_OK;
    // The objects' capacity says how far all three are filled.
    if (!mc_reserve(&self->bytes, &self->byte_capacity, needed, sizeof *self->bytes) ||
        !mc_reserve(&self->offsets, &self->offset_capacity, needed, sizeof *self->offsets) ||
        !mc_reserve(&self->objects, &self->object_capacity, needed, sizeof *self->objects))
        return mc_error_out_of_memory(error);
    size_t fresh = self->object_capacity - known;
    memset(self->objects + known, 0, fresh * sizeof *self->objects);
    memset(self->bytes + known, 0, (self->byte_capacity - known) * sizeof *self->bytes);
    memset(self->offsets + known, 0, (self->offset_capacity - known) * sizeof *self->offsets);
    return MC_OK;
}

static mc_result take_row(mc_histogram_reader *self, const line *l, mc_error *error) {
    uint64_t rank, objects, bytes;
    const unsigned char *at = l->begin;
    if (!take_number(&at, l->end, &rank))
        return expected(self, at, l->end, "a row of the class histogram, or its Total", error);
    if (at < l->end && *at == ':') at++;
    if (!take_number(&at, l->end, &objects))
        return expected(self, at, l->end, "a number of instances, 0 to 2^63 - 1", error);
    if (at == l->end || !is_space(*at))
        return expected(self, at, l->end, "a space behind the number of instances", error);
    if (!take_number(&at, l->end, &bytes))
        return expected(self, at, l->end, "a number of bytes, 0 to 2^63 - 1", error);
    if (at == l->end || !is_space(*at))
        return expected(self, at, l->end, "a class name behind the number of bytes", error);
    at = skip_spaces(at, l->end);
    mc_class_place place = split_name(self, at, l->end);
    if (objects > MC_COUNT_MAX - self->object_sum || bytes > MC_COUNT_MAX - self->byte_sum)
        return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(l->begin - self->data),
                            "all rows together are more than 2^63 - 1");
    uint32_t leaf = mc_class_groups_find(self->groups, &self->grouping, &place);
    if (leaf == MC_NONE) return mc_error_out_of_memory(error);
    mc_result result = reserve_leaf(self, leaf, error);
    if (result != MC_OK) return result;
    if (self->objects[leaf] == 0 && self->bytes[leaf] == 0)
        self->offsets[leaf] = (uint64_t)(l->begin - self->data);
    self->objects[leaf] += objects;
    self->bytes[leaf] += bytes;
    self->object_sum += objects;
    self->byte_sum += bytes;
    self->row_count++;
    return MC_OK;
}

// ---- histograms

static mc_result check_total(mc_histogram_reader *self, const line *l, bool partial,
                             mc_histogram *histogram, mc_error *error) {
    uint64_t objects, bytes;
    const unsigned char *at = skip_spaces(l->begin, l->end) + strlen("Total");
    if (at < l->end && *at == ':') at++;
    bool is_read = take_number(&at, l->end, &objects) && take_number(&at, l->end, &bytes);
    if (!is_read && !(partial && !l->is_ended))
        return expected(self, at, l->end, "the total numbers of instances and bytes", error);
    if (is_read && objects == self->object_sum && bytes == self->byte_sum) return MC_OK;
    histogram->is_partial = true;
    if (partial) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(l->begin - self->data),
                        "expected a total of %" PRIu64 " instances and %" PRIu64
                        " bytes, as of the %" PRIu64 " rows before, found %" PRIu64 " and %" PRIu64
                        ": rows are missing, or the text is cut off (--partial takes what is "
                        "there)",
                        self->object_sum, self->byte_sum, self->row_count, objects, bytes);
}

// The end of the text, or another header, where the total should be.
static mc_result end_without_total(mc_histogram_reader *self, const unsigned char *at, bool partial,
                                   mc_histogram *histogram, mc_error *error) {
    histogram->is_partial = true;
    if (partial) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->data),
                        "expected a row of the class histogram, or its Total, found %s: it is cut "
                        "off behind %" PRIu64 " rows (--partial uses these)",
                        at == self->data + self->size ? "the end of the text"
                                                      : "the next histogram",
                        self->row_count);
}

// Looks for the next header; a date on the way is kept. False: there is none.
static mc_result find_header(mc_histogram_reader *self, bool *is_there, mc_histogram *histogram,
                             mc_error *error) {
    *is_there = false;
    while (self->at < self->size) {
        line l = get_line(self->data, self->size, &self->at);
        if (is_header(&l)) {
            histogram->offset = (uint64_t)(l.begin - self->data);
            self->has_modules = contains(&l, "(module)");
            self->is_lost = false;
            *is_there = true;
            return MC_OK;
        }
        uint64_t number;
        const unsigned char *at = l.begin;
        bool is_row = take_number(&at, l.end, &number) && at < l.end && *at == ':' &&
                      (at++, take_number(&at, l.end, &number)) &&
                      take_number(&at, l.end, &number) && at < l.end;
        if (is_row && !self->is_lost) {
            self->is_lost = true;
            return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(l.begin - self->data),
                                "expected the head of a class histogram (\" num  #instances  "
                                "#bytes  class name\"), found a row of one");
        }
        int64_t time_ms;
        if (!is_row &&
            mc_step_times_find((const char *)l.begin, (size_t)(l.end - l.begin), &time_ms)) {
            histogram->has_time = true;
            histogram->time_ms = time_ms;
        }
    }
    return MC_OK;
}

static mc_result read_rows(mc_histogram_reader *self, bool partial, mc_histogram *histogram,
                           mc_error *error) {
    while (self->at < self->size) {
        size_t begin = self->at;
        line l = get_line(self->data, self->size, &self->at);
        if (is_ruler(&l)) continue;
        if (begins_with(&l, "Total")) return check_total(self, &l, partial, histogram, error);
        if (is_header(&l)) {
            self->at = begin;
            return end_without_total(self, l.begin, partial, histogram, error);
        }
        // Who knows what the rest of the last line would have been.
        if (!l.is_ended) break;
        mc_result result = take_row(self, &l, error);
        if (result != MC_OK) return result;
    }
    return end_without_total(self, self->data + self->size, partial, histogram, error);
}

mc_result mc_histogram_reader_next(mc_histogram_reader *self, bool partial, bool *is_there,
                                   mc_histogram *histogram, mc_step_tree *tree, mc_error *error) {
    *histogram = (mc_histogram){.offset = 0};
    mc_result result = find_header(self, is_there, histogram, error);
    if (result != MC_OK || !*is_there) return result;
    size_t count = mc_heap_groups_get_count(self->groups);
    if (count > self->object_capacity) count = self->object_capacity;
    if (count > 0) {
        memset(self->objects, 0, count * sizeof *self->objects);
        memset(self->bytes, 0, count * sizeof *self->bytes);
    }
    self->row_count = self->object_sum = self->byte_sum = 0;
    result = read_rows(self, partial, histogram, error);
    if (result == MC_OK) {
        // Every group needs an entry, also if it was only seen in a row that could not be kept.
        count = mc_heap_groups_get_count(self->groups);
        if (count > 0) result = reserve_leaf(self, (uint32_t)count - 1, error);
    }
    if (result == MC_OK)
        result = mc_heap_groups_fill_tree(self->groups, self->objects, self->bytes, self->offsets,
                                          tree, NULL, error);
    self->is_lost = result == MC_ERROR_BAD_DATA;
    return result;
}
