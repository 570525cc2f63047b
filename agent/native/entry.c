// entry.c - where the JVM enters the agent: loads it, gives it its capabilities and callbacks.
#include "agent/native/agent.h"
#include "agent/native/gc_events.h"
#include "agent/native/names.h"
#include "agent/native/options.h"
#include "agent/native/talk.h"
#include <stdlib.h>
#include <string.h>

#define EXIT_BUSY 2 // what jcmd says of an agent that another viewer has

static JavaVM *jvm;
static uint32_t granted;    // modes, a bit each
static char *start_options; // until the JVM is up

static void JNICALL begin(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti, (void)thread;
    mc_talk_start(jvm, jni, start_options, granted);
    free(start_options);
    start_options = NULL;
}

static void JNICALL end(jvmtiEnv *jvmti, JNIEnv *jni) {
    (void)jvmti, (void)jni;
    mc_talk_end();
}

// Each is asked for by itself: another agent may have what can be had once. What a capability is
// added to is cleared by memset(): an initializer may leave the bits between them as they are,
// which the JVM takes for others.
static bool add_capabilities(const jvmtiCapabilities *wanted) {
    return (*mc_agent_jvmti)->AddCapabilities(mc_agent_jvmti, wanted) == JVMTI_ERROR_NONE;
}

static void prepare_modes(bool at_start) {
    jvmtiCapabilities potential, wanted;
    memset(&potential, 0, sizeof potential);
    (*mc_agent_jvmti)->GetPotentialCapabilities(mc_agent_jvmti, &potential);
    memset(&wanted, 0, sizeof wanted);
    wanted.can_tag_objects = 1;
    add_capabilities(&wanted);
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_garbage_collection_events = 1;
    add_capabilities(&wanted);
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_line_numbers = 1;
    add_capabilities(&wanted);
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_source_file_name = 1;
    add_capabilities(&wanted);
    for (uint32_t i = 0; mc_agent_modes[i]; i++) {
        memset(&wanted, 0, sizeof wanted);
        if (mc_agent_modes[i]->prepare(&potential, &wanted, at_start) && add_capabilities(&wanted))
            granted |= 1u << i;
    }
}

static void load_mode(const char *options) {
    char name[32];
    if (!mc_options_get(options, "start", name, sizeof name)) return;
    for (uint32_t i = 0; mc_agent_modes[i]; i++)
        if (strcmp(mc_agent_modes[i]->name, name) == 0 && (granted >> i & 1) &&
            mc_agent_modes[i]->load)
            mc_agent_modes[i]->load(options);
}

static void load_modes(const char *options) {
    char *own;
    for (uint32_t i = 0; (own = mc_options_copy_start(options, i)); i++) {
        load_mode(own);
        free(own);
    }
}

static bool set_callbacks(void) {
    jvmtiEventCallbacks callbacks = {.VMInit = begin, .VMDeath = end};
    mc_gc_events_add_callbacks(&callbacks);
    for (uint32_t i = 0; mc_agent_modes[i]; i++)
        if (mc_agent_modes[i]->add_callbacks) mc_agent_modes[i]->add_callbacks(&callbacks);
    jvmtiEnv *jvmti = mc_agent_jvmti;
    return (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
           (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL) ==
               JVMTI_ERROR_NONE;
}

// The environment is made once and stays, as does the library: loading the agent again enters the
// same image.
static bool make_environment(JavaVM *vm, bool at_start) {
    if (mc_agent_jvmti) return true;
    jvm = vm;
    if ((*vm)->GetEnv(vm, (void **)&mc_agent_jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        mc_agent_jvmti = NULL;
        return false;
    }
    mc_names_init(mc_agent_jvmti);
    prepare_modes(at_start);
    return set_callbacks();
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (!make_environment(vm, true)) return JNI_ERR;
    start_options = strdup(options ? options : "");
    if (!start_options) return JNI_ERR;
    load_modes(start_options);
    (*mc_agent_jvmti)
        ->SetEventNotificationMode(mc_agent_jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (!make_environment(vm, false)) return JNI_ERR;
    mc_talk_result result = mc_talk_start(vm, NULL, options ? options : "", granted);
    return result == MC_TALK_STARTED ? JNI_OK : result == MC_TALK_BUSY ? EXIT_BUSY : JNI_ERR;
}
