// mode_exact.c - times or counts of method calls, by instrumentation: modes "exact" and "count".
//
// Options: include, exclude (patterns.h), trivial=1 (methods that are left out otherwise), quiet=1
// (what is left out is not told).
#include "agent/native/instrument.h"
#include "agent/native/modified_utf8.h"
#include "agent/native/names.h"
#include "agent/native/options.h"
#include "agent/native/talk.h"
#include "agent/native/time_rows.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <string.h>

// As in MemcityMethods.ROW: thread, method, nanoseconds, calls.
#define ROW_NUMBERS 4
#define DRAIN_ROWS 4096
#define EARLY_BATCH 20
#define LATE_BATCH 600
#define UNKNOWN UINT32_MAX // asked for, and not found

// Numbers of the Java side to numbers of names.h.
typedef struct number_map {
    uint32_t *numbers;
    uint32_t count;
    size_t capacity;
} number_map;

static struct {
    const mc_java_side *side;
    mc_agent_how how; // 0: neither mode runs
    mc_patterns patterns;
    jlongArray rows; // what the Java side writes to
    jlong copy[DRAIN_ROWS * ROW_NUMBERS];
    number_map threads, methods; // stay, as the Java side's numbers do
    mc_time_rows sums;
    uint64_t drained_ns; // until when its times go
    uint64_t lost, told_lost;
    uint32_t batch_count;
    bool is_quiet;
    char told[240]; // the last note
} exact = {.sums.mutex = PTHREAD_MUTEX_INITIALIZER};

static uint32_t *get_entry(number_map *map, uint32_t number) {
    if (!mc_reserve(&map->numbers, &map->capacity, (size_t)number + 1, sizeof *map->numbers))
        return NULL;
    for (; map->count <= number; map->count++)
        map->numbers[map->count] = 0;
    return &map->numbers[number];
}

// ---- names

static void take_threads(JNIEnv *jni) {
    static uint32_t last;
    jobjectArray threads =
        (*jni)->CallStaticObjectMethod(jni, exact.side->runtime, exact.side->take_threads);
    if (mc_java_side_catch(jni, NULL, 0) || !threads) return;
    jsize count = (*jni)->GetArrayLength(jni, threads);
    for (jsize i = 0; i < count; i++) {
        jobject thread = (*jni)->GetObjectArrayElement(jni, threads, i);
        uint32_t *entry = get_entry(&exact.threads, ++last);
        if (entry) *entry = mc_names_get_thread(jni, thread);
        (*jni)->DeleteLocalRef(jni, thread);
    }
    (*jni)->DeleteLocalRef(jni, threads);
}

// The Java side's number of a method of the class that `sibling` is in; 0: it has none.
static uint32_t find_number(JNIEnv *jni, uint32_t sibling, jmethodID id) {
    char *name = NULL, *signature = NULL;
    char key[2048];
    if ((*mc_agent_jvmti)->GetMethodName(mc_agent_jvmti, id, &name, &signature, NULL) !=
        JVMTI_ERROR_NONE)
        return 0;
    int size = snprintf(key, sizeof key, "%s%s", name, signature);
    (*mc_agent_jvmti)->Deallocate(mc_agent_jvmti, (unsigned char *)name);
    (*mc_agent_jvmti)->Deallocate(mc_agent_jvmti, (unsigned char *)signature);
    jstring string = size < (int)sizeof key ? (*jni)->NewStringUTF(jni, key) : NULL;
    jint number = 0;
    if (string) {
        number = (*jni)->CallStaticIntMethod(jni, exact.side->instrumenter, exact.side->find_method,
                                             (jint)sibling, string);
        (*jni)->DeleteLocalRef(jni, string);
    }
    return mc_java_side_catch(jni, NULL, 0) ? 0 : (uint32_t)number;
}

