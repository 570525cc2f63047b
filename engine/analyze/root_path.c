#include "engine/analyze/root_path.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include "engine/base/radix.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

// Lengths of hops, and of the last one, from a root.
enum {
    HOP_SHORT = 2,   // by a class of the program, or a container
    HOP_INSIDE = 6,  // by another class of the library
    HOP_WEAK = 60,   // where nothing else holds
    ROOT_OTHER = 20, // JNI, monitors, system classes …
    ROOT_LIBRARY = 24,
    ROOT_THREAD = 3,
    ROOT_METHOD = 2,  // a local variable of the program's
    ROOT_STRANGE = 1, // a static field of another package than the program's class that it leads to
    ROOT_CLASS = 512, // of class objects: whatever it is, it is not why others are held
    LENGTH_MAX = 1024
};

#define LEAST_SHARE 0.5    // of the objects that are to be held, in references of a hop
#define COLLECTS_SHARE 0.5 // a referrer that holds more than two is one for all, for what is known
#define GROWING_SHARE 0.1  // of the referrers of a link that are new, if the referrers grow
#define LEAST_NEW_REFERRERS 3 // one or two begin to hold something in any program
#define LEAST_GROWTH 8        // of referrers that are many already; less may be chance

typedef struct place {
    uint16_t length;      // LENGTH_MAX: not reached
    bool is_pure;         // reached by the library's classes alone
    bool is_by_loader;    // a class object, as the one of a loader
    uint32_t below;       // the place before
    uint32_t field_index; // by which this one holds it
    double objects;       // to be held
} place;

// A leaf is two places: in one the objects that are to be held become more, in the other the same
// ones hold ever more.
static uint32_t get_place(uint32_t node, bool grows) {
    return 2 * node + grows;
}
static uint32_t get_node(uint32_t at) {
    return at / 2;
}
static bool does_grow(uint32_t at) {
    return at % 2 != 0;
}

typedef struct mc_root_path_finder finder;

typedef struct queued {
    uint32_t place, next;
} queued;

struct mc_root_path_finder {
    const mc_trace *trace;
    uint32_t step, first_step;
    const mc_root_path_desc *desc;      // of what is being looked for
    mc_field_rows fields, first_fields; // of the step, and of the first
    mc_root_rows roots, first_roots;
    mc_reference_rows references, first_references;
    uint32_t *by_to, *to_first; // fields by `to`: where a node's begin
    uint32_t *root_first;
    uint8_t *is_library;
    uint64_t *objects;
    place *places;
    queued *queue;
    size_t queue_count, queue_capacity;
    uint32_t heads[LENGTH_MAX];               // of the queue, by length; MC_NONE: none
    bool follows_weak, has_least, has_growth; // which rules hold
    bool has_all_referrers;                   // likewise: whoever holds all is to be held
    bool is_loader;                           // the start is one
    uint32_t best_place, best_root;           // the nearest root's
    uint32_t best_length;
    mc_root_path *trail;
    mc_error *error;
};

void mc_root_path_finder_destroy(finder *self) {
    if (!self) return;
    mc_field_rows_deinit(&self->fields);
    mc_root_rows_deinit(&self->roots);
    mc_reference_rows_deinit(&self->references);
    mc_field_rows_deinit(&self->first_fields);
    mc_root_rows_deinit(&self->first_roots);
    mc_reference_rows_deinit(&self->first_references);
    mc_free(self->by_to);
    mc_free(self->to_first);
    mc_free(self->root_first);
    mc_free(self->is_library);
    mc_free(self->objects);
    mc_free(self->places);
    mc_free(self->queue);
    mc_free(self);
}

// ---- what is read

static mc_result read_step(finder *self, uint32_t step, mc_field_rows *fields, mc_root_rows *roots,
                           mc_reference_rows *references) {
    mc_result result = mc_trace_read_fields(self->trace, step, fields, self->error);
    if (result == MC_OK) result = mc_trace_read_roots(self->trace, step, roots, self->error);
    return result == MC_OK ? mc_trace_read_references(self->trace, step, references, self->error)
                           : result;
}

