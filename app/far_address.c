#include "app/far_address.h"

#include "engine/base/printable.h"
#include <string.h>

static const char *const schemes[] = {"ssh://", "docker://", "podman://", "kubectl://"};
enum { SCHEME_COUNT = sizeof schemes / sizeof *schemes };

bool mc_far_is_address(const char *word) {
    for (int i = 0; i < SCHEME_COUNT; i++)
        if (strncmp(word, schemes[i], strlen(schemes[i])) == 0) return true;
    return false;
}

static mc_result fail(const char *word, const char *what, mc_error *error) {
    mc_excerpt shown;
    return mc_fail(error, MC_ERROR_USAGE, "%s: %s", mc_excerpt_make(&shown, word, strlen(word)),
                   what);
}

// As scp has it: "ssh://host:/path".
static mc_result fail_by_colon(const char *word, size_t colon, mc_error *error) {
    mc_excerpt shown, better;
    mc_text text = {0};
    mc_text_append(&text, word, colon);
    mc_text_append_string(&text, word[colon + 1] ? word + colon + 1 : "/PATH");
    mc_excerpt_make(&shown, word, strlen(word));
    mc_excerpt_make(&better, mc_text_get(&text), text.size);
    mc_text_deinit(&text);
    return mc_fail(error, MC_ERROR_USAGE, "%s: write %s, without the colon", shown.text,
                   better.text);
}

// Names are words of another program's command line, so none may look like an option of it.
static bool take_name(const char *from, size_t size, char name[MC_FAR_NAME_SIZE]) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._+-@";
    if (size >= MC_FAR_NAME_SIZE || (size > 0 && from[0] == '-')) return false;
    memcpy(name, from, size);
    name[size] = '\0';
    return strspn(name, plain) == size;
}

// [IPv6], and any other host with or without a port.
static bool take_host(const char *from, size_t size, mc_far_place *place) {
    const char *end = from + size, *colon = NULL;
    if (size > 0 && from[0] == '[') {
        const char *closed = memchr(from, ']', size);
        if (!closed || closed == from + 1 || closed - from >= MC_FAR_NAME_SIZE) return false;
        memcpy(place->host, from + 1, (size_t)(closed - from - 1));
        if (place->host[strspn(place->host, "0123456789abcdefABCDEF:.")]) return false;
        if (closed + 1 < end && closed[1] != ':') return false;
        colon = closed + 1 < end ? closed + 1 : NULL;
    } else {
        colon = memchr(from, ':', size);
        if (!take_name(from, (size_t)((colon ? colon : end) - from), place->host)) return false;
    }
    if (!colon) return place->host[0] != '\0';
    size_t digits = (size_t)(end - colon - 1);
    if (digits == 0 || digits > 5 || strspn(colon + 1, "0123456789") < digits) return false;
    memcpy(place->port, colon + 1, digits);
    return place->host[0] != '\0';
}

// The path without the slash that only ends the host's name: "/~/…" is "~/…".
static const char *get_path(const char *slash) {
    return slash[1] == '~' && (slash[2] == '/' || slash[2] == '\0') ? slash + 1 : slash;
}

mc_result mc_far_address_parse(const char *word, mc_far_place *place, const char **path,
                               mc_error *error) {
    *place = (mc_far_place){.kind = MC_FAR_SSH};
    *path = NULL;
    int scheme = 0;
    while (strncmp(word, schemes[scheme], strlen(schemes[scheme])) != 0)
        if (++scheme == SCHEME_COUNT) return fail(word, "not an address", error);
    place->kind = (mc_far_kind)scheme;
    const char *host = word + strlen(schemes[scheme]);
    size_t size = strcspn(host, "/");
    const char *slash = host[size] ? host + size : NULL;
    if (scheme == MC_FAR_SSH || scheme == MC_FAR_KUBECTL) {
        const char *at = NULL;
        for (size_t i = 0; i < size; i++)
            if (host[i] == '@') at = host + i;
        if (at && (at == host || !take_name(host, (size_t)(at - host), place->user)))
            return fail(word,
                        scheme == MC_FAR_SSH ? "not a user's name" : "not the name of a namespace",
                        error);
        if (at) size -= (size_t)(at + 1 - host);
        if (at) host = at + 1;
    }
    bool is_host = scheme == MC_FAR_SSH ? take_host(host, size, place)
                                        : size > 0 && take_name(host, size, place->host);
    if (!is_host && scheme == MC_FAR_SSH && size > 1 && host[size - 1] == ':')
        return fail_by_colon(word, (size_t)(host - word) + size - 1, error);
    if (!is_host)
        return fail(word, scheme == MC_FAR_SSH ? "not the name of a host" : "not a name", error);
    if (scheme == MC_FAR_KUBECTL && slash) {
        size = strcspn(slash + 1, "/");
        if (!take_name(slash + 1, size, place->container))
            return fail(word, "not the name of a container; expected kubectl://POD/CONTAINER/PATH",
                        error);
        slash = slash[1 + size] ? slash + 1 + size : NULL;
    }
    *path = slash ? get_path(slash) : NULL;
    return MC_OK;
}

