#include "agent/native/talk.h"

#include "agent/native/agent.h"
#include "agent/native/gc_events.h"
#include "agent/native/link.h"
#include "agent/native/modified_utf8.h"
#include "agent/native/names.h"
#include "agent/native/options.h"
#include "agent/native/virtual_threads.h"
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define RETRY_MS 1000
#define ALONE_MS 30000 // how long a mode that options started waits for a viewer
#define GOODBYE_MS 500 // how long the last batch may take
#define END_TIMEOUT_MS 1000
#define NOTE_SIZE 256
#define NOTE_COUNT 8

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of `shared`
static pthread_cond_t has_ended = PTHREAD_COND_INITIALIZER;
static struct {
    bool is_running, is_connected, is_ending;
    mc_address address;
    char notes[NOTE_COUNT][NOTE_SIZE];
    uint32_t note_count;
    int wake_fd;
} shared = {.wake_fd = -1};

// What the thread has: nobody else looks at it.
static struct {
    JavaVM *vm;
    JNIEnv *jni;
    uint32_t granted, running; // modes, a bit each
    mc_link link;
    mc_frames out;
    uint64_t alone_ns, try_ns, batch_ns; // since when there is no viewer; when it is due
    uint64_t lost_names, lost_frames, lost_collections; // that the viewer knows of
    bool should_rest;
} talk = {.link.fd = -1};

void mc_talk_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&mutex);
    if (shared.note_count < NOTE_COUNT) {
        char *note = shared.notes[shared.note_count++];
        mc_modified_utf8_trim(note, NOTE_SIZE, vsnprintf(note, NOTE_SIZE, format, arguments));
    }
    pthread_mutex_unlock(&mutex);
    va_end(arguments);
}

// ---- modes

static bool is_running(uint32_t mode) {
    return talk.running >> mode & 1;
}

static void stop_mode(uint32_t mode) {
    if (!is_running(mode)) return;
    mc_agent_modes[mode]->stop(talk.jni);
    talk.running &= ~(1u << mode);
}

static void stop_modes(void) {
    for (uint32_t i = 0; mc_agent_modes[i]; i++)
        stop_mode(i);
}

static bool start_mode(const char *name, const char *options, char *text, size_t text_size) {
    uint32_t mode = 0;
    while (mc_agent_modes[mode] && strcmp(mc_agent_modes[mode]->name, name) != 0)
        mode++;
    text[0] = '\0';
    if (!mc_agent_modes[mode]) {
        snprintf(text, text_size, "this agent has no mode \"%s\"", name);
        return false;
    }
    if (!(talk.granted >> mode & 1)) {
        snprintf(text, text_size,
                 "this Java does not let an agent run \"%s\": it is too old, or another agent "
                 "(a profiler) has what it needs",
                 name);
        return false;
    }
    stop_mode(mode);
    if (!mc_agent_modes[mode]->start(talk.jni, options, text, text_size)) return false;
    talk.running |= 1u << mode;
    return true;
}

static bool stop_named(const char *name) {
    for (uint32_t i = 0; mc_agent_modes[i]; i++)
        if (strcmp(mc_agent_modes[i]->name, name) == 0) stop_mode(i);
    return true;
}

// Those that the agent's own options name: "start=alloc".
static void start_at_once(JNIEnv *jni, const char *options, uint32_t granted) {
    char name[32], text[256], *own;
    talk.jni = jni; // there is no thread yet
    talk.granted = granted;
    mc_virtual_threads_begin(jni);
    for (uint32_t i = 0; (own = mc_options_copy_start(options, i)); i++) {
        bool is_named = mc_options_get(own, "start", name, sizeof name);
        if (is_named && !start_mode(name, own, text, sizeof text)) mc_talk_note("%s", text);
        free(own);
    }
}

// ---- what is sent

// Of what stands on the command line, in whatever encoding that was.
static void add_property(mc_frames *out, const char *const *keys) {
    mc_frames_begin_string(out);
    for (bool is_first = true; *keys; keys++) {
        char *value = NULL;
        if ((*mc_agent_jvmti)->GetSystemProperty(mc_agent_jvmti, *keys, &value) != JVMTI_ERROR_NONE)
            continue;
        if (!is_first) mc_frames_append_text(out, " ");
        mc_frames_append_text(out, value);
        is_first = false;
        (*mc_agent_jvmti)->Deallocate(mc_agent_jvmti, (unsigned char *)value);
    }
    mc_frames_end_string(out);
}

