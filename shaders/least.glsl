// least.glsl - the lesser and the greater of two numbers, as hardware has them. GLSL's own min() and
// max() look after what is not a number, which takes a software driver thrice as long.
#ifndef MC_LEAST_GLSL
#define MC_LEAST_GLSL

float least(float a, float b) { return a < b ? a : b; }
float most(float a, float b) { return a > b ? a : b; }

vec3 least(vec3 a, vec3 b) { return mix(b, a, lessThan(a, b)); }
vec3 most(vec3 a, vec3 b) { return mix(b, a, greaterThan(a, b)); }

float least_of(vec3 a) { return least(least(a.x, a.y), a.z); }
float most_of(vec3 a) { return most(most(a.x, a.y), a.z); }

#endif
