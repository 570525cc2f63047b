// metrics.h - the table of metrics that a trace owns, and the arithmetic of their values.
//
// A metric is a number per node and step. Every trace has objects and bytes; its input may bring
// more. Values are 64-bit words: whole numbers up to MC_COUNT_MAX or, for a real metric, the bits
// of a double that is finite and not negative. Both sort as unsigned words, so columns of words
// serve both. MC_COUNT_UNKNOWN is neither: the input gives no value. Additive: an inner node's
// value is the sum of its children's. Not additive: every node has its own value, or none. Over a
// range of steps, a stock's value is the last one, a flow's is the sum. Threads: reading a table
// from any thread.
#pragma once
#include "engine/base/base.h"

#define MC_COUNT_UNKNOWN UINT64_MAX // a value that the input does not have
#define MC_COUNT_MAX INT64_MAX      // the largest whole number

// Both are at most that, and so is what is returned: their sum is below 2^64.
static inline uint64_t mc_count_add(uint64_t a, uint64_t b) {
    return a + b < MC_COUNT_MAX ? a + b : MC_COUNT_MAX;
}

typedef uint32_t mc_metric; // index in a trace's table
enum {
    MC_METRIC_OBJECTS,
    MC_METRIC_BYTES,
    MC_METRIC_FIRST_OWN // from here on: what not every trace has
};
#define MC_METRIC_MOST 62 // in a table: with room for the presence of nodes, one bit each in 64

typedef enum mc_unit {
    MC_UNIT_NONE,
    MC_UNIT_COUNT,
    MC_UNIT_BYTES,
    MC_UNIT_TIME, // milliseconds, as all times of a trace
    MC_UNIT_RATIO,
    MC_UNIT_END
} mc_unit;

typedef enum mc_metric_kind {
    MC_METRIC_STOCK,
    MC_METRIC_FLOW,
    MC_METRIC_KIND_COUNT
} mc_metric_kind;

// As inputs name them; each ends with NULL.
extern const char *const mc_unit_names[], *const mc_metric_kind_names[];

// What an input has said of a metric; the rest is as if it had said the least.
enum {
    MC_METRIC_SAYS_TITLE = 1,
    MC_METRIC_SAYS_UNIT = 2,
    MC_METRIC_SAYS_KIND = 4,
    MC_METRIC_SAYS_ADDITIVE = 8, // not said: additive as long as all values are whole numbers
    MC_METRIC_SAYS_ALL = 15
};

typedef struct mc_metric_info {
    const char *key, *title; // UTF-8, a NUL behind
    size_t key_size, title_size;
    mc_unit unit;
    mc_metric_kind kind;
    bool is_additive;
    bool is_real;
    uint32_t says; // MC_METRIC_SAYS_*
    int scale;     // of a real metric of a trace: its counts are its values times 2^scale
} mc_metric_info;

// Of heaps whose objects have stable ids: how many objects the first step does not have.
#define MC_METRIC_NEW "new"
// Of recordings of samples (old_objects.h): how many of those objects are alive, and the heap's
// size after collections, of the root alone.
#define MC_METRIC_OLD_OBJECTS "old_objects"
// What was allocated since the recording began, whether it is alive or not: it rises in any
// program, so nobody judges its growth.
#define MC_METRIC_ALLOCATED_SO_FAR "allocated_so_far"
#define MC_METRIC_HEAP_AFTER_GC "heap_after_gc"
// Of the root alone, where a trace's time counts bytes that were allocated and freed: how many. It
// stands still while nothing is.
#define MC_METRIC_BYTE_CLOCK "byte_clock"
// Of the root alone: the most bytes that were alive since the step before.
#define MC_METRIC_MOST_SINCE "most"
// Of the root alone, of recordings that have sums of a run and no more: 1 at its peak, 0 at its
// end.
#define MC_METRIC_AT_PEAK "at_peak"

// Zero-initialise; deinit.
typedef struct mc_metrics {
    mc_metric_info *items; // with strings of their own
    size_t capacity;
    uint32_t count;
} mc_metrics;

void mc_metrics_deinit(mc_metrics *metrics);
void mc_metrics_clear(mc_metrics *metrics); // keeps the memory of the table

// Objects and bytes, as every trace has them. False: out of memory.
bool mc_metrics_add_base(mc_metrics *metrics);

// Adds a copy of `info`. MC_NONE: out of memory, or there are MC_METRIC_MOST.
mc_metric mc_metrics_add(mc_metrics *metrics, const mc_metric_info *info);
// The first `count` stay.
void mc_metrics_forget(mc_metrics *metrics, uint32_t count);
bool mc_metrics_copy(mc_metrics *to, const mc_metrics *from); // `to` is zeroed; false: no memory

mc_metric mc_metrics_find(const mc_metrics *metrics, const char *key, size_t size); // or MC_NONE

// The description of a metric that the input uses without declaring it. Retained and closure sizes
// are predefined; any other is a stock without a unit, additive as long as its values are whole.
// The strings are the caller's.
mc_metric_info mc_metric_info_of_key(const char *key, size_t size);
extern const char mc_metric_retained[], mc_metric_closure[]; // keys

// Merges into `known` what `info` says of the same metric, and whether it is real. Returns the
// properties in which they contradict each other (MC_METRIC_SAYS_*), leaving `known` as it was; 0:
// none; -1: out of memory.
int mc_metric_info_merge(mc_metric_info *known, const mc_metric_info *info);

// ---- values

uint64_t mc_metric_pack(double value); // finite, not negative
double mc_metric_unpack(uint64_t word);

uint64_t mc_metric_get_most(const mc_metric_info *info); // the largest value there can be

// A value as a number; MC_COUNT_UNKNOWN as 0.
double mc_metric_get_number(const mc_metric_info *info, uint64_t word);
// A whole number's word as that of a real one.
uint64_t mc_metric_make_real(uint64_t word);

// Both known. The sum of whole numbers is at most MC_COUNT_MAX, that of real ones finite.
uint64_t mc_metric_add(const mc_metric_info *info, uint64_t a, uint64_t b);
// `whole` minus `parts`, never less than 0; for real numbers, a rest within the rounding error is
// 0.
uint64_t mc_metric_get_rest(const mc_metric_info *info, uint64_t whole, uint64_t parts);
// Whether `parts` exceed `whole` by more than the rounding error.
bool mc_metric_exceeds(const mc_metric_info *info, uint64_t parts, uint64_t whole);

// ---- counts: values as whole numbers, for what draws and compares

// A scale at which `largest` becomes about 2^40: sums of a million stay below 2^63.
int mc_metric_choose_scale(double largest);
// Whole numbers as they are, real ones rounded to the metric's scale; unknown ones are 0.
uint64_t mc_metric_get_count(const mc_metric_info *info, uint64_t word);
void mc_metric_get_counts(const mc_metric_info *info, uint64_t *words, uint32_t count);
// The word that a count stands for.
uint64_t mc_metric_get_word(const mc_metric_info *info, uint64_t count);
// Back again: of a count, a difference of counts, or a mean of them.
double mc_metric_scale_back(const mc_metric_info *info, double count);
// The least change shown in full colour where no change is larger, as a difference of counts: ten
// percentage points for a ratio, whose whole is known; 0 for all other metrics.
double mc_metric_get_least_change(const mc_metric_info *info);
