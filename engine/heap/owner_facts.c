#include "engine/heap/owner_facts.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

void mc_owner_facts_deinit(mc_owner_facts *facts) {
    mc_owner_words_deinit(&facts->words);
    mc_owner_facts_drop_kinds(facts);
    if (!facts->few) mc_free(facts->few_links);
    mc_free(facts->few);
    mc_free(facts->links);
    mc_free(facts->globals);
    mc_free(facts->statics.items);
    mc_free(facts->locals.items);
    mc_strings_deinit(&facts->root_names);
    mc_free(facts->roots);
    mc_free(facts->attachments);
    *facts = (mc_owner_facts){.heap = NULL};
}

void mc_owner_facts_drop_kinds(mc_owner_facts *facts) {
    if (!facts->few) mc_free(facts->few_kinds);
    mc_free(facts->kinds);
    facts->few_kinds = NULL;
    facts->kinds = NULL;
}

// ---- links

bool mc_owner_facts_widen_links(mc_owner_facts *facts) {
    const uint32_t count = facts->heap->tree.reachable;
    uint32_t *links = mc_alloc_scattered((size_t)facts->heap->tree.count + 1, sizeof *links);
    if (!links) return false;
    for (uint32_t i = 0; i < count; i++)
        links[i] = mc_owner_facts_get_link(facts, i);
    if (!facts->few) mc_free(facts->few_links);
    facts->few_links = NULL;
    facts->links = links;
    return true;
}

void mc_owner_facts_clear_links(mc_owner_facts *facts) {
    const size_t count = facts->heap->tree.reachable;
    if (facts->few_links)
        memset(facts->few_links, 0xff, count * sizeof *facts->few_links);
    else
        memset(facts->links, 0xff, count * sizeof *facts->links);
}

// ---- asking

