// agent.h - the agent inside a JVM: the interface of its modes.
//
// The agent is loaded at the program's start or into a running program, connects to a viewer's
// socket, and starts and stops modes as the viewer commands. It never waits for the viewer: data
// that can't be sent yet is sent later as a larger difference, or dropped and counted. Without a
// viewer all modes rest. A mode is a row in mc_agent_modes (modes.c).
//
// Threads: callbacks run in the program's threads; everything else in the agent's thread, a JVM
// daemon thread.
#pragma once
#include "agent/native/frames.h"
#include <jvmti.h>

#define MC_AGENT_BATCH_MS 50

typedef struct mc_agent_mode {
    const char *name;
    // Adds what it needs to `wanted`, out of what there may be, and returns whether that does.
    // Called once, when the agent is loaded; `at_start`: before the program began.
    bool (*prepare)(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted, bool at_start);
    // The callbacks it wants; those of other modes stay. May be NULL.
    void (*add_callbacks)(jvmtiEventCallbacks *callbacks);
    // Before the JVM is up, if the agent's options start the mode as soon as it is. May be NULL.
    void (*load)(const char *options);
    // In the live phase. `options` is "key=value;…" (options.h). What can't be done, or is to be
    // known, goes to `text`. False: it does not run.
    bool (*start)(JNIEnv *jni, const char *options, char *text, size_t text_size);
    // Stops the mode and releases everything: events, memory, references. Only called while it
    // runs.
    void (*stop)(JNIEnv *jni);
    // Each MC_AGENT_BATCH_MS while it runs, in three parts: takes in what came, so that all has
    // numbers; then names are sent; then what has sent names. `collect` may be NULL.
    // `has_collected` says that garbage was collected since; what came before `end` collections
    // was looked at.
    void (*collect)(JNIEnv *jni, bool has_collected, uint64_t end);
    void (*flush)(JNIEnv *jni, mc_frames *out, uint64_t now_ns);
} mc_agent_mode;

extern const mc_agent_mode *const mc_agent_modes[]; // ends with NULL; bit i of HELLO's modes is i

extern jvmtiEnv *mc_agent_jvmti;

uint64_t mc_agent_now_ns(void); // the steady clock of HELLO
void mc_agent_sleep_ms(unsigned ms);
uint32_t mc_agent_get_mode_index(const char *name); // of a mode that there is

// Reports that `n` items of a mode were not counted or not sent. The agent's thread.
void mc_agent_add_lost(mc_frames *out, uint32_t mode_index, uint64_t n, const char *reason);
