// Substrings against a plain search of every full key, in traces of both key kinds with odd keys,
// as typed letter by letter; regular expressions, bad and evil ones too.
#include "engine/analyze/search.h"
#include "engine/base/memory.h"
#include "tests/odd_trace.h"
#include "tests/trace_maker.h"
#include <strings.h>

// ---- what the marks should be, from the definitions

static mc_text get_full_key(const mc_trace *trace, uint32_t node) {
    mc_text key = {0};
    mc_text_append(&key, "", 0);
    if (node != MC_NONE) mc_trace_append_full_key(trace, node, &key);
    REQUIRE(!key.failed);
    return key;
}

static bool is_match(const char *bytes, const char *pattern, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bool stands_for = bytes[i] == '#' && (pattern[i] == '.' || pattern[i] == '/');
        if (!stands_for && strncasecmp(&bytes[i], &pattern[i], 1) != 0) return false;
    }
    return true;
}

// Whether there is a match that ends behind the first `inherited` bytes.
static bool matches(const mc_text *key, size_t inherited, const char *pattern, size_t size) {
    for (size_t at = 0; at + size <= key->size; at++)
        if (at + size > inherited && is_match(key->data + at, pattern, size)) return true;
    return false;
}

static void check_substring(mc_search *search, const mc_trace *trace, const char *pattern) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_search_result result;
    size_t size = strlen(pattern);
    REQUIRE(mc_search_find(search, pattern, size, MC_SEARCH_SUBSTRING, NULL, &result, NULL) ==
            MC_OK);
    uint32_t own_count = 0, leaf_count = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        mc_text key = get_full_key(trace, node);
        mc_text parent = get_full_key(trace, nodes->parent[node]);
        bool inherits = nodes->parent[node] != MC_NONE && parent.size <= key.size &&
                        memcmp(key.data, parent.data, parent.size) == 0;
        bool own = matches(&key, inherits ? parent.size : 0, pattern, size);
        bool hit = matches(&key, 0, pattern, size);
        int want = (hit ? MC_SEARCH_HIT : 0) | (own ? MC_SEARCH_OWN : 0);
        CHECK_MSG(result.marks[node] == want, "\"%s\" in \"%s\": %d", pattern, key.data,
                  result.marks[node]);
        if (own) CHECK(own_count < result.own_count && result.own[own_count] == node);
        own_count += own;
        leaf_count += hit && nodes->child_count[node] == 0;
        mc_text_deinit(&key);
        mc_text_deinit(&parent);
    }
    CHECK(result.own_count == own_count && result.leaf_count == leaf_count);
}

// A piece of some full key, in some letters the other case, typed letter by letter.
static void check_typing(mc_search *search, const mc_trace *trace, uint64_t *state) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint32_t random = (uint32_t)(*state >> 33);
    mc_text key = get_full_key(trace, random % nodes->count);
    size_t begin = key.size > 0 ? random / 7 % key.size : 0;
    char typed[16] = "";
    for (size_t i = 0; i < 9 && begin + i < key.size; i++) {
        char byte = key.data[begin + i];
        if (byte == '\0') break;
        bool swap = (random >> i & 1) != 0;
        if (swap && byte >= 'a' && byte <= 'z') byte = (char)(byte - 'a' + 'A');
        if (swap && byte == '#') byte = random % 2 ? '.' : '/';
        typed[i] = byte;
        typed[i + 1] = '\0';
        check_substring(search, trace, typed);
    }
    mc_text_deinit(&key);
}

static void test_odd_traces(void) {
    for (uint64_t seed = 0; seed < 12; seed++) {
        mc_trace *trace = odd_make_trace(seed, seed % 2 == 0 ? MC_KEY_PATH_PART : MC_KEY_FULL);
        mc_search *search;
        uint64_t state = seed;
        REQUIRE(mc_search_create(trace, &search, NULL) == MC_OK);
        for (int i = 0; i < 12; i++)
            check_typing(search, trace, &state);
        check_substring(search, trace, "#");
        check_substring(search, trace, "a#b");
        check_substring(search, trace, "a.b");
        check_substring(search, trace, ".");
        check_substring(search, trace, "./");
        check_substring(search, trace, "nowhere");
        mc_search_destroy(search);
        mc_trace_destroy(trace);
    }
}

// ---- a small heap

static const test_leaf leaves[] = {{"java.lang", "String", {5}},
                                   {"java.util", "LinkedList", {2}},
                                   {"java.util", "LinkedList$Node", {9}},
                                   {"org.x", "Käse", {1}}};
static mc_trace *trace;
static mc_search *search;

static mc_search_result find(const char *pattern, mc_search_mode mode) {
    mc_search_result result;
    mc_error error = {0};
    mc_result code = mc_search_find(search, pattern, strlen(pattern), mode, NULL, &result, &error);
    CHECK_MSG(code == MC_OK, "%s: %s", pattern, error.message);
    return result;
}

