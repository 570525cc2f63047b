// Where small heaps accumulate, of which the owners are known: what is named, who holds it, whether
// it keeps growing, and what is set aside; and the sentences.
#include "app/owner_text.h"
#include "app/walk_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/analyze/owner_trail.h"
#include "engine/base/memory.h"
#include "tests/owner_trace.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
enum { STEPS = TEST_OWNER_STEPS };

#define UP(a, n)                                                                                   \
    {                                                                                              \
        (a), (a) + (n), (a) + 2 * (n), (a) + 3 * (n), (a) + 4 * (n), (a) + 5 * (n), (a) + 6 * (n), \
            (a) + 7 * (n), (a) + 8 * (n), (a) + 9 * (n), (a) + 10 * (n), (a) + 11 * (n)            \
    }
#define STAYS(n) \
    { n, n, n, n, n, n, n, n, n, n, n, n }
// Full at the seventh step.
#define FULL(a, n)                                                                                 \
    {                                                                                              \
        (a), (a) + (n), (a) + 2 * (n), (a) + 3 * (n), (a) + 4 * (n), (a) + 5 * (n), (a) + 6 * (n), \
            (a) + 6 * (n), (a) + 6 * (n), (a) + 6 * (n), (a) + 6 * (n), (a) + 6 * (n)              \
    }
// Not known for two steps.
#define LATE(a, n)                                                                       \
    {                                                                                    \
        0, 0, (a) + 2 * (n), (a) + 3 * (n), (a) + 4 * (n), (a) + 5 * (n), (a) + 6 * (n), \
            (a) + 7 * (n), (a) + 8 * (n), (a) + 9 * (n), (a) + 10 * (n), (a) + 11 * (n)  \
    }

#define REST \
    { -1, MC_ROOT_SYSTEM_CLASS, NULL, "java.lang.Rest", STAYS(1000), STAYS(1000000), false, NULL }

typedef struct said {
    mc_trace *trace;
    mc_causes causes;
    char sentence[512], content[512], path[1024];
} said;

static void tell(said *s, uint32_t index) {
    mc_text out = {0};
    REQUIRE(index < s->causes.count && s->causes.items[index].owner.hops);
    const mc_finding words = {s->trace, &s->causes, &s->causes.items[index], 0};
    mc_owner_append_sentence(&words, &out);
    snprintf(s->sentence, sizeof s->sentence, "%s", out.data);
    mc_text_clear(&out);
    mc_owner_append_content(&words, &out);
    snprintf(s->content, sizeof s->content, "%s", out.data);
    mc_text_clear(&out);
    mc_owner_append_path(&words, &out);
    snprintf(s->path, sizeof s->path, "%s", out.data);
    mc_text_deinit(&out);
}

static said find(const test_place *places, uint32_t count, const test_way *ways, uint32_t way_count,
                 uint32_t steps, uint32_t unknown) {
    said s = {.trace = test_make_owner_trace(places, count, ways, way_count, steps, unknown)};
    mc_causes_desc desc = {.metric = MC_METRIC_BYTES, .window = mc_step_range_whole(s.trace)};
    REQUIRE(mc_causes_find(s.trace, &desc, NULL, &s.causes, NULL) == MC_OK);
    if (s.causes.count > 0 && s.causes.items[0].owner.hops) tell(&s, 0);
    return s;
}

static void end(said *s) {
    mc_causes_deinit(&s->causes);
    mc_trace_destroy(s->trace);
}

static bool explains(const mc_cause *cause, uint32_t node) {
    for (uint32_t i = 0; i < cause->explained_count; i++)
        if (cause->explained[i].node == node) return cause->explained[i].share > 0.9;
    return false;
}

#define SAYS(s, wanted) \
    CHECK_MSG(strcmp((s).sentence, wanted) == 0, "said:   %s\nwanted: %s", (s).sentence, wanted)

