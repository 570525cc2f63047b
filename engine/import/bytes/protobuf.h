// protobuf.h - walks through the fields of a message in Protocol Buffers' wire format.
//
// Method: developers.google.com/protocol-buffers, "Encoding". Untrusted input: no byte outside of
// the given ones is read. Threads: separate objects may be used in parallel.
#pragma once
#include "engine/base/base.h"

typedef enum mc_proto_wire {
    MC_PROTO_VARINT = 0,
    MC_PROTO_FIXED64 = 1,
    MC_PROTO_BYTES = 2, // a message, a text or packed numbers
    MC_PROTO_FIXED32 = 5
} mc_proto_wire;

typedef struct mc_proto {
    const unsigned char *at, *end;
    const unsigned char *bad; // where something is wrong; NULL: nothing
    const char *expected;     // what should be there
} mc_proto;

typedef struct mc_proto_field {
    uint32_t number;
    mc_proto_wire wire;
    uint64_t value;                   // of a number
    const unsigned char *bytes, *end; // of bytes
    const unsigned char *begin;       // of the field
} mc_proto_field;

static inline mc_proto mc_proto_begin(const unsigned char *at, const unsigned char *end) {
    return (mc_proto){.at = at, .end = end};
}

// A number of 64 bits in groups of 7, as a part of packed ones. False: likewise.
bool mc_proto_read_long_varint(mc_proto *proto, uint64_t *value);
static inline bool mc_proto_read_varint(mc_proto *proto, uint64_t *value) {
    const unsigned char *at = proto->at;
    size_t size = (size_t)(proto->end - at);
    if (size > 0 && at[0] < 128) {
        *value = at[0];
        proto->at = at + 1;
        return true;
    }
    if (size > 1 && at[1] < 128) {
        *value = (uint64_t)(at[0] & 127) | (uint64_t)at[1] << 7;
        proto->at = at + 2;
        return true;
    }
    return mc_proto_read_long_varint(proto, value);
}

// False: the message has ended, or something is wrong, which `bad` says.
bool mc_proto_next_of_any(mc_proto *proto, mc_proto_field *field);
static inline bool mc_proto_next(mc_proto *proto, mc_proto_field *field) {
    const unsigned char *at = proto->at;
    size_t size = (size_t)(proto->end - at);
    // Most fields are these: a byte says which one it is, another its size or value.
    if (size > 1 && at[0] < 128 && at[0] >> 3 > 0 && at[1] < 128) {
        *field = (mc_proto_field){
            .number = at[0] >> 3, .wire = (mc_proto_wire)(at[0] & 7), .value = at[1], .begin = at};
        if (field->wire == MC_PROTO_VARINT) {
            proto->at = at + 2;
            return true;
        }
        if (field->wire == MC_PROTO_BYTES && at[1] <= size - 2) {
            field->value = 0;
            field->bytes = at + 2;
            proto->at = field->end = at + 2 + at[1];
            return true;
        }
    }
    return mc_proto_next_of_any(proto, field);
}

// The next of a field's numbers, which come packed or one a field: `proto` begins as
// mc_proto_begin_numbers() of the field. False: there is none any more, or something is wrong.
static inline mc_proto mc_proto_begin_numbers(const mc_proto_field *field) {
    return field->wire == MC_PROTO_BYTES ? mc_proto_begin(field->bytes, field->end)
                                         : (mc_proto){.at = field->begin};
}
static inline bool mc_proto_next_number(mc_proto *proto, const mc_proto_field *field,
                                        uint64_t *value) {
    if (!proto->at) return false;
    if (field->wire == MC_PROTO_BYTES)
        return proto->at < proto->end && mc_proto_read_varint(proto, value);
    proto->at = NULL;
    *value = field->value;
    return true;
}