static bool finds(const char *pattern, mc_search_mode mode, const char *const *keys,
                  uint32_t count) {
    mc_search_result result = find(pattern, mode);
    bool ok = result.own_count == count;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = result.own[i] == test_find(trace, keys[i]);
    return ok;
}

static void test_small(void) {
    static const char *const lists[] = {"Heap#java.util#LinkedList",
                                        "Heap#java.util#LinkedList$Node"};
    static const char *const packages[] = {"Heap#java.lang", "Heap#java.util"};
    static const char *const util[] = {"Heap#java.util"}, *const node[] = {
                                                              "Heap#java.util#LinkedList$Node"};
    static const char *const cheese[] = {"Heap#org.x#Käse"};
    CHECK(finds("LINKEDlist", MC_SEARCH_SUBSTRING, lists, 2));
    CHECK(finds("til#link", MC_SEARCH_SUBSTRING, lists, 2));
    CHECK(finds("java.util.LinkedList", MC_SEARCH_SUBSTRING, lists, 2));
    CHECK(finds("java.util/linkedlist$n", MC_SEARCH_SUBSTRING, node, 1));
    CHECK(finds("java#util", MC_SEARCH_SUBSTRING, NULL, 0));
    CHECK(finds("heap#JAVA", MC_SEARCH_SUBSTRING, packages, 2));
    CHECK(finds("käse", MC_SEARCH_SUBSTRING, cheese, 1));
    CHECK(finds("", MC_SEARCH_SUBSTRING, NULL, 0));
    // A district's buildings show, too.
    CHECK(find("java.util", MC_SEARCH_SUBSTRING).leaf_count == 2);
    CHECK(find("java.util", MC_SEARCH_SUBSTRING).marks[test_find(trace, lists[0])] ==
          MC_SEARCH_HIT);

    CHECK(finds("linked.*\\$node$", MC_SEARCH_REGEX, node, 1));
    CHECK(finds("^heap#java\\.util$", MC_SEARCH_REGEX, util, 1));
    CHECK(find("^heap#java\\.util$", MC_SEARCH_REGEX).leaf_count == 2);
    CHECK(finds("#java\\.(lang|util)", MC_SEARCH_REGEX, packages, 2));
    CHECK(finds("K.SE", MC_SEARCH_REGEX, cheese, 1));
    CHECK(finds("x*", MC_SEARCH_REGEX, (const char *const[]){"Heap#org.x"}, 1));
    CHECK(finds("", MC_SEARCH_REGEX, NULL, 0));
    // Substrings still work after an expression.
    CHECK(finds("linkedlist$", MC_SEARCH_SUBSTRING, node, 1));
}

static bool refuse(void *user, uint64_t done, uint64_t total) {
    (void)user;
    (void)done;
    (void)total;
    return false;
}

static void test_refused(void) {
    static const char *const bad[] = {"(", "a{2,1}", "[", "(((a{1,999}){1,999}){1,999})", "\\"};
    mc_search_result result;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mc_error error = {0};
        CHECK(mc_search_find(search, bad[i], strlen(bad[i]), MC_SEARCH_REGEX, NULL, &result,
                             &error) == MC_ERROR_BAD_DATA);
        CHECK(strstr(error.message, "not a regular expression") != NULL);
        CHECK(!result.marks && result.own_count == 0);
    }
    static char long_pattern[MC_SEARCH_MOST_SIZE + 1];
    memset(long_pattern, 'a', sizeof long_pattern);
    CHECK(mc_search_find(search, long_pattern, sizeof long_pattern, MC_SEARCH_SUBSTRING, NULL,
                         &result, NULL) == MC_ERROR_BAD_DATA);
    CHECK(mc_search_find(search, long_pattern, sizeof long_pattern - 1, MC_SEARCH_SUBSTRING, NULL,
                         &result, NULL) == MC_OK);
}

// A pattern that backtracks without end on a long key ends all the same.
static void test_evil(void) {
    static char key[2001];
    memset(key, 'a', sizeof key - 1);
    key[sizeof key - 2] = '!';
    test_leaf leaf = {"d", key, {1}};
    mc_trace *one = test_make_trace(&leaf, 1, 1);
    mc_search *evil;
    REQUIRE(mc_search_create(one, &evil, NULL) == MC_OK);
    // None asks for a character that the key lacks, which would be seen at once.
    static const char *const patterns[] = {"#(a+)+$", "#(a|aa)+\\1+$", "#((a*)*)*$",
                                           "#(?:(?=(a+))a|aa)*$"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        mc_search_result result;
        mc_error error = {0};
        mc_result code = mc_search_find(evil, patterns[i], strlen(patterns[i]), MC_SEARCH_REGEX,
                                        NULL, &result, &error);
        CHECK_MSG(code == MC_ERROR_BAD_DATA && strstr(error.message, "too long"), "%s: %d, %s",
                  patterns[i], code, error.message);
    }
    mc_search_destroy(evil);
    mc_trace_destroy(one);
}

