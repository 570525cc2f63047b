#include "engine/trace/metrics.h"

#include "engine/base/memory.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING 1e-9      // share of a real value that sums of its parts may be off
#define SCALED_BITS 40     // of the largest count
#define SCALE_MOST 1000    // so that neither 2^scale nor its inverse overflows
#define LEAST_CHANGE 0.1   // of a ratio
#define COUNT_LIMIT 0x1p62 // whatever a file says of its largest value

const char *const mc_unit_names[] = {"none", "count", "bytes", "time", "ratio", NULL};
const char *const mc_metric_kind_names[] = {"stock", "flow", NULL};
const char mc_metric_retained[] = "retained", mc_metric_closure[] = "closure";

static const mc_metric_info known[] = {
    {.key = "objects", .title = "objects", .unit = MC_UNIT_COUNT, .is_additive = true},
    {.key = "bytes", .title = "bytes", .unit = MC_UNIT_BYTES, .is_additive = true},
    {.key = mc_metric_retained, .title = "retained size", .unit = MC_UNIT_BYTES},
    {.key = mc_metric_closure, .title = "closure size", .unit = MC_UNIT_BYTES},
};
#define KNOWN_COUNT (sizeof known / sizeof *known)

static mc_metric_info get_known(size_t index) {
    mc_metric_info info = known[index];
    info.key_size = strlen(info.key);
    info.title_size = strlen(info.title);
    info.says = MC_METRIC_SAYS_ALL;
    return info;
}

// ---- the table

// Both strings in one block, the key first.
static bool copy_strings(mc_metric_info *info) {
    char *bytes = mc_alloc(info->key_size + info->title_size + 2, 1);
    if (!bytes) return false;
    memcpy(bytes, info->key, info->key_size);
    bytes[info->key_size] = '\0';
    char *title = bytes + info->key_size + 1;
    memcpy(title, info->title, info->title_size);
    title[info->title_size] = '\0';
    info->key = bytes;
    info->title = title;
    return true;
}

static void free_strings(mc_metric_info *info) {
    mc_free((char *)info->key);
}

void mc_metrics_forget(mc_metrics *metrics, uint32_t count) {
    while (metrics->count > count)
        free_strings(&metrics->items[--metrics->count]);
}

void mc_metrics_clear(mc_metrics *metrics) {
    mc_metrics_forget(metrics, 0);
}

void mc_metrics_deinit(mc_metrics *metrics) {
    mc_metrics_clear(metrics);
    mc_free(metrics->items);
    memset(metrics, 0, sizeof *metrics);
}

mc_metric mc_metrics_add(mc_metrics *metrics, const mc_metric_info *info) {
    mc_metric_info copy = *info;
    if (metrics->count == MC_METRIC_MOST ||
        !mc_reserve(&metrics->items, &metrics->capacity, (size_t)metrics->count + 1, sizeof copy) ||
        !copy_strings(&copy))
        return MC_NONE;
    metrics->items[metrics->count] = copy;
    return metrics->count++;
}

bool mc_metrics_add_base(mc_metrics *metrics) {
    for (size_t i = 0; i < MC_METRIC_FIRST_OWN; i++) {
        mc_metric_info info = get_known(i);
        if (mc_metrics_add(metrics, &info) == MC_NONE) return false;
    }
    return true;
}

bool mc_metrics_copy(mc_metrics *to, const mc_metrics *from) {
    for (uint32_t i = 0; i < from->count; i++) {
        if (mc_metrics_add(to, &from->items[i]) != MC_NONE) continue;
        mc_metrics_deinit(to);
        return false;
    }
    return true;
}

static bool has_key(const mc_metric_info *info, const char *key, size_t size) {
    return info->key_size == size && memcmp(info->key, key, size) == 0;
}

mc_metric mc_metrics_find(const mc_metrics *metrics, const char *key, size_t size) {
    for (uint32_t i = 0; i < metrics->count; i++)
        if (has_key(&metrics->items[i], key, size)) return i;
    return MC_NONE;
}

mc_metric_info mc_metric_info_of_key(const char *key, size_t size) {
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        mc_metric_info info = get_known(i);
        if (has_key(&info, key, size)) return info;
    }
    return (mc_metric_info){
        .key = key, .title = key, .key_size = size, .title_size = size, .is_additive = true};
}

// ---- what inputs say of a metric

static bool has_title(const mc_metric_info *info, const mc_metric_info *other) {
    return info->title_size == other->title_size &&
           memcmp(info->title, other->title, info->title_size) == 0;
}

static uint32_t find_contradictions(const mc_metric_info *a, const mc_metric_info *b) {
    uint32_t differ = (has_title(a, b) ? 0u : MC_METRIC_SAYS_TITLE) |
                      (a->unit == b->unit ? 0u : MC_METRIC_SAYS_UNIT) |
                      (a->kind == b->kind ? 0u : MC_METRIC_SAYS_KIND) |
                      (a->is_additive == b->is_additive ? 0u : MC_METRIC_SAYS_ADDITIVE);
    return differ & a->says & b->says;
}

