#include "engine/import/heaptrack/heaptrack.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/heaptrack/heaptrack_tables.h"
#include "engine/import/stacks/event_batches.h"
#include "engine/import/stacks/film_steps.h"
#include "engine/import/stacks/live_blocks.h"
#include <inttypes.h>
#include <string.h>

#define VERSION_MOST 3
#define LINE_MOST ((size_t)16 << 20)
#define NO_DIGIT 16
#define STACK_MOST 512 // frames of a stack that are looked at

// What another thread does with the film: an operation, and below it a number.
typedef uint64_t film_event;
enum { ALLOCATE, FREE, ADD_KIND, SET_TIME, SET_RESIDENT, RESTART };
#define OPERATION_SHIFT 61
#define AHEAD 16 // events whose kinds are fetched into the cache

struct mc_heaptrack {
    mc_profile_options options;
    uint64_t memory_most;
    mc_heaptrack_tables tables;
    // The thread that applies events alone uses the film, and reads the kinds of the tables, until
    // all are applied.
    mc_film film;
    mc_event_batches events;
    // Of version 0, which says the address of each allocation: events are applied at once.
    mc_live_blocks blocks;
    mc_slots kind_slots; // of kinds by size and caller
    mc_text rest;        // of a line whose end has not come
    uint64_t offset;     // of what comes next
    uint64_t page_size;
    bool has_version, has_command;
    unsigned char digits[256]; // by byte: the value of a hexadecimal digit; NO_DIGIT

    // steps
    mc_stack_sites *sites;
    uint32_t *groups; // of the kinds
};

bool mc_heaptrack_detect(const unsigned char *data, size_t size) {
    const char *at = (const char *)data, *end = memchr(data, '\n', size);
    uint64_t number;
    if (!end || end - at < 3 || end - at > 40 || at[0] != 'v' || at[1] != ' ') return false;
    at += 2;
    if (!mc_heaptrack_take_number(&at, end, &number) || number < 0x10000) return false;
    if (at < end && !mc_heaptrack_take_number(&at, end, &number)) return false;
    return at == end;
}

static void apply_event(mc_heaptrack *self, uint64_t operation, uint64_t number) {
    switch (operation) {
    case ALLOCATE:
        mc_film_allocate(&self->film, (uint32_t)number, self->tables.kinds[number].size);
        break;
    case FREE: mc_film_free(&self->film, (uint32_t)number, self->tables.kinds[number].size); break;
    case ADD_KIND: (void)mc_film_add_kind(&self->film); break;
    case SET_TIME: mc_film_set_time(&self->film, (int64_t)number); break;
    case SET_RESIDENT: mc_film_set_resident(&self->film, number); break;
    default: mc_film_restart(&self->film); break;
    }
}

static bool apply_events(void *user, const void *events, size_t count) {
    mc_heaptrack *self = user;
    const film_event *at = events;
    for (size_t i = 0; i < count && !self->film.has_failed; i++) {
        if (i + AHEAD < count && at[i + AHEAD] >> OPERATION_SHIFT <= FREE) {
            const uint32_t kind = (uint32_t)at[i + AHEAD];
            __builtin_prefetch(&self->tables.kinds[kind]);
            if (kind < self->film.kind_count) mc_film_prefetch(&self->film, kind);
        }
        apply_event(self, at[i] >> OPERATION_SHIFT, at[i] & ((UINT64_C(1) << OPERATION_SHIFT) - 1));
    }
    return !self->film.has_failed;
}

mc_result mc_heaptrack_create(const mc_profile_options *options, uint64_t memory_most,
                              mc_heaptrack **reader, mc_error *error) {
    mc_heaptrack *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->options = *options;
    self->memory_most = memory_most;
    self->page_size = 4096;
    for (int byte = 0; byte < 256; byte++) {
        const char text[] = {(char)byte, '\0'}, *at = text;
        uint64_t value = NO_DIGIT;
        if (byte != ' ') (void)mc_heaptrack_take_number(&at, text + 1, &value);
        self->digits[byte] = at > text ? (unsigned char)value : NO_DIGIT;
    }
    mc_film_init(&self->film, options->moment_count ? options->moment_count : MC_PROFILE_MOMENTS);
    const mc_event_kind kind = {sizeof(film_event), apply_events};
    mc_result result = mc_event_batches_init(&kind, self, &self->events, error);
    if (result == MC_OK) return MC_OK;
    mc_heaptrack_destroy(self);
    *reader = NULL;
    return result;
}

void mc_heaptrack_destroy(mc_heaptrack *reader) {
    if (!reader) return;
    mc_event_batches_deinit(&reader->events);
    mc_heaptrack_tables_deinit(&reader->tables);
    mc_film_deinit(&reader->film);
    mc_live_blocks_deinit(&reader->blocks);
    mc_slots_deinit(&reader->kind_slots);
    mc_text_deinit(&reader->rest);
    mc_stack_sites_destroy(reader->sites);
    mc_free(reader->groups);
    mc_free(reader);
}

