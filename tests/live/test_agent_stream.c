// test_agent_stream - an agent's stream, cut at every byte, and with every allocation failing.
//
// What its frames mean is tested from outside, by tests/live/sender.py.
#include "engine/base/memory.h"
#include "engine/live/agent/agent_command.h"
#include "engine/live/agent/site_steps.h"
#include "tests/test.h"

static mc_text sent; // a stream

static void put(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; i++)
        mc_text_append(&sent, (const char[]){(char)(value >> (8 * i))}, 1);
}

static void put_string(const char *string) {
    put(strlen(string), 2);
    mc_text_append_string(&sent, string);
}

static size_t begin_frame(mc_agent_type type) {
    size_t begin = sent.size;
    put(0, 4);
    put(type, 1);
    return begin;
}

static void end_frame(size_t begin) {
    size_t size = sent.size - begin - 4;
    for (size_t i = 0; i < 4; i++)
        sent.data[begin + i] = (char)(size >> (8 * i));
}

static void put_names(void) {
    size_t begin = begin_frame(MC_AGENT_CLASS);
    put(1, 4);
    put_string("[Lcom.acme.Shop$$Lambda$14/0x0000000800c03000;");
    put(0, 4);
    end_frame(begin);
    begin = begin_frame(MC_AGENT_METHOD);
    put(1, 4);
    put(1, 4);
    put_string("add");
    put_string("()V");
    put(1, 1); // native
    put_string("");
    end_frame(begin);
    begin = begin_frame(MC_AGENT_THREAD);
    put(1, 4);
    put_string("");
    end_frame(begin);
    begin = begin_frame(MC_AGENT_STACK);
    put(1, 4);
    put(2, 2);
    put(1, 4);
    put(0, 4);
    put(0, 4); // a method that is not known
    put(0, 4);
    end_frame(begin);
}

static void put_batch(uint64_t to_ns, int64_t objects, double variance) {
    uint64_t bits;
    memcpy(&bits, &variance, sizeof bits);
    size_t begin = begin_frame(MC_AGENT_ALLOC);
    put(to_ns, 8);
    put(524288, 8);
    put(1, 4);
    for (int i = 0; i < 3; i++)
        put(1, 4);
    put((uint64_t)objects, 8);
    put((uint64_t)(objects * 24), 8);
    put(5, 8);
    put(120, 8);
    put(bits, 8);
    end_frame(begin);
}

static void put_times(void) {
    size_t begin = begin_frame(MC_AGENT_TIME);
    put(10, 8);
    put(20, 8);
    put(MC_AGENT_WALL, 1);
    put(1, 4);
    put(1, 4);
    put(1, 4);
    put(7, 8);
    put(2, 8);
    end_frame(begin);
}

static void make_stream(void) {
    size_t begin = begin_frame(MC_AGENT_HELLO);
    put(MC_AGENT_VERSION, 2);
    put(4711, 4);
    put(1000, 8);
    put(5000000, 8);
    put_string("runtime");
    put_string("program");
    put(3, 4);
    end_frame(begin);
    put_names();
    put_batch(6000000, 5, 100.0);
    put_times();
    put_batch(9000000, -2, -99.5);
    REQUIRE(!sent.failed);
}

typedef struct outcome {
    mc_result result;
    uint32_t event_count;
    uint64_t objects, bytes, time_ns;
    double variance;
    bool is_cut;
} outcome;

static mc_result take_all(mc_agent_stream *stream, mc_agent_names *names, mc_site_steps *steps,
                          outcome *found, mc_error *error) {
    for (;;) {
        mc_agent_event event;
        bool is_there;
        mc_result result = mc_agent_stream_next(stream, &event, &is_there, error);
        if (result != MC_OK || !is_there) return result;
        found->event_count++;
        if (event.type == MC_AGENT_TIME && event.count == 1)
            found->time_ns = event.times[0].ns + event.times[0].calls;
        result = mc_agent_names_take(names, &event, error);
        if (result == MC_OK) result = mc_site_steps_take(steps, &event, error);
        if (result != MC_OK) return result;
    }
}

static void look_at(mc_site_steps *steps, outcome *found, mc_error *error) {
    mc_step_tree tree = {0};
    if (found->result == MC_OK) found->result = mc_site_steps_fill_tree(steps, &tree, error);
    if (found->result == MC_OK) {
        found->objects = tree.nodes[0].objects;
        found->bytes = tree.nodes[0].bytes;
        if (tree.metrics.count > 1)
            found->variance = mc_metric_unpack(mc_step_tree_get_value(&tree, 1, 0));
    }
    mc_step_tree_deinit(&tree);
}

