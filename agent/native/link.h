// link.h - the connection to the viewer, which never blocks.
//
// Threads: the agent's.
#pragma once
#include "agent/native/address.h"
#include "agent/native/frames.h"

// Zero-initialise with fd = -1.
typedef struct mc_link {
    int fd; // -1: no viewer
    unsigned char received[MC_AGENT_COMMAND_MAX + 4];
    size_t received_size;
} mc_link;

typedef struct mc_link_command {
    uint32_t number;
    uint8_t verb; // MC_AGENT_START …
    char mode[32], options[1024];
} mc_link_command;

// False: nobody is there.
bool mc_link_connect(mc_link *link, const mc_address *address);
void mc_link_close(mc_link *link);
// Waits until there is something to read, room to write if `has_unsent`, or `wake_fd` says so.
void mc_link_wait(const mc_link *link, bool has_unsent, int wake_fd, int timeout_ms);
// Sends what goes without waiting. False: the viewer is gone.
bool mc_link_send(mc_link *link, mc_frames *frames);
// Takes what has come. False: the viewer is gone, or sends what is none of the protocol.
bool mc_link_receive(mc_link *link);
// The next whole command of what was received; false: none. What is no command is skipped.
bool mc_link_take_command(mc_link *link, mc_link_command *command);
