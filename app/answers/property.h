// property.h - what is known of one structure at one step: a property is a file and a row.
//
// A property is found from the trace and says itself in values, in a few words and in a sentence.
// The table mc_properties lists them all: the command `about`, its JSON and rows, the panel of the
// selection, the report and the state read it and name none of them. To add one: a file like
// owner_property.c, and a row in property.c. Threads: as question.h.
#pragma once
#include "app/answers/question.h"
#include "app/format.h"
#include "app/print/print.h"
#include "engine/analyze/link_finder.h"

enum { MC_PROPERTY_OWNERS, MC_PROPERTY_COUNT };

#define MC_PROPERTY_MOST_VALUES 8

typedef struct mc_property_key {
    uint32_t node, step; // node MC_NONE: nothing
} mc_property_key;

// What properties are found from. Zero-initialise all but the trace; keeps what it has read.
typedef struct mc_property_source {
    const mc_trace *trace;
    mc_link_finder *links;
} mc_property_source;

void mc_property_source_deinit(mc_property_source *source);
// Its references of a step.
mc_result mc_property_source_find_links(mc_property_source *source, mc_property_key key,
                                        mc_links *links, mc_error *error);

// Zeroed: not known. Values refer to the trace.
typedef struct mc_property_answer {
    bool is_known;
    mc_cell values[MC_PROPERTY_MOST_VALUES]; // as the property's columns
    char brief[MC_FORMAT_SIZE];
    mc_text sentence; // without a full stop
} mc_property_answer;

typedef struct mc_property {
    const char *name;         // of JSON's object and of the state's
    const char *title;        // "Owners"
    const mc_column *columns; // "owners", …
    uint32_t column_count;
    mc_result (*find)(mc_property_source *source, mc_property_key key, mc_property_answer *answer,
                      mc_error *error);
} mc_property;

extern const mc_property *const mc_properties[MC_PROPERTY_COUNT];

// Of one structure. Zero-initialise, find, deinit.
typedef struct mc_property_answers {
    mc_property_answer items[MC_PROPERTY_COUNT];
} mc_property_answers;

mc_result mc_property_answers_find(mc_property_source *source, mc_property_key key,
                                   mc_property_answers *answers, mc_error *error);
void mc_property_answers_deinit(mc_property_answers *answers);
// The answer as an object of JSON, or null; `fields` is room for what it refers to.
mc_cell mc_property_answer_get_object(const mc_property *property, const mc_property_answer *answer,
                                      mc_field fields[MC_PROPERTY_MOST_VALUES]);
// All of them as members of an object of JSON: "owners":{…}.
void mc_property_answers_put(const mc_property_answers *answers, mc_print *print);

extern const mc_question
    mc_question_properties; // key: mc_property_key, answer: mc_property_answers

// The properties, each in its file.
extern const mc_property mc_property_owners;
