// Frustums in the picture against truncated cones computed here, from the shapes that
// engine/city/frustum.h has: where a pixel's ray meets one the picture shows it, and nowhere else.
#include "engine/city/frustum.h"
#include "tests/city_maker.h"

enum { WIDTH = 480, HEIGHT = 320, BORDER = 4, HEAD = 24, ARC_PIECES = 96 };

static uint8_t plain[HEIGHT][WIDTH][4], drawn[HEIGHT][WIDTH][4];
// 0: none, 1: not certain, 2: a frustum; of straight ones and arcs, at a step and between two.
static uint8_t expected[2][2][HEIGHT][WIDTH];
static bool is_expected[2][2]; // the same for each renderer

static void draw(mc_renderer *renderer, const mc_scene *scene, uint8_t *pixels) {
    REQUIRE(mc_renderer_render_image(renderer, scene, NULL, WIDTH, HEIGHT, pixels, NULL) == MC_OK);
}

// The ray through a pixel's centre.
static mc_ray get_ray(mc_camera_view view, double x, double y) {
    double eye[3], direction[3];
    mc_dvec3_from(view.eye, eye);
    made_get_direction(&view, (x + 0.5) * 2 / WIDTH - 1, (y + 0.5) * 2 / HEIGHT - 1, direction);
    return mc_ray_get(eye, direction);
}

// A cone between two discs; both radii are exact at their ends. It lies in the ball around its
// middle.
typedef struct test_cone {
    double from[3], axis[3], size, r0, r1;
    double middle[3], ball_radius;
} test_cone;

static test_cone make_cone(const vec3 from, const vec3 to, double r0, double r1) {
    test_cone made = {.r0 = r0, .r1 = r1};
    for (int i = 0; i < 3; i++) {
        made.from[i] = (double)from[i];
        made.axis[i] = (double)to[i] - (double)from[i];
        made.middle[i] = made.from[i] + made.axis[i] / 2;
    }
    made.size = mc_dvec3_norm(made.axis);
    made.ball_radius = hypot(made.size / 2, fmax(r0, r1));
    for (int i = 0; i < 3; i++)
        made.axis[i] /= made.size;
    return made;
}

// Does the ray come near it at all? Most don't.
static bool meets_ball(const mc_ray *ray, const test_cone *cone) {
    double out[3], direction[3];
    for (int i = 0; i < 3; i++) {
        out[i] = cone->middle[i] - (double)ray->origin[i];
        direction[i] = (double)ray->direction[i];
    }
    double by = mc_dvec3_dot(out, direction);
    double square = mc_dvec3_dot(direction, direction);
    double across = mc_dvec3_dot(out, out) - by * by / square;
    return across <= cone->ball_radius * cone->ball_radius * 1.001;
}

static bool meets_cone(const mc_ray *ray, const test_cone *cone) {
    double out[3], direction[3], size = cone->size, r0 = cone->r0, r1 = cone->r1;
    for (int i = 0; i < 3; i++) {
        out[i] = (double)ray->origin[i] - cone->from[i];
        direction[i] = (double)ray->direction[i];
    }
    // Along the axis and across it, both linear in the ray's length s.
    double along = mc_dvec3_dot(out, cone->axis), by = mc_dvec3_dot(direction, cone->axis);
    double slope = (r1 - r0) / size, radius = r0 + slope * along, radius_by = slope * by;
    double a = mc_dvec3_dot(direction, direction) - by * by - radius_by * radius_by;
    double b = mc_dvec3_dot(out, direction) - along * by - radius * radius_by;
    double c = mc_dvec3_dot(out, out) - along * along - radius * radius;
    double root = b * b - a * c;
    for (int side = -1; side <= 1 && root >= 0 && a != 0; side += 2) {
        double s = (-b + side * sqrt(root)) / a, at = along + s * by;
        if (s > 0 && at >= 0 && at <= size && radius + s * radius_by >= 0) return true;
    }
    for (int end = 0; end < 2 && by != 0; end++) {
        double s = (end * size - along) / by, r = end ? r1 : r0, square = 0;
        for (int i = 0; i < 3; i++) {
            double across = out[i] + s * direction[i] - end * size * cone->axis[i];
            square += across * across;
        }
        if (s > 0 && square <= r * r) return true;
    }
    return false;
}

