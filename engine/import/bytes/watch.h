// watch.h - lets the thread that started an import follow the progress of the reading threads, and
// stop them.
//
// Threads: all members, any thread.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mc_import_watch {
    _Atomic uint64_t done; // bytes of input read so far, all files together
    atomic_bool stop;      // who reads then ends soon, with MC_ERROR_CANCELLED
} mc_import_watch;

static inline void mc_import_watch_add(mc_import_watch *watch, uint64_t size) {
    if (watch) atomic_fetch_add_explicit(&watch->done, size, memory_order_relaxed);
}

static inline bool mc_import_watch_should_stop(mc_import_watch *watch) {
    return watch && atomic_load_explicit(&watch->stop, memory_order_relaxed);
}