// static Shop.sessions → HashMap → its table → nodes → sessions with a cart each, and keys.
#define MAP(objects, node_bytes, session_bytes, key_bytes, map_bytes)                              \
    {-1,                                                                                           \
     MC_ROOT_STATIC,                                                                               \
     "static com.acme.Shop.sessions",                                                              \
     "java.util.HashMap",                                                                          \
     STAYS(1),                                                                                     \
     map_bytes,                                                                                    \
     true,                                                                                         \
     NULL},                                                                                        \
        {0, 0, "HashMap.table", "java.util.HashMap$Node[]", STAYS(1), map_bytes, true, NULL},      \
        {1,    0,   "HashMap$Node[] elements", "java.util.HashMap$Node", objects, node_bytes,      \
         true, NULL},                                                                              \
        {2, 0, "HashMap$Node.value", "com.acme.Shop$Session", objects, session_bytes, true, NULL}, \
        {2, 0, "HashMap$Node.key", "java.lang.String", objects, key_bytes, false, NULL}, {         \
        3, 0, "Shop$Session.cart", "com.acme.Cart", objects, objects, true, NULL                   \
    }

static const test_place map_places[] = {MAP(UP(1000, 500), UP(300000, 150000), UP(100000, 50000),
                                            UP(150000, 75000), UP(310000, 150000)),
                                        REST};

// What the walk of a cause ends with.
static void check_walk(said *s, bool is_shared, const char *wanted) {
    mc_walk walk = {.count = 0};
    mc_text last = {0};
    REQUIRE(mc_causes_take_walk(s->trace, &s->causes, 0, s->causes.desc.window.last_step, &walk,
                                NULL) == MC_OK);
    CHECK(walk.is_owned && walk.is_shared == is_shared);
    mc_walk_append_last(&walk, s->trace, &last);
    CHECK_MSG(strcmp(mc_text_get(&last), wanted) == 0, "%s", mc_text_get(&last));
    mc_text_deinit(&last);
    mc_walk_deinit(&walk);
}

// A map of sessions: the session piles up, whatever the nodes and keys retain.
static void test_map(void) {
    said s = find(map_places, COUNT(map_places), NULL, 0, STEPS, 0);
    const mc_cause *cause = &s.causes.items[0];
    uint32_t session = test_find(s.trace, "Heap#com.acme.Shop$Session");
    CHECK(s.causes.suspects.verdict == MC_HEAP_GROWS && s.causes.count == 1);
    CHECK(cause->node == session && cause->growth_objects == 5500 && cause->growth == 1650000);
    CHECK(cause->owner.count == 4 && cause->owner.top == 2 && cause->walk.count == 0);
    CHECK(explains(cause, test_find(s.trace, "Heap#java.lang.String")));
    CHECK(explains(cause, test_find(s.trace, "Heap#java.util.HashMap$Node")));
    CHECK(explains(cause, test_find(s.trace, "Heap#com.acme.Cart")));
    CHECK(s.causes.left_out_count == 0 && fabs(cause->growth_per_s - 150000) < 1);
    SAYS(s,
         "Shop$Session objects pile up in Shop.sessions (a HashMap with 6,500 entries): +5,500 "
         "objects and +1.57 MiB since the recording began, +146 KiB/s; 5,500 × { 1 com.acme.Cart, "
         "1 com.acme.Shop$Session, 1 java.lang.String, 1 java.util.HashMap$Node }, 300 B each.");
    check_walk(&s, false, "a GC root holds it: static field Shop.sessions");
    end(&s);
}

static const test_place listener_places[] = {
    MAP(UP(1000, 500), UP(300000, 150000), UP(100000, 50000), UP(150000, 75000),
        UP(310000, 150000)),
    {-1, MC_ROOT_STATIC, "static com.acme.Bus.listeners", "java.util.ArrayList", STAYS(1),
     UP(26000, 12500), true, NULL},
    {6, 0, "ArrayList elements", "com.acme.Bus$Listener", UP(250, 125), UP(25000, 12500), true,
     NULL},
    REST};

// A listener comes with every fourth session, but is kept by another: it is no part of what the
// sessions bring.
static void test_two_owners(void) {
    said s = find(listener_places, COUNT(listener_places), NULL, 0, STEPS, 0);
    REQUIRE(s.causes.count == 2);
    CHECK(s.causes.items[1].node == test_find(s.trace, "Heap#com.acme.Bus$Listener"));
    CHECK(!mc_causes_get_unit(&s.causes, &s.causes.items[0]));
    CHECK(!mc_causes_get_unit(&s.causes, &s.causes.items[1]));
    SAYS(s, "Shop$Session objects pile up in Shop.sessions (a HashMap with 6,500 entries): +5,500 "
            "objects and +1.57 MiB since the recording began, +146 KiB/s.");
    end(&s);
}

