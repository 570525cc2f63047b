// ws_answer.h - parses an answer of AntTracks' server, {"request":…,"status":…,"data":…,…}, around
// its data.
//
// The data may have gigabytes: the caller reads it from where this stops, and passes in what
// follows it. The members may come in any order. Untrusted input: errors are MC_ERROR_BAD_DATA, and
// MC_ERROR_UNSUPPORTED for an answer that reports a failed request. No sockets. Threads: one
// object, one thread.
#pragma once
#include "engine/base/text.h"
#include "engine/import/format/remote_tab.h"

#define MC_WS_ANSWER_HEAD_MOST ((size_t)64 << 10) // of what stands before data that is not kept
#define MC_WS_ANSWER_MOST ((size_t)4 << 20)       // of what is kept

// Zero is the beginning of an answer.
typedef struct mc_ws_answer {
    mc_text text; // what is kept of it
} mc_ws_answer;

typedef enum mc_ws_answer_state {
    MC_WS_ANSWER_UNCLEAR, // more is needed
    MC_WS_ANSWER_DATA,    // it has an array or an object as data
    MC_WS_ANSWER_SMALL    // it has none: all of it is to be added, and then checked
} mc_ws_answer_state;

// Adds bytes of the message.
mc_result mc_ws_answer_add(mc_ws_answer *answer, const unsigned char *bytes, size_t size,
                           mc_error *error);
// `*data` is where its data begins in the text.
mc_ws_answer_state mc_ws_answer_look(const mc_ws_answer *answer, size_t *data);

// The data is read elsewhere: what is added next came behind it.
void mc_ws_answer_cut(mc_ws_answer *answer, size_t data);

// Behind the last byte: whether the answer as a whole says that all is well.
mc_result mc_ws_answer_check(const mc_ws_answer *answer, mc_error *error);

void mc_ws_answer_deinit(mc_ws_answer *answer);

// ---- lists of tabs

// The tabs of a whole answer to a request for them, at most `most` of them into `tabs`; `*count` is
// how many there are.
mc_result mc_ws_answer_read_tabs(const mc_ws_answer *answer, mc_remote_tab *tabs, uint32_t most,
                                 uint32_t *count, mc_error *error);
