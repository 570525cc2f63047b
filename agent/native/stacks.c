#include "agent/native/stacks.h"

#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

typedef struct stack {
    size_t begin; // in `frames`
    uint32_t count;
} stack;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of all that follows
static stack *stacks;                                     // number 1 is the first
static mc_stack_frame *frames;
static uint32_t stack_count;
static size_t stack_capacity, frame_count, frame_capacity;
static mc_slots slots; // of stacks

static uint32_t get_hash(const jvmtiFrameInfo *from, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)(uintptr_t)from[i].method) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ (hash >> 29) ^ (uint64_t)from[i].location) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return (uint32_t)(hash >> 32);
}

static bool is_same(const stack *known, const jvmtiFrameInfo *from, uint32_t count) {
    if (known->count != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        const mc_stack_frame *frame = &frames[known->begin + i];
        if (frame->method != from[i].method || frame->location != (int32_t)from[i].location)
            return false;
    }
    return true;
}

static uint32_t add(const jvmtiFrameInfo *from, uint32_t count, uint32_t hash, uint32_t most) {
    if (stack_count >= most ||
        !mc_reserve(&stacks, &stack_capacity, (size_t)stack_count + 1, sizeof *stacks) ||
        !mc_reserve(&frames, &frame_capacity, frame_count + count, sizeof *frames) ||
        !mc_slots_add(&slots, hash, stack_count))
        return 0;
    stacks[stack_count++] = (stack){.begin = frame_count, .count = count};
    for (uint32_t i = 0; i < count; i++)
        frames[frame_count++] = (mc_stack_frame){from[i].method, (int32_t)from[i].location};
    return stack_count;
}

uint32_t mc_stacks_add(const jvmtiFrameInfo *from, uint32_t count, uint32_t most) {
    uint32_t hash = get_hash(from, count), at = hash, found;
    pthread_mutex_lock(&mutex);
    do
        found = mc_slots_find(&slots, hash, &at);
    while (found != MC_NONE && !is_same(&stacks[found], from, count));
    uint32_t number = found != MC_NONE ? found + 1 : add(from, count, hash, most);
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
