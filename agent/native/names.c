#include "agent/native/names.h"

#include "agent/native/stacks.h"
#include "agent/native/virtual_threads.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a tag says: its kind in the upper half, the number in the lower.
enum { TAG_CLASS = 1, TAG_THREAD = 2, TAG_LOADER = 3 };

typedef struct class_entry {
    char *name;
    uint32_t loader;
} class_entry;

typedef struct method_entry {
    jmethodID id;
    char *name, *signature, *file;
    jvmtiLineNumberEntry *lines; // JVMTI's memory
    jint line_count;
    uint32_t class_number;
    uint8_t flags;
} method_entry;

typedef struct thread_entry {
    char *name;
    bool is_shared;
} thread_entry;

// Virtual threads of one name.
#define SHARED_NAMES_MOST 256u
#define OTHER_NAMES "(virtual threads)" // of all further names
typedef struct shared_name {
    char *name;
    uint32_t numbers[MC_NAMES_SHARED_MOST], count, next;
} shared_name;

static jvmtiEnv *jvmti;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of the tables; JVMTI is called in it
static __thread bool has_lock;                            // this thread
static class_entry *classes;
static method_entry *methods;
static thread_entry *threads;
static shared_name *shared_names;
static uint32_t shared_count;
static size_t shared_capacity;
static uint32_t class_count, method_count, thread_count, loader_count;
static size_t class_capacity, method_capacity, thread_capacity;
static mc_slots slots;      // of methods by their ids
static uint64_t lost_count; // atomic

// of the agent's thread
static uint32_t sent_classes, sent_methods, sent_threads, sent_stacks, resolved_stacks;

static __thread uint32_t own_thread; // number of the current thread; 0: not known yet

static void count_lost(void) {
    __atomic_fetch_add(&lost_count, 1, __ATOMIC_RELAXED);
}

static void lock(void) {
    pthread_mutex_lock(&mutex);
    has_lock = true;
}

static void unlock(void) {
    has_lock = false;
    pthread_mutex_unlock(&mutex);
}

bool mc_names_is_inside(void) {
    return has_lock;
}

void mc_names_init(jvmtiEnv *environment) {
    jvmti = environment;
}

// Takes JVMTI's string: a copy of our own.
static char *take_string(char *string) {
    char *copy = string ? strdup(string) : NULL;
    if (string) (*jvmti)->Deallocate(jvmti, (unsigned char *)string);
    return copy;
}

static uint32_t get_tag(jobject object, uint32_t kind) {
    jlong tag = 0;
    if ((*jvmti)->GetTag(jvmti, object, &tag) != JVMTI_ERROR_NONE) return 0;
    return (uint32_t)((uint64_t)tag >> 32) == kind ? (uint32_t)tag : 0;
}

static bool set_tag(jobject object, uint32_t kind, uint32_t number) {
    jlong tag = (jlong)(((uint64_t)kind << 32) | number);
    return (*jvmti)->SetTag(jvmti, object, tag) == JVMTI_ERROR_NONE;
}

// ---- classes

// "Lcom/acme/Shop;" -> "com.acme.Shop", "[I" stays: as Class.getName() has it. A hidden class
// ("Lcom/acme/Shop$$Lambda.0x123;") has a dot that is none of a package.
static void make_binary_name(char *signature) {
    size_t size = strlen(signature);
    if (signature[0] == 'L' && size >= 2 && signature[size - 1] == ';') {
        memmove(signature, signature + 1, size - 2);
        signature[size - 2] = '\0';
    }
    for (char *at = signature; *at; at++)
        *at = *at == '.' ? '/' : *at == '/' ? '.' : *at;
}

