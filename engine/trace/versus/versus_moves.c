// What was moved or renamed: districts that hold the same under another name.
//
// From the leaves up: two leaves of one key are one thing in common of what is around each, and
// what two districts of one key have in common, theirs have as well. Of all pairs those with the
// most in common are taken first, and with them all in them that has one key. What is left may be a
// part of something that was taken already, if most of it is in that and nowhere else; and what has
// nothing left of its own goes where most of it went.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include "engine/trace/versus/versus_store.h"
#include <stdlib.h>
#include <string.h>

#define PAIRS_OF_KEY 4096u // a key in more pairs of places says little of each
#define PAIRS_MOST ((uint32_t)1 << 23)
#define ASK_COUNT 16384u

typedef struct candidate {
    uint32_t gone, come;
    uint32_t score;               // leaves in common
    uint32_t alike;               // bytes that the names begin and end with alike
    uint32_t of_before, of_after; // the same, so that both ways round the same pairs come first
} candidate;

typedef struct finder {
    const mc_versus_join *join;
    const mc_seen_node *nodes;
    uint32_t count, first_count; // joined nodes, and the first that only the second side has
    uint8_t *is_come;            // per node of the first side: the second lacks it
    uint32_t *leaves;            // per node: in it, itself if it is one
    uint32_t *bearers;           // per string: the nodes of either side alone whose key it is …
    uint32_t *next_bearer;       // … and per node the next one
    uint32_t *first_child, *next_child;
    candidate *pairs;
    size_t capacity;
    uint32_t pair_count;
    mc_slots slots;     // of pairs
    uint32_t *moved_to; // per node that only the second side has
    uint8_t *is_merged; // likewise: it is but a part of that
    uint8_t *is_taken;  // per node of the first side
    uint32_t *votes;    // likewise, all 0: scratch
} finder;

static void finder_deinit(finder *self) {
    mc_free(self->is_come);
    mc_free(self->leaves);
    mc_free(self->bearers);
    mc_free(self->next_bearer);
    mc_free(self->first_child);
    mc_free(self->next_child);
    mc_free(self->pairs);
    mc_slots_deinit(&self->slots);
    mc_free(self->is_taken);
    mc_free(self->votes);
}

static uint32_t *allocate_filled(size_t count) { // with MC_NONE
    uint32_t *numbers = mc_alloc(count + 1, sizeof *numbers);
    if (numbers) memset(numbers, 0xff, (count + 1) * sizeof *numbers);
    return numbers;
}

static bool is_gone(const finder *self, uint32_t node) {
    return node >= self->first_count;
}
static bool is_alone(const finder *self, uint32_t node) {
    return is_gone(self, node) || self->is_come[node];
}
static bool is_leaf(const finder *self, uint32_t node) {
    return self->first_child[node] == MC_NONE;
}

static mc_result finder_init(finder *self, mc_error *error) {
    const mc_versus_join *join = self->join;
    uint32_t count = self->count;
    self->is_come = mc_alloc(self->first_count, 1);
    self->is_taken = mc_alloc_zero(self->first_count, 1);
    self->leaves = mc_alloc_zero(count, sizeof *self->leaves);
    self->bearers = allocate_filled(join->builder->strings.count);
    self->next_bearer = allocate_filled(count);
    self->first_child = allocate_filled(count);
    self->next_child = allocate_filled(count);
    self->moved_to = allocate_filled(count - self->first_count);
    self->is_merged = mc_alloc_zero(count - self->first_count, 1);
    self->votes = mc_alloc_zero(self->first_count, sizeof *self->votes);
    if (!self->is_merged || !self->votes || !self->is_come || !self->is_taken || !self->leaves ||
        !self->bearers || !self->next_bearer || !self->first_child || !self->next_child ||
        !self->moved_to)
        return mc_error_out_of_memory(error);
    memset(self->is_come, 1, self->first_count);
    uint32_t second_count = join->desc->sides[join->second]->nodes.count;
    const uint32_t *joined = join->node[join->second];
    for (uint32_t node = 0; node < second_count; node++)
        if (!is_gone(self, joined[node])) self->is_come[joined[node]] = 0;
    // Children come behind their parents; going backwards, lists are in ascending order.
    for (uint32_t node = count; node-- > 0;) {
        uint32_t parent = self->nodes[node].parent, key = self->nodes[node].key;
        if (is_leaf(self, node)) self->leaves[node] = 1;
        if (node > 0) {
            self->leaves[parent] += self->leaves[node];
            self->next_child[node] = self->first_child[parent];
            self->first_child[parent] = node;
        }
        if (!is_alone(self, node)) continue;
        self->next_bearer[node] = self->bearers[key];
        self->bearers[key] = node;
    }
    return MC_OK;
}

