// mct_claim.h - the right to write an .mct file: one program at a time has it.
//
// A claim is a lock on the file, which its holder's end gives back, whatever that is. Whoever
// writes an .mct file under a name that a user gave holds one, from before it looks at what is
// there until the writer is destroyed: SQLite's own locks, which it takes for each step, would not
// keep two programs from thinking that a name is theirs. Where the file system knows no locks, a
// writer notices another one at the next step.
// Threads: separate objects may be used in parallel.
#pragma once
#include "engine/base/file_target.h"

typedef struct mc_mct_claim {
    char *path;    // of the file, with all links resolved
    int lock;      // open on it; -1: no claim
    bool is_empty; // there is no trace: the file was made now, or left by a start that failed
} mc_mct_claim;

// Makes the file if there is none, and takes back what a killed writer left in one. What is there
// and no .mct file is left as it is: MC_ERROR_IO, as for a file that somebody else is writing.
mc_result mc_mct_claim_begin(mc_mct_claim *claim, const char *name, mc_error *error);

// Gives the finished file `target`, whose writer is destroyed, the claimed file's name. No journal
// of the file before stays beside it, at no moment, and nobody adds to that file meanwhile.
mc_result mc_mct_claim_replace(mc_mct_claim *claim, mc_file_target *target, mc_error *error);

// Gives it a name that no file has, which takes no claim: whatever ends the program, there is no
// file or a whole one. MC_ERROR_IO and *is_taken: somebody has made one, to be claimed and
// replaced.
mc_result mc_mct_claim_name(mc_file_target *target, bool *is_taken, mc_error *error);

// For who wrote into the claimed file itself, when the writer is destroyed: what was committed is
// on disk.
mc_result mc_mct_claim_sync(mc_mct_claim *claim, mc_error *error);

// Gives the claim back, after the writer's end: closing any descriptor of a file drops the locks
// that SQLite has. Unless `keeps` is set, a file that was empty when it was claimed goes again.
// Safe on a zeroed or ended claim.
void mc_mct_claim_end(mc_mct_claim *claim, bool keeps);