static uint32_t get_loader(JNIEnv *jni, jclass type) {
    jobject loader = NULL;
    if ((*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE || !loader) return 0;
    uint32_t number = get_tag(loader, TAG_LOADER);
    if (!number && set_tag(loader, TAG_LOADER, loader_count + 1)) number = ++loader_count;
    (*jni)->DeleteLocalRef(jni, loader);
    return number;
}

static uint32_t add_class(JNIEnv *jni, jclass type) {
    char *signature = NULL;
    if (class_count >= MC_NAMES_CLASS_MOST ||
        !mc_reserve(&classes, &class_capacity, (size_t)class_count + 1, sizeof *classes) ||
        (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE)
        return 0;
    char *name = take_string(signature);
    if (!name || !set_tag(type, TAG_CLASS, class_count + 1)) {
        free(name);
        return 0;
    }
    make_binary_name(name);
    classes[class_count] = (class_entry){.name = name, .loader = get_loader(jni, type)};
    return ++class_count;
}

static uint32_t get_class(JNIEnv *jni, jclass type) { // with the lock
    uint32_t number = get_tag(type, TAG_CLASS);
    if (!number) number = add_class(jni, type);
    if (!number) count_lost();
    return number;
}

uint32_t mc_names_get_class(JNIEnv *jni, jclass type) {
    uint32_t number = get_tag(type, TAG_CLASS);
    if (number) return number;
    lock();
    number = get_class(jni, type);
    unlock();
    return number;
}

// ---- methods

static uint32_t hash_id(jmethodID id) {
    return (uint32_t)((uint64_t)(uintptr_t)id * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

// What is not known of a method (its class was unloaded) stays empty: it has a number all the same.
static void describe_method(JNIEnv *jni, method_entry *entry) {
    jclass type = NULL;
    char *name = NULL, *signature = NULL, *file = NULL;
    jint modifiers = 0;
    if ((*jvmti)->GetMethodName(jvmti, entry->id, &name, &signature, NULL) == JVMTI_ERROR_NONE) {
        entry->name = take_string(name);
        entry->signature = take_string(signature);
    }
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, entry->id, &type) == JVMTI_ERROR_NONE && type) {
        entry->class_number = get_class(jni, type);
        if ((*jvmti)->GetSourceFileName(jvmti, type, &file) == JVMTI_ERROR_NONE)
            entry->file = take_string(file);
        (*jni)->DeleteLocalRef(jni, type);
    }
    if ((*jvmti)->GetMethodModifiers(jvmti, entry->id, &modifiers) == JVMTI_ERROR_NONE)
        entry->flags = (uint8_t)((modifiers & 0x0100 ? MC_AGENT_METHOD_NATIVE : 0) |
                                 (modifiers & 0x0008 ? MC_AGENT_METHOD_STATIC : 0) |
                                 (modifiers & 0x1000 ? MC_AGENT_METHOD_SYNTHETIC : 0));
    if ((*jvmti)->GetLineNumberTable(jvmti, entry->id, &entry->line_count, &entry->lines) !=
        JVMTI_ERROR_NONE) {
        entry->line_count = 0;
        entry->lines = NULL;
    }
}

static uint32_t get_method(JNIEnv *jni, jmethodID id) { // with the lock
    uint32_t hash = hash_id(id);
    for (uint32_t at = hash, found; (found = mc_slots_find(&slots, hash, &at)) != MC_NONE;)
        if (methods[found].id == id) return found + 1;
    if (!id || method_count >= MC_NAMES_METHOD_MOST ||
        !mc_reserve(&methods, &method_capacity, (size_t)method_count + 1, sizeof *methods) ||
        !mc_slots_add(&slots, hash, method_count)) {
        count_lost();
        return 0;
    }
    methods[method_count] = (method_entry){.id = id};
    describe_method(jni, &methods[method_count]);
    return ++method_count;
}

uint32_t mc_names_get_method(JNIEnv *jni, jmethodID method) {
    lock();
    uint32_t number = get_method(jni, method);
    unlock();
    return number;
}

// ---- threads

// Takes the name. 0: there is no room.
static uint32_t add_name(char *name, bool is_shared) {
    if (!name || thread_count >= MC_NAMES_THREAD_MOST ||
        !mc_reserve(&threads, &thread_capacity, (size_t)thread_count + 1, sizeof *threads)) {
        free(name);
        return 0;
    }
    threads[thread_count] = (thread_entry){.name = name, .is_shared = is_shared};
    return ++thread_count;
}

static shared_name *find_shared(const char *name) {
    if (shared_count >= SHARED_NAMES_MOST) name = OTHER_NAMES;
    for (uint32_t i = 0; i < shared_count; i++)
        if (strcmp(shared_names[i].name, name) == 0) return &shared_names[i];
    if (!mc_reserve(&shared_names, &shared_capacity, (size_t)shared_count + 1,
                    sizeof *shared_names))
        return NULL;
    shared_name *added = &shared_names[shared_count];
    *added = (shared_name){.name = strdup(name)};
    if (!added->name) return NULL;
    shared_count++;
    return added;
}

// Numbers by turns: a virtual thread usually lives shortly, and its number is another's then.
static uint32_t share_number(const char *name) {
    shared_name *shared = find_shared(name);
    if (!shared) return 0;
    uint32_t at = shared->next++ % MC_NAMES_SHARED_MOST;
    if (at < shared->count) return shared->numbers[at];
    uint32_t number = add_name(strdup(shared->name), true);
    if (number) shared->numbers[shared->count++] = number;
    return number;
}

static uint32_t add_thread(JNIEnv *jni, jthread thread) {
    jvmtiThreadInfo info = {0};
    if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE) return 0;
    if (info.thread_group) (*jni)->DeleteLocalRef(jni, info.thread_group);
    if (info.context_class_loader) (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    char *name = take_string(info.name);
    uint32_t number = 0;
    if (!mc_virtual_threads_is(jni, thread)) {
        number = add_name(name, false);
    } else if (name) {
        number = share_number(name);
        free(name);
    }
    return number && set_tag(thread, TAG_THREAD, number) ? number : 0;
}

bool mc_names_is_shared(uint32_t thread) {
    lock();
    bool is = thread > 0 && threads[thread - 1].is_shared;
    unlock();
    return is;
}

uint32_t mc_names_get_thread(JNIEnv *jni, jthread thread) {
    jthread current = NULL;
    if (!thread && own_thread) return own_thread;
    if (!thread && ((*jvmti)->GetCurrentThread(jvmti, &current) != JVMTI_ERROR_NONE || !current))
        return 0;
    jthread wanted = thread ? thread : current;
    uint32_t number = get_tag(wanted, TAG_THREAD);
    if (!number) {
        lock();
        number = get_tag(wanted, TAG_THREAD);
        if (!number) number = add_thread(jni, wanted);
        if (!number) count_lost();
        unlock();
    }
    if (current) {
        (*jni)->DeleteLocalRef(jni, current);
        own_thread = number;
    }
    return number;
}

// ---- stacks

uint32_t mc_names_get_stack(const jvmtiFrameInfo *frames, uint32_t count) {
    if (count == 0) return 0;
    uint32_t most = count < MC_NAMES_FRAME_MOST ? count : MC_NAMES_FRAME_MOST;
    uint32_t number = mc_stacks_add(frames, most, MC_NAMES_STACK_MOST);
    if (!number) count_lost();
    return number;
}

static uint32_t get_line(const method_entry *method, int32_t location) {
    uint32_t line = 0;
    jlocation best = -1;
    for (jint i = 0; i < method->line_count; i++) {
        jlocation start = method->lines[i].start_location;
        if (start > location || start < best || method->lines[i].line_number <= 0) continue;
        best = start;
        line = (uint32_t)method->lines[i].line_number;
    }
    return line;
}

// ---- sending

void mc_names_forget_sent(void) {
    sent_classes = sent_methods = sent_threads = sent_stacks = 0;
}

// Methods of new stacks get their numbers here: finding what a method is called takes a while.
static void resolve_stacks(JNIEnv *jni) {
    mc_stack_frame frames[MC_NAMES_FRAME_MOST];
    for (uint32_t end = mc_stacks_get_count(); resolved_stacks < end; resolved_stacks++) {
        uint32_t count = mc_stacks_get(resolved_stacks + 1, frames, MC_NAMES_FRAME_MOST);
        for (uint32_t i = 0; i < count; i++)
            mc_names_get_method(jni, frames[i].method);
    }
}

static void send_class(mc_frames *out, uint32_t number) {
    const class_entry *entry = &classes[number - 1];
    mc_frames_begin(out, MC_AGENT_CLASS);
    mc_frames_add_u32(out, number);
    mc_frames_add_string(out, entry->name);
    mc_frames_add_u32(out, entry->loader);
    mc_frames_end(out);
}

static void send_method(mc_frames *out, uint32_t number) {
    const method_entry *entry = &methods[number - 1];
    mc_frames_begin(out, MC_AGENT_METHOD);
    mc_frames_add_u32(out, number);
    mc_frames_add_u32(out, entry->class_number);
    mc_frames_add_string(out, entry->name);
    mc_frames_add_string(out, entry->signature);
    mc_frames_add_u8(out, entry->flags);
    mc_frames_add_string(out, entry->file);
    mc_frames_end(out);
}

static void send_thread(mc_frames *out, uint32_t number) {
    mc_frames_begin(out, MC_AGENT_THREAD);
    mc_frames_add_u32(out, number);
    mc_frames_add_string(out, threads[number - 1].name);
    mc_frames_end(out);
}

static void send_stack(JNIEnv *jni, mc_frames *out, uint32_t number) {
    mc_stack_frame frames[MC_NAMES_FRAME_MOST];
    uint32_t count = mc_stacks_get(number, frames, MC_NAMES_FRAME_MOST);
    mc_frames_begin(out, MC_AGENT_STACK);
    mc_frames_add_u32(out, number);
    mc_frames_add_u16(out, (uint16_t)count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t method = get_method(jni, frames[i].method);
        mc_frames_add_u32(out, method);
        mc_frames_add_u32(out, method ? get_line(&methods[method - 1], frames[i].location) : 0);
    }
    mc_frames_end(out);
}

typedef void (*send_function)(mc_frames *out, uint32_t number);

// The lock is given back after each, so that nobody waits for long. False: there was no room.
static bool send_all(mc_frames *out, uint32_t *sent, uint32_t end, send_function send) {
    while (*sent < end && mc_frames_has_room(out)) {
        lock();
        send(out, *sent + 1);
        unlock();
        ++*sent;
    }
    return *sent == end;
}

void mc_names_flush(JNIEnv *jni, mc_frames *out) {
    resolve_stacks(jni);
    // What these name came before them: so the counts are taken from the end.
    uint32_t stack_end = resolved_stacks;
    lock();
    uint32_t method_end = method_count, class_end = class_count, thread_end = thread_count;
    unlock();
    if (!send_all(out, &sent_classes, class_end, send_class) ||
        !send_all(out, &sent_methods, method_end, send_method) ||
        !send_all(out, &sent_threads, thread_end, send_thread))
        return;
    while (sent_stacks < stack_end && mc_frames_has_room(out)) {
        lock();
        send_stack(jni, out, sent_stacks + 1);
        unlock();
        sent_stacks++;
    }
}

bool mc_names_is_sent(uint32_t class_number, uint32_t stack, uint32_t thread) {
    return class_number <= sent_classes && stack <= sent_stacks && thread <= sent_threads;
}

bool mc_names_is_method_sent(uint32_t method, uint32_t thread) {
    return method <= sent_methods && thread <= sent_threads;
}

uint64_t mc_names_get_lost(void) {
    return __atomic_load_n(&lost_count, __ATOMIC_RELAXED);
}
