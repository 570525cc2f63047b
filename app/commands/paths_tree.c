#include "app/commands/paths_tree.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

void mc_path_tree_deinit(mc_path_tree *tree) {
    mc_free(tree->rows);
    *tree = (mc_path_tree){NULL, 0};
}

// ---- from a dump

static bool take_row(mc_strings *strings, const mc_heap *heap, const mc_paths *paths,
                     uint32_t index, mc_text *text, mc_path_row *rows) {
    const mc_path_node *node = &paths->nodes[index];
    mc_path_row *row = &rows[index];
    *row = (mc_path_row){.parent = node->parent,
                         .depth = node->parent == MC_NONE ? 0 : rows[node->parent].depth + 1,
                         .field = MC_NONE,
                         .before = MC_NONE,
                         .is_folded = node->is_folded,
                         .is_cut = node->is_cut,
                         .ends = node->ends,
                         .whole = node->whole};
    mc_text_clear(text);
    mc_heap_append_path_field(heap, paths, index, text);
    if (row->depth > 1 || text->size > 0 || text->failed) {
        row->field = text->failed ? MC_NONE : mc_strings_intern(strings, text->data, text->size);
        if (row->field == MC_NONE) return false;
    }
    mc_text_clear(text);
    mc_heap_append_path_class(heap, paths, index, text);
    if (text->failed) return false;
    row->class = mc_strings_intern(strings, text->data, text->size);
    return row->class != MC_NONE;
}

bool mc_path_tree_take(mc_path_tree *tree, const mc_heap *heap, const mc_paths *paths,
                       mc_strings *strings) {
    mc_text text = {0};
    tree->rows = mc_alloc((size_t)paths->count + 1, sizeof *tree->rows);
    bool is_done = tree->rows != NULL;
    for (; is_done && tree->count < paths->count; tree->count++)
        is_done = take_row(strings, heap, paths, tree->count, &text, tree->rows);
    mc_text_deinit(&text);
    return is_done;
}

// ---- what is new

// A node is the same if its field and class are, and those of all before it.
static bool match(mc_path_tree *tree, const mc_path_tree *first) {
    mc_strings keys = {0};
    uint32_t *rows = mc_alloc((size_t)first->count + 1, sizeof *rows);
    bool is_done = rows != NULL;
    for (uint32_t i = 0; i < first->count && is_done; i++) {
        uint32_t key[] = {first->rows[i].parent, first->rows[i].field, first->rows[i].class};
        uint32_t count = keys.count;
        uint32_t index = mc_strings_intern(&keys, (const char *)key, sizeof key);
        is_done = index != MC_NONE;
        if (is_done && index == count) rows[index] = i; // classes may have one name
    }
    for (uint32_t i = 0; i < tree->count && is_done; i++) {
        mc_path_row *row = &tree->rows[i];
        uint32_t parent = row->parent == MC_NONE ? MC_NONE : tree->rows[row->parent].before;
        if (row->parent != MC_NONE && parent == MC_NONE) continue;
        uint32_t key[] = {parent, row->field, row->class};
        uint32_t index = mc_strings_find(&keys, (const char *)key, sizeof key);
        if (index != MC_NONE) row->before = rows[index];
    }
    mc_strings_deinit(&keys);
    mc_free(rows);
    return is_done;
}

bool mc_path_tree_compare(mc_path_tree *tree, const mc_path_tree *first) {
    if (!match(tree, first)) return false;
    for (uint32_t i = 0; i < tree->count; i++) {
        mc_path_row *row = &tree->rows[i];
        row->is_new = row->before == MC_NONE;
        if (!row->is_new) row->first = first->rows[row->before].whole;
    }
    return true;
}

// ---- from a trace

static uint32_t copy_string(mc_strings *strings, const mc_trace *trace, uint32_t string) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    return mc_strings_intern(strings, text, size);
}

