#include "engine/import/heaptext/heap_text.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/heaptext/memory_map.h"
#include "engine/import/stacks/line_reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MOST 1024 // of a stack

static const mc_path_metric metrics[] = {MC_SITES_OBJECTS, MC_SITES_BYTES,
                                         MC_SITES_ALLOCATED_OBJECTS, MC_SITES_ALLOCATED_BYTES};

typedef struct symbol {
    uint64_t address;
    mc_span names; // the innermost first, "--" between what was inlined
} symbol;

typedef struct parser {
    const mc_profile_input *input;
    mc_profile *profile;
    mc_error *error;
    mc_lines lines;
    mc_span line;
    double rate; // that one sample stands for, in bytes; at most 1: every allocation
    bool is_jemalloc;

    mc_memory_map map;
    symbol *symbols; // sorted by address
    size_t symbol_count, symbol_capacity;
    mc_slots frame_slots;      // of addresses
    uint64_t *frame_addresses; // of the profile's frames that have no symbol in the file
    size_t frame_address_capacity;

    uint64_t stack[FRAMES_MOST];
    uint32_t stack_count;
    uint64_t stack_offset;
} parser;

// ---- errors

static uint64_t get_offset(const parser *self) {
    return (uint64_t)(self->line.at - (const char *)self->input->data);
}

static mc_result fail(const parser *self, const char *expected) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, get_offset(self),
                        "heap profile: expected %s", expected);
}

static mc_result fail_memory(const parser *self) {
    return mc_error_out_of_memory(self->error);
}

static bool next_line(parser *self) {
    if (mc_lines_next(&self->lines, &self->line)) return true;
    self->line = (mc_span){self->lines.end, 0};
    return false;
}

// ---- numbers

// " n: b [an: ab]", with or without what stands in brackets, and what is behind it.
static bool take_counts(mc_span *text, uint64_t counts[4]) {
    counts[2] = counts[3] = 0;
    mc_span_skip_blanks(text);
    if (!mc_span_take_decimal(text, &counts[0]) || !mc_span_skip(text, ":")) return false;
    mc_span_skip_blanks(text);
    if (!mc_span_take_decimal(text, &counts[1])) return false;
    mc_span_skip_blanks(text);
    if (!mc_span_skip(text, "[")) return true;
    mc_span_skip_blanks(text);
    if (!mc_span_take_decimal(text, &counts[2]) || !mc_span_skip(text, ":")) return false;
    mc_span_skip_blanks(text);
    if (!mc_span_take_decimal(text, &counts[3]) || !mc_span_skip(text, "]")) return false;
    mc_span_skip_blanks(text);
    return true;
}

// Of samples: how many objects and bytes they stand for.
static bool scale(const parser *self, uint64_t *objects, uint64_t *bytes) {
    if (self->rate <= 1 || *objects == 0 || *bytes == 0) return true;
    double size = (double)*bytes / (double)*objects;
    double factor = 1 / (1 - exp(-size / self->rate));
    double all[] = {(double)*objects * factor, (double)*bytes * factor};
    if (!(all[0] < 0x1p63) || !(all[1] < 0x1p63)) return false;
    *objects = (uint64_t)all[0];
    *bytes = (uint64_t)all[1];
    return true;
}

// ---- stacks

// "@ 0x10 0x20"
static mc_result take_addresses(parser *self, mc_span text) {
    self->stack_count = 0;
    self->stack_offset = get_offset(self);
    for (mc_span_skip_blanks(&text); text.size > 0; mc_span_skip_blanks(&text)) {
        uint64_t address;
        if (!mc_span_take_hex(&text, &address)) return fail(self, "an address");
        if (self->stack_count == FRAMES_MOST) return fail(self, "at most 1,024 addresses");
        self->stack[self->stack_count++] = address;
    }
    return MC_OK;
}

