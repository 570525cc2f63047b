// owners.h - how many distinct groups own a structure's objects at one step: of one, that is where
// to look; of hundreds, no single one is.
//
// Pure CPU code. An owner is a leaf outside the structure whose objects reference objects of it,
// not only weakly. Whether a reference is weak is known where the step's fields are; elsewhere each
// one counts. GC roots are no owners. Threads: any.
#pragma once
#include "engine/analyze/links.h"

// A part of a structure's objects that is nearly all of them.
#define MC_OWNERS_MOST 0.9

typedef struct mc_owners {
    bool is_known;      // the step has references; otherwise all else is 0
    uint32_t count;     // distinct owners
    uint32_t weak_only; // leaves that reference it only weakly; 0 where fields are not known
    // So few owners, the strongest first, have MC_OWNERS_MOST of all that owners reference; an
    // object that two of them reference counts twice. 0: no pointer map tells how many objects.
    uint32_t most_count;
    uint32_t strongest;         // the owner that references most of its objects; MC_NONE: none
    uint64_t strongest_objects; // so many of them, at most what there are
    double strongest_share;     // of all objects of the structure, 0 to 1
} mc_owners;

// `links`: all incoming ones, as mc_link_finder_find() has left them. O(links and their fields).
mc_owners mc_owners_count(const mc_links *links);
