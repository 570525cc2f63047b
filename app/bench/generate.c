#include "app/bench/generate.h"

#include "engine/base/memory.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DOCUMENT_PIECE_SIZE (1u << 20) // bytes of a document that are gathered before a write

// How a leaf's count goes through time.
typedef enum leaf_kind {
    KIND_STEADY,
    KIND_GROWING,
    KIND_SOARING, // growing strongly
    KIND_SHRINKING,
    KIND_COMING_AND_GOING
} leaf_kind;

// Streams of random numbers.
enum {
    STREAM_DISTRICT_SIZE = 1,
    STREAM_DISTRICT_NAME,
    STREAM_LEAF_NAME,
    STREAM_LEAF_SIZE,
    STREAM_LEAF_KIND,
    STREAM_NOISE,
    STREAM_PRESENCE,
    STREAM_TIME
};

struct mc_generator {
    mc_generate_desc desc;
    uint32_t district_count;
    uint32_t *leaf_end; // per district: its leaves are contiguous, up to this one
    // Per leaf.
    uint8_t *kind;
    uint32_t *object_size; // bytes
    double *base, *slope;
    // Names of the districts, then of the leaves: name i is text[name_offset[i] .. [i + 1]).
    mc_text names;
    size_t *name_offset;
    // The current step.
    uint32_t step_index;
    int64_t time_ms;
    uint64_t *objects;                           // per leaf
    uint64_t *district_objects, *district_bytes; // sums
    uint64_t total_objects, total_bytes;
};

// A mix of three numbers and the seed, so that any number of any stream can be had at any time.
static uint32_t hash(uint32_t seed, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t words[3] = {a, b, c};
    uint32_t h = seed ^ 0x9e3779b9u;
    for (int i = 0; i < 3; i++) {
        h = (h ^ words[i]) * 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        h += 0x6d2b79f5u;
    }
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ h >> 15;
}

static uint32_t draw(const mc_generator *generator, uint32_t stream, uint32_t index,
                     uint32_t number) {
    return hash(generator->desc.seed, stream, index, number);
}

// Between 0 and 1, never either.
static double draw_share(const mc_generator *generator, uint32_t stream, uint32_t index,
                         uint32_t number) {
    return ((double)draw(generator, stream, index, number) + 0.5) / 4294967296.0;
}

// A Pareto distribution with alpha = 4/3: u^-0.75, in operations that are exactly rounded.
static double get_pareto(double u) {
    return 1 / (sqrt(u) * sqrt(sqrt(u)));
}

static double round_half_up(double value) {
    double whole = floor(value);
    return value - whole >= 0.5 ? whole + 1 : whole;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

// ---- names

static const char *const domains[] = {"java",        "javax",    "com.acme",   "org.apache",
                                      "org.eclipse", "io.netty", "com.google", "scala",
                                      "kotlin",      "net.shop"};
static const char *const topics[] = {"util",   "lang",  "cache",  "http",  "model",   "store",
                                     "index",  "json",  "graph",  "query", "session", "event",
                                     "buffer", "codec", "crypto", "sql"};
static const char *const qualities[] = {
    "Linked",  "Hash",   "Concurrent", "Weak",   "Soft",      "Cached", "Lazy",   "Abstract",
    "Default", "Simple", "Direct",     "Pooled", "Immutable", "Sorted", "Shared", "Async"};
static const char *const things[] = {"Map",     "Entry",   "Node",    "List",   "String", "Buffer",
                                     "Session", "Request", "Handler", "Event",  "Record", "Token",
                                     "Key",     "Value",   "Page",    "Vertex", "Edge",   "Cursor",
                                     "Context", "Builder", "Visitor", "Task",   "Future", "Lock"};

#define PICK(words, number) ((words)[(number) % (sizeof(words) / sizeof *(words))])

static void append_number(mc_text *text, uint64_t number, unsigned base) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % base];
        number /= base;
    } while (number > 0);
    mc_text_append(text, digits + at, sizeof digits - at);
}

static void append_district_name(mc_generator *generator, uint32_t district) {
    mc_text *text = &generator->names;
    mc_text_append_string(text, PICK(domains, draw(generator, STREAM_DISTRICT_NAME, district, 0)));
    for (uint32_t i = 1; i <= 2; i++) {
        mc_text_append(text, ".", 1);
        mc_text_append_string(text,
                              PICK(topics, draw(generator, STREAM_DISTRICT_NAME, district, i)));
    }
    append_number(text, district, 10);
}

