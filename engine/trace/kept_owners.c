#include "engine/trace/kept_owners.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define SHARE 4096 // of what all retain
#define MOST 2000

// A path as it is told apart. Interned as bytes, so without padding.
typedef struct path_key {
    uint32_t parent; // path; MC_NONE: none
    uint32_t root;
    uint32_t field; // text; MC_NONE: none
    uint32_t class; // text
} path_key;
_Static_assert(sizeof(path_key) == 16, "no padding");

typedef struct chooser {
    mc_kept_owners *kept;
    mc_step_owners *owners;
    mc_owner_sum *sums; // by owner
    uint32_t *paths;    // by owner: known path, or MC_NONE
    bool *is_kept;      // by owner
    uint32_t *numbers;  // by owner: where it, or what stands for it, is in the end
} chooser;

void mc_kept_owners_deinit(mc_kept_owners *kept) {
    mc_strings_deinit(&kept->texts);
    mc_strings_deinit(&kept->paths);
}

static bool is_rest(const mc_step_owners *owners, const mc_owner *owner) {
    return owner->parent == MC_NONE && owner->field == MC_NONE &&
           strcmp(mc_strings_get(&owners->names, owner->class, NULL), MC_OWNERS_REST_CLASS) == 0;
}

// ---- paths

// MC_NONE if it is not known, or, of one that is to be added, if memory is out.
static uint32_t find_text(const chooser *self, uint32_t name, bool is_new) {
    size_t size;
    const char *text = mc_strings_get(&self->owners->names, name, &size);
    return is_new ? mc_strings_intern(&self->kept->texts, text, size)
                  : mc_strings_find(&self->kept->texts, text, size);
}

static uint32_t find_path(const chooser *self, const mc_owner *owner, bool is_new) {
    path_key key = {.parent = owner->parent == MC_NONE ? MC_NONE : self->paths[owner->parent],
                    .root = owner->root,
                    .field = MC_NONE,
                    .class = find_text(self, owner->class, is_new)};
    if (owner->field != MC_NONE) {
        key.field = find_text(self, owner->field, is_new);
        if (key.field == MC_NONE) return MC_NONE;
    }
    if (key.class == MC_NONE || (owner->parent != MC_NONE && key.parent == MC_NONE)) return MC_NONE;
    return is_new ? mc_strings_intern(&self->kept->paths, (const char *)&key, sizeof key)
                  : mc_strings_find(&self->kept->paths, (const char *)&key, sizeof key);
}

// ---- choosing

typedef struct candidate {
    uint64_t bytes;
    uint32_t owner;
} candidate;

// What is kept retains no more than its parent, which has a lower number.
static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->owner < y->owner ? -1 : x->owner > y->owner;
}

static bool choose(chooser *self) {
    const mc_step_owners *owners = self->owners;
    candidate *list = mc_alloc(owners->owner_count + 1, sizeof *list);
    uint64_t bytes = 0;
    size_t count = 0;
    if (!list) return false;
    for (size_t i = 0; i < owners->owner_count; i++)
        if (owners->owners[i].parent == MC_NONE) bytes += self->sums[i].retained_bytes;
    for (uint32_t i = 0; i < owners->owner_count; i++) {
        const mc_owner *owner = &owners->owners[i];
        self->paths[i] = find_path(self, owner, false);
        self->is_kept[i] = is_rest(owners, owner);
        bool is_large = self->sums[i].retained_bytes > bytes / SHARE;
        if (!self->is_kept[i] && (is_large || self->paths[i] != MC_NONE))
            list[count++] = (candidate){self->sums[i].retained_bytes, i};
    }
    if (count > MOST) qsort(list, count, sizeof *list, compare_candidates);
    for (size_t i = 0; i < count && i < MOST; i++)
        self->is_kept[list[i].owner] = true;
    mc_free(list);
    return true;
}

// These may have ways themselves.
static void keep_sources(const chooser *self) {
    const mc_step_owners *owners = self->owners;
    for (bool has_news = true; has_news;) {
        has_news = false;
        for (size_t i = 0; i < owners->way_count; i++) {
            uint32_t at = owners->ways[i].from;
            if (!self->is_kept[owners->ways[i].owner] || self->is_kept[at]) continue;
            for (; at != MC_NONE && !self->is_kept[at]; at = owners->owners[at].parent)
                self->is_kept[at] = has_news = true;
        }
    }
}

