#include "engine/import/jvm/grouping.h"

#include "engine/base/ascii.h"
#include "engine/base/nearest.h"
#include "engine/base/utf8.h"
#include <string.h>

#define UNKNOWN_KEY "(unknown)"

const char *const mc_group_classifiers[MC_GROUP_CRITERION_COUNT] = {"Package", "Type", "Loader",
                                                                    "Module", "Data Structure"};
static const char *const criterion_names[MC_GROUP_CRITERION_COUNT] = {"package", "type", "loader",
                                                                      "module", "datastructure"};

// ---- criteria

uint32_t mc_grouping_find(const mc_grouping *grouping, mc_group_criterion criterion) {
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->criteria[i] == criterion) return i;
    return MC_NONE;
}

mc_grouping mc_grouping_without(const mc_grouping *grouping, mc_group_criterion criterion) {
    mc_grouping rest = {.count = 0};
    for (uint32_t i = 0; i < grouping->count; i++)
        if (grouping->criteria[i] != criterion) rest.criteria[rest.count++] = grouping->criteria[i];
    return rest;
}

static uint32_t find_criterion(const char *name, size_t size) {
    for (uint32_t i = 0; i < MC_GROUP_CRITERION_COUNT; i++)
        if (strlen(criterion_names[i]) == size && memcmp(criterion_names[i], name, size) == 0)
            return i;
    return MC_NONE;
}

