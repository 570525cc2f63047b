#include "engine/import/heaptrack/heaptrack_import.h"

#include "engine/import/heaptrack/heaptrack.h"

static mc_result create_recording(const mc_film_source *source, void **recording, mc_error *error) {
    mc_heaptrack *reader;
    mc_result result = mc_heaptrack_create(source->options, source->memory_most, &reader, error);
    *recording = reader;
    return result;
}

static void destroy_recording(void *recording) {
    mc_heaptrack_destroy(recording);
}

static mc_result feed(void *recording, const unsigned char *data, size_t size, mc_error *error) {
    return mc_heaptrack_feed(recording, data, size, error);
}

static mc_result finish(void *recording, bool *is_cut, mc_error *error) {
    return mc_heaptrack_finish(recording, is_cut, error);
}

static mc_result next_step(void *recording, const char *end_missing, mc_step_tree *tree,
                           bool *is_there, mc_error *error) {
    return mc_heaptrack_next_step(recording, end_missing, tree, is_there, error);
}

const mc_film_reader mc_heaptrack_film = {
    .cut_off = "its heaptrack recording is cut off: what happened later is not known",
    .create = create_recording,
    .destroy = destroy_recording,
    .feed = feed,
    .finish = finish,
    .next_step = next_step};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_film_importer_create(context, &mc_heaptrack_film, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_heaptrack_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_heaptrack_format = {
    .id = "heaptrack",
    .title = "heaptrack recordings",
    .help = "recordings of every allocation in C, C++ or Rust, as a film",
    .record = "heaptrack PROGRAM, heaptrack -p PID",
    .options = "--moments, --depth, --library-frames, --partial",
    .extensions = {".heaptrack", ".zst", ".gz"},
    .is_text = true,
    .detect = detect,
    .create = create,
    .read = mc_film_importer_read,
    .destroy = mc_film_importer_destroy};