static bool copy_row(mc_strings *strings, const mc_trace *trace, const mc_retaining_row *from,
                     mc_path_row *row) {
    static const char roots[] = "GC root", rest[] = "(others)";
    uint32_t count;
    const mc_retaining_path *path =
        from->path == MC_NONE ? NULL : &mc_trace_get_paths(trace, &count)[from->path];
    *row = (mc_path_row){.parent = from->parent,
                         .depth = from->depth,
                         .field = MC_NONE,
                         .is_folded = from->is_folded,
                         .is_rest = from->is_rest,
                         .is_new = from->is_new,
                         .ends = {from->objects, from->bytes},
                         .whole = {from->whole_objects, from->whole_bytes},
                         .first = {from->first_objects, from->first_bytes}};
    if (path) {
        row->class = copy_string(strings, trace, path->class);
        if (path->field == MC_NONE) return row->class != MC_NONE;
        row->field = copy_string(strings, trace, path->field);
        return row->class != MC_NONE && row->field != MC_NONE;
    }
    const char *name = from->is_rest ? rest : roots;
    row->class = mc_strings_intern(strings, name, strlen(name));
    return row->class != MC_NONE;
}

bool mc_path_tree_take_held(mc_path_tree *tree, const mc_trace *trace,
                            const mc_retaining_tree *held, mc_strings *strings) {
    tree->rows = mc_alloc((size_t)held->count + 1, sizeof *tree->rows);
    for (; tree->rows && tree->count < held->count; tree->count++)
        if (!copy_row(strings, trace, &held->rows[tree->count], &tree->rows[tree->count]))
            return false;
    return tree->rows != NULL;
}

// ---- order

typedef struct sorted_row {
    const mc_strings *strings;
    const mc_path_row *row;
    uint32_t index;
} sorted_row;

static int compare_strings(const mc_strings *strings, uint32_t a, uint32_t b) {
    size_t x = 0, y = 0;
    if (a == b) return 0;
    const char *left = a == MC_NONE ? "" : mc_strings_get(strings, a, &x);
    const char *right = b == MC_NONE ? "" : mc_strings_get(strings, b, &y);
    int order = memcmp(left, right, x < y ? x : y);
    return order != 0 ? order : x < y ? -1 : x > y;
}

// Siblings that hold the same by their names, whatever they come from.
static int compare_siblings(const void *a, const void *b) {
    const sorted_row *x = a, *y = b;
    const mc_path_row *p = x->row, *q = y->row;
    if (p->parent != q->parent) return p->parent < q->parent ? -1 : 1; // the root comes last
    if (p->is_rest != q->is_rest) return p->is_rest ? 1 : -1;
    if (p->whole.size != q->whole.size) return p->whole.size > q->whole.size ? -1 : 1;
    if (p->whole.count != q->whole.count) return p->whole.count > q->whole.count ? -1 : 1;
    int order = compare_strings(x->strings, p->field, q->field);
    if (order == 0) order = compare_strings(x->strings, p->class, q->class);
    if (order != 0) return order;
    return x->index < y->index ? -1 : x->index > y->index;
}

bool mc_path_tree_sort(mc_path_tree *tree, const mc_strings *strings) {
    uint32_t count = tree->count, end = 1;
    if (count == 0) return true;
    sorted_row *order = mc_alloc(count, sizeof *order);
    uint32_t *firsts = mc_alloc(count, sizeof *firsts), *queue = mc_alloc(count, sizeof *queue);
    mc_path_row *rows = mc_alloc(count, sizeof *rows);
    bool is_done = order && firsts && queue && rows;
    for (uint32_t i = 0; is_done && i < count; i++) {
        order[i] = (sorted_row){strings, &tree->rows[i], i};
        firsts[i] = MC_NONE;
    }
    if (is_done) {
        qsort(order, count, sizeof *order, compare_siblings);
        for (uint32_t i = count - 1; i-- > 0;)
            firsts[order[i].row->parent] = i;
        rows[0] = tree->rows[0];
        queue[0] = 0;
        for (uint32_t i = 0; i < end; i++)
            for (uint32_t k = firsts[queue[i]]; k < count - 1 && order[k].row->parent == queue[i];
                 k++) {
                rows[end] = *order[k].row;
                rows[end].parent = i;
                queue[end++] = order[k].index;
            }
        mc_free(tree->rows);
        tree->rows = rows;
        rows = NULL;
    }
    mc_free(order);
    mc_free(firsts);
    mc_free(queue);
    mc_free(rows);
    return is_done;
}