static mc_result set_unknown(const char *list, const char *word, size_t size, mc_error *error) {
    const char *meant = mc_find_nearest(word, size, criterion_names, MC_GROUP_CRITERION_COUNT);
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "expected a list of package, type, loader, module and datastructure, as in "
                   "package,type, not \"%.100s\"%s%s%s",
                   list, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

mc_result mc_grouping_parse(const char *list, mc_grouping *grouping, mc_error *error) {
    *grouping = (mc_grouping){.count = 0};
    if (!list) list = "package,type";
    for (const char *at = list;; at++) {
        size_t size = strcspn(at, ",");
        uint32_t criterion = find_criterion(at, size);
        if (criterion == MC_NONE) return set_unknown(list, at, size, error);
        if (mc_grouping_has(grouping, (mc_group_criterion)criterion))
            return mc_fail(error, MC_ERROR_BAD_DATA, "%s is there twice in \"%.100s\"",
                           criterion_names[criterion], list);
        grouping->criteria[grouping->count++] = (mc_group_criterion)criterion;
        at += size;
        if (*at == '\0') return MC_OK;
    }
}

// ---- names of classes

static const char *find_primitive(char code) {
    switch (code) {
    case 'Z': return "boolean";
    case 'C': return "char";
    case 'F': return "float";
    case 'D': return "double";
    case 'B': return "byte";
    case 'S': return "short";
    case 'I': return "int";
    case 'J': return "long";
    default: return NULL;
    }
}

// Whether a name's rest, from a '/' or '+' on, is such a number: "/0x00007f7218000a08", "/1234567".
static bool is_hidden_suffix(const char *rest, size_t size) {
    bool is_hexadecimal = size > 3 && rest[1] == '0' && rest[2] == 'x';
    for (size_t i = is_hexadecimal ? 3 : 1; i < size; i++)
        if (!mc_is_digit(rest[i]) && !(is_hexadecimal && rest[i] >= 'a' && rest[i] <= 'f'))
            return false;
    return size > 1 && (rest[0] == '/' || rest[0] == '+');
}

// The name with dots. Behind the name of a hidden class stands a number, after a '/' or, where the
// rest has slashes, a '+': it is no part of the way, and always comes as '/'.
static size_t append_dotted(mc_text *text, const char *name, size_t size) {
    size_t first = text->size, package_size = 0;
    for (size_t i = 0; i < size && !text->failed;) {
        if ((name[i] == '/' || name[i] == '+') && is_hidden_suffix(name + i, size - i)) {
            mc_text_append(text, "/", 1);
            mc_text_append(text, name + i + 1, size - i - 1);
            break;
        }
        if (name[i] == '/' || name[i] == '.') {
            if (i > 0 && i + 1 < size) package_size = text->size - first;
            mc_text_append(text, ".", 1);
            i++;
            continue;
        }
        size_t length = mc_utf8_measure((const unsigned char *)name + i, size - i);
        if (length == 0)
            mc_text_append_string(text, "\xef\xbf\xbd");
        else
            mc_text_append(text, name + i, length);
        i += length == 0 ? 1 : length;
    }
    return package_size;
}

void mc_class_name_append(mc_text *text, const char *name, size_t size, size_t *package_size,
                          bool *is_primitive) {
    size_t depth = 0;
    *package_size = 0;
    *is_primitive = false;
    while (depth < size && name[depth] == '[')
        depth++;
    const char *element = name + depth;
    size_t element_size = size - depth;
    const char *primitive = depth > 0 && element_size == 1 ? find_primitive(element[0]) : NULL;
    if (primitive) {
        *is_primitive = true;
        mc_text_append_string(text, primitive);
    } else {
        if (depth > 0 && element_size > 2 && element[0] == 'L' &&
            element[element_size - 1] == ';') {
            element++;
            element_size -= 2;
        }
        *package_size = append_dotted(text, element, element_size);
    }
    while (depth-- > 0)
        mc_text_append(text, "[]", 2);
}

// ---- groups

// The version of a module ("java.base@17.0.15") would part what two releases have in common.
static size_t measure_module(const mc_class_place *place) {
    const char *at = place->module ? memchr(place->module, '@', place->module_size) : NULL;
    return at && at > place->module ? (size_t)(at - place->module) : place->module_size;
}

// A class's name in words of the source.
typedef struct class_words {
    const char *name;
    size_t size, package_size;
    bool is_primitive;
} class_words;

static const char *get_package(const class_words *words, size_t *size) {
    *size = words->package_size;
    if (words->package_size > 0) return words->name;
    const char *none = words->size == 0 ? "" : words->is_primitive ? "(primitive)" : "(default)";
    *size = strlen(none);
    return none;
}

// The class's key by one criterion; of size 0: not known. `has_package`: its package is told.
static const char *get_key(const mc_class_place *place, const class_words *words,
                           mc_group_criterion criterion, bool has_package, size_t *size) {
    size_t skipped = has_package && words->package_size > 0 ? words->package_size + 1 : 0;
    switch (criterion) {
    case MC_GROUP_PACKAGE: return get_package(words, size);
    case MC_GROUP_TYPE: *size = words->size - skipped; return words->name + skipped;
    case MC_GROUP_LOADER: *size = place->loader_size; return place->loader;
    case MC_GROUP_MODULE: *size = measure_module(place); return place->module;
    default: *size = 0; return "";
    }
}

static class_words read_words(const mc_class_place *place, mc_text *text) {
    class_words words = {.name = ""};
    size_t begin = text->size;
    if (place->name)
        mc_class_name_append(text, place->name, place->name_size, &words.package_size,
                             &words.is_primitive);
    if (text->size > begin) words.name = text->data + begin;
    words.size = text->size - begin;
    return words;
}

void mc_class_place_append_key(const mc_class_place *place, mc_group_criterion criterion,
                               bool has_package, mc_text *text) {
    mc_text scratch = {0};
    class_words words = read_words(place, &scratch);
    size_t size;
    const char *key = get_key(place, &words, criterion, has_package, &size);
    if (key && size > 0)
        mc_text_append(text, key, size);
    else
        mc_text_append_string(text, UNKNOWN_KEY);
    text->failed = text->failed || scratch.failed;
    mc_text_deinit(&scratch);
}

mc_result mc_class_groups_create(const mc_grouping *grouping, mc_heap_groups **groups,
                                 mc_error *error) {
    const char *classifiers[MC_GROUP_CRITERION_COUNT];
    for (uint32_t i = 0; i < grouping->count; i++)
        classifiers[i] = mc_group_classifiers[grouping->criteria[i]];
    return mc_heap_groups_create(classifiers, grouping->count, groups, error);
}

uint32_t mc_class_groups_find(mc_heap_groups *groups, const mc_grouping *grouping,
                              const mc_class_place *place) {
    mc_heap_key keys[MC_GROUP_CRITERION_COUNT];
    mc_text text = {0};
    bool has_package = false;
    class_words words = read_words(place, &text);
    for (uint32_t i = 0; i < grouping->count; i++) {
        keys[i].text = get_key(place, &words, grouping->criteria[i], has_package, &keys[i].size);
        has_package = has_package || grouping->criteria[i] == MC_GROUP_PACKAGE;
    }
    uint32_t leaf = text.failed ? MC_NONE : mc_heap_groups_find(groups, keys);
    mc_text_deinit(&text);
    return leaf;
}
