// perfetto_real_names.h - what classes, fields and methods are called in a program's sources, where
// a trace of Perfetto says so of names that R8 or ProGuard made short.
//
// `traceconv deobfuscate` appends such packets to a trace, for each app its own. Source:
// google/perfetto, deobfuscation.proto, deobfuscation_tracker.cc; unlike there, a name of which
// two apps say different things, or of which one method says several, stays as it is. Untrusted
// input: names of over 512 bytes are none, and what is written is limited by the trace's size.
// Zero-initialise, begin; deinit. Names point into the packets. Memory: 80 bytes a name. Threads:
// one.
#pragma once
#include "engine/base/slots.h"
#include "engine/base/text.h"
#include "engine/import/perfetto/perfetto_interned.h"

typedef struct mc_perfetto_real_name {
    mc_span name, real;
    uint32_t owner; // the class of a field or method; MC_NONE: it is a class
    bool is_method;
    mc_span package; // of a class: its app
} mc_perfetto_real_name;

typedef struct mc_perfetto_real_names {
    mc_perfetto_real_name *items;
    size_t count, capacity;
    mc_slots slots;
    uint64_t seed;   // of this run's hashes
    uint64_t left;   // bytes that may be written
    bool needs_path; // by the caller: a path that tells no app is no app's
} mc_perfetto_real_names;

void mc_perfetto_real_names_begin(mc_perfetto_real_names *names, uint64_t trace_size);

void mc_perfetto_real_names_deinit(mc_perfetto_real_names *names);
// A packet's mapping. False: memory is out. *wrong: where something else should have stood; NULL:
// nothing is wrong.
bool mc_perfetto_real_names_add(mc_perfetto_real_names *names, const mc_proto_field *mapping,
                                const unsigned char **wrong);

// These append the real name to `text`, and nothing where none is known. `path`: the file that the
// class is in. If it is one of an app, only what that app says counts; a path that tells none
// ("base.apk", memory of the compiler) may be any app's. A type: "a.b[]".
void mc_perfetto_real_names_write_type(mc_perfetto_real_names *names, mc_span type, mc_span path,
                                       mc_text *text);
// A field or a method behind its class: "a.b.c". If only the class is known, only that gets its
// real name.
void mc_perfetto_real_names_write_member(mc_perfetto_real_names *names, mc_span member,
                                         bool is_method, mc_span path, mc_text *text);