// All methods of the class that this one is in.
static void name_class_of(JNIEnv *jni, uint32_t method) {
    jint count = 0;
    jmethodID *ids = NULL;
    jclass type = (*jni)->CallStaticObjectMethod(jni, exact.side->instrumenter,
                                                 exact.side->find_class, (jint)method);
    if (mc_java_side_catch(jni, NULL, 0) || !type) return;
    if ((*mc_agent_jvmti)->GetClassMethods(mc_agent_jvmti, type, &count, &ids) ==
        JVMTI_ERROR_NONE) {
        for (jint i = 0; i < count; i++) {
            uint32_t number = find_number(jni, method, ids[i]);
            uint32_t *entry = number ? get_entry(&exact.methods, number) : NULL;
            if (entry && (!*entry || *entry == UNKNOWN)) *entry = mc_names_get_method(jni, ids[i]);
        }
        (*mc_agent_jvmti)->Deallocate(mc_agent_jvmti, (unsigned char *)ids);
    }
    (*jni)->DeleteLocalRef(jni, type);
}

static uint32_t get_method(JNIEnv *jni, uint32_t method) {
    uint32_t *entry = get_entry(&exact.methods, method);
    if (entry && !*entry) {
        name_class_of(jni, method);
        entry = get_entry(&exact.methods, method); // it may lie elsewhere by now
        if (entry && !*entry) *entry = UNKNOWN;
    }
    return entry && *entry != UNKNOWN ? *entry : 0;
}

// ---- the modes

static bool prepare(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted, bool at_start) {
    (void)wanted, (void)at_start; // had when it starts: programs without it pay nothing
    return mc_instrument_is_possible(potential);
}

static jint drain(JNIEnv *jni) {
    jint used = (*jni)->CallStaticIntMethod(jni, exact.side->runtime, exact.side->drain, exact.rows,
                                            (jboolean)(exact.how == MC_AGENT_COUNT));
    return mc_java_side_catch(jni, NULL, 0) ? 0 : used;
}

static bool is_full(jint used) {
    return used + ROW_NUMBERS > DRAIN_ROWS * ROW_NUMBERS;
}

static bool start_java(JNIEnv *jni, const char *options, char *text, size_t text_size) {
    (*jni)->CallStaticVoidMethod(jni, exact.side->instrumenter, exact.side->start,
                                 (jboolean)(exact.how == MC_AGENT_COUNT),
                                 (jboolean)(mc_options_get_number(options, "trivial", 0) != 0));
    return !mc_java_side_catch(jni, text, text_size);
}

static bool make_rows(JNIEnv *jni) {
    jlongArray rows = exact.rows ? NULL : (*jni)->NewLongArray(jni, DRAIN_ROWS * ROW_NUMBERS);
    if (rows) {
        exact.rows = (*jni)->NewGlobalRef(jni, rows);
        (*jni)->DeleteLocalRef(jni, rows);
    }
    mc_java_side_catch(jni, NULL, 0);
    return exact.rows;
}

// What its methods are, once most classes are there.
static void describe(JNIEnv *jni, char *text, size_t text_size) {
    jstring string =
        (*jni)->CallStaticObjectMethod(jni, exact.side->instrumenter, exact.side->describe);
    const char *chars = !mc_java_side_catch(jni, NULL, 0) && string
                            ? (*jni)->GetStringUTFChars(jni, string, NULL)
                            : NULL;
    if (chars) {
        mc_modified_utf8_print(text, text_size, "%s", chars);
        (*jni)->ReleaseStringUTFChars(jni, string, chars);
    }
    if (string) (*jni)->DeleteLocalRef(jni, string);
}

static bool start(JNIEnv *jni, mc_agent_how how, const char *options, char *text,
                  size_t text_size) {
    if (exact.how) {
        snprintf(text, text_size, "calls are timed or counted already: not both at once");
        return false;
    }
    exact.side = mc_java_side_load(jni, text, text_size);
    if (!exact.side || !mc_patterns_read(&exact.patterns, options, text, text_size)) return false;
    exact.how = how;
    bool is_started = make_rows(jni) && start_java(jni, options, text, text_size);
    if (is_started)
        while (is_full(drain(jni))) { // what is left of an earlier time
        }
    int failed_count =
        is_started ? mc_instrument_start(jni, exact.side, &exact.patterns, text, text_size) : -1;
    if (failed_count < 0) {
        exact.how = 0;
        return false;
    }
    if (failed_count > 0) mc_talk_note("%d classes could not be changed", failed_count);
    exact.told_lost = exact.lost = exact.batch_count = 0;
    exact.told[0] = '\0';
    exact.is_quiet = mc_options_get_number(options, "quiet", 0) != 0;
    exact.drained_ns = mc_agent_now_ns();
    mc_time_rows_begin(&exact.sums, exact.drained_ns);
    return true;
}

