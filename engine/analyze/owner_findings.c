#include "engine/analyze/owner_findings.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define GROWING_SHARE 0.001   // of the heap, for what keeps growing, as suspects.h has it
#define SHORT_SHARE 0.02      // … in a window of too few steps
#define SCATTERED_SHARE 0.005 // … where nothing piles up: texts become longer, tables larger
#define SINGLE_SHARE 0.01     // … of one step
#define MOST_SHARE 0.7        // of what a place retains: it goes on there
#define HALF 0.5
#define PART_SHARE 0.1 // … to be looked at beside others
#define MANY 8.0       // objects for each of the place above
#define VERY_MANY 64.0
#define FAR_MORE 16.0
#define FEW 4u               // loaders of classes are many by themselves
#define UNEVEN 10u           // of so many objects one holds most
#define LIBRARY_WEIGHT 0.25  // of what the program has no part in
#define JVM_BYTES (4u << 20) // what a JVM keeps by itself, at most
#define MOST_DEPTH 400u      // of places: a tree may be a list
#define MOST_CONTENT_DEPTH 12u
#define MOST_FIELDS 32u   // of one place, that pile up
#define MOST_FINDINGS 64u // that are compared with each other

typedef struct finder {
    const mc_owner_series *series;
    const mc_trace *trace;
    mc_owner_findings *findings;
    double least;     // bytes
    uint64_t *values; // scratch: a series
    bool is_single, failed;
} finder;

void mc_owner_findings_deinit(mc_owner_findings *findings) {
    mc_free(findings->items);
    memset(findings, 0, sizeof *findings);
}

static const mc_owner_row *get_row(const finder *f, uint32_t row) {
    return &f->series->rows[row];
}

static const mc_owner *get_owner(const finder *f, uint32_t row) {
    return mc_owner_series_get(f->series, row);
}

static uint32_t get_root(const finder *f, uint32_t row) {
    while (get_row(f, row)->parent != MC_NONE)
        row = get_row(f, row)->parent;
    return row;
}

// What counts: by what it grew, or of one step what it retains.
static double get_weight(const finder *f, uint32_t row) {
    const mc_owner_row *r = get_row(f, row);
    return f->is_single ? (double)r->retained_bytes : (double)r->growth;
}

static bool ends_with(const finder *f, uint32_t string, const char *end) {
    size_t size, length = strlen(end);
    if (string == MC_NONE) return false;
    const char *text = mc_trace_get_string(f->trace, string, &size);
    return size >= length && memcmp(text + size - length, end, length) == 0;
}

static bool is_loader(const finder *f, uint32_t row) {
    return ends_with(f, get_owner(f, row)->class, "ClassLoader");
}

// ---- whether there are many

static double get_objects_above(const finder *f, uint32_t row) {
    uint32_t parent = get_row(f, row)->parent;
    uint64_t above = parent == MC_NONE ? 1 : get_row(f, parent)->objects;
    return above > 0 ? (double)above : 1;
}

// The place below that has most of what this one has; MC_NONE: it falls apart.
static uint32_t get_largest(const finder *f, uint32_t row) {
    uint32_t found = MC_NONE;
    for (uint32_t i = get_row(f, row)->child; i != MC_NONE; i = get_row(f, i)->next)
        if (found == MC_NONE || get_weight(f, i) > get_weight(f, found)) found = i;
    bool is_most = found != MC_NONE && get_weight(f, found) >= MOST_SHARE * get_weight(f, row);
    return is_most ? found : MC_NONE;
}

// Of one step: many objects for each of the place above, unless it is few of them that hold most,
// or each of them so many more that those are the story.
static bool are_many(const finder *f, uint32_t row) {
    double ratio = (double)get_row(f, row)->objects / get_objects_above(f, row);
    bool is_of_loaders = is_loader(f, row) && get_row(f, row)->objects >= FEW;
    if (ratio < MANY && !is_of_loaders) return false;
    uint32_t at = get_largest(f, row);
    for (uint32_t i = 0; i < MOST_DEPTH && at != MC_NONE; i++, at = get_largest(f, at)) {
        if (get_row(f, at)->objects < get_row(f, row)->objects / UNEVEN) return false;
        double next = (double)get_row(f, at)->objects / get_objects_above(f, at);
        if (!is_of_loaders && is_loader(f, at)) return true;
        if (!is_of_loaders && ratio < VERY_MANY && next >= FAR_MORE * ratio) return false;
    }
    return true;
}

