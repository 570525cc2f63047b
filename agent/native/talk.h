// talk.h - the agent's thread: connects to the viewer, executes its commands, sends batches.
//
// Threads: any that the JVM may call the agent from.
#pragma once
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum mc_talk_result {
    MC_TALK_STARTED,
    MC_TALK_BUSY,  // a viewer is connected already
    MC_TALK_FAILED // no viewer is named, or there can be no thread
} mc_talk_result;

// Where the viewer is (address.h), and, before the program begins, "start=MODE" with the mode's own
// options, once a mode (options.h): it runs when this returns, whether or not the viewer is there;
// `jni` is NULL if there is none such. If the thread runs already, but no viewer is there, it looks
// for this one from now on. In the live phase. `granted`: which modes the JVM lets run, a bit each.
mc_talk_result mc_talk_start(JavaVM *vm, JNIEnv *jni, const char *options, uint32_t granted);

// The program ends: sends what is there, for at most a second.
void mc_talk_end(void);

// Whether it does: what is still to be told, is told now.
bool mc_talk_is_ending(void);

// Sends a message to the viewer's user, as soon as a viewer is connected.
void mc_talk_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