bool mc_far_place_is_same(const mc_far_place *a, const mc_far_place *b) {
    return a->kind == b->kind && strcmp(a->user, b->user) == 0 && strcmp(a->host, b->host) == 0 &&
           strcmp(a->container, b->container) == 0 && strcmp(a->port, b->port) == 0;
}

void mc_far_place_append(const mc_far_place *place, mc_text *out) {
    bool has_brackets = strchr(place->host, ':') != NULL;
    mc_text_format(out, "%s%s%s%s%s%s%s%s", schemes[place->kind], place->user,
                   place->user[0] ? "@" : "", has_brackets ? "[" : "", place->host,
                   has_brackets ? "]" : "", place->port[0] ? ":" : "", place->port);
    if (place->kind == MC_FAR_KUBECTL) mc_text_format(out, "/%s", place->container);
}

// ---- the program that goes there

static void add(mc_far_words *words, size_t *count, const char *word) {
    assert(*count + 1 < MC_FAR_WORDS_MOST);
    words->items[(*count)++] = word;
}

static void add_ssh(const mc_far_place *place, mc_far_words *words, size_t *count) {
    // No terminal there, nothing forwarded, and what a configuration runs by itself does not run.
    static const char *const fixed[] = {"ssh", "-T",
                                        "-a",  "-x",
                                        "-o",  "ClearAllForwardings=yes",
                                        "-o",  "RemoteCommand=none",
                                        "-o",  "PermitLocalCommand=no"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(words, count, fixed[i]);
    if (place->port[0]) {
        add(words, count, "-p");
        add(words, count, place->port);
    }
    if (place->user[0]) {
        add(words, count, "-l");
        add(words, count, place->user);
    }
    add(words, count, "--");
    add(words, count, place->host);
    add(words, count, mc_text_get(&words->script));
}

void mc_far_words_make(const mc_far_place *place, const char *script, mc_far_words *words) {
    *words = (mc_far_words){.items = {NULL}};
    size_t count = 0;
    if (place->kind == MC_FAR_SSH) {
        mc_text_append_string(&words->script, "exec sh -c ");
        mc_far_quote(script, &words->script); // by whatever shell the user has there
        add_ssh(place, words, &count);
        return;
    }
    mc_text_append_string(&words->script, script);
    static const char *const programs[] = {"ssh", "docker", "podman", "kubectl"};
    add(words, &count, programs[place->kind]);
    add(words, &count, "exec");
    add(words, &count, "-i");
    if (place->kind == MC_FAR_KUBECTL && place->user[0]) {
        add(words, &count, "-n");
        add(words, &count, place->user);
    }
    if (place->kind == MC_FAR_KUBECTL && place->container[0]) {
        add(words, &count, "-c");
        add(words, &count, place->container);
    }
    add(words, &count, place->host);
    if (place->kind == MC_FAR_KUBECTL) add(words, &count, "--");
    add(words, &count, "sh");
    add(words, &count, "-c");
    add(words, &count, mc_text_get(&words->script));
}

void mc_far_words_deinit(mc_far_words *words) {
    mc_text_deinit(&words->script);
}

void mc_far_quote(const char *word, mc_text *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    if (word[0] && word[strspn(word, plain)] == '\0') {
        mc_text_append_string(out, word);
        return;
    }
    mc_text_append(out, "'", 1);
    for (; *word; word++) {
        if (*word == '\'')
            mc_text_append_string(out, "'\\''");
        else
            mc_text_append(out, word, 1);
    }
    mc_text_append(out, "'", 1);
}

void mc_far_append_words(const mc_far_place *place, const char *command, mc_text *out) {
    static const char *const begins[] = {[MC_FAR_SSH] = "ssh",
                                         [MC_FAR_DOCKER] = "docker exec",
                                         [MC_FAR_PODMAN] = "podman exec",
                                         [MC_FAR_KUBECTL] = "kubectl exec"};
    bool is_kubectl = place->kind == MC_FAR_KUBECTL;
    mc_text_append_string(out, begins[place->kind]);
    if (place->port[0]) mc_text_format(out, " -p %s", place->port);
    if (is_kubectl && place->user[0]) mc_text_format(out, " -n %s", place->user);
    mc_text_append_string(out, " ");
    if (!is_kubectl && place->user[0]) mc_text_format(out, "%s@", place->user);
    mc_text_append_string(out, place->host);
    if (is_kubectl && place->container[0]) mc_text_format(out, " -c %s", place->container);
    mc_text_format(out, "%s %s", is_kubectl ? " --" : "", command);
}
