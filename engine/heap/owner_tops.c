#include "engine/heap/owner_tops.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/heap/owner_edges.h"
#include <stdatomic.h>
#include <stdlib.h>

// Of the references to an object at the top from what is not below it: those from what lasts or, if
// there are none, and the object is passing, those from below other passing ones, which may turn
// out to last.
typedef struct referrers {
    _Atomic uint64_t first; // the lowest number << 32 | link; UINT64_MAX: there are none
    _Atomic uint32_t last;  // the highest number
} referrers;

// So those from what lasts win: of the lowest number it is set in others, of the highest in them.
#define OTHERS (UINT64_C(1) << 63)
#define LASTING 0x80000000u

typedef struct attacher {
    mc_owner_facts *facts;
    const mc_dominator_tree *tree;
    uint64_t *tops;       // a bit a number
    uint64_t *wanting;    // likewise: those that may be attached
    uint32_t *ranks;      // of each word of `tops`: the bits before
    uint64_t *passing;    // a bit a top
    referrers *referrers; // a top
    uint32_t top_count;
} attacher;

static bool get_bit(const uint64_t *bits, uint32_t i) {
    return bits[i >> 6] >> (i & 63) & 1;
}

static void set_bit(uint64_t *bits, uint32_t i) {
    bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

// Which top an object other than the root is below, or is.
static uint32_t find_top(const attacher *self, uint32_t number) {
    uint64_t up_to = self->tops[number >> 6] & UINT64_MAX >> (63 - (number & 63));
    return self->ranks[number >> 6] + mc_count_bits(up_to) - 1;
}

// ---- who is at the top

static bool init(attacher *self) {
    const mc_dominator_tree *tree = self->tree;
    const size_t words = ((size_t)tree->reachable >> 6) + 1;
    self->tops = mc_alloc_zero_scattered(words, sizeof *self->tops);
    self->wanting = mc_alloc_zero_scattered(words, sizeof *self->wanting);
    self->ranks = mc_alloc_scattered(words, sizeof *self->ranks);
    if (!self->tops || !self->wanting || !self->ranks) return false;
    for (uint32_t at = 1; at < tree->reachable; at = mc_dominator_tree_get_end(tree, at))
        set_bit(self->tops, at);
    for (size_t i = 0; i < words; i++) {
        self->ranks[i] = self->top_count;
        self->top_count += mc_count_bits(self->tops[i]);
    }
    self->passing =
        mc_alloc_zero_scattered(((size_t)self->top_count >> 6) + 1, sizeof *self->passing);
    self->referrers = mc_alloc_scattered((size_t)self->top_count + 1, sizeof *self->referrers);
    for (uint32_t i = 0; self->referrers && i < self->top_count; i++) {
        atomic_init(&self->referrers[i].first, UINT64_MAX);
        atomic_init(&self->referrers[i].last, 0);
    }
    return self->passing && self->referrers;
}

// Those that nothing lasting names. Roots and static fields are sorted by number, as tops are.
static void sort_tops(attacher *self) {
    const mc_owner_facts *facts = self->facts;
    size_t root = 0, mark = 0;
    uint32_t top = 0;
    for (uint32_t at = 1; at < self->tree->reachable;
         at = mc_dominator_tree_get_end(self->tree, at), top++) {
        while (root < facts->root_count && facts->roots[root].number < at)
            root++;
        while (mark < facts->statics.count && facts->statics.items[mark].number < at)
            mark++;
        bool has_root = root < facts->root_count && facts->roots[root].number == at;
        bool is_passing = has_root && mc_owner_root_is_passing(facts->roots[root].root.kind);
        if (mark < facts->statics.count && facts->statics.items[mark].number == at) continue;
        if (has_root && !is_passing) continue;
        set_bit(self->wanting, at);
        if (is_passing) set_bit(self->passing, top);
    }
}

// ---- who references them

typedef struct top_reference {
    uint32_t number, link; // where it comes from
    uint32_t top;          // first the number of the object there
} top_reference;

static void note(const attacher *self, const top_reference *found) {
    bool is_passing = get_bit(self->passing, find_top(self, found->number));
    if (is_passing && !get_bit(self->passing, found->top))
        return; // nothing that lasts says more of it
    referrers *of = &self->referrers[found->top];
    uint64_t first = ((uint64_t)found->number << 32 | found->link) | (is_passing ? OTHERS : 0);
    uint64_t least = atomic_load_explicit(&of->first, memory_order_relaxed);
    while (first < least &&
           !atomic_compare_exchange_weak_explicit(&of->first, &least, first, memory_order_relaxed,
                                                  memory_order_relaxed))
        continue;
    uint32_t last = found->number | (is_passing ? 0 : LASTING);
    uint32_t most = atomic_load_explicit(&of->last, memory_order_relaxed);
    while (last > most && !atomic_compare_exchange_weak_explicit(
                              &of->last, &most, last, memory_order_relaxed, memory_order_relaxed))
        continue;
}

// Whether it is a reference to an object at the top from what is not below it. Another one may be
// by what a dominator references what it dominates.
static bool follow_edge(const attacher *self, const mc_owner_edge *edge) {
    // A direct reference of a dominator is that of the immediate one.
    if (mc_dominator_tree_dominates(self->tree, edge->source, edge->target)) {
        if (mc_owner_facts_get_link(self->facts, edge->target) == MC_NONE)
            (void)mc_owner_facts_set_link(self->facts, edge->target, edge->link);
        return false;
    }
    return get_bit(self->wanting, edge->target) && edge->target != edge->source &&
           !mc_dominator_tree_dominates(self->tree, edge->target, edge->source);
}

static void follow_edges(void *user, uint32_t thread, const mc_owner_edge *edges, uint32_t count) {
    const attacher *self = user;
    top_reference found[MC_OWNER_EDGES_MAX];
    uint32_t found_count = 0;
    (void)thread;
    for (uint32_t i = 0; i < count; i++) {
        const mc_owner_edge *edge = &edges[i];
        if (!follow_edge(self, edge)) continue;
        __builtin_prefetch(&self->tops[edge->target >> 6]);
        __builtin_prefetch(&self->ranks[edge->target >> 6]);
        found[found_count++] = (top_reference){edge->source, edge->link, edge->target};
    }
    for (uint32_t i = 0; i < found_count; i++) {
        found[i].top = find_top(self, found[i].top);
        __builtin_prefetch(&self->referrers[found[i].top], 1);
    }
    for (uint32_t i = 0; i < found_count; i++)
        note(self, &found[i]);
}

// ---- where they are attached

// Until it is found, `anchor` is the first of the referrers.
typedef struct question {
    mc_owner_attachment *attachment;
    uint32_t last;
} question;

static int compare_questions(const void *a, const void *b) {
    const question *x = a, *y = b;
    if (x->attachment->anchor != y->attachment->anchor)
        return x->attachment->anchor < y->attachment->anchor ? -1 : 1;
    return x->attachment->number < y->attachment->number ? -1 : 1;
}

// The nearest common dominators of first and last referrers: of what begins before the first and
// ends behind the last one the last that begins. Of dominators that end together the walk knows the
// nearest.
static void find_anchors(const attacher *self, question *questions, size_t count) {
    const mc_dominator_tree *tree = self->tree;
    mc_dominator_walk walk = {.depth = 0};
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t first = questions[i].attachment->anchor;
        for (; at <= first; at++) {
            (void)mc_dominator_walk_get(&walk, at);
            mc_dominator_walk_put(&walk, mc_dominator_tree_get_end(tree, at), at);
        }
        uint32_t depth = walk.depth;
        while (depth > 0 && walk.ends[depth - 1] <= questions[i].last)
            depth--;
        questions[i].attachment->anchor = depth > 0 ? walk.values[depth - 1] : 0;
    }
}

