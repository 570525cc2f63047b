#include "app/commands/pseudonyms.h"

#include "app/command.h"
#include "engine/import/mct/mct_import.h"
#include <inttypes.h>
#include <sys/stat.h>

void mc_option_list_add_pseudonyms(mc_option_list *list, mc_pseudonyms *names) {
    list->group = "hiding names";
    mc_option_list_add_string(list, "hash-names", &names->hash, "KEYFILE",
                              "replace names by pseudonyms that only this key reverts; equal names "
                              "stay equal, packages stay packages");
    mc_option_list_add_string(list, "unhash", &names->unhash, "KEYFILE",
                              "revert pseudonyms made with this key to names");
}

static void warn_of_others(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & 077) == 0) return;
    mc_message_warn("%s: other users can read this key (mode %04o), and with it all names that it "
                    "hides; run chmod 600",
                    path, (unsigned)status.st_mode & 07777u);
}

int mc_pseudonyms_begin(mc_pseudonyms *names) {
    mc_error error = {0};
    if (names->hash && names->unhash)
        return mc_command_wrong_usage("expected one of --hash-names and --unhash");
    const char *path = names->hash ? names->hash : names->unhash;
    if (!path) return MC_EXIT_OK;
    warn_of_others(path);
    return mc_name_cipher_create(path, names->unhash != NULL, &names->cipher, &error) == MC_OK
               ? MC_EXIT_OK
               : mc_command_fail(&error);
}

mc_result mc_pseudonyms_wrap(mc_pseudonyms *names, mc_import_sink *sink, mc_error *error) {
    if (!names->cipher) return MC_OK;
    mc_pseudonym_sink_destroy(names->hidden);
    mc_result result = mc_pseudonym_sink_create(names->cipher, sink, &names->hidden, error);
    if (result == MC_OK) *sink = mc_pseudonym_sink_get(names->hidden);
    return result;
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    return mc_trace_builder_add_step(user, tree, source, error);
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    return mc_trace_builder_add_references(user, map, direction, error);
}

static mc_result add_referrers(void *user, const mc_step_referrers *referrers, mc_error *error) {
    return mc_trace_builder_add_referrers(user, referrers, error);
}

static mc_result add_paths(void *user, const mc_step_paths *paths, mc_error *error) {
    return mc_trace_builder_add_paths(user, paths, error);
}

static mc_result add_owners(void *user, const mc_step_owners *owners, mc_error *error) {
    return mc_trace_builder_add_owners(user, owners, error);
}

mc_result mc_pseudonyms_convert(mc_pseudonyms *names, mc_trace **trace, mc_error *error) {
    mc_trace *from = *trace;
    mc_trace_builder *builder = NULL;
    mc_command_progress shown;
    if (!names->cipher) return MC_OK;
    *trace = NULL;
    mc_progress progress = mc_command_begin_progress(&shown, "hiding names");
    mc_import_desc desc = {.progress = &progress};
    mc_result result = mc_trace_builder_create(NULL, &builder, error);
    mc_import_sink sink = {add_step, add_references, add_referrers, add_paths, add_owners, builder};
    if (result == MC_OK) result = mc_pseudonyms_wrap(names, &sink, error);
    if (result == MC_OK) result = mc_mct_import_pass(from, &desc, "the trace", &sink, error);
    if (result == MC_OK) result = mc_trace_builder_finish(builder, trace, error);
    mc_trace_builder_destroy(builder);
    mc_trace_destroy(from);
    return mc_command_end_progress(&shown, result, error);
}

int mc_pseudonyms_check(const mc_pseudonyms *names) {
    if (!names->unhash || mc_name_cipher_get_report(names->cipher).restored_count > 0)
        return MC_EXIT_OK;
    mc_message_say("--unhash: no name was hidden with the key in %s", names->unhash);
    return MC_EXIT_FAILED;
}

void mc_pseudonyms_take_notes(mc_pseudonyms *names, mc_note_list *notes) {
    if (!names->hash) return;
    names->note_count += notes->count;
    mc_note_list_deinit(notes);
}

// Once what is written is whole.
static void tell_notes(const mc_pseudonyms *names) {
    uint32_t count = names->note_count;
    if (names->hidden) count += mc_pseudonym_sink_get_note_count(names->hidden);
    if (count > 0)
        mc_message_warn("--hash-names omits notes on steps, which are plain text: %u", count);
}

int mc_pseudonyms_end(mc_pseudonyms *names, int code) {
    mc_name_cipher_report report = {0};
    if (names->cipher) report = mc_name_cipher_get_report(names->cipher);
    if (names->unhash && code == MC_EXIT_OK && report.other_count > 0)
        mc_message_warn("%" PRIu64
                        " parts of names were not hidden with this key and are unchanged; %" PRIu64
                        " were restored",
                        report.other_count, report.restored_count);
    if (names->hash && code == MC_EXIT_OK) tell_notes(names);
    mc_pseudonym_sink_destroy(names->hidden);
    mc_name_cipher_destroy(names->cipher);
    names->hidden = NULL;
    names->cipher = NULL;
    return code;
}
