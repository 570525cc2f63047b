// names.h - assigns numbers to classes, methods, threads and stacks.
//
// Numbers begin at 1, in the order of requests, and are never reused; 0: no number could be
// assigned (the table is full, or memory ran out), which is counted. Classes are identified by tags
// of this JVMTI environment, which needs can_tag_objects. Tables only grow, up to MC_NAMES_*_MOST.
// Threads: any that may call JVMTI, except in a callback of garbage collection; nothing here waits
// for the viewer.
#pragma once
#include "agent/native/frames.h"
#include <jvmti.h>

#define MC_NAMES_CLASS_MOST (1u << 18)
#define MC_NAMES_METHOD_MOST (1u << 20)
#define MC_NAMES_THREAD_MOST (1u << 16)
#define MC_NAMES_STACK_MOST (1u << 21)
#define MC_NAMES_FRAME_MOST 256u // of a stack

void mc_names_init(jvmtiEnv *jvmti);

uint32_t mc_names_get_class(JNIEnv *jni, jclass type);
uint32_t mc_names_get_method(JNIEnv *jni, jmethodID method);
// `thread` NULL: the current one, whose number is kept with it. Virtual threads, of which there may
// be any number, share some: MC_NAMES_SHARED_MOST numbers a name, each the next.
#define MC_NAMES_SHARED_MOST 64u
uint32_t mc_names_get_thread(JNIEnv *jni, jthread thread);
bool mc_names_is_shared(uint32_t thread);
// O(count), no JVMTI call: its methods get their numbers when it is sent.
uint32_t mc_names_get_stack(const jvmtiFrameInfo *frames, uint32_t count);

// Whether the current thread is in one of these: what is allocated meanwhile is none of the
// program, and its class can't be asked for.
bool mc_names_is_inside(void);

// ---- of the agent's thread only

// A new viewer has connected, which knows no names.
void mc_names_forget_sent(void);
// Appends names not sent yet, as far as there is room.
void mc_names_flush(JNIEnv *jni, mc_frames *out);
// Whether the viewer knows these by now; 0 is known to nobody but needs no name.
bool mc_names_is_sent(uint32_t class_number, uint32_t stack, uint32_t thread);
bool mc_names_is_method_sent(uint32_t method, uint32_t thread);
uint64_t mc_names_get_lost(void); // how often a number could not be given
