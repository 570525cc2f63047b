// format_function.h - SQL's printf() and format(), bounded in time.
//
// SQLite repeats the character of %c as often as the precision says, two thousand million times if
// that is asked for, before it finds the text too long, and can't be interrupted meanwhile.
#pragma once
#include <sqlite3.h>
#include <stdbool.h>

// Replaces both in `database`. False: SQLite says why, or memory is out.
bool mc_query_format_add(sqlite3 *database);
