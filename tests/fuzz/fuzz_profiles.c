// fuzz_profiles - whatever comes as a profile is answered with steps or an error.
//
// The content decides which parser takes it, as in an import; tests/data/profiles is a corpus.
// Texts lie in heap blocks of their exact size.
#include "engine/import/bytes/inflate.h"
#include "engine/import/dhat/dhat.h"
#include "engine/import/heaptext/heap_text.h"
#include "engine/import/massif/massif.h"
#include "engine/import/perfetto/heapprofd.h"
#include "engine/import/perfetto/perfetto_packets.h"
#include "engine/import/pprof/pprof.h"
#include "engine/import/tracemalloc/tracemalloc.h"
#include "engine/import/v8profile/v8_profile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static bool detect_perfetto(const unsigned char *data, size_t size) {
    return mc_perfetto_detect(data, size);
}

static const struct {
    bool (*detect)(const unsigned char *data, size_t size);
    mc_result (*parse)(const mc_profile_input *input, mc_profile *profile, mc_error *error);
} kinds[] = {
    {mc_pprof_detect, mc_pprof_parse},         {mc_massif_detect, mc_massif_parse},
    {mc_dhat_detect, mc_dhat_parse},           {mc_v8_profile_detect, mc_v8_profile_parse},
    {mc_heap_text_detect, mc_heap_text_parse}, {mc_tracemalloc_detect, mc_tracemalloc_parse},
    {detect_perfetto, mc_heapprofd_parse},
};

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_tree(const mc_step_tree *tree) {
    for (size_t i = 0; i < tree->node_count; i++) {
        require(i == 0 || tree->nodes[i].parent < i, "a parent behind its child");
        require(tree->nodes[i].key_size > 0, "a node without a key");
        require(tree->nodes[i].bytes <= MC_COUNT_MAX, "a count too large");
    }
}

static void fill_trees(const mc_profile *profile, const mc_import_desc *desc) {
    mc_stack_sites_desc sites_desc = mc_profile_get_sites_desc(profile, desc);
    mc_profile_steps steps = {.profile = profile};
    mc_step_tree tree = {0};
    mc_error error = {.code = MC_OK};
    mc_result result = mc_stack_sites_create(&sites_desc, &steps.sites, &error);
    for (uint32_t i = 0; result == MC_OK && i < profile->step_count; i++) {
        result = mc_profile_steps_fill_tree(&steps, i, &tree, &error);
        require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
        if (result == MC_OK) check_tree(&tree);
    }
    mc_stack_sites_destroy(steps.sites);
    mc_profile_steps_deinit(&steps);
    mc_step_tree_deinit(&tree);
}

static void read_as(size_t kind, const unsigned char *data, size_t size) {
    mc_import_desc desc = {.profiles = {.depth = size % 3, .has_libraries = size % 2}};
    mc_profile_input input = {.data = data, .size = size, .path = "fuzz", .desc = &desc};
    mc_profile profile = {.frames = NULL};
    mc_error error = {.code = MC_OK};
    mc_result result = kinds[kind].parse(&input, &profile, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_UNSUPPORTED,
            "a result input must not lead to");
    require(result == MC_OK || error.message[0], "an error without a message");
    require(result != MC_ERROR_BAD_DATA || error.byte_offset <= size ||
                error.byte_offset == MC_ERROR_NO_OFFSET,
            "an error out of place");
    if (result == MC_OK) fill_trees(&profile, &desc);
    mc_profile_deinit(&profile);
}

static void read_data(const unsigned char *data, size_t size) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].detect(data, size)) read_as(i, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    mc_inflate_buffer unpacked = {0};
    mc_error error;
    unsigned char *data = malloc(size + 1);
    if (!data) return 0;
    if (size > 0) memcpy(data + 1, input, size);
    if (mc_inflate_detect(data + 1, size) == MC_COMPRESSION_NONE)
        read_data(data + 1, size);
    else if (mc_inflate(data + 1, size, &unpacked, NULL, &error) == MC_OK)
        read_data(unpacked.data, unpacked.size);
    mc_inflate_buffer_deinit(&unpacked);
    free(data);
    return 0;
}
