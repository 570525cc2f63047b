#include "engine/base/block_reuse.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_KEPT = 64, SPARE_SHARE = 8 };

typedef struct kept_block {
    void *at;
    size_t size;
} kept_block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t limit;
static size_t in_use, most_in_use;
static kept_block kept[MOST_KEPT]; // the oldest one first
static size_t kept_count, kept_size;

static kept_block remove_kept(size_t index) {
    kept_block block = kept[index];
    kept_count--;
    kept_size -= block.size;
    for (size_t i = index; i < kept_count; i++)
        kept[i] = kept[i + 1];
    return block;
}

static void free_oldest(void) {
    size_t room = most_in_use - in_use, most = room < limit ? room : limit;
    while (kept_size > most)
        free(remove_kept(0).at);
}

void mc_block_reuse_set_limit(size_t new_limit) {
    pthread_mutex_lock(&lock);
    limit = new_limit;
    free_oldest();
    pthread_mutex_unlock(&lock);
}

// The smallest one with room, else the one that needs the fewest pages more.
static bool is_better(size_t size, size_t than, size_t wanted) {
    if ((size >= wanted) != (than >= wanted)) return size >= wanted;
    return size >= wanted ? size < than : size > than;
}

static size_t find_kept(size_t size) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < kept_count; i++)
        if (best == SIZE_MAX || is_better(kept[i].size, kept[best].size, size)) best = i;
    return best;
}

void *mc_block_reuse_take(size_t size) {
    pthread_mutex_lock(&lock);
    size_t index = find_kept(size);
    kept_block block = {NULL, 0};
    if (index != SIZE_MAX) block = remove_kept(index);
    pthread_mutex_unlock(&lock);
    bool fits = block.size >= size && block.size - size <= size / SPARE_SHARE;
    if (!block.at || fits) return block.at;
    void *resized = realloc(block.at, size);
    if (!resized) free(block.at);
    return resized;
}

void mc_block_reuse_note_use(size_t size) {
    pthread_mutex_lock(&lock);
    in_use += size;
    if (in_use > most_in_use) most_in_use = in_use;
    free_oldest();
    pthread_mutex_unlock(&lock);
}

// Locked. A block may end of which nobody has said that it began.
static void end_use(size_t size) {
    in_use -= size < in_use ? size : in_use;
}

void mc_block_reuse_note_end(size_t size) {
    pthread_mutex_lock(&lock);
    end_use(size);
    pthread_mutex_unlock(&lock);
}

bool mc_block_reuse_keep(void *block, size_t size) {
    pthread_mutex_lock(&lock);
    end_use(size);
    bool is_kept = size <= limit && size <= most_in_use - in_use;
    if (is_kept) {
        if (kept_count == MOST_KEPT) free(remove_kept(0).at);
        kept[kept_count++] = (kept_block){block, size};
        kept_size += size;
        free_oldest();
    }
    pthread_mutex_unlock(&lock);
    return is_kept;
}

bool mc_block_reuse_drop(void) {
    pthread_mutex_lock(&lock);
    bool is_any = kept_count > 0;
    while (kept_count > 0)
        free(remove_kept(0).at);
    pthread_mutex_unlock(&lock);
    return is_any;
}