// Of one step what retains the most, with its share; what the JVM keeps by itself comes last.
static void test_single(void) {
    said s = find(map_places, COUNT(map_places), NULL, 0, 1, 0);
    CHECK(s.causes.suspects.verdict == MC_HEAP_SINGLE && s.causes.count == 1);
    CHECK(s.causes.jvm_bytes == 1000000);
    SAYS(s, "Shop.sessions (a HashMap with 1,000 entries) keeps 23.7 % of the heap, 303 KiB: 1,000 "
            "Shop$Session.");
    CHECK_MSG(strstr(s.path, "static com.acme.Shop.sessions: HashMap, 303 KiB → HashMap.table: "
                             "HashMap$Node[], 303 KiB → HashMap$Node[] elements: 1,000 "
                             "HashMap$Node, 293 KiB → HashMap$Node.value: 1,000 Shop$Session, "
                             "97.7 KiB") == s.path,
              "%s", s.path);
    CHECK_MSG(strcmp(s.content, "com.acme.Shop$Session: 1,000 objects, 97.7 KiB retained; of it "
                                "1,000 Cart, 1000 B") == 0,
              "%s", s.content);
    end(&s);
}

// What grows is far below what is largest, and grew by the number of a list's elements, in each of
// 40 sessions that stay.
static void test_below(void) {
    static const test_place places[] = {
        {-1, MC_ROOT_STATIC, "static com.acme.Shop.sessions", "java.util.HashMap", STAYS(1),
         UP(4000000, 9000), true, NULL},
        {0, 0, "HashMap.table", "java.util.HashMap$Node[]", STAYS(1), UP(4000000, 9000), true,
         NULL},
        {1, 0, "HashMap$Node[] elements", "java.util.HashMap$Node", STAYS(40), UP(4000000, 9000),
         true, NULL},
        {2, 0, "HashMap$Node.value", "com.acme.Shop$Session", STAYS(40), UP(4000000, 9000), true,
         NULL},
        {3, 0, "Shop$Session.photo", "byte[]", STAYS(40), STAYS(3900000), false, NULL},
        {3, 0, "Shop$Session.clicks", "java.util.ArrayList", STAYS(40), UP(60000, 9000), true,
         NULL},
        {5, 0, "ArrayList.elementData", "java.lang.Object[]", STAYS(40), UP(60000, 9000), true,
         NULL},
        {6, 0, "Object[] elements", "com.acme.Click", UP(1000, 250), UP(40000, 8000), true, NULL},
        REST,
    };
    said s = find(places, COUNT(places), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 1);
    SAYS(s,
         "Click objects pile up in Shop$Session.clicks (40 ArrayLists), kept alive by static field "
         "Shop.sessions: +2,750 objects and +85.9 KiB since the recording began, +7.81 KiB/s.");
    end(&s);
    // Of one step the photos of the sessions are the story.
    s = find(places, COUNT(places), NULL, 0, 1, 0);
    SAYS(s, "Shop.sessions (a HashMap with 40 entries) keeps 80.0 % of the heap, 3.81 MiB: 40 "
            "Shop$Session.");
    end(&s);
}

// A cache that is full, a map that only appears: no causes.
static void test_healthy(void) {
    static const test_place places[] = {MAP(FULL(1000, 500), FULL(300000, 150000),
                                            FULL(100000, 50000), FULL(150000, 75000),
                                            FULL(310000, 150000)),
                                        REST};
    said s = find(places, COUNT(places), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 0 && s.causes.suspects.verdict == MC_HEAP_STOPPED);
    end(&s);
}

// Beside a full cache that is far larger a leak is found, in the same object.
static void test_beside(void) {
    static const test_place places[] = {
        {-1,
         MC_ROOT_STATIC,
         "static com.acme.App.INSTANCE",
         "com.acme.App",
         STAYS(1),
         {1000000, 1210000, 1420000, 1630000, 1840000, 2050000, 2260000, 2270000, 2280000, 2290000,
          2300000, 2310000},
         true,
         NULL},
        {0, 0, "App.cache", "java.util.ArrayList", STAYS(1), FULL(500000, 200000), true, NULL},
        {1, 0, "ArrayList.elementData", "java.lang.Object[]", STAYS(1), FULL(500000, 200000), true,
         NULL},
        {2, 0, "Object[] elements", "com.acme.Product", FULL(1000, 400), FULL(490000, 200000), true,
         NULL},
        {0, 0, "App.listeners", "java.util.ArrayList", STAYS(1), UP(300000, 10000), true, NULL},
        {4, 0, "ArrayList.elementData", "java.lang.Object[]", STAYS(1), UP(300000, 10000), true,
         NULL},
        {5, 0, "Object[] elements", "com.acme.Listener", UP(1000, 50), UP(290000, 10000), true,
         NULL},
        REST};
    said s = find(places, COUNT(places), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 1);
    SAYS(s, "Listener objects pile up in App.listeners (an ArrayList), kept alive by static field "
            "App.INSTANCE: +550 objects and +107 KiB since the recording began, +9.77 KiB/s.");
    end(&s);
}