// By how many objects it grew. Before it was known it retained little, and so had few.
static double count_more(const finder *f, uint32_t row) {
    const mc_owner_row *r = get_row(f, row);
    double first = (double)r->first_objects;
    if (r->first_point > 0 && r->objects > 0) {
        double each = (double)r->retained_bytes / (double)r->objects;
        double bound = (double)(r->retained_bytes - (uint64_t)r->growth) / (each > 0 ? each : 1);
        if (bound < first) first = bound;
    }
    return (double)r->objects - first;
}

// Of several steps: that there are more of them is most of why they retain more.
static bool becomes_more(const finder *f, uint32_t row) {
    const mc_owner_row *r = get_row(f, row);
    uint32_t last = f->series->point_count - 1;
    if (r->growth <= 0 || r->objects == 0) return false;
    if (r->first_point == last) return (double)r->objects >= MANY * get_objects_above(f, row);
    if (r->objects <= r->first_objects) return false;
    const uint64_t *values = f->series->retained + (size_t)row * f->series->point_count;
    double growth = (double)values[last] - (double)values[r->first_point];
    double each = (double)r->retained_bytes / (double)r->objects;
    double more = (double)(r->objects - r->first_objects);
    return more * each >= HALF * growth;
}

static bool piles_up(const finder *f, uint32_t row) {
    return f->is_single ? are_many(f, row) : becomes_more(f, row);
}

// ---- what it is

static bool is_thread(const finder *f, uint32_t row) {
    const mc_owner *owner = get_owner(f, row);
    return owner->parent == MC_NONE && owner->root == MC_ROOT_THREAD;
}

static bool has_as_many(const finder *f, uint32_t row, uint32_t top) {
    return (double)get_row(f, row)->objects >= HALF * (double)get_row(f, top)->objects;
}

// "Client$$Lambda$14/0x00007f…": what it was made for is below it.
static bool is_lambda(const finder *f, uint32_t row) {
    static const char mark[] = "$$Lambda";
    size_t size, length = sizeof mark - 1;
    const char *name = mc_trace_get_string(f->trace, get_owner(f, row)->class, &size);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(name + i, mark, length) == 0) return true;
    return false;
}

// A class of the program that each of them holds; else what entries of a collection hold.
static uint32_t find_content(const finder *f, uint32_t row, uint32_t top, uint32_t depth) {
    const mc_owner_row *r = get_row(f, row);
    uint32_t best = MC_NONE;
    bool is_best_library = true;
    bool is_named = !r->is_library && !is_lambda(f, row);
    if (is_named || is_loader(f, row) || depth == MOST_CONTENT_DEPTH) return row;
    for (uint32_t i = r->child; i != MC_NONE; i = get_row(f, i)->next) {
        if (!has_as_many(f, i, top)) continue;
        uint32_t one = find_content(f, i, top, depth + 1);
        bool one_is_library = get_row(f, one)->is_library;
        if (best != MC_NONE && one_is_library && !is_best_library) continue;
        bool is_better = best == MC_NONE || (is_best_library && !one_is_library) ||
                         get_weight(f, one) > get_weight(f, best);
        if (!is_better) continue;
        best = one;
        is_best_library = one_is_library;
    }
    bool says_more = best != MC_NONE && (!is_best_library || is_loader(f, best) || r->is_part);
    // What a thread runs, or has for itself; its loader is that of all.
    if (is_thread(f, row)) says_more = says_more && !is_best_library && !is_loader(f, best);
    return says_more ? best : row;
}

// The loaders of classes that hang on each of them, with all that was loaded.
static uint32_t find_loader(const finder *f, uint32_t row, uint32_t top, uint32_t depth) {
    if (is_loader(f, row)) return row;
    if (depth == MOST_CONTENT_DEPTH) return MC_NONE;
    for (uint32_t i = get_row(f, row)->child; i != MC_NONE; i = get_row(f, i)->next) {
        if (!has_as_many(f, i, top) || get_weight(f, i) < PART_SHARE * get_weight(f, top)) continue;
        uint32_t found = find_loader(f, i, top, depth + 1);
        if (found != MC_NONE) return found;
    }
    return MC_NONE;
}

