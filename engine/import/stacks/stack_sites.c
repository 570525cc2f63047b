#include "engine/import/stacks/stack_sites.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

#define LABEL_VALUES_MOST 64

enum { SITE, CALLER, ROLE_COUNT };

typedef struct frame {
    uint32_t key, name; // strings of the groups
    uint8_t kind;       // mc_frame_kind
    bool is_named;      // it is more than an address
    uint32_t next;      // the frame that came after it last; MC_NONE: none did
    // As it came first, from `said` on: its texts, one behind the other.
    size_t said_begin;
    uint32_t function_size, file_size, module_size, line;
    uint64_t address;
} frame;

typedef struct known_stack {
    mc_stack_id id;
    uint32_t group;
    uint32_t next; // that came after it last; MC_NONE: none did
} known_stack;

struct mc_stack_sites {
    mc_stack_sites_desc desc;
    mc_path_groups *groups;
    mc_strings keys; // of the frames, numbered as they are
    frame *frames;
    size_t capacity;
    mc_text said;
    uint32_t last_frame;                        // that was found; MC_NONE: none
    mc_strings label_values[MC_PATH_ROLE_MOST]; // by role
    known_stack *stacks;
    size_t stack_count, stack_capacity;
    mc_slots stack_slots; // by their ids
    uint32_t last_stack;  // that was found; MC_NONE: none
    mc_text key, name;    // scratch
};

mc_result mc_stack_sites_create(const mc_stack_sites_desc *desc, mc_stack_sites **sites,
                                mc_error *error) {
    mc_path_desc groups = {.root = "Heap", .roles = {"Site", "Caller"}};
    mc_stack_sites *self = *sites = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->last_frame = self->last_stack = MC_NONE;
    if (self->desc.depth == 0) self->desc.depth = UINT32_MAX;
    if (self->desc.label_value_most == 0) self->desc.label_value_most = LABEL_VALUES_MOST;
    memcpy(groups.metrics, desc->metrics, sizeof groups.metrics);
    mc_result result = mc_path_groups_create(&groups, &self->groups, error);
    if (result == MC_OK) return MC_OK;
    mc_stack_sites_destroy(self);
    *sites = NULL;
    return result;
}

void mc_stack_sites_destroy(mc_stack_sites *sites) {
    if (!sites) return;
    mc_path_groups_destroy(sites->groups);
    mc_strings_deinit(&sites->keys);
    mc_free(sites->frames);
    mc_free(sites->stacks);
    mc_slots_deinit(&sites->stack_slots);
    for (size_t i = 0; i < MC_PATH_ROLE_MOST; i++)
        mc_strings_deinit(&sites->label_values[i]);
    mc_text_deinit(&sites->said);
    mc_text_deinit(&sites->key);
    mc_text_deinit(&sites->name);
    mc_free(sites);
}

// ---- frames

static bool add(mc_stack_sites *self, const mc_site_frame *added) {
    uint32_t number = self->keys.count - 1;
    if (!mc_reserve(&self->frames, &self->capacity, (size_t)number + 1, sizeof *self->frames))
        return false;
    mc_text_clear(&self->name);
    mc_site_frame_append(added, false, &self->name);
    if (self->name.failed) return false;
    frame f = {.key = mc_path_groups_intern(self->groups, self->key.data, self->key.size),
               .name = mc_path_groups_intern(self->groups, self->name.data, self->name.size),
               .kind = (uint8_t)mc_frame_kind_find(added->function, added->file, added->module),
               .is_named = added->function.size > 0 || added->file.size > 0,
               .next = MC_NONE,
               .said_begin = self->said.size,
               .function_size = (uint32_t)added->function.size,
               .file_size = (uint32_t)added->file.size,
               .module_size = (uint32_t)added->module.size,
               .line = added->line,
               .address = added->address};
    mc_span texts[] = {added->function, added->file, added->module};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        mc_text_append(&self->said, texts[i].at, texts[i].size);
    self->frames[number] = f;
    return f.key != MC_NONE && f.name != MC_NONE && !self->said.failed;
}

