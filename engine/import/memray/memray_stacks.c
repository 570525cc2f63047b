#include "engine/import/memray/memray_stacks.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

#define RECALLS 4096 // a power of two
#define COUNT_MOST ((size_t)MC_NONE / 4)

void mc_memray_stacks_deinit(mc_memray_stacks *stacks) {
    for (size_t i = 0; i < stacks->thread_count; i++)
        mc_free(stacks->threads[i].nodes);
    mc_strings_deinit(&stacks->texts);
    mc_free(stacks->codes);
    mc_free(stacks->calls);
    mc_free(stacks->listed);
    mc_free(stacks->frames);
    mc_free(stacks->nodes);
    mc_free(stacks->threads);
    mc_free(stacks->recalls);
    mc_slots_deinit(&stacks->code_slots);
    mc_slots_deinit(&stacks->call_slots);
    mc_slots_deinit(&stacks->listed_slots);
    mc_slots_deinit(&stacks->node_slots);
    mc_slots_deinit(&stacks->thread_slots);
    memset(stacks, 0, sizeof *stacks);
}

uint64_t mc_memray_stacks_measure(const mc_memray_stacks *stacks) {
    return stacks->texts.bytes_size + stacks->texts.count * sizeof *stacks->texts.offsets +
           stacks->code_count * (sizeof *stacks->codes + 2 * sizeof(uint64_t)) +
           stacks->call_count * (sizeof *stacks->calls + 2 * sizeof(uint64_t)) +
           stacks->listed_count * (sizeof *stacks->listed + 2 * sizeof(uint64_t)) +
           stacks->frame_count * sizeof *stacks->frames +
           stacks->node_count * (sizeof *stacks->nodes + 2 * sizeof(uint64_t)) +
           stacks->thread_count * (sizeof *stacks->threads + 2 * sizeof(uint64_t)) +
           stacks->depth * sizeof(uint32_t);
}

static uint32_t hash(uint64_t a, uint64_t b) {
    return (uint32_t)mc_hash_u64(a, b);
}

// ---- code and frames

static uint32_t find_code(const mc_memray_stacks *s, uint64_t id) {
    uint32_t h = hash(id, 1);
    for (uint32_t at = h, found; (found = mc_slots_find(&s->code_slots, h, &at)) != MC_NONE;)
        if (s->codes[found].id == id) return found;
    return MC_NONE;
}

// An id is used anew once its code object has gone.
mc_result mc_memray_stacks_add_code(mc_memray_stacks *stacks, const mc_memray_record *record) {
    const mc_span table = record->table;
    mc_memray_code code = {
        .id = record->id,
        .function = mc_strings_intern(&stacks->texts, record->function.at, record->function.size),
        .file = mc_strings_intern(&stacks->texts, record->file.at, record->file.size),
        .table = mc_strings_intern(&stacks->texts, table.size > 0 ? table.at : "", table.size),
        .line = record->line,
        .is_entry = record->is_entry};
    uint32_t before = find_code(stacks, record->id), number = (uint32_t)stacks->code_count;
    if (code.function == MC_NONE || code.file == MC_NONE || code.table == MC_NONE ||
        stacks->code_count >= COUNT_MOST ||
        !mc_reserve(&stacks->codes, &stacks->code_capacity, stacks->code_count + 1, sizeof code))
        return MC_ERROR_OUT_OF_MEMORY;
    if (before != MC_NONE) stacks->epoch++;
    if (before != MC_NONE) mc_slots_remove(&stacks->code_slots, hash(record->id, 1), before);
    if (!mc_slots_add(&stacks->code_slots, hash(record->id, 1), number))
        return MC_ERROR_OUT_OF_MEMORY;
    stacks->codes[stacks->code_count++] = code;
    return MC_OK;
}

static uint32_t add_frame(mc_memray_stacks *s, uint32_t python, const mc_memray_code *code,
                          const mc_memray_call *call) {
    mc_span table = {NULL, 0};
    table.at = mc_strings_get(&s->texts, code->table, &table.size);
    int64_t line = mc_memray_find_line(python, table, code->line, call->instruction);
    if (s->frame_count >= COUNT_MOST ||
        !mc_reserve(&s->frames, &s->frame_capacity, s->frame_count + 1, sizeof *s->frames))
        return MC_NONE;
    s->frames[s->frame_count] =
        (mc_memray_frame){code->function, code->file,
                          line > 0 && line < INT32_MAX ? (uint32_t)line : 0, call->is_entry};
    return (uint32_t)s->frame_count++;
}