// 4 threads alike, each with a ThreadLocal; steps without owners are skipped, and the place is not
// known at first.
static void test_threads(void) {
    static const test_place places[] = {
        {-1, MC_ROOT_THREAD, "thread \"http-exec-#\"", "java.lang.Thread", STAYS(4),
         UP(100000, 90000), true, "thread \"http-exec-1\""},
        {0, 0, "Thread.threadLocals", "java.lang.ThreadLocal$ThreadLocalMap", STAYS(4),
         UP(90000, 90000), true, NULL},
        {1, 0, "ThreadLocal$ThreadLocalMap.table", "java.lang.ThreadLocal$ThreadLocalMap$Entry[]",
         STAYS(4), UP(80000, 90000), true, NULL},
        {2, 0, "ThreadLocal$ThreadLocalMap$Entry[] elements",
         "java.lang.ThreadLocal$ThreadLocalMap$Entry", STAYS(36), UP(70000, 90000), true, NULL},
        {3, 0, "ThreadLocal$ThreadLocalMap$Entry.value", "com.acme.Trail", STAYS(4),
         LATE(60000, 90000), true, NULL},
        {4, 0, "Trail.spans", "java.util.ArrayList", STAYS(4), LATE(60000, 90000), true, NULL},
        {5, 0, "ArrayList.elementData", "java.lang.Object[]", STAYS(4), LATE(60000, 90000), true,
         NULL},
        {6, 0, "Object[] elements", "com.acme.Span", LATE(20, 3000), LATE(60000, 90000), true,
         NULL},
        REST,
    };
    said s = find(places, COUNT(places), NULL, 0, STEPS, 1u << 5 | 1u << 8);
    CHECK(s.causes.count == 1);
    CHECK_MSG(strstr(s.sentence,
                     "Span objects pile up in Trail.spans (4 ArrayLists), kept alive by "
                     "a ThreadLocal of 4 threads (http-exec-#, for instance "
                     "http-exec-1): about +") == s.sentence,
              "%s", s.sentence);
    CHECK(s.causes.items[0].owner.is_about && s.causes.items[0].growth_objects > 30000 &&
          s.causes.items[0].growth_objects <= 33020);
    end(&s);
    s = find(places, COUNT(places), NULL, 0, 3, 0);
    CHECK(s.causes.suspects.is_short && s.causes.count == 1);
    CHECK(strstr(s.sentence,
                 " since the recording began. Three steps cannot show whether it goes on."));
    end(&s);
}

// More threads, each with its buffer: the threads are what piles up.
static void test_more_threads(void) {
    static const test_place places[] = {
        {-1, MC_ROOT_THREAD, "thread \"poller-#\"", "java.lang.Thread", UP(4, 8), UP(40000, 80000),
         false, "thread \"poller-1\""},
        {0, 0, "Thread.target", "com.acme.Poller", UP(4, 8), UP(36000, 72000), true, NULL},
        REST,
    };
    said s = find(places, COUNT(places), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 1 && s.causes.items[0].growth_objects == 88);
    SAYS(s, "92 threads (poller-#, for instance poller-1) pile up, each with a Poller: +88 threads "
            "and +859 KiB since the recording began, +78.1 KiB/s; 88 × { 1 com.acme.Poller, 1 "
            "java.lang.Thread }, "
            "10,000 B each.");
    end(&s);
}

