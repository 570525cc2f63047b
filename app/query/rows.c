#include "app/query/rows.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdlib.h>
#include <string.h>

static bool has_words(const mc_query_rows *rows, uint32_t column) {
    return mc_query_column_is_stored(&rows->columns[column]) && (rows->wanted >> column & 1);
}

void mc_query_rows_init(mc_query_rows *rows, const mc_query_column *columns, uint32_t count,
                        uint64_t wanted) {
    *rows = (mc_query_rows){.columns = columns, .column_count = count, .wanted = wanted};
    for (uint32_t i = 0; i < count; i++)
        if (has_words(rows, i)) rows->stored[rows->stored_count++] = i;
}

void mc_query_rows_deinit(mc_query_rows *rows) {
    for (uint32_t i = 0; i < rows->column_count; i++) {
        mc_free(rows->words[i]);
        mc_free(rows->short_words[i]);
        mc_free(rows->orders[i]);
    }
    mc_free(rows->several);
    mc_free(rows->weights);
    mc_strings_deinit(&rows->strings);
    *rows = (mc_query_rows){.columns = NULL};
}

void mc_query_rows_clear(mc_query_rows *rows) {
    mc_query_rows before = *rows;
    mc_query_rows_deinit(rows);
    mc_query_rows_init(rows, before.columns, before.column_count, before.wanted);
}

static bool grow(mc_query_rows *rows) {
    size_t capacity = rows->capacity < 64 ? 64 : rows->capacity + rows->capacity / 2;
    if (rows->count >= MC_NONE - 1) return false;
    for (uint32_t k = 0; k < rows->stored_count; k++) {
        uint32_t i = rows->stored[k];
        bool is_long = rows->words[i] != NULL;
        void *grown = is_long ? mc_realloc(rows->words[i], capacity, sizeof *rows->words[i])
                              : mc_realloc(rows->short_words[i], capacity, sizeof(uint32_t));
        if (!grown) return false;
        if (is_long)
            rows->words[i] = grown;
        else
            rows->short_words[i] = grown;
    }
    rows->capacity = capacity;
    return true;
}

// Makes a column's words long.
static bool widen(mc_query_rows *rows, uint32_t column) {
    uint64_t *words = mc_alloc(rows->capacity, sizeof *words);
    if (!words) return false;
    for (size_t i = 0; i < rows->count; i++)
        words[i] = mc_query_rows_get(rows, column, i);
    mc_free(rows->short_words[column]);
    rows->short_words[column] = NULL;
    rows->words[column] = words;
    return true;
}

bool mc_query_rows_add(mc_query_rows *rows, const uint64_t *words) {
    if (rows->count == rows->capacity && !grow(rows)) return false;
    for (uint32_t k = 0; k < rows->stored_count; k++) {
        uint32_t i = rows->stored[k];
        bool fits = words[i] < MC_NONE || words[i] == MC_QUERY_NULL;
        if (rows->short_words[i] && !fits && !widen(rows, i)) return false;
        if (rows->words[i])
            rows->words[i][rows->count] = words[i];
        else if (rows->short_words[i])
            rows->short_words[i][rows->count] =
                words[i] == MC_QUERY_NULL ? MC_NONE : (uint32_t)words[i];
    }
    rows->count++;
    return true;
}

uint64_t mc_query_rows_intern(mc_query_rows *rows, const char *bytes, size_t size, bool *failed) {
    if (!bytes) return MC_QUERY_NULL;
    uint32_t string = mc_strings_intern(&rows->strings, bytes, size);
    if (string == MC_NONE) *failed = true;
    return mc_query_pack_index(string);
}

// ---- orders

#define FEW_TEXTS 65536u
#define ROWS_A_THREAD 1000000u // with fewer, one thread is as fast

typedef struct ranked_text {
    uint64_t beginning; // its first bytes, which mostly tell
    const char *bytes;
    size_t size;
    uint32_t string;
} ranked_text;