// Adds the cones that a frustum consists of; returns how many.
static int add_cones(const mc_frustum_shape *shape, test_cone *cones) {
    bool is_arc = shape->bow[0] != 0 || shape->bow[1] != 0 || shape->bow[2] != 0;
    int pieces = is_arc ? ARC_PIECES : 1;
    double from = (double)shape->from_radius, to = (double)shape->to_radius;
    if (!shape->is_drawn) return 0;
    for (int i = 0; i < pieces; i++) {
        double t0 = (double)i / pieces, t1 = (double)(i + 1) / pieces;
        vec3 a, b;
        mc_frustum_shape_get_point(shape, (float)t0, a);
        mc_frustum_shape_get_point(shape, (float)t1, b);
        cones[i] = make_cone(a, b, from + (to - from) * t0, from + (to - from) * t1);
    }
    return pieces;
}

static bool meets_any(const mc_ray *ray, const test_cone *cones, int count) {
    for (int i = 0; i < count; i++)
        if (meets_ball(ray, &cones[i]) && meets_cone(ray, &cones[i])) return true;
    return false;
}

// Where in the picture a frustum ends.
static void find_head(const mc_camera_view *view, const mc_frustum_shape *shape, double head[2]) {
    vec4 clip, to = {shape->to[0], shape->to[1], shape->to[2], 1.0f};
    mat4 matrix;
    memcpy(matrix, view->view_projection, sizeof matrix);
    glm_mat4_mulv(matrix, to, clip);
    head[0] = ((double)(clip[0] / clip[3]) + 1) / 2 * WIDTH;
    head[1] = ((double)(clip[1] / clip[3]) + 1) / 2 * HEIGHT;
}

static void find_expected(const made_city *made, const mc_scene *scene, const mc_frustums *frustums,
                          uint8_t out[HEIGHT][WIDTH]) {
    static test_cone cones[8 * ARC_PIECES];
    int cone_count = 0;
    double heads[8][2];
    const vec4 *matrix = scene->view.view_projection;
    float pixel =
        2.0f / ((float)HEIGHT * glm_vec3_norm((vec3){matrix[0][1], matrix[1][1], matrix[2][1]}));
    REQUIRE(frustums->count <= 8);
    for (uint32_t i = 0; i < frustums->count; i++) {
        mc_frustum_shape shape = mc_frustum_get_shape(made->city, &scene->params, made->counts[0],
                                                      made->counts[1], &frustums->items[i]);
        mc_frustum_shape_bound(&shape, scene->view.eye, MC_FRUSTUM_LEAST_THICK * pixel,
                               MC_FRUSTUM_MOST_THICK * pixel);
        cone_count += add_cones(&shape, cones + cone_count);
        find_head(&scene->view, &shape, heads[i]);
    }
    static uint8_t hits[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            mc_ray ray = get_ray(scene->view, x, y);
            hits[y][x] = meets_any(&ray, cones, cone_count);
        }
    // Along its border a pixel may be either.
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int count = 0, all = 0;
            for (int v = y - BORDER; v <= y + BORDER; v++)
                for (int u = x - BORDER; u <= x + BORDER; u++) {
                    if (u < 0 || v < 0 || u >= WIDTH || v >= HEIGHT) continue;
                    all++;
                    count += hits[v][u];
                }
            out[y][x] = count == all ? 2 : count > 0;
            // Around an arrowhead it may be anything.
            for (uint32_t i = 0; i < frustums->count; i++)
                if (hypot(x - heads[i][0], y - heads[i][1]) < HEAD) out[y][x] = 1;
        }
}

static bool differs(int y, int x) {
    int most = 0;
    for (int c = 0; c < 3; c++) {
        int difference = abs(drawn[y][x][c] - plain[y][x][c]);
        most = difference > most ? difference : most;
    }
    return most > 2; // what shows through is faint
}

// Where there are many each is drawn by fewer triangles, or as a strand, which nobody sees: here
// with others that are not there yet.
enum { MANY = 300, CROWD = 600 };
static void fill_many(mc_frustum many[CROWD], const mc_frustums *frustums) {
    memset(many, 0, CROWD * sizeof *many);
    memcpy(many, frustums->items, frustums->count * sizeof *many);
    for (uint32_t i = frustums->count; i < CROWD; i++)
        many[i].to_box = 1;
}

