#include "engine/import/dhat/dhat.h"

#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include "engine/import/stacks/line_reader.h"
#include "engine/trace/notes.h"
#include <inttypes.h>
#include <string.h>

#define VERSION 2
#define DETECT_SIZE 400 // in which the version stands

// The numbers of a place of the program, by their names in the file.
enum { TB, TBK, TL, GB, GBK, EB, EBK, RB, WB, NUMBER_COUNT };
static const char *const number_names[NUMBER_COUNT] = {"tb", "tbk", "tl", "gb", "gbk",
                                                       "eb", "ebk", "rb", "wb"};

typedef struct place {
    uint64_t numbers[NUMBER_COUNT];
    uint32_t frames_begin, frame_count;
    uint64_t offset;
} place;

typedef struct parser {
    const mc_profile_input *input;
    mc_profile *profile;
    mc_error *error;
    mc_json_tokens tokens;
    place *places;
    size_t place_count, place_capacity;
    uint32_t *frames; // of the places, as numbers of the file's table
    size_t frame_count, frame_capacity;
    int64_t version;
    uint64_t end, peak; // in the file's unit
    double unit_ms;     // that one of it is
    bool has_lifetimes; // at least one place says what was alive at the peak
    bool has_accesses;  // likewise what was read
    bool is_instructions;
} parser;

static bool fail_memory(parser *self) {
    return mc_json_fail_memory(&self->tokens);
}

static bool take_count(parser *self, uint64_t *count) {
    int64_t number;
    if (!mc_json_take_integer(&self->tokens, 0, &number)) return false;
    *count = (uint64_t)number;
    return true;
}

// ---- lists

typedef bool (*take_item)(parser *self, void *user);

static bool take_list(parser *self, take_item take, void *user) {
    if (!mc_json_take(&self->tokens, '[')) return mc_json_fail(&self->tokens, "a list");
    if (mc_json_take(&self->tokens, ']')) return true;
    do {
        if (!take(self, user)) return false;
    } while (mc_json_take(&self->tokens, ','));
    return mc_json_take(&self->tokens, ']') || mc_json_fail(&self->tokens, "',' or ']'");
}

static bool take_frame_number(parser *self, void *user) {
    place *p = user;
    uint64_t number;
    if (!take_count(self, &number)) return false;
    if (number >= MC_NONE) return mc_json_fail(&self->tokens, "the number of a frame");
    if (self->frame_count >= MC_NONE / 2 ||
        !mc_reserve(&self->frames, &self->frame_capacity, self->frame_count + 1,
                    sizeof *self->frames))
        return fail_memory(self);
    self->frames[self->frame_count++] = (uint32_t)number;
    p->frame_count++;
    return true;
}

static bool take_place_member(parser *self, mc_json_string name, place *p) {
    for (int i = 0; i < NUMBER_COUNT; i++)
        if (mc_json_string_is(name, number_names[i])) {
            self->has_lifetimes |= i == GB;
            self->has_accesses |= i == RB;
            return take_count(self, &p->numbers[i]);
        }
    if (mc_json_string_is(name, "fs")) return take_list(self, take_frame_number, p);
    return mc_json_skip_value(&self->tokens);
}

static bool take_place(parser *self, void *user) {
    mc_json_string name;
    mc_json_member member;
    place p = {.frames_begin = (uint32_t)self->frame_count,
               .offset = mc_json_get_offset(&self->tokens)};
    (void)user;
    if (!mc_json_take(&self->tokens, '{'))
        return mc_json_fail(&self->tokens, "an object, a place of the program");
    for (bool is_first = true;
         (member = mc_json_next_member(&self->tokens, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false)
        if (!take_place_member(self, name, &p)) return false;
    if (member == MC_JSON_FAILED) return false;
    if (!mc_reserve(&self->places, &self->place_capacity, self->place_count + 1, sizeof p))
        return fail_memory(self);
    self->places[self->place_count++] = p;
    return true;
}

static bool take_frame(parser *self, void *user) {
    mc_json_string text;
    (void)user;
    if (!mc_json_take_string(&self->tokens, "a frame as a text", &text)) return false;
    char *stored = mc_profile_store(self->profile, text.size + 1);
    if (!stored) return fail_memory(self);
    memcpy(stored, text.bytes, text.size);
    mc_site_frame frame = mc_span_parse_valgrind((mc_span){stored, text.size});
    return mc_profile_add_frame(self->profile, frame) != MC_NONE || fail_memory(self);
}

// ---- the document

static bool take_unit(parser *self) {
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"instrs", 1e-6}, {"\xc2\xb5s", 1e-3}, {"us", 1e-3}, {"ms", 1}, {"s", 1e3}};
    mc_json_string unit;
    if (!mc_json_take_string(&self->tokens, "a unit of time", &unit)) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (mc_json_string_is(unit, units[i].name)) self->unit_ms = units[i].ms;
    self->is_instructions = mc_json_string_is(unit, "instrs");
    return true;
}

