// http_head.h - the head of an HTTP/1.1 message: its first line, then fields, then an empty line.
//
// Pure: no sockets, no allocation; what is found points into the head. Untrusted input. Threads:
// any.
#pragma once
#include "engine/base/base.h"

#define MC_HTTP_HEAD_MOST 16384 // bytes of a head that is accepted

// Where the head in `bytes` ends, behind its empty line; 0: not here.
size_t mc_http_find_end(const unsigned char *bytes, size_t size);

typedef struct mc_http_field {
    const char *value; // NULL: the head lacks it
    size_t size;
} mc_http_field;

// The value of the first field of that name, without the blanks around it. `head` ends with its
// empty line.
mc_http_field mc_http_find_field(const unsigned char *head, size_t size, const char *name);
uint32_t mc_http_count_fields(const unsigned char *head, size_t size, const char *name);

// Whether it is there and is this text; upper and lower case are the same.
bool mc_http_is(mc_http_field field, const char *text);
// Whether a list with commas has this word, likewise.
bool mc_http_has_word(mc_http_field list, const char *word);

// "GET /path?query HTTP/1.1". Without a question mark the query's value is NULL.
typedef struct mc_http_request {
    mc_http_field method, path, query;
} mc_http_request;

// False: the first line is not one of a request.
bool mc_http_parse_request(const unsigned char *head, size_t size, mc_http_request *request);
