#include "engine/import/json/json_reader.h"

#include "engine/base/memory.h"
#include "engine/import/json/json_reader_state.h"

mc_json_reader *mc_json_reader_create(void) {
    mc_json_reader *reader = mc_alloc_zero(1, sizeof *reader);
    if (!reader) return NULL;
    if (!mc_json_tokens_init(&reader->tokens)) {
        mc_json_reader_destroy(reader);
        return NULL;
    }
    return reader;
}

void mc_json_reader_destroy(mc_json_reader *reader) {
    if (!reader) return;
    mc_json_tokens_deinit(&reader->tokens);
    mc_strings_deinit(&reader->roles);
    mc_free(reader->role_places);
    mc_json_pattern_deinit(&reader->pattern);
    mc_free(reader->frames);
    mc_free(reader->classifiers);
    mc_free(reader);
}

void mc_json_reader_set_watch(mc_json_reader *reader, mc_import_watch *watch, bool is_counted) {
    reader->tokens.watch = watch;
    reader->tokens.is_counted = is_counted;
}

void mc_json_reader_set_piece_size(mc_json_reader *reader, size_t size) {
    reader->tokens.piece_size = size;
}

void mc_json_reader_forbid_patterns(mc_json_reader *reader, bool is_forbidden) {
    reader->forbids_patterns = is_forbidden;
}

size_t mc_json_reader_get_read_size(const mc_json_reader *reader) {
    return reader->tokens.seen;
}

bool mc_json_reader_get_time(const mc_json_reader *reader, int64_t *time_ms) {
    *time_ms = reader->time_ms;
    return reader->has_time;
}