// The first `size` bytes of the stream, in pieces.
static outcome read_stream(size_t size, size_t piece) {
    outcome found = {.result = MC_OK};
    mc_agent_stream stream = {0};
    mc_agent_names names = {0};
    mc_site_steps *steps = NULL;
    mc_error error = {.code = MC_OK};
    mc_site_desc desc = {.names = &names, .domains = "org.*", .every_ns = 1000000000};
    found.result = mc_site_steps_create(&desc, &steps, &error);
    for (size_t at = 0; at < size && found.result == MC_OK;) {
        size_t room = 0, count = size - at < piece ? size - at : piece;
        unsigned char *bytes = mc_agent_stream_get_room(&stream, &room);
        if (!bytes) {
            found.result = MC_ERROR_OUT_OF_MEMORY;
            break;
        }
        REQUIRE(room >= count);
        memcpy(bytes, sent.data + at, count);
        mc_agent_stream_add(&stream, count);
        at += count;
        found.result = take_all(&stream, &names, steps, &found, &error);
    }
    found.is_cut = stream.size > stream.taken;
    if (steps) look_at(steps, &found, &error);
    mc_site_steps_destroy(steps);
    mc_agent_names_deinit(&names);
    mc_agent_stream_deinit(&stream);
    return found;
}

static void test_pieces(void) {
    for (size_t piece = 1; piece < 40; piece++) {
        outcome found = read_stream(sent.size, piece);
        CHECK(found.result == MC_OK && !found.is_cut && found.event_count == 8);
        CHECK(found.time_ns == 9);
        CHECK(found.objects == 3 && found.bytes == 72 && found.variance == 0.5);
    }
}

static void test_cuts(void) {
    uint32_t whole_count = 0;
    for (size_t size = 0; size <= sent.size; size++) {
        outcome found = read_stream(size, size);
        CHECK(found.result == MC_OK && found.event_count <= 8);
        whole_count += !found.is_cut;
    }
    CHECK(whole_count == 9); // at the ends of frames, and before all
}

static void test_failing_memory(void) {
    uint64_t count = 0;
    for (outcome found = {.result = MC_ERROR_OUT_OF_MEMORY}; found.result != MC_OK; count++) {
        mc_memory_fail_after(count);
        found = read_stream(sent.size, sent.size);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(found.result == MC_OK || found.result == MC_ERROR_OUT_OF_MEMORY);
        REQUIRE(count < 10000);
    }
    CHECK(count > 10);
}

// Each byte changed: an answer, and nothing worse.
static void test_changed(void) {
    for (size_t at = 0; at < sent.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            sent.data[at] = (char)(sent.data[at] ^ (1 << bit));
            outcome found = read_stream(sent.size, sent.size);
            CHECK(found.result == MC_OK || found.result == MC_ERROR_BAD_DATA ||
                  found.result == MC_ERROR_UNSUPPORTED);
            sent.data[at] = (char)(sent.data[at] ^ (1 << bit));
        }
}

static void test_names(void) {
    mc_agent_names names = {0};
    mc_agent_stream stream = {0};
    mc_text text = {0};
    mc_error error = {.code = MC_OK};
    mc_agent_event event;
    bool is_there = true;
    size_t room;
    unsigned char *bytes = mc_agent_stream_get_room(&stream, &room);
    REQUIRE(bytes && room >= sent.size);
    memcpy(bytes, sent.data, sent.size);
    mc_agent_stream_add(&stream, sent.size);
    while (mc_agent_stream_next(&stream, &event, &is_there, &error) == MC_OK && is_there)
        REQUIRE(mc_agent_names_take(&names, &event, &error) == MC_OK);
    mc_agent_names_append_frame(&names, (mc_agent_frame){.method = 1}, &text);
    CHECK_MSG(text.data && strcmp(text.data, "com.acme.Shop$$Lambda$14[].add(Native Method)") == 0,
              "%s", text.data ? text.data : "");
    CHECK(strcmp(mc_agent_names_get_class(&names, 0, NULL), "(unknown)") == 0);
    mc_text_deinit(&text);
    mc_agent_names_deinit(&names);
    mc_agent_stream_deinit(&stream);
}

static void test_command(void) {
    static const char wanted[] = "\x17\0\0\0\x0c\x01\0\0\0\x01\x05\0alloc\x08\0depth=16";
    mc_text text = {0};
    mc_agent_command_append(&text, 1, MC_AGENT_START, "alloc", "depth=16");
    CHECK(text.size == sizeof wanted - 1 && memcmp(text.data, wanted, text.size) == 0);
    mc_text_deinit(&text);
}

int main(void) {
    make_stream();
    test_pieces();
    test_cuts();
    test_failing_memory();
    test_changed();
    test_names();
    test_command();
    mc_text_deinit(&sent);
    return test_finish();
}
