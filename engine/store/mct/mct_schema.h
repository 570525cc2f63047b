// mct_schema.h - the SQL of an .mct file; for the trace module's own files only.
// docs/reference/mct.md says what the tables mean.
#pragma once

extern const char *const mc_mct_schema[]; // statements, NULL behind the last
extern const char mc_mct_node_table[];    // the one of them that creates the table `node`
extern const char *const mc_mct_paths_schema[], *const mc_mct_damages_schema[];
extern const char *const mc_mct_referrers_schema[]; // likewise, of what only some files have
extern const char *const mc_mct_limits_schema[];    // likewise
extern const char *const mc_mct_held_schema[];      // likewise
extern const char *const mc_mct_notes_schema[];     // likewise
extern const char *const mc_mct_programs_schema[];  // likewise
extern const char *const mc_mct_liveness_schema[];
extern const char *const mc_mct_owners_schema[]; // likewise
