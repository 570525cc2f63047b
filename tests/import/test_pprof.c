// Profiles of pprof: what Go wrote, and made ones.
#include "engine/import/pprof/pprof.h"
#include "tests/import/profile_case.h"

// ---- a maker

typedef struct maker {
    unsigned char bytes[4096];
    size_t size;
} maker;

static void put_varint(maker *m, uint64_t value) {
    for (; value >= 128; value >>= 7)
        m->bytes[m->size++] = (unsigned char)(value | 128);
    m->bytes[m->size++] = (unsigned char)value;
}

static void put_number(maker *m, uint32_t field, uint64_t value) {
    put_varint(m, field << 3);
    put_varint(m, value);
}

static void put_bytes(maker *m, uint32_t field, const void *bytes, size_t size) {
    put_varint(m, field << 3 | 2);
    put_varint(m, size);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static void put_message(maker *m, uint32_t field, const maker *message) {
    put_bytes(m, field, message->bytes, message->size);
}

static void put_pair(maker *m, uint32_t field, uint64_t first, uint64_t second) {
    maker pair = {.size = 0};
    put_number(&pair, 1, first);
    put_number(&pair, 2, second);
    put_message(m, field, &pair);
}

static void put_texts(maker *m, const char *const *texts) {
    for (; *texts; texts++)
        put_bytes(m, 6, *texts, strlen(*texts));
}

// A sample of locations and values, one a field, as some writers do, or packed.
static void put_sample(maker *m, bool is_packed, const uint64_t *locations, size_t location_count,
                       const uint64_t *values, size_t value_count) {
    maker sample = {.size = 0}, packed[2] = {{.size = 0}, {.size = 0}};
    for (size_t i = 0; i < location_count; i++) {
        if (is_packed)
            put_varint(&packed[0], locations[i]);
        else
            put_number(&sample, 1, locations[i]);
    }
    for (size_t i = 0; i < value_count; i++) {
        if (is_packed)
            put_varint(&packed[1], values[i]);
        else
            put_number(&sample, 2, values[i]);
    }
    for (uint32_t i = 0; i < 2 && is_packed; i++)
        put_message(&sample, i + 1, &packed[i]);
    put_message(m, 2, &sample);
}

static void put_location(maker *m, uint64_t id, uint64_t mapping, uint64_t address,
                         const uint64_t (*lines)[2], size_t line_count) {
    maker location = {.size = 0};
    put_number(&location, 1, id);
    put_number(&location, 2, mapping);
    put_number(&location, 3, address);
    for (size_t i = 0; i < line_count; i++)
        put_pair(&location, 4, lines[i][0], lines[i][1]);
    put_message(m, 4, &location);
}

static void put_function(maker *m, uint64_t id, uint64_t name, uint64_t file) {
    maker function = {.size = 0};
    put_number(&function, 1, id);
    put_number(&function, 2, name);
    put_number(&function, 4, file);
    put_message(m, 5, &function);
}

static const char *const texts[] = {"",        "inuse_space", "bytes",     "add",
                                    "shop.go", "load",        "thread",    "main",
                                    "cpu",     "nanoseconds", "/bin/shop", NULL};

// Texts last, ids far apart, an inlined function, an address without a function, a label.
static maker make_profile(bool is_packed) {
    maker m = {.size = 0}, label = {.size = 0}, sample = {.size = 0}, mapping = {.size = 0};
    put_pair(&m, 1, 1, 2);
    put_pair(&m, 1, 8, 9);
    put_sample(&m, is_packed, (uint64_t[]){700, 3}, 2, (uint64_t[]){4096, 5000000}, 2);
    put_number(&sample, 1, 3);
    put_number(&sample, 2, 10);
    put_number(&sample, 2, 0);
    put_number(&label, 1, 6);
    put_number(&label, 2, 7);
    put_message(&sample, 3, &label);
    put_message(&m, 2, &sample);
    put_location(&m, 700, 0, 0x10, (const uint64_t[][2]){{9, 12}, {1, 30}}, 2);
    put_location(&m, 3, 1, 0x20, NULL, 0);
    put_function(&m, 9, 3, 4);
    put_function(&m, 1, 5, 4);
    put_number(&mapping, 1, 1);
    put_number(&mapping, 5, 10);
    put_message(&m, 3, &mapping);
    put_number(&m, 9, UINT64_C(1700000000123456789));
    put_texts(&m, texts);
    return m;
}

// ---- tests

static bool is_text(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) &&
           (text.size == 0 || memcmp(text.at, wanted, text.size) == 0);
}