static bool knows_growth(const finder *self) {
    return self->first_step != self->step &&
           mc_trace_get_step(self->trace, self->first_step)->has_referrers;
}

static mc_result load(finder *self) {
    uint32_t count = mc_trace_get_nodes(self->trace)->count, step = self->step;
    mc_result result = read_step(self, step, &self->fields, &self->roots, &self->references);
    if (result == MC_OK && knows_growth(self))
        result = read_step(self, self->first_step, &self->first_fields, &self->first_roots,
                           &self->first_references);
    if (result != MC_OK) return result;
    mc_row_numbers to = {self->fields.items, sizeof *self->fields.items,
                         offsetof(mc_field_count, to), self->fields.count};
    mc_row_numbers held = {self->roots.items, sizeof *self->roots.items,
                           offsetof(mc_root_count, node), self->roots.count};
    self->to_first = mc_find_firsts(to, count);
    self->by_to = self->to_first ? mc_find_order(to, self->to_first, count) : NULL;
    self->root_first = mc_find_firsts(held, count);
    self->is_library = mc_alloc(count, 1);
    self->objects = mc_alloc(count, sizeof *self->objects);
    self->places = mc_alloc((size_t)count * 2, sizeof *self->places);
    if (!self->by_to || !self->root_first || !self->is_library || !self->objects || !self->places)
        return mc_error_out_of_memory(self->error);
    mc_class_find_libraries(self->trace, self->is_library);
    return mc_trace_read_counts(self->trace, step, MC_METRIC_OBJECTS, self->objects, self->error);
}

// ---- names

typedef struct name {
    const char *text;
    size_t size;
} name;

static name get_name(const finder *self, uint32_t string) {
    name found = {.text = "", .size = 0};
    if (string != MC_NONE) found.text = mc_trace_get_string(self->trace, string, &found.size);
    return found;
}

static bool begins_with(name text, const char *start) {
    size_t length = strlen(start);
    return text.size >= length && memcmp(text.text, start, length) == 0;
}

static bool ends_with(name text, const char *end) {
    size_t length = strlen(end);
    return text.size >= length && memcmp(text.text + text.size - length, end, length) == 0;
}

#define STATIC "static "

static bool is_program_root(const finder *self, uint32_t root) {
    name text = get_name(self, self->roots.items[root].name);
    return mc_class_is_program_root((mc_root_kind)self->roots.items[root].kind, text.text,
                                    text.size);
}

// ---- what a loader has loaded

// "static a.b.C.field" of a class "C.<loader>".
static bool is_of_class(name root, name loader) {
    const size_t suffix = strlen("<loader>");
    size_t class_size = loader.size - suffix; // with the dot
    if (!begins_with(root, STATIC)) return false;
    const char *text = root.text + strlen(STATIC), *end = root.text + root.size;
    while (end > text && end[-1] != '.')
        end--; // behind the dot before the field
    return (size_t)(end - text) >= class_size &&
           memcmp(end - class_size, loader.text, class_size) == 0 &&
           (end - class_size == text || end[-(ptrdiff_t)class_size - 1] == '.');
}

// A static field of a class that the loader has loaded, whose referrer is looked for.
static bool is_loaders_own(const finder *self, uint32_t root) {
    if (!self->is_loader || self->roots.items[root].kind != MC_ROOT_STATIC) return false;
    uint32_t loader = self->trail->start;
    name text = get_name(self, self->roots.items[root].name);
    for (uint32_t k = self->to_first[loader]; k < self->to_first[loader + 1]; k++) {
        name field = get_name(self, self->fields.items[self->by_to[k]].name);
        if (ends_with(field, ".<loader>") && is_of_class(text, field)) return true;
    }
    return false;
}

// ---- the way up

