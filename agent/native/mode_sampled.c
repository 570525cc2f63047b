// mode_sampled.c - times of methods from the stacks of all threads at fixed intervals: modes
// "wall", where what passed since the last sample counts for whatever each thread is in, also if it
// sleeps, and "cpu", where what the thread has computed since then does.
//
// Options: interval (ms), include, exclude (patterns.h). A stack counts for its innermost method
// that is neither native nor excluded. All threads stop while stacks are taken, at most a hundredth
// of the time: if that takes longer, samples are taken less often. A virtual thread is seen while a
// thread carries it; those that wait are not.
#include "agent/native/names.h"
#include "agent/native/options.h"
#include "agent/native/patterns.h"
#include "agent/native/time_rows.h"
#include "agent/native/virtual_threads.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INTERVAL_MS 20
#define PAUSE_DIVISOR 100 // of the time that passes, all threads may stand still for a hundredth
#define STRETCH 10        // but samples are never rarer than this many intervals
#define PAUSES 32
#define DEPTH 48
#define IS_NATIVE 0x0100
#define SECOND_NS 1000000000u

typedef struct known_method {
    jmethodID id;
    uint32_t number; // of names.h; 0: native or excluded
} known_method;

static struct {
    mc_agent_how how; // 0: neither mode runs
    uint64_t interval_ns;
    mc_patterns patterns;
    pthread_t thread;
    pthread_mutex_t mutex; // of should_stop
    pthread_cond_t wake;
    bool should_stop;
    mc_time_rows sums;
    uint64_t told_lost;
} sampler = {.mutex = PTHREAD_MUTEX_INITIALIZER, .sums.mutex = PTHREAD_MUTEX_INITIALIZER};

// What the sampling thread has, as long as it runs.
typedef struct samples {
    JNIEnv *jni;
    known_method *methods;
    size_t method_capacity;
    mc_slots slots; // of methods by id
    jlong *cpu_ns;  // by a thread's number: what it had used at its last sample
    uint32_t cpu_count;
} samples;

// ---- methods

static bool is_wanted(JNIEnv *jni, jmethodID id) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    jint modifiers = 0;
    jclass type = NULL;
    char *signature = NULL, name[1024];
    if ((*jvmti)->GetMethodModifiers(jvmti, id, &modifiers) != JVMTI_ERROR_NONE ||
        (modifiers & IS_NATIVE) ||
        (*jvmti)->GetMethodDeclaringClass(jvmti, id, &type) != JVMTI_ERROR_NONE)
        return false;
    bool is = false;
    if ((*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) == JVMTI_ERROR_NONE) {
        is = mc_patterns_get_class_name(signature, name, sizeof name) &&
             mc_patterns_have(&sampler.patterns, name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jni)->DeleteLocalRef(jni, type);
    return is;
}