// Sessions of a map that is shared with a list: told once, with both.
static void test_shared(void) {
    static const test_place places[] = {
        {-1, MC_ROOT_STATIC, "static com.acme.A.sessions", "java.util.HashMap", STAYS(1),
         UP(50000, 32000), false, NULL},
        {0, 0, "HashMap.table", "java.util.HashMap$Node[]", STAYS(1), UP(50000, 32000), false,
         NULL},
        {1, 0, "HashMap$Node[] elements", "java.util.HashMap$Node", UP(1000, 1000),
         UP(40000, 32000), false, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.B.all", "java.util.ArrayList", STAYS(1), STAYS(90000),
         false, NULL},
        {3, 0, "ArrayList.elementData", "java.lang.Object[]", STAYS(1), STAYS(90000), false, NULL},
        {-1, MC_OWNER_SHARED, NULL, "com.acme.Session", UP(1000, 1000), UP(200000, 200000), true,
         NULL},
        REST,
    };
    static const test_way ways[] = {{5, 2, "HashMap$Node.value", 12000},
                                    {5, 4, "Object[] elements", 12000}};
    said s = find(places, COUNT(places), ways, COUNT(ways), STEPS, 0);
    CHECK_MSG(s.causes.count == 1, "%u", s.causes.count);
    SAYS(s, "Session objects pile up, kept alive by both A.sessions and B.all: +11,000 objects and "
            "+2.10 MiB since the recording began, +195 KiB/s.");
    CHECK_MSG(strcmp(s.path,
                     "2 owners at once: static A.sessions (a HashMap, 12,000 references), static "
                     "B.all (an ArrayList, 12,000 references) → 12,000 Session, "
                     "2.29 MiB") == 0,
              "%s", s.path);
    check_walk(&s, true,
               "kept alive by 2 owners at once: static A.sessions (a HashMap, 12,000 "
               "references), static B.all (an "
               "ArrayList, 12,000 references)");
    end(&s);
}

// Of many who hold them three are named, those with the most references; of some nobody is.
static void test_shared_by_many(void) {
    test_place places[9] = {[5] = {-1, MC_OWNER_SHARED, NULL, "com.acme.Session", UP(1000, 1000),
                                   UP(200000, 200000), true, NULL},
                            [6] = REST};
    static const char *const names[] = {"static A.a", "static A.b", "static A.c", "static A.d",
                                        "static A.e"};
    test_way ways[5];
    for (uint32_t i = 0; i < 5; i++) {
        places[i] = (test_place){-1,       MC_ROOT_STATIC, names[i], "java.util.ArrayList",
                                 STAYS(1), STAYS(90000),   false,    NULL};
        ways[i] = (test_way){5, (int)i, "Object[] elements", 1 + i};
    }
    said s = find(places, 7, ways, 5, STEPS, 0);
    CHECK_MSG(strstr(s.sentence, "Session objects pile up, kept alive by 5 owners at once (A.e, "
                                 "A.d, A.c and 2 more): ") == s.sentence,
              "%s", s.sentence);
    check_walk(&s, true,
               "kept alive by 5 owners at once: static A.e (an ArrayList, 5 references), static "
               "A.d (an ArrayList, 4 references), static A.c (an ArrayList, 3 references) and "
               "2 more");
    end(&s);
    s = find(places, 7, ways, 3, STEPS, 0);
    CHECK_MSG(strstr(s.sentence, "by 3 owners at once (A.c, A.b and A.a): "), "%s", s.sentence);
    end(&s);
    s = find(places, 7, NULL, 0, STEPS, 0);
    CHECK_MSG(strstr(s.sentence, "Session objects pile up: ") == s.sentence, "%s", s.sentence);
    check_walk(&s, true,
               "kept alive by several owners that this file does not name; `memcity paths DUMP "
               "--of KEY` shows them");
    end(&s);
}