static int compare_symbols(const void *a, const void *b) {
    const symbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

// "add<00000000000011d9>", as google-pprof tells symbols of one name apart.
static void drop_address(mc_span *name) {
    enum { SIZE = 18 };
    if (name->size <= SIZE || name->at[name->size - 1] != '>') return;
    mc_span behind = {name->at + name->size - SIZE, SIZE};
    uint64_t address;
    if (mc_span_skip(&behind, "<") && mc_span_take_hex(&behind, &address) && behind.size == 1)
        name->size -= SIZE;
}

// Texts end before what is inlined into them.
static bool push_symbols(parser *self, const symbol *s) {
    mc_span rest = s->names;
    while (rest.size > 0) {
        const char *end = memmem(rest.at, rest.size, "--", 2);
        mc_site_frame frame = {.function = rest};
        if (end) frame.function.size = (size_t)(end - rest.at);
        size_t whole = frame.function.size + (end ? 2 : 0);
        rest = (mc_span){rest.at + whole, rest.size - whole};
        drop_address(&frame.function);
        if (frame.function.size == 0) continue;
        uint32_t number = mc_profile_add_frame(self->profile, frame);
        if (number == MC_NONE || !mc_profile_push_frame(self->profile, number)) return false;
    }
    return true;
}

// The one of an address; NULL: the file has none.
static const symbol *find_symbol(const parser *self, uint64_t address) {
    symbol key = {.address = address};
    if (self->symbol_count == 0) return NULL;
    return bsearch(&key, self->symbols, self->symbol_count, sizeof key, compare_symbols);
}

static uint32_t add_frame(parser *self, uint64_t address, uint64_t looked_up, uint32_t hash) {
    mc_site_frame frame = {.address = address};
    mc_memory_map_find(&self->map, looked_up, address, &frame);
    uint32_t number = mc_profile_add_frame(self->profile, frame);
    if (number == MC_NONE ||
        !mc_reserve(&self->frame_addresses, &self->frame_address_capacity, (size_t)number + 1,
                    sizeof address) ||
        !mc_slots_add(&self->frame_slots, hash, number))
        return MC_NONE;
    self->frame_addresses[number] = address;
    return number;
}

// An address of a call is that behind it: the call itself is what was on.
static bool push_address(parser *self, uint64_t address) {
    uint64_t looked_up = address > 0 ? address - 1 : 0;
    const symbol *named = find_symbol(self, looked_up);
    if (!named) named = find_symbol(self, address);
    if (named) return push_symbols(self, named);
    uint32_t hash = (uint32_t)mc_hash_u64(address, 11);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->frame_slots, hash, &at)) != MC_NONE;)
        if (self->frame_addresses[found] == address)
            return mc_profile_push_frame(self->profile, found);
    uint32_t number = add_frame(self, address, looked_up, hash);
    return number != MC_NONE && mc_profile_push_frame(self->profile, number);
}

// "#\t0x4b4204\tmain.open+0x224\t\t./leak.go:19", as Go has one for each frame.
static bool push_comment(parser *self, mc_span text) {
    uint64_t address;
    mc_span_skip_blanks(&text);
    if (!mc_span_take_hex(&text, &address)) return true; // some other remark
    mc_span_skip_blanks(&text);
    const char *tab = text.size > 0 ? memchr(text.at, '\t', text.size) : NULL;
    if (!tab) return true;
    mc_site_frame frame = {.function = {text.at, (size_t)(tab - text.at)}};
    const char *plus = memrchr(text.at, '+', frame.function.size);
    if (plus) frame.function.size = (size_t)(plus - text.at);
    mc_span place = {tab, text.size - (size_t)(tab - text.at)};
    mc_span_skip_blanks(&place);
    const char *colon = place.size > 0 ? memrchr(place.at, ':', place.size) : NULL;
    frame.file = place;
    if (colon) {
        mc_span line = {colon + 1, place.size - (size_t)(colon + 1 - place.at)};
        uint64_t number;
        if (mc_span_take_decimal(&line, &number) && number < MC_NONE) frame.line = (uint32_t)number;
        frame.file.size = (size_t)(colon - place.at);
    }
    uint32_t number = mc_profile_add_frame(self->profile, frame);
    return number != MC_NONE && mc_profile_push_frame(self->profile, number);
}

// The frames that remarks behind the row name, or those of its addresses.
static mc_result push_frames(parser *self) {
    bool fits = true, is_named = false;
    while (fits && self->lines.at < self->lines.end && *self->lines.at == '#') {
        size_t before = self->profile->stack_frame_count;
        next_line(self);
        mc_span text = self->line;
        (void)mc_span_skip(&text, "#");
        fits = push_comment(self, text);
        is_named |= self->profile->stack_frame_count > before;
    }
    for (uint32_t i = 0; i < self->stack_count && fits && !is_named; i++)
        fits = push_address(self, self->stack[i]);
    return fits ? MC_OK : fail_memory(self);
}

static mc_result add_row(parser *self, const uint64_t counts[4]) {
    uint64_t values[4] = {counts[0], counts[1], counts[2], counts[3]};
    if (!scale(self, &values[0], &values[1]) || !scale(self, &values[2], &values[3]))
        return fail(self, "numbers below 2^63 when scaled up");
    mc_result result = push_frames(self);
    if (result != MC_OK) return result;
    return mc_profile_add_sample(self->profile, values, NULL, self->stack_offset)
               ? MC_OK
               : fail_memory(self);
}

// ---- rows

static mc_result read_row(parser *self) {
    mc_span text = self->line;
    uint64_t counts[4];
    if (!take_counts(&text, counts) || !mc_span_skip(&text, "@"))
        return fail(self, "\"OBJECTS: BYTES [OBJECTS: BYTES] @ ADDRESSES\"");
    mc_result result = take_addresses(self, text);
    return result == MC_OK ? add_row(self, counts) : result;
}

// "@ ADDRESSES", then "t*: n: b [an: ab]" and the same of each thread.
static mc_result read_jemalloc_stack(parser *self) {
    mc_span text = self->line;
    uint64_t counts[4];
    (void)mc_span_skip(&text, "@");
    mc_result result = take_addresses(self, text);
    if (result != MC_OK) return result;
    next_line(self);
    text = self->line;
    mc_span_skip_blanks(&text);
    if (!mc_span_skip(&text, "t*:") || !take_counts(&text, counts))
        return fail(self, "\"t*: OBJECTS: BYTES [OBJECTS: BYTES]\"");
    return add_row(self, counts);
}