static void append_leaf_name(mc_generator *generator, uint32_t leaf) {
    mc_text *text = &generator->names;
    mc_text_append_string(text, PICK(qualities, draw(generator, STREAM_LEAF_NAME, leaf, 0)));
    mc_text_append_string(text, PICK(things, draw(generator, STREAM_LEAF_NAME, leaf, 1)));
    append_number(text, leaf, 36);
    // spread over all districts, and by no random number, so that all else is the same
    if ((uint64_t)leaf * generator->desc.renamed % 100 < generator->desc.renamed)
        mc_text_append_string(text, "Too");
}

static bool make_names(mc_generator *generator) {
    uint32_t count = generator->district_count + generator->desc.leaf_count;
    for (uint32_t i = 0; i < count; i++) {
        generator->name_offset[i] = generator->names.size;
        if (i < generator->district_count)
            append_district_name(generator, i);
        else
            append_leaf_name(generator, i - generator->district_count);
    }
    generator->name_offset[count] = generator->names.size;
    return !generator->names.failed;
}

// ---- what never changes with time

static mc_result share_leaves_out(mc_generator *generator, mc_error *error) {
    uint32_t leaf_count = generator->desc.leaf_count, count = generator->district_count;
    double *weight = mc_alloc(count, sizeof *weight), sum = 0;
    if (!weight) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = smaller(get_pareto(draw_share(generator, STREAM_DISTRICT_SIZE, i, 0)), 60);
        sum += weight[i];
    }
    uint32_t given = 0, *size = generator->leaf_end;
    assert(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        size[i] = 1 + (uint32_t)floor((double)(leaf_count - count) * weight[i] / sum);
        given += size[i];
    }
    // What rounding down has left, one each.
    for (uint32_t i = 0; given < leaf_count; i = (i + 1) % count) {
        size[i]++;
        given++;
    }
    for (uint32_t i = 1; i < count; i++)
        size[i] += size[i - 1];
    mc_free(weight);
    return MC_OK;
}

static leaf_kind get_kind(uint32_t percent) {
    if (percent < 68) return KIND_STEADY;
    if (percent < 78) return KIND_GROWING;
    if (percent < 80) return KIND_SOARING;
    return percent < 85 ? KIND_SHRINKING : KIND_COMING_AND_GOING;
}

static void make_leaves(mc_generator *generator) {
    for (uint32_t i = 0; i < generator->desc.leaf_count; i++) {
        leaf_kind kind = get_kind(draw(generator, STREAM_LEAF_KIND, i, 0) % 100);
        bool is_small = draw(generator, STREAM_LEAF_SIZE, i, 1) % 100 < 80;
        uint32_t multiple = draw(generator, STREAM_LEAF_SIZE, i, 2);
        uint32_t object_size = is_small ? 16 + 8 * (multiple % 9) : 24 + 8 * (multiple % 130);
        // No building hides the city: a leaf has at most about 1.5 % of the heap.
        double most = 20 * (double)generator->desc.leaf_count / object_size;
        if (kind == KIND_SOARING) most /= 4;
        double objects = 2 * get_pareto(draw_share(generator, STREAM_LEAF_SIZE, i, 0));
        generator->kind[i] = (uint8_t)kind;
        generator->object_size[i] = object_size;
        generator->base[i] = 2 + floor(smaller(objects, most));
        generator->slope[i] = draw_share(generator, STREAM_LEAF_KIND, i, 1);
    }
}

static bool allocate(mc_generator *generator) {
    size_t leaf_count = generator->desc.leaf_count, count = generator->district_count;
    generator->leaf_end = mc_alloc(count, sizeof *generator->leaf_end);
    generator->district_objects = mc_alloc(count, sizeof *generator->district_objects);
    generator->district_bytes = mc_alloc(count, sizeof *generator->district_bytes);
    generator->kind = mc_alloc(leaf_count, sizeof *generator->kind);
    generator->object_size = mc_alloc(leaf_count, sizeof *generator->object_size);
    generator->base = mc_alloc(leaf_count, sizeof *generator->base);
    generator->slope = mc_alloc(leaf_count, sizeof *generator->slope);
    generator->objects = mc_alloc(leaf_count, sizeof *generator->objects);
    generator->name_offset = mc_alloc(leaf_count + count + 1, sizeof *generator->name_offset);
    return generator->leaf_end && generator->district_objects && generator->district_bytes &&
           generator->kind && generator->object_size && generator->base && generator->slope &&
           generator->objects && generator->name_offset;
}