static int compare_bytes(const char *a, size_t a_size, const char *b, size_t b_size) {
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static int compare_texts(const void *a, const void *b) {
    const ranked_text *x = a, *y = b;
    if (x->beginning != y->beginning) return x->beginning < y->beginning ? -1 : 1;
    return compare_bytes(x->bytes, x->size, y->bytes, y->size);
}

// To each string its place in the order of bytes, from 1. NULL: out of memory.
static uint32_t *rank_texts(const mc_strings *strings) {
    size_t count = strings->count;
    ranked_text *texts = mc_alloc(count + 1, sizeof *texts);
    uint32_t *ranks = mc_alloc(count + 1, sizeof *ranks);
    for (uint32_t i = 0; i < count && texts && ranks; i++) {
        ranked_text *text = &texts[i];
        text->bytes = mc_strings_get(strings, i, &text->size);
        text->string = i;
        text->beginning = 0;
        for (size_t k = 0; k < 8; k++)
            text->beginning =
                text->beginning << 8 | (k < text->size ? (unsigned char)text->bytes[k] : 0);
    }
    if (texts && ranks) {
        qsort(texts, count, sizeof *texts, compare_texts);
        for (uint32_t i = 0; i < count; i++)
            ranks[texts[i].string] = i + 1;
    } else {
        mc_free(ranks);
        ranks = NULL;
    }
    mc_free(texts);
    return ranks;
}

// What is above is larger; NULL is the least number, and no number has its word. `ranks` of texts.
static uint64_t get_place(const mc_query_rows *rows, uint32_t column, const uint32_t *ranks,
                          size_t row) {
    uint64_t word = mc_query_rows_get(rows, column, row);
    if (!ranks) return word ^ UINT64_C(1) << 63;
    return word == MC_QUERY_NULL ? 0 : ranks[word];
}

// By bytes of the places, lowest first; bytes that all rows have alike are passed over.
static void sort(const mc_query_rows *rows, uint32_t column, const uint32_t *ranks, uint32_t *order,
                 uint32_t *spare) {
    uint32_t *from = order, *to = spare, count = (uint32_t)rows->count;
    uint64_t differences = 0, first = count > 0 ? get_place(rows, column, ranks, 0) : 0;
    for (uint32_t i = 0; i < count; i++)
        differences |= get_place(rows, column, ranks, i) ^ first;
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        uint32_t firsts[257] = {0};
        if ((differences >> shift & 255) == 0) continue;
        for (uint32_t i = 0; i < count; i++)
            firsts[(get_place(rows, column, ranks, i) >> shift & 255) + 1]++;
        for (uint32_t i = 0; i < 256; i++)
            firsts[i + 1] += firsts[i];
        for (uint32_t i = 0; i < count; i++)
            to[firsts[get_place(rows, column, ranks, from[i]) >> shift & 255]++] = from[i];
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != order) memcpy(order, from, count * sizeof *order);
}

// The same in one go where there are few different texts: each thread takes some of the rows.
typedef struct few_sort {
    const mc_query_rows *rows;
    const uint32_t *words; // short
    const uint32_t *ranks;
    uint32_t *order;
    uint32_t *firsts; // by part and place
    uint32_t place_count, part_count;
    bool is_counted;
} few_sort;

static void sort_few_part(void *user, uint32_t part, uint32_t thread) {
    const few_sort *self = user;
    uint64_t count = self->rows->count;
    uint32_t begin = (uint32_t)(count * part / self->part_count);
    uint32_t end = (uint32_t)(count * (part + 1) / self->part_count);
    uint32_t *firsts = self->firsts + (size_t)part * self->place_count;
    (void)thread;
    for (uint32_t i = begin; i < end && !self->is_counted; i++)
        firsts[self->words[i] == MC_NONE ? 0 : self->ranks[self->words[i]]]++;
    for (uint32_t i = begin; i < end && self->is_counted; i++)
        self->order[firsts[self->words[i] == MC_NONE ? 0 : self->ranks[self->words[i]]]++] = i;
}

static bool sort_few(const mc_query_rows *rows, uint32_t column, const uint32_t *ranks,
                     uint32_t *order) {
    few_sort self = {.rows = rows, .words = rows->short_words[column], .ranks = ranks};
    uint32_t cores = mc_parallel_get_core_count(), first = 0;
    self.part_count = rows->count < ROWS_A_THREAD       ? 1
                      : cores < MC_PARALLEL_THREADS_MAX ? cores
                                                        : MC_PARALLEL_THREADS_MAX;
    self.place_count = rows->strings.count + 1;
    self.order = order;
    self.firsts = mc_alloc_zero((size_t)self.place_count * self.part_count, sizeof *self.firsts);
    if (!self.firsts) return false;
    mc_parallel_run(self.part_count, self.part_count, sort_few_part, &self);
    for (uint32_t place = 0; place < self.place_count; place++)
        for (uint32_t part = 0; part < self.part_count; part++) {
            uint32_t *at = &self.firsts[(size_t)part * self.place_count + place], count = *at;
            *at = first;
            first += count;
        }
    self.is_counted = true;
    mc_parallel_run(self.part_count, self.part_count, sort_few_part, &self);
    mc_free(self.firsts);
    return true;
}