// Class loaders hang on what was made by what they loaded; nothing of theirs is a cause beside
// them.
static void test_loaders(void) {
    static const test_place places[] = {
        {-1, MC_ROOT_STATIC, "static java.sql.DriverManager.registeredDrivers",
         "java.util.concurrent.CopyOnWriteArrayList", STAYS(1), UP(300000, 200000), true, NULL},
        {0, 0, "CopyOnWriteArrayList.array", "java.lang.Object[]", STAYS(1), UP(300000, 200000),
         true, NULL},
        {1, 0, "Object[] elements", "java.sql.DriverInfo", UP(5, 10), UP(300000, 200000), true,
         NULL},
        {2, 0, "DriverInfo.driver", "com.acme.Driver", UP(5, 10), UP(299000, 200000), true, NULL},
        {3, 0, "Driver.<class>", "java.lang.Class", UP(5, 10), UP(298000, 200000), true, NULL},
        {4, 0, "Class.<loader>", "java.net.URLClassLoader", UP(5, 10), UP(297000, 200000), true,
         NULL},
        {5, 0, "ClassLoader.classes", "java.util.ArrayList", UP(5, 10), UP(290000, 198000), true,
         NULL},
        REST,
    };
    said s = find(places, COUNT(places), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 1);
    SAYS(s,
         "URLClassLoader objects pile up in DriverManager.registeredDrivers (a "
         "CopyOnWriteArrayList), as the loader of Driver: +110 objects and +2.10 MiB since the "
         "recording began, +195 KiB/s; 110 × { 1 com.acme.Driver, 1 java.lang.Class, 1 "
         "java.net.URLClassLoader, 1 java.sql.DriverInfo, 1 java.util.ArrayList }, 20,000 B each.");
    end(&s);
    s = find(places, COUNT(places), NULL, 0, 1, 0);
    CHECK(s.causes.count == 1);
    end(&s);
}

// An array that becomes larger, and objects of several classes in one list.
static void test_larger(void) {
    static const test_place places[] = {
        {-1, MC_ROOT_STATIC, "static com.acme.Log.text", "java.lang.StringBuilder", STAYS(1),
         UP(1000, 100000), false, NULL},
        {0, 0, "AbstractStringBuilder.value", "byte[]", STAYS(1), UP(900, 100000), false, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.Draw.shapes", "java.util.ArrayList", STAYS(1),
         UP(5000, 40000), true, NULL},
        {2, 0, "ArrayList.elementData", "java.lang.Object[]", STAYS(1), UP(5000, 40000), true,
         NULL},
        {3, 0, "Object[] elements", "com.acme.Circle", UP(100, 600), UP(2000, 20000), true, NULL},
        {3, 0, "Object[] elements", "com.acme.Square", UP(100, 500), UP(2000, 19000), true, NULL},
        REST,
    };
    said s = find(places, COUNT(places), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 2);
    SAYS(s, "Log.text (a StringBuilder) becomes ever larger: +1.05 MiB since the recording began, "
            "+97.7 KiB/s.");
    tell(&s, 1);
    SAYS(s, "Circle objects (and those of 1 more class) pile up in Draw.shapes (an ArrayList): "
            "+12,100 objects and +419 KiB since the recording began, +38.1 KiB/s.");
    end(&s);
    s = find(places, COUNT(places), NULL, 0, 1, 0);
    CHECK(s.causes.count <= 1);
    end(&s);
}

// What is in a set and a queue by turns grows, though no place of it does.
static void test_moving(void) {
#define TURNS(a, b)                                                                         \
    {                                                                                       \
        1000 * (a), 1000 * (b), 3000 * (a), 3000 * (b), 5000 * (a), 5000 * (b), 7000 * (a), \
            7000 * (b), 9000 * (a), 9000 * (b), 11000 * (b), 12000 * (a)                    \
    }
    static const test_place places[] = {
        {-1, MC_OWNER_SHARED, NULL, "com.acme.Tracked", TURNS(2, 1), TURNS(200, 1), true, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.Tracker.queue", "java.util.ArrayDeque", STAYS(1),
         TURNS(1, 200), true, NULL},
        {1, 0, "ArrayDeque.elements", "com.acme.Tracked", TURNS(1, 2), TURNS(1, 200), true, NULL},
        REST,
    };
    static const test_way ways[] = {{0, 1, "ArrayDeque.elements", 12000}};
    said s = find(places, COUNT(places), ways, COUNT(ways), STEPS, 0);
    REQUIRE(s.causes.count == 1);
    CHECK(s.causes.items[0].owner.is_located && s.causes.items[0].growth_objects == 33000);
    CHECK_MSG(strstr(s.sentence, "Tracked objects pile up, kept alive by static Tracker.queue: "
                                 "+33,000 objects and +2.") == s.sentence,
              "%s", s.sentence);
    end(&s);
}

