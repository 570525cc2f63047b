// modified_utf8.h - text as a JVM has it, made text as everybody else has it.
//
// Threads: any.
#pragma once

// In place, as it never becomes longer: surrogate pairs become one character, what is none "?".
void mc_modified_utf8_fix(char *text);