// ---- lines

static mc_result fail(const mc_heaptrack *self, const char *expected, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                        "heaptrack recording: expected %s in this line", expected);
}

// Waits until all that was read is in the film.
static mc_result flush(mc_heaptrack *self, mc_error *error) {
    bool fits = mc_event_batches_flush(&self->events) && !self->film.has_failed;
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result hand_over(mc_heaptrack *self, mc_error *error) {
    return mc_event_batches_hand_over(&self->events) ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result add_event(mc_heaptrack *self, uint64_t operation, uint64_t number,
                           mc_error *error) {
    mc_event_batches *events = &self->events;
    const film_event event = operation << OPERATION_SHIFT | number;
    // The former's events are not in batches; numbers are as good as always smaller.
    if (self->tables.version == 0 || number >> OPERATION_SHIFT > 0) {
        mc_result result = flush(self, error);
        if (result != MC_OK) return result;
        apply_event(self, operation, number);
        return self->film.has_failed ? mc_error_out_of_memory(error) : MC_OK;
    }
    if (events->next == events->end) {
        mc_result result = hand_over(self, error);
        if (result != MC_OK) return result;
    }
    memcpy(events->next, &event, sizeof event);
    events->next += sizeof event;
    return MC_OK;
}

static mc_result take_version(mc_heaptrack *self, const char *at, const char *end,
                              mc_error *error) {
    uint64_t heaptrack, version = 0;
    if (!mc_heaptrack_take_number(&at, end, &heaptrack))
        return fail(self, "heaptrack's version", error);
    if (at < end && !mc_heaptrack_take_number(&at, end, &version))
        return fail(self, "the version of the file format", error);
    if (version == 0 && heaptrack == 0x10200) version = 1;
    if (version > VERSION_MOST)
        return mc_error_set(
            error, MC_ERROR_BAD_DATA, self->offset,
            "heaptrack recording: file format %" PRIu64 ", written by heaptrack %" PRIu64
            ".%" PRIu64 ".%" PRIu64 "; memcity reads 0 to %d",
            version, heaptrack >> 16, heaptrack >> 8 & 255, heaptrack & 255, VERSION_MOST);
    mc_result result = flush(self, error); // events of version 0 are not in batches
    if (result != MC_OK) return result;
    self->tables.version = (uint32_t)version;
    self->has_version = true;
    return MC_OK;
}

static mc_result take_command(mc_heaptrack *self, mc_error *error) {
    if (self->has_command)
        return fail(self, "no second command (the file holds parts of two)", error);
    self->has_command = true;
    return MC_OK;
}

static mc_result add_kind(mc_heaptrack *self, const char *at, const char *end, mc_error *error) {
    const char *expected = NULL;
    mc_result result = MC_OK;
    // They may move.
    if (self->tables.kind_count == self->tables.kind_capacity) result = flush(self, error);
    if (result != MC_OK) return result;
    result = mc_heaptrack_tables_add_kind(&self->tables, at, end, &expected);
    if (result == MC_ERROR_BAD_DATA) return fail(self, expected, error);
    return result == MC_OK ? add_event(self, ADD_KIND, 0, error) : mc_error_out_of_memory(error);
}

static mc_result take_pages(mc_heaptrack *self, const char *at, const char *end, mc_error *error) {
    uint64_t pages;
    if (!mc_heaptrack_take_number(&at, end, &pages) ||
        (self->page_size > 0 && pages > MC_COUNT_MAX / self->page_size))
        return fail(self, "a number of pages", error);
    return add_event(self, SET_RESIDENT, pages * self->page_size, error);
}

static mc_result take_time(mc_heaptrack *self, const char *at, const char *end, mc_error *error) {
    uint64_t time;
    if (!mc_heaptrack_take_number(&at, end, &time) || time > MC_TIME_MAX - 1000000)
        return fail(self, "a time", error);
    return add_event(self, SET_TIME, time, error);
}

static mc_result take_machine(mc_heaptrack *self, const char *at, const char *end,
                              mc_error *error) {
    if (mc_heaptrack_take_number(&at, end, &self->page_size) && self->page_size <= 1 << 30)
        return MC_OK;
    return fail(self, "the size of a page", error);
}

// ---- events of version 0

static uint32_t find_kind(mc_heaptrack *self, uint64_t size, uint32_t caller) {
    mc_heaptrack_tables *tables = &self->tables;
    uint32_t hash = (uint32_t)mc_hash_u64(size, caller);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->kind_slots, hash, &at)) != MC_NONE;)
        if (tables->kinds[found].size == size && tables->kinds[found].caller == caller)
            return found;
    uint32_t added = (uint32_t)tables->kind_count;
    if (!mc_reserve(&tables->kinds, &tables->kind_capacity, tables->kind_count + 1,
                    sizeof *tables->kinds) ||
        !mc_slots_add(&self->kind_slots, hash, added) || mc_film_add_kind(&self->film) == MC_NONE)
        return MC_NONE;
    tables->kinds[tables->kind_count++] = (mc_heaptrack_kind){size, caller};
    return added;
}

