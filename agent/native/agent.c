#include "agent/native/agent.h"

#include <time.h>

jvmtiEnv *mc_agent_jvmti;

uint64_t mc_agent_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void mc_agent_sleep_ms(unsigned ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000},
              NULL);
}

void mc_agent_add_lost(mc_frames *out, uint32_t mode_index, uint64_t n, const char *reason) {
    mc_frames_begin(out, MC_AGENT_LOST);
    mc_frames_add_u8(out, (uint8_t)mode_index);
    mc_frames_add_u64(out, n);
    mc_frames_add_string(out, reason);
    mc_frames_end(out);
}
