#include "agent/native/virtual_threads.h"

#include "agent/native/agent.h"
#include <string.h>

// can_support_virtual_threads, by its number: the headers of older JDKs have no name for it.
#define CAPABILITY 44
#define FIRST_VERSION 0x00130000 // of JNI in JDK 19
#define EXTENSION "com.sun.hotspot.functions.GetVirtualThread"

static bool is_prepared;
static jvmtiExtensionFunction get_mounted; // NULL: there is none
static jclass carrier_class;

// A JVM that has none is not asked: it would go on to the program's own loaders.
static jclass find_class(JNIEnv *jni, const char *name) {
    if ((*jni)->GetVersion(jni) < FIRST_VERSION) return NULL;
    jclass found = (*jni)->FindClass(jni, name), kept = NULL;
    if (found) {
        kept = (*jni)->NewGlobalRef(jni, found);
        (*jni)->DeleteLocalRef(jni, found);
    }
    (*jni)->ExceptionClear(jni);
    return kept;
}

static bool add_capability(void) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    jvmtiCapabilities potential, wanted;
    unsigned char bytes[sizeof wanted] = {0};
    memset(&potential, 0, sizeof potential);
    (*jvmti)->GetPotentialCapabilities(jvmti, &potential);
    memcpy(bytes, &potential, sizeof bytes);
    if (!(bytes[CAPABILITY / 8] >> CAPABILITY % 8 & 1)) return false;
    memset(bytes, 0, sizeof bytes);
    bytes[CAPABILITY / 8] = 1 << CAPABILITY % 8;
    memcpy(&wanted, bytes, sizeof wanted);
    return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE;
}

static void free_function(jvmtiExtensionFunctionInfo *function) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    for (jint i = 0; i < function->param_count; i++)
        (*jvmti)->Deallocate(jvmti, (unsigned char *)function->params[i].name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)function->params);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)function->errors);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)function->short_description);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)function->id);
}

static jvmtiExtensionFunction find_function(void) {
    jvmtiEnv *jvmti = mc_agent_jvmti;
    jvmtiExtensionFunctionInfo *functions = NULL;
    jvmtiExtensionFunction found = NULL;
    jint count = 0;
    if ((*jvmti)->GetExtensionFunctions(jvmti, &count, &functions) != JVMTI_ERROR_NONE) return NULL;
    for (jint i = 0; i < count; i++) {
        if (strcmp(functions[i].id, EXTENSION) == 0) found = functions[i].func;
        free_function(&functions[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)functions);
    return found;
}

void mc_virtual_threads_prepare(JNIEnv *jni) {
    if (is_prepared) return;
    is_prepared = true;
    carrier_class = find_class(jni, "jdk/internal/misc/CarrierThread");
    if (carrier_class && add_capability()) get_mounted = find_function();
}

jthread mc_virtual_threads_get(JNIEnv *jni, jthread carrier) {
    jthread found = NULL;
    if (!get_mounted || !(*jni)->IsInstanceOf(jni, carrier, carrier_class)) return NULL;
    return get_mounted(mc_agent_jvmti, carrier, &found) == JVMTI_ERROR_NONE ? found : NULL;
}

static jclass virtual_class; // NULL: there is none

void mc_virtual_threads_begin(JNIEnv *jni) {
    static bool has_looked;
    if (!has_looked) virtual_class = find_class(jni, "java/lang/BaseVirtualThread");
    has_looked = true;
}

bool mc_virtual_threads_is(JNIEnv *jni, jthread thread) {
    return virtual_class && (*jni)->IsInstanceOf(jni, thread, virtual_class);
}
