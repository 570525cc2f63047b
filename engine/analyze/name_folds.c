#include "engine/analyze/name_folds.h"

#include "engine/base/memory.h"
#include <string.h>

// What HotSpot, the JDK's reflection and the usual libraries number anew in each run.
static const mc_fold usual[] = {
    {.pattern = "\\$\\$Lambda(\\$\\d+)?([/+.](0x[0-9a-f]+|\\d+))?",
     .by = "$$$$Lambda",
     .what = "lambdas",
     .hint = "Lambda"},
    {.pattern = "(LambdaForm\\$\\w+?|\\$\\$InjectedInvoker|Species_\\w*?|\\$\\$StringConcat)([/"
                "+]0x[0-9a-f]+|\\d+)*$",
     .by = "$1",
     .what = "the JDK's generated classes",
     .hint = "/0x"},
    {.pattern = "\\$Proxy\\d+", .by = "$$Proxy", .what = "proxies", .hint = "$Proxy"},
    {.pattern = "(Generated(?:SerializationConstructor|Constructor|Method)Accessor)\\d+",
     .by = "$1",
     .what = "reflection's accessors",
     .hint = "Accessor"},
    {.pattern = "(\\$\\$(?:EnhancerBy|FastClassBy)\\w*?)\\$\\$[0-9a-f]+",
     .by = "$1",
     .what = "classes that cglib made",
     .hint = "$$"},
    {.pattern = "[/+]0x[0-9a-f]+", .by = "", .what = "hidden classes", .hint = "0x"},
};

static mc_result add(mc_name_folds *folds, const mc_fold *rule, mc_error *error) {
    mc_fold *fold = &folds->items[folds->count];
    *fold = *rule;
    mc_result result =
        mc_regex_create(fold->pattern, strlen(fold->pattern), false, &fold->regex, error);
    if (result == MC_OK) folds->count++;
    return result;
}

mc_result mc_name_folds_add_usual(mc_name_folds *folds, mc_error *error) {
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && result == MC_OK; i++)
        result = add(folds, &usual[i], error);
    return result;
}

mc_result mc_name_folds_add(mc_name_folds *folds, const char *rule, mc_error *error) {
    const char *parting = strrchr(rule, '=');
    if (!parting || parting == rule)
        return mc_fail(error, MC_ERROR_BAD_DATA, "expected REGEX=NAME, as in 'Task\\d+=Task'");
    if (folds->count == MC_FOLDS_MOST)
        return mc_fail(error, MC_ERROR_BAD_DATA, "expected at most %d rules with the built-in ones",
                       MC_FOLDS_MOST);
    char *owned = mc_copy_string(rule);
    if (!owned) return mc_error_out_of_memory(error);
    owned[parting - rule] = '\0';
    mc_fold fold = {
        .pattern = owned, .by = owned + (parting - rule) + 1, .hint = "", .owned = owned};
    mc_result result = add(folds, &fold, error);
    if (result != MC_OK) mc_free(owned);
    return result;
}

void mc_name_folds_deinit(mc_name_folds *folds) {
    for (uint32_t i = 0; i < folds->count; i++) {
        mc_regex_destroy(folds->items[i].regex);
        mc_free(folds->items[i].owned);
    }
    *folds = (mc_name_folds){.count = 0};
}

static bool has(const char *name, size_t size, const char *part) {
    return memmem(name, size, part, strlen(part)) != NULL;
}

bool mc_name_folds_apply(void *user, const char *name, size_t size, mc_text *out) {
    mc_name_folds *folds = user;
    for (uint32_t i = 0; i < folds->count; i++) {
        mc_fold *fold = &folds->items[i];
        mc_error error = {0};
        bool is_found = false;
        if (!has(name, size, fold->hint)) continue;
        mc_result result =
            mc_regex_replace(fold->regex, name, size, fold->by, out, &is_found, &error);
        if (result != MC_OK && folds->error.code == MC_OK) folds->error = error;
        if (!is_found) continue;
        fold->count++;
        return true;
    }
    return false;
}