static bool start_exact(JNIEnv *jni, const char *options, char *text, size_t text_size) {
    return start(jni, MC_AGENT_EXACT, options, text, text_size);
}

static bool start_count(JNIEnv *jni, const char *options, char *text, size_t text_size) {
    return start(jni, MC_AGENT_COUNT, options, text, text_size);
}

static void stop(JNIEnv *jni) {
    mc_instrument_stop(jni);
    exact.how = 0;
    mc_time_rows_deinit(&exact.sums);
}

static void collect(JNIEnv *jni, bool has_collected, uint64_t end) {
    (void)has_collected, (void)end;
    jint used;
    exact.drained_ns = mc_agent_now_ns();
    do {
        used = drain(jni);
        take_threads(jni); // those of the rows are among them
        (*jni)->GetLongArrayRegion(jni, exact.rows, 0, used, exact.copy);
        for (jint i = 0; i < used; i += ROW_NUMBERS) {
            const jlong *row = &exact.copy[i];
            const uint32_t *thread = get_entry(&exact.threads, (uint32_t)row[0]);
            uint32_t method = get_method(jni, (uint32_t)row[1]);
            if (!thread || !*thread || !method)
                exact.lost++;
            else
                mc_time_rows_add(
                    &exact.sums,
                    (mc_time_row){.method = method,
                                  .thread = *thread,
                                  .ns = exact.how == MC_AGENT_EXACT ? (uint64_t)row[2] : 0,
                                  .calls = (uint64_t)row[3]});
        }
    } while (is_full(used));
    jlong unfollowed =
        (*jni)->CallStaticLongMethod(jni, exact.side->runtime, exact.side->take_unfollowed);
    if (!mc_java_side_catch(jni, NULL, 0)) exact.lost += (uint64_t)unfollowed;
}

// Classes come one after the other: it is said when most are there, and if later ones are many. A
// short program's end may come before that.
static void tell(JNIEnv *jni) {
    char text[240] = "";
    exact.batch_count++;
    if (exact.is_quiet) return;
    bool is_due = exact.batch_count == EARLY_BATCH || exact.batch_count == LATE_BATCH ||
                  (!exact.told[0] && mc_talk_is_ending());
    if (!is_due) return;
    describe(jni, text, sizeof text);
    if (strcmp(text, exact.told) == 0) return;
    snprintf(exact.told, sizeof exact.told, "%s", text);
    mc_talk_note("%s", text);
}

static void flush(JNIEnv *jni, mc_frames *out, uint64_t now_ns) {
    (void)now_ns;
    tell(jni);
    mc_time_rows_flush(&exact.sums, exact.how, out, exact.drained_ns);
    uint64_t lost = exact.lost + exact.sums.lost;
    if (lost > exact.told_lost)
        mc_agent_add_lost(out,
                          mc_agent_get_mode_index(exact.how == MC_AGENT_COUNT
                                                      ? MC_AGENT_MODE_COUNT
                                                      : MC_AGENT_MODE_EXACT),
                          lost - exact.told_lost, "there were too many threads or methods");
    exact.told_lost = lost;
}

const mc_agent_mode mc_mode_exact = {.name = MC_AGENT_MODE_EXACT,
                                     .prepare = prepare,
                                     .add_callbacks = mc_instrument_add_callbacks,
                                     .start = start_exact,
                                     .stop = stop,
                                     .collect = collect,
                                     .flush = flush};
const mc_agent_mode mc_mode_count = {.name = MC_AGENT_MODE_COUNT,
                                     .prepare = prepare,
                                     .start = start_count,
                                     .stop = stop,
                                     .collect = collect,
                                     .flush = flush};
