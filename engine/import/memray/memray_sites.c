#include "engine/import/memray/memray_sites.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/symbols.h"
#include <string.h>

#define DEPTH_MOST 512 // frames of a stack that are looked at, Python's and native ones each

// What is known of a native frame.
typedef struct native_place {
    uint32_t begin, count; // in `names`, from the inside out
    bool is_known, is_interpreter, is_loop;
} native_place;

struct mc_memray_sites {
    mc_memray_sites_desc desc;
    mc_symbols *symbols;  // NULL: there are no native frames
    uint32_t *frames;     // of `sites`, by Python's frames
    native_place *places; // by native frames
    uint32_t *names;      // of `sites`
    size_t name_count, name_capacity;
    uint32_t *merged; // scratch, from the outside in, then the other way round
    size_t merged_count, merged_capacity;
};

static mc_span get_text(const mc_strings *texts, uint32_t text) {
    mc_span span;
    span.at = mc_strings_get(texts, text, &span.size);
    return span;
}

static bool find_frames(mc_memray_sites *self) {
    const mc_memray_stacks *stacks = self->desc.stacks;
    for (size_t i = 0; i < stacks->frame_count; i++) {
        const mc_memray_frame *frame = &stacks->frames[i];
        mc_site_frame site = {.function = get_text(&stacks->texts, frame->function),
                              .file = get_text(&stacks->texts, frame->file),
                              .line = frame->line};
        self->frames[i] = mc_stack_sites_add_frame(self->desc.sites, &site);
        if (self->frames[i] == MC_NONE) return false;
    }
    return true;
}

mc_result mc_memray_sites_create(const mc_memray_sites_desc *desc, mc_memray_sites **sites,
                                 mc_error *error) {
    mc_memray_sites *self = *sites = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    if (!desc->path) self->desc.path = "";
    self->frames = mc_alloc(desc->stacks->frame_count + 1, sizeof *self->frames);
    self->places = mc_alloc_zero(desc->native->place_count + 1, sizeof *self->places);
    mc_result result =
        self->frames && self->places && find_frames(self) ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK && desc->native->place_count > 0)
        result = mc_symbols_create(desc->symbols, desc->log, &self->symbols, error);
    if (result == MC_OK) return MC_OK;
    mc_memray_sites_destroy(self);
    *sites = NULL;
    return result;
}

void mc_memray_sites_destroy(mc_memray_sites *sites) {
    if (!sites) return;
    mc_symbols_destroy(sites->symbols);
    mc_free(sites->frames);
    mc_free(sites->places);
    mc_free(sites->names);
    mc_free(sites->merged);
    mc_free(sites);
}

// ---- native frames

static bool begins_with(mc_span text, const char *prefix) {
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.at, prefix, size) == 0;
}

// "/usr/bin/python3.11", "libpython3.11.so.1.0".
static bool is_interpreter(mc_span module) {
    const char *slash = module.size > 0 ? memrchr(module.at, '/', module.size) : NULL;
    mc_span name = module;
    if (slash) name = (mc_span){slash + 1, module.size - (size_t)(slash + 1 - module.at)};
    return begins_with(name, "python") || begins_with(name, "libpython");
}

// Up to Python 3.13, and as its loop is compiled since then.
static bool is_loop(mc_span function) {
    static const char name[] = "_PyEval_EvalFrameDefault";
    return begins_with(function, "_TAIL_CALL_") ||
           (function.size > 0 && memmem(function.at, function.size, name, sizeof name - 1));
}

static bool add_name(mc_memray_sites *self, const mc_site_frame *frame) {
    uint32_t name = mc_stack_sites_add_frame(self->desc.sites, frame);
    if (name == MC_NONE ||
        !mc_reserve(&self->names, &self->name_capacity, self->name_count + 1, sizeof name))
        return false;
    self->names[self->name_count++] = name;
    return true;
}