static bool is_said(const char *said, mc_span text) {
    return text.size == 0 || memcmp(said, text.at, text.size) == 0;
}

// Whether a frame is that one, as far as it is called.
static bool is_frame(const mc_stack_sites *self, uint32_t number, const mc_site_frame *wanted) {
    const frame *f = &self->frames[number];
    const char *said = self->said.data + f->said_begin;
    return f->line == wanted->line && f->address == wanted->address &&
           f->function_size == wanted->function.size && f->file_size == wanted->file.size &&
           f->module_size == wanted->module.size && is_said(said, wanted->function) &&
           is_said(said + f->function_size, wanted->file) &&
           is_said(said + f->function_size + f->file_size, wanted->module);
}

static uint32_t find_frame(mc_stack_sites *self, const mc_site_frame *wanted) {
    mc_text_clear(&self->key);
    mc_site_frame_append(wanted, true, &self->key);
    if (self->key.failed) return MC_NONE;
    uint32_t count = self->keys.count;
    uint32_t number = mc_strings_intern(&self->keys, self->key.data, self->key.size);
    if (number == MC_NONE || number < count) return number;
    return add(self, wanted) ? number : MC_NONE;
}

// Files of a series mostly have the same frames in the same order.
uint32_t mc_stack_sites_add_frame(mc_stack_sites *self, const mc_site_frame *added) {
    uint32_t last = self->last_frame, number = MC_NONE;
    if (last != MC_NONE) number = self->frames[last].next;
    if (number == MC_NONE || !is_frame(self, number, added)) number = find_frame(self, added);
    if (number == MC_NONE) return MC_NONE;
    if (last != MC_NONE) self->frames[last].next = number;
    self->last_frame = number;
    return number;
}

// ---- stacks

typedef struct range {
    uint32_t begin, end;
} range;

// From the site outward.
static range choose_frames(const mc_stack_sites *self, const uint32_t *frames, uint32_t count) {
    range r = {0, count};
    while (r.begin < count && self->frames[frames[r.begin]].kind == MC_FRAME_ALLOCATOR)
        r.begin++;
    while (r.end > r.begin + 1 && self->frames[frames[r.end - 1]].kind == MC_FRAME_START)
        r.end--;
    if (r.begin == r.end) return (range){0, count}; // the allocator's own
    uint32_t own = r.begin;
    while (own < r.end && self->frames[frames[own]].kind != MC_FRAME_PROGRAM)
        own++;
    if (own == r.end) // libraries alone: an address among them differs from run to run
        for (own = r.begin; own < r.end && !self->frames[frames[own]].is_named;)
            own++;
    if (own < r.end && !self->desc.has_libraries) r.begin = own;
    if (r.end - r.begin > self->desc.depth) r.end = r.begin + self->desc.depth;
    return r;
}

uint32_t mc_stack_sites_find_named(mc_stack_sites *self, uint32_t parent, const char *name) {
    return mc_path_groups_find(self->groups, parent, parent == 0 ? SITE : CALLER, name,
                               strlen(name));
}

static uint32_t find_label(mc_stack_sites *self, uint32_t group, const mc_site_label *label) {
    static const char others[] = "(others)", empty[] = "(empty)";
    uint32_t role = mc_path_groups_add_role(self->groups, label->key.at, label->key.size);
    if (role == MC_NONE)
        return mc_path_groups_get_role_count(self->groups) == MC_PATH_ROLE_MOST ? group : MC_NONE;
    if (role < ROLE_COUNT) return group; // what a frame is can't be a label, too
    mc_span value = label->value.size > 0 ? label->value : (mc_span){empty, sizeof empty - 1};
    mc_strings *values = &self->label_values[role];
    uint32_t known = mc_strings_find(values, value.at, value.size);
    if (known == MC_NONE && values->count < self->desc.label_value_most) {
        if (mc_strings_intern(values, value.at, value.size) == MC_NONE) return MC_NONE;
    } else if (known == MC_NONE) {
        value = (mc_span){others, sizeof others - 1};
    }
    return mc_path_groups_find(self->groups, group, role, value.at, value.size);
}

