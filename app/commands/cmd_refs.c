#include "app/command.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/link_text.h"
#include "app/node_text.h"
#include "engine/analyze/link_finder.h"
#include <inttypes.h>
#include <string.h>

static const char *const direction_names[] = {"incoming", "outgoing"};

typedef struct refs_options {
    const char *of;
    uint32_t step, most;
    bool incoming, outgoing, tsv, json;
} refs_options;

static bool is_unknown(const mc_link *link, uint32_t flag) {
    return (link->flags & flag) != 0;
}

// "clamped,self" or nothing.
static void append_notes(const mc_link *link, mc_text *out) {
    static const struct {
        uint32_t flags;
        const char *name;
    } notes[] = {{MC_LINK_NODE_CLAMPED | MC_LINK_PARTNER_CLAMPED, "clamped"},
                 {MC_LINK_PARTNER_AT_MOST, "at-most"},
                 {MC_LINK_SELF, "self"}};
    bool any = false;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (!(link->flags & notes[i].flags)) continue;
        mc_text_append_string(out, any ? "," : "");
        mc_text_append_string(out, notes[i].name);
        any = true;
    }
}

// ---- for programs

static void append_tsv_end(mc_text *out, uint64_t objects, double share, bool unknown) {
    if (unknown)
        mc_text_append_string(out, "\t\t");
    else
        mc_text_format(out, "\t%" PRIu64 "\t%.6f", objects, share);
}

static void append_tsv_field(const mc_trace *trace, const mc_links *links, const mc_link *link,
                             mc_text *out) {
    const mc_link_field *field = mc_links_get_field(links, link);
    if (!field) {
        mc_text_append_string(out, "\t\t\t");
        return;
    }
    size_t size;
    const char *name = mc_trace_get_string(trace, field->name, &size);
    mc_text_append_string(out, "\t");
    mc_format_append_tsv(out, name, size);
    mc_text_format(out, "\t%" PRIu64 "\t%" PRIu32, field->count, link->field_count);
}

static void write_tsv(const mc_trace *trace, const mc_links *links, mc_text *out) {
    mc_text_append_string(out, "direction\tpartner\tobjects\tshare\tpartner_objects\tpartner_share"
                               "\tnotes\tfield\tfield_references\tfields\n");
    for (uint32_t i = 0; i < links->count && mc_command_pass_on(out); i++) {
        const mc_link *link = &links->links[i];
        mc_text_format(out, "%s\t", direction_names[link->direction]);
        mc_node_append_key_tsv(trace, link->partner, out);
        append_tsv_end(out, link->node_objects, link->node_share,
                       is_unknown(link, MC_LINK_NODE_UNKNOWN));
        append_tsv_end(out, link->partner_objects, link->partner_share,
                       is_unknown(link, MC_LINK_PARTNER_UNKNOWN));
        mc_text_append_string(out, "\t");
        append_notes(link, out);
        append_tsv_field(trace, links, link, out);
        mc_text_append_string(out, "\n");
    }
}

static void append_json_end(mc_text *out, const char *prefix, uint64_t objects, double share,
                            bool unknown) {
    if (unknown)
        mc_text_format(out, ",\"%sobjects\":null,\"%sshare\":null", prefix, prefix);
    else
        mc_text_format(out, ",\"%sobjects\":%" PRIu64 ",\"%sshare\":%.6f", prefix, objects, prefix,
                       share);
}

static void append_json_fields(const mc_trace *trace, const mc_links *links, const mc_link *link,
                               mc_text *out) {
    mc_text_append_string(out, ",\"fields\":[");
    for (uint32_t i = 0; i < link->field_count; i++) {
        const mc_link_field *field = &links->fields[link->first_field + i];
        size_t size;
        const char *name = mc_trace_get_string(trace, field->name, &size);
        mc_text_append_string(out, i > 0 ? ",{\"field\":" : "{\"field\":");
        mc_format_append_json(out, name, size);
        mc_text_format(out, ",\"weak\":%s,\"references\":%" PRIu64 "}",
                       field->is_weak ? "true" : "false", field->count);
    }
    mc_text_append_string(out, "]");
}

static void write_json(const mc_trace *trace, const refs_options *options, uint32_t node,
                       const mc_links *links, mc_text *out) {
    mc_text_append_string(out, "{\"of\":");
    mc_node_append_key_json(trace, node, out);
    mc_text_format(out,
                   ",\"step\":%" PRIu32 ",\"objects\":%" PRIu64 ",\"points_to\":%s"
                   ",\"pointed_from\":%s,\"fields\":%s,\"clamped\":%" PRIu32 ",\"references\":[",
                   options->step, links->node_objects, links->has_map[0] ? "true" : "false",
                   links->has_map[1] ? "true" : "false", links->has_fields ? "true" : "false",
                   links->clamped_count);
    for (uint32_t i = 0; i < links->count && mc_command_pass_on(out); i++) {
        const mc_link *link = &links->links[i];
        mc_text_format(out, "%s\n{\"direction\":\"%s\",\"partner\":", i > 0 ? "," : "",
                       direction_names[link->direction]);
        mc_node_append_key_json(trace, link->partner, out);
        append_json_end(out, "", link->node_objects, link->node_share,
                        is_unknown(link, MC_LINK_NODE_UNKNOWN));
        append_json_end(out, "partner_", link->partner_objects, link->partner_share,
                        is_unknown(link, MC_LINK_PARTNER_UNKNOWN));
        mc_text_append_string(out, ",\"notes\":\"");
        append_notes(link, out);
        mc_text_append_string(out, "\"");
        if (links->has_fields) append_json_fields(trace, links, link, out);
        mc_text_append_string(out, "}");
    }
    mc_text_append_string(out, "]");
    mc_incomplete_append_json(trace, options->step, options->step, out);
    mc_text_append_string(out, "}\n");
}

