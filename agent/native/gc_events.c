#include "agent/native/gc_events.h"

#include "agent/native/agent.h"

#define CAPACITY 1024u  // a power of two
#define ASKED_SHARE 20u // of the time that passes, what is asked for takes one part of so many

// One collection runs at a time, so there is one writer.
static mc_gc_event ring[CAPACITY];
static uint64_t written, read_count; // atomic; events ever
static uint64_t dropped_count;       // atomic
static uint64_t begin_ns;

static void JNICALL note_start(jvmtiEnv *jvmti) {
    (void)jvmti;
    begin_ns = mc_agent_now_ns();
}

static void JNICALL note_finish(jvmtiEnv *jvmti) {
    (void)jvmti;
    uint64_t at = __atomic_load_n(&written, __ATOMIC_RELAXED), now_ns = mc_agent_now_ns();
    if (at - __atomic_load_n(&read_count, __ATOMIC_ACQUIRE) >= CAPACITY) {
        __atomic_fetch_add(&dropped_count, 1, __ATOMIC_RELAXED);
        return;
    }
    ring[at % CAPACITY] = (mc_gc_event){.at_ns = now_ns, .duration_ns = now_ns - begin_ns};
    __atomic_store_n(&written, at + 1, __ATOMIC_RELEASE);
}

void mc_gc_events_add_callbacks(jvmtiEventCallbacks *callbacks) {
    callbacks->GarbageCollectionStart = note_start;
    callbacks->GarbageCollectionFinish = note_finish;
}

uint64_t mc_gc_events_get_count(void) {
    return __atomic_load_n(&written, __ATOMIC_ACQUIRE);
}

bool mc_gc_events_has_any(uint64_t end) {
    return __atomic_load_n(&read_count, __ATOMIC_RELAXED) < end;
}

bool mc_gc_events_take(uint64_t end, mc_gc_event *event) {
    uint64_t at = __atomic_load_n(&read_count, __ATOMIC_RELAXED);
    if (at >= end) return false;
    *event = ring[at % CAPACITY];
    __atomic_store_n(&read_count, at + 1, __ATOMIC_RELEASE);
    return true;
}

uint64_t mc_gc_events_get_dropped(void) {
    return __atomic_load_n(&dropped_count, __ATOMIC_RELAXED);
}

// ---- of the agent's thread

static uint64_t asking_ns, due_ns; // how often, and when next

void mc_gc_events_set_asking(uint64_t every_ns) {
    asking_ns = every_ns;
    due_ns = mc_agent_now_ns() + every_ns;
}

bool mc_gc_events_ask(uint64_t *before) {
    uint64_t start_ns = mc_agent_now_ns();
    if (asking_ns == 0 || start_ns < due_ns) return false;
    *before = mc_gc_events_get_count();
    bool is_done = (*mc_agent_jvmti)->ForceGarbageCollection(mc_agent_jvmti) == JVMTI_ERROR_NONE;
    uint64_t end_ns = mc_agent_now_ns(), pause_ns = (end_ns - start_ns) * ASKED_SHARE;
    due_ns = end_ns + (pause_ns > asking_ns ? pause_ns : asking_ns);
    return is_done;
}
