// pickle.h - reads Python's pickles as data: numbers, texts, tuples, lists, dicts, and objects of
// named classes; nothing in them is ever executed.
//
// Protocols 4 and 5, and of these the few opcodes that data needs; whatever could call something
// (REDUCE, INST, EXT …) is bad data, as is a class that is not allowed. Texts point into the data.
// Memory: linear in it. Untrusted input: errors are MC_ERROR_BAD_DATA with the byte offset.
// Threads: one object serves one thread at a time. Source: Python's pickletools.py.
#pragma once
#include "engine/base/base.h"
#include "engine/import/bytes/watch.h"

typedef enum mc_pickle_kind {
    MC_PICKLE_NONE,
    MC_PICKLE_NUMBER,
    MC_PICKLE_TEXT,
    MC_PICKLE_TUPLE,
    MC_PICKLE_LIST,   // `part` numbers it
    MC_PICKLE_DICT,   // likewise; its items are key, value, key, value …
    MC_PICKLE_CLASS,  // `part` is which of the allowed ones
    MC_PICKLE_OBJECT, // `part` numbers it
} mc_pickle_kind;

typedef struct mc_pickle_value {
    uint32_t kind;
    uint32_t count; // bytes of a text, items of a tuple
    union {
        int64_t number;
        const char *text;
        uint64_t part; // of a tuple: where its items begin
    } is;
} mc_pickle_value;
_Static_assert(sizeof(mc_pickle_value) == 16, "two words");

typedef struct mc_pickle mc_pickle;

// `classes`: "module.name" of what may be named, up to NULL. *root is what the pickle is.
mc_result mc_pickle_read(const unsigned char *data, size_t size, const char *const *classes,
                         mc_import_watch *watch, mc_pickle **pickle, mc_pickle_value *root,
                         mc_error *error);
void mc_pickle_destroy(mc_pickle *pickle); // NULL is fine

// The items of a tuple, list or dict; of anything else there are none.
const mc_pickle_value *mc_pickle_get_items(const mc_pickle *pickle, mc_pickle_value value,
                                           size_t *count);
// The class of an object, which of the allowed ones; MC_NONE: it is none.
uint32_t mc_pickle_get_class(const mc_pickle *pickle, mc_pickle_value object);
// What an object's state or a dict has by that name; of kind MC_PICKLE_NONE: nothing.
mc_pickle_value mc_pickle_find(const mc_pickle *pickle, mc_pickle_value object, const char *name);