mc_result mc_generator_create(const mc_generate_desc *desc, mc_generator **out, mc_error *error) {
    assert(desc->leaf_count >= 1 && desc->leaf_count <= MC_GENERATE_MAX_LEAVES);
    assert(desc->step_count >= 1 && desc->step_count <= MC_GENERATE_MAX_STEPS);
    mc_generator *generator = mc_alloc_zero(1, sizeof *generator);
    if (!generator) return mc_error_out_of_memory(error);
    generator->desc = *desc;
    generator->district_count = (uint32_t)round_half_up(sqrt(desc->leaf_count)); // at least 1
    if (!allocate(generator) || share_leaves_out(generator, NULL) != MC_OK ||
        !make_names(generator)) {
        mc_generator_destroy(generator);
        return mc_error_out_of_memory(error);
    }
    make_leaves(generator);
    mc_generator_set_step(generator, 0);
    *out = generator;
    return MC_OK;
}

void mc_generator_destroy(mc_generator *generator) {
    if (!generator) return;
    mc_free(generator->leaf_end);
    mc_free(generator->district_objects);
    mc_free(generator->district_bytes);
    mc_free(generator->kind);
    mc_free(generator->object_size);
    mc_free(generator->base);
    mc_free(generator->slope);
    mc_free(generator->objects);
    mc_free(generator->name_offset);
    mc_text_deinit(&generator->names);
    mc_free(generator);
}

// ---- a step

static bool is_present(const mc_generator *generator, uint32_t leaf, uint32_t step) {
    // At least at one step, wherever that is.
    uint32_t sure = draw(generator, STREAM_PRESENCE, leaf, UINT32_MAX);
    return step == sure % generator->desc.step_count ||
           draw(generator, STREAM_PRESENCE, leaf, step) % 100 < 50;
}

static uint64_t get_objects(const mc_generator *generator, uint32_t leaf, uint32_t step) {
    uint32_t last = generator->desc.step_count - 1;
    double time = last > 0 ? (double)step / last : 0, slope = generator->slope[leaf];
    double noise = 0.97 + 0.06 * draw_share(generator, STREAM_NOISE, leaf, step);
    double objects = generator->base[leaf];
    switch ((leaf_kind)generator->kind[leaf]) {
    case KIND_STEADY: objects = objects * noise; break;
    case KIND_GROWING: objects = objects * (1 + 0.8 * slope * time) * noise; break;
    case KIND_SOARING: objects = objects * (1 + (2 + 8 * slope) * time); break;
    case KIND_SHRINKING: objects = objects * (1 - 0.9 * slope * time) * noise; break;
    case KIND_COMING_AND_GOING:
        if (!is_present(generator, leaf, step)) return 0;
        objects = objects * noise;
        break;
    }
    objects = round_half_up(objects);
    return objects < 1 ? 1 : (uint64_t)objects;
}

void mc_generator_set_step(mc_generator *generator, uint32_t step_index) {
    assert(generator && step_index < generator->desc.step_count);
    generator->step_index = step_index;
    generator->time_ms = 400;
    for (uint32_t i = 0; i <= step_index; i++)
        generator->time_ms += 600 + draw(generator, STREAM_TIME, i, 0) % 900;
    generator->total_objects = generator->total_bytes = 0;
    uint32_t leaf = 0;
    for (uint32_t i = 0; i < generator->district_count; i++) {
        uint64_t objects = 0, bytes = 0;
        for (; leaf < generator->leaf_end[i]; leaf++) {
            uint64_t count = get_objects(generator, leaf, step_index);
            generator->objects[leaf] = count;
            objects += count;
            bytes += count * generator->object_size[leaf];
        }
        generator->district_objects[i] = objects;
        generator->district_bytes[i] = bytes;
        generator->total_objects += objects;
        generator->total_bytes += bytes;
    }
}

// ---- as a tree

// `name` as in name_offset; MC_NONE: the root. False if memory is out.
static bool add_node(const mc_generator *generator, mc_step_tree *tree, uint32_t name,
                     mc_step_node node) {
    const char *text =
        name == MC_NONE ? "Heap" : generator->names.data + generator->name_offset[name];
    size_t size =
        name == MC_NONE ? 4 : generator->name_offset[name + 1] - generator->name_offset[name];
    node.key_offset = node.name_offset = tree->text.size;
    node.key_size = node.name_size = (uint32_t)size;
    mc_text_append(&tree->text, text, size);
    return mc_step_tree_add(tree, node) != MC_NONE;
}

