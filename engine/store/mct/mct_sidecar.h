// mct_sidecar.h - checks the files that lie beside an .mct file, and limits what SQLite may do with
// them; for the trace module's own files only.
//
// A writer that was killed leaves a rollback journal, FILE-journal. SQLite plays it back before
// anybody reads the file, and it does so for every journal of that name. In the same way it looks
// for a write-ahead log (FILE-wal), and it deletes the file that a journal names as its
// super-journal. memcity writes no super-journal and no log, so a file that has one was made by
// another program. Paths are those that SQLite uses: with all links resolved. Threads: all
// functions, any thread.
#pragma once
#include "engine/base/base.h"

// Fails if something lies beside `path` that no .mct file has: a log; or a journal that is not a
// regular file, belongs to a user who may not write the file, names further files, or is not a
// journal at all.
mc_result mc_mct_sidecar_check(const char *path, mc_error *error);

// Whether there is a journal that has any content.
bool mc_mct_sidecar_has_journal(const char *path);

// Removes the journal, if there is one. Only for a file that has no content or is about to be
// replaced; the journal must have been checked. On return it is on disk that no journal is left,
// whoever removed it.
mc_result mc_mct_sidecar_remove(const char *path, mc_error *error);

// The name of a VFS that works like SQLite's own, but opens no journal that fails the check above,
// and no log or super-journal at all. So none of the above happens even if a journal appears after
// the check. NULL: memory is out.
const char *mc_mct_sidecar_get_vfs(void);
