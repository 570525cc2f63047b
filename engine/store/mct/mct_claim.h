// mct_claim.h - the exclusive right to write an .mct file: one program at a time holds it.
//
// A claim is a lock on the file that is released when its owner ends, however it ends. A program
// that writes an .mct file under a name given by the user holds a claim, from before it looks at
// the existing file until the writer is destroyed. SQLite's own locks do not suffice: SQLite takes
// them for each step, so two programs could both believe that the name is theirs. On a file system
// without locks, a writer notices another one at the next step. Threads: separate objects may be
// used in parallel.
#pragma once
#include "engine/base/file_target.h"

typedef struct mc_mct_claim {
    char *path;    // of the file, with all links resolved
    int lock;      // open on it; -1: no claim
    bool is_empty; // there is no trace: the file was made now, or left by a start that failed
} mc_mct_claim;

// Creates the file if it does not exist, and rolls back what a killed writer left in it. An
// existing file that is no .mct file is left as it is: MC_ERROR_IO, as for a file that another
// program is writing.
mc_result mc_mct_claim_begin(mc_mct_claim *claim, const char *name, mc_error *error);

// Renames the finished file `target`, whose writer is destroyed, to the claimed name. At no moment
// does a journal of the old file lie beside it, and nobody can append to the old file meanwhile.
mc_result mc_mct_claim_replace(mc_mct_claim *claim, mc_file_target *target, mc_error *error);

// Gives `target` a name that no file has yet, which needs no claim. However the program ends, there
// is either no file or a complete one. MC_ERROR_IO and *is_taken: another program has created a
// file of that name, which must be claimed and replaced.
mc_result mc_mct_claim_name(mc_file_target *target, bool *is_taken, mc_error *error);

// For callers that wrote into the claimed file itself, after the writer is destroyed: makes sure
// that what was committed is on disk.
mc_result mc_mct_claim_sync(mc_mct_claim *claim, mc_error *error);

// Releases the claim. Call it after the writer is destroyed, because closing any descriptor of a
// file drops the locks that SQLite holds on it. Unless `keeps` is set, a file that was empty when
// it was claimed is removed. Safe on a zeroed or ended claim.
void mc_mct_claim_end(mc_mct_claim *claim, bool keeps);