// ---- pairs

static uint32_t hash_pair(uint32_t gone, uint32_t come) {
    return (uint32_t)mc_hash_u64((uint64_t)gone << 32 | come, 7);
}

static candidate *find_pair(const finder *self, uint32_t gone, uint32_t come) {
    uint32_t hash = hash_pair(gone, come);
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (self->pairs[found].gone == gone && self->pairs[found].come == come)
            return &self->pairs[found];
    return NULL;
}

static bool add_score(finder *self, uint32_t gone, uint32_t come, uint32_t score) {
    candidate *pair = find_pair(self, gone, come);
    if (pair) pair->score += score;
    if (pair || self->pair_count == PAIRS_MOST) return true;
    if (!mc_reserve(&self->pairs, &self->capacity, (size_t)self->pair_count + 1,
                    sizeof *self->pairs) ||
        !mc_slots_add(&self->slots, hash_pair(gone, come), self->pair_count))
        return false;
    self->pairs[self->pair_count++] = (candidate){gone, come, score, 0, 0, 0};
    return true;
}

static uint32_t get_score(const finder *self, uint32_t gone, uint32_t come) {
    if (is_leaf(self, gone) || is_leaf(self, come))
        return is_leaf(self, gone) && is_leaf(self, come);
    const candidate *pair = find_pair(self, gone, come);
    return pair ? pair->score : 0;
}

// What bears the key of `gone` on the other side; 0: too many pairs of them to tell.
static uint32_t count_pairs_of_key(const finder *self, uint32_t gone) {
    uint32_t gone_count = 0, come_count = 0;
    for (uint32_t at = self->bearers[self->nodes[gone].key]; at != MC_NONE;
         at = self->next_bearer[at]) {
        *(is_gone(self, at) ? &gone_count : &come_count) += 1;
        if ((uint64_t)gone_count * come_count > PAIRS_OF_KEY) return 0;
        if (gone_count > PAIRS_OF_KEY) return 0;
    }
    return gone_count * come_count;
}

// What a node has in common with those of its key is known when all in it has been looked at.
static mc_result find_pairs(finder *self, mc_error *error) {
    for (uint32_t gone = self->count; gone-- > self->first_count;) {
        uint32_t around = self->nodes[gone].parent;
        if (gone % ASK_COUNT == 0 && !mc_progress_report(self->join->progress, 0, 0))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        if (!is_gone(self, around) || count_pairs_of_key(self, gone) == 0) continue;
        for (uint32_t come = self->bearers[self->nodes[gone].key];
             come != MC_NONE && !is_gone(self, come); come = self->next_bearer[come]) {
            uint32_t other = self->nodes[come].parent, score = get_score(self, gone, come);
            if (come == 0 || !self->is_come[other] || score == 0) continue;
            if (!add_score(self, around, other, score)) return mc_error_out_of_memory(error);
        }
    }
    return MC_OK;
}

// ---- the best of them

static uint32_t count_alike(const finder *self, uint32_t gone, uint32_t come) {
    size_t a_size, b_size, begin = 0, end = 0;
    const mc_strings *strings = &self->join->builder->strings;
    const char *a = mc_strings_get(strings, self->nodes[gone].key, &a_size);
    const char *b = mc_strings_get(strings, self->nodes[come].key, &b_size);
    size_t least = a_size < b_size ? a_size : b_size;
    while (begin < least && a[begin] == b[begin])
        begin++;
    while (begin + end < least && a[a_size - 1 - end] == b[b_size - 1 - end])
        end++;
    return (uint32_t)(begin + end);
}

static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->alike != y->alike) return x->alike > y->alike ? -1 : 1;
    if (x->of_before != y->of_before) return x->of_before < y->of_before ? -1 : 1;
    return x->of_after < y->of_after ? -1 : x->of_after > y->of_after;
}

