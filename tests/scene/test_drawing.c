// Names that are too long: which part goes first.
#include "engine/scene/drawing.h"
#include "engine/scene/name_fit.h"
#include "tests/test.h"

// What is left after each step, with '|' between.
static void check(const char *name, const char *wanted) {
    char got[256] = "";
    const char *rest = name;
    while ((rest = mc_drawn_name_shorten(rest)) != NULL) {
        strcat(got, got[0] ? "|" : "");
        strcat(got, rest);
    }
    CHECK_MSG(strcmp(got, wanted) == 0, "%s: \"%s\", not \"%s\"", name, got, wanted);
}

// Letters, whose width is 1.
static float count_letters(void *user, const char *begin, const char *end) {
    (void)user;
    float count = 0;
    for (; begin < end; begin++)
        count += ((unsigned char)*begin & 0xc0) != 0x80;
    return count;
}

static void check_fit(const char *name, float room, const char *wanted) {
    mc_name_part part;
    char got[256] = "";
    if (mc_name_fit(name, room, count_letters, NULL, &part)) {
        bool has_gap = part.gap_end > part.gap_begin;
        size_t first_end = has_gap ? part.gap_begin : part.end;
        snprintf(got, sizeof got, "%s%.*s%s%.*s%s", part.is_cut_before ? MC_ELLIPSIS : "",
                 (int)(first_end - part.begin), name + part.begin,
                 part.has_gap_dots ? MC_ELLIPSIS : "", has_gap ? (int)(part.end - part.gap_end) : 0,
                 name + part.gap_end, part.is_cut_after ? MC_ELLIPSIS : "");
        mc_name_piece pieces[MC_NAME_PIECES_MOST];
        char joined[256];
        size_t size = 0;
        const unsigned count = mc_name_part_get_pieces(&part, name, pieces);
        for (unsigned i = 0; i < count; i++)
            size += (size_t)snprintf(joined + size, sizeof joined - size, "%.*s",
                                     (int)(pieces[i].end - pieces[i].begin), pieces[i].begin);
        CHECK_MSG(strcmp(joined, got) == 0, "pieces \"%s\", not \"%s\"", joined, got);
        CHECK_MSG(part.width == count_letters(NULL, got, got + strlen(got)), "%s: width %g", got,
                  (double)part.width);
    }
    CHECK_MSG(strcmp(got, wanted) == 0, "%s in %g: \"%s\", not \"%s\"", name, (double)room, got,
              wanted);
}

// From the front, and no more than has to go; never four dots, and never more than there is room.
static void check_fits(void) {
    const char *pool = "MultiThreadedHttpConnectionManager$HostConnectionPool";
    check_fit(pool, 60, pool);
    check_fit(pool, 0, pool);
    check_fit(pool, 52, "MultiThreadedHttpConnectionManag…$HostConnectionPool");
    check_fit(pool, 23, "Mul…$HostConnectionPool");
    check_fit(pool, 22, "…$HostConnectionPool");
    check_fit(pool, 20, "…$HostConnectionPool");
    check_fit(pool, 19, "…HostConnectionPool");
    check_fit(pool, 18, "…ConnectionPool");
    check_fit(pool, 14, "…Pool");
    check_fit(pool, 4, "Hos…");
    check_fit(pool, 3, "Ho…");
    check_fit(pool, 2, "");
    // Inner classes of one name stay apart, as long as three letters of the outer one have room.
    check_fit("java.util.concurrent.ConcurrentHashMap$Node", 24, "…ConcurrentHashMap$Node");
    check_fit("java.util.concurrent.ConcurrentHashMap$Node", 15, "Concurren…$Node");
    check_fit("java.util.HashMap$Node", 9, "Has…$Node");
    check_fit("java.util.HashMap$Node", 8, "…$Node");
    check_fit("Map$Entry", 8, "…$Entry");
    check_fit("A$B$Cc", 4, "…$Cc");
    check_fit("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6$Node", 9, "\xc3\xa4\xc3\xb6\xc3\xbc…$Node");
    check_fit("org.apache.commons.httpclient.params", 30, "…commons.httpclient.params");
    check_fit("org.apache.commons.httpclient.params", 10, "…params");
    check_fit("system-tracing-sql-view.png", 20, "…sql-view.png");
    check_fit("metric.out", 5, "metr…");
    check_fit("perfetto_trace.proto", 15, "…trace.proto");
    check_fit("ab.cd.efghi", 4, "efg…");
    // Packages that begin alike stay apart, and are no files, whose kind says nothing.
    check_fit("java.lang", 6, "…lang");
    check_fit("java.util", 5, "…util");
    check_fit("org.json", 6, "…json");
    check_fit("data.json", 6, "data…");
    check_fit("java.util.concurrent", 6, "concu…");
    check_fit("Monitor.java:121", 9, "Monitor…");
    check_fit("(primitive types)", 11, "primitive…");
    // Of a site the file's path, then the file, packages and classes, the line.
    const char *site = "java.util.HashMap.resize(HashMap.java:707)";
    check_fit(site, 41, "java.util.HashMap.resize:707");
    check_fit(site, 27, "…util.HashMap.resize:707");
    check_fit(site, 12, "…resize:707");
    check_fit(site, 10, "…resize");
    check_fit(site, 6, "resiz…");
    check_fit("add (acme/shop/cart.py:7)", 24, "add (cart.py:7)");
    check_fit("add (acme/shop/cart.py:7)", 14, "add:7");
    check_fit("move(Creature[])", 12, "move(Creatu…");
    // Of what leads from one to another, the one goes first.
    const char *link = "Manager$HostPool → LinkedList";
    check_fit(link, 23, "…$HostPool → LinkedList");
    check_fit(link, 18, "…Pool → LinkedList");
    check_fit(link, 17, "…→ LinkedList");
    check_fit(link, 12, "…LinkedList");
    check_fit(link, 9, "…List");
    check_fit("org.apache.commons.httpclient.params", 5, "para…");
    check_fit("x.\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 3, "\xc3\xa4\xc3\xb6…");
    check_fit("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 3, "\xc3\xa4\xc3\xb6…");
    for (float room = 1; room < 60; room++) {
        mc_name_part part;
        if (mc_name_fit(pool, room, count_letters, NULL, &part))
            CHECK(part.width <= room && !(part.is_cut_before && part.is_cut_after));
    }
}

int main(void) {
    check_fits();
    check("LinkedList", "");
    check("", "");
    check("HashMap$Node[]", "Node[]");
    check("org.apache.Manager$Pool", "apache.Manager$Pool|Manager$Pool|Pool");
    check("std::chrono::seconds", "chrono::seconds|seconds");
    check("a/b.c", "b.c|c");
    // What would say nothing.
    check("Shop$1", "");
    check("Shop$$Lambda/0x12", "Lambda/0x12");
    check("java.util.", "util.");
    check("Map<java.util.List>", "");
    check("std.pair(a.b)", "pair(a.b)");
    check("x.\xc3\x9c", "\xc3\x9c");
    return test_finish();
}
