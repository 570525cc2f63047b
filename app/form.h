// form.h - small structs as JSON objects, by a table of their fields: files that users keep.
//
// Untrusted input: every error is MC_ERROR_BAD_DATA with the byte offset and a message that begins
// with the field's path, such as "settings.opacity: expected …". Strict JSON; fields that the table
// lacks are skipped, so that a newer program's files can be read; those it has may come in any
// order, but only once, and one that is missing keeps the value it had. Threads: any, on separate
// objects.
#pragma once
#include "engine/base/text.h"

typedef enum mc_form_kind {
    MC_FORM_BOOL,    // bool
    MC_FORM_UINT,    // uint32_t
    MC_FORM_FLOAT,   // float
    MC_FORM_DOUBLE,  // double
    MC_FORM_NUMBERS, // double[]: `count` of them
    MC_FORM_RANGE,   // uint32_t[2], the first not larger than the second
    MC_FORM_CHOICE,  // uint32_t: the index in `choices`
    MC_FORM_TEXT,    // char *, owned; NULL is written as null
    MC_FORM_TEXTS,   // mc_form_texts, owned
    MC_FORM_OBJECT,  // a struct with `count` fields of its own
} mc_form_kind;

#define MC_FORM_TEXTS_MAX 4096 // in one list

typedef struct mc_form_texts {
    char **items;
    size_t capacity;
    uint32_t count;
} mc_form_texts;

typedef struct mc_form_field {
    const char *name;
    mc_form_kind kind;
    size_t offset;                      // in the struct
    double least, most;                 // of numbers
    const char *const *choices;         // ends with NULL
    const struct mc_form_field *fields; // of an object
    uint32_t count;                     // of numbers, or of an object's fields; at most 64
    uint32_t uses;                      // bits of the caller's; see `uses` below
    bool is_required;
} mc_form_field;

// As an object, in the table's order, without the fields that have none of `uses`.
void mc_form_append(mc_text *out, const mc_form_field *fields, uint32_t count, uint32_t uses,
                    const void *object);

// Reads a whole document. Fields with none of `uses` count as unknown. On failure the object's
// fields are partly set; free its texts in either case.
mc_result mc_form_read(const mc_form_field *fields, uint32_t count, uint32_t uses,
                       const unsigned char *data, size_t size, void *object, mc_error *error);

// Whether a field's values differ; texts are not compared.
bool mc_form_differs(const mc_form_field *field, const void *a, const void *b);
// For plain values, which can be copied as they are.
void mc_form_copy(const mc_form_field *field, void *to, const void *from);

bool mc_form_texts_add(mc_form_texts *texts, const char *bytes, size_t size); // false: no memory
void mc_form_texts_deinit(mc_form_texts *texts);
