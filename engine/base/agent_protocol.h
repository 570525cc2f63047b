// agent_protocol.h - the constants of the protocol between memcity and the agent in a program, as
// in docs/agent-protocol.md. Included by both; no code.
#pragma once

#define MC_AGENT_VERSION 1
#define MC_AGENT_FRAME_MAX (1u << 20) // bytes of a frame's type and payload
#define MC_AGENT_COMMAND_MAX 4096u    // bytes of a frame that goes to the agent
#define MC_AGENT_SECRET_LEAST 16u     // bytes of a secret for TCP
#define MC_AGENT_SECRET_MOST 127u     // likewise

// Types of frames.
typedef enum mc_agent_type {
    MC_AGENT_HELLO = 1,
    MC_AGENT_CLASS,
    MC_AGENT_METHOD,
    MC_AGENT_THREAD,
    MC_AGENT_STACK,
    MC_AGENT_TIME,
    MC_AGENT_ALLOC,
    MC_AGENT_GC,
    MC_AGENT_LOST,
    MC_AGENT_ACK,
    MC_AGENT_BYE,
    MC_AGENT_COMMAND, // to the agent; all others come from it
    MC_AGENT_NOTE,
    MC_AGENT_TYPE_COUNT
} mc_agent_type;

// Verbs of commands.
enum { MC_AGENT_START = 1, MC_AGENT_STOP, MC_AGENT_REST };

// How the times of a TIME frame were measured.
typedef enum mc_agent_how {
    MC_AGENT_EXACT = 1,
    MC_AGENT_WALL,
    MC_AGENT_CPU,
    MC_AGENT_COUNT,
    MC_AGENT_HOW_END
} mc_agent_how;