static bool enqueue(finder *self, uint32_t at, uint32_t length) {
    if (!mc_reserve(&self->queue, &self->queue_capacity, self->queue_count + 1,
                    sizeof *self->queue))
        return false;
    self->queue[self->queue_count] = (queued){at, self->heads[length]};
    self->heads[length] = (uint32_t)self->queue_count++;
    return true;
}

// Class objects hold their loaders; what holds class objects does not matter but for those that a
// loader has loaded, by their objects. Static fields are roots. 0: no hop.
static uint32_t measure_hop(const finder *self, uint32_t at, uint32_t field) {
    uint32_t node = get_node(at), referrer = self->fields.items[field].from;
    name text = get_name(self, self->fields.items[field].name);
    bool is_class = mc_class_is_class(self->trace, node);
    if (self->fields.items[field].is_weak) return self->follows_weak ? HOP_WEAK : 0;
    if (is_class)
        return self->places[at].is_by_loader && ends_with(text, ".<class>") ? HOP_SHORT : 0;
    if (mc_class_is_class(self->trace, referrer))
        return ends_with(text, ".<loader>") ? HOP_SHORT : 0;
    bool is_short = !self->is_library[referrer] || mc_class_is_container(self->trace, referrer) ||
                    mc_class_is_thread(self->trace, referrer);
    return is_short ? HOP_SHORT : HOP_INSIDE;
}

// The first row of a pair; rows are sorted by it, and it comes first in them.
static uint32_t find_pair(const void *rows, size_t row_size, uint32_t count, uint32_t from,
                          uint32_t to) {
    uint32_t low = 0, high = count, pair[2];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        memcpy(pair, (const unsigned char *)rows + middle * row_size, sizeof pair);
        if (pair[0] < from || (pair[0] == from && pair[1] < to))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count) return MC_NONE;
    memcpy(pair, (const unsigned char *)rows + low * row_size, sizeof pair);
    return pair[0] == from && pair[1] == to ? low : MC_NONE;
}

// How many references went through a field at first.
static uint64_t count_first(const finder *self, uint32_t field) {
    const mc_field_rows *first = &self->first_fields;
    uint32_t from = self->fields.items[field].from, to = self->fields.items[field].to;
    uint32_t i = find_pair(first->items, sizeof *first->items, first->count, from, to);
    if (i == MC_NONE) return 0;
    for (; i < first->count && first->items[i].from == from && first->items[i].to == to; i++)
        if (first->items[i].name == self->fields.items[field].name &&
            first->items[i].is_weak == self->fields.items[field].is_weak)
            return first->items[i].count;
    return 0;
}

static uint64_t count_first_roots(const finder *self, uint32_t root) {
    const mc_root_rows *first = &self->first_roots;
    uint32_t node = self->roots.items[root].node, kind = self->roots.items[root].kind;
    uint32_t i = find_pair(first->items, sizeof *first->items, first->count, node, kind);
    if (i == MC_NONE) return 0;
    for (; i < first->count && first->items[i].node == node && first->items[i].kind == kind; i++)
        if (first->items[i].name == self->roots.items[root].name) return first->items[i].count;
    return 0;
}

static mc_link_growth get_pair(const finder *self, uint32_t from, uint32_t to) {
    const mc_reference_rows *r = &self->references, *first = &self->first_references;
    mc_link_growth pair = {0};
    uint32_t i = find_pair(r->items, sizeof *r->items, r->count, from, to);
    uint32_t k = find_pair(first->items, sizeof *first->items, first->count, from, to);
    if (i == MC_NONE) return pair;
    pair.held = pair.more_held = (double)r->items[i].points_to;
    pair.referrers = pair.more_referrers = (double)r->items[i].pointed_from;
    if (k == MC_NONE) return pair;
    pair.more_held -= (double)first->items[k].points_to;
    pair.more_referrers -= (double)first->items[k].pointed_from;
    return pair;
}