static uint32_t find_frames_group(mc_stack_sites *self, const uint32_t *frames, uint32_t count) {
    uint32_t group = 0;
    for (uint32_t i = 0; i < count && group != MC_NONE; i++) {
        const frame *f = &self->frames[frames[i]];
        group = mc_path_groups_find_interned(self->groups, group, i == 0 ? SITE : CALLER, f->key,
                                             f->name);
    }
    return group;
}

uint32_t mc_stack_sites_find_labels(mc_stack_sites *self, uint32_t group,
                                    const mc_site_label *labels, uint32_t label_count) {
    for (uint32_t i = 0; i < label_count && group != MC_NONE; i++)
        if (labels[i].key.size > 0) group = find_label(self, group, &labels[i]);
    return group;
}

static uint32_t find_group(mc_stack_sites *self, const uint32_t *frames, uint32_t count) {
    range r = choose_frames(self, frames, count);
    return r.begin == r.end ? mc_stack_sites_find_named(self, 0, "(unknown)")
                            : find_frames_group(self, frames + r.begin, r.end - r.begin);
}

uint32_t mc_stack_sites_find(mc_stack_sites *self, const uint32_t *frames, uint32_t count,
                             const mc_site_label *labels, uint32_t label_count) {
    return mc_stack_sites_find_labels(self, find_group(self, frames, count), labels, label_count);
}

// ---- stacks that come again

static bool is_stack(const mc_stack_sites *self, uint32_t stack, const mc_stack_id *id) {
    const uint64_t *halves = self->stacks[stack].id.halves;
    return halves[0] == id->halves[0] && halves[1] == id->halves[1];
}

static uint32_t find_stack(const mc_stack_sites *self, const mc_stack_id *id) {
    const uint32_t hash = (uint32_t)id->halves[0];
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->stack_slots, hash, &at)) != MC_NONE;)
        if (is_stack(self, found, id)) return found;
    return MC_NONE;
}

// The stack comes after the last one that came.
static void take_stack(mc_stack_sites *self, uint32_t stack) {
    if (self->last_stack != MC_NONE) self->stacks[self->last_stack].next = stack;
    self->last_stack = stack;
}

uint32_t mc_stack_sites_find_known(mc_stack_sites *self, const mc_stack_id *id) {
    uint32_t last = self->last_stack, stack = MC_NONE;
    if (last != MC_NONE) stack = self->stacks[last].next;
    if (stack == MC_NONE || !is_stack(self, stack, id)) stack = find_stack(self, id);
    if (stack == MC_NONE) return MC_NONE;
    take_stack(self, stack);
    uint32_t next = self->stacks[stack].next;
    if (next != MC_NONE) mc_path_groups_prefetch(self->groups, self->stacks[next].group);
    return self->stacks[stack].group;
}

bool mc_stack_sites_note(mc_stack_sites *self, const mc_stack_id *id, uint32_t group) {
    uint32_t added = (uint32_t)self->stack_count;
    if (!mc_reserve(&self->stacks, &self->stack_capacity, self->stack_count + 1,
                    sizeof *self->stacks) ||
        !mc_slots_add(&self->stack_slots, (uint32_t)id->halves[0], added))
        return false;
    self->stacks[self->stack_count++] = (known_stack){*id, group, MC_NONE};
    take_stack(self, added);
    return true;
}

// ---- steps

bool mc_stack_sites_count(mc_stack_sites *self, uint32_t group, const uint64_t *values,
                          uint64_t offset) {
    return mc_path_groups_count(self->groups, group, values, offset);
}

mc_result mc_stack_sites_fill_tree(mc_stack_sites *self, mc_step_tree *tree, mc_error *error) {
    return mc_path_groups_fill_tree(self->groups, tree, error);
}

void mc_stack_sites_clear(mc_stack_sites *self) {
    mc_path_groups_clear(self->groups);
}

uint32_t mc_stack_sites_get_node(const mc_stack_sites *self, uint32_t group) {
    return mc_path_groups_get_node(self->groups, group);
}