static bool is_of_program(const finder *f, uint32_t top) {
    for (uint32_t i = top; i != MC_NONE; i = get_row(f, i)->parent)
        if (!get_row(f, i)->is_library || get_row(f, i)->is_program_root) return true;
    return false;
}

static bool has_program(const finder *f, uint32_t top) {
    return get_row(f, top)->program_objects > 0 || is_of_program(f, top);
}

// ---- findings

static bool is_of_group(const mc_owner_series *series, const mc_owner_finding *finding,
                        uint32_t row) {
    return row == finding->top ||
           (finding->alike > 0 && mc_owner_series_get(series, row)->field ==
                                      mc_owner_series_get(series, finding->top)->field);
}

void mc_owner_finding_sum(const mc_owner_series *series, const mc_owner_finding *finding,
                          uint64_t *values) {
    uint32_t count = series->point_count, parent = series->rows[finding->top].parent;
    uint32_t first = finding->alike > 0 ? series->rows[parent].child : finding->top;
    memset(values, 0, count * sizeof *values);
    for (uint32_t row = first; row != MC_NONE; row = series->rows[row].next) {
        if (!is_of_group(series, finding, row)) continue;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t value = series->retained[(size_t)row * count + i];
            values[i] += value <= MC_COUNT_MAX - values[i] ? value : MC_COUNT_MAX - values[i];
        }
        if (finding->alike == 0) break;
    }
}

static bool never_falls(const uint64_t *values, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (values[i] < values[i - 1]) return false;
    return true;
}

// Few steps can't tell what a place holds more from what it alone owns more, as another owner let
// go of it: the heap as a whole has to have grown by half of that, and a place of the
// language's library has to go on from where it comes to be known.
static bool grew_as_heap_did(const finder *f, const mc_owner_finding *finding) {
    uint32_t first = get_row(f, finding->top)->first_point, last = f->series->point_count - 1;
    uint64_t before = mc_trace_get_step(f->trace, f->series->steps[0])->bytes;
    double known = (double)f->values[last] - (double)f->values[first];
    if ((double)f->series->heap - (double)before < HALF * (double)finding->growth) return false;
    return first == 0 || known >= f->least || is_of_program(f, finding->top);
}

static bool keeps_growing(finder *f, mc_owner_finding *finding) {
    uint32_t count = f->series->point_count;
    if (f->is_single) return finding->retained_bytes > 0;
    finding->trend = mc_trend_compute(f->series->times_ms, f->values, count);
    if (count < MC_GROWTH_LEAST_POINTS)
        return (double)finding->growth >= f->least && never_falls(f->values, count) &&
               (finding->kind != MC_OWNER_SCATTERED || grew_as_heap_did(f, finding));
    return finding->trend.growth.kind == MC_GROWTH_GOES_ON &&
           (double)finding->trend.growth.amount >= f->least;
}

static void count_content(const finder *f, mc_owner_finding *finding) {
    const mc_owner_row *content = get_row(f, finding->content);
    finding->content_growth = content->growth;
    finding->more_objects = (int64_t)count_more(f, finding->content);
    finding->is_about = content->first_point > 0;
    if (finding->alike == 0) return;
    // Of other classes, too: as many as there are in all.
    uint32_t parent = get_row(f, finding->top)->parent;
    finding->more_objects = 0;
    for (uint32_t i = get_row(f, parent)->child; i != MC_NONE; i = get_row(f, i)->next)
        if (is_of_group(f->series, finding, i)) finding->more_objects += (int64_t)count_more(f, i);
}