// MC_NONE: allocated before the recording began.
static void count_free(mc_heaptrack *self, uint32_t kind) {
    if (kind != MC_NONE) mc_film_free(&self->film, kind, self->tables.kinds[kind].size);
}

static mc_result take_old_event(mc_heaptrack *self, char letter, const char *at, const char *end,
                                mc_error *error) {
    uint64_t size, caller, address;
    if (letter == '-') {
        if (!mc_heaptrack_take_number(&at, end, &address)) return fail(self, "an address", error);
        count_free(self, mc_live_blocks_take(&self->blocks, address));
        return MC_OK;
    }
    if (!mc_heaptrack_take_number(&at, end, &size) ||
        !mc_heaptrack_take_number(&at, end, &caller) || caller > self->tables.caller_count ||
        !mc_heaptrack_take_number(&at, end, &address))
        return fail(self, "a size, a caller that was named before, and an address", error);
    uint32_t kind = find_kind(self, size, (uint32_t)caller), before;
    if (kind == MC_NONE || !mc_live_blocks_put(&self->blocks, address, kind, &before))
        return mc_error_out_of_memory(error);
    count_free(self, before); // whose end was missed
    mc_film_allocate(&self->film, kind, size);
    return MC_OK;
}

// ---- all lines

static mc_result take_event(mc_heaptrack *self, char letter, const char *at, const char *end,
                            mc_error *error) {
    uint64_t kind;
    if (self->tables.version == 0) return take_old_event(self, letter, at, end, error);
    if (!mc_heaptrack_take_number(&at, end, &kind) || kind >= self->tables.kind_count)
        return fail(self, "the number of a kind of allocation that was named before", error);
    return add_event(self, letter == '+' ? ALLOCATE : FREE, kind, error);
}

static mc_result add_to_table(mc_heaptrack *self, char letter, const char *at, const char *end,
                              mc_error *error) {
    const char *expected = NULL;
    mc_result result =
        letter == 's'   ? mc_heaptrack_tables_add_text(&self->tables, at, end, &expected)
        : letter == 'i' ? mc_heaptrack_tables_add_place(&self->tables, at, end, &expected)
                        : mc_heaptrack_tables_add_caller(&self->tables, at, end, &expected);
    if (result == MC_ERROR_BAD_DATA) return fail(self, expected, error);
    if (result != MC_OK) return mc_error_out_of_memory(error);
    if (mc_heaptrack_tables_measure(&self->tables) <= self->memory_most) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                        "heaptrack recording: its tables take more than %" PRIu64
                        " bytes, many times as much as the file",
                        self->memory_most);
}

static mc_result take_line(mc_heaptrack *self, const char *line, const char *end, mc_error *error) {
    if (line == end || line[0] == '#') return MC_OK;
    const char *at = end - line > 2 ? line + 2 : end;
    if (!self->has_version && line[0] != 'v')
        return fail(self, "heaptrack's version, before anything else,", error);
    if (end - line > 1 && line[1] != ' ') return fail(self, "a letter, and a blank,", error);
    switch (line[0]) {
    case '+':
    case '-': return take_event(self, line[0], at, end, error);
    case 's':
    case 'i':
    case 't': return add_to_table(self, line[0], at, end, error);
    case 'a': return add_kind(self, at, end, error);
    case 'c': return take_time(self, at, end, error);
    case 'R': return take_pages(self, at, end, error);
    case 'I': return take_machine(self, at, end, error);
    case 'v': return take_version(self, at, end, error);
    case 'X': return take_command(self, error);
    case 'A': return add_event(self, RESTART, 0, error);
    case 'S': return MC_OK; // patterns of what is not shown there
    case 'x':
    case 'm':
        return mc_error_set(error, MC_ERROR_BAD_DATA, self->offset,
                            "heaptrack recording: without names, as heaptrack records it with "
                            "--raw; \"heaptrack --interpret FILE\" completes it");
    default: return fail(self, "one of the letters v X I s i t a + - c R A S", error);
    }
}

// What is left of the piece before, and the line's end.
static mc_result complete_rest(mc_heaptrack *self, const char *data, const char *end,
                               mc_error *error) {
    mc_text_append(&self->rest, data, (size_t)(end - data));
    if (self->rest.failed) return mc_error_out_of_memory(error);
    mc_result result = take_line(self, self->rest.data, self->rest.data + self->rest.size, error);
    self->offset += self->rest.size + 1;
    mc_text_clear(&self->rest);
    return result;
}

