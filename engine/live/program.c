#include "engine/live/program.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const mc_program *x = a, *y = b;
    if (x->start_ticks != y->start_ticks) return x->start_ticks < y->start_ticks ? -1 : 1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

void mc_program_sort(mc_program *programs, uint32_t count) {
    if (count > 1) qsort(programs, count, sizeof *programs, compare);
}