// Whether it became one.
static bool try_finding(finder *f, uint32_t top, mc_owner_finding_kind kind, uint32_t alike) {
    mc_owner_finding finding = {
        .kind = kind, .top = top, .content = top, .alike = alike, .into = MC_NONE};
    uint32_t count = f->series->point_count;
    mc_owner_finding_sum(f->series, &finding, f->values);
    finding.growth = (int64_t)(f->values[count - 1] - f->values[0]);
    finding.retained_bytes = f->values[count - 1];
    if (!keeps_growing(f, &finding)) return false;
    bool is_little = (double)finding.growth < SCATTERED_SHARE * (double)f->series->heap;
    if (kind == MC_OWNER_SCATTERED && !f->is_single && is_little) return false;
    if (kind == MC_OWNER_MANY) {
        uint32_t loader = find_loader(f, top, top, 0);
        finding.content = loader != MC_NONE ? loader : find_content(f, top, top, 0);
    }
    finding.is_library = !has_program(f, top);
    count_content(f, &finding);
    mc_owner_findings *all = f->findings;
    if (!mc_reserve(&all->items, &all->capacity, all->count + 1, sizeof *all->items)) {
        f->failed = true;
        return false;
    }
    all->items[all->count++] = finding;
    return true;
}

// ---- the search

// Places of one field, of several classes: those that pile up, if they do most of it together.
static bool try_group(finder *f, uint32_t row) {
    uint32_t tried = 0;
    for (uint32_t i = get_row(f, row)->child; i != MC_NONE && tried < MOST_FIELDS;
         i = get_row(f, i)->next) {
        uint32_t field = get_owner(f, i)->field, top = MC_NONE, count = 0;
        double sum = 0;
        if (field == MC_NONE || get_weight(f, i) <= 0 || !piles_up(f, i)) continue;
        tried++;
        for (uint32_t k = get_row(f, row)->child; k != MC_NONE; k = get_row(f, k)->next) {
            if (get_owner(f, k)->field != field) continue;
            if (k < i) break; // it was tried
            if (!piles_up(f, k)) continue;
            count++;
            sum += get_weight(f, k);
            if (top == MC_NONE || get_weight(f, k) > get_weight(f, top)) top = k;
        }
        if (count < 2 || sum < MOST_SHARE * get_weight(f, row)) continue;
        return try_finding(f, top, MC_OWNER_MANY, count - 1);
    }
    return false;
}

static bool is_array(const finder *f, uint32_t row) {
    return ends_with(f, get_owner(f, row)->class, "[]");
}

static double sum_below(const finder *f, uint32_t row) {
    double sum = 0;
    for (uint32_t i = get_row(f, row)->child; i != MC_NONE; i = get_row(f, i)->next)
        if (get_weight(f, i) > 0) sum += get_weight(f, i);
    return sum;
}

static double sum_findings(const finder *f, size_t first) {
    double sum = 0;
    for (size_t i = first; i < f->findings->count; i++)
        sum += f->is_single ? (double)f->findings->items[i].retained_bytes
                            : (double)f->findings->items[i].growth;
    return sum;
}

static void visit(finder *f, uint32_t row, uint32_t depth);

static void visit_below(finder *f, uint32_t row, uint32_t depth) {
    double least = f->is_single ? PART_SHARE * get_weight(f, row) : 0;
    for (uint32_t i = get_row(f, row)->child; i != MC_NONE; i = get_row(f, i)->next)
        if (get_weight(f, i) >= least) visit(f, i, depth + 1);
}

static void visit(finder *f, uint32_t row, uint32_t depth) {
    size_t first = f->findings->count;
    double weight = get_weight(f, row);
    if (f->failed || get_row(f, row)->is_rest) return;
    if (weight < f->least) {
        // What is below may grow while the rest of it shrinks.
        if (!f->is_single && depth < MOST_DEPTH) visit_below(f, row, depth);
        return;
    }
    if (piles_up(f, row) && try_finding(f, row, MC_OWNER_MANY, 0)) return;
    if (try_group(f, row)) return;
    if (depth < MOST_DEPTH) visit_below(f, row, depth);
    if (f->failed || sum_findings(f, first) >= HALF * weight) return;
    // What is below it explains little of it.
    bool is_own = weight - sum_below(f, row) >= HALF * weight;
    mc_owner_finding_kind kind = is_own && (is_array(f, row) || get_row(f, row)->child == MC_NONE)
                                     ? MC_OWNER_LARGE
                                     : MC_OWNER_SCATTERED;
    size_t count = f->findings->count;
    if (!try_finding(f, row, kind, 0)) return;
    // It stands for those.
    f->findings->items[first] = f->findings->items[count];
    f->findings->count = first + 1;
}

