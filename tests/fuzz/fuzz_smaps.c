// fuzz_smaps - whatever comes as a memory map is answered with steps that add up, or errors.
//
// tests/data/smaps is a corpus. Texts lie in heap blocks of their exact size.
#include "engine/import/smaps/memory_groups.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool count_pages(void *user, uint64_t begin, uint64_t end, uint64_t *bytes) {
    (void)user;
    *bytes = (end - begin) / 3;
    return begin % 3 != 0;
}

static void check_tree(const mc_process_memory *memory, const mc_step_tree *tree) {
    uint64_t sum = 0, leaves = 0;
    for (size_t i = 0; i < memory->mapping_count; i++)
        sum += memory->mappings[i].resident;
    for (size_t i = 0; i < tree->node_count; i++) {
        require(i == 0 || tree->nodes[i].parent < i, "a parent behind its child");
        require(tree->nodes[i].key_size > 0, "a node without a key");
        if (i > 0 && tree->nodes[i].parent > 0) leaves += tree->nodes[i].bytes;
    }
    require(tree->nodes[0].bytes == sum && leaves == sum, "groups that don't add up");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    const mc_resident_pages pages = {count_pages, NULL};
    mc_process_memory memory = {0};
    mc_memory_groups *groups;
    mc_step_tree tree = {0};
    mc_error error = {0};
    char *data = malloc(size + (size == 0));
    if (!data || mc_memory_groups_create(&groups, &error) != MC_OK) return 0;
    if (size > 0) memcpy(data, input, size);
    (void)mc_process_memory_detect((const unsigned char *)data, size);
    (void)mc_process_memory_detect_owners((const unsigned char *)data, size);
    mc_process_text text = {.at = data, .begin = data, .end = data + size};
    for (uint32_t step = 0;; step++) {
        const char *before = text.at;
        bool is_there = false;
        mc_result result = mc_process_memory_read(&memory, &text, step % 2 == 1, &is_there, &error);
        require(text.at >= before && text.at <= text.end, "a place outside of the text");
        if (result == MC_OK && is_there) {
            result = mc_memory_groups_fill_tree(groups, &memory, step % 3 ? &pages : NULL, &tree,
                                                &error);
            if (result == MC_OK) check_tree(&memory, &tree);
        }
        require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
        require(result == MC_OK || (error.message[0] && error.byte_offset <= size),
                "an error without a message or place");
        if (text.at == before) break;
    }
    mc_memory_groups_destroy(groups);
    mc_process_memory_deinit(&memory);
    mc_step_tree_deinit(&tree);
    free(data);
    return 0;
}
