// process_maps.h - reads which memory a process has mapped, and which of its pages are resident.
//
// From /proc/PID/smaps and /proc/PID/pagemap: no process is stopped for it, and smaps is not one
// moment's either. Threads: any, separate objects.
#pragma once
#include "engine/base/text.h"

// The text of /proc/PID/smaps, behind what `text` has. MC_ERROR_UNSUPPORTED: there is no such
// process, or it is not ours to look at; MC_ERROR_IO: it can't be read.
mc_result mc_process_maps_read(uint32_t pid, mc_text *text, mc_error *error);

typedef struct mc_process_pages {
    int fd; // -1: single pages can't be looked at
    uint64_t page_size;
} mc_process_pages;

void mc_process_pages_init(mc_process_pages *pages, uint32_t pid);
void mc_process_pages_deinit(mc_process_pages *pages);

// As of mc_resident_pages; `user`: mc_process_pages. Of more than 4 GiB at once it says nothing,
// because that takes too long.
bool mc_process_pages_count(void *user, uint64_t begin, uint64_t end, uint64_t *bytes);