static int compare_marks(const void *a, const void *b) {
    const mc_owner_mark *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

// All begin with their number.
static void *find(const void *items, size_t count, size_t size, uint32_t number) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t at;
        memcpy(&at, (const char *)items + middle * size, sizeof at);
        if (at == number) return (char *)items + middle * size;
        if (at < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

uint32_t mc_owner_marks_find(const mc_owner_marks *marks, uint32_t number) {
    const mc_owner_mark *mark = find(marks->items, marks->count, sizeof *mark, number);
    return mark ? mark->value : MC_NONE;
}

const mc_owner_root *mc_owner_facts_find_root(const mc_owner_facts *facts, uint32_t number) {
    return find(facts->roots, facts->root_count, sizeof *facts->roots, number);
}

mc_owner_attachment *mc_owner_facts_find_attachment(const mc_owner_facts *facts, uint32_t number) {
    return find(facts->attachments, facts->attachment_count, sizeof *facts->attachments, number);
}

bool mc_owner_facts_is_structure(const mc_owner_facts *facts, uint32_t number) {
    size_t low = 0, high = facts->global_count; // the first that is not before it
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (facts->globals[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < facts->global_count &&
           facts->globals[low] < mc_dominator_tree_get_end(&facts->heap->tree, number);
}

bool mc_owner_root_is_passing(mc_root_kind kind) {
    switch (kind) {
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL:
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD_BLOCK:
    case MC_ROOT_MONITOR:
    case MC_ROOT_JNI_MONITOR: return true;
    default: return false;
    }
}

static bool add_mark(mc_owner_marks *marks, uint32_t number, uint32_t value) {
    if (!mc_reserve(&marks->items, &marks->capacity, marks->count + 1, sizeof *marks->items))
        return false;
    marks->items[marks->count++] = (mc_owner_mark){number, value};
    return true;
}

static void sort_marks(mc_owner_marks *marks) {
    if (marks->count > 1) qsort(marks->items, marks->count, sizeof *marks->items, compare_marks);
}

// ---- kinds by number, and where classes are

typedef struct position_list {
    uint32_t *items;
    size_t count, capacity;
    bool is_out_of_memory;
} position_list;

typedef struct kind_lister {
    mc_owner_facts *facts;
    position_list *classes; // a worker
} kind_lister;

static void set_kind(mc_owner_facts *facts, uint32_t number, uint32_t kind) {
    if (facts->few_kinds)
        facts->few_kinds[number] = (uint16_t)kind;
    else
        facts->kinds[number] = kind;
}

static void list_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const kind_lister *self = user;
    const mc_graph *graph = &self->facts->heap->graph;
    const mc_heap_standing *standings = self->facts->words.standings;
    position_list *classes = &self->classes[thread];
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at)) {
        uint32_t kind = mc_graph_get_kind(graph, at), number = mc_graph_get_number(graph, at);
        set_kind(self->facts, number, kind);
        if (!standings[kind].is_class || number >= self->facts->heap->tree.reachable) continue;
        if (!mc_reserve(&classes->items, &classes->capacity, classes->count + 1,
                        sizeof *classes->items)) {
            classes->is_out_of_memory = true;
            return;
        }
        classes->items[classes->count++] = at;
    }
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// The positions of classes, in ascending order.
static bool list_kinds(mc_owner_facts *facts, position_list *classes) {
    const mc_heap *heap = facts->heap;
    kind_lister self = {.facts = facts};
    self.classes = mc_alloc_zero_scattered(heap->thread_count, sizeof *self.classes);
    if (!self.classes) return false;
    mc_graph_scan(&heap->graph, heap->thread_count, list_range, &self);
    bool is_done = true;
    for (uint32_t i = 0; i < heap->thread_count; i++) {
        const position_list *of = &self.classes[i];
        is_done = is_done && !of->is_out_of_memory &&
                  mc_reserve(&classes->items, &classes->capacity, classes->count + of->count + 1,
                             sizeof *classes->items);
        if (is_done && of->count > 0)
            memcpy(classes->items + classes->count, of->items, of->count * sizeof *of->items);
        if (is_done) classes->count += of->count;
        mc_free(of->items);
    }
    mc_free(self.classes);
    if (is_done && classes->count > 1)
        qsort(classes->items, classes->count, sizeof *classes->items, compare_numbers);
    return is_done;
}

// ---- classes whose static fields are roots

typedef struct class_entry {
    uint32_t position, number, kind;
    uint32_t loader; // number; MC_NONE: it has none
    bool is_global;
} class_entry;

typedef struct class_sorter {
    mc_owner_facts *facts;
    class_entry *items;
    size_t count;
    bool *is_alike; // by text: loaders of that class are several at the top
} class_sorter;

static bool is_top(const uint32_t *tops, size_t count, uint32_t number) {
    return find(tops, count, sizeof *tops, number) != NULL;
}

static void find_loader(const class_sorter *self, class_entry *class) {
    const mc_graph *graph = &self->facts->heap->graph;
    const uint32_t slot = self->facts->words.standings[class->kind].loader_slot;
    mc_graph_edges edges = mc_graph_begin_edges(graph, class->position);
    while (mc_graph_next_edge(&edges))
        if (edges.slot == slot) class->loader = mc_graph_get_number(graph, edges.target);
}

typedef struct loaded {
    uint32_t loader_class, class; // texts
    uint32_t loader;
} loaded;

static int compare_loaded(const void *a, const void *b) {
    const loaded *x = a, *y = b;
    if (x->loader_class != y->loader_class) return x->loader_class < y->loader_class ? -1 : 1;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    return x->loader < y->loader ? -1 : x->loader > y->loader;
}

// Loaders of one class at the top that have classes of the same names.
static bool find_alike(class_sorter *self, const uint32_t *tops, size_t top_count) {
    const mc_owner_facts *facts = self->facts;
    loaded *list = mc_alloc_scattered(self->count + 1, sizeof *list);
    size_t count = 0;
    self->is_alike = mc_alloc_zero_scattered((size_t)facts->words.texts.count + 1, 1);
    for (size_t i = 0; list && self->is_alike && i < self->count; i++) {
        const class_entry *class = &self->items[i];
        if (class->loader == MC_NONE || facts->words.standings[class->kind].is_lasting ||
            !is_top(tops, top_count, class->loader))
            continue;
        list[count++] =
            (loaded){facts->words.classes[mc_owner_facts_get_kind(facts, class->loader)],
                     facts->words.classes[class->kind], class->loader};
    }
    bool is_done = list && self->is_alike;
    if (count > 1) qsort(list, count, sizeof *list, compare_loaded);
    for (size_t i = 1; is_done && i < count; i++)
        if (list[i].loader_class == list[i - 1].loader_class && list[i].class == list[i - 1].class)
            self->is_alike[list[i].loader_class] = true;
    mc_free(list);
    return is_done;
}

static bool is_global(const class_sorter *self, const class_entry *class, const uint32_t *tops,
                      size_t top_count) {
    const mc_owner_facts *facts = self->facts;
    if (mc_heap_get_region(facts->heap, class->number) != MC_HEAP_STRONG) return false;
    if (is_top(tops, top_count, class->number) && facts->words.standings[class->kind].is_lasting)
        return true;
    if (class->loader == MC_NONE || class->loader >= facts->heap->tree.reachable) return false;
    bool has_place = is_top(tops, top_count, class->number) ||
                     mc_dominator_tree_dominates(&facts->heap->tree, class->loader, class->number);
    if (!has_place) return false;
    if (facts->words.standings[class->kind].is_lasting) return true;
    return is_top(tops, top_count, class->loader) &&
           !self->is_alike[facts->words.classes[mc_owner_facts_get_kind(facts, class->loader)]];
}

static bool add_globals(class_sorter *self) {
    mc_owner_facts *facts = self->facts;
    const mc_graph *graph = &facts->heap->graph;
    facts->globals = mc_alloc_scattered(self->count + 1, sizeof *facts->globals);
    if (!facts->globals) return false;
    for (size_t i = 0; i < self->count; i++) {
        const class_entry *class = &self->items[i];
        const uint32_t first = facts->heap->kinds[class->kind].first_link;
        if (!class->is_global) continue;
        facts->globals[facts->global_count++] = class->number;
        mc_graph_edges edges = mc_graph_begin_edges(graph, class->position);
        while (mc_graph_next_edge(&edges)) {
            unsigned char *link = &facts->words.links[first + edges.slot];
            if (!(*link & MC_OWNER_LINK_STATIC)) continue;
            *link |= MC_OWNER_LINK_ROOT;
            if (!add_mark(&facts->statics, mc_graph_get_number(graph, edges.target),
                          first + edges.slot))
                return false;
        }
    }
    qsort(facts->globals, facts->global_count, sizeof *facts->globals, compare_numbers);
    return true;
}

// Of several static fields of one object: a class's of the program before others, then by name.
static bool says_more(const mc_owner_facts *facts, uint32_t link, uint32_t than) {
    uint32_t slot;
    bool is_own = facts->words.standings[mc_heap_find_link(facts->heap, link, &slot)].is_program;
    bool is_other = facts->words.standings[mc_heap_find_link(facts->heap, than, &slot)].is_program;
    if (is_own != is_other) return is_own;
    return strcmp(mc_strings_get(&facts->words.texts, facts->words.fields[link], NULL),
                  mc_strings_get(&facts->words.texts, facts->words.fields[than], NULL)) < 0;
}

// Their loaders hold these, whatever field names them.
static bool is_global_class(const mc_owner_facts *facts, uint32_t number) {
    return find(facts->globals, facts->global_count, sizeof *facts->globals, number) != NULL;
}

static void choose_statics(mc_owner_facts *facts) {
    mc_owner_marks *marks = &facts->statics;
    size_t kept = 0;
    sort_marks(marks);
    for (size_t i = 0; i < marks->count; i++) {
        mc_owner_mark mark = marks->items[i];
        if (is_global_class(facts, mark.number)) continue;
        if (kept == 0 || marks->items[kept - 1].number != mark.number)
            marks->items[kept++] = mark;
        else if (says_more(facts, mark.value, marks->items[kept - 1].value))
            marks->items[kept - 1] = mark;
    }
    marks->count = kept;
}

// The children of the tree's root.
static uint32_t *list_tops(const mc_dominator_tree *tree, size_t *count) {
    size_t capacity = 0;
    uint32_t *tops = NULL;
    for (uint32_t at = 1; at < tree->reachable; at = mc_dominator_tree_get_end(tree, at)) {
        if (!mc_reserve(&tops, &capacity, *count + 1, sizeof *tops)) {
            mc_free(tops);
            return NULL;
        }
        tops[(*count)++] = at;
    }
    return tops ? tops : mc_alloc(1, sizeof *tops);
}

static bool find_classes(class_sorter *self, const position_list *positions) {
    const mc_owner_facts *facts = self->facts;
    const mc_graph *graph = &facts->heap->graph;
    size_t top_count = 0;
    uint32_t *tops = list_tops(&facts->heap->tree, &top_count);
    self->items = mc_alloc_scattered(positions->count + 1, sizeof *self->items);
    for (size_t i = 0; self->items && i < positions->count; i++) {
        uint32_t at = positions->items[i];
        self->items[i] = (class_entry){.position = at,
                                       .number = mc_graph_get_number(graph, at),
                                       .kind = mc_graph_get_kind(graph, at),
                                       .loader = MC_NONE};
        find_loader(self, &self->items[i]);
    }
    self->count = positions->count;
    bool is_done = tops && self->items && find_alike(self, tops, top_count);
    for (size_t i = 0; is_done && i < self->count; i++)
        self->items[i].is_global = is_global(self, &self->items[i], tops, top_count);
    mc_free(tops);
    return is_done;
}

static bool sort_classes(mc_owner_facts *facts, const position_list *positions) {
    class_sorter self = {.facts = facts};
    bool is_done = find_classes(&self, positions) && add_globals(&self);
    if (is_done) choose_statics(facts);
    mc_free(self.items);
    mc_free(self.is_alike);
    return is_done;
}

// ---- what has the name of a thread's variable

static uint32_t name_local(mc_owner_facts *facts, uint32_t link) {
    static const char before[] = "static ";
    const char *name = mc_strings_get(&facts->words.texts, facts->words.fields[link], NULL);
    mc_text text = {0};
    if (strncmp(name, before, sizeof before - 1) == 0) name += sizeof before - 1;
    mc_text_format(&text, "ThreadLocal %s", name);
    uint32_t result =
        text.failed ? MC_NONE : mc_strings_intern(&facts->words.texts, text.data, text.size);
    mc_text_deinit(&text);
    return result;
}

static bool list_locals(mc_owner_facts *facts) {
    const mc_heap *heap = facts->heap;
    for (size_t i = 0; i < heap->weak.count; i++) {
        const mc_heap_weak_edge *edge = &heap->weak.items[i];
        if (!facts->words.standings[mc_graph_get_kind(&heap->graph, edge->source)].is_local)
            continue;
        uint32_t link =
            mc_owner_marks_find(&facts->statics, mc_graph_get_number(&heap->graph, edge->target));
        uint32_t text = link == MC_NONE ? MC_NONE : name_local(facts, link);
        if (link == MC_NONE) continue;
        if (text == MC_NONE ||
            !add_mark(&facts->locals, mc_graph_get_number(&heap->graph, edge->source), text))
            return false;
    }
    sort_marks(&facts->locals);
    return true;
}

// ---- roots

static int compare_roots(const void *a, const void *b) {
    return compare_numbers(&((const mc_owner_root *)a)->number,
                           &((const mc_owner_root *)b)->number);
}

static mc_result tell_roots(mc_owner_facts *facts, const uint32_t *positions, size_t count,
                            mc_heap_root *roots, mc_error *error) {
    const mc_heap *heap = facts->heap;
    for (size_t i = 0; i < count; i++)
        roots[i] = (mc_heap_root){MC_ROOT_UNKNOWN, MC_NONE, MC_NONE};
    if (!heap->words->tell_roots || count == 0) return MC_OK;
    return heap->words->tell_roots(heap->reader, positions, count, roots, &facts->root_names,
                                   error);
}

static mc_result list_roots(mc_owner_facts *facts, mc_error *error) {
    const mc_graph *graph = &facts->heap->graph;
    const size_t most = (size_t)facts->heap->root_count + 1;
    if (facts->heap->root_count == 0) return MC_OK; // all objects count as some
    uint32_t *positions = mc_alloc_scattered(most, sizeof *positions);
    mc_heap_root *roots = mc_alloc_scattered(most, sizeof *roots);
    facts->roots = mc_alloc_scattered(most, sizeof *facts->roots);
    bool is_done = positions && roots && facts->roots;
    size_t count = 0;
    mc_graph_edges edges = mc_graph_begin_edges(graph, graph->root);
    while (is_done && count + 1 < most && mc_graph_next_edge(&edges))
        positions[count++] = edges.target;
    mc_result result =
        is_done ? tell_roots(facts, positions, count, roots, error) : mc_error_out_of_memory(error);
    for (size_t i = 0; result == MC_OK && i < count; i++)
        facts->roots[i] = (mc_owner_root){mc_graph_get_number(graph, positions[i]), roots[i]};
    if (result == MC_OK) {
        facts->root_count = count;
        if (count > 1) qsort(facts->roots, count, sizeof *facts->roots, compare_roots);
    }
    mc_free(positions);
    mc_free(roots);
    return result;
}

// ---- all of it

// A column of all vertices that was spared has room for both of half its width.
static bool create_columns(mc_owner_facts *facts, mc_graph *graph) {
    const mc_heap *heap = facts->heap;
    const size_t count = (size_t)heap->tree.count + 1;
    const bool has_few_kinds = heap->kind_count < UINT16_MAX;
    const bool has_few_links = heap->link_count < UINT16_MAX;
    if (has_few_kinds && has_few_links) {
        facts->few = mc_graph_take_column(graph, 2 * count, sizeof *facts->few);
        if (!facts->few) return false;
        facts->few_kinds = facts->few;
        facts->few_links = facts->few + count;
        return true;
    }
    mc_graph_drop_spares(graph);
    if (has_few_kinds)
        facts->few_kinds = mc_alloc_scattered(count, sizeof *facts->few_kinds);
    else
        facts->kinds = mc_alloc_scattered(count, sizeof *facts->kinds);
    if (has_few_links)
        facts->few_links = mc_alloc_scattered(count, sizeof *facts->few_links);
    else
        facts->links = mc_alloc_scattered(count, sizeof *facts->links);
    return (facts->few_kinds || facts->kinds) && (facts->few_links || facts->links);
}

mc_result mc_owner_facts_init(mc_owner_facts *facts, mc_heap *heap, mc_error *error) {
    position_list classes = {.items = NULL};
    *facts = (mc_owner_facts){.heap = heap};
    mc_result result = mc_owner_words_init(&facts->words, heap, error);
    if (result != MC_OK) return result;
    bool is_done = create_columns(facts, &heap->graph) && list_kinds(facts, &classes) &&
                   sort_classes(facts, &classes) && list_locals(facts);
    mc_free(classes.items);
    return is_done ? list_roots(facts, error) : mc_error_out_of_memory(error);
}
