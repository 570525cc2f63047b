#include "engine/import/jfr/jfr_old_objects.h"

#include "engine/base/memory.h"
#include <string.h>

#define MODIFIER_STATIC 8u
#define HOPS_MOST 512 // of a chain: a JVM writes up to 200

void mc_jfr_old_objects_deinit(mc_jfr_old_objects *self) {
    mc_free(self->items);
    mc_strings_deinit(&self->paths);
    mc_text_deinit(&self->text);
    mc_text_deinit(&self->other_text);
    *self = (mc_jfr_old_objects){.items = NULL};
}

// An object of a chain, the sampled one first, and how the next one references it.
typedef struct hop {
    uint32_t field, class; // texts; field MC_NONE: it is a root's
} hop;

typedef struct chain {
    hop hops[HOPS_MOST];
    uint32_t count;
    uint32_t root; // text; MC_NONE
} chain;

typedef struct walk {
    mc_jfr_old_objects *old;
    mc_jfr_names *names;
    mc_jfr_chunk *chunk;
} walk;

// "HashMap$Node" of "java.util.HashMap$Node".
static const char *get_short(const char *class) {
    const char *dot = strrchr(class, '.');
    return dot ? dot + 1 : class;
}

// What a description says behind that: "Class Name: Leak". False: it says something else.
static bool find_said(walk *self, mc_jfr_value object, const char *prefix, const char **said) {
    mc_text *text = &self->old->other_text;
    size_t size = strlen(prefix);
    mc_text_clear(text);
    if (!mc_jfr_append_text(self->chunk, mc_jfr_get(self->chunk, object, "description"), text))
        return false;
    if (strncmp(mc_text_get(text), prefix, size) != 0 || text->size == size) return false;
    *said = mc_text_get(text) + size;
    return true;
}

// What holds an object: "HashMap.table", "Object[] elements"; *is_root: "static Leak.SESSIONS",
// "thread "main"", behind which nothing is of interest.
static uint32_t add_field(walk *self, mc_jfr_value reference, mc_jfr_value from, bool *is_root) {
    mc_text *text = &self->old->text;
    mc_jfr_value field = mc_jfr_get(self->chunk, reference, "field");
    uint32_t class =
        mc_jfr_names_add_class(self->names, self->chunk, mc_jfr_get(self->chunk, from, "type"));
    const char *said;
    *is_root = false;
    if (class == MC_NONE) return MC_NONE;
    const char *name = mc_strings_get(&self->names->texts, class, NULL);
    mc_text_clear(text);
    bool is_static = mc_jfr_get_number(self->chunk, field, "modifiers") & MODIFIER_STATIC;
    if (is_static && strcmp(name, "java.lang.Class") == 0 &&
        find_said(self, from, "Class Name: ", &said)) {
        mc_text_format(text, "static %s.", said);
        *is_root = true;
    } else if (field.at) {
        mc_text_format(text, "%s.", get_short(name));
    } else {
        bool is_array = mc_jfr_get(self->chunk, reference, "array").at != NULL;
        mc_text_format(text, is_array ? "%s elements" : "%s (not said by which field)",
                       get_short(name));
    }
    if (field.at) mc_jfr_append_text(self->chunk, mc_jfr_get(self->chunk, field, "name"), text);
    return mc_jfr_names_add_text(self->names, text);
}

// In words what the JVM says of the chain's last object.
static uint32_t add_root(walk *self, mc_jfr_value root, mc_jfr_value last) {
    mc_text *text = &self->old->text;
    const char *said;
    mc_text_clear(text);
    if (find_said(self, last, "Thread Name: ", &said)) {
        mc_text_format(text, "thread \"%s\"", said);
        return mc_jfr_names_add_text(self->names, text);
    }
    if (find_said(self, last, "Class Name: ", &said)) {
        mc_text_format(text, "class %s", said);
        return mc_jfr_names_add_text(self->names, text);
    }
    if (!mc_jfr_append_text(self->chunk, mc_jfr_get(self->chunk, root, "type"), text) ||
        strcmp(mc_text_get(text), "<unknown>") == 0)
        mc_text_clear(text);
    mc_text *system = &self->old->other_text;
    mc_text_clear(system);
    bool has_system =
        mc_jfr_append_text(self->chunk, mc_jfr_get(self->chunk, root, "system"), system);
    text->failed |= system->failed;
    if (has_system && system->size > 0)
        mc_text_format(text, text->size > 0 ? " (%s)" : "%s", mc_text_get(system));
    if (text->size == 0) mc_text_append_string(text, "a GC root that is not named");
    return mc_jfr_names_add_text(self->names, text);
}

