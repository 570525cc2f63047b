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
} frame;

struct mc_stack_sites {
    mc_stack_sites_desc desc;
    mc_path_groups *groups;
    mc_strings keys; // of the frames, numbered as they are
    frame *frames;
    size_t capacity;
    mc_strings label_values[MC_PATH_ROLE_MOST]; // by role
    mc_text key, name;                          // scratch
};

mc_result mc_stack_sites_create(const mc_stack_sites_desc *desc, mc_stack_sites **sites,
                                mc_error *error) {
    mc_path_desc groups = {.root = "Heap", .roles = {"Site", "Caller"}};
    mc_stack_sites *self = *sites = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
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
    for (size_t i = 0; i < MC_PATH_ROLE_MOST; i++)
        mc_strings_deinit(&sites->label_values[i]);
    mc_text_deinit(&sites->key);
    mc_text_deinit(&sites->name);
    mc_free(sites);
}

// ---- frames

// Behind the last slash; both, where what stands there says nothing by itself.
static mc_span shorten(mc_span path, uint32_t parts) {
    static const char *const common[] = {"__init__.py", "index.js", "mod.rs", "lib.rs", "main.rs"};
    mc_span rest = path;
    for (uint32_t part = 0; part < parts; part++) {
        const char *slash = rest.size > 0 ? memrchr(path.at, '/', rest.size) : NULL;
        if (!slash) return path;
        rest.size = (size_t)(slash - path.at);
        mc_span found = {slash + 1, path.size - rest.size - 1};
        for (size_t i = 0; part == 0 && i < sizeof common / sizeof *common; i++)
            if (found.size == strlen(common[i]) && memcmp(found.at, common[i], found.size) == 0)
                parts = 2;
    }
    return (mc_span){path.at + rest.size + 1, path.size - rest.size - 1};
}

static void append_span(mc_text *text, mc_span span) {
    mc_text_append(text, span.at, span.size);
}

static void append_place(const mc_site_frame *f, mc_span file, mc_text *text) {
    append_span(text, file);
    if (f->line > 0) mc_text_format(text, ":%" PRIu32, f->line);
}

void mc_site_frame_append(const mc_site_frame *f, bool has_whole_path, mc_text *text) {
    mc_span file = has_whole_path ? f->file : shorten(f->file, f->function.size > 0 ? 1 : 2);
    mc_span module = shorten(f->module, 1);
    if (f->function.size == 0 && f->file.size > 0) {
        append_place(f, file, text);
        return;
    }
    if (f->function.size > 0)
        append_span(text, f->function);
    else if (f->address > 0 || module.size == 0)
        mc_text_format(text, f->address > 0 ? "0x%" PRIx64 : "(unknown)", f->address);
    if (f->file.size == 0 && module.size == 0) return;
    if (text->size > 0) mc_text_append(text, " ", 1);
    mc_text_append(text, "(", 1);
    if (f->file.size > 0)
        append_place(f, file, text);
    else
        append_span(text, module);
    mc_text_append(text, ")", 1);
}

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
               .is_named = added->function.size > 0 || added->file.size > 0};
    self->frames[number] = f;
    return f.key != MC_NONE && f.name != MC_NONE;
}

uint32_t mc_stack_sites_add_frame(mc_stack_sites *self, const mc_site_frame *added) {
    mc_text_clear(&self->key);
    mc_site_frame_append(added, true, &self->key);
    if (self->key.failed) return MC_NONE;
    uint32_t count = self->keys.count;
    uint32_t number = mc_strings_intern(&self->keys, self->key.data, self->key.size);
    if (number == MC_NONE || number < count) return number;
    return add(self, added) ? number : MC_NONE;
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

uint32_t mc_stack_sites_find(mc_stack_sites *self, const uint32_t *frames, uint32_t count,
                             const mc_site_label *labels, uint32_t label_count) {
    uint32_t group = 0;
    range r = choose_frames(self, frames, count);
    for (uint32_t i = r.begin; i < r.end && group != MC_NONE; i++) {
        const frame *f = &self->frames[frames[i]];
        group = mc_path_groups_find_interned(self->groups, group, i == r.begin ? SITE : CALLER,
                                             f->key, f->name);
    }
    if (r.begin == r.end) group = mc_stack_sites_find_named(self, 0, "(unknown)");
    for (uint32_t i = 0; i < label_count && group != MC_NONE; i++)
        if (labels[i].key.size > 0) group = find_label(self, group, &labels[i]);
    return group;
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