static bool find_names(mc_memray_sites *self, uint32_t index, native_place *place) {
    const mc_memray_place *known = &self->desc.native->places[index];
    mc_site_frame found[MC_SYMBOLS_MOST];
    mc_site_frame frame = {.module = get_text(&self->desc.native->texts, known->module),
                           .address = known->address,
                           .file_offset = known->address,
                           .has_file_offset = true,
                           .is_file_address = true};
    uint32_t count = mc_symbols_find(self->symbols, self->desc.path, &frame, found);
    if (count == MC_NONE) return false;
    if (count == 0) found[count++] = frame;
    place->is_known = true;
    place->is_interpreter = is_interpreter(frame.module);
    for (uint32_t i = 0; i < count; i++)
        place->is_loop |= is_loop(found[i].function);
    place->begin = (uint32_t)self->name_count;
    if (place->is_interpreter || place->is_loop) return true;
    for (uint32_t i = 0; i < count; i++)
        if (!add_name(self, &found[i])) return false;
    place->count = (uint32_t)self->name_count - place->begin;
    return true;
}

// ---- both together

// A stack's frames, from the inside out.
typedef struct chain {
    uint32_t items[DEPTH_MOST], count;
} chain;

static void take_chain(const mc_memray_node *nodes, uint32_t node, chain *c) {
    for (c->count = 0; node != 0 && c->count < DEPTH_MOST; node = nodes[node].parent)
        c->items[c->count++] = nodes[node].frame;
}

static bool push(mc_memray_sites *self, uint32_t name) {
    if (!mc_reserve(&self->merged, &self->merged_capacity, self->merged_count + 1, sizeof name))
        return false;
    self->merged[self->merged_count++] = name;
    return true;
}

static bool push_names(mc_memray_sites *self, const native_place *place) {
    for (uint32_t i = place->count; i-- > 0;)
        if (!push(self, self->names[place->begin + i])) return false;
    return true;
}

static bool push_python(mc_memray_sites *self, uint32_t frame) {
    return push(self, self->frames[frame]);
}

// From the outside in. *is_whole: there is a call of the loop for each Python frame.
static bool merge_all(mc_memray_sites *self, const chain *python, const chain *native,
                      uint32_t shown, bool *is_whole) {
    const mc_memray_frame *frames = self->desc.stacks->frames;
    uint32_t left = python->count;
    for (uint32_t i = native->count; i-- > 0;) {
        const native_place *place = &self->places[native->items[i]];
        if (!place->is_loop || left == 0) {
            if (!push_names(self, place)) return false;
            continue;
        }
        do {
            // What is outside of the first that shows is memray's own.
            if (left == shown && shown < python->count) self->merged_count = 0;
            left--;
            if (!push_python(self, python->items[left])) return false;
        } while (left > 0 && !frames[python->items[left - 1]].is_entry);
    }
    *is_whole = left == 0 && shown > 0;
    return true;
}

// The shown Python frames, and what is surely inside of them.
static bool merge_sure(mc_memray_sites *self, const chain *python, const chain *native,
                       uint32_t shown) {
    uint32_t inner = 0;
    while (inner < native->count && !self->places[native->items[inner]].is_interpreter &&
           !self->places[native->items[inner]].is_loop)
        inner++;
    self->merged_count = 0;
    for (uint32_t i = shown; i-- > 0;)
        if (!push_python(self, python->items[i])) return false;
    if (inner == native->count) inner = 0; // a thread without an interpreter, or unknown code
    for (uint32_t i = python->count > 0 ? inner : native->count; i-- > 0;)
        if (!push_names(self, &self->places[native->items[i]])) return false;
    return true;
}

uint32_t mc_memray_sites_find(mc_memray_sites *self, mc_memray_stack stack) {
    chain python, native;
    bool is_whole = false;
    take_chain(self->desc.stacks->nodes, stack.node, &python);
    take_chain(self->desc.native->nodes, stack.native, &native);
    uint32_t shown = python.count;
    if (stack.is_main)
        shown = self->desc.hidden_count < shown ? shown - (uint32_t)self->desc.hidden_count : 0;
    for (uint32_t i = 0; i < native.count; i++) {
        native_place *place = &self->places[native.items[i]];
        if (!place->is_known && !find_names(self, native.items[i], place)) return MC_NONE;
    }
    self->merged_count = 0;
    if (native.count > 0 && python.count > 0 &&
        !merge_all(self, &python, &native, shown, &is_whole))
        return MC_NONE;
    if (!is_whole && !merge_sure(self, &python, &native, shown)) return MC_NONE;
    uint32_t count = (uint32_t)self->merged_count;
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t moved = self->merged[i];
        self->merged[i] = self->merged[count - 1 - i];
        self->merged[count - 1 - i] = moved;
    }
    return mc_stack_sites_find(self->desc.sites, self->merged, count, NULL, 0);
}
