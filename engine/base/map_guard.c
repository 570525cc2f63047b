#include "engine/base/map_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPPING_COUNT_MAX 256 // at a time: one a file that is being read

typedef struct guarded {
    atomic_bool is_taken;
    _Atomic uintptr_t begin; // 0: not to be looked at
    _Atomic size_t size;
    atomic_bool was_hit;
} guarded;

static guarded mappings[MAPPING_COUNT_MAX];
static struct sigaction former_action;
static uintptr_t page_size;

// Runs in the thread that has read, whose mapping can't go meanwhile. Only system calls and
// lock-free atomics, as in any handler.
static bool fill_with_zeros(uintptr_t address) {
    for (size_t i = 0; i < MAPPING_COUNT_MAX; i++) {
        uintptr_t begin = atomic_load(&mappings[i].begin);
        size_t size = atomic_load(&mappings[i].size);
        if (begin == 0 || address < begin || address - begin >= size) continue;
        uintptr_t page = address / page_size * page_size;
        atomic_store(&mappings[i].was_hit, true);
        return mmap((void *)page, begin + size - page, PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

static void handle(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    int known_errno = errno;
    // Not ours: the access is done again, and raises it again, for whoever had it before.
    if (!fill_with_zeros((uintptr_t)info->si_addr)) sigaction(signal_number, &former_action, NULL);
    errno = known_errno;
}

void mc_map_guard_install(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (page_size != 0) return;
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &former_action);
}

uint32_t mc_map_guard_enter(const void *begin, size_t size) {
    for (uint32_t i = 0; i < MAPPING_COUNT_MAX; i++) {
        bool is_taken = false;
        if (!atomic_compare_exchange_strong(&mappings[i].is_taken, &is_taken, true)) continue;
        atomic_store(&mappings[i].was_hit, false);
        atomic_store(&mappings[i].size, size);
        atomic_store(&mappings[i].begin, (uintptr_t)begin);
        return i;
    }
    return MC_NONE;
}

bool mc_map_guard_was_hit(uint32_t number) {
    return atomic_load(&mappings[number].was_hit);
}

void mc_map_guard_leave(uint32_t number) {
    atomic_store(&mappings[number].begin, 0);
    atomic_store(&mappings[number].is_taken, false);
}
