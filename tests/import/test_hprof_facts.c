// What HotSpot adds to classes that a heap dump describes, in releases of which there may be no JDK
// here: known by the classes and fields that are there.
#include "engine/import/hprof/hprof_sizes.h"
#include "tests/test.h"

// What tells releases apart, as far as a test needs it: "class" or "class.field".
typedef struct release {
    const char *const *marks;
    uint32_t class_references, thread_8, thread_4, thread_2, thread_1;
} release;

static bool has(void *user, const char *class, const char *field) {
    char mark[256];
    snprintf(mark, sizeof mark, "%s%s%s", class, field ? "." : "", field ? field : "");
    for (const char *const *at = *(const char *const *const *)user; *at; at++)
        if (strcmp(*at, mark) == 0) return true;
    return false;
}

#define MODULES "java/lang/Module"
#define VECTORS "jdk/internal/vm/vector/VectorSupport$VectorPayload"
#define HOLDER "java/lang/Thread.holder"
#define SEQUENCED "java/util/SequencedCollection"

static const char *const jdk_8[] = {NULL};
static const char *const jdk_11[] = {MODULES, "java/lang/invoke/MemberName.method", NULL};
static const char *const jdk_17[] = {MODULES, VECTORS, "java/lang/invoke/MemberName.method", NULL};
static const char *const jdk_20[] = {MODULES, VECTORS, HOLDER, NULL};
static const char *const jdk_21[] = {MODULES, VECTORS, HOLDER, SEQUENCED, NULL};
static const char *const jdk_25[] = {MODULES,
                                     VECTORS,
                                     HOLDER,
                                     SEQUENCED,
                                     "java/lang/Class.protectionDomain",
                                     "java/lang/Class.signers",
                                     "java/lang/invoke/ResolvedMethodName.vmholder",
                                     "java/lang/VirtualThread.onWaitingList",
                                     NULL};

static mc_hprof_field_counts get_injected(const char *const *marks, const char *class) {
    mc_hprof_schema schema = {has, &marks};
    return mc_hprof_get_injected_fields(&schema, class, strlen(class));
}

static bool is_padded(const char *const *marks, const char *class, const char *field) {
    mc_hprof_schema schema = {has, &marks};
    return mc_hprof_is_padded_field(&schema, class, strlen(class), field, strlen(field));
}

static void test_releases(void) {
    static const release releases[] = {{jdk_8, 3, 0, 0, 0, 0},  {jdk_11, 3, 0, 0, 0, 0},
                                       {jdk_17, 3, 0, 0, 0, 0}, {jdk_20, 3, 1, 0, 1, 0},
                                       {jdk_21, 4, 1, 1, 1, 1}, {jdk_25, 2, 1, 1, 1, 1}};
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++) {
        const release *r = &releases[i];
        mc_hprof_field_counts class = get_injected(r->marks, "java/lang/Class");
        mc_hprof_field_counts thread = get_injected(r->marks, "java/lang/Thread");
        CHECK_MSG(class.of_8 == 2 && class.of_4 == 2, "%zu", i);
        CHECK_MSG(class.references == r->class_references, "%zu: %u", i, class.references);
        CHECK_MSG(thread.of_8 == r->thread_8 && thread.of_4 == r->thread_4, "%zu", i);
        CHECK_MSG(thread.of_2 == r->thread_2 && thread.of_1 == r->thread_1, "%zu", i);
    }
    CHECK(get_injected(jdk_8, "java/lang/invoke/MemberName").of_8 == 2);
    CHECK(get_injected(jdk_8, "java/lang/invoke/MemberName").references == 1);
    CHECK(get_injected(jdk_11, "java/lang/invoke/MemberName").of_8 == 1);
    CHECK(get_injected(jdk_11, "java/lang/InternalError").of_1 == 0);
    CHECK(get_injected(jdk_17, "java/lang/InternalError").of_1 == 1);
    CHECK(get_injected(jdk_21, "java/lang/VirtualThread").of_8 == 0);
    CHECK(get_injected(jdk_25, "java/lang/VirtualThread").of_8 == 1);
    CHECK(get_injected(jdk_21, "java/lang/invoke/CallSite").of_8 == 0);
    CHECK(get_injected(jdk_25, "java/lang/invoke/CallSite").of_8 == 2);
    CHECK(get_injected(jdk_25, "java/lang/Object").of_8 == 0);
    CHECK(is_padded(jdk_17, "java/lang/Thread", "threadLocalRandomSeed"));
    CHECK(!is_padded(jdk_17, "java/lang/Thread", "eetop"));
    CHECK(!is_padded(jdk_21, "java/lang/Thread", "threadLocalRandomSeed"));
}

static uint32_t measure(const mc_hprof_model *model, const mc_hprof_own_fields *classes,
                        uint32_t count) {
    mc_hprof_layout layout = mc_hprof_layout_begin(model);
    for (uint32_t i = 0; i < count; i++)
        mc_hprof_layout_add(&layout, model, &classes[i]);
    return (uint32_t)mc_hprof_align(layout.end, 8);
}

// Sizes that JVMs gave.
static void test_padding(void) {
    const mc_hprof_model packed = {4, 12, 16, true}, unpacked = {4, 12, 16, false};
    const mc_hprof_own_fields of_8 = {.plain = {.of_8 = 4, .of_4 = 2, .of_1 = 3, .references = 12},
                                      .padded = {.of_8 = 1, .of_4 = 2}};
    CHECK(measure(&unpacked, &of_8, 1) == 376); // Thread of JDK 8
    // Thread of JDK 17; subclasses with a byte, with nothing, with a long and a short
    const mc_hprof_own_fields threads[] = {
        {.plain = {.of_8 = 3, .of_4 = 2, .of_1 = 3, .references = 11},
         .padded = {.of_8 = 1, .of_4 = 2}},
        {.plain = {.of_1 = 1}},
        {.is_padded = false},
        {.plain = {.of_8 = 1, .of_2 = 1}}};
    CHECK(measure(&packed, threads, 1) == 368);
    CHECK(measure(&packed, threads, 2) == 376);
    CHECK(measure(&packed, threads, 3) == 504);
    CHECK(measure(&packed, threads, 4) == 520);
    // Striped64$Cell, Exchanger$Node, and SubmissionPublisher$BufferedSubscription of JDK 17
    const mc_hprof_own_fields cell = {.plain = {.of_8 = 1}, .is_padded = true},
                              node = {.plain = {.of_4 = 4, .references = 3}, .is_padded = true},
                              subscription = {.plain = {.of_8 = 1, .of_4 = 4, .references = 8},
                                              .padded = {.of_8 = 1, .of_4 = 1},
                                              .is_padded = true};
    CHECK(measure(&packed, &cell, 1) == 280);
    CHECK(measure(&packed, &node, 1) == 296);
    CHECK(measure(&packed, &subscription, 1) == 472);
    const mc_hprof_own_fields plain[] = {{.plain = {.of_4 = 1, .of_1 = 1}}, {.plain = {.of_1 = 1}}};
    CHECK(measure(&packed, plain, 2) == 24); // nothing is padded
}

int main(void) {
    test_releases();
    test_padding();
    return test_finish();
}