static bool remember(const chooser *self) {
    for (size_t i = 0; i < self->owners->owner_count; i++) {
        if (!self->is_kept[i]) continue;
        self->paths[i] = find_path(self, &self->owners->owners[i], true);
        if (self->paths[i] == MC_NONE) return false;
    }
    return true;
}

// ---- leaving out

// Finds, or adds behind all, the rest of a kind of root. MC_NONE: out of memory.
static uint32_t put_rest(mc_step_owners *owners, uint32_t root) {
    for (uint32_t i = 0; i < owners->owner_count; i++)
        if (owners->owners[i].root == root && is_rest(owners, &owners->owners[i])) return i;
    mc_owner rest = {.parent = MC_NONE, .root = root, .field = MC_NONE, .place = MC_NONE};
    mc_owner_sum sum = {.owner = (uint32_t)owners->owner_count, .example = MC_NONE};
    rest.class =
        mc_strings_intern(&owners->names, MC_OWNERS_REST_CLASS, sizeof MC_OWNERS_REST_CLASS - 1);
    if (rest.class == MC_NONE || !mc_step_owners_add(owners, rest) ||
        !mc_step_owners_add_sum(owners, sum))
        return MC_NONE;
    return sum.owner;
}

static void add_to_rest(mc_owner_sum *rest, const mc_owner_sum *sum) {
    rest->objects += sum->objects;
    rest->retained_objects += sum->retained_objects;
    rest->retained_bytes += sum->retained_bytes;
    rest->program_objects += sum->program_objects;
}

// Of sums in the order of the owners.
static bool leave_out(const chooser *self, size_t count) {
    mc_step_owners *owners = self->owners;
    memcpy(owners->sums, self->sums, count * sizeof *owners->sums);
    for (uint32_t i = 0; i < count; i++) {
        const mc_owner owner = owners->owners[i];
        self->numbers[i] = i;
        if (self->is_kept[i]) continue;
        if (owner.parent != MC_NONE) {
            self->numbers[i] = self->numbers[owner.parent];
            continue;
        }
        self->numbers[i] = put_rest(owners, owner.root);
        if (self->numbers[i] == MC_NONE) return false;
        add_to_rest(&owners->sums[self->numbers[i]], &self->sums[i]);
    }
    return true;
}

static bool move_up(const chooser *self, size_t count) {
    mc_step_owners *owners = self->owners;
    const size_t all = owners->owner_count;
    uint32_t *moved = mc_alloc(all + 1, sizeof *moved), kept = 0;
    if (!moved) return false;
    for (size_t i = 0; i < all; i++) { // those that were added are rests
        if (i < count && !self->is_kept[i]) continue;
        mc_owner owner = owners->owners[i];
        if (owner.parent != MC_NONE) owner.parent = moved[owner.parent];
        moved[i] = kept;
        owners->owners[kept] = owner;
        owners->sums[kept] = owners->sums[i];
        owners->sums[kept].owner = kept;
        kept++;
    }
    owners->owner_count = owners->sum_count = kept;
    size_t ways = 0;
    for (size_t i = 0; i < owners->way_count; i++) {
        mc_owner_way way = owners->ways[i];
        if (!self->is_kept[way.owner]) continue;
        way.owner = moved[self->numbers[way.owner]];
        way.from = moved[self->numbers[way.from]];
        owners->ways[ways++] = way;
    }
    owners->way_count = ways;
    mc_free(moved);
    return true;
}

bool mc_kept_owners_choose(mc_kept_owners *kept, mc_step_owners *owners) {
    const size_t count = owners->owner_count;
    chooser self = {.kept = kept,
                    .owners = owners,
                    .sums = mc_alloc_zero(count + 1, sizeof *self.sums),
                    .paths = mc_alloc(count + 1, sizeof *self.paths),
                    .is_kept = mc_alloc_zero(count + 1, sizeof *self.is_kept),
                    .numbers = mc_alloc(count + 1, sizeof *self.numbers)};
    bool is_done = self.sums && self.paths && self.is_kept && self.numbers;
    for (size_t i = 0; is_done && i < owners->sum_count; i++)
        self.sums[owners->sums[i].owner] = owners->sums[i];
    is_done = is_done && choose(&self);
    if (is_done) keep_sources(&self);
    is_done = is_done && remember(&self) && leave_out(&self, count) && move_up(&self, count);
    mc_free(self.sums);
    mc_free(self.paths);
    mc_free(self.is_kept);
    mc_free(self.numbers);
    return is_done;
}
