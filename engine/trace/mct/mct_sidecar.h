// mct_sidecar.h - what lies beside an .mct file, and what SQLite may do with it; for the trace
// module's own files only.
//
// A writer that was killed leaves a rollback journal, FILE-journal. SQLite takes back what is in it
// before anybody reads the file, and it does so for every file of that name: it looks for a
// write-ahead log (FILE-wal) in the same way, and deletes what a journal calls its super-journal.
// memcity writes no super-journal and no log, so a file that has one was made by somebody else.
// Paths are those that SQLite uses: with all links resolved.
// Threads: all functions, any thread.
#pragma once
#include "engine/base/base.h"

// Says what lies beside `path` that no .mct file has: a log, or a journal that is no regular file,
// that belongs to somebody who may not write the file, that names further files, or that is none.
mc_result mc_mct_sidecar_check(const char *path, mc_error *error);

// Whether there is a journal that has any content.
bool mc_mct_sidecar_has_journal(const char *path);

// Removes the journal, if there is one: only of a file that has no content, or is going to be
// replaced. It must have been checked. That there is none any more, whoever removed it, is on disk
// afterwards.
mc_result mc_mct_sidecar_remove(const char *path, mc_error *error);

// The name of a VFS that is SQLite's own, but opens no journal that fails the check above, and no
// log or super-journal at all. So none of that happens, either, if a journal comes after the check.
// NULL: memory is out.
const char *mc_mct_sidecar_get_vfs(void);