static bool is_free(const finder *self, uint32_t gone, uint32_t come) {
    return self->moved_to[gone - self->first_count] == MC_NONE && !self->is_taken[come];
}

static void take(finder *self, uint32_t gone, uint32_t come) {
    self->moved_to[gone - self->first_count] = come;
    self->is_taken[come] = 1;
}

static uint32_t find_child(const finder *self, uint32_t around, uint32_t key) {
    for (uint32_t at = self->bearers[key];
         at != MC_NONE && (is_gone(self, around) || !is_gone(self, at)); at = self->next_bearer[at])
        if (self->nodes[at].parent == around) return at;
    return MC_NONE;
}

// With all in them that has one key: what comes behind a node in the walk is in it or beside it.
static void take_all(finder *self, uint32_t gone, uint32_t come) {
    uint32_t at = gone;
    take(self, gone, come);
    for (;;) {
        uint32_t inside =
            self->moved_to[at - self->first_count] != MC_NONE ? self->first_child[at] : MC_NONE;
        if (inside == MC_NONE) {
            while (at != gone && self->next_child[at] == MC_NONE)
                at = self->nodes[at].parent;
            if (at == gone) return;
            inside = self->next_child[at];
        }
        at = inside;
        uint32_t around = self->moved_to[self->nodes[at].parent - self->first_count];
        uint32_t other = find_child(self, around, self->nodes[at].key);
        if (other != MC_NONE && is_free(self, at, other) &&
            is_leaf(self, at) == is_leaf(self, other))
            take(self, at, other);
    }
}

// Half of the smaller one has to be in the other; if they have but one leaf in common, nobody else
// may claim either, unless they hold the very same.
static bool is_convincing(const finder *self, const candidate *pair, const uint32_t *claims) {
    uint32_t gone = self->leaves[pair->gone], come = self->leaves[pair->come];
    uint32_t least = gone < come ? gone : come;
    if (pair->score == gone && pair->score == come) return true;
    if ((uint64_t)pair->score * 2 < least) return false;
    return pair->score > 1 || (claims[pair->gone] == 1 && claims[pair->come] == 1);
}

static mc_result take_best(finder *self, mc_error *error) {
    uint32_t *claims = mc_alloc_zero(self->count, sizeof *claims);
    if (!claims) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->pair_count; i++) {
        candidate *pair = &self->pairs[i];
        claims[pair->gone]++;
        claims[pair->come]++;
        pair->alike = count_alike(self, pair->gone, pair->come);
        bool is_gone_before = self->join->second == MC_BEFORE;
        pair->of_before = is_gone_before ? pair->gone : pair->come;
        pair->of_after = is_gone_before ? pair->come : pair->gone;
    }
    if (self->pair_count > 0)
        qsort(self->pairs, self->pair_count, sizeof *self->pairs, compare_candidates);
    for (uint32_t i = 0; i < self->pair_count; i++) {
        const candidate *pair = &self->pairs[i];
        if (is_free(self, pair->gone, pair->come) && is_convincing(self, pair, claims))
            take_all(self, pair->gone, pair->come);
    }
    mc_free(claims);
    return MC_OK;
}

// A leaf that is in one trace here and in the other there, and nothing else is called so.
static mc_result take_single_leaves(finder *self, mc_error *error) {
    uint32_t *bearer_count =
        mc_alloc_zero(self->join->builder->strings.count, sizeof *bearer_count);
    if (!bearer_count) return mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < self->count; node++)
        bearer_count[self->nodes[node].key]++;
    for (uint32_t gone = self->first_count; gone < self->count; gone++) {
        uint32_t key = self->nodes[gone].key, come = self->bearers[key];
        if (bearer_count[key] != 2 || is_gone(self, come) || !is_leaf(self, gone)) continue;
        if (is_leaf(self, come) && is_free(self, gone, come)) take(self, gone, come);
    }
    mc_free(bearer_count);
    return MC_OK;
}

// ---- what became a part of something

static uint32_t get_moved_to(const finder *self, uint32_t gone) {
    return self->moved_to[gone - self->first_count];
}

static bool is_taken(const finder *self, uint32_t node) {
    return is_gone(self, node) ? get_moved_to(self, node) != MC_NONE : self->is_taken[node];
}