static bool take_version(parser *self) {
    if (!mc_json_take_integer(&self->tokens, 0, &self->version)) return false;
    if (self->version == VERSION) return true;
    return mc_json_fail_at(&self->tokens, mc_json_get_place(&self->tokens),
                           "DHAT file of version %" PRId64 "; memcity reads version %d",
                           self->version, VERSION);
}

static bool take_member(parser *self, mc_json_string name) {
    if (mc_json_string_is(name, "dhatFileVersion")) return take_version(self);
    if (mc_json_string_is(name, "tu")) return take_unit(self);
    if (mc_json_string_is(name, "te")) return take_count(self, &self->end);
    if (mc_json_string_is(name, "tg")) return take_count(self, &self->peak);
    if (mc_json_string_is(name, "pps")) return take_list(self, take_place, NULL);
    if (mc_json_string_is(name, "ftbl")) return take_list(self, take_frame, NULL);
    return mc_json_skip_value(&self->tokens);
}

static bool take_document(parser *self) {
    mc_json_string name;
    mc_json_member member;
    if (!mc_json_take(&self->tokens, '{')) return mc_json_fail(&self->tokens, "an object");
    for (bool is_first = true;
         (member = mc_json_next_member(&self->tokens, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false)
        if (!take_member(self, name)) return false;
    return member == MC_JSON_END && mc_json_take_end(&self->tokens);
}

// ---- steps

enum { OBJECTS, BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, LIFETIMES, READ, WRITTEN, NEVER_READ };

static const mc_path_metric metrics[MC_PATH_METRIC_MOST + 1] = {
    [OBJECTS] = MC_SITES_OBJECTS,
    [BYTES] = MC_SITES_BYTES,
    [ALLOCATED_OBJECTS] = {"alloc_objects", "objects allocated in the whole run", MC_UNIT_COUNT,
                           false, MC_METRIC_STOCK},
    [ALLOCATED_BYTES] = {"alloc_bytes", "bytes allocated in the whole run", MC_UNIT_BYTES, false,
                         MC_METRIC_STOCK},
    [LIFETIMES] = {"lifetimes", "lifetimes of all objects together", MC_UNIT_NONE, false,
                   MC_METRIC_STOCK},
    [READ] = {"read_bytes", "bytes read in the whole run", MC_UNIT_BYTES, false, MC_METRIC_STOCK},
    [WRITTEN] = {"written_bytes", "bytes written in the whole run", MC_UNIT_BYTES, false,
                 MC_METRIC_STOCK},
    [NEVER_READ] = {"never_read", "bytes allocated where they are written and never read",
                    MC_UNIT_BYTES, false, MC_METRIC_STOCK},
};

static const mc_path_metric at_peak = MC_PROFILE_AT_PEAK;

static mc_result add_place(parser *self, const place *p, bool is_peak) {
    const uint64_t *n = p->numbers;
    uint64_t values[MC_PATH_METRIC_MOST] = {
        [OBJECTS] = n[is_peak ? GBK : EBK],
        [BYTES] = n[is_peak ? GB : EB],
        [ALLOCATED_OBJECTS] = n[TBK],
        [ALLOCATED_BYTES] = n[TB],
        [LIFETIMES] = n[TL],
        [READ] = n[RB],
        [WRITTEN] = n[WB],
        [NEVER_READ] = self->has_accesses && n[WB] > 0 && n[RB] == 0 ? n[TB] : 0};
    for (uint32_t i = 0; i < p->frame_count; i++) {
        uint32_t frame = self->frames[p->frames_begin + i];
        if (frame >= self->profile->frame_count)
            return mc_error_set(self->error, MC_ERROR_BAD_DATA, p->offset,
                                "DHAT file: a place names the frame %" PRIu32 ", and there are %zu",
                                frame, self->profile->frame_count);
        if (!mc_profile_push_frame(self->profile, frame))
            return mc_error_out_of_memory(self->error);
    }
    return mc_profile_add_sample(self->profile, values, NULL, p->offset)
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static mc_result add_step(parser *self, bool is_peak, const int64_t *time_ms) {
    mc_profile_step step = {.time_ms = time_ms ? *time_ms : 0,
                            .has_time = time_ms != NULL,
                            .note = is_peak ? MC_NOTE_PEAK : NULL,
                            .totals = {is_peak}};
    if (!mc_profile_add_step(self->profile, step)) return mc_error_out_of_memory(self->error);
    for (size_t i = 0; i < self->place_count; i++) {
        mc_result result = add_place(self, &self->places[i], is_peak);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result add_steps(parser *self) {
    if (self->version != VERSION || self->profile->frame_count == 0)
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, 0,
                            "DHAT file: it lacks dhatFileVersion or ftbl");
    // Each run has a clock of its own, and ends as a program does: only the ends are comparable.
    if (self->input->is_of_several) return add_step(self, false, NULL);
    if (self->is_instructions)
        self->profile->warning = "it counts instructions; a million of them is shown as a "
                                 "millisecond; it says no times";
    int64_t peak_ms = (int64_t)((double)self->peak * self->unit_ms);
    int64_t end_ms = (int64_t)((double)self->end * self->unit_ms);
    if (end_ms <= peak_ms && self->has_lifetimes) end_ms = peak_ms + 1;
    if (self->has_lifetimes) self->profile->totals[0] = at_peak;
    mc_result result = self->has_lifetimes ? add_step(self, true, &peak_ms) : MC_OK;
    return result == MC_OK ? add_step(self, false, &end_ms) : result;
}

mc_result mc_dhat_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error) {
    mc_error own = {.code = MC_OK};
    parser self = {
        .input = input, .profile = profile, .error = error ? error : &own, .unit_ms = 1e-6};
    mc_result result = MC_OK;
    memcpy(profile->metrics, metrics, sizeof metrics);
    profile->totals[1].key = NULL;
    if (!mc_json_tokens_init(&self.tokens)) return mc_error_out_of_memory(error);
    mc_json_tokens_begin(&self.tokens, input->data, input->size, 0, self.error);
    self.tokens.watch = input->watch;
    if (!take_document(&self))
        result = self.error->code == MC_OK ? MC_ERROR_BAD_DATA : self.error->code;
    if (result == MC_OK) result = add_steps(&self);
    mc_json_tokens_deinit(&self.tokens);
    mc_free(self.places);
    mc_free(self.frames);
    return result;
}

// ---- averages

static bool add_average(mc_step_tree *tree, uint32_t metric, uint32_t sum, uint32_t count,
                        size_t node) {
    uint64_t all = mc_step_tree_get_value(tree, sum, node);
    uint64_t of = mc_step_tree_get_value(tree, count, node);
    if (of == 0 || of == MC_COUNT_UNKNOWN || all == MC_COUNT_UNKNOWN) return true;
    return mc_step_tree_set_value(tree, metric, (uint32_t)node,
                                  mc_metric_pack((double)all / (double)of));
}

mc_result mc_dhat_complete(mc_step_tree *tree, mc_error *error) {
    static const mc_metric_info infos[] = {{.key = "lifetime",
                                            .title = "average lifetime of an object",
                                            .key_size = 8,
                                            .title_size = 29,
                                            .unit = MC_UNIT_NONE,
                                            .is_real = true,
                                            .says = MC_METRIC_SAYS_ALL},
                                           {.key = "reads_per_byte",
                                            .title = "how often a byte is read",
                                            .key_size = 14,
                                            .title_size = 24,
                                            .unit = MC_UNIT_NONE,
                                            .is_real = true,
                                            .says = MC_METRIC_SAYS_ALL}};
    // Without objects and bytes, which every node has.
    enum { OWN = ALLOCATED_OBJECTS };
    uint32_t lifetime = mc_step_tree_add_metric(tree, &infos[0]);
    uint32_t reads = mc_step_tree_add_metric(tree, &infos[1]);
    if (lifetime == MC_NONE || reads == MC_NONE) return mc_error_out_of_memory(error);
    for (size_t node = 0; node < tree->node_count; node++)
        if (!add_average(tree, lifetime, LIFETIMES - OWN, ALLOCATED_OBJECTS - OWN, node) ||
            !add_average(tree, reads, READ - OWN, ALLOCATED_BYTES - OWN, node))
            return mc_error_out_of_memory(error);
    return MC_OK;
}

bool mc_dhat_detect(const unsigned char *data, size_t size) {
    static const char *const wanted[] = {"\"dhatFileVersion\"", NULL};
    return mc_json_detect(data, size, DETECT_SIZE, wanted);
}