// What such objects hold belongs to them, though most of its class is elsewhere.
static void test_moving_content(void) {
    static const test_place places[] = {
        {-1, MC_OWNER_SHARED, NULL, "com.acme.Tracked", TURNS(2, 1), TURNS(400, 2), true, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.Tracker.queue", "java.util.ArrayDeque", STAYS(1),
         TURNS(2, 401), true, NULL},
        {1, 0, "ArrayDeque.elements", "com.acme.Tracked", TURNS(1, 2), TURNS(2, 400), true, NULL},
        {0, 0, "Tracked.about", "byte[]", TURNS(2, 1), TURNS(300, 1), false, NULL},
        {2, 0, "Tracked.about", "byte[]", TURNS(1, 2), TURNS(1, 300), false, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.Parts.ALL", "byte[]", STAYS(60000), STAYS(60000),
         false, NULL},
        REST,
    };
    static const test_way ways[] = {{0, 1, "ArrayDeque.elements", 12000}};
    said s = find(places, COUNT(places), ways, COUNT(ways), STEPS, 0);
    REQUIRE(s.causes.count == 1 && s.causes.items[0].owner.is_located);
    CHECK_MSG(strstr(s.sentence, "Tracked objects pile up, kept alive by static Tracker.queue: "
                                 "+33,000 objects and +") == s.sentence,
              "%s", s.sentence);
    REQUIRE(s.causes.items[0].explained_count == 1);
    CHECK(s.causes.items[0].explained[0].node == test_find(s.trace, "Heap#byte[]"));
    end(&s);
}

// What waits to be finalized has no owner but the queue; the runtime's own object for each, larger
// or not, is part of that. What soft references hold goes.
static void test_late(void) {
    static const test_place pending[] = {
        {-1, MC_ROOT_FINALIZING, "pending finalizers", "com.acme.Handle", UP(10, 90),
         UP(1000, 9000), true, NULL},
        {-1, MC_OWNER_SHARED, NULL, "java.lang.ref.Finalizer", UP(10, 90), UP(2000, 18000), false,
         NULL},
        REST,
    };
    said s = find(pending, COUNT(pending), NULL, 0, STEPS, 0);
    CHECK(s.causes.count == 1 && s.causes.left_out_count == 0);
    SAYS(s,
         "Handle objects that wait to be finalized pile up: +990 objects and +96.7 KiB since the "
         "recording began, +8.79 KiB/s.");
    CHECK_MSG(strcmp(s.path, "the queue to be finalized: 1,000 Handle, 97.7 KiB") == 0, "%s",
              s.path);
    end(&s);
    static const test_place held[] = {
        {-1, MC_ROOT_FINALIZING, "pending finalizers", "com.acme.Handle", STAYS(1000),
         STAYS(200000), true, NULL},
        {-1, MC_ROOT_SOFT, "soft references", "com.acme.Picture", STAYS(400), STAYS(400000), true,
         NULL},
        {-1, MC_ROOT_SYSTEM_CLASS, NULL, "java.lang.Rest", STAYS(1000), STAYS(400000), false, NULL},
    };
    s = find(held, COUNT(held), NULL, 0, 1, 0);
    CHECK(s.causes.count == 2);
    SAYS(s, "400 Picture that only soft references hold, until memory is short, keep 40.0 % of the "
            "heap, 391 KiB.");
    tell(&s, 1);
    SAYS(s, "1,000 Handle that wait to be finalized keep 20.0 % of the heap, 195 KiB.");
    end(&s);
}

// Where the program has no part in anything, what is small beside the largest is the JVM's. A
// lambda is named by what it was made for.
static void test_aside(void) {
    static const test_place own[] = {
        {-1, MC_ROOT_STATIC, "static java.io.DeleteOnExitHook.files", "java.util.LinkedHashSet",
         STAYS(1), STAYS(900000), false, NULL},
        {0, 0, "LinkedHashSet.map", "java.lang.String", STAYS(9000), STAYS(890000), false, NULL},
        {-1, MC_ROOT_STATIC, "static java.lang.System.bootLayer", "java.lang.ModuleLayer", STAYS(1),
         STAYS(100000), false, NULL},
        {2, 0, "ModuleLayer.modules", "java.lang.Module", STAYS(900), STAYS(99000), false, NULL},
    };
    said s = find(own, COUNT(own), NULL, 0, 1, 0);
    CHECK(s.causes.count == 1 && s.causes.jvm_bytes == 100000);
    SAYS(s, "DeleteOnExitHook.files (a LinkedHashSet) keeps 90.0 % of the heap, 879 KiB: 9,000 "
            "String.");
    end(&s);
    static const test_place hooks[] = {
        {-1, MC_ROOT_STATIC, "static java.lang.ApplicationShutdownHooks.hooks",
         "java.util.IdentityHashMap", STAYS(1), STAYS(900000), true, NULL},
        {0, 0, "IdentityHashMap.table", "java.lang.Object[]", STAYS(1), STAYS(900000), true, NULL},
        {1, 0, "Object[] elements", "java.lang.Thread", STAYS(800), STAYS(890000), true, NULL},
        {2, 0, "Thread.target", "com.acme.Client$$Lambda$14/0x0001", STAYS(800), STAYS(800000),
         true, NULL},
        {3, 0, "Client$$Lambda$14/0x0001.arg$1", "com.acme.Client", STAYS(800), STAYS(790000), true,
         NULL},
        REST,
    };
    s = find(hooks, COUNT(hooks), NULL, 0, 1, 0);
    SAYS(s, "ApplicationShutdownHooks.hooks (an IdentityHashMap) keeps 47.4 % of the heap, 879 "
            "KiB: 800 Client.");
    end(&s);
}

