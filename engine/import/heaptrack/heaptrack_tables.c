#include "engine/import/heaptrack/heaptrack_tables.h"

#include "engine/base/memory.h"
#include <string.h>

#define COUNT_MOST (MC_NONE / 4)

void mc_heaptrack_tables_deinit(mc_heaptrack_tables *tables) {
    mc_strings_deinit(&tables->texts);
    mc_free(tables->frames);
    mc_free(tables->places);
    mc_free(tables->callers);
    mc_free(tables->kinds);
    memset(tables, 0, sizeof *tables);
}

uint64_t mc_heaptrack_tables_measure(const mc_heaptrack_tables *tables) {
    return tables->texts.bytes_size + tables->texts.count * sizeof *tables->texts.offsets +
           tables->frame_count * sizeof *tables->frames +
           tables->place_count * sizeof *tables->places +
           tables->caller_count * sizeof *tables->callers +
           tables->kind_count * (sizeof *tables->kinds + 2 * sizeof(uint64_t) * 8);
}

// ---- lines

bool mc_heaptrack_take_number(const char **at, const char *end, uint64_t *number) {
    const char *begin = *at;
    *number = 0;
    for (; *at < end && **at != ' '; ++*at) {
        char byte = **at;
        uint64_t digit = byte >= '0' && byte <= '9'   ? (uint64_t)(byte - '0')
                         : byte >= 'a' && byte <= 'f' ? (uint64_t)(byte - 'a') + 10
                                                      : 16;
        if (digit > 15 || *number >> 60 != 0) return false;
        *number = *number << 4 | digit;
    }
    if (*at == begin) return false;
    if (*at < end) ++*at;
    return true;
}

// The number of something that is there; 0: of nothing.
static bool take_index(const char **at, const char *end, size_t count, uint32_t *index) {
    uint64_t number;
    if (!mc_heaptrack_take_number(at, end, &number) || number > count) return false;
    *index = (uint32_t)number;
    return true;
}

static mc_result fail(const char **expected, const char *what) {
    *expected = what;
    return MC_ERROR_BAD_DATA;
}

mc_result mc_heaptrack_tables_add_text(mc_heaptrack_tables *tables, const char *at, const char *end,
                                       const char **expected) {
    uint64_t size;
    if (tables->version >= 3 &&
        (!mc_heaptrack_take_number(&at, end, &size) || size != (uint64_t)(end - at)))
        return fail(expected, "a text of the length that is given");
    if (tables->texts.count >= COUNT_MOST) return MC_ERROR_OUT_OF_MEMORY;
    return mc_strings_append(&tables->texts, at, (size_t)(end - at)) == MC_NONE
               ? MC_ERROR_OUT_OF_MEMORY
               : MC_OK;
}

static bool add_frame(mc_heaptrack_tables *tables, const uint32_t words[3]) {
    if (tables->frame_count + 3 > COUNT_MOST ||
        !mc_reserve(&tables->frames, &tables->frame_capacity, tables->frame_count + 3,
                    sizeof *tables->frames))
        return false;
    memcpy(tables->frames + tables->frame_count, words, 3 * sizeof *words);
    tables->frame_count += 3;
    return true;
}

mc_result mc_heaptrack_tables_add_place(mc_heaptrack_tables *tables, const char *at,
                                        const char *end, const char **expected) {
    mc_heaptrack_place place = {.frames_begin = (uint32_t)tables->frame_count};
    size_t text_count = tables->texts.count;
    if (!mc_heaptrack_take_number(&at, end, &place.address)) return fail(expected, "an address");
    if (at < end && !take_index(&at, end, text_count, &place.module))
        return fail(expected, "the number of a module's name");
    for (; at < end; place.frame_count++) {
        uint32_t words[3] = {0};
        uint64_t line = 0;
        if (!take_index(&at, end, text_count, &words[0]))
            return fail(expected, "the number of a function's name");
        if (at < end && !take_index(&at, end, text_count, &words[1]))
            return fail(expected, "the number of a file's name");
        if (at < end && !mc_heaptrack_take_number(&at, end, &line))
            return fail(expected, "the number of a line");
        words[2] = line < MC_NONE ? (uint32_t)line : 0;
        if (!add_frame(tables, words)) return MC_ERROR_OUT_OF_MEMORY;
    }
    if (tables->place_count >= COUNT_MOST ||
        !mc_reserve(&tables->places, &tables->place_capacity, tables->place_count + 1,
                    sizeof *tables->places))
        return MC_ERROR_OUT_OF_MEMORY;
    tables->places[tables->place_count++] = place;
    return MC_OK;
}

