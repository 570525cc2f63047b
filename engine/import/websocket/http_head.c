#include "engine/import/websocket/http_head.h"

#include <string.h>
#include <strings.h>

size_t mc_http_find_end(const unsigned char *bytes, size_t size) {
    const unsigned char *at = size > 0 ? memmem(bytes, size, "\r\n\r\n", 4) : NULL;
    return at ? (size_t)(at - bytes) + 4 : 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// The next field of that name behind `*at`, which moves behind the beginning of its line.
static mc_http_field find_next(const char **at, const char *end, const char *name) {
    size_t name_size = strlen(name);
    while ((*at = memmem(*at, (size_t)(end - *at), "\r\n", 2)) != NULL) {
        *at += 2;
        if ((size_t)(end - *at) <= name_size || strncasecmp(*at, name, name_size) != 0 ||
            (*at)[name_size] != ':')
            continue;
        const char *value = *at + name_size + 1;
        const char *line_end = memmem(value, (size_t)(end - value), "\r\n", 2);
        if (!line_end) break;
        while (value < line_end && is_blank(*value))
            value++;
        while (line_end > value && is_blank(line_end[-1]))
            line_end--;
        return (mc_http_field){value, (size_t)(line_end - value)};
    }
    return (mc_http_field){NULL, 0};
}

mc_http_field mc_http_find_field(const unsigned char *head, size_t size, const char *name) {
    const char *at = (const char *)head;
    return find_next(&at, at + size, name);
}

uint32_t mc_http_count_fields(const unsigned char *head, size_t size, const char *name) {
    const char *at = (const char *)head, *end = at + size;
    uint32_t count = 0;
    while (find_next(&at, end, name).value)
        count++;
    return count;
}

bool mc_http_is(mc_http_field field, const char *text) {
    return field.value && field.size == strlen(text) &&
           strncasecmp(field.value, text, field.size) == 0;
}

bool mc_http_has_word(mc_http_field list, const char *word) {
    size_t at = 0;
    while (list.value && at < list.size) {
        size_t begin = at, end;
        while (at < list.size && list.value[at] != ',')
            at++;
        end = at++;
        while (begin < end && is_blank(list.value[begin]))
            begin++;
        while (end > begin && is_blank(list.value[end - 1]))
            end--;
        if (mc_http_is((mc_http_field){list.value + begin, end - begin}, word)) return true;
    }
    return false;
}

// The part of a line up to `stop`, which is passed over. False: there is none.
static bool take_part(const char **at, const char *end, char stop, mc_http_field *part) {
    const char *found = memchr(*at, stop, (size_t)(end - *at));
    if (!found) return false;
    *part = (mc_http_field){*at, (size_t)(found - *at)};
    *at = found + 1;
    return true;
}

bool mc_http_parse_request(const unsigned char *head, size_t size, mc_http_request *request) {
    const char *at = (const char *)head, *end = size > 0 ? memmem(at, size, "\r\n", 2) : NULL;
    mc_http_field target;
    *request = (mc_http_request){.path = {NULL, 0}};
    if (!end || !take_part(&at, end, ' ', &request->method) || !take_part(&at, end, ' ', &target) ||
        !mc_http_is((mc_http_field){at, (size_t)(end - at)}, "HTTP/1.1"))
        return false;
    if (target.size == 0 || target.value[0] != '/') return false;
    const char *mark = memchr(target.value, '?', target.size);
    request->path = target;
    if (!mark) return true;
    request->path.size = (size_t)(mark - target.value);
    request->query = (mc_http_field){mark + 1, target.size - request->path.size - 1};
    return true;
}