// A call's frame, which becomes its `frame`. False: out of memory.
static bool find_frame(mc_memray_stacks *s, uint32_t python, mc_memray_call *call) {
    uint32_t number = (uint32_t)s->call_count;
    uint32_t h = hash((uint64_t)call->instruction, (uint64_t)call->code << 1 | call->is_entry);
    for (uint32_t at = h, found; (found = mc_slots_find(&s->call_slots, h, &at)) != MC_NONE;) {
        const mc_memray_call *known = &s->calls[found];
        if (known->code != call->code || known->instruction != call->instruction ||
            known->is_entry != call->is_entry)
            continue;
        call->frame = known->frame;
        return true;
    }
    call->frame = add_frame(s, python, &s->codes[call->code], call);
    if (call->frame == MC_NONE ||
        !mc_reserve(&s->calls, &s->call_capacity, s->call_count + 1, sizeof *s->calls) ||
        !mc_slots_add(&s->call_slots, h, number))
        return false;
    s->calls[s->call_count++] = *call;
    return true;
}

// ---- stacks

static uint32_t add_node(mc_memray_stacks *s, uint32_t parent, uint32_t frame) {
    size_t number = s->node_count > 0 ? s->node_count : 1;
    if (number >= COUNT_MOST ||
        !mc_reserve(&s->nodes, &s->node_capacity, number + 1, sizeof *s->nodes))
        return MC_NONE;
    s->nodes[number] = (mc_memray_node){parent, frame};
    s->node_count = number + 1;
    return (uint32_t)number;
}

static uint32_t find_node(mc_memray_stacks *s, uint32_t parent, uint32_t frame) {
    uint32_t h = hash((uint64_t)parent << 32 | frame, 2);
    for (uint32_t at = h, found; (found = mc_slots_find(&s->node_slots, h, &at)) != MC_NONE;)
        if (s->nodes[found].parent == parent && s->nodes[found].frame == frame) return found;
    uint32_t number = add_node(s, parent, frame);
    return number != MC_NONE && mc_slots_add(&s->node_slots, h, number) ? number : MC_NONE;
}

mc_result mc_memray_stacks_switch(mc_memray_stacks *stacks, uint64_t thread) {
    uint32_t h = hash(thread, 4), number = (uint32_t)stacks->thread_count;
    for (uint32_t at = h, found; (found = mc_slots_find(&stacks->thread_slots, h, &at)) != MC_NONE;)
        if (stacks->threads[found].id == thread) {
            stacks->thread = found;
            return MC_OK;
        }
    if (stacks->thread_count >= COUNT_MOST ||
        !mc_reserve(&stacks->threads, &stacks->thread_capacity, stacks->thread_count + 1,
                    sizeof *stacks->threads) ||
        !mc_slots_add(&stacks->thread_slots, h, number))
        return MC_ERROR_OUT_OF_MEMORY;
    stacks->thread = stacks->thread_count;
    stacks->threads[stacks->thread_count++] = (mc_memray_thread){.id = thread};
    return MC_OK;
}

static mc_memray_thread *get_thread(mc_memray_stacks *stacks) {
    bool is_there = stacks->thread_count > 0 || mc_memray_stacks_switch(stacks, 0) == MC_OK;
    return is_there ? &stacks->threads[stacks->thread] : NULL;
}

uint32_t mc_memray_stacks_get(const mc_memray_stacks *stacks) {
    if (stacks->thread_count == 0) return 0;
    const mc_memray_thread *thread = &stacks->threads[stacks->thread];
    return thread->depth > 0 ? thread->nodes[thread->depth - 1] : 0;
}

// The call of a record; its code is MC_NONE if that was not described.
static mc_memray_call get_call(const mc_memray_stacks *s, const mc_memray_record *record) {
    mc_memray_call call = {find_code(s, record->id), record->instruction, record->is_entry, 0};
    if (call.code != MC_NONE) call.is_entry |= s->codes[call.code].is_entry;
    return call;
}

static const char described[] = "code that was described before";

static mc_result find_call_node(mc_memray_stacks *s, uint32_t python, uint32_t parent,
                                const mc_memray_record *record, uint32_t *node,
                                const char **expected) {
    mc_memray_call call = get_call(s, record);
    if (call.code == MC_NONE) {
        *expected = described;
        return MC_ERROR_BAD_DATA;
    }
    if (!find_frame(s, python, &call)) return MC_ERROR_OUT_OF_MEMORY;
    *node = find_node(s, parent, call.frame);
    return *node == MC_NONE ? MC_ERROR_OUT_OF_MEMORY : MC_OK;
}

