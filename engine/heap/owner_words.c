#include "engine/heap/owner_words.h"

#include "engine/base/memory.h"

void mc_owner_words_deinit(mc_owner_words *words) {
    mc_strings_deinit(&words->texts);
    mc_free(words->classes);
    mc_free(words->fields);
    mc_free(words->links);
    mc_free(words->standings);
    *words = (mc_owner_words){.classes = NULL};
}

typedef struct namer {
    mc_owner_words *words;
    const mc_heap *heap;
    mc_text text;
} namer;

static uint32_t intern(namer *self) {
    return self->text.failed
               ? MC_NONE
               : mc_strings_intern(&self->words->texts, self->text.data ? self->text.data : "",
                                   self->text.size);
}

static bool is_element(const mc_graph_kind *kind, uint32_t slot) {
    if (kind->layout == MC_GRAPH_MIXED) return slot + 1 == kind->slot_count;
    return kind->layout == MC_GRAPH_LIST;
}

static bool name_link(namer *self, uint32_t kind, uint32_t slot) {
    const mc_heap *heap = self->heap;
    mc_owner_words *words = self->words;
    const uint32_t link = heap->kinds[kind].first_link + slot;
    mc_text_clear(&self->text);
    bool is_static = heap->words->append_link(heap->reader, kind, slot, MC_HEAP_WORDS_SHORT,
                                              &self->text) == MC_HEAP_LINK_STATIC;
    if (is_static) { // it may be a root, which is named in full
        mc_text_clear(&self->text);
        (void)heap->words->append_link(heap->reader, kind, slot, MC_HEAP_WORDS_FULL, &self->text);
    }
    words->fields[link] = intern(self);
    if (is_static) words->links[link] |= MC_OWNER_LINK_STATIC;
    if (words->standings[kind].is_local) words->links[link] |= MC_OWNER_LINK_LOCAL;
    if (is_element(&heap->graph_kinds[kind], slot)) words->links[link] |= MC_OWNER_LINK_ELEMENT;
    return words->fields[link] != MC_NONE;
}

static bool name_all(namer *self) {
    const mc_heap *heap = self->heap;
    for (uint32_t kind = 0; kind < heap->kind_count; kind++) {
        const uint32_t count = heap->kinds[kind].slot_count;
        mc_text_clear(&self->text);
        heap->words->append_kind(heap->reader, kind, MC_HEAP_WORDS_FULL, &self->text);
        self->words->classes[kind] = intern(self);
        if (self->words->classes[kind] == MC_NONE) return false;
        for (uint32_t slot = 0; slot < count; slot++)
            if (!name_link(self, kind, slot)) return false;
    }
    return true;
}

mc_result mc_owner_words_init(mc_owner_words *words, const mc_heap *heap, mc_error *error) {
    const size_t kinds = (size_t)heap->kind_count + 1, links = (size_t)heap->link_count + 1;
    namer self = {.words = words, .heap = heap};
    mc_result result = MC_OK;
    *words =
        (mc_owner_words){.classes = mc_alloc_scattered(kinds, sizeof *words->classes),
                         .fields = mc_alloc_scattered(links, sizeof *words->fields),
                         .links = mc_alloc_zero_scattered(links, 1),
                         .standings = mc_alloc_zero_scattered(kinds, sizeof *words->standings)};
    if (!words->classes || !words->fields || !words->links || !words->standings)
        return mc_error_out_of_memory(error);
    for (size_t i = 0; i < kinds; i++)
        words->standings[i].loader_slot = MC_NONE;
    if (heap->words->list_standings)
        result = heap->words->list_standings(heap->reader, words->standings, error);
    if (result == MC_OK && !name_all(&self)) result = mc_error_out_of_memory(error);
    mc_text_deinit(&self.text);
    return result;
}