static void test_made(void) {
    mc_import_desc desc = {.path_count = 0};
    for (int is_packed = 0; is_packed < 2; is_packed++) {
        maker m = make_profile(is_packed);
        mc_profile p = {.frames = NULL};
        mc_profile_input input = {.data = m.bytes, .size = m.size, .path = "x", .desc = &desc};
        CHECK(mc_pprof_detect(m.bytes, m.size));
        REQUIRE(mc_pprof_parse(&input, &p, &error) == MC_OK);
        CHECK(strcmp(p.metrics[0].key, "bytes") == 0 && strcmp(p.metrics[1].key, "cpu") == 0);
        CHECK(p.metrics[1].unit == MC_UNIT_TIME && p.metrics[1].is_real && !p.metrics[2].key);
        CHECK(p.step_count == 1 && p.steps[0].has_time && p.steps[0].time_ms == 1700000000123);
        REQUIRE(p.sample_count == 2 && p.samples[0].frame_count == 3);
        const mc_site_frame *f = &p.frames[p.stack_frames[0]];
        CHECK(is_text(f->function, "add") && is_text(f->file, "shop.go") && f->line == 12);
        CHECK(is_text(p.frames[p.stack_frames[1]].function, "load"));
        f = &p.frames[p.stack_frames[2]];
        CHECK(f->function.size == 0 && f->address == 0x20 && is_text(f->module, "/bin/shop"));
        CHECK(p.values[0] == 4096 && mc_metric_unpack(p.values[1]) == 5 && p.values[2] == 10);
        CHECK(p.samples[1].label_count == 1 && is_text(p.labels[0].key, "thread") &&
              is_text(p.labels[0].value, "main"));
        mc_profile_deinit(&p);
    }
}

