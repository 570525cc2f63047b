#include "engine/import/hprof/hprof_facts.h"

#include <string.h>

// What makes a row hold: a class that is there, with a field or any. No class: the row's own; none
// of both: it always holds.
typedef struct condition {
    const char *class, *field;
    bool is_absent; // it must not be there
} condition;

// clang-format off
#define SINCE_9  {.class = "java/lang/Module"}
#define UNTIL_8  {.class = "java/lang/Module", .is_absent = true}
#define SINCE_16 {.class = "jdk/internal/vm/vector/VectorSupport$VectorPayload"}
#define SINCE_19 {.class = "java/lang/Thread", .field = "holder"}
#define UNTIL_18 {.class = "java/lang/Thread", .field = "holder", .is_absent = true}
#define SINCE_21 {.class = "java/util/SequencedCollection"}
#define SINCE_25 {.class = "java/lang/Class", .field = "signers"}
#define WITH(name) {.field = (name)}
#define WITHOUT(name) {.field = (name), .is_absent = true}

static const struct injected {
    const char *class;
    mc_hprof_field_counts fields;
    condition condition;
} injected[] = {
    {"java/lang/Class", {.of_8 = 2, .of_4 = 2}, {0}}, // its Klass and its array's; two counts
    {"java/lang/Class", {.references = 1}, WITHOUT("protectionDomain")},
    {"java/lang/Class", {.references = 1}, WITHOUT("signers")},
    {"java/lang/Class", {.references = 1}, SINCE_9}, // the source file
    {"java/lang/Class", {.references = 1}, UNTIL_8}, // the lock of its initialisation
    {"java/lang/Class", {.references = 1}, SINCE_21}, // … again
    {"java/lang/ClassLoader", {.of_8 = 1}, {0}},
    {"java/lang/InternalError", {.of_1 = 1}, SINCE_16},
    {"java/lang/Module", {.of_8 = 1}, {0}},
    {"java/lang/StackFrameInfo", {.of_2 = 1}, {0}},
    {"java/lang/String", {.of_1 = 1}, SINCE_16},
    {"java/lang/Thread", {.of_8 = 1, .of_2 = 1}, SINCE_19}, // the states of JVMTI and JFR
    {"java/lang/Thread", {.of_4 = 1, .of_1 = 1}, SINCE_21}, // … of its mounting
    {"java/lang/VirtualThread", {.of_8 = 1}, WITH("onWaitingList")},
    {"java/lang/invoke/CallSite", {.of_8 = 2}, SINCE_25},
    {"java/lang/invoke/MemberName", {.of_8 = 1}, {0}},
    {"java/lang/invoke/MemberName", {.of_8 = 1, .references = 1}, WITHOUT("method")},
    {"java/lang/invoke/MethodHandleNatives$CallSiteContext", {.of_8 = 2}, {0}},
    {"java/lang/invoke/ResolvedMethodName", {.of_8 = 1}, {0}},
    {"java/lang/invoke/ResolvedMethodName", {.references = 1}, WITHOUT("vmholder")},
    {MC_HPROF_STACK_CLASS, {.of_8 = 1, .of_4 = 1, .of_1 = 1, .references = 1}, {0}},
};

// @Contended of classes, and of fields that are one group.
static const struct padded {
    const char *class, *field; // NULL: the class
    condition condition;
} padded[] = {
    {"java/lang/Thread", "threadLocalRandomSeed", UNTIL_18},
    {"java/lang/Thread", "threadLocalRandomProbe", UNTIL_18},
    {"java/lang/Thread", "threadLocalRandomSecondarySeed", UNTIL_18},
    {"java/util/concurrent/ConcurrentHashMap$CounterCell", NULL, {0}},
    {"java/util/concurrent/Exchanger$Node", NULL, WITH("bound")},
    {"java/util/concurrent/Exchanger$Slot", NULL, {0}},
    {"java/util/concurrent/ForkJoinPool", NULL, WITH("stealCounter")},
    {"java/util/concurrent/ForkJoinPool", "ctl", WITHOUT("stealCounter")},
    {"java/util/concurrent/ForkJoinPool", "parallelism", {0}},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", NULL, WITH("pool")},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "access", {0}},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "nsteals", WITHOUT("pool")},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "parking", {0}},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "phase", SINCE_19},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "source", WITHOUT("pool")},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "stackPred", WITH("parking")},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "top", WITHOUT("pool")},
    {"java/util/concurrent/SubmissionPublisher$BufferedSubscription", NULL, {0}},
    {"java/util/concurrent/SubmissionPublisher$BufferedSubscription", "demand", {0}},
    {"java/util/concurrent/SubmissionPublisher$BufferedSubscription", "waiting", {0}},
    {"java/util/concurrent/atomic/Striped64$Cell", NULL, {0}},
};
// clang-format on

static bool is_text(const char *text, size_t size, const char *expected) {
    return text && strlen(expected) == size && memcmp(text, expected, size) == 0;
}

static bool holds(const mc_hprof_schema *schema, const condition *wanted, const char *class) {
    if (!wanted->class && !wanted->field) return true;
    if (wanted->class) class = wanted->class;
    return schema->has(schema->user, class, wanted->field) != wanted->is_absent;
}

mc_hprof_field_counts mc_hprof_get_injected_fields(const mc_hprof_schema *schema, const char *class,
                                                   size_t size) {
    mc_hprof_field_counts counts = {0};
    for (size_t i = 0; i < sizeof injected / sizeof *injected; i++) {
        const struct injected *row = &injected[i];
        if (!is_text(class, size, row->class) || !holds(schema, &row->condition, row->class))
            continue;
        counts.of_8 += row->fields.of_8;
        counts.of_4 += row->fields.of_4;
        counts.of_2 += row->fields.of_2;
        counts.of_1 += row->fields.of_1;
        counts.references += row->fields.references;
    }
    return counts;
}

bool mc_hprof_is_padded_class(const mc_hprof_schema *schema, const char *class, size_t size) {
    for (size_t i = 0; i < sizeof padded / sizeof *padded; i++)
        if (!padded[i].field && is_text(class, size, padded[i].class))
            return holds(schema, &padded[i].condition, padded[i].class);
    return false;
}

bool mc_hprof_has_padded_fields(const char *class, size_t size) {
    for (size_t i = 0; i < sizeof padded / sizeof *padded; i++)
        if (padded[i].field && is_text(class, size, padded[i].class)) return true;
    return false;
}

bool mc_hprof_is_padded_field(const mc_hprof_schema *schema, const char *class, size_t size,
                              const char *field, size_t field_size) {
    for (size_t i = 0; i < sizeof padded / sizeof *padded; i++) {
        const struct padded *row = &padded[i];
        if (row->field && is_text(class, size, row->class) &&
            is_text(field, field_size, row->field) && holds(schema, &row->condition, row->class))
            return true;
    }
    return false;
}