static void test_failures(void) {
    mc_search_result result;
    for (int mode = 0; mode < 2; mode++)
        for (uint64_t n = 0;; n++) {
            mc_search *fresh = NULL;
            mc_memory_fail_after(n);
            mc_result code = mc_search_create(trace, &fresh, NULL);
            if (code == MC_OK)
                code = mc_search_find(fresh, "list", 4, (mc_search_mode)mode, NULL, &result, NULL);
            mc_memory_fail_after(UINT64_MAX);
            CHECK(code == MC_OK ? result.own_count == 2 : code == MC_ERROR_OUT_OF_MEMORY);
            if (fresh)
                CHECK(mc_search_find(fresh, "list", 4, (mc_search_mode)mode, NULL, &result, NULL) ==
                          MC_OK &&
                      result.own_count == 2);
            mc_search_destroy(fresh);
            if (code == MC_OK) break;
        }
    // Small ones end before they ask; a wide one asks.
    enum { WIDE = 6000 };
    static test_leaf many[WIDE];
    static char keys[WIDE][220];
    for (int i = 0; i < WIDE; i++) {
        snprintf(keys[i], sizeof keys[i], "%0200d", i);
        many[i] = (test_leaf){"d", keys[i], {1}};
    }
    mc_trace *wide = test_make_trace(many, WIDE, 1);
    mc_search *asked;
    mc_progress progress = {refuse, NULL};
    REQUIRE(mc_search_create(wide, &asked, NULL) == MC_OK);
    CHECK(mc_search_find(asked, "x", 1, MC_SEARCH_SUBSTRING, &progress, &result, NULL) ==
          MC_ERROR_CANCELLED);
    CHECK(mc_search_find(asked, "x", 1, MC_SEARCH_REGEX, &progress, &result, NULL) ==
          MC_ERROR_CANCELLED);
    // What was cancelled leaves nothing behind that a longer pattern could start from.
    CHECK(mc_search_find(asked, "05999", 5, MC_SEARCH_SUBSTRING, NULL, &result, NULL) == MC_OK &&
          result.own_count == 1);
    mc_search_destroy(asked);
    mc_trace_destroy(wide);
}

// ---- the order of hits

// What decides between two nodes, each rule by itself.
static int compare_by_rules(const mc_search_sizes *sizes, uint32_t a, uint32_t b) {
    bool a_known = sizes->values[a] != MC_COUNT_UNKNOWN,
         b_known = sizes->values[b] != MC_COUNT_UNKNOWN;
    if (a_known != b_known) return a_known ? -1 : 1;
    if (sizes->values[a] != sizes->values[b]) return sizes->values[a] > sizes->values[b] ? -1 : 1;
    if (sizes->max[a] != sizes->max[b]) return sizes->max[a] > sizes->max[b] ? -1 : 1;
    const uint32_t *parent = mc_trace_get_nodes(sizes->trace)->parent;
    for (uint32_t x = a, y = b; x != y; x = parent[x], y = parent[y]) {
        if (x == 0 || y == 0) return x == 0 ? -1 : 1;
        if (parent[x] == 0 && parent[y] == 0) break;
    }
    int names =
        strcmp(mc_trace_get_name(sizes->trace, a, NULL), mc_trace_get_name(sizes->trace, b, NULL));
    return names != 0 ? names : (a > b) - (a < b);
}

static void test_order(void) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    uint64_t *values = mc_alloc(count, sizeof *values), *max = mc_alloc(count, sizeof *max);
    uint32_t *order = mc_alloc(count, sizeof *order), *places = mc_alloc(count, sizeof *places);
    REQUIRE(values && max && order && places);
    uint32_t random = 1;
    for (int round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < count; i++) {
            random = random * 1664525u + 1013904223u;
            values[i] = random >> 29 == 7 ? MC_COUNT_UNKNOWN : random >> 29;
            max[i] = random >> 24 & 1;
            order[i] = count - 1 - i;
        }
        const mc_search_sizes sizes = {trace, values, max};
        mc_search_sort(&sizes, order, count);
        memset(places, 0xff, count * sizeof *places);
        for (uint32_t i = 0; i < count; i++) {
            places[order[i]] = i;
            bool is_fine = i == 0 || compare_by_rules(&sizes, order[i - 1], order[i]) < 0;
            CHECK_MSG(is_fine, "%u before %u", order[i - 1], order[i]);
        }
        for (uint32_t i = 0; i < count; i++)
            CHECK(places[i] < count);
    }
    mc_free(values);
    mc_free(max);
    mc_free(order);
    mc_free(places);
}

int main(void) {
    test_odd_traces();
    trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, 1);
    REQUIRE(mc_search_create(trace, &search, NULL) == MC_OK);
    test_small();
    test_refused();
    test_evil();
    test_failures();
    test_order();
    mc_search_destroy(search);
    mc_trace_destroy(trace);
    return test_finish();
}