// ---- what is one

// Whether most references to what the finding's shared objects are come from the other's.
static bool is_shared_with(const finder *f, const mc_owner_finding *shared,
                           const mc_owner_finding *other) {
    const mc_owner_way_rows *ways = &f->series->ways;
    uint32_t owner = get_row(f, get_root(f, shared->top))->owner;
    uint64_t all = 0, theirs = 0;
    if (mc_owner_series_is_inside(f->series, other->top, get_root(f, shared->top))) return false;
    for (uint32_t i = 0; i < ways->count; i++) {
        if (ways->items[i].owner != owner) continue;
        uint32_t from = mc_owner_series_find(f->series, ways->items[i].from);
        bool is_theirs =
            from != MC_NONE && (mc_owner_series_is_inside(f->series, from, other->top) ||
                                mc_owner_series_is_inside(f->series, other->top, from));
        all += ways->items[i].references;
        if (is_theirs) theirs += ways->items[i].references;
    }
    return theirs > 0 && (double)theirs >= PART_SHARE * (double)all;
}

static double get_finding_weight(const finder *f, const mc_owner_finding *finding) {
    return f->is_single ? (double)finding->retained_bytes : (double)finding->growth;
}

// The runtime's own object for each that is to be finalized.
static bool is_finalizer_of(const finder *f, const mc_owner_finding *one,
                            const mc_owner_finding *pending) {
    return get_owner(f, get_root(f, pending->top))->root == MC_ROOT_FINALIZING &&
           ends_with(f, get_owner(f, one->top)->class, "java.lang.ref.Finalizer");
}

// What shares its objects with a larger one belongs to that, and comes behind all.
static void merge_shared(finder *f) {
    mc_owner_findings *all = f->findings;
    for (size_t i = 0; i < all->count; i++) {
        bool is_shared = get_owner(f, get_root(f, all->items[i].top))->root == MC_OWNER_SHARED;
        for (size_t k = 0; k < all->count; k++) {
            mc_owner_finding *a = &all->items[i], *b = &all->items[k];
            if (k == i || a->into != MC_NONE || b->into != MC_NONE) continue;
            bool is_finalizer = is_finalizer_of(f, a, b);
            if (!is_finalizer && !(is_shared && is_shared_with(f, a, b))) continue;
            bool is_larger = get_finding_weight(f, a) >= get_finding_weight(f, b);
            if (is_larger && !is_finalizer)
                b->into = a->top;
            else
                a->into = b->top;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].into != MC_NONE) continue;
        mc_owner_finding held = all->items[i];
        memmove(all->items + kept + 1, all->items + kept, (i - kept) * sizeof *all->items);
        all->items[kept++] = held;
    }
    all->listed_count = all->count;
    all->all_count -= all->count - kept;
    all->count = kept;
}

// ---- their order

static double get_rank(bool is_single, const mc_owner_finding *finding) {
    double weight = is_single ? (double)finding->retained_bytes : (double)finding->growth;
    return finding->is_library ? LIBRARY_WEIGHT * weight : weight;
}

static int compare(const mc_owner_finding *x, const mc_owner_finding *y, bool is_single) {
    double a = get_rank(is_single, x), b = get_rank(is_single, y);
    if (a != b) return a > b ? -1 : 1;
    return x->top < y->top ? -1 : x->top > y->top;
}

static int compare_growth(const void *a, const void *b) {
    return compare(a, b, false);
}

static int compare_sizes(const void *a, const void *b) {
    return compare(a, b, true);
}

// Of one step: what a JVM keeps by itself is told as one. Where the program has no part in
// anything, what is nearly the largest remains.
static void set_jvm_aside(finder *f) {
    mc_owner_findings *all = f->findings;
    size_t kept = 0, program = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < all->count; i++) {
        program += !all->items[i].is_library;
        if (all->items[i].retained_bytes > most) most = all->items[i].retained_bytes;
    }
    double least = program > 0 ? JVM_BYTES : HALF * (double)most;
    for (size_t i = 0; i < all->count; i++)
        if (!all->items[i].is_library || (double)all->items[i].retained_bytes > least)
            all->items[kept++] = all->items[i];
    all->count = kept;
}

