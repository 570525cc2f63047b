// mode_alloc.c - where what is alive was allocated: sampled objects, followed until they die.
//
// The JVM picks objects by bytes, so that the probability of one is 1 - e^(-size / interval). A
// callback takes the stack and a weak reference; the agent's thread adds it to its row, and takes
// it off again when the reference is found cleared after a collection.
#include "agent/native/agent.h"

#include "agent/native/alloc_rows.h"
#include "agent/native/gc_events.h"
#include "agent/native/names.h"
#include "agent/native/options.h"
#include "agent/native/samples.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>

#define USUAL_INTERVAL (512u << 10)
#define INTERVAL_MOST (1u << 30)
#define USUAL_DEPTH 8
#define LIVE_MOST ((size_t)64 << 20) // objects that are followed at the same time
#define SWEEP_NS UINT64_C(1000000000)
#define SWEEP_SHARE 20 // what looking for the dead may cost: one part of so many

typedef struct live_object {
    jweak object;
    uint64_t size;
    uint32_t row;
} live_object;

static uint32_t depth = USUAL_DEPTH;         // of stacks
static bool is_active;                       // atomic: callbacks may come
static uint32_t callback_count;              // atomic: those that are at it
static uint64_t lost_count, told_lost_count; // atomic: objects

// of the agent's thread
static live_object *live;
static size_t live_count, live_capacity;
static mc_samples taken, young; // young: what came behind a collection that is not told yet
static uint64_t swept_ns, sweep_cost_ns;

static bool prepare(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted, bool at_start) {
    (void)at_start;
    wanted->can_generate_sampled_object_alloc_events = 1;
    return potential->can_generate_sampled_object_alloc_events;
}

static void count_lost(uint64_t count) {
    __atomic_fetch_add(&lost_count, count, __ATOMIC_RELAXED);
}

static void take_sample(jvmtiEnv *jvmti, JNIEnv *jni, jobject object, jclass type, jlong size) {
    jvmtiFrameInfo frames[MC_NAMES_FRAME_MOST];
    uint64_t collection = mc_gc_events_get_count();
    jint count = 0;
    if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, (jint)depth, frames, &count) != JVMTI_ERROR_NONE)
        count = 0;
    mc_sample sample = {.collection = collection,
                        .what = {.class_number = mc_names_get_class(jni, type),
                                 .stack = mc_names_get_stack(frames, (uint32_t)count),
                                 .thread = mc_names_get_thread(jni, NULL),
                                 .size = (uint64_t)size}};
    sample.object = (*jni)->NewWeakGlobalRef(jni, object);
    if (sample.object && mc_samples_put(&sample)) return;
    if (sample.object) (*jni)->DeleteWeakGlobalRef(jni, sample.object);
    count_lost(1);
}

static void JNICALL note_allocation(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
                                    jclass type, jlong size) {
    (void)thread;
    if (mc_names_is_inside()) return; // what the JVM made to look something up for us
    __atomic_fetch_add(&callback_count, 1, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&is_active, __ATOMIC_ACQUIRE)) take_sample(jvmti, jni, object, type, size);
    __atomic_fetch_sub(&callback_count, 1, __ATOMIC_RELEASE);
}

static void add_callbacks(jvmtiEventCallbacks *callbacks) {
    callbacks->SampledObjectAlloc = note_allocation;
}

static void set_events(jvmtiEventMode mode) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
}

static uint64_t get_interval(const char *options) {
    uint64_t interval = mc_options_get_number(options, "interval", USUAL_INTERVAL);
    return interval < INTERVAL_MOST ? interval : INTERVAL_MOST;
}

static bool set_interval(uint64_t interval) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    return (*jvmti)->SetHeapSamplingInterval(jvmti, (jint)interval) == JVMTI_ERROR_NONE;
}

// A thread chooses its first sample when it is made: the main one soon after this.
static void load(const char *options) {
    set_interval(get_interval(options));
}

static bool start(JNIEnv *jni, const char *options, char *text, size_t text_size) {
    (void)jni;
    jvmtiEnv *jvmti = mc_agent_jvmti;
    uint64_t interval = get_interval(options);
    uint64_t wanted_depth = mc_options_get_number(options, "depth", USUAL_DEPTH);
    depth = wanted_depth < 1                     ? 1
            : wanted_depth < MC_NAMES_FRAME_MOST ? (uint32_t)wanted_depth
                                                 : MC_NAMES_FRAME_MOST;
    if (!set_interval(interval)) {
        snprintf(text, text_size, "the JVM does not take the interval");
        return false;
    }
    mc_alloc_rows_begin(interval);
    mc_gc_events_set_asking(mc_options_get_number(options, "gc", 0) * 1000000);
    swept_ns = mc_agent_now_ns();
    __atomic_store_n(&is_active, true, __ATOMIC_RELEASE);
    set_events(JVMTI_ENABLE);
    // A thread notices the interval with its next allocation buffer, which a collection gives it:
    // to count each allocation, no thread may be left out.
    if (interval == 0) (*jvmti)->ForceGarbageCollection(jvmti);
    return true;
}