bool mc_link_do_referrers_grow(const mc_link_growth *growth) {
    double more = growth->more_referrers, least = GROWING_SHARE * growth->referrers;
    double new_share = growth->held > 0 ? growth->more_held / growth->held : 0;
    return more >= LEAST_NEW_REFERRERS &&
           (more > least || (more >= LEAST_GROWTH && more > least * new_share));
}

// What is to be held of the referrers: as many as came with what came, or, of those that do not
// grow, one if each holds several.
static double count_referrers(const finder *self, uint32_t below, const mc_link_growth *pair,
                              bool grows) {
    double objects = self->places[below].objects, share = 1;
    if (pair->held > 0) share = pair->referrers / pair->held;
    if (self->has_all_referrers && objects >= pair->held) return fmax(objects * share, 1);
    if (grows && pair->more_held > 0) share = pair->more_referrers / pair->more_held;
    if (does_grow(below) && !grows && self->has_growth) share = 0;
    if (!grows && share < COLLECTS_SHARE) return 1;
    double count = share < 1 ? objects * share : objects;
    return count < 1 ? 1 : count;
}

// Whether so many references can be those by which the objects of a place are held.
static bool can_hold(const finder *self, uint32_t at, uint64_t count, uint64_t first_count) {
    if (self->has_growth && does_grow(at)) return count > first_count;
    return !self->has_least || (double)count >= LEAST_SHARE * self->places[at].objects;
}

static bool can_field_hold(const finder *self, uint32_t at, uint32_t field) {
    uint64_t first = self->has_growth ? count_first(self, field) : 0;
    return can_hold(self, at, self->fields.items[field].count, first);
}

static bool go_up(finder *self, uint32_t at, uint32_t field) {
    uint32_t node = get_node(at), referrer = self->fields.items[field].from;
    uint32_t hop = measure_hop(self, at, field), length = self->places[at].length + hop;
    if (hop == 0 || length >= LENGTH_MAX || !can_field_hold(self, at, field)) return true;
    mc_link_growth pair = get_pair(self, referrer, node);
    bool grows = does_grow(at) && mc_link_do_referrers_grow(&pair);
    place *there = &self->places[get_place(referrer, grows)];
    if (length >= there->length) return true;
    *there = (place){.length = (uint16_t)length,
                     .is_pure = self->places[at].is_pure && self->is_library[referrer],
                     .is_by_loader = mc_class_is_class(self->trace, referrer),
                     .below = at,
                     .field_index = field,
                     .objects = count_referrers(self, at, &pair, grows)};
    return enqueue(self, get_place(referrer, grows), length);
}

// Whether a static field is of the package of the program's class that is the nearest on the way.
static bool is_of_package(const finder *self, uint32_t at, uint32_t root) {
    const uint32_t *parent = mc_trace_get_nodes(self->trace)->parent;
    name text = get_name(self, self->roots.items[root].name);
    while (at != MC_NONE && self->is_library[get_node(at)])
        at = self->places[at].below;
    if (at == MC_NONE || !begins_with(text, STATIC)) return true;
    for (uint32_t node = get_node(at); parent[node] != MC_NONE; node = parent[node]) {
        size_t size, begin = strlen(STATIC);
        const char *package = mc_trace_get_name(self->trace, node, &size);
        // Where packages are no criterion, the class's name has it.
        while (node == get_node(at) && size > 0 && package[size - 1] != '.')
            size--;
        if (node == get_node(at) && size > 0) size--;
        if (size > 0 && text.size > begin + size && memcmp(text.text + begin, package, size) == 0 &&
            text.text[begin + size] == '.')
            return true;
    }
    return false;
}