static bool add_district(const mc_generator *generator, mc_step_tree *tree, uint32_t district) {
    uint32_t parent = (uint32_t)tree->node_count;
    uint32_t leaf = district > 0 ? generator->leaf_end[district - 1] : 0;
    bool fits = add_node(generator, tree, district,
                         (mc_step_node){.parent = 0,
                                        .role = 0,
                                        .objects = generator->district_objects[district],
                                        .bytes = generator->district_bytes[district]});
    for (; fits && leaf < generator->leaf_end[district]; leaf++) {
        uint64_t objects = generator->objects[leaf];
        if (objects == 0) continue;
        fits = add_node(generator, tree, generator->district_count + leaf,
                        (mc_step_node){.parent = parent,
                                       .role = 1,
                                       .objects = objects,
                                       .bytes = objects * generator->object_size[leaf]});
    }
    return fits;
}

mc_result mc_generator_fill_tree(const mc_generator *generator, mc_step_tree *tree,
                                 mc_error *error) {
    assert(generator);
    mc_step_tree_reset(tree);
    tree->time_ms = generator->time_ms;
    bool fits = mc_strings_intern(&tree->roles, "Package", 7) == 0 &&
                mc_strings_intern(&tree->roles, "Type", 4) == 1 &&
                add_node(generator, tree, MC_NONE,
                         (mc_step_node){.parent = MC_NONE,
                                        .role = MC_NONE,
                                        .objects = generator->total_objects,
                                        .bytes = generator->total_bytes});
    for (uint32_t i = 0; fits && i < generator->district_count; i++)
        if (generator->district_objects[i] > 0) fits = add_district(generator, tree, i);
    return fits && !tree->text.failed ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_generate_steps(const mc_generate_desc *desc, const mc_import_sink *sink,
                            const mc_progress *progress, mc_error *error) {
    mc_generator *generator = NULL;
    mc_step_tree tree = {0};
    mc_result result = mc_generator_create(desc, &generator, error);
    for (uint32_t step = 0; result == MC_OK && step < desc->step_count; step++) {
        if (step > 0) mc_generator_set_step(generator, step);
        result = mc_generator_fill_tree(generator, &tree, error);
        if (result == MC_OK) result = sink->add_step(sink->user, &tree, "generated", error);
        if (result == MC_OK && !mc_progress_report(progress, step + 1, desc->step_count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    mc_step_tree_deinit(&tree);
    mc_generator_destroy(generator);
    return result;
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    return mc_trace_builder_add_step(user, tree, source, error);
}

mc_result mc_generate_trace(const mc_generate_desc *desc, const mc_progress *progress,
                            mc_trace **trace, mc_error *error) {
    mc_trace_builder *builder = NULL;
    *trace = NULL;
    mc_result result = mc_trace_builder_create(NULL, &builder, error);
    mc_import_sink sink = {.add_step = add_step, .user = builder};
    if (result == MC_OK) result = mc_generate_steps(desc, &sink, progress, error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, error);
    mc_trace_builder_destroy(builder);
    return result;
}

// ---- as a document

#define APPEND(text, literal) mc_text_append((text), (literal), sizeof(literal) - 1)

static void append_name(const mc_generator *generator, mc_text *text, uint32_t name) {
    size_t begin = generator->name_offset[name], end = generator->name_offset[name + 1];
    mc_text_append(text, generator->names.data + begin, end - begin);
}

static void append_counts(mc_text *text, uint64_t bytes, uint64_t objects) {
    APPEND(text, ",\"bytes\":");
    append_number(text, bytes, 10);
    APPEND(text, ",\"objects\":");
    append_number(text, objects, 10);
    APPEND(text, ",\"transitiveClosureSize\":-1,\"retainedSize\":-1");
}

static void append_district(const mc_generator *generator, mc_text *text, uint32_t district) {
    APPEND(text, "{\"key\":\"");
    append_name(generator, text, district);
    APPEND(text, "\",\"fullKey\":[\"Heap\",\"");
    append_name(generator, text, district);
    APPEND(text, "\"],\"fullKeyAsString\":\"Heap#");
    append_name(generator, text, district);
    APPEND(text, "\",\"classifierId\":0");
    append_counts(text, generator->district_bytes[district], generator->district_objects[district]);
    APPEND(text, ",\"children\":[");
}

static void append_leaf(const mc_generator *generator, mc_text *text, uint32_t district,
                        uint32_t leaf) {
    uint32_t name = generator->district_count + leaf;
    uint64_t objects = generator->objects[leaf];
    APPEND(text, "{\"key\":\"");
    append_name(generator, text, name);
    APPEND(text, "\",\"fullKey\":[\"Heap\",\"");
    append_name(generator, text, district);
    APPEND(text, "\",\"");
    append_name(generator, text, name);
    APPEND(text, "\"],\"fullKeyAsString\":\"Heap#");
    append_name(generator, text, district);
    APPEND(text, "#");
    append_name(generator, text, name);
    APPEND(text, "\",\"classifierId\":1");
    append_counts(text, objects * generator->object_size[leaf], objects);
    APPEND(text, "}");
}

static void append_root(const mc_generator *generator, mc_text *text) {
    assert(generator);
    APPEND(text, "{\"classifiers\":[{\"name\":\"Package\",\"id\":0},{\"name\":\"Type\",\"id\":1}],"
                 "\"time\":");
    append_number(text, (uint64_t)generator->time_ms, 10);
    APPEND(text, ",\"root\":{\"key\":\"Heap\",\"fullKey\":[\"Heap\"],\"fullKeyAsString\":\"Heap\","
                 "\"classifierId\":-1");
    append_counts(text, generator->total_bytes, generator->total_objects);
    APPEND(text, ",\"children\":[");
}

// Hands what has gathered to the stream.
static bool flush(mc_text *text, FILE *stream) {
    bool is_written = !text->failed && fwrite(text->data, 1, text->size, stream) == text->size;
    mc_text_clear(text);
    return is_written;
}

static bool write_district(const mc_generator *generator, mc_text *text, uint32_t district,
                           FILE *stream) {
    uint32_t leaf = district > 0 ? generator->leaf_end[district - 1] : 0;
    bool is_first = true, is_written = true;
    append_district(generator, text, district);
    for (; is_written && leaf < generator->leaf_end[district]; leaf++) {
        if (generator->objects[leaf] == 0) continue;
        if (!is_first) APPEND(text, ",");
        is_first = false;
        append_leaf(generator, text, district, leaf);
        if (text->size > DOCUMENT_PIECE_SIZE) is_written = flush(text, stream);
    }
    APPEND(text, "]}");
    return is_written;
}

mc_result mc_generator_write_json(const mc_generator *generator, FILE *stream, mc_error *error) {
    mc_text text = {0};
    bool is_first = true, is_written = true;
    append_root(generator, &text);
    for (uint32_t i = 0; is_written && i < generator->district_count; i++) {
        if (generator->district_objects[i] == 0) continue;
        if (!is_first) APPEND(&text, ",");
        is_first = false;
        is_written = write_district(generator, &text, i, stream);
    }
    APPEND(&text, "]}}\n");
    is_written = is_written && flush(&text, stream);
    mc_text_deinit(&text);
    if (is_written) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "can't be written: %s", strerror(errno));
}

void mc_generate_append_path(const char *directory, uint32_t step_index, mc_text *path) {
    mc_text_format(path, "%s/step_%05u.json", directory, step_index);
}

static mc_result write_file(const mc_generator *generator, const char *path, uint64_t *size,
                            mc_error *error) {
    FILE *file = fopen(path, "wb");
    if (!file)
        return mc_fail(error, MC_ERROR_IO, "%s: can't be written: %s", path, strerror(errno));
    mc_result result = mc_generator_write_json(generator, file, error);
    long end = ftell(file);
    if (fclose(file) != 0 && result == MC_OK)
        result = mc_fail(error, MC_ERROR_IO, "can't be written: %s", strerror(errno));
    if (result == MC_OK) *size += (uint64_t)end;
    return result == MC_OK ? MC_OK : mc_error_prepend(error, path);
}

mc_result mc_generate_files(const mc_generate_desc *desc, const char *directory,
                            const mc_progress *progress, uint64_t *size, mc_error *error) {
    mc_generator *generator = NULL;
    mc_text path = {0};
    *size = 0;
    mc_result result = mc_generator_create(desc, &generator, error);
    for (uint32_t step = 0; result == MC_OK && step < desc->step_count; step++) {
        mc_text_clear(&path);
        mc_generate_append_path(directory, step, &path);
        if (step > 0) mc_generator_set_step(generator, step);
        result = path.failed ? mc_error_out_of_memory(error)
                             : write_file(generator, path.data, size, error);
        if (result == MC_OK && !mc_progress_report(progress, step + 1, desc->step_count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    mc_text_deinit(&path);
    mc_generator_destroy(generator);
    return result;
}