// Whether the program, too, keeps alive what several owners do.
static bool is_shared_by_program(const finder *f, uint32_t row) {
    const mc_owner_way_rows *ways = &f->series->ways;
    for (uint32_t i = 0; i < ways->count; i++) {
        if (ways->items[i].owner != get_row(f, row)->owner) continue;
        uint32_t from = mc_owner_series_find(f->series, ways->items[i].from);
        if (from != MC_NONE && (has_program(f, from) || has_program(f, get_root(f, from))))
            return true;
    }
    return false;
}

static bool is_jvm(const finder *f, uint32_t row) {
    if (get_row(f, row)->parent != MC_NONE || has_program(f, row)) return false;
    for (size_t i = 0; i < f->findings->count; i++)
        if (get_root(f, f->findings->items[i].top) == row) return false;
    // Where it is little, nobody asks whose it is.
    return get_owner(f, row)->root != MC_OWNER_SHARED ||
           (double)get_row(f, row)->retained_bytes < f->least || !is_shared_by_program(f, row);
}

static uint64_t sum_jvm(const finder *f) {
    uint64_t sum = 0;
    for (uint32_t row = 0; row < f->series->count; row++)
        if (is_jvm(f, row)) sum += get_row(f, row)->retained_bytes;
    return sum;
}

bool mc_owner_findings_locate(const mc_owner_series *series, const mc_trace *trace, uint32_t node,
                              double more, mc_owner_finding *finding) {
    finder f = {.series = series, .trace = trace, .is_single = true};
    uint32_t top = MC_NONE;
    for (uint32_t row = 0; row < series->count; row++)
        if (get_owner(&f, row)->place == node && !get_row(&f, row)->is_rest &&
            (top == MC_NONE || count_more(&f, row) > count_more(&f, top)))
            top = row;
    if (top == MC_NONE || more <= 0 || count_more(&f, top) < HALF * more) return false;
    for (uint32_t up = get_row(&f, top)->parent; up != MC_NONE && has_as_many(&f, up, top);
         up = get_row(&f, up)->parent)
        top = up;
    uint32_t loader = find_loader(&f, top, top, 0);
    *finding = (mc_owner_finding){.kind = MC_OWNER_MANY, .top = top, .into = MC_NONE};
    finding->content = loader != MC_NONE ? loader : find_content(&f, top, top, 0);
    finding->is_library = !has_program(&f, top);
    finding->retained_bytes = get_row(&f, top)->retained_bytes;
    return true;
}

mc_result mc_owner_findings_find(const mc_owner_series *series, const mc_trace *trace,
                                 mc_owner_findings *findings, mc_error *error) {
    mc_owner_findings_deinit(findings);
    if (series->point_count == 0) return MC_OK;
    bool is_single = series->point_count == 1;
    double share = is_single                                      ? SINGLE_SHARE
                   : series->point_count < MC_GROWTH_LEAST_POINTS ? SHORT_SHARE
                                                                  : GROWING_SHARE;
    finder f = {.series = series,
                .trace = trace,
                .findings = findings,
                .is_single = is_single,
                .least = share * (double)series->heap,
                .values = mc_alloc(series->point_count, sizeof *f.values)};
    if (!f.values) return mc_error_out_of_memory(error);
    if (!is_single && f.least < mc_class_get_runtime_bytes(trace))
        f.least = mc_class_get_runtime_bytes(trace);
    if (f.least < 1) f.least = 1;
    for (uint32_t row = 0; row < series->count; row++)
        if (get_row(&f, row)->parent == MC_NONE) visit(&f, row, 0);
    mc_free(f.values);
    if (f.failed) {
        mc_owner_findings_deinit(findings);
        return mc_error_out_of_memory(error);
    }
    if (is_single) set_jvm_aside(&f);
    if (findings->count > 0)
        qsort(findings->items, findings->count, sizeof *findings->items,
              is_single ? compare_sizes : compare_growth);
    findings->all_count = findings->count;
    if (findings->count > MOST_FINDINGS) findings->count = MOST_FINDINGS;
    merge_shared(&f);
    findings->jvm_bytes = sum_jvm(&f);
    return MC_OK;
}