// Most lines are events of a few digits: those in a row, as far as they are right, and there is
// room. `end` is that of a line. Returns the first line that is something else.
static const char *take_events(mc_heaptrack *self, const char *at, const char *end) {
    const size_t kind_count = self->tables.kind_count;
    film_event *next = (film_event *)(void *)self->events.next;
    const film_event *most = (const film_event *)(void *)self->events.end;
    while (at < end && next < most && (at[0] == '+' || at[0] == '-') && at[1] == ' ') {
        const char *digit = at + 2;
        uint64_t kind = 0;
        for (unsigned char value; (value = self->digits[(unsigned char)*digit]) < NO_DIGIT; digit++)
            kind = kind << 4 | value;
        if (*digit != '\n' || digit == at + 2 || digit > at + 10 || kind >= kind_count) break;
        const uint64_t operation = at[0] == '+' ? ALLOCATE : FREE;
        *next++ = operation << OPERATION_SHIFT | kind;
        at = digit + 1;
    }
    self->events.next = (unsigned char *)next;
    return at;
}

// The same of a piece of data, of which `end` is a line's.
static mc_result skip_events(mc_heaptrack *self, const char **at, const char *end,
                             mc_error *error) {
    const char *begin;
    mc_result result = MC_OK;
    if (self->tables.version == 0 || self->rest.size > 0 || !self->has_version) return MC_OK;
    do {
        begin = *at;
        if (self->events.next == self->events.end) result = hand_over(self, error);
        if (result == MC_OK) *at = take_events(self, begin, end);
        self->offset += (size_t)(*at - begin);
    } while (result == MC_OK && self->events.next == self->events.end);
    return result;
}

mc_result mc_heaptrack_feed(mc_heaptrack *self, const unsigned char *data, size_t size,
                            mc_error *error) {
    const char *at = (const char *)data, *end = at + size;
    const char *last = size > 0 ? memrchr(data, '\n', size) : NULL;
    mc_result result = MC_OK;
    while (result == MC_OK && at < end) {
        if (last) result = skip_events(self, &at, last, error);
        if (result != MC_OK) break;
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed) break;
        if (self->rest.size > 0) {
            result = complete_rest(self, at, feed, error);
        } else {
            result = take_line(self, at, feed, error);
            if (result == MC_OK) self->offset += (size_t)(feed - at) + 1;
        }
        at = feed + 1;
    }
    if (result != MC_OK) return result;
    mc_text_append(&self->rest, at, (size_t)(end - at));
    if (self->rest.failed) return mc_error_out_of_memory(error);
    return self->rest.size <= LINE_MOST ? MC_OK : fail(self, "at most 16 MiB", error);
}

// ---- steps

static mc_result find_groups(mc_heaptrack *self, mc_error *error) {
    const mc_heaptrack_tables *tables = &self->tables;
    mc_heaptrack_frames frames = {.known = NULL};
    uint32_t stack[STACK_MOST];
    mc_result result =
        mc_film_sites_create(self->options.depth, self->options.has_libraries, &self->sites, error);
    if (result != MC_OK) return result;
    self->groups = mc_alloc(tables->kind_count + 1, sizeof *self->groups);
    bool fits = self->groups && mc_heaptrack_frames_init(&frames, tables, self->sites);
    for (uint32_t i = 0; i < tables->kind_count && fits; i++) {
        uint32_t count = mc_heaptrack_frames_find(&frames, i, stack, STACK_MOST);
        self->groups[i] =
            count == MC_NONE ? MC_NONE : mc_stack_sites_find(self->sites, stack, count, NULL, 0);
        fits = self->groups[i] != MC_NONE;
    }
    mc_heaptrack_frames_deinit(&frames);
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_heaptrack_finish(mc_heaptrack *self, bool *is_cut, mc_error *error) {
    *is_cut = self->rest.size > 0;
    if (!self->has_version)
        return mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                            "heaptrack recording: expected heaptrack's version, found nothing");
    mc_result result = flush(self, error);
    if (result == MC_OK) result = mc_film_finish(&self->film, error);
    return result == MC_OK ? find_groups(self, error) : result;
}

mc_result mc_heaptrack_next_step(mc_heaptrack *reader, const char *end_missing, mc_step_tree *tree,
                                 bool *is_there, mc_error *error) {
    const mc_film_steps steps = {.film = &reader->film,
                                 .sites = reader->sites,
                                 .groups = reader->groups,
                                 .kind_count = (uint32_t)reader->tables.kind_count,
                                 .start_ms = 0,
                                 .format = "heaptrack",
                                 .end_missing = end_missing};
    return mc_film_steps_next(&steps, tree, is_there, error);
}
