// profile_case.h - what each reader of profiles has to stand: files cut off and changed, and memory
// that runs out.
#pragma once
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/stacks/profile_import.h"
#include "tests/test.h"
#include <inttypes.h>

typedef mc_result (*profile_parser)(const mc_profile_input *input, mc_profile *profile,
                                    mc_error *error);

static mc_error error;

// What is read lies at the end of a block of its own size, so that a byte beyond it is found.
static inline mc_result parse_bytes(profile_parser parse, const void *bytes, size_t size,
                                    mc_profile *profile) {
    mc_import_desc desc = {.path_count = 0};
    unsigned char *data = malloc(size + 1);
    REQUIRE(data);
    if (size > 0) memcpy(data + 1, bytes, size);
    mc_profile_input input = {.data = data + 1, .size = size, .path = "test", .desc = &desc};
    error = (mc_error){.code = MC_OK};
    mc_profile_clear(profile);
    mc_result result = parse(&input, profile, &error);
    CHECK_MSG(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_OUT_OF_MEMORY ||
                  result == MC_ERROR_UNSUPPORTED,
              "%d", (int)result);
    CHECK(result == MC_OK || (error.code == result && error.message[0]));
    CHECK_MSG(result != MC_ERROR_BAD_DATA || error.byte_offset == MC_ERROR_NO_OFFSET ||
                  error.byte_offset <= size,
              "%" PRIu64 " of %zu: %s", error.byte_offset, size, error.message);
    for (size_t i = 0; result == MC_OK && i < profile->stack_frame_count; i++)
        CHECK(profile->stack_frames[i] < profile->frame_count);
    // Names may be those of the data, which goes.
    if (result == MC_OK && profile->step_count > 0) {
        mc_stack_sites_desc sites_desc = mc_profile_get_sites_desc(profile, &desc);
        mc_step_tree tree = {0};
        mc_profile_steps steps = {.profile = profile};
        // As an import has them, or as where addresses are looked up.
        bool is_identified = size % 2 == 0 || mc_profile_identify(profile);
        mc_result filled = is_identified ? mc_stack_sites_create(&sites_desc, &steps.sites, &error)
                                         : MC_ERROR_OUT_OF_MEMORY;
        for (uint32_t i = 0; i < profile->step_count && filled == MC_OK; i++) {
            filled = mc_profile_steps_fill_tree(&steps, i, &tree, &error);
            for (size_t node = 0; filled == MC_OK && node < tree.node_count; node++)
                CHECK(tree.nodes[node].key_size > 0 &&
                      (node == 0 || tree.nodes[node].parent < node));
        }
        if (filled != MC_OK) result = filled;
        mc_stack_sites_destroy(steps.sites);
        mc_profile_steps_deinit(&steps);
        mc_step_tree_deinit(&tree);
    }
    free(data);
    return result;
}

// A whole file, unpacked; to be freed with mc_inflate_buffer_deinit().
static inline mc_inflate_buffer load_profile(const char *name) {
    char path[512];
    mc_file_map map;
    mc_inflate_buffer buffer = {0};
    snprintf(path, sizeof path, MC_TEST_DATA "/profiles/%s", name);
    REQUIRE(mc_file_map_open(&map, path, &error) == MC_OK);
    if (mc_inflate_detect(map.data, map.size) != MC_COMPRESSION_NONE) {
        REQUIRE(mc_inflate(map.data, map.size, &buffer, NULL, &error) == MC_OK);
    } else {
        REQUIRE(mc_reserve(&buffer.data, &buffer.capacity, map.size + 1, 1));
        memcpy(buffer.data, map.data, map.size);
        buffer.size = map.size;
    }
    mc_file_map_close(&map);
    return buffer;
}

// Each prefix, or of a long file about 2,000; each byte replaced by a few others, likewise; and
// memory that runs out after n allocations, for every n.
static inline void try_profile(profile_parser parse, const char *name) {
    static const unsigned char others[] = {0, ' ', '9', 0x80, 0xff};
    mc_inflate_buffer file = load_profile(name);
    mc_profile profile = {.frames = NULL};
    size_t pace = file.size / 2000 + 1;
    CHECK_MSG(parse_bytes(parse, file.data, file.size, &profile) == MC_OK, "%s: %s", name,
              error.message);
    for (size_t size = 0; size < file.size; size += pace)
        (void)parse_bytes(parse, file.data, size, &profile);
    for (size_t i = 0; i < file.size; i += pace) {
        unsigned char kept = file.data[i];
        file.data[i] = others[i / pace % sizeof others];
        (void)parse_bytes(parse, file.data, file.size, &profile);
        file.data[i] = kept;
    }
    mc_profile_deinit(&profile);
    for (uint64_t n = 0;; n = n < 200 ? n + 1 : n + n / 16) {
        mc_memory_fail_after(n);
        mc_result result = parse_bytes(parse, file.data, file.size, &profile);
        mc_memory_fail_after(UINT64_MAX);
        mc_profile_deinit(&profile);
        if (result == MC_OK) break;
        CHECK_MSG(result == MC_ERROR_OUT_OF_MEMORY, "%s: %s", name, error.message);
    }
    mc_inflate_buffer_deinit(&file);
}

static inline void check_bad_profile(profile_parser parse, const void *bytes, size_t size,
                                     const char *wanted) {
    mc_profile profile = {.frames = NULL};
    mc_result result = parse_bytes(parse, bytes, size, &profile);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, wanted), "%s: %d %s", wanted,
              (int)result, error.message);
    mc_profile_deinit(&profile);
}
