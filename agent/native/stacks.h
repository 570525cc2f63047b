// stacks.h - the table of call stacks: each distinct one is stored once and has a number from 1 on.
//
// Makes no JVMTI or JNI call, so its lock is only held briefly. Threads: any.
#pragma once
#include <jvmti.h>
#include <stdint.h>

typedef struct mc_stack_frame {
    jmethodID method;
    int32_t location; // bytecode index; -1: a native method
} mc_stack_frame;

// 0: there are `most`, or memory is out.
uint32_t mc_stacks_add(const jvmtiFrameInfo *frames, uint32_t count, uint32_t most);
uint32_t mc_stacks_get_count(void);
// Copies at most `capacity` frames of stack `number`; returns how many.
uint32_t mc_stacks_get(uint32_t number, mc_stack_frame *frames, uint32_t capacity);