static uint32_t measure_root(const finder *self, uint32_t at, uint32_t root) {
    uint32_t node = get_node(at);
    if (mc_class_is_class(self->trace, node)) return ROOT_CLASS;
    bool is_program = is_program_root(self, root);
    switch (self->roots.items[root].kind) {
    case MC_ROOT_STATIC:
        if (!is_program) return ROOT_LIBRARY;
        return is_of_package(self, at, root) ? 0 : ROOT_STRANGE;
    case MC_ROOT_GLOBAL: return is_program ? 0 : ROOT_LIBRARY;
    case MC_ROOT_STACK: return is_program ? ROOT_METHOD : ROOT_LIBRARY;
    case MC_ROOT_THREAD: return ROOT_THREAD;
    default: return ROOT_OTHER;
    }
}

static uint64_t count_roots(const finder *self, uint32_t node, uint32_t kind) {
    uint64_t count = 0;
    for (uint32_t i = self->root_first[node]; i < self->root_first[node + 1]; i++)
        if (self->roots.items[i].kind == kind) count += self->roots.items[i].count;
    return count;
}

// Of roots of one thread or of the JVM there may be others of the same kind.
static bool is_enough(const finder *self, uint32_t at, uint32_t root) {
    uint32_t kind = self->roots.items[root].kind;
    bool is_one = kind == MC_ROOT_STATIC || kind == MC_ROOT_GLOBAL ||
                  (self->has_all_referrers && kind != MC_ROOT_THREAD);
    if (!is_one && self->has_growth) return !does_grow(at);
    if (!is_one) return can_hold(self, at, count_roots(self, get_node(at), kind), 0);
    uint64_t first = self->has_growth ? count_first_roots(self, root) : 0;
    return can_hold(self, at, self->roots.items[root].count, first);
}

static void look_at_roots(finder *self, uint32_t at) {
    uint32_t node = get_node(at);
    for (uint32_t i = self->root_first[node]; i < self->root_first[node + 1]; i++) {
        uint32_t length = self->places[at].length + measure_root(self, at, i);
        if (length >= self->best_length || is_loaders_own(self, i) || !is_enough(self, at, i))
            continue;
        self->best_length = length;
        self->best_place = at;
        self->best_root = i;
    }
}

static bool look_at(finder *self, uint32_t at) {
    uint32_t node = get_node(at);
    look_at_roots(self, at);
    for (uint32_t k = self->to_first[node]; k < self->to_first[node + 1]; k++)
        if (!go_up(self, at, self->by_to[k])) return false;
    return true;
}

// From the nearest place to the farthest, until a root is nearer than all that is left.
static bool search(finder *self, double objects) {
    uint32_t count = mc_trace_get_nodes(self->trace)->count;
    uint32_t start = get_place(self->desc->leaf, self->desc->grows);
    for (uint32_t at = 0; at < 2 * count; at++)
        self->places[at] = (place){.length = LENGTH_MAX};
    memset(self->heads, 0xff, sizeof self->heads);
    self->queue_count = 0;
    self->best_place = MC_NONE;
    self->best_length = LENGTH_MAX;
    self->places[start] =
        (place){.is_pure = true, .below = MC_NONE, .field_index = MC_NONE, .objects = objects};
    if (!enqueue(self, start, 0)) return false;
    for (uint32_t length = 0; length < self->best_length; length++) {
        while (self->heads[length] != MC_NONE) {
            queued next = self->queue[self->heads[length]];
            self->heads[length] = next.next;
            if (self->places[next.place].length != length) continue; // a shorter way was found
            if (!look_at(self, next.place)) return false;
        }
    }
    return true;
}

// ---- what was found

static mc_root_path_means find_means(const finder *self, const mc_root_path *trail) {
    for (uint32_t i = 0; i < trail->count; i++) {
        const mc_root_path_hop *hop = &trail->hops[i];
        name field = get_name(self, hop->field);
        size_t size;
        const char *class = mc_trace_get_name(self->trace, hop->node, &size);
        name referrer = {class, size};
        if (ends_with(field, "ThreadLocalMap$Entry.value")) return MC_ROOT_PATH_THREAD_LOCAL;
        if (ends_with(field, ".<loader>")) return MC_ROOT_PATH_LOADER;
        if (!ends_with(field, "Reference.referent")) continue;
        if (ends_with(referrer, "Finalizer")) return MC_ROOT_PATH_FINALIZER;
        return ends_with(referrer, "SoftReference") ? MC_ROOT_PATH_SOFT : MC_ROOT_PATH_WEAK;
    }
    return MC_ROOT_PATH_PLAIN;
}