// Whether most of a district, and more than one leaf, has its name in the other one and nobody else
// there claims it.
static bool is_part(const finder *self, uint32_t part, uint32_t whole) {
    uint32_t count = 0;
    for (uint32_t at = self->first_child[part]; at != MC_NONE; at = self->next_child[at]) {
        if (!is_leaf(self, at) || count_pairs_of_key(self, at) == 0) continue;
        uint32_t other = find_child(self, whole, self->nodes[at].key);
        count += other != MC_NONE && is_leaf(self, other) && !is_taken(self, at) &&
                 !is_taken(self, other);
    }
    return count > 1 && (uint64_t)count * 2 >= self->leaves[part];
}

// What is in a part alone, where the whole has other places.
static void take_pieces(finder *self, uint32_t gone, uint32_t come) {
    for (uint32_t at = self->first_child[gone]; at != MC_NONE; at = self->next_child[at]) {
        uint32_t other = find_child(self, come, self->nodes[at].key);
        if (other != MC_NONE && is_free(self, at, other) &&
            is_leaf(self, at) == is_leaf(self, other))
            take_all(self, at, other);
    }
}

// Of pairs in their order: the first one of each district of `before` that is left.
static mc_result take_parts(finder *self, mc_error *error) {
    uint8_t *is_tried = mc_alloc_zero(self->count, 1);
    if (!is_tried) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->pair_count; i++) {
        uint32_t part = self->pairs[i].of_before, whole = self->pairs[i].of_after;
        if (is_taken(self, part) || is_tried[part]) continue;
        is_tried[part] = 1;
        if (is_leaf(self, part) || !is_taken(self, whole) || !is_part(self, part, whole)) continue;
        if (is_gone(self, part)) {
            take_all(self, part, whole);
            self->is_merged[part - self->first_count] = 1;
        } else {
            take_pieces(self, whole, part);
        }
    }
    mc_free(is_tried);
    return MC_OK;
}

// What a child of a district went into.
static uint32_t get_heir(const finder *self, uint32_t child) {
    uint32_t to = get_moved_to(self, child);
    return self->is_merged[child - self->first_count] ? to : self->nodes[to].parent;
}

// Where the largest part of a district went whose children all went somewhere; MC_NONE: some
// stayed.
static uint32_t find_heir(finder *self, uint32_t gone) {
    uint32_t best = MC_NONE;
    for (uint32_t at = self->first_child[gone]; at != MC_NONE; at = self->next_child[at])
        if (get_moved_to(self, at) == MC_NONE) return MC_NONE;
    for (uint32_t at = self->first_child[gone]; at != MC_NONE; at = self->next_child[at]) {
        uint32_t heir = get_heir(self, at), votes = self->votes[heir] += self->leaves[at];
        bool is_better = best == MC_NONE || votes > self->votes[best] ||
                         (votes == self->votes[best] && heir < best);
        if (is_better) best = heir;
    }
    for (uint32_t at = self->first_child[gone]; at != MC_NONE; at = self->next_child[at])
        self->votes[get_heir(self, at)] = 0;
    return best;
}

// Children come behind their parents.
static void take_emptied(finder *self) {
    for (uint32_t gone = self->count; gone-- > self->first_count;) {
        if (is_leaf(self, gone) || get_moved_to(self, gone) != MC_NONE) continue;
        uint32_t heir = find_heir(self, gone);
        if (heir == MC_NONE) continue;
        self->moved_to[gone - self->first_count] = heir;
        self->is_merged[gone - self->first_count] = 1;
    }
}

mc_result mc_versus_find_moves(mc_versus_join *join, mc_error *error) {
    finder self = {.join = join,
                   .nodes = join->builder->nodes,
                   .count = (uint32_t)join->builder->node_count,
                   .first_count = join->first_count};
    if (self.count == self.first_count) return MC_OK;
    mc_result result = finder_init(&self, error);
    if (result == MC_OK) result = find_pairs(&self, error);
    if (result == MC_OK) result = take_best(&self, error);
    if (result == MC_OK) result = take_parts(&self, error);
    if (result == MC_OK) result = take_single_leaves(&self, error);
    if (result == MC_OK) take_emptied(&self);
    finder_deinit(&self);
    if (result == MC_OK) {
        join->moved_to = self.moved_to;
        join->is_merged = self.is_merged;
        return MC_OK;
    }
    mc_free(self.moved_to);
    mc_free(self.is_merged);
    return result;
}
