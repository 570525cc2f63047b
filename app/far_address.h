// far_address.h - addresses of what lies on another machine or in a container:
// ssh://[USER@]HOST[:PORT]/PATH, docker://CONTAINER/PATH, podman://CONTAINER/PATH,
// kubectl://[NAMESPACE@]POD/CONTAINER/PATH.
//
// A path begins with "/" or "/~/" (the user's home there) and may have the shell's patterns, which
// are expanded there. Addresses come from a command line, names in them from anybody. Threads: any.
#pragma once
#include "engine/base/text.h"

typedef enum mc_far_kind { MC_FAR_SSH, MC_FAR_DOCKER, MC_FAR_PODMAN, MC_FAR_KUBECTL } mc_far_kind;

#define MC_FAR_NAME_SIZE 256
typedef struct mc_far_place {
    mc_far_kind kind;
    char user[MC_FAR_NAME_SIZE];      // or namespace; empty: not said
    char host[MC_FAR_NAME_SIZE];      // or container, or pod
    char container[MC_FAR_NAME_SIZE]; // of a pod; empty: its usual one
    char port[8];                     // empty: not said
} mc_far_place;

// Whether a word begins like an address.
bool mc_far_is_address(const char *word);

// MC_ERROR_USAGE: what is wrong with it. `*path` is the part of `word` that is the path there;
// NULL: the address names a place alone.
mc_result mc_far_address_parse(const char *word, mc_far_place *place, const char **path,
                               mc_error *error);

bool mc_far_place_is_same(const mc_far_place *a, const mc_far_place *b);

// "ssh://user@host:22"; with a path behind it, an address.
void mc_far_place_append(const mc_far_place *place, mc_text *out);

// The words of the program that runs `script` by sh(1) there. They point into place and script, or
// are constant. Ends with NULL.
#define MC_FAR_WORDS_MOST 24
typedef struct mc_far_words {
    const char *items[MC_FAR_WORDS_MOST];
    mc_text script; // quoted for the shell there
} mc_far_words;
void mc_far_words_make(const mc_far_place *place, const char *script, mc_far_words *words);
void mc_far_words_deinit(mc_far_words *words);

// "ssh -p 22 user@host jcmd -l": what somebody types to run `command`, which needs no quotes,
// there.
void mc_far_append_words(const mc_far_place *place, const char *command, mc_text *out);

// Appends `word` as a POSIX shell reads it back.
void mc_far_quote(const char *word, mc_text *out);