// What Runtime.maxMemory() says; 0: nothing that is a limit.
static uint64_t find_heap_limit(JNIEnv *jni) {
    jlong most = 0;
    if ((*jni)->PushLocalFrame(jni, 4) != 0) return 0;
    jclass type = (*jni)->FindClass(jni, "java/lang/Runtime");
    jmethodID get =
        type ? (*jni)->GetStaticMethodID(jni, type, "getRuntime", "()Ljava/lang/Runtime;") : NULL;
    jmethodID ask = get ? (*jni)->GetMethodID(jni, type, "maxMemory", "()J") : NULL;
    jobject runtime = ask ? (*jni)->CallStaticObjectMethod(jni, type, get) : NULL;
    if (runtime) most = (*jni)->CallLongMethod(jni, runtime, ask);
    (*jni)->ExceptionClear(jni);
    (*jni)->PopLocalFrame(jni, NULL);
    return most > 0 && most < INT64_MAX ? (uint64_t)most : 0;
}

static void say_hello(void) {
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    mc_frames *out = &talk.out;
    mc_frames_begin(out, MC_AGENT_HELLO);
    mc_frames_add_u16(out, MC_AGENT_VERSION);
    mc_frames_add_u32(out, (uint32_t)getpid());
    mc_frames_add_i64(out, (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000);
    mc_frames_add_u64(out, mc_agent_now_ns());
    add_property(out, (const char *const[]){"java.vm.name", "java.vm.version", NULL});
    add_property(out, (const char *const[]){"sun.java.command", NULL});
    mc_frames_add_u32(out, talk.granted);
    mc_frames_add_u64(out, find_heap_limit(talk.jni));
    mc_frames_add_u8(out, MC_AGENT_HELLO_TELLS_WHOLE);
    mc_frames_end(out);
}

static void say_bye(const char *reason) {
    mc_frames_begin(&talk.out, MC_AGENT_BYE);
    mc_frames_add_string(&talk.out, reason);
    mc_frames_end(&talk.out);
}

static void acknowledge(uint32_t number, bool is_done, const char *text) {
    mc_frames_begin(&talk.out, MC_AGENT_ACK);
    mc_frames_add_u32(&talk.out, number);
    mc_frames_add_u8(&talk.out, is_done);
    mc_frames_add_string(&talk.out, text);
    mc_frames_end(&talk.out);
}

static void tell_lost(uint64_t now, uint64_t *told, const char *reason) {
    if (now == *told) return;
    mc_agent_add_lost(&talk.out, MC_AGENT_LOST_NAMES, now - *told, reason);
    *told = now;
}

static void send_notes(void) {
    pthread_mutex_lock(&mutex);
    for (uint32_t i = 0; i < shared.note_count; i++) {
        mc_frames_begin(&talk.out, MC_AGENT_NOTE);
        mc_frames_add_string(&talk.out, shared.notes[i]);
        mc_frames_end(&talk.out);
    }
    shared.note_count = 0;
    pthread_mutex_unlock(&mutex);
}

static void send_collection(const mc_gc_event *event, bool is_whole) {
    mc_frames_begin(&talk.out, MC_AGENT_GC);
    mc_frames_add_u64(&talk.out, event->at_ns);
    mc_frames_add_u64(&talk.out, event->duration_ns);
    mc_frames_add_u64(&talk.out, 0);
    mc_frames_add_u8(&talk.out, is_whole ? MC_AGENT_GC_WHOLE : 0);
    mc_frames_end(&talk.out);
}

// One of the whole heap may have been several to the JVM, or none: it comes last.
static void send_collections(uint64_t end, bool has_whole) {
    mc_gc_event event, whole = {.at_ns = mc_agent_now_ns()};
    while (mc_frames_has_room(&talk.out) && mc_gc_events_take(end, &event))
        send_collection(&event, false);
    if (has_whole) send_collection(&whole, true);
}

// A collection is told behind what it has changed: not one that comes meanwhile.
static void make_batch(void) {
    uint64_t before = 0;
    bool has_whole = talk.link.fd >= 0 && mc_gc_events_ask(&before);
    uint64_t end = mc_gc_events_get_count();
    bool has_collected = has_whole || mc_gc_events_has_any(end);
    // A collection beside the program has not looked at what was allocated meanwhile.
    uint64_t seen = has_whole ? before + 1 : end;
    for (uint32_t i = 0; mc_agent_modes[i]; i++)
        if (is_running(i) && mc_agent_modes[i]->collect)
            mc_agent_modes[i]->collect(talk.jni, has_collected, seen);
    if (talk.link.fd < 0 || !mc_frames_has_room(&talk.out)) return;
    send_notes();
    mc_names_flush(talk.jni, &talk.out);
    for (uint32_t i = 0; mc_agent_modes[i]; i++)
        if (is_running(i)) mc_agent_modes[i]->flush(talk.jni, &talk.out, mc_agent_now_ns());
    send_collections(end, has_whole);
    tell_lost(mc_names_get_lost(), &talk.lost_names, "there are too many names");
    tell_lost(talk.out.failed_count, &talk.lost_frames, "memory is out");
    tell_lost(mc_gc_events_get_dropped(), &talk.lost_collections, "collections came too fast");
}

// ---- the connection

static void set_connected(bool is_connected) {
    pthread_mutex_lock(&mutex);
    shared.is_connected = is_connected;
    pthread_mutex_unlock(&mutex);
}

static void lose_viewer(uint64_t now_ns) {
    mc_link_close(&talk.link);
    mc_frames_clear(&talk.out);
    stop_modes();
    set_connected(false);
    talk.try_ns = now_ns + (uint64_t)RETRY_MS * 1000000;
}

static void look_for_viewer(uint64_t now_ns) {
    mc_address address;
    if (now_ns < talk.try_ns) return;
    talk.try_ns = now_ns + (uint64_t)RETRY_MS * 1000000;
    pthread_mutex_lock(&mutex);
    address = shared.address;
    pthread_mutex_unlock(&mutex);
    if (mc_link_connect(&talk.link, &address)) {
        set_connected(true);
        mc_names_forget_sent();
        say_hello();
        talk.batch_ns = now_ns;
    } else if (talk.running && now_ns - talk.alone_ns > (uint64_t)ALONE_MS * 1000000) {
        stop_modes();
    }
}

static void obey(const mc_link_command *command) {
    char text[256] = "";
    bool is_done = false;
    switch (command->verb) {
    case MC_AGENT_START:
        is_done = start_mode(command->mode, command->options, text, sizeof text);
        break;
    case MC_AGENT_STOP: is_done = stop_named(command->mode); break;
    case MC_AGENT_REST:
        stop_modes();
        talk.should_rest = is_done = true;
        break;
    default: snprintf(text, sizeof text, "no such command"); break;
    }
    acknowledge(command->number, is_done, text);
    if (talk.should_rest) say_bye("at rest");
}

static bool listen_and_send(void) {
    mc_link_command command;
    bool is_there = mc_link_receive(&talk.link);
    while (!talk.should_rest && mc_link_take_command(&talk.link, &command))
        obey(&command);
    return mc_link_send(&talk.link, &talk.out) && is_there;
}

// The last words may take a moment, but no longer.
static void say_goodbye(void) {
    uint64_t end_ns = mc_agent_now_ns() + (uint64_t)GOODBYE_MS * 1000000;
    while (talk.link.fd >= 0 && talk.out.size > 0 && mc_agent_now_ns() < end_ns) {
        if (!mc_link_send(&talk.link, &talk.out)) break;
        if (talk.out.size > 0) mc_link_wait(&talk.link, true, -1, 20);
    }
    mc_link_close(&talk.link);
}

// ---- the thread

bool mc_talk_is_ending(void) {
    pthread_mutex_lock(&mutex);
    bool is = shared.is_ending;
    pthread_mutex_unlock(&mutex);
    return is;
}

static int get_timeout_ms(uint64_t now_ns) {
    uint64_t due_ns = talk.link.fd < 0 ? talk.try_ns : UINT64_MAX;
    bool has_batches = talk.running || talk.link.fd >= 0;
    if (has_batches && talk.batch_ns < due_ns) due_ns = talk.batch_ns;
    return due_ns <= now_ns ? 0 : (int)((due_ns - now_ns) / 1000000) + 1;
}

static void turn(void) {
    uint64_t now_ns = mc_agent_now_ns();
    if (talk.link.fd < 0) look_for_viewer(now_ns);
    bool has_unsent = talk.link.fd >= 0 && talk.out.size > 0;
    mc_link_wait(&talk.link, has_unsent, shared.wake_fd, get_timeout_ms(now_ns));
    now_ns = mc_agent_now_ns();
    if (now_ns >= talk.batch_ns && (talk.running || talk.link.fd >= 0)) {
        make_batch();
        talk.batch_ns = now_ns + (uint64_t)MC_AGENT_BATCH_MS * 1000000;
    }
    if (talk.link.fd >= 0 && !listen_and_send()) {
        lose_viewer(now_ns);
        talk.alone_ns = now_ns;
    }
}

static void set_collection_events(jvmtiEventMode mode) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
}

