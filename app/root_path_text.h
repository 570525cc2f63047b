// root_path_text.h - the path from a GC root to a leaf's objects, in terms of the source code.
//
// Everything is appended to `out`, which says if memory ran out. Names are made safe to show.
// Threads: any.
#pragma once
#include "engine/analyze/root_path.h"

// "Shop.sessions" of a string "static com.acme.shop.Shop.sessions".
void mc_static_append_name(const mc_trace *trace, uint32_t string, mc_text *out);
// The same with `before` in front of a JVM's field; what other runtimes have says what it is.
void mc_static_append_whole(const mc_trace *trace, uint32_t string, const char *before,
                            mc_text *out);

extern const char *const mc_root_path_means_names[]; // by mc_root_path_means, as in JSON: "plain" …

// What a root is called: "global main.sessions", "static field Shop.sessions"; `name`: a string, or
// MC_NONE.
void mc_root_append(const mc_trace *trace, mc_root_kind kind, uint32_t name, mc_text *out);
// What kind of root it is, to people (root_words.h).
const char *mc_root_get_kind(const mc_trace *trace, mc_root_kind kind, uint32_t name);
// The trail's: "static field Shop.sessions", "a local variable of thread "main" in
// a.b.C.run(C.java:12)".
void mc_root_path_append_root(const mc_root_path *trail, const mc_trace *trace, mc_text *out);
// How many hops from the start upward are worth telling: how the JDK keeps the values of a
// ThreadLocal is of no interest.
uint32_t mc_root_path_get_shown_count(const mc_root_path *trail, const mc_trace *trace);
// A class by which its loader is held: of whose class it is, the hop before it says.
bool mc_root_path_is_loader_field(const mc_trace *trace, uint32_t field);
// "static field Shop.sessions → ConcurrentHashMap → Node", down to the leaf that holds the start.
void mc_root_path_append_way(const mc_root_path *trail, const mc_trace *trace, mc_text *out);
// ", or by Shop.other: …" if fields lead to the start on other ways as short; else nothing.
void mc_root_path_append_others(const mc_root_path *trail, const mc_trace *trace, mc_text *out);
