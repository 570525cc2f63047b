#include "agent/native/instrument.h"

#include "agent/native/agent.h"
#include <stdio.h>
#include <string.h>

// Classes that are changed together: one stop of the program each, and one failure, too.
#define TOGETHER 64

// What the runtime itself runs through, or would be called from: changed, it would call itself.
static const char *const never[] = {"java.lang.",
                                    "jdk.internal.",
                                    "sun.",
                                    "java.util.concurrent.locks.",
                                    "java.util.concurrent.atomic.",
                                    NULL};

static const mc_java_side *side; // once it is loaded
static const mc_patterns *patterns;
static __thread bool is_inside; // the hook: what it loads itself stays as it is

bool mc_instrument_is_possible(const jvmtiCapabilities *potential) {
    return potential->can_retransform_classes;
}

static bool add_capabilities(void) {
    jvmtiCapabilities potential, wanted;
    memset(&potential, 0, sizeof potential); // also the bits between them
    memset(&wanted, 0, sizeof wanted);
    wanted.can_retransform_classes = 1;
    (*mc_agent_jvmti)->GetPotentialCapabilities(mc_agent_jvmti, &potential);
    wanted.can_generate_all_class_hook_events = potential.can_generate_all_class_hook_events;
    wanted.can_retransform_any_class = potential.can_retransform_any_class;
    return (*mc_agent_jvmti)->AddCapabilities(mc_agent_jvmti, &wanted) == JVMTI_ERROR_NONE;
}

// `name` as JNI or JVMTI writes it. Asked here, not in Java: asking there would load classes while
// one is loaded.
static bool is_wanted(JNIEnv *jni, jobject loader, const char *name) {
    char class_name[1024];
    if (!mc_patterns_get_class_name(name, class_name, sizeof class_name)) return false;
    for (size_t i = 0; never[i]; i++)
        if (strncmp(class_name, never[i], strlen(never[i])) == 0) return false;
    if (!loader && !patterns->include[0]) return false; // the JDK's, or an agent's
    return mc_patterns_have(patterns, class_name) &&
           !(*jni)->IsSameObject(jni, loader, side->loader);
}

// JVMTI's memory; NULL: the class stays as it is.
static unsigned char *copy_array(JNIEnv *jni, jbyteArray array, jint *size) {
    unsigned char *copy = NULL;
    *size = (*jni)->GetArrayLength(jni, array);
    if ((*mc_agent_jvmti)->Allocate(mc_agent_jvmti, *size, &copy) != JVMTI_ERROR_NONE) return NULL;
    (*jni)->GetByteArrayRegion(jni, array, 0, *size, (jbyte *)copy);
    return copy;
}

static unsigned char *transform(JNIEnv *jni, jobject loader, const char *name,
                                const unsigned char *data, jint size, jint *new_size) {
    unsigned char *copy = NULL;
    if ((*jni)->PushLocalFrame(jni, 8) != 0) return NULL;
    jstring string = (*jni)->NewStringUTF(jni, name);
    jbyteArray bytes = string ? (*jni)->NewByteArray(jni, size) : NULL;
    if (bytes) {
        (*jni)->SetByteArrayRegion(jni, bytes, 0, size, (const jbyte *)data);
        jbyteArray changed = (*jni)->CallStaticObjectMethod(jni, side->instrumenter,
                                                            side->transform, loader, string, bytes);
        if (!(*jni)->ExceptionCheck(jni) && changed) copy = copy_array(jni, changed, new_size);
    }
    (*jni)->ExceptionClear(jni);
    (*jni)->PopLocalFrame(jni, NULL);
    return copy;
}

static void JNICALL load_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                               const char *name, jobject domain, jint size,
                               const unsigned char *data, jint *new_size,
                               unsigned char **new_data) {
    (void)jvmti, (void)redefined, (void)domain;
    if (!name || !side || is_inside || !is_wanted(jni, loader, name)) return;
    is_inside = true;
    // a class may be loaded on the way of an exception
    jthrowable pending = (*jni)->ExceptionOccurred(jni);
    if (pending) (*jni)->ExceptionClear(jni);
    jint changed_size = 0;
    unsigned char *changed = transform(jni, loader, name, data, size, &changed_size);
    if (changed) {
        *new_size = changed_size;
        *new_data = changed;
    }
    if (pending) {
        (*jni)->Throw(jni, pending);
        (*jni)->DeleteLocalRef(jni, pending);
    }
    is_inside = false;
}

void mc_instrument_add_callbacks(jvmtiEventCallbacks *callbacks) {
    callbacks->ClassFileLoadHook = load_class;
}

// Of a batch that fails, each by itself. Returns how many failed.
static int retransform(jint count, const jclass *classes) {
    int failed_count = 0;
    if ((*mc_agent_jvmti)->RetransformClasses(mc_agent_jvmti, count, classes) == JVMTI_ERROR_NONE)
        return 0;
    for (jint i = 0; i < count; i++)
        failed_count += (*mc_agent_jvmti)->RetransformClasses(mc_agent_jvmti, 1, &classes[i]) !=
                        JVMTI_ERROR_NONE;
    return failed_count;
}

static bool is_wanted_class(JNIEnv *jni, jclass type) {
    char *signature = NULL;
    jobject loader = NULL;
    bool is = false;
    jvmtiEnv *jvmti = mc_agent_jvmti;
    if ((*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE)
        return false;
    is = is_wanted(jni, loader, signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    if (loader) (*jni)->DeleteLocalRef(jni, loader);
    return is;
}

static bool is_changed_class(JNIEnv *jni, jclass type) {
    bool is = (*jni)->CallStaticBooleanMethod(jni, side->instrumenter, side->has_changed, type);
    return !mc_java_side_catch(jni, NULL, 0) && is;
}

static int retransform_loaded(JNIEnv *jni, bool (*is_meant)(JNIEnv *jni, jclass type)) {
    jclass *classes = NULL;
    jclass batch[TOGETHER];
    jint count = 0, batch_count = 0;
    int failed_count = 0;
    jvmtiEnv *jvmti = mc_agent_jvmti;
    if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) return 0;
    for (jint i = 0; i < count; i++) {
        jboolean can_be = JNI_FALSE;
        bool is = (*jvmti)->IsModifiableClass(jvmti, classes[i], &can_be) == JVMTI_ERROR_NONE &&
                  can_be && is_meant(jni, classes[i]);
        if (is) batch[batch_count++] = classes[i];
        if (batch_count == TOGETHER || (i + 1 == count && batch_count > 0)) {
            failed_count += retransform(batch_count, batch);
            batch_count = 0;
        }
    }
    for (jint i = 0; i < count; i++)
        (*jni)->DeleteLocalRef(jni, classes[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    return failed_count;
}

static bool set_hook(jvmtiEventMode mode) {
    return (*mc_agent_jvmti)
               ->SetEventNotificationMode(mc_agent_jvmti, mode, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                          NULL) == JVMTI_ERROR_NONE;
}

int mc_instrument_start(JNIEnv *jni, const mc_java_side *loaded, const mc_patterns *wanted,
                        char *text, size_t text_size) {
    side = loaded;
    patterns = wanted;
    if (!add_capabilities() || !set_hook(JVMTI_ENABLE)) {
        snprintf(text, text_size, "this Java lets no agent change classes");
        return -1;
    }
    return retransform_loaded(jni, is_wanted_class);
}

void mc_instrument_stop(JNIEnv *jni) {
    set_hook(JVMTI_DISABLE);
    retransform_loaded(jni, is_changed_class);
}
