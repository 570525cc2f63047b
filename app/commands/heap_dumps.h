// heap_dumps.h - code shared by commands that query heap dumps directly: opening dumps, finding
// groups by key, warning about incomplete dumps.
//
// Errors are printed on stderr; functions return MC_EXIT_OK or the exit code. Threads: the main
// thread.
#pragma once
#include "app/command.h"
#include "engine/import/heap_file.h"

typedef struct mc_dump_options {
    const char *group_by, *collections, *binary;
    bool partial;
    mc_grouping grouping; // of group_by, once it is read
} mc_dump_options;

void mc_option_list_add_dumps(mc_option_list *list, mc_dump_options *options);
int mc_dump_options_read(mc_dump_options *options);

typedef struct mc_dump {
    const char *path;
    int64_t time_ms; // what its header says
    uint32_t index;  // among what was given
} mc_dump;

// Lists the dumps by time; dumps of equal time keep their order. Rejects a trace (.mct), which has
// no objects. The caller frees them with mc_free().
int mc_dumps_list(const char *const *paths, uint32_t count, const char *command, mc_dump **dumps);

// Whether it is an .mct file, or a recording that knows paths like one. What can't be read is none.
bool mc_dump_is_trace(const char *path);

// With progress on a terminal. Opened, groups can be looked for, unless data structures are among
// the criteria (mc_dump_has_groups()); linked, all can be asked. To be closed in any case.
int mc_dump_open(mc_heap_file *file, const mc_dump *dump, const mc_dump_options *options);
int mc_dump_link(mc_heap_file *file);
bool mc_dump_has_groups(const mc_dump_options *options); // before it is linked
// Finds the group with this full key or unique end of one, like mc_find_key(). MC_NONE: there is
// none; `hint` lists groups that may have been meant.
int mc_dump_find_group(const mc_heap *heap, const char *option, const char *key, uint32_t *group,
                       mc_text *hint);
// Prints that no dump has such a group.
int mc_dump_fail_group(const char *option, const char *key, uint32_t dump_count,
                       const mc_text *hint);
// Says what makes answers less than they seem: MC_EXIT_BAD_INPUT if the dump is damaged, and is not
// meant to be.
int mc_dump_tell_limits(const mc_heap_file *file, const mc_dump *dump,
                        const mc_dump_options *options);