static uint32_t get_number(samples *all, jmethodID id) {
    uint32_t hash = (uint32_t)((uint64_t)(uintptr_t)id * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (uint32_t at = hash, found; (found = mc_slots_find(&all->slots, hash, &at)) != MC_NONE;)
        if (all->methods[found].id == id) return all->methods[found].number;
    uint32_t count = all->slots.count;
    if (!id ||
        !mc_reserve(&all->methods, &all->method_capacity, (size_t)count + 1,
                    sizeof *all->methods) ||
        !mc_slots_add(&all->slots, hash, count))
        return 0;
    uint32_t number = is_wanted(all->jni, id) ? mc_names_get_method(all->jni, id) : 0;
    all->methods[count] = (known_method){id, number};
    return number;
}

// ---- samples

// What the thread has computed since it was asked last; nothing, if it never was.
static uint64_t take_cpu_ns(samples *all, jthread thread, uint32_t number) {
    jlong now = 0;
    if ((*mc_agent_jvmti)->GetThreadCpuTime(mc_agent_jvmti, thread, &now) != JVMTI_ERROR_NONE)
        return 0;
    if (number >= all->cpu_count) {
        uint32_t count = number * 2 + 64;
        jlong *larger = realloc(all->cpu_ns, count * sizeof *larger);
        if (!larger) return 0;
        memset(larger + all->cpu_count, 0, (count - all->cpu_count) * sizeof *larger);
        all->cpu_ns = larger;
        all->cpu_count = count;
    }
    jlong before = all->cpu_ns[number];
    all->cpu_ns[number] = now;
    return before > 0 && now > before ? (uint64_t)(now - before) : 0;
}

// The innermost method that counts; 0: none does.
static uint32_t find_method(samples *all, const jvmtiFrameInfo *frames, jint count) {
    uint32_t method = 0;
    for (jint i = 0; i < count && !method; i++)
        method = get_number(all, frames[i].method);
    return method;
}

// `clocked`: the thread whose processor time it is, that of a virtual one being its carrier's.
static void add_time(samples *all, uint32_t method, jthread thread, jthread clocked,
                     uint64_t elapsed_ns) {
    uint32_t number = mc_names_get_thread(all->jni, thread);
    uint64_t ns = elapsed_ns;
    if (!number) return;
    if (sampler.how == MC_AGENT_CPU) {
        uint32_t clock = thread == clocked ? number : mc_names_get_thread(all->jni, clocked);
        ns = clock ? take_cpu_ns(all, clocked, clock) : 0;
    }
    if (ns > 0) // of samples, how many there were
        mc_time_rows_add(&sampler.sums,
                         (mc_time_row){.method = method, .thread = number, .ns = ns, .calls = 1});
}

static void take_virtual(samples *all, jthread thread, jthread carrier, uint64_t elapsed_ns) {
    jvmtiFrameInfo frames[DEPTH];
    jint count = 0;
    if ((*mc_agent_jvmti)->GetStackTrace(mc_agent_jvmti, thread, 0, DEPTH, frames, &count) !=
        JVMTI_ERROR_NONE)
        return;
    uint32_t method = find_method(all, frames, count);
    if (method) add_time(all, method, thread, carrier, elapsed_ns);
}

static void take_stack(samples *all, const jvmtiStackInfo *stack, uint64_t elapsed_ns) {
    jthread carried = mc_virtual_threads_get(all->jni, stack->thread);
    if (carried) {
        take_virtual(all, carried, stack->thread, elapsed_ns);
        (*all->jni)->DeleteLocalRef(all->jni, carried);
        return;
    }
    uint32_t method = find_method(all, stack->frame_buffer, stack->frame_count);
    if (method) add_time(all, method, stack->thread, stack->thread, elapsed_ns);
}

static void take_sample(samples *all, uint64_t elapsed_ns) {
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;
    if ((*mc_agent_jvmti)->GetAllStackTraces(mc_agent_jvmti, DEPTH, &stacks, &count) !=
        JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        take_stack(all, &stacks[i], elapsed_ns);
        (*all->jni)->DeleteLocalRef(all->jni, stacks[i].thread);
    }
    (*mc_agent_jvmti)->Deallocate(mc_agent_jvmti, (unsigned char *)stacks);
}

// False: it is to stop.
static bool wait_until(uint64_t due_ns) {
    struct timespec due = {.tv_sec = (time_t)(due_ns / SECOND_NS),
                           .tv_nsec = (long)(due_ns % SECOND_NS)};
    pthread_mutex_lock(&sampler.mutex);
    while (!sampler.should_stop)
        if (pthread_cond_timedwait(&sampler.wake, &sampler.mutex, &due) == ETIMEDOUT) break;
    bool goes_on = !sampler.should_stop;
    pthread_mutex_unlock(&sampler.mutex);
    return goes_on;
}

// How long it takes to take stacks: the shortest of the last few times, as in others something else
// had the processor.
static uint64_t get_pause_ns(uint64_t pauses_ns[PAUSES], uint32_t sample, uint64_t last_ns) {
    pauses_ns[sample % PAUSES] = last_ns;
    uint64_t least_ns = last_ns;
    for (uint32_t i = 0; i < PAUSES; i++)
        if (pauses_ns[i] && pauses_ns[i] < least_ns) least_ns = pauses_ns[i];
    return least_ns;
}

static uint64_t get_period_ns(uint64_t pause_ns) {
    uint64_t least_ns = pause_ns * PAUSE_DIVISOR, most_ns = sampler.interval_ns * STRETCH;
    if (least_ns < sampler.interval_ns) return sampler.interval_ns;
    return least_ns < most_ns ? least_ns : most_ns;
}

static void run(samples *all) {
    uint64_t pauses_ns[PAUSES] = {0};
    uint64_t last_ns = mc_agent_now_ns(), due_ns = last_ns;
    for (uint32_t sample = 0; wait_until(due_ns); sample++) {
        uint64_t now_ns = mc_agent_now_ns();
        take_sample(all, now_ns - last_ns);
        last_ns = now_ns;
        uint64_t pause_ns = get_pause_ns(pauses_ns, sample, mc_agent_now_ns() - now_ns);
        due_ns = now_ns + get_period_ns(pause_ns);
    }
}

static void *run_thread(void *vm_of_java) {
    JavaVM *vm = vm_of_java;
    samples all = {0};
    JavaVMAttachArgs arguments = {.version = JNI_VERSION_1_6, .name = (char *)"memcity sampler"};
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&all.jni, &arguments) == JNI_OK) {
        mc_virtual_threads_prepare(all.jni);
        run(&all);
        (*vm)->DetachCurrentThread(vm);
    }
    mc_free(all.methods);
    mc_slots_deinit(&all.slots);
    free(all.cpu_ns);
    return NULL;
}