static void fill_root(const finder *self, mc_root_path *trail) {
    uint32_t root = self->best_root, node = get_node(self->best_place);
    trail->root_kind = (mc_root_kind)self->roots.items[root].kind;
    trail->root_name = self->roots.items[root].name;
    trail->root_count = self->roots.items[root].count;
    trail->root_is_program = is_program_root(self, root);
    for (uint32_t i = self->root_first[node]; i < self->root_first[node + 1]; i++)
        trail->root_name_count += self->roots.items[i].kind == self->roots.items[root].kind;
}

// False if it has more hops than there is room for.
static bool fill_hops(const finder *self, mc_root_path *trail) {
    uint32_t count = 0;
    for (uint32_t at = self->best_place; self->places[at].below != MC_NONE;
         at = self->places[at].below)
        count++;
    if (count > MC_ROOT_PATH_MOST_HOPS) return false;
    trail->count = count;
    for (uint32_t at = self->best_place; count > 0; at = self->places[at].below) {
        uint32_t field = self->places[at].field_index;
        count--;
        trail->hops[count] = (mc_root_path_hop){.node = get_node(at),
                                                .field = self->fields.items[field].name,
                                                .count = self->fields.items[field].count,
                                                .is_program = !self->is_library[get_node(at)]};
    }
    return true;
}

typedef struct other {
    uint32_t string;
    uint64_t count;
} other;

// Sorted, the most first; the last one is of no interest if there is no room.
static void add_other(mc_root_path *trail, uint64_t *counts, other found) {
    uint32_t kept = trail->other_count < MC_ROOT_PATH_OTHER_COUNT ? trail->other_count
                                                                  : MC_ROOT_PATH_OTHER_COUNT;
    for (uint32_t i = 0; i < kept; i++)
        if (trail->others[i] == found.string) return;
    trail->other_count++;
    uint32_t at = kept;
    while (at > 0 && counts[at - 1] < found.count)
        at--;
    if (at >= MC_ROOT_PATH_OTHER_COUNT) return;
    for (uint32_t i = MC_ROOT_PATH_OTHER_COUNT - 1; i > at; i--) {
        trail->others[i] = trail->others[i - 1];
        counts[i] = counts[i - 1];
    }
    trail->others[at] = found.string;
    counts[at] = found.count;
}

// The program's fields and static fields that hold a place which the library's classes alone lead
// to.
static void add_others_of(const finder *self, mc_root_path *trail, uint64_t *counts, uint32_t at,
                          uint32_t used_field, uint32_t used_root) {
    uint32_t node = get_node(at);
    for (uint32_t k = self->to_first[node]; k < self->to_first[node + 1]; k++) {
        uint32_t i = self->by_to[k];
        bool is_used = used_field != MC_NONE &&
                       self->fields.items[i].name == self->fields.items[used_field].name;
        if (self->is_library[self->fields.items[i].from] || self->fields.items[i].is_weak ||
            is_used || mc_class_is_class(self->trace, node) || !can_field_hold(self, at, i))
            continue;
        add_other(trail, counts, (other){self->fields.items[i].name, self->fields.items[i].count});
    }
    for (uint32_t i = self->root_first[node]; i < self->root_first[node + 1]; i++) {
        if (i == used_root || self->roots.items[i].kind != MC_ROOT_STATIC ||
            !is_program_root(self, i) || is_loaders_own(self, i) || !is_enough(self, at, i))
            continue;
        add_other(trail, counts, (other){self->roots.items[i].name, self->roots.items[i].count});
    }
}