int mc_metric_info_merge(mc_metric_info *into, const mc_metric_info *info) {
    uint32_t differ = find_contradictions(into, info), more = info->says & ~into->says;
    if (differ) return (int)differ;
    mc_metric_info merged = *into;
    merged.is_real |= info->is_real;
    merged.says |= info->says;
    if (more & MC_METRIC_SAYS_UNIT) merged.unit = info->unit;
    if (more & MC_METRIC_SAYS_KIND) merged.kind = info->kind;
    if (more & MC_METRIC_SAYS_ADDITIVE) merged.is_additive = info->is_additive;
    if (!(merged.says & MC_METRIC_SAYS_ADDITIVE)) merged.is_additive = !merged.is_real;
    if (more & MC_METRIC_SAYS_TITLE) {
        merged.title = info->title;
        merged.title_size = info->title_size;
        if (!copy_strings(&merged)) return -1;
        free_strings(into);
    }
    *into = merged;
    return 0;
}

// ---- values

uint64_t mc_metric_pack(double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

double mc_metric_unpack(uint64_t word) {
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

uint64_t mc_metric_get_most(const mc_metric_info *info) {
    return info->is_real ? mc_metric_pack(DBL_MAX) : (uint64_t)MC_COUNT_MAX;
}

uint64_t mc_metric_make_real(uint64_t word) {
    return word == MC_COUNT_UNKNOWN ? word : mc_metric_pack((double)word);
}

double mc_metric_get_number(const mc_metric_info *info, uint64_t word) {
    if (word == MC_COUNT_UNKNOWN) return 0;
    return info->is_real ? mc_metric_unpack(word) : (double)word;
}

uint64_t mc_metric_add(const mc_metric_info *info, uint64_t a, uint64_t b) {
    if (info->is_real)
        return mc_metric_pack(fmin(mc_metric_unpack(a) + mc_metric_unpack(b), DBL_MAX));
    return mc_count_add(a, b);
}

uint64_t mc_metric_get_rest(const mc_metric_info *info, uint64_t whole, uint64_t parts) {
    if (!info->is_real) return parts < whole ? whole - parts : 0;
    double value = mc_metric_unpack(whole), rest = value - mc_metric_unpack(parts);
    return rest > ROUNDING * value ? mc_metric_pack(rest) : 0;
}

bool mc_metric_exceeds(const mc_metric_info *info, uint64_t parts, uint64_t whole) {
    if (!info->is_real) return parts > whole;
    return mc_metric_unpack(parts) * (1 - ROUNDING) > mc_metric_unpack(whole);
}

// ---- counts

int mc_metric_choose_scale(double largest) {
    int exponent = 0;
    if (!(largest > 0) || !isfinite(largest)) return 0;
    frexp(largest, &exponent);
    int scale = SCALED_BITS - exponent;
    return scale > SCALE_MOST ? SCALE_MOST : scale < -SCALE_MOST ? -SCALE_MOST : scale;
}

// Half a unit up, as lround().
static uint64_t scale_up(uint64_t word, double factor) {
    if (word == MC_COUNT_UNKNOWN) return 0;
    double count = mc_metric_unpack(word) * factor + 0.5;
    return count < COUNT_LIMIT ? (uint64_t)count : (uint64_t)COUNT_LIMIT;
}

uint64_t mc_metric_get_count(const mc_metric_info *info, uint64_t word) {
    if (info->is_real) return scale_up(word, ldexp(1, info->scale));
    return word == MC_COUNT_UNKNOWN ? 0 : word;
}

void mc_metric_get_counts(const mc_metric_info *info, uint64_t *words, uint32_t count) {
    if (info->is_real) {
        double factor = ldexp(1, info->scale);
        for (uint32_t i = 0; i < count; i++)
            words[i] = scale_up(words[i], factor);
    } else if (!info->is_additive) { // of an additive one every value is known
        for (uint32_t i = 0; i < count; i++)
            words[i] = words[i] == MC_COUNT_UNKNOWN ? 0 : words[i];
    }
}

uint64_t mc_metric_get_word(const mc_metric_info *info, uint64_t count) {
    return info->is_real ? mc_metric_pack(ldexp((double)count, -info->scale)) : count;
}

double mc_metric_scale_back(const mc_metric_info *info, double count) {
    return info->is_real ? ldexp(count, -info->scale) : count;
}

double mc_metric_get_least_change(const mc_metric_info *info) {
    if (info->unit != MC_UNIT_RATIO || !info->is_real) return 0;
    return ldexp(LEAST_CHANGE, info->scale);
}