// ---- the modes

static bool prepare_wall(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted,
                         bool at_start) {
    (void)potential, (void)wanted, (void)at_start;
    return true;
}

static bool prepare_cpu(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted,
                        bool at_start) {
    (void)at_start;
    wanted->can_get_thread_cpu_time = 1;
    return potential->can_get_thread_cpu_time;
}

static bool start_thread(JNIEnv *jni) {
    JavaVM *vm = NULL;
    sigset_t all, before;
    pthread_condattr_t clock;
    if ((*jni)->GetJavaVM(jni, &vm) != 0 || pthread_condattr_init(&clock) != 0) return false;
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&sampler.wake, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all); // signals are the program's
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&sampler.thread, NULL, run_thread, vm) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_started) pthread_cond_destroy(&sampler.wake);
    return is_started;
}

static bool start(JNIEnv *jni, mc_agent_how how, const char *options, char *text,
                  size_t text_size) {
    if (sampler.how) {
        snprintf(text, text_size, "stacks are sampled already: wall clock or CPU time, not both");
        return false;
    }
    uint64_t interval_ms = mc_options_get_number(options, "interval", INTERVAL_MS);
    if (interval_ms < 1 || interval_ms > 10000) {
        snprintf(text, text_size, "an interval is 1 to 10000 ms");
        return false;
    }
    if (!mc_patterns_read(&sampler.patterns, options, text, text_size)) return false;
    sampler.interval_ns = interval_ms * 1000000;
    sampler.how = how;
    sampler.should_stop = false;
    sampler.told_lost = 0;
    mc_time_rows_begin(&sampler.sums, mc_agent_now_ns());
    if (start_thread(jni)) return true;
    sampler.how = 0;
    snprintf(text, text_size, "there can be no further thread");
    return false;
}

static bool start_wall(JNIEnv *jni, const char *options, char *text, size_t text_size) {
    return start(jni, MC_AGENT_WALL, options, text, text_size);
}

static bool start_cpu(JNIEnv *jni, const char *options, char *text, size_t text_size) {
    return start(jni, MC_AGENT_CPU, options, text, text_size);
}

static void stop(JNIEnv *jni) {
    (void)jni;
    pthread_mutex_lock(&sampler.mutex);
    sampler.should_stop = true;
    pthread_cond_signal(&sampler.wake);
    pthread_mutex_unlock(&sampler.mutex);
    pthread_join(sampler.thread, NULL);
    pthread_cond_destroy(&sampler.wake);
    mc_time_rows_deinit(&sampler.sums);
    sampler.how = 0;
}

static void flush(JNIEnv *jni, mc_frames *out, uint64_t now_ns) {
    (void)jni;
    mc_time_rows_flush(&sampler.sums, sampler.how, out, now_ns);
}

const mc_agent_mode mc_mode_wall = {.name = MC_AGENT_MODE_WALL,
                                    .prepare = prepare_wall,
                                    .start = start_wall,
                                    .stop = stop,
                                    .flush = flush};
const mc_agent_mode mc_mode_cpu = {.name = MC_AGENT_MODE_CPU,
                                   .prepare = prepare_cpu,
                                   .start = start_cpu,
                                   .stop = stop,
                                   .flush = flush};
