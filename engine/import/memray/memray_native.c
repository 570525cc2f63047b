#include "engine/import/memray/memray_native.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define COUNT_MOST ((size_t)MC_NONE / 4)
#define DEPTH_MOST 512 // frames of a stack that are looked at

void mc_memray_native_deinit(mc_memray_native *native) {
    mc_strings_deinit(&native->texts);
    mc_free(native->segments);
    mc_free(native->images);
    mc_free(native->pointers);
    mc_free(native->places);
    mc_free(native->nodes);
    mc_slots_deinit(&native->place_slots);
    mc_slots_deinit(&native->node_slots);
    memset(native, 0, sizeof *native);
}

uint64_t mc_memray_native_measure(const mc_memray_native *native) {
    return native->texts.bytes_size + native->texts.count * sizeof *native->texts.offsets +
           native->segment_count * sizeof *native->segments +
           native->images_count * sizeof *native->images +
           native->pointer_count * sizeof *native->pointers +
           native->place_count * (sizeof *native->places + 2 * sizeof(uint64_t)) +
           native->node_count * (sizeof *native->nodes + 2 * sizeof(uint64_t));
}

// ---- mapped files

static mc_result begin_images(mc_memray_native *native) {
    if (!mc_reserve(&native->images, &native->images_capacity, native->images_count + 1,
                    sizeof *native->images))
        return MC_ERROR_OUT_OF_MEMORY;
    native->images[native->images_count++] =
        (mc_memray_images){native->segment_count, native->segment_count, false};
    return MC_OK;
}

static mc_result add_segment(mc_memray_native *native, const mc_memray_record *record,
                             const char **expected) {
    uint64_t begin = native->base + record->address, end = begin + record->size;
    *expected = "a segment of a file that an address space has room for";
    if (native->images_count == 0 || native->module == MC_NONE || begin < native->base ||
        end < begin)
        return MC_ERROR_BAD_DATA;
    if (!mc_reserve(&native->segments, &native->segment_capacity, native->segment_count + 1,
                    sizeof *native->segments))
        return MC_ERROR_OUT_OF_MEMORY;
    native->segments[native->segment_count++] =
        (mc_memray_segment){begin, end, native->base, native->module};
    mc_memray_images *images = &native->images[native->images_count - 1];
    images->end = native->segment_count;
    images->is_sorted = false;
    return MC_OK;
}

static mc_result add_pointer(mc_memray_native *native, const mc_memray_record *record,
                             const char **expected) {
    *expected = "a native frame that was described before";
    if (record->native > native->pointer_count) return MC_ERROR_BAD_DATA;
    if (!mc_reserve(&native->pointers, &native->pointer_capacity, native->pointer_count + 1,
                    sizeof *native->pointers))
        return MC_ERROR_OUT_OF_MEMORY;
    native->pointers[native->pointer_count++] =
        (mc_memray_pointer){.address = record->address, .parent = record->native};
    return MC_OK;
}

mc_result mc_memray_native_add(mc_memray_native *native, const mc_memray_record *record,
                               const char **expected) {
    switch (record->kind) {
    case MC_MEMRAY_NATIVE: return add_pointer(native, record, expected);
    case MC_MEMRAY_IMAGES: native->module = MC_NONE; return begin_images(native);
    case MC_MEMRAY_IMAGE:
        native->base = record->address;
        native->module = mc_strings_intern(&native->texts, record->file.at, record->file.size);
        return native->module == MC_NONE ? MC_ERROR_OUT_OF_MEMORY : MC_OK;
    case MC_MEMRAY_SEGMENT: return add_segment(native, record, expected);
    default: return MC_OK;
    }
}

static int compare(const void *a, const void *b) {
    const mc_memray_segment *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

// NULL: it lies in no file.
static const mc_memray_segment *find_segment(mc_memray_native *native, uint64_t generation,
                                             uint64_t address) {
    if (generation == 0 || generation > native->images_count) return NULL;
    mc_memray_images *images = &native->images[generation - 1];
    size_t low = images->begin, high = images->end;
    if (!images->is_sorted && high > low)
        qsort(native->segments + low, high - low, sizeof *native->segments, compare);
    images->is_sorted = true;
    while (low < high) { // the first that begins behind it
        size_t middle = low + (high - low) / 2;
        if (native->segments[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == images->begin || address >= native->segments[low - 1].end) return NULL;
    return &native->segments[low - 1];
}

// ---- stacks

static uint32_t find_place(mc_memray_native *native, mc_memray_place place) {
    uint32_t hash = (uint32_t)mc_hash_u64(place.address, place.module), found;
    for (uint32_t at = hash; (found = mc_slots_find(&native->place_slots, hash, &at)) != MC_NONE;)
        if (native->places[found].address == place.address &&
            native->places[found].module == place.module)
            return found;
    if (native->place_count >= COUNT_MOST ||
        !mc_reserve(&native->places, &native->place_capacity, native->place_count + 1,
                    sizeof place) ||
        !mc_slots_add(&native->place_slots, hash, (uint32_t)native->place_count))
        return MC_NONE;
    native->places[native->place_count] = place;
    return (uint32_t)native->place_count++;
}

static uint32_t find_node(mc_memray_native *native, uint32_t parent, uint32_t place) {
    uint32_t hash = (uint32_t)mc_hash_u64((uint64_t)parent << 32 | place, 7), found;
    for (uint32_t at = hash; (found = mc_slots_find(&native->node_slots, hash, &at)) != MC_NONE;)
        if (native->nodes[found].parent == parent && native->nodes[found].frame == place)
            return found;
    size_t number = native->node_count > 0 ? native->node_count : 1;
    if (number >= COUNT_MOST ||
        !mc_reserve(&native->nodes, &native->node_capacity, number + 1, sizeof *native->nodes) ||
        !mc_slots_add(&native->node_slots, hash, (uint32_t)number))
        return MC_NONE;
    native->nodes[number] = (mc_memray_node){parent, place};
    native->node_count = number + 1;
    return (uint32_t)number;
}

// What is called by a stack: the address behind a call is of the call itself.
static uint32_t add_call(mc_memray_native *native, uint32_t parent, uint64_t address,
                         uint64_t generation) {
    uint64_t call = address > 0 ? address - 1 : 0;
    const mc_memray_segment *segment = find_segment(native, generation, call);
    if (!segment) return parent;
    uint32_t place = find_place(native, (mc_memray_place){segment->module, call - segment->base});
    return place == MC_NONE ? MC_NONE : find_node(native, parent, place);
}

mc_result mc_memray_native_find(mc_memray_native *native, uint64_t number, uint64_t generation,
                                uint32_t *node, const char **expected) {
    uint64_t chain[DEPTH_MOST];
    size_t count = 0;
    *node = 0;
    *expected = "a native frame that was described before";
    if (number > native->pointer_count) return MC_ERROR_BAD_DATA;
    for (; number != 0 && count < DEPTH_MOST; number = native->pointers[number - 1].parent) {
        const mc_memray_pointer *pointer = &native->pointers[number - 1];
        if (pointer->generation == generation && generation > 0) {
            *node = pointer->node;
            break;
        }
        chain[count++] = number;
    }
    while (count-- > 0) {
        mc_memray_pointer *pointer = &native->pointers[chain[count] - 1];
        *node = add_call(native, *node, pointer->address, generation);
        if (*node == MC_NONE) return MC_ERROR_OUT_OF_MEMORY;
        pointer->generation = generation;
        pointer->node = *node;
    }
    return MC_OK;
}
