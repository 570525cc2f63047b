// Full keys of many nodes, one after another, are those that each has by itself.
#include "app/node_text.h"
#include "tests/chain_trace.h"
#include "tests/odd_trace.h"

static void check_key(mc_node_keys *keys, uint32_t node) {
    mc_text own = {0}, expected = {0};
    mc_node_keys_append_tsv(keys, node, &own);
    mc_node_append_key_tsv(keys->trace, node, &expected);
    CHECK(!own.failed && !expected.failed && own.size == expected.size);
    CHECK_MSG(own.size == 0 || memcmp(own.data, expected.data, own.size) == 0, "%s, not %s",
              own.data, expected.data);
    mc_text_deinit(&own);
    mc_text_deinit(&expected);
}

static void test_orders(uint64_t seed) {
    mc_trace *trace = odd_make_trace(seed, seed % 4 == 3 ? MC_KEY_FULL : MC_KEY_PATH_PART);
    uint32_t count = mc_trace_get_nodes(trace)->count, random = (uint32_t)seed + 1;
    mc_node_keys keys = {.trace = trace};
    for (uint32_t node = 0; node < count; node++)
        check_key(&keys, node);
    for (uint32_t node = count; node-- > 0;)
        check_key(&keys, node);
    for (int i = 0; i < 300; i++) {
        random = random * 1664525 + 1013904223;
        check_key(&keys, (random >> 8) % count);
    }
    mc_node_keys_deinit(&keys);
    mc_trace_destroy(trace);
}

// Putting each key together anew would take hours.
static void test_chain(void) {
    enum { DEPTH = 50000 };
    mc_trace *trace = chain_make(DEPTH, "k", 1);
    mc_node_keys keys = {.trace = trace};
    mc_text out = {0};
    for (uint32_t node = 0; node < DEPTH; node++) {
        mc_text_clear(&out);
        mc_node_keys_append_tsv(&keys, node, &out);
        CHECK(out.size == 2 * (size_t)node + 1);
    }
    mc_text_deinit(&out);
    mc_node_keys_deinit(&keys);
    mc_trace_destroy(trace);
}

int main(void) {
    for (uint64_t seed = 0; seed < 8; seed++)
        test_orders(seed);
    test_chain();
    return test_finish();
}