// Passing tops that others reference, top by top, until it is known that these last.
typedef struct waiting_tops {
    uint32_t *items; // ranks
    size_t count, capacity;
} waiting_tops;

// What a passing top is referenced by lasts if its own top does.
static uint32_t find_waited_for(const attacher *self, uint32_t top) {
    uint64_t first = atomic_load(&self->referrers[top].first);
    uint32_t last = atomic_load(&self->referrers[top].last);
    uint32_t rank = find_top(self, (uint32_t)((first & ~OTHERS) >> 32));
    return rank == find_top(self, last) ? rank : MC_NONE;
}

// An ArrayList that a field and a variable of a running method name is one that lasts, and so is
// its array, which another variable names: the OTHERS of the array's first referrer goes.
static bool settle(attacher *self) {
    waiting_tops waiting = {.items = NULL};
    bool is_done = true;
    for (uint32_t top = 0; is_done && top < self->top_count; top++) {
        uint64_t first = atomic_load(&self->referrers[top].first);
        if (first == UINT64_MAX || !(first & OTHERS)) continue;
        is_done =
            mc_reserve(&waiting.items, &waiting.capacity, waiting.count + 1, sizeof *waiting.items);
        if (is_done) waiting.items[waiting.count++] = top;
    }
    for (bool goes_on = is_done; goes_on;) {
        size_t left = 0;
        goes_on = false;
        for (size_t i = 0; i < waiting.count; i++) {
            uint32_t top = waiting.items[i], other = find_waited_for(self, top);
            if (other == MC_NONE) continue; // nobody knows which of them last
            if (atomic_load(&self->referrers[other].first) & OTHERS) {
                waiting.items[left++] = top;
                continue;
            }
            atomic_fetch_and(&self->referrers[top].first, ~OTHERS);
            goes_on = true;
        }
        waiting.count = left;
    }
    mc_free(waiting.items);
    return is_done;
}

