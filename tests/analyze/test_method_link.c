// A heap and methods joined by names: what rows say, which steps stand beside each other, and
// memory that runs out anywhere. That the answers are right of any two traces, test_link_cli holds
// against a slow join of their rows.
#include "engine/analyze/method_link.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "engine/trace/regroup/sliding_window.h"
#include "tests/test.h"
#include <stdlib.h>
#include <unistd.h>

static const char heap_rows[] = "time\tType\tSite\tCaller\tobjects\tbytes\n"
                                "1000\tbyte[]\ta.A.keep(A.java:1)\ta.A.main(A.java:9)\t1\t300\n"
                                "1000\tbyte[]\tjava.util.Arrays.copyOf(Arrays.java:2)\ta.B.pack("
                                "B.java:3)\t2\t100\n"
                                "1000\tint[]\tjdk.Other.run(Other.java:1)\t\\N\t4\t16\n"
                                "2000\tbyte[]\ta.A.keep(A.java:1)\ta.A.main(A.java:9)\t2\t600\n"
                                "2000\tint[]\ta.A.<init>(A.java:4)\ta.A.main(A.java:9)\t1\t8\n";
static const char method_rows[] =
    "time\troot\tPackage\tClass\tMethod\tThread\tobjects\tbytes\ttime["
    "time flow additive real]\n"
    "900\tProgram\ta\tA\tkeep()\tmain\t0\t0\t20\n"
    "1100\tProgram\ta\tA\tkeep()\tmain\t0\t0\t30\n"
    "1100\tProgram\ta\tA\tkeep(int)\tw\t0\t0\t10\n"
    "1100\tProgram\ta\tB\tpack()\tmain\t0\t0\t40\n"
    "1900\tProgram\ta\tB\tpack()\tmain\t0\t0\t100\n"
    "1900\tProgram\ta\tA\t<init>()\tmain\t0\t0\t100\n";