static void forget_all(JNIEnv *jni) {
    mc_samples_take(&taken);
    for (size_t i = 0; i < taken.count; i++)
        (*jni)->DeleteWeakGlobalRef(jni, taken.items[i].object);
    for (size_t i = 0; i < young.count; i++)
        (*jni)->DeleteWeakGlobalRef(jni, young.items[i].object);
    for (size_t i = 0; i < live_count; i++)
        (*jni)->DeleteWeakGlobalRef(jni, live[i].object);
    mc_samples_take(&taken); // both arrays of the exchange
    free(taken.items);
    free(young.items);
    taken = young = (mc_samples){0};
    free(live);
    live = NULL;
    live_count = live_capacity = 0;
    mc_alloc_rows_end();
}

static void stop(JNIEnv *jni) {
    set_events(JVMTI_DISABLE);
    mc_gc_events_set_asking(0);
    __atomic_store_n(&is_active, false, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&callback_count, __ATOMIC_SEQ_CST) > 0)
        mc_agent_sleep_ms(1);
    forget_all(jni);
}

// What can't be followed is not counted at all, or it would seem to live forever.
static void follow(JNIEnv *jni, const mc_sample *sample) {
    bool has_room =
        live_count < LIVE_MOST && mc_reserve(&live, &live_capacity, live_count + 1, sizeof *live);
    uint32_t row = has_room ? mc_alloc_rows_add(&sample->what) : UINT32_MAX;
    if (row != UINT32_MAX) {
        live[live_count++] =
            (live_object){.object = sample->object, .size = sample->what.size, .row = row};
    } else {
        (*jni)->DeleteWeakGlobalRef(jni, sample->object);
        count_lost(1);
    }
}

// What was allocated before as many collections. The rest comes with the next batch, behind the
// frame of the collection that it has not seen: so the viewer knows what has outlived one.
static void take_in(JNIEnv *jni, uint64_t end) {
    size_t young_count = young.count;
    young.count = 0;
    for (size_t i = 0; i < young_count; i++) {
        mc_sample sample = young.items[i];
        if (sample.collection < end || !mc_samples_add(&young, &sample, SIZE_MAX))
            follow(jni, &sample);
    }
    mc_samples_take(&taken);
    for (size_t i = 0; i < taken.count; i++)
        if (taken.items[i].collection < end || !mc_samples_add(&young, &taken.items[i], SIZE_MAX))
            follow(jni, &taken.items[i]);
}

static void sweep(JNIEnv *jni) {
    size_t kept_count = 0;
    for (size_t i = 0; i < live_count; i++) {
        if ((*jni)->IsSameObject(jni, live[i].object, NULL)) {
            mc_alloc_rows_remove(live[i].row, live[i].size);
            (*jni)->DeleteWeakGlobalRef(jni, live[i].object);
        } else {
            live[kept_count++] = live[i];
        }
    }
    live_count = kept_count;
}

// Not every collector tells its collections, so one looks now and then, too.
static void collect(JNIEnv *jni, bool has_collected, uint64_t end) {
    take_in(jni, has_collected ? end : UINT64_MAX);
    uint64_t begin_ns = mc_agent_now_ns();
    uint64_t pause_ns = sweep_cost_ns * SWEEP_SHARE;
    if (!has_collected && begin_ns - swept_ns < (pause_ns > SWEEP_NS ? pause_ns : SWEEP_NS)) return;
    sweep(jni);
    swept_ns = mc_agent_now_ns();
    sweep_cost_ns = swept_ns - begin_ns;
}

static void flush(JNIEnv *jni, mc_frames *out, uint64_t now_ns) {
    (void)jni;
    mc_alloc_rows_flush(out, now_ns);
    uint64_t lost = __atomic_load_n(&lost_count, __ATOMIC_RELAXED);
    if (lost == told_lost_count) return;
    mc_agent_add_lost(out, mc_agent_get_mode_index(MC_AGENT_MODE_ALLOC), lost - told_lost_count,
                      "objects came too fast, or memory is out");
    told_lost_count = lost;
}

extern const mc_agent_mode mc_mode_alloc;
const mc_agent_mode mc_mode_alloc = {.name = MC_AGENT_MODE_ALLOC,
                                     .prepare = prepare,
                                     .add_callbacks = add_callbacks,
                                     .load = load,
                                     .start = start,
                                     .stop = stop,
                                     .collect = collect,
                                     .flush = flush};