mc_result mc_memray_stacks_push(mc_memray_stacks *stacks, uint32_t python,
                                const mc_memray_record *record, const char **expected) {
    mc_memray_thread *thread = get_thread(stacks);
    if (!stacks->recalls) stacks->recalls = mc_alloc_zero(RECALLS, sizeof *stacks->recalls);
    if (!thread || !stacks->recalls) return MC_ERROR_OUT_OF_MEMORY;
    uint32_t parent = mc_memray_stacks_get(stacks), node;
    const mc_memray_recall wanted = {record->id, record->instruction,
                                     parent << 1 | record->is_entry, 0, stacks->epoch};
    mc_memray_recall *recall =
        &stacks->recalls[mc_hash_u64(record->id ^ (uint64_t)record->instruction << 32,
                                     wanted.parent) &
                         (RECALLS - 1)];
    node = recall->node;
    if (node == 0 || recall->id != wanted.id || recall->instruction != wanted.instruction ||
        recall->parent != wanted.parent || recall->epoch != wanted.epoch) {
        mc_result result = find_call_node(stacks, python, parent, record, &node, expected);
        if (result != MC_OK) return result;
        *recall = wanted;
        recall->node = node;
    }
    if (!mc_reserve(&thread->nodes, &thread->capacity, thread->depth + 1, sizeof node))
        return MC_ERROR_OUT_OF_MEMORY;
    thread->nodes[thread->depth++] = node;
    stacks->depth++;
    return MC_OK;
}

mc_result mc_memray_stacks_pop(mc_memray_stacks *stacks, uint32_t count, const char **expected) {
    mc_memray_thread *thread = get_thread(stacks);
    if (!thread) return MC_ERROR_OUT_OF_MEMORY;
    if (count > thread->depth) {
        *expected = "the end of no more frames than there are";
        return MC_ERROR_BAD_DATA;
    }
    thread->depth -= count;
    stacks->depth -= count;
    return MC_OK;
}

// ---- as they are listed

static uint32_t find_listed(const mc_memray_stacks *s, uint64_t number) {
    uint32_t h = hash(number, 6);
    for (uint32_t at = h, found; (found = mc_slots_find(&s->listed_slots, h, &at)) != MC_NONE;)
        if (s->listed[found].number == number) return found;
    return MC_NONE;
}

mc_result mc_memray_stacks_add_listed(mc_memray_stacks *stacks, uint32_t version, uint32_t python,
                                      const mc_memray_record *record, const char **expected) {
    enum { WITH_CODE = 12 };
    uint32_t number = (uint32_t)stacks->listed_count;
    if (version < WITH_CODE && mc_memray_stacks_add_code(stacks, record) != MC_OK)
        return MC_ERROR_OUT_OF_MEMORY;
    mc_memray_call call = get_call(stacks, record);
    *expected = call.code == MC_NONE ? described : "a frame of another number";
    if (call.code == MC_NONE || find_listed(stacks, record->count) != MC_NONE)
        return MC_ERROR_BAD_DATA;
    if (stacks->listed_count >= COUNT_MOST || !find_frame(stacks, python, &call) ||
        !mc_reserve(&stacks->listed, &stacks->listed_capacity, stacks->listed_count + 1,
                    sizeof *stacks->listed) ||
        !mc_slots_add(&stacks->listed_slots, hash(record->count, 6), number))
        return MC_ERROR_OUT_OF_MEMORY;
    stacks->listed[stacks->listed_count++] = (mc_memray_listed){record->count, call.frame};
    return MC_OK;
}

mc_result mc_memray_stacks_add_node(mc_memray_stacks *stacks, const mc_memray_record *record,
                                    const char **expected) {
    uint32_t frame = find_listed(stacks, record->id);
    bool is_behind = record->count != 0 && record->count >= stacks->node_count;
    if (frame == MC_NONE || is_behind) {
        *expected =
            is_behind ? "a stack that was described before" : "a frame that was described before";
        return MC_ERROR_BAD_DATA;
    }
    uint32_t node = add_node(stacks, (uint32_t)record->count, stacks->listed[frame].frame);
    return node == MC_NONE ? MC_ERROR_OUT_OF_MEMORY : MC_OK;
}
