// gc_events.h - records the times of garbage collections from the JVM's events.
//
// Callbacks run in the JVM's own threads while the program stands still: they take no lock.
// Threads: one reader, the agent's.
#pragma once
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mc_gc_event {
    uint64_t at_ns, duration_ns; // its end, by the agent's clock
} mc_gc_event;

// Collections of the whole heap that the agent asks for: at most so often, and for at most a
// twentieth of the time. 0: none.
void mc_gc_events_set_asking(uint64_t every_ns);
// Asks for one if it is time, and waits for its end. `before`: how many collections there were when
// it began.
bool mc_gc_events_ask(uint64_t *before);

void mc_gc_events_add_callbacks(jvmtiEventCallbacks *callbacks);
// How many there were ever.
uint64_t mc_gc_events_get_count(void);
// The oldest that was not taken, of the first `end` ever; false: there is none. If nobody takes
// any, there is no room for later ones.
bool mc_gc_events_take(uint64_t end, mc_gc_event *event);
bool mc_gc_events_has_any(uint64_t end);
uint64_t mc_gc_events_get_dropped(void); // how many had no room
