// suspect_reason.h - explains why a group is a suspect or not: it is a cause, grows because of one,
// or does not keep growing.
//
// Pure CPU code. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

typedef enum mc_suspect_reason_kind {
    MC_SUSPECT_REASON_CAUSE,       // a cause, or a district with one
    MC_SUSPECT_REASON_EXPLAINED,   // a suspect that grows because a cause does
    MC_SUSPECT_REASON_LEFT_OUT,    // a suspect beyond those that are followed
    MC_SUSPECT_REASON_SMALL,       // keeps growing, by less than a suspect does
    MC_SUSPECT_REASON_STOPPED,     // grew, and does no more
    MC_SUSPECT_REASON_SLOWS,       // likewise, ever more slowly until the end
    MC_SUSPECT_REASON_UP_AND_DOWN, // what stays of it is little beside what it moves in, or chance
    MC_SUSPECT_REASON_SHRINKS,
    MC_SUSPECT_REASON_STEADY, // does not change
    MC_SUSPECT_REASON_ABSENT, // at all steps of the window
    MC_SUSPECT_REASON_SHORT,  // too few steps: nobody can say
    MC_SUSPECT_REASON_CHANCE, // looks as if it kept growing, by no more than one of many by chance
    MC_SUSPECT_REASON_KIND_COUNT
} mc_suspect_reason_kind;

typedef struct mc_suspect_reason {
    mc_suspect_reason_kind kind;
    uint32_t node;
    const mc_cause *cause;             // of CAUSE and EXPLAINED; of causes.h's
    mc_trend trend;                    // in the metric of the causes
    uint32_t since_step, until_step;   // of the trace: where it grew
    uint64_t first, last, least, most; // counts at the window's ends, and of its steps
    uint32_t most_step;
} mc_suspect_reason;

// The cause of the node; for a district, that of the leaf below it which holds the most; NULL:
// none.
const mc_cause *mc_causes_find_below(const mc_causes *causes, const mc_trace *trace, uint32_t node);

// Judges a node by its counts at the steps of the window. MC_ERROR_OUT_OF_MEMORY is the only error.
mc_result mc_suspect_reason_judge(const mc_trace *trace, const mc_causes *causes, uint32_t node,
                                  const uint64_t *counts, mc_suspect_reason *reason,
                                  mc_error *error);
// Reads the counts, then judges. O(steps).
mc_result mc_suspect_reason_find(const mc_trace *trace, const mc_causes *causes, uint32_t node,
                                 mc_suspect_reason *reason, mc_error *error);