static void find_others(const finder *self, mc_root_path *trail) {
    uint64_t counts[MC_ROOT_PATH_OTHER_COUNT] = {0};
    uint32_t entry = self->best_place, used_field = MC_NONE, used_root = self->best_root;
    bool has_entry = self->places[entry].is_pure && trail->root_is_program;
    // Down to where the program's first field is.
    for (; !self->places[entry].is_pure; entry = self->places[entry].below) {
        used_field = self->places[entry].field_index;
        used_root = MC_NONE;
        has_entry = true;
    }
    uint32_t count = mc_trace_get_nodes(self->trace)->count, length = self->places[entry].length;
    for (uint32_t at = 0; has_entry && at < 2 * count; at++)
        if (self->places[at].is_pure && self->places[at].length <= length)
            add_others_of(self, trail, counts, at, used_field, used_root);
}

static bool is_loader(const finder *self, uint32_t leaf) {
    for (uint32_t k = self->to_first[leaf]; k < self->to_first[leaf + 1]; k++)
        if (ends_with(get_name(self, self->fields.items[self->by_to[k]].name), ".<loader>"))
            return true;
    return false;
}

static bool has_found(const finder *self) {
    return self->best_place != MC_NONE && self->best_length < ROOT_CLASS;
}

// Where all of a leaf is to be held, by a few that hold many each: fields of the program with as
// many references as those are tell more than one that has a single one.
static mc_result find_all_referrers(finder *self, uint64_t objects, bool *found) {
    *found = false;
    if (self->desc->objects > 0 || knows_growth(self)) return MC_OK;
    self->has_growth = self->follows_weak = false;
    self->has_least = self->has_all_referrers = true;
    bool is_done = search(self, (double)objects);
    self->has_all_referrers = false;
    if (!is_done) return mc_error_out_of_memory(self->error);
    *found = has_found(self) &&
             (!self->places[self->best_place].is_pure || is_program_root(self, self->best_root));
    return MC_OK;
}

static mc_result find(finder *self, mc_root_path *trail, uint64_t objects) {
    bool found;
    self->trail = trail;
    self->is_loader = is_loader(self, trail->start);
    mc_result result = find_all_referrers(self, objects, &found);
    if (result != MC_OK) return result;
    // First what grows with them and is enough, in the end what does not keep them.
    for (int attempt = knows_growth(self) ? 0 : 2; attempt < 5 && !found; attempt++) {
        self->has_growth = attempt < 2;
        self->has_least = attempt == 0 || attempt == 2;
        self->follows_weak = attempt == 4;
        if (!search(self, (double)objects)) return mc_error_out_of_memory(self->error);
        found = has_found(self);
    }
    if (self->best_place == MC_NONE || !fill_hops(self, trail)) return MC_OK;
    fill_root(self, trail);
    trail->means = find_means(self, trail);
    find_others(self, trail);
    trail->is_known = true;
    return MC_OK;
}

mc_result mc_root_path_finder_create(const mc_trace *trace, uint32_t step, uint32_t first_step,
                                     mc_root_path_finder **created, mc_error *error) {
    finder *self = *created = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->trace = trace;
    self->step = step;
    self->first_step = first_step;
    self->error = error;
    if (!mc_trace_get_step(trace, step)->has_referrers) return MC_OK;
    mc_result result = load(self);
    if (result == MC_OK) return MC_OK;
    mc_root_path_finder_destroy(self);
    *created = NULL;
    return result;
}

mc_result mc_root_path_finder_find(finder *self, const mc_root_path_desc *desc, mc_root_path *trail,
                                   mc_error *error) {
    *trail = (mc_root_path){.start = desc->leaf, .root_name = MC_NONE};
    if (!self->places) return MC_OK; // nothing is known of the step
    self->desc = desc;
    self->error = error;
    return find(self, trail, desc->objects > 0 ? desc->objects : self->objects[desc->leaf]);
}