// From the sampled object up. False: out of memory.
static bool find_chain(walk *self, mc_jfr_value object, mc_jfr_value root, chain *found) {
    bool is_root = false;
    found->count = 0;
    found->root = MC_NONE;
    while (object.at && found->count < HOPS_MOST) {
        hop *here = &found->hops[found->count++];
        here->class = mc_jfr_names_add_class(self->names, self->chunk,
                                             mc_jfr_get(self->chunk, object, "type"));
        here->field = MC_NONE;
        if (here->class == MC_NONE) return false;
        mc_jfr_value reference = mc_jfr_get(self->chunk, object, "referrer");
        mc_jfr_value from = mc_jfr_get(self->chunk, reference, "object");
        if (!from.at) break;
        here->field = add_field(self, reference, from, &is_root);
        if (here->field == MC_NONE) return false;
        if (is_root) {
            found->root = here->field;
            return true;
        }
        object = from;
    }
    if (!root.at || !object.at) return true; // chains were not asked for
    found->root = add_root(self, root, object);
    return found->root != MC_NONE;
}

static uint32_t add_path(mc_jfr_old_objects *self, const chain *c) {
    mc_jfr_path path = {.parent = MC_NONE};
    uint32_t number = MC_NONE;
    for (uint32_t i = c->count; i-- > 0;) {
        bool is_top = i + 1 == c->count;
        uint32_t field = is_top ? c->root : c->hops[i].field;
        if (!is_top && i + 2 < c->count && field == c->hops[i + 1].field &&
            c->hops[i].class == c->hops[i + 1].class)
            continue; // on and on
        path = (mc_jfr_path){.parent = number, .field = field, .class = c->hops[i].class};
        number = mc_strings_intern(&self->paths, (const char *)&path, sizeof path);
        if (number == MC_NONE) return MC_NONE;
    }
    return number;
}

bool mc_jfr_old_objects_add(mc_jfr_old_objects *self, mc_jfr_names *names, mc_jfr_chunk *chunk,
                            int64_t time_ns, mc_jfr_old_object item, mc_jfr_value object,
                            mc_jfr_value root) {
    walk w = {self, names, chunk};
    chain c;
    if (self->count > 0 && time_ns < self->time_ns) return true;
    if (time_ns > self->time_ns) self->count = 0;
    self->time_ns = time_ns;
    if (!find_chain(&w, object, root, &c)) return false;
    item.root = c.root;
    item.path = c.root == MC_NONE ? MC_NONE : add_path(self, &c);
    if ((c.root != MC_NONE && item.path == MC_NONE) ||
        !mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof item))
        return false;
    self->items[self->count++] = item;
    return true;
}

mc_jfr_path mc_jfr_old_objects_get_path(const mc_jfr_old_objects *self, uint32_t path) {
    mc_jfr_path found;
    memcpy(&found, mc_strings_get(&self->paths, path, NULL), sizeof found);
    return found;
}

size_t mc_jfr_old_objects_find_root(const mc_jfr_old_objects *self, const mc_jfr_names *names,
                                    uint32_t *root, mc_error *error) {
    uint32_t *counts = mc_alloc_zero((size_t)names->texts.count + 1, sizeof *counts);
    size_t most = 0;
    *root = MC_NONE;
    if (!counts) {
        mc_error_out_of_memory(error);
        return 0;
    }
    for (size_t i = 0; i < self->count; i++) {
        uint32_t text = self->items[i].root;
        if (text == MC_NONE || ++counts[text] <= most) continue;
        most = counts[text];
        *root = text;
    }
    mc_free(counts);
    return most;
}