// Those that all that lasts references from below one top.
static bool list_attachments(attacher *self, question **questions, size_t *question_count) {
    mc_owner_facts *facts = self->facts;
    size_t capacity = 0, count = 0;
    uint32_t top = 0;
    for (uint32_t at = 1; at < self->tree->reachable;
         at = mc_dominator_tree_get_end(self->tree, at), top++) {
        uint64_t first = atomic_load(&self->referrers[top].first);
        uint32_t last = atomic_load(&self->referrers[top].last) & ~LASTING;
        if (first & OTHERS) continue; // of none, too
        bool is_one = find_top(self, (uint32_t)(first >> 32)) == find_top(self, last);
        if (!is_one && !get_bit(self->passing, top)) continue; // it has several owners anyway
        if (!mc_reserve(&facts->attachments, &capacity, count + 1, sizeof *facts->attachments))
            return false;
        facts->attachments[count++] = (mc_owner_attachment){
            .number = at,
            .anchor = is_one ? (uint32_t)(first >> 32) : 0,
            .link = is_one && first >> 32 == last ? (uint32_t)first : MC_NONE};
    }
    facts->attachment_count = count;
    *questions = mc_alloc_scattered(count + 1, sizeof **questions);
    for (size_t i = 0; *questions && i < count; i++) {
        mc_owner_attachment *attachment = &facts->attachments[i];
        uint32_t last =
            attachment->anchor == 0
                ? 0
                : atomic_load(&self->referrers[find_top(self, attachment->number)].last) & ~LASTING;
        if (last > attachment->anchor)
            (*questions)[(*question_count)++] = (question){attachment, last};
    }
    return *questions != NULL;
}

mc_result mc_owner_tops_attach(mc_owner_facts *facts, mc_error *error) {
    attacher self = {.facts = facts, .tree = &facts->heap->tree};
    question *questions = NULL;
    size_t count = 0;
    mc_owner_facts_clear_links(facts);
    bool is_done = init(&self);
    if (is_done && facts->heap->root_count > 0) sort_tops(&self);
    if (is_done) mc_owner_edges_scan(facts, facts->heap->graph.word_count, follow_edges, &self);
    is_done = is_done && settle(&self) && list_attachments(&self, &questions, &count);
    if (count > 1) qsort(questions, count, sizeof *questions, compare_questions);
    if (is_done) find_anchors(&self, questions, count);
    mc_free(questions);
    mc_free(self.tops);
    mc_free(self.wanting);
    mc_free(self.ranks);
    mc_free(self.passing);
    mc_free(self.referrers);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
