#include "agent/native/stacks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct stack {
    size_t begin; // in `frames`
    uint32_t count, hash;
} stack;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of all that follows
static stack *stacks;                                     // number 1 is the first
static mc_stack_frame *frames;
static uint32_t stack_count, stack_capacity;
static size_t frame_count, frame_capacity;
static uint32_t *slots; // numbers; 0: empty
static uint32_t slot_count;

static uint32_t get_hash(const jvmtiFrameInfo *from, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)(uintptr_t)from[i].method) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ (hash >> 29) ^ (uint64_t)from[i].location) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return (uint32_t)(hash >> 32);
}

static bool is_same(const stack *known, const jvmtiFrameInfo *from, uint32_t count, uint32_t hash) {
    if (known->hash != hash || known->count != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        const mc_stack_frame *frame = &frames[known->begin + i];
        if (frame->method != from[i].method || frame->location != (int32_t)from[i].location)
            return false;
    }
    return true;
}

static void enter(uint32_t number) {
    uint32_t at = stacks[number - 1].hash & (slot_count - 1);
    while (slots[at])
        at = (at + 1) & (slot_count - 1);
    slots[at] = number;
}

static bool grow_slots(void) {
    if (slot_count / 2 > stack_count) return true;
    uint32_t new_count = slot_count ? slot_count * 2 : 4096;
    uint32_t *new_slots = calloc(new_count, sizeof *new_slots);
    if (!new_slots) return false;
    free(slots);
    slots = new_slots;
    slot_count = new_count;
    for (uint32_t i = 1; i <= stack_count; i++)
        enter(i);
    return true;
}

static bool make_room(uint32_t count) {
    if (stack_count == stack_capacity) {
        uint32_t capacity = stack_capacity ? stack_capacity * 2 : 1024;
        stack *larger = realloc(stacks, capacity * sizeof *larger);
        if (!larger) return false;
        stacks = larger;
        stack_capacity = capacity;
    }
    if (frame_count + count > frame_capacity) {
        size_t capacity = (frame_count + count) * 2;
        mc_stack_frame *larger = realloc(frames, capacity * sizeof *larger);
        if (!larger) return false;
        frames = larger;
        frame_capacity = capacity;
    }
    return grow_slots();
}

static uint32_t add(const jvmtiFrameInfo *from, uint32_t count, uint32_t hash, uint32_t most) {
    if (stack_count >= most || !make_room(count)) return 0;
    stacks[stack_count++] = (stack){.begin = frame_count, .count = count, .hash = hash};
    for (uint32_t i = 0; i < count; i++)
        frames[frame_count++] = (mc_stack_frame){from[i].method, (int32_t)from[i].location};
    enter(stack_count);
    return stack_count;
}

uint32_t mc_stacks_add(const jvmtiFrameInfo *from, uint32_t count, uint32_t most) {
    uint32_t hash = get_hash(from, count), number = 0;
    pthread_mutex_lock(&mutex);
    for (uint32_t at = hash & (slot_count - 1); slot_count && slots[at];
         at = (at + 1) & (slot_count - 1))
        if (is_same(&stacks[slots[at] - 1], from, count, hash)) {
            number = slots[at];
            break;
        }
    if (!number) number = add(from, count, hash, most);
    pthread_mutex_unlock(&mutex);
    return number;
}

uint32_t mc_stacks_get_count(void) {
    pthread_mutex_lock(&mutex);
    uint32_t count = stack_count;
    pthread_mutex_unlock(&mutex);
    return count;
}

uint32_t mc_stacks_get(uint32_t number, mc_stack_frame *to, uint32_t capacity) {
    pthread_mutex_lock(&mutex);
    const stack *known = &stacks[number - 1];
    uint32_t count = known->count < capacity ? known->count : capacity;
    memcpy(to, frames + known->begin, count * sizeof *to);
    pthread_mutex_unlock(&mutex);
    return count;
}
