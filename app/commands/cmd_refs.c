#include "app/command.h"
#include "app/format.h"
#include "app/link_text.h"
#include "app/node_text.h"
#include "app/print/print_trace.h"
#include "engine/analyze/link_finder.h"
#include <inttypes.h>
#include <string.h>

static const char *const direction_names[] = {"incoming", "outgoing"};

typedef struct refs_options {
    const char *of;
    uint32_t step, most;
    bool incoming, outgoing, tsv, json;
} refs_options;

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

// ---- output

// The links of a node that are printed.
typedef struct shown_links {
    const mc_trace *trace;
    const mc_links *links;
    const mc_link *link; // whose fields are
} shown_links;

static void put_field(mc_print *print, const void *user, uint32_t index) {
    const shown_links *shown = user;
    const mc_link_field *field = &shown->links->fields[shown->link->first_field + index];
    mc_print_put(print, NULL,
                 MC_OBJECT({"field", mc_cell_string(shown->trace, field->name)},
                           {"weak", mc_cell_bool(field->is_weak)},
                           {"references", mc_cell_count(field->count)}));
}

// Behind the partner, as text.
static void append_remarks(const shown_links *shown, mc_text *out) {
    if (shown->link->flags & MC_LINK_SELF) mc_text_append_string(out, "  (itself)");
    if (shown->link->field_count > 0) mc_text_append_string(out, "  by ");
    mc_link_append_fields(shown->trace, shown->links, shown->link, out);
}

static void print_link(mc_print *print, shown_links shown) {
    const mc_link *link = shown.link;
    const mc_link_field *field = mc_links_get_field(shown.links, link);
    bool is_node_known = !(link->flags & MC_LINK_NODE_UNKNOWN);
    bool is_partner_known = !(link->flags & MC_LINK_PARTNER_UNKNOWN);
    mc_text notes = {0}, remarks = {0};
    append_notes(link, &notes);
    if (print->form == MC_PRINT_TEXT) append_remarks(&shown, &remarks);
    mc_cell partner = mc_cell_node(shown.trace, link->partner), null = mc_cell_null();
    MC_PRINT_ROW(print, mc_cell_text(direction_names[link->direction]), partner,
                 is_node_known ? mc_cell_count(link->node_objects) : null,
                 is_node_known ? mc_cell_share(link->node_share) : null,
                 is_partner_known ? mc_cell_count(link->partner_objects) : null,
                 is_partner_known ? mc_cell_share(link->partner_share) : null, mc_cell_line(&notes),
                 mc_cell_each(put_field, &shown, link->field_count),
                 mc_cell_string(shown.trace, field ? field->name : MC_NONE),
                 field ? mc_cell_count(field->count) : null,
                 field ? mc_cell_count(link->field_count) : null, partner, mc_cell_line(&remarks));
    print->out->failed |= notes.failed || remarks.failed;
    mc_text_deinit(&notes);
    mc_text_deinit(&remarks);
}

// As text those of one direction.
static void print_links(mc_print *print, const mc_trace *trace, const mc_links *links,
                        mc_link_direction direction) {
    const mc_column columns[] = {
        {.key = "direction"},
        {.key = "partner"},
        {.key = "objects", .heading = "of its own", .before = " ", .width = 14, .unknown = "?"},
        {.key = "share", .heading = "share", .before = " ", .width = 8, .unknown = ""},
        {.key = "partner_objects",
         .heading = "of theirs",
         .before = " ",
         .width = 14,
         .unknown = "?"},
        {.key = "partner_share", .heading = "share", .before = " ", .width = 8, .unknown = ""},
        {.key = "notes"},
        {.key = "fields", .forms = MC_IN_JSON, .is_off = !links->has_fields},
        {.key = "field", .forms = MC_IN_TSV},
        {.key = "field_references", .forms = MC_IN_TSV},
        {.key = "fields", .forms = MC_IN_TSV},
        {.heading = "", .before = "  "},
        {.heading = ""}};
    bool is_text = print->form == MC_PRINT_TEXT, has_begun = !is_text;
    if (!is_text) MC_PRINT_BEGIN_ROWS(print, "references", columns);
    for (uint32_t i = 0; i < links->count && mc_command_pass_on(print->out); i++) {
        if (is_text && links->links[i].direction != direction) continue;
        if (!has_begun) {
            mc_text_format(print->out, "\n%s\n",
                           direction == MC_LINK_INCOMING ? "kept alive by" : "keeps alive");
            MC_PRINT_BEGIN_ROWS(print, NULL, columns);
        }
        has_begun = true;
        print_link(print, (shown_links){trace, links, &links->links[i]});
    }
    mc_print_end_rows(print);
}

static void print_text(mc_print *print, const mc_trace *trace, uint32_t step, uint32_t node,
                       const mc_links *links) {
    char count[MC_FORMAT_SIZE], time[MC_FORMAT_SIZE];
    mc_node_append_path_line(trace, node, print->out);
    mc_text_format(print->out, "\n%s at step %" PRIu32 " (%s)\n",
                   mc_format_counted(count, links->node_objects, "object"), step,
                   mc_format_time(time, mc_trace_get_step(trace, step)->time_ms));
    print_links(print, trace, links, MC_LINK_INCOMING);
    print_links(print, trace, links, MC_LINK_OUTGOING);
    if (!links->has_map[0] && !links->has_map[1])
        mc_text_append_string(print->out, "\nthis step has no references: only heap dumps and "
                                          "pointer maps beside the steps have them\n");
    else if (links->count == 0)
        mc_text_append_string(print->out, "\nno references\n");
}

static void print_all(mc_print *print, const mc_trace *trace, uint32_t step, uint32_t node,
                      const mc_links *links) {
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"of", mc_cell_node(trace, node)}, {"step", mc_cell_count(step)},
             {"objects", mc_cell_count(links->node_objects)},
             {"points_to", mc_cell_bool(links->has_map[0])},
             {"pointed_from", mc_cell_bool(links->has_map[1])},
             {"fields", mc_cell_bool(links->has_fields)},
             {"clamped", mc_cell_count(links->clamped_count)});
    if (print->form == MC_PRINT_TEXT)
        print_text(print, trace, step, node, links);
    else
        print_links(print, trace, links, MC_LINK_DIRECTION_COUNT);
    mc_print_incomplete(print, trace, step, step);
    mc_print_end_object(print);
    mc_print_end(print);
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
    mc_print print = mc_print_to(&out, options->json, options->tsv);
    print_all(&print, trace, options->step, node, &links);
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
                              "full key, or its end, of the building or district");
    mc_option_list_add_uint(&list, "step", &options.step, "K", "step, counted from 0 (the last)");
    mc_option_list_add_flag(&list, "incoming", &options.incoming,
                            "print only incoming references: what keeps it alive");
    mc_option_list_add_flag(&list, "outgoing", &options.outgoing,
                            "print only outgoing references: what it keeps alive");
    mc_option_list_add_uint(&list, "n", &options.most, "N",
                            "print only the N strongest references (all)");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "print tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    mc_option_list_hide(&list, "no-references");
    if (!mc_command_begin(
            &list,
            "memcity refs TRACE… --of KEY [--step K] [--incoming] [--outgoing] "
            "[-n N] [--tsv|--json]",
            "Lists what keeps a building or district alive at a step, and what it keeps alive, "
            "with the number\nof objects at either end. Numbers of a district are sums over "
            "references between its leaves and\nleaves outside.",
            argc, argv, &path_count, &code))
        return code;
    if (!options.of) return mc_command_wrong_usage("refs: --of KEY is missing");
    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