static bool is_named(const mc_trace *trace, uint32_t string, const char *wanted) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

// Ways are those of objects: none is told of what several owners hold, or what lies at many places.
static void test_trails(void) {
    static const test_place places[] = {
        MAP(STAYS(1000), STAYS(300000), STAYS(100000), STAYS(150000), STAYS(310000)),
        {-1, MC_OWNER_SHARED, NULL, "com.acme.Both", STAYS(10), STAYS(1000), true, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.A.one", "com.acme.Twice", STAYS(6), STAYS(1000), true,
         NULL},
        {-1, MC_ROOT_SOFT, "soft references", "com.acme.Twice", STAYS(3), STAYS(1000), true, NULL},
        {-1, MC_ROOT_STATIC, "static com.acme.A.rest", "com.acme.Twice", STAYS(4), STAYS(1000),
         true, NULL},
        REST,
    };
    mc_trace *trace = test_make_owner_trace(places, COUNT(places), NULL, 0, 1, 0);
    mc_root_path trail;
    uint32_t session = test_find(trace, "Heap#com.acme.Shop$Session");
    REQUIRE(mc_owner_trail_find(trace, 0, session, &trail, NULL) == MC_OK);
    CHECK(trail.is_known && trail.start == session && trail.count == 3 && trail.root_is_program);
    CHECK(trail.root_kind == MC_ROOT_STATIC && trail.root_count == 1 &&
          is_named(trace, trail.root_name, "static com.acme.Shop.sessions"));
    CHECK(trail.hops[0].node == test_find(trace, "Heap#java.util.HashMap$Node") &&
          is_named(trace, trail.hops[0].field, "HashMap$Node.value") &&
          trail.hops[0].count == 1000);
    CHECK(trail.hops[2].node == test_find(trace, "Heap#java.util.HashMap") &&
          is_named(trace, trail.hops[2].field, "HashMap.table") && !trail.hops[2].is_program);
    const char *const unknown[] = {"Heap#com.acme.Both", "Heap#com.acme.Twice", "Heap"};
    for (int i = 0; i < 3; i++) {
        REQUIRE(mc_owner_trail_find(trace, 0, test_find(trace, unknown[i]), &trail, NULL) == MC_OK);
        CHECK_MSG(!trail.is_known && trail.count == 0, "%s", unknown[i]);
    }
    mc_trace_destroy(trace);
}

// No allocation that fails does more than that.
static void test_memory(void) {
    mc_trace *trace = test_make_owner_trace(map_places, COUNT(map_places), NULL, 0, STEPS, 0);
    mc_causes_desc desc = {.metric = MC_METRIC_BYTES, .window = mc_step_range_whole(trace)};
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t i = 0; result != MC_OK && i < 1000; i++) {
        mc_causes causes = {0};
        mc_memory_fail_after(i);
        result = mc_causes_find(trace, &desc, NULL, &causes, NULL);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? causes.count == 1 : causes.count == 0 && !causes.items);
        mc_causes_deinit(&causes);
    }
    CHECK(result == MC_OK);
    mc_trace_destroy(trace);
}

int main(void) {
    test_map();
    test_two_owners();
    test_single();
    test_below();
    test_healthy();
    test_beside();
    test_threads();
    test_more_threads();
    test_shared();
    test_shared_by_many();
    test_loaders();
    test_larger();
    test_moving();
    test_moving_content();
    test_late();
    test_aside();
    test_trails();
    test_memory();
    return test_finish();
}