// `count`: with as many that are not there.
static void compare(mc_renderer *renderer, const made_city *made, mc_scene *scene,
                    const mc_frustums *frustums, uint32_t count, bool arcs, bool moves) {
    const char *name = arcs ? "arcs" : "straight";
    uint8_t(*wanted)[WIDTH] = expected[arcs][moves];
    mc_frustum many[CROWD];
    fill_many(many, frustums);
    scene->params.blend = moves ? 0.4f : 1.0f;
    mc_scene padded = *scene;
    padded.frustums = NULL;
    padded.frustum_count = 0;
    draw(renderer, &padded, plain[0][0]);
    padded.frustums = many;
    padded.frustum_count = count > 0 ? count : frustums->count;
    draw(renderer, &padded, drawn[0][0]);
    scene->frustums = frustums->items;
    scene->frustum_count = frustums->count;
    if (!is_expected[arcs][moves]) find_expected(made, scene, frustums, expected[arcs][moves]);
    is_expected[arcs][moves] = true;
    int missing = 0, wrong = 0, inside = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool shown = differs(y, x);
            inside += wanted[y][x] == 2;
            missing += wanted[y][x] == 2 && !shown;
            wrong += wanted[y][x] == 0 && shown;
        }
    CHECK_MSG(inside > 200, "%s, %d of %u: only %d pixels", name, moves, count, inside);
    // Where an arrow along it has the colour of what is behind, a pixel looks as before.
    CHECK_MSG(missing <= 1 && wrong <= 1, "%s, %d of %u: %d missing, %d wrong of %d", name, moves,
              count, missing, wrong, inside);
}

// Arrows on thick strands are a little farther on.
static void compare_many(mc_renderer *renderer, const mc_scene *scene, const mc_frustums *frustums,
                         uint32_t count, double most) {
    mc_frustum many[CROWD];
    fill_many(many, frustums);
    mc_scene padded = *scene;
    padded.frustums = many;
    padded.frustum_count = count;
    draw(renderer, scene, plain[0][0]);
    draw(renderer, &padded, drawn[0][0]);
    uint64_t sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                sum += (uint64_t)abs(drawn[y][x][c] - plain[y][x][c]);
    double mean = (double)sum / (WIDTH * HEIGHT * 3);
    CHECK_MSG(mean < most, "%u: off by %.3f in the mean", count, mean);
}

static void compare_all(mc_renderer *renderer, const made_city *made) {
    const mc_city *city = made->city;
    mc_frustum_link links[8];
    uint32_t count = 0;
    // Between buildings that are there at both steps and large enough to have thick frustums.
    uint32_t last = MC_NONE;
    for (uint32_t rank = 0; rank < city->building_count && count < 8; rank++) {
        uint32_t b = rank * 7 % city->building_count;
        if (made->counts[0][b] == 0 || made->counts[1][b] == 0) continue;
        mc_plot plot = city->building_plot[b];
        if ((plot.x1 - plot.x0) * (plot.z1 - plot.z0) < 3000.0f) continue;
        if (last != MC_NONE) {
            links[count] = (mc_frustum_link){city->building_node[last],
                                             city->building_node[b],
                                             0.3f + 0.1f * (float)(count + 1),
                                             0.9f,
                                             (count + 1) % 3,
                                             false};
            count++;
        }
        last = b;
    }
    REQUIRE(count > 3);
    mc_scene scene = made_scene(city, false, (float)WIDTH / HEIGHT);
    for (int arcs = 0; arcs < 2; arcs++) {
        mc_frustums frustums = {0};
        REQUIRE(mc_frustums_make(&frustums, city, mc_trace_get_nodes(made->trace), &scene.params,
                                 made->counts[0], made->counts[1], links, count,
                                 arcs ? MC_FRUSTUM_ARCS_ALL : MC_FRUSTUM_ARCS_NONE, NULL) == MC_OK);
        for (uint32_t i = 0; arcs && i < frustums.count; i++) // as in bundles, to either side
            frustums.items[i].sway = 0.8f * frustums.items[i].arc * (float)((int)(i % 3) - 1);
        compare(renderer, made, &scene, &frustums, 0, arcs, false);
        compare(renderer, made, &scene, &frustums, CROWD, arcs, false);
        compare(renderer, made, &scene, &frustums, 0, arcs, true);
        compare_many(renderer, &scene, &frustums, MANY, 3.0);
        compare_many(renderer, &scene, &frustums, CROWD, 3.0);
        for (uint32_t i = 0; i < frustums.count; i++) // thin
            frustums.items[i].from_share = frustums.items[i].to_share = 0.05f;
        compare_many(renderer, &scene, &frustums, MANY, 1.5);
        compare_many(renderer, &scene, &frustums, CROWD, 1.5);
        mc_frustums_deinit(&frustums);
    }
}

