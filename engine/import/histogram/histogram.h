// histogram.h - reads class histograms of JVMs, the output of `jcmd PID GC.class_histogram` and
// `jmap -histo`; one or many in a text.
//
// Reads those of JDK 8 and later, HotSpot and OpenJ9. Any text may stand between histograms; a date
// there is the time of the next one. Classes of the same name (from several loaders) are summed if
// the grouping does not distinguish them. Untrusted input: errors are MC_ERROR_BAD_DATA with the
// byte offset and what was expected; no byte outside of the given ones is read. Memory: the classes
// seen so far. Threads: one object serves one thread at a time; it keeps its memory from text to
// text.
#pragma once
#include "engine/import/jvm/grouping.h"

// Whether a text that begins like this holds a class histogram.
bool mc_histogram_detect(const unsigned char *data, size_t size);
#define MC_HISTOGRAM_DETECT_SIZE 65536 // bytes that tell it

typedef struct mc_histogram {
    uint64_t offset; // where it begins in the text
    bool has_time;   // the text says when it was made
    int64_t time_ms;
    bool is_partial; // it is cut off, or rows are missing
} mc_histogram;

typedef struct mc_histogram_reader mc_histogram_reader;

mc_result mc_histogram_reader_create(const mc_grouping *grouping, mc_histogram_reader **reader,
                                     mc_error *error);
void mc_histogram_reader_destroy(mc_histogram_reader *reader); // NULL is fine

// Another text, which must stay until it was read.
void mc_histogram_reader_begin(mc_histogram_reader *reader, const unsigned char *data, size_t size);

// Reads the next histogram into `tree`, whose time is the caller's to set. Behind the last one
// *is_there is false. With `partial`, one without its end is taken as far as it goes. After
// MC_ERROR_BAD_DATA the next call goes on with the histogram behind the bad one. O(bytes).
mc_result mc_histogram_reader_next(mc_histogram_reader *reader, bool partial, bool *is_there,
                                   mc_histogram *histogram, mc_step_tree *tree, mc_error *error);