const uint32_t *mc_query_rows_order(mc_query_rows *rows, uint32_t column) {
    if (rows->orders[column]) return rows->orders[column];
    bool is_text = rows->columns[column].kind == MC_QUERY_TEXT;
    bool is_few = is_text && rows->strings.count < FEW_TEXTS && rows->short_words[column];
    uint32_t count = (uint32_t)rows->count;
    uint32_t *order = mc_alloc((size_t)count + 1, sizeof *order);
    uint32_t *spare = is_few ? NULL : mc_alloc((size_t)count + 1, sizeof *spare);
    uint32_t *ranks = is_text ? rank_texts(&rows->strings) : NULL;
    bool is_done = order && (spare || is_few) && (ranks || !is_text);
    if (is_done && is_few) is_done = sort_few(rows, column, ranks, order);
    if (is_done && !is_few) {
        for (uint32_t i = 0; i < count; i++)
            order[i] = i;
        sort(rows, column, ranks, order, spare);
    }
    if (is_done)
        rows->orders[column] = order;
    else
        mc_free(order);
    mc_free(spare);
    mc_free(ranks);
    return rows->orders[column];
}

static bool is_same_order(const mc_query_order *a, const mc_query_order *b) {
    bool is_same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && is_same; i++)
        is_same = a->columns[i] == b->columns[i];
    return is_same;
}

// Each column's sort leaves equal rows as they were, so the first column comes last.
static bool sort_several(const mc_query_rows *rows, const mc_query_order *by, uint32_t *order) {
    uint32_t *spare = mc_alloc(rows->count + 1, sizeof *spare);
    uint32_t *ranks = rank_texts(&rows->strings);
    bool is_done = spare && ranks;
    for (uint32_t i = 0; i < rows->count; i++)
        order[i] = i;
    for (uint32_t i = by->count; i-- > 0 && is_done;) {
        uint32_t column = by->columns[i];
        bool is_text = rows->columns[column].kind == MC_QUERY_TEXT;
        sort(rows, column, is_text ? ranks : NULL, order, spare);
    }
    mc_free(spare);
    mc_free(ranks);
    return is_done;
}

const uint32_t *mc_query_rows_order_by(mc_query_rows *rows, const mc_query_order *order) {
    if (order->count == 1) return mc_query_rows_order(rows, order->columns[0]);
    if (rows->several && is_same_order(&rows->several_order, order)) return rows->several;
    mc_free(rows->several);
    rows->several = mc_alloc(rows->count + 1, sizeof *rows->several);
    rows->several_order = *order;
    if (rows->several && !sort_several(rows, order, rows->several)) {
        mc_free(rows->several);
        rows->several = NULL;
    }
    return rows->several;
}

static bool is_below(const mc_query_rows *rows, uint32_t column, uint64_t a, uint64_t b) {
    if (rows->columns[column].kind != MC_QUERY_TEXT || a == MC_QUERY_NULL || b == MC_QUERY_NULL)
        return (int64_t)a < (int64_t)b;
    size_t a_size, b_size;
    const char *a_bytes = mc_strings_get(&rows->strings, (uint32_t)a, &a_size);
    const char *b_bytes = mc_strings_get(&rows->strings, (uint32_t)b, &b_size);
    return compare_bytes(a_bytes, a_size, b_bytes, b_size) < 0;
}

size_t mc_query_rows_find(const mc_query_rows *rows, uint32_t column, uint64_t word) {
    const uint32_t *order = rows->orders[column];
    size_t low = 0, high = rows->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_below(rows, column, mc_query_rows_get(rows, column, order[middle]), word))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t mc_query_rows_memory_size(const mc_query_rows *rows) {
    size_t size = mc_strings_memory_size(&rows->strings);
    if (rows->weights) size += rows->count * sizeof *rows->weights;
    if (rows->several) size += rows->count * sizeof *rows->several;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        if (rows->words[i]) size += rows->capacity * sizeof(uint64_t);
        if (rows->short_words[i]) size += rows->capacity * sizeof(uint32_t);
        if (rows->orders[i]) size += rows->count * sizeof(uint32_t);
    }
    return size;
}
