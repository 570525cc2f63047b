// patterns.h - selects classes by patterns of their names, where "**" matches anything and "*"
// anything but a dot.
//
// Pure. Threads: any.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define MC_PATTERNS_SIZE 1024

// Each is a list of patterns with commas between. What is excluded is never included; if nothing is
// included, all is but the JDK's own classes.
typedef struct mc_patterns {
    char include[MC_PATTERNS_SIZE], exclude[MC_PATTERNS_SIZE];
} mc_patterns;

// Reads "include" and "exclude" out of a mode's options. False, with the reason in `text`: a list
// is too long.
bool mc_patterns_read(mc_patterns *patterns, const char *options, char *text, size_t text_size);
bool mc_patterns_have(const mc_patterns *patterns, const char *class_name);

// "Lcom/acme/Shop;" or "com/acme/Shop" -> "com.acme.Shop"; false if it does not fit.
bool mc_patterns_get_class_name(const char *internal, char *name, size_t size);
