#include "engine/import/memray/memray_import.h"

#include "engine/import/memray/memray.h"
#include "engine/import/memray/memray_records.h"

static mc_result create_recording(const mc_film_source *source, void **recording, mc_error *error) {
    const mc_memray_desc desc = {source->options, source->memory_most, source->path, source->log};
    mc_memray *reader;
    mc_result result = mc_memray_create(&desc, &reader, error);
    *recording = reader;
    return result;
}

static void destroy_recording(void *recording) {
    mc_memray_destroy(recording);
}

static mc_result feed(void *recording, const unsigned char *data, size_t size, mc_error *error) {
    return mc_memray_feed(recording, data, size, error);
}

static mc_result finish(void *recording, bool *is_cut, mc_error *error) {
    return mc_memray_finish(recording, is_cut, error);
}

static mc_result next_step(void *recording, const char *end_missing, mc_step_tree *tree,
                           bool *is_there, mc_error *error) {
    return mc_memray_next_step(recording, end_missing, tree, is_there, error);
}

const mc_film_reader mc_memray_film = {
    .cut_off = "its memray recording is cut off: what happened later is not known",
    .create = create_recording,
    .destroy = destroy_recording,
    .feed = feed,
    .finish = finish,
    .next_step = next_step};

static mc_result create(const mc_import_context *context, void **reader, mc_error *error) {
    return mc_film_importer_create(context, &mc_memray_film, reader, error);
}

static mc_format_match detect(const unsigned char *data, size_t size) {
    return mc_memray_detect(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;
}

const mc_format mc_memray_format = {.id = "memray",
                                    .title = "memray recordings",
                                    .help = "recordings of every allocation in Python, as a film",
                                    .record =
                                        "memray run -o FILE.bin PROGRAM.py, memray attach PID",
                                    .options = "--moments, --depth, --library-frames, --symbols, "
                                               "--partial",
                                    .extensions = {".bin"},
                                    .detect = detect,
                                    .create = create,
                                    .read = mc_film_importer_read,
                                    .destroy = mc_film_importer_destroy};
