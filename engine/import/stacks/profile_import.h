// profile_import.h - what importers of profiles share: files are unpacked and parsed in a few
// threads, and become steps in the order in which they came.
//
// A format of profiles is a parser and a row in the table of formats, whose functions are those
// below. As many files are in memory as there are threads, and one more. Threads: as format.h says;
// a parser is called in any thread, several at a time.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/stacks/profile.h"

typedef struct mc_profile_input {
    const unsigned char *data; // unpacked
    size_t size;
    const char *path;
    const mc_import_desc *desc;
    mc_import_watch *watch; // to end early
    bool is_of_several;     // other files are read as well
} mc_profile_input;

typedef struct mc_profile_kind {
    // Fills `profile`, which is clear. Errors: MC_ERROR_BAD_DATA with the offset in the data.
    mc_result (*parse)(const mc_profile_input *input, mc_profile *profile, mc_error *error);
    // Completes a step's tree: metrics that follow from others. NULL: there is nothing. Called in
    // the importing thread.
    mc_result (*complete)(mc_step_tree *tree, mc_error *error);
    bool has_addresses; // of which files of the user may know more (symbols.h)
} mc_profile_kind;

mc_result mc_profile_importer_create(const mc_import_context *context, const mc_profile_kind *kind,
                                     void **reader, mc_error *error);
// As of mc_format.
mc_result mc_profile_importer_read(void *reader, const mc_source_file *file, mc_file_map *mapping,
                                   mc_error *error);
mc_result mc_profile_importer_flush(void *reader, mc_error *error);
void mc_profile_importer_destroy(void *reader);

// Defines what is the same in all such formats: create() and detect() for its row of mc_format.
// Behind DETECT the members of its mc_profile_kind.
#define MC_PROFILE_FORMAT(DETECT, ...)                                                          \
    static const mc_profile_kind kind = {__VA_ARGS__};                                          \
    static mc_result create(const mc_import_context *context, void **reader, mc_error *error) { \
        return mc_profile_importer_create(context, &kind, reader, error);                       \
    }                                                                                           \
    static mc_format_match detect(const unsigned char *data, size_t size) {                     \
        return DETECT(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;                        \
    }                                                                                           \
    _Static_assert(true, "a semicolon follows")

// ---- for tests, and whoever has no files

// Makes steps of a profile's samples. Zero-initialise but for the first two; deinit.
typedef struct mc_profile_steps {
    const mc_profile *profile;
    mc_stack_sites *sites;      // of the profile's metrics
    struct mc_symbols *symbols; // of addresses; NULL: nothing is known of them
    const char *path;           // the profile's; for that
    // By the profile's frames: theirs among the sites', those of several in `found`; scratch.
    struct mc_profile_found *places;
    uint32_t *found;
    size_t found_count, found_capacity;
    uint64_t frame_count, unnamed_count; // looked at; of these: of which but an address is known
    uint32_t *stack;
    size_t stack_capacity;
} mc_profile_steps;

mc_result mc_profile_steps_fill_tree(mc_profile_steps *steps, uint32_t step_index,
                                     mc_step_tree *tree, mc_error *error);
void mc_profile_steps_deinit(mc_profile_steps *steps);

// Settings of the groups, as the import has them; the metrics are the profile's.
mc_stack_sites_desc mc_profile_get_sites_desc(const mc_profile *profile,
                                              const mc_import_desc *desc);