// How much a straight frustum between two far buildings changes the picture of an eye beside its
// first end that looks at its second one.
static uint64_t draw_near(mc_renderer *renderer, const made_city *made, uint32_t kind) {
    const mc_city *city = made->city;
    uint32_t low = 0, high = 0; // the buildings at the ends of the city, where they are there
    for (uint32_t b = 0; b < city->building_count; b++) {
        if (made->counts[1][b] == 0) continue;
        mc_plot plot = city->building_plot[b];
        if (plot.x0 + plot.z0 < city->building_plot[low].x0 + city->building_plot[low].z0) low = b;
        if (plot.x0 + plot.z0 > city->building_plot[high].x0 + city->building_plot[high].z0)
            high = b;
    }
    mc_scene scene = made_scene(city, false, (float)WIDTH / HEIGHT);
    mc_frustum_link link = {city->building_node[low], city->building_node[high], 1, 1, kind, false};
    mc_frustums frustums = {0};
    REQUIRE(mc_frustums_make(&frustums, city, mc_trace_get_nodes(made->trace), &scene.params,
                             made->counts[1], made->counts[1], &link, 1, MC_FRUSTUM_ARCS_NONE,
                             NULL) == MC_OK);
    REQUIRE(frustums.count == 1);
    mc_frustum_shape shape = mc_frustum_get_shape(city, &scene.params, made->counts[1],
                                                  made->counts[1], &frustums.items[0]);
    vec3 eye, above = {0, city->width * 0.004f, 0};
    mc_frustum_shape_get_point(&shape, -0.02f, eye);
    glm_vec3_add(eye, above, eye);
    scene.view = made_view(eye, shape.to, (float)WIDTH / HEIGHT);
    draw(renderer, &scene, plain[0][0]);
    scene.frustums = frustums.items;
    scene.frustum_count = 1;
    draw(renderer, &scene, drawn[0][0]);
    mc_frustums_deinit(&frustums);
    uint64_t sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                sum += (uint64_t)abs(drawn[y][x][c] - plain[y][x][c]);
    return sum;
}

// What passes near the eye, far before the selected structure, gets out of its way; what belongs to
// a near one stays.
static void test_near(mc_renderer *renderer, const made_city *made) {
    uint64_t far = draw_near(renderer, made, MC_FRUSTUM_INCOMING);
    uint64_t near = draw_near(renderer, made, MC_FRUSTUM_OUTGOING);
    CHECK_MSG(far > 0 && near > 3 * far, "near %llu, far %llu", (unsigned long long)near,
              (unsigned long long)far);
}

// Nothing is drawn of what has no place, and many at once are no trouble.
static void test_odd(mc_renderer *renderer, const made_city *made) {
    mc_scene scene = made_scene(made->city, true, (float)WIDTH / HEIGHT);
    uint32_t boxes = made->city->building_count + made->city->district_count;
    mc_frustum odd[] = {{.from_box = boxes, .to_box = 0, .reveal = 1.0f},
                        {.from_box = 0, .to_box = MC_NONE, .reveal = 1.0f},
                        {.from_box = 0, .to_box = 1, .reveal = 0.0f}};
    draw(renderer, &scene, plain[0][0]);
    scene.frustums = odd;
    scene.frustum_count = 3;
    draw(renderer, &scene, drawn[0][0]);
    CHECK(memcmp(plain, drawn, sizeof plain) == 0);

    uint32_t count = 5000;
    mc_frustum *many = mc_alloc_zero(count, sizeof *many);
    REQUIRE(many);
    for (uint32_t i = 0; i < count; i++)
        many[i] = (mc_frustum){.from_box = i % boxes,
                               .to_box = i * 31 % boxes,
                               .kind = i % MC_FRUSTUM_KIND_COUNT,
                               .to_share = 0.1f,
                               .arc = (float)(i % 2) * 50.0f,
                               .reveal = 1.0f};
    scene.frustums = many;
    scene.frustum_count = count;
    draw(renderer, &scene, drawn[0][0]);
    CHECK(memcmp(plain, drawn, sizeof plain) != 0);
    mc_free(many);
}

static void test(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    mc_renderer *renderer;
    mc_renderer_desc desc = {.samples = 1, .rasterizer = rasterizer};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[1], NULL) == MC_OK);
    compare_all(renderer, made);
    test_near(renderer, made);
    test_odd(renderer, made);
    mc_renderer_destroy(renderer);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    made_city made;
    made_city_create(&made, 60, MC_SCALING_LINEAR);
    test(gpu, &made, MC_RASTERIZER_RASTER);
    test(gpu, &made, MC_RASTERIZER_COMPUTE);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    made_city_destroy(&made);
    return test_finish();
}
