// perfetto_real_names.h - what classes, fields and methods are called in a program's sources, where
// a trace of Perfetto says so of names that R8 or ProGuard made short.
//
// `traceconv deobfuscate` appends such packets to a trace, for each app its own. Source:
// google/perfetto, deobfuscation.proto, deobfuscation_tracker.cc; unlike there, a name of which
// two apps say different things, or of which one method says several, stays as it is.
// Zero-initialise; deinit. Names point into the packets. Memory: 64 bytes a name. Threads: one.
#pragma once
#include "engine/base/slots.h"
#include "engine/base/text.h"
#include "engine/import/bytes/protobuf.h"
#include "engine/import/stacks/frame_name.h"

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
} mc_perfetto_real_names;

void mc_perfetto_real_names_deinit(mc_perfetto_real_names *names);
// A packet's mapping. False: memory is out. *wrong: where something else should have stood; NULL:
// nothing is wrong.
bool mc_perfetto_real_names_add(mc_perfetto_real_names *names, const mc_proto_field *mapping,
                                const unsigned char **wrong);

// These append the real name to `text`, and nothing where none is known. A type:
// "java.lang.Class<a.b[]>".
void mc_perfetto_real_names_write_type(const mc_perfetto_real_names *names, mc_span type,
                                       mc_text *text);
// A field or a method behind its class, "a.b.c": of what is not known of a class that is, the class
// gets its name. `path`: the file that it is in, if that is known; one of another app is none of
// it.
void mc_perfetto_real_names_write_member(const mc_perfetto_real_names *names, mc_span member,
                                         bool is_method, mc_span path, mc_text *text);
