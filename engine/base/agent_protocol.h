// agent_protocol.h - the constants of the protocol between memcity and the agent in a program, as
// in docs/reference/agent-protocol.md. Included by both; no code.
#pragma once

#define MC_AGENT_VERSION 1
#define MC_AGENT_FRAME_MAX (1u << 20)                   // bytes of a frame's type and payload
#define MC_AGENT_COMMAND_MAX 4096u                      // bytes of a frame that goes to the agent
#define MC_AGENT_SECRET_LEAST 16u                       // bytes of a secret for TCP
#define MC_AGENT_SECRET_MOST 127u                       // likewise
#define MC_AGENT_SECRET_VARIABLE "MEMCITY_AGENT_SECRET" // where no file is shared
#define MC_AGENT_NONCE_SIZE 32u        // bytes of the random number that each side says over TCP
#define MC_AGENT_TIME_ROWS_MOST 16384u // a TIME frame with as many may not be its batch's last
#define MC_AGENT_LOST_NAMES 255        // instead of a mode, in LOST: what is lost has no name

// Modes, as commands and the agent's options name them.
#define MC_AGENT_MODE_ALLOC "alloc"
#define MC_AGENT_MODE_EXACT "exact"
#define MC_AGENT_MODE_COUNT "count"
#define MC_AGENT_MODE_WALL "wall"
#define MC_AGENT_MODE_CPU "cpu"

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

// Flags of a METHOD.
enum { MC_AGENT_METHOD_NATIVE = 1, MC_AGENT_METHOD_STATIC = 2, MC_AGENT_METHOD_SYNTHETIC = 4 };

// Of a HELLO: its collections of garbage say which were of the whole heap.
enum { MC_AGENT_HELLO_TELLS_WHOLE = 1 };

// Of a GC: it was of the whole heap.
enum { MC_AGENT_GC_WHOLE = 1 };

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
