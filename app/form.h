// form.h - describes a struct's fields in a table, which drives all uses of the struct: its JSON
// object in the user's files, options of the command line, comparison and copying.
//
// Untrusted input: every error is MC_ERROR_BAD_DATA with the byte offset and a message that begins
// with the field's path, such as "settings.opacity: expected …". Strict JSON. Unknown fields are
// skipped, so that files of a newer program can be read. Known fields may come in any order, but
// only once; a missing field keeps its value. Threads: any, on separate objects.
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
    MC_FORM_NAME,    // char[]: `count` of them, all 0 from its end on; empty is written as null
    MC_FORM_TEXT,    // char *, owned; NULL is written as null
    MC_FORM_TEXTS,   // mc_form_texts, owned
    MC_FORM_STEPS,   // mc_form_steps
    MC_FORM_SWITCH,  // uint32_t; files have false for 0 and true for all else; true is read as 1
    MC_FORM_OBJECT,  // a struct with `count` fields of its own
    MC_FORM_PART,    // likewise, but its fields are stored inline among those of the outer object
} mc_form_kind;

#define MC_FORM_TEXTS_MAX 4096 // in one list

typedef struct mc_form_texts {
    char **items;
    size_t capacity;
    uint32_t count;
} mc_form_texts;

#define MC_FORM_STEPS_MAX 64

// Steps of a trace, ascending; all 0 from `count` on.
typedef struct mc_form_steps {
    uint32_t items[MC_FORM_STEPS_MAX];
    uint32_t count;
} mc_form_steps;

// What a field is for, as bits of mc_form_field.uses. From MC_USE_OTHERS on they are the table's
// own.
enum {
    MC_USE_VIEW = 1,       // belongs to a saved view: in its file, and undone
    MC_USE_PREFERENCE = 2, // remembered from one run to the next
    MC_USE_LAYOUT = 4,     // another value needs another layout
    // Options of the command line: of all that lay out, of all that colour, of pictures, of the
    // window.
    MC_USE_LAYOUT_OPTION = 8,
    MC_USE_COLOR_OPTION = 16,
    MC_USE_PICTURE_OPTION = 32,
    MC_USE_WINDOW_OPTION = 64,
    MC_USE_OTHERS = 256,
};

typedef struct mc_form_field {
    const char *name; // in files; NULL: they do not have it
    mc_form_kind kind;
    size_t offset;                      // in the struct
    double least, most;                 // of numbers
    const char *const *choices;         // ends with NULL; of a text: some of those that it may be
    const struct mc_form_field *fields; // of an object
    uint32_t count;                     // of numbers, of a name's bytes, or of an object's fields;
                                        // of these at most 64
    uint32_t uses;                      // MC_USE_*; see `uses` below
    bool is_required;
    // As an option of the command line, NULL: none. A bool becomes a flag, which sets it, or, if
    // the option begins with "no-", takes it back; `choices` of a bool are false and true.
    const char *option, *argument, *help;
    // A number's option may say one of `choices` instead, whose index goes to the uint32_t there; a
    // number is the last one.
    size_t choice_offset;
} mc_form_field;

// Appends a JSON object, in the table's order, of the fields with any of `uses`.
void mc_form_append(mc_text *out, const mc_form_field *fields, uint32_t count, uint32_t uses,
                    const void *object);

// Reads a whole document. Fields with none of `uses` count as unknown. On failure the object's
// fields are partly set; free its texts in either case.
mc_result mc_form_read(const mc_form_field *fields, uint32_t count, uint32_t uses,
                       const unsigned char *data, size_t size, void *object, mc_error *error);

// Whether any plain value with one of `uses` differs; texts, lists and objects are not compared.
bool mc_form_differs(const mc_form_field *fields, uint32_t count, uint32_t uses, const void *a,
                     const void *b);

// Copies into `object` those plain values of `to` that differ from `from`.
void mc_form_move(const mc_form_field *fields, uint32_t count, uint32_t uses, void *object,
                  const void *from, const void *to);

// The field of this name with one of `uses`, also of a part; NULL: there is none. *offset is its
// place in the whole struct.
const mc_form_field *mc_form_find(const mc_form_field *fields, uint32_t count, uint32_t uses,
                                  const char *name, size_t *offset);

// Sets a field that is one number, or true or false, or one of its choices by index. False: it is
// another kind, or the value is out of its bounds; nothing has changed then.
bool mc_form_set_number(const mc_form_field *field, size_t offset, void *object, double value);

// Sets a name of `size` bytes. False: it is too long, and nothing has changed.
bool mc_form_set_name(char *name, size_t size, const char *text);

// Reads "2,4,11"; nothing: no steps. False: it is something else, and nothing has changed.
bool mc_form_read_steps(mc_form_steps *steps, const char *text);
// Adds a step, or removes it if it is there. False: the list is full.
bool mc_form_toggle_step(mc_form_steps *steps, uint32_t step);
bool mc_form_has_step(const mc_form_steps *steps, uint32_t step);
// Removes steps beyond `last`. Returns whether there were any.
bool mc_form_limit_steps(mc_form_steps *steps, uint32_t last);

// Sets a field from its text in a file, without quotes or brackets. MC_ERROR_BAD_DATA says what was
// expected.
mc_result mc_form_set_text(const mc_form_field *field, size_t offset, void *object,
                           const char *text, mc_error *error);

bool mc_form_texts_add(mc_form_texts *texts, const char *bytes, size_t size); // false: no memory
void mc_form_texts_deinit(mc_form_texts *texts);