// What a sample stands for is said in bytes, or is not known.
static void test_sampling(void) {
    mc_import_desc desc = {.path_count = 0};
    static const struct {
        uint64_t unit, sampling; // a text
    } cases[] = {{2, 524288}, {9, MC_PROFILE_SAMPLING_UNTOLD}, {99, MC_PROFILE_SAMPLING_UNTOLD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        maker m = make_profile(true);
        mc_profile p = {.frames = NULL};
        put_pair(&m, 11, 1, cases[i].unit);
        put_number(&m, 12, 524288);
        mc_profile_input input = {.data = m.bytes, .size = m.size, .path = "x", .desc = &desc};
        REQUIRE(mc_pprof_parse(&input, &p, &error) == MC_OK);
        CHECK(p.sampling == cases[i].sampling && p.sample_count == 2);
        mc_profile_deinit(&p);
    }
}

static void check_bad(void (*change)(maker *m), const char *wanted) {
    maker m = {.size = 0};
    put_pair(&m, 1, 1, 2);
    put_texts(&m, texts);
    change(&m);
    check_bad_profile(mc_pprof_parse, m.bytes, m.size, wanted);
}

static void add_few_values(maker *m) {
    put_sample(m, true, NULL, 0, NULL, 0);
}
static void add_many_values(maker *m) {
    put_sample(m, true, NULL, 0, (uint64_t[]){1, 2}, 2);
}
static void add_negative(maker *m) {
    put_sample(m, true, NULL, 0, (uint64_t[]){(uint64_t)-5}, 1);
}
static void add_unknown_location(maker *m) {
    put_sample(m, true, (uint64_t[]){7}, 1, (uint64_t[]){1}, 1);
}
static void add_unknown_function(maker *m) {
    put_location(m, 1, 0, 0, (const uint64_t[][2]){{5, 1}}, 1);
}
static void add_unknown_text(maker *m) {
    put_function(m, 1, 99, 0);
    put_location(m, 1, 0, 0, (const uint64_t[][2]){{1, 1}}, 1);
}
static void add_twice(maker *m) {
    put_function(m, 5, 1, 0);
    put_function(m, 5, 1, 0);
}
static void add_wrong_kind(maker *m) {
    put_number(m, 4, 1);
}
static void add_cut(maker *m) {
    put_varint(m, 4 << 3 | 2);
    put_varint(m, 1000);
}
static void add_sums(maker *m) {
    put_sample(m, true, NULL, 0, (uint64_t[]){MC_COUNT_MAX}, 1);
    put_sample(m, true, NULL, 0, (uint64_t[]){MC_COUNT_MAX}, 1);
}

static void test_bad(void) {
    check_bad(add_few_values, "fewer values than there are kinds");
    check_bad(add_many_values, "more values than there are kinds");
    check_bad(add_negative, "a negative value");
    check_bad(add_unknown_location, "no location with the id 7");
    check_bad(add_unknown_function, "no function with the id 5");
    check_bad(add_unknown_text, "text 99 is named, and there are 11");
    check_bad(add_twice, "an id comes twice");
    check_bad(add_wrong_kind, "of the wrong kind");
    check_bad(add_cut, "a field that ends within its message");
    check_bad(add_sums, "more than 2^63 - 1");
    check_bad_profile(mc_pprof_parse, "", 0, "no kind of values");
}

// A small file whose stacks would take gigabytes.
static void test_bomb(void) {
    enum { LINES = 1000, REFERENCES = 100000 };
    maker types = {.size = 0};
    size_t size = 0;
    unsigned char *bytes = malloc((size_t)LINES * 8 + REFERENCES * 2 + 4096);
    maker location = {.size = 0}, head = {.size = 0};
    REQUIRE(bytes);
    put_pair(&types, 1, 1, 2);
    put_texts(&types, texts);
    memcpy(bytes, types.bytes, types.size);
    size = types.size;
    put_number(&location, 1, 1);
    for (int i = 0; i < LINES; i++)
        put_bytes(&location, 4, "", 0);
    put_message(&head, 4, &location);
    memcpy(bytes + size, head.bytes, head.size);
    size += head.size;
    maker sample = {.size = 0};
    put_varint(&sample, 2 << 3 | 2);
    put_varint(&sample, REFERENCES + 1 + 3); // with the packed field's head
    put_varint(&sample, 1 << 3 | 2);
    put_varint(&sample, REFERENCES);
    memcpy(bytes + size, sample.bytes, sample.size);
    size += sample.size;
    memset(bytes + size, 1, REFERENCES);
    size += REFERENCES;
    check_bad_profile(mc_pprof_parse, bytes, size, "many more frames");
    free(bytes);
}

static void test_detect(void) {
    static const char *const other[] = {"", "{\"a\": 1}", "\n\x02hi", "a;b 5\n", "heap profile: "};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK_MSG(!mc_pprof_detect((const unsigned char *)other[i], strlen(other[i])), "%zu", i);
    mc_inflate_buffer file = load_profile("go-5.pb.gz");
    for (size_t size = 20; size <= file.size; size++)
        CHECK(mc_pprof_detect(file.data, size));
    mc_inflate_buffer_deinit(&file);
}

int main(void) {
    test_made();
    test_sampling();
    test_bad();
    test_bomb();
    test_detect();
    try_profile(mc_pprof_parse, "go-1.pb.gz");
    try_profile(mc_pprof_parse, "go-5.pb.gz");
    return test_finish();
}