// ---- for people

static void append_text_end(mc_text *out, uint64_t objects, double share, bool unknown) {
    char count[MC_FORMAT_SIZE], percent[MC_FORMAT_SIZE];
    mc_text_format(out, " %14s %8s", unknown ? "?" : mc_format_count(count, objects),
                   unknown ? "" : mc_format_share(percent, share));
}

static void write_direction(const mc_trace *trace, const mc_links *links,
                            mc_link_direction direction, mc_text *out) {
    bool any = false;
    for (uint32_t i = 0; i < links->count && mc_command_pass_on(out); i++) {
        const mc_link *link = &links->links[i];
        if (link->direction != direction) continue;
        if (!any)
            mc_text_format(out, "\n%s %14s %8s %14s %8s\n",
                           direction == MC_LINK_INCOMING ? "kept alive by\n" : "keeps alive\n",
                           "of its own", "share", "of theirs", "share");
        any = true;
        append_text_end(out, link->node_objects, link->node_share,
                        is_unknown(link, MC_LINK_NODE_UNKNOWN));
        append_text_end(out, link->partner_objects, link->partner_share,
                        is_unknown(link, MC_LINK_PARTNER_UNKNOWN));
        mc_text_append_string(out, "  ");
        mc_node_append_place_line(trace, link->partner, out);
        if (link->flags & MC_LINK_SELF) mc_text_append_string(out, "  (itself)");
        if (link->field_count > 0) mc_text_append_string(out, "  by ");
        mc_link_append_fields(trace, links, link, out);
        mc_text_append_string(out, "\n");
    }
}

static void write_text(const mc_trace *trace, const refs_options *options, uint32_t node,
                       const mc_links *links, mc_text *out) {
    char count[MC_FORMAT_SIZE], time[MC_FORMAT_SIZE];
    mc_node_append_path_line(trace, node, out);
    mc_text_format(out, "\n%s at step %" PRIu32 " (%s)\n",
                   mc_format_counted(count, links->node_objects, "object"), options->step,
                   mc_format_time(time, mc_trace_get_step(trace, options->step)->time_ms));
    write_direction(trace, links, MC_LINK_INCOMING, out);
    write_direction(trace, links, MC_LINK_OUTGOING, out);
    if (!links->has_map[0] && !links->has_map[1])
        mc_text_append_string(
            out,
            "\nthis step has no references: heap dumps, and pointer maps beside the steps, tell\n");
    else if (links->count == 0)
        mc_text_append_string(out, "\nno references\n");
    mc_incomplete_append_line(trace, options->step, options->step, out);
}

// ----

static void tell_clamped(const mc_links *links) {
    if (links->clamped_count > 0)
        mc_message_warn("%" PRIu32 " %s more objects than there are; such numbers are "
                        "clamped",
                        links->clamped_count,
                        links->clamped_count == 1 ? "link names" : "links name");
}

static int print_refs(const mc_trace *trace, const refs_options *options, uint32_t node) {
    mc_error error = {0};
    mc_link_finder *finder = NULL;
    mc_links links = {0};
    mc_result result = mc_link_finder_create(trace, &finder, &error);
    if (result == MC_OK) result = mc_link_finder_find(finder, options->step, node, &links, &error);
    mc_link_finder_destroy(finder);
    if (result != MC_OK) return mc_command_fail(&error);
    bool both = !options->incoming && !options->outgoing;
    mc_links_filter(&links, both || options->incoming, both || options->outgoing, options->most);
    tell_clamped(&links);
    mc_text out = {0};
    if (options->json)
        write_json(trace, options, node, &links, &out);
    else if (options->tsv)
        write_tsv(trace, &links, &out);
    else
        write_text(trace, options, node, &links, &out);
    mc_links_deinit(&links);
    return mc_command_print(&out);
}

static int run(const mc_trace *trace, refs_options *options) {
    mc_city_desc desc = mc_city_desc_default(trace);
    int code = mc_command_get_step(trace, &desc, &options->step);
    if (code != MC_EXIT_OK) return code;
    uint32_t node;
    code = mc_command_find_node(trace, "--of", options->of, &node);
    if (code != MC_EXIT_OK) return code;
    return print_refs(trace, options, node);
}

int mc_command_refs(int argc, const char **argv) {
    refs_options options = {.step = MC_NONE, .most = MC_NONE};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_string(&list, "of", &options.of, "KEY",
                              "the building or district, by full key or the end of one");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "which step, counted from 0 (the last)");
    mc_option_list_add_flag(&list, "incoming", &options.incoming, "only what keeps it alive");
    mc_option_list_add_flag(&list, "outgoing", &options.outgoing, "only what it keeps alive");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "only the N strongest (all)");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    mc_option_list_hide(&list, "no-references");
    if (!mc_command_begin(
            &list,
            "memcity refs TRACE… --of KEY [--step K] [--incoming] [--outgoing] "
            "[-n N] [--tsv|--json]",
            "Says who keeps a building or district alive at a step and what it keeps "
            "alive: how many objects of either end are involved. A district's numbers "
            "are the sums over its leaves, to leaves outside it.",
            argc, argv, &path_count, &code))
        return code;
    if (!options.of) return mc_command_wrong_usage("refs: say of what with --of KEY");
    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