static mc_trace *read_rows(const char *rows) {
    char path[] = "/tmp/test-method-link-XXXXXX";
    const char *paths[] = {path};
    int fd = mkstemp(path);
    REQUIRE(fd >= 0 && write(fd, rows, strlen(rows)) == (ssize_t)strlen(rows));
    close(fd);
    mc_import_desc desc = {.paths = paths, .path_count = 1, .rows = {.is_stated = true}};
    mc_trace *trace = NULL;
    mc_error error = {0};
    mc_result result = mc_import_trace(&desc, &trace, NULL, &error);
    unlink(path);
    if (result != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(result == MC_OK);
    return trace;
}

static uint32_t find(const mc_trace *trace, const char *key) {
    uint32_t node = mc_trace_find_node(trace, key, strlen(key));
    REQUIRE(node != MC_NONE);
    return node;
}

static const mc_method_link_row *get_row(const mc_method_link_found *found, uint32_t node) {
    for (uint32_t i = 0; i < found->count; i++)
        if (found->rows[i].node == node) return &found->rows[i];
    return NULL;
}

static bool is_near(double a, double b) {
    return a - b < 1e-9 && b - a < 1e-9;
}

// Of one node.
static mc_result find_methods(const mc_method_link *link, uint32_t node, uint32_t most,
                              mc_method_link_found *found, mc_error *error) {
    return mc_method_link_find_methods(link, &node, 1, most, found, error);
}

static mc_result find_groups(const mc_method_link *link, uint32_t node, uint32_t most,
                             mc_method_link_found *found, mc_error *error) {
    return mc_method_link_find_groups(link, &node, 1, most, found, error);
}

// Of several together; what is below two of them counts once.
static void check_several(const mc_trace *heap, const mc_trace *methods,
                          const mc_method_link *link) {
    mc_method_link_found found = {0};
    mc_error error = {0};
    uint32_t types[] = {find(heap, "Heap#int[]"), find(heap, "Heap#byte[]")};
    CHECK(mc_method_link_find_methods(link, types, 2, 10, &found, &error) == MC_OK);
    CHECK(found.count == 2 && found.bytes == 400 && found.unlinked_bytes == 16);
    uint32_t all_and_one[] = {types[1], 0};
    CHECK(mc_method_link_find_methods(link, all_and_one, 2, 10, &found, &error) == MC_OK);
    CHECK(found.bytes == 400 && found.objects == 3 && found.unlinked_bytes == 16);
    uint32_t classes[] = {find(methods, "Program#a#B"), find(methods, "Program#a#A#keep()")};
    CHECK(mc_method_link_find_groups(link, classes, 2, 10, &found, &error) == MC_OK);
    CHECK(found.count == 2 && found.bytes == 400 && is_near(found.now, 0.9));
    mc_method_link_found_deinit(&found);
}

static void check_methods(const mc_trace *heap, const mc_trace *methods, mc_method_link *link) {
    mc_method_link_found found = {0};
    mc_error error = {0};
    uint64_t gap;
    CHECK(mc_method_link_find_step(heap, 0, methods, &gap) == 0 && gap == 100); // of 900 and 1100
    CHECK(mc_method_link_find_step(heap, 1, methods, &gap) == 2 && gap == 100);
    CHECK(mc_method_link_read(link, 0, 1, NULL, &error) == MC_OK);
    CHECK(find_methods(link, 0, 10, &found, &error) == MC_OK);
    CHECK(found.count == 2 && found.all_count == 2 && found.bytes == 400 && found.objects == 3);
    CHECK(found.unlinked_bytes == 16 && found.unlinked_objects == 4 &&
          found.unlinked_leaf != MC_NONE);
    // overloads are one
    const mc_method_link_row *keep = &found.rows[0];
    CHECK(keep->bytes == 300 && keep->direct_bytes == 300 && keep->namesakes == 1 &&
          is_near(keep->now, 0.6) && is_near(keep->all, 0.6));
    const mc_method_link_row *pack = get_row(&found, find(methods, "Program#a#B#pack()#main"));
    CHECK(pack && pack->bytes == 100 && pack->direct_bytes == 0 && is_near(pack->all, 0.4));
    // the first only; a part; what is gone
    CHECK(find_methods(link, 0, 1, &found, &error) == MC_OK);
    CHECK(found.count == 1 && found.all_count == 2 && is_near(found.all, 1));
    CHECK(find_methods(link, find(heap, "Heap#int[]"), 9, &found, &error) == MC_OK);
    CHECK(found.count == 0 && found.unlinked_bytes == 16);
    // a later step, and back: sums begin anew
    CHECK(mc_method_link_read(link, 1, 2, NULL, &error) == MC_OK);
    CHECK(find_methods(link, 0, 10, &found, &error) == MC_OK);
    CHECK(found.count == 2 && found.bytes == 608 && is_near(found.rows[0].all, 0.2));
    CHECK(mc_method_link_read(link, 0, 1, NULL, &error) == MC_OK);
    CHECK(find_methods(link, 0, 10, &found, &error) == MC_OK);
    CHECK(is_near(found.rows[0].all, 0.6));
    mc_method_link_found_deinit(&found);
}

static void check_groups(const mc_trace *heap, const mc_trace *methods,
                         const mc_method_link *link) {
    mc_method_link_found found = {0};
    mc_error error = {0};
    uint32_t node = find(methods, "Program#a#B");
    CHECK(find_groups(link, node, 10, &found, &error) == MC_OK);
    CHECK(found.count == 1 && found.bytes == 100 && is_near(found.now, 0.4));
    CHECK(found.rows[0].bytes == 100 && found.rows[0].whole_bytes == 100);
    CHECK(find_groups(link, 0, 10, &found, &error) == MC_OK);
    CHECK(found.count == 2 && found.bytes == 400 && found.rows[0].bytes == 300);
    CHECK(mc_trace_get_nodes(heap)->child_count[found.rows[0].node] == 0);
    mc_method_link_found_deinit(&found);
}

static mc_result do_all(const mc_trace *heap, const mc_trace *methods) {
    mc_method_link *link = NULL;
    mc_method_link_found found = {0};
    mc_error error = {0};
    mc_result result =
        mc_method_link_create(heap, methods, MC_SLIDING_WINDOW_USUAL_MS, &link, &error);
    if (result == MC_OK) result = mc_method_link_read(link, 1, 2, NULL, &error);
    if (result == MC_OK) result = find_methods(link, 0, 10, &found, &error);
    if (result == MC_OK) result = find_groups(link, 0, 10, &found, &error);
    mc_method_link_found_deinit(&found);
    mc_method_link_destroy(link);
    return result;
}

static void check_memory(const mc_trace *heap, const mc_trace *methods) {
    for (uint64_t count = 0; count < 1000; count++) {
        mc_memory_fail_after(count);
        mc_result result = do_all(heap, methods);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) {
            CHECK(count > 20);
            return;
        }
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
    CHECK(false);
}

static bool cancel(void *user, uint64_t done, uint64_t total) {
    (void)user, (void)done, (void)total;
    return false;
}

int main(void) {
    mc_trace *heap = read_rows(heap_rows), *methods = read_rows(method_rows);
    mc_method_link *link = NULL, *none = NULL;
    mc_error error = {0};
    REQUIRE(mc_method_link_create(heap, methods, MC_SLIDING_WINDOW_USUAL_MS, &link, &error) ==
            MC_OK);
    CHECK(mc_method_link_get_way(link) == MC_METHOD_LINK_BY_SITE);
    check_methods(heap, methods, link);
    check_groups(heap, methods, link);
    check_several(heap, methods, link);
    check_memory(heap, methods);
    mc_progress progress = {.report = cancel};
    CHECK(mc_method_link_read(link, 1, 2, &progress, &error) == MC_ERROR_CANCELLED);
    CHECK(mc_method_link_create(methods, heap, 1000, &none, &error) == MC_ERROR_UNSUPPORTED);
    CHECK(mc_method_link_create(methods, methods, 1000, &none, &error) == MC_ERROR_UNSUPPORTED);
    CHECK(!none);
    mc_method_link_destroy(link);
    mc_trace_destroy(heap);
    mc_trace_destroy(methods);
    return test_finish();
}