static bool is_end(mc_span line) {
    return mc_span_begins_with(line, "MAPPED_LIBRARIES:") ||
           mc_span_begins_with(line, "--- Memory map:");
}

static mc_result read_rows(parser *self) {
    mc_result result = MC_OK;
    while (result == MC_OK && next_line(self) && !is_end(self->line)) {
        mc_span text = self->line;
        mc_span_skip_blanks(&text);
        if (text.size == 0 || *text.at == '#') continue;
        if (!self->is_jemalloc)
            result = read_row(self);
        else if (*text.at == '@')
            result = read_jemalloc_stack(self);
        else if (*text.at != 't')
            result = fail(self, "\"@ ADDRESSES\"");
        if (mc_import_watch_should_stop(self->input->watch))
            return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
    }
    return result;
}

// ---- the head

// "heap profile: n: b [an: ab] @ heap/8192"
static mc_result read_pprof_head(parser *self, mc_span text) {
    uint64_t counts[4], rate;
    if (!take_counts(&text, counts) || !mc_span_skip(&text, "@"))
        return fail(self, "\"heap profile: OBJECTS: BYTES [OBJECTS: BYTES] @ KIND\"");
    mc_span_skip_blanks(&text);
    const char *slash = text.size > 0 ? memchr(text.at, '/', text.size) : NULL;
    if (!slash) return MC_OK;
    mc_span kind = {text.at, (size_t)(slash - text.at)};
    text = (mc_span){slash + 1, text.size - kind.size - 1};
    if (!mc_span_take_decimal(&text, &rate)) return fail(self, "a rate of sampling behind '/'");
    if (mc_span_is(kind, "heap_v2") || mc_span_is(kind, "heapz_v2"))
        self->rate = (double)rate;
    else if (mc_span_is(kind, "heap"))
        self->rate = (double)rate / 2;
    return MC_OK;
}

static mc_result read_head(parser *self) {
    mc_span text = self->line;
    uint64_t rate;
    if (mc_span_skip(&text, "heap profile:")) return read_pprof_head(self, text);
    if (!mc_span_skip(&text, "heap_v2/")) return fail(self, "\"heap profile:\" or \"heap_v2/\"");
    if (!mc_span_take_decimal(&text, &rate)) return fail(self, "a rate of sampling");
    self->rate = (double)rate;
    self->is_jemalloc = true;
    return MC_OK;
}

static mc_result read_symbol(parser *self) {
    mc_span text = self->line;
    symbol added;
    if (!mc_span_begins_with(text, "0x")) return MC_OK; // "binary=/bin/shop"
    if (!mc_span_take_hex(&text, &added.address)) return fail(self, "an address");
    mc_span_skip_blanks(&text);
    added.names = text;
    if (!mc_reserve(&self->symbols, &self->symbol_capacity, self->symbol_count + 1, sizeof added))
        return fail_memory(self);
    self->symbols[self->symbol_count++] = added;
    return MC_OK;
}

static mc_result read_symbols(parser *self) {
    mc_result result = MC_OK;
    while (result == MC_OK && next_line(self) && !mc_span_is(self->line, "---"))
        result = read_symbol(self);
    if (result == MC_OK && self->symbol_count > 1)
        qsort(self->symbols, self->symbol_count, sizeof *self->symbols, compare_symbols);
    next_line(self); // "--- heap"
    if (result == MC_OK && !mc_span_begins_with(self->line, "--- "))
        return fail(self, "\"--- \" and the profile behind its symbols");
    next_line(self);
    return result;
}

static mc_result read_all(parser *self) {
    mc_result result = MC_OK;
    next_line(self);
    if (mc_span_is(self->line, "--- symbol")) result = read_symbols(self);
    if (result == MC_OK) result = read_head(self);
    self->profile->sampling = (uint64_t)self->rate;
    if (result == MC_OK) result = read_rows(self);
    return result;
}

mc_result mc_heap_text_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error) {
    mc_error own = {.code = MC_OK};
    const char *text = (const char *)input->data;
    parser *self = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->input = input;
    self->profile = profile;
    self->error = error ? error : &own;
    self->lines = (mc_lines){text, text + input->size};
    memcpy(profile->metrics, metrics, sizeof metrics);
    profile->metrics[sizeof metrics / sizeof *metrics].key = NULL;
    mc_result result = mc_memory_map_read(&self->map, text, input->size) &&
                               mc_profile_add_step(profile, (mc_profile_step){.has_time = false})
                           ? read_all(self)
                           : fail_memory(self);
    mc_memory_map_deinit(&self->map);
    mc_free(self->symbols);
    mc_slots_deinit(&self->frame_slots);
    mc_free(self->frame_addresses);
    mc_free(self);
    return result;
}

bool mc_heap_text_detect(const unsigned char *data, size_t size) {
    mc_span text = {(const char *)data, size};
    return mc_span_begins_with(text, "heap profile:") || mc_span_begins_with(text, "heap_v2/") ||
           mc_span_begins_with(text, "--- symbol\n");
}