static void run(void) {
    mc_virtual_threads_begin(talk.jni);
    set_collection_events(JVMTI_ENABLE);
    talk.alone_ns = mc_agent_now_ns();
    talk.try_ns = talk.batch_ns = 0;
    talk.should_rest = false;
    do // a program that ends at once has connected nevertheless
        turn();
    while (!talk.should_rest && !mc_talk_is_ending());
    if (!talk.should_rest) {
        talk.try_ns = 0; // a viewer that came after the last look has its chance
        if (talk.link.fd < 0) look_for_viewer(mc_agent_now_ns());
        make_batch();
        make_batch(); // what came behind the last collection
        say_bye("the program has ended");
    }
    say_goodbye();
    mc_frames_clear(&talk.out);
    stop_modes();
    set_collection_events(JVMTI_DISABLE);
}

static void *run_thread(void *unused) {
    (void)unused;
    JavaVMAttachArgs arguments = {.version = JNI_VERSION_1_6, .name = (char *)"memcity agent"};
    bool is_attached =
        (*talk.vm)->AttachCurrentThreadAsDaemon(talk.vm, (void **)&talk.jni, &arguments) == JNI_OK;
    if (is_attached) {
        run();
        (*talk.vm)->DetachCurrentThread(talk.vm);
    }
    pthread_mutex_lock(&mutex);
    shared.is_running = shared.is_connected = false;
    pthread_cond_broadcast(&has_ended);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

// Signals are the program's. With the lock.
static bool start_thread(void) {
    sigset_t all, before;
    pthread_t thread;
    if (shared.wake_fd < 0) shared.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = shared.wake_fd >= 0 && pthread_create(&thread, NULL, run_thread, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_started) pthread_detach(thread);
    return is_started;
}

mc_talk_result mc_talk_start(JavaVM *vm, JNIEnv *jni, const char *options, uint32_t granted) {
    mc_address address;
    if (!mc_address_read(&address, options)) return MC_TALK_FAILED;
    mc_talk_result result = MC_TALK_STARTED;
    if (jni) start_at_once(jni, options, granted);
    pthread_mutex_lock(&mutex);
    if (shared.is_connected) {
        result = MC_TALK_BUSY;
    } else {
        shared.address = address;
        if (!shared.is_running) {
            talk.vm = vm;
            talk.granted = granted;
            shared.is_running = start_thread();
            if (!shared.is_running) result = MC_TALK_FAILED;
        }
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

void mc_talk_end(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += END_TIMEOUT_MS / 1000;
    pthread_mutex_lock(&mutex);
    shared.is_ending = true;
    uint64_t one = 1;
    if (shared.wake_fd >= 0 && write(shared.wake_fd, &one, sizeof one) < 0) { // it is awake, then
    }
    while (shared.is_running)
        if (pthread_cond_timedwait(&has_ended, &mutex, &until) != 0) break;
    pthread_mutex_unlock(&mutex);
}
