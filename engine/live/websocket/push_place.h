// push_place.h - decides which client loses its place to a new one when all are taken
// (docs/reference/websocket.md).
//
// Pure: no sockets, no clock. Times are of mc_clock_now_ns(). Threads: any.
#pragma once
#include "engine/base/base.h"

typedef struct mc_push_place {
    bool is_open;    // the handshake is done
    bool in_message; // one has begun and not ended
    bool has_sent;   // a whole message
    bool has_given;  // a step or map that was taken
    bool has_input;  // that was not looked at yet
    uint64_t since_ns;
    uint64_t heard_ns;  // when the last bytes came, of whatever
    uint64_t data_ns;   // likewise, of a message; 0: never, or of none that gave something
    uint64_t given_ns;  // when the last message ended that gave something; 0: never
    uint64_t pinged_ns; // 0: never
} mc_push_place;

#define MC_PUSH_BEGIN_NS UINT64_C(10000000000)   // for the handshake
#define MC_PUSH_PING_NS UINT64_C(20000000000)    // of silence, then it is pinged; and again
#define MC_PUSH_SILENT_NS UINT64_C(120000000000) // of silence, then it is closed
#define MC_PUSH_YOUNG_NS UINT64_C(2000000000)    // in which nobody has to give way
#define MC_PUSH_ACTIVE_NS UINT64_C(30000000000)  // since data came, likewise

typedef enum mc_push_verdict {
    MC_PUSH_STAYS,
    MC_PUSH_IS_PINGED,
    MC_PUSH_IS_LATE,  // with the handshake
    MC_PUSH_IS_SILENT // it never sent a message, or has stopped in one, and answers no ping
} mc_push_verdict;

mc_push_verdict mc_push_place_judge(const mc_push_place *place, uint64_t now_ns);

// Chooses which of `count` places, all in use, is given to a new client: first one without a
// handshake, then one that has sent no data, the oldest first; then the one without data for
// longest. A client that has sent data loses its place only if all have. MC_NONE: none.
uint32_t mc_push_place_choose(const mc_push_place *places, uint32_t count, uint64_t now_ns);

// A message has ended; `gives`: something of it was taken.
void mc_push_place_end_message(mc_push_place *place, bool gives, uint64_t now_ns);