mc_result mc_heaptrack_tables_add_caller(mc_heaptrack_tables *tables, const char *at,
                                         const char *end, const char **expected) {
    mc_heaptrack_caller caller;
    if (!take_index(&at, end, tables->place_count, &caller.place))
        return fail(expected, "the number of a place in the program that was named before");
    if (!take_index(&at, end, tables->caller_count, &caller.outer))
        return fail(expected, "the number of a caller that was named before");
    if (tables->caller_count >= COUNT_MOST ||
        !mc_reserve(&tables->callers, &tables->caller_capacity, tables->caller_count + 1,
                    sizeof caller))
        return MC_ERROR_OUT_OF_MEMORY;
    tables->callers[tables->caller_count++] = caller;
    return MC_OK;
}

mc_result mc_heaptrack_tables_add_kind(mc_heaptrack_tables *tables, const char *at, const char *end,
                                       const char **expected) {
    mc_heaptrack_kind kind;
    if (!mc_heaptrack_take_number(&at, end, &kind.size)) return fail(expected, "a size");
    if (!take_index(&at, end, tables->caller_count, &kind.caller))
        return fail(expected, "the number of a caller that was named before");
    if (tables->kind_count >= COUNT_MOST ||
        !mc_reserve(&tables->kinds, &tables->kind_capacity, tables->kind_count + 1, sizeof kind))
        return MC_ERROR_OUT_OF_MEMORY;
    tables->kinds[tables->kind_count++] = kind;
    return MC_OK;
}

// ---- frames

bool mc_heaptrack_frames_init(mc_heaptrack_frames *frames, const mc_heaptrack_tables *tables,
                              mc_stack_sites *sites) {
    size_t count = tables->frame_count / 3 + tables->place_count + 1;
    *frames = (mc_heaptrack_frames){.tables = tables, .sites = sites};
    frames->known = mc_alloc(count, sizeof *frames->known);
    if (!frames->known) return false;
    memset(frames->known, 0xff, count * sizeof *frames->known);
    return true;
}

void mc_heaptrack_frames_deinit(mc_heaptrack_frames *frames) {
    mc_free(frames->known);
    frames->known = NULL;
}

static mc_span get_text(const mc_heaptrack_tables *tables, uint32_t number) {
    mc_span text = {NULL, 0};
    if (number > 0) text.at = mc_strings_get(&tables->texts, number - 1, &text.size);
    return text;
}

// A place without symbols has one frame, its address.
static uint32_t find_frame(mc_heaptrack_frames *self, uint32_t place_index, uint32_t index) {
    const mc_heaptrack_place *place = &self->tables->places[place_index];
    uint32_t *known = &self->known[place->frames_begin / 3 + place_index + index];
    if (*known != MC_NONE) return *known;
    mc_site_frame frame = {.module = get_text(self->tables, place->module),
                           .address = place->address};
    if (place->frame_count > 0) {
        const uint32_t *words = &self->tables->frames[place->frames_begin + 3 * index];
        frame.function = get_text(self->tables, words[0]);
        frame.file = get_text(self->tables, words[1]);
        frame.line = words[2];
    }
    return *known = mc_stack_sites_add_frame(self->sites, &frame);
}

uint32_t mc_heaptrack_frames_find(mc_heaptrack_frames *frames, uint32_t kind, uint32_t *stack,
                                  uint32_t most) {
    const mc_heaptrack_tables *tables = frames->tables;
    uint32_t count = 0;
    for (uint32_t at = tables->kinds[kind].caller; at > 0 && count < most;
         at = tables->callers[at - 1].outer) {
        uint32_t place = tables->callers[at - 1].place;
        if (place == 0) continue;
        uint32_t frame_count = tables->places[place - 1].frame_count;
        for (uint32_t i = 0; i < (frame_count > 0 ? frame_count : 1) && count < most; i++) {
            stack[count] = find_frame(frames, place - 1, i);
            if (stack[count++] == MC_NONE) return MC_NONE;
        }
    }
    return count;
}
