// Draws a city with WebGL 2. Boxes lie in textures, buildings first, the largest plots before all
// others, so that a part of them is the best part. A picture is drawn part by part into buffers of
// its own, so that a wide city never keeps who turns it waiting.
import { getArea, getBase, getBounds } from "./city.js";
import { orderByNumber } from "./data.js";
import { eachPart, getBuildings, getGrowers, getGrowthShares, getStep, isDistrict } from "./model.js";

// What all shaders begin with.
const HEADER = "#version 300 es\nprecision highp float;precision highp int;precision highp sampler2D;\n";
const WIDTH = 2048; // of textures
const CHUNK = 8192; // boxes in a draw
// Triangles end with the vertex that has the face's colour: the roof's with 0, the walls' with 4
// and 6.
const INDICES = [1, 2, 0, 2, 3, 0, 5, 2, 4, 2, 1, 4, 3, 2, 6, 2, 5, 6];
const VERTICES = 7;
const SAMPLES = 4;
const MOST_COLORED = 10; // that grew the most, as the program has it at first
const MOST_SHADOWS = 5000; // of buildings
const MOST_HEIGHTS = 50000; // of buildings that shade others
const HEIGHTS_SIDE = 1024;

function makeProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, HEADER + SHADER_BEGIN + source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return { program, at: null };
}

// Where its uniforms are. It is asked for only when the program is used, as the answer comes when the browser has compiled it.
function readUniforms(gl, program) {
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const shaders = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error("WebGL: " + gl.getProgramInfoLog(program) + shaders.join(" "));
  }
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
    const name = gl.getActiveUniform(program, i).name.replace("[0]", "");
    at[name] = gl.getUniformLocation(program, name);
  }
  return at;
}

function useProgram(gl, it) {
  gl.useProgram(it.program);
  it.at ||= readUniforms(gl, it.program);
}

function makeTexture(gl) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  return texture;
}

// Depths that a shader reads.
function makeDepths(gl, width, height) {
  const depths = { texture: makeTexture(gl), frame: gl.createFramebuffer(), key: width + "," + height };
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, depths.frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depths.texture, 0);
  return depths;
}

function setUp(drawing) {
  const { gl } = drawing;
  drawing.boxes = makeProgram(gl, box_vert, box_frag);
  drawing.shadows = makeProgram(gl, shadow_vert, shadow_frag);
  drawing.sky = makeProgram(gl, sky_vert, sky_frag);
  drawing.light = makeProgram(gl, sky_vert, light_frag);
  drawing.heights = makeDepths(gl, HEIGHTS_SIDE, HEIGHTS_SIDE);
  drawing.textures = { plots: makeTexture(gl), places: makeTexture(gl), shares: makeTexture(gl), glass: makeTexture(gl) };
  for (const name in drawing.textures) upload(drawing, name, allocate(1));
  const indices = new Uint16Array(CHUNK * INDICES.length);
  for (let box = 0; box < CHUNK; box++)
    for (let k = 0; k < INDICES.length; k++) indices[box * INDICES.length + k] = box * VERTICES + INDICES[k];
  drawing.vertexArray = gl.createVertexArray();
  gl.bindVertexArray(drawing.vertexArray);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  gl.enable(gl.DEPTH_TEST);
  // Nothing is drawn, but the browser compiles what is, while the page's data are still read.
  for (const samples of [0, SAMPLES]) {
    prepareTarget(drawing, samples);
    gl.useProgram(drawing.boxes.program);
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
    paintSky(gl, drawing.sky.program);
    paintOver(gl, drawing.shadows.program, () => gl.drawArrays(gl.TRIANGLES, 0, 3));
  }
}

// As large as the canvas, or so large a part of it, with so many samples a pixel.
function prepareTarget(drawing, samples, sharpness = 1) {
  const { gl, canvas, targets } = drawing;
  const target = targets[samples] || (targets[samples] = { frame: gl.createFramebuffer(), buffers: [gl.createRenderbuffer(), gl.createRenderbuffer()] });
  gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame);
  const [width, height] = [Math.ceil(canvas.width * sharpness), Math.ceil(canvas.height * sharpness)];
  if (target.width === width && target.height === height) return target;
  Object.assign(target, { width, height });
  [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]].forEach(([format, place], i) => {
    gl.bindRenderbuffer(gl.RENDERBUFFER, target.buffers[i]);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, target.buffers[i]);
  });
  return target;
}

// As it is, with a sample a pixel, to draw into.
function copyTarget(drawing, { frame, width, height }) {
  const { gl } = drawing, copy = prepareTarget(drawing, 0);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, frame);
  gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT, gl.NEAREST);
  gl.bindFramebuffer(gl.FRAMEBUFFER, copy.frame);
  return copy;
}

// Null: the browser has no WebGL 2.
export function makeDrawing(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, powerPreference: "high-performance" });
  if (!gl) return null;
  const drawing = { gl, canvas, count: 0, districtCount: 0, done: 0, lit: 0, fence: null, begun: 0, lastMs: 0, lastCount: 0, targets: {}, isFine: false, glass: [] };
  setUp(drawing);
  return drawing;
}

function upload(drawing, name, numbers) {
  const { gl } = drawing;
  gl.bindTexture(gl.TEXTURE_2D, drawing.textures[name]);
  const [kind, format, parts] = name === "glass" ? [gl.R32F, gl.RED, 1] : [gl.RGBA32F, gl.RGBA, 4];
  gl.texImage2D(gl.TEXTURE_2D, 0, kind, WIDTH, numbers.length / parts / WIDTH, 0, format, gl.FLOAT, numbers);
}

function allocate(count) {
  return new Float32Array(4 * WIDTH * Math.max(Math.ceil(count / WIDTH), 1));
}

function orderBoxes(city) {
  const { model, root } = city;
  const all = getBuildings(model, root);
  const areas = new Float32Array(all.length);
  all.forEach((node, i) => { areas[i] = getArea(model, node); });
  const buildings = orderByNumber(areas).map((i) => all[i]);
  const districts = [];
  for (let at = [root]; at.length > 0;) {
    const next = [];
    for (const node of at) {
      if (!isDistrict(model, node)) continue;
      districts.push(node);
      eachPart(model, node, (part) => next.push(part));
    }
    at = next;
  }
  // The upper hide much of the lower, which then need not be shaded.
  return { buildings, districts: districts.reverse() };
}

export function setCity(drawing, city) {
  const { model } = city;
  const { buildings, districts } = orderBoxes(city);
  const count = buildings.length + districts.length;
  const [plots, places] = [allocate(count), allocate(count)];
  const deepest = districts.reduce((most, node) => Math.max(most, model.level[node] - model.level[city.root]), 1);
  const { owners } = model.facts;
  const grown = new Set(getGrowers(model, model.stepCount - 1, 0, MOST_COLORED).map(({ node }) => node));
  const leading = owners ? Object.keys(owners).map(Number) : [...grown];
  const put = (node, i) => {
    for (let k = 0; k < 4; k++) plots[4 * i + k] = model.plots[4 * node + k];
    places[4 * i] = getBase(city, node);
    places[4 * i + 2] = model.before || grown.has(node) ? 0 : 1;
  };
  buildings.forEach(put);
  districts.forEach((node, k) => {
    put(node, buildings.length + k);
    places[4 * (buildings.length + k) + 1] = 1 + (model.level[node] - model.level[city.root]) / deepest;
  });
  Object.assign(drawing, { city, order: buildings, count: buildings.length, districtCount: districts.length,
    shares: allocate(buildings.length), step: -1, leading, plots, places });
  setGlass(drawing, [], 0);
  upload(drawing, "plots", plots);
  upload(drawing, "places", places);
}

// The steps between which the city is drawn.
export function setSteps(drawing, from, to) {
  const { city, order, shares } = drawing;
  const { model } = city;
  const put = (step) => {
    const [counts, growth] = [getStep(model.counts, step), getGrowthShares(model, step, order)];
    order.forEach((node, i) => {
      shares[4 * i + 1] = Math.min(counts[model.row[node]] / model.largest[node], 1);
      shares[4 * i + 3] = growth[i];
    });
  };
  if (drawing.step !== from) put(from);
  for (let at = 0; at < shares.length; at += 2) shares[at] = shares[at + 1];
  if (to !== from) put(to);
  drawing.step = to;
  upload(drawing, "shares", shares);
}

// What findGlass() has found, where so many buildings are to be drawn.
export function setGlass(drawing, glass, most) {
  const begin = Math.ceil(Math.min(drawing.count, most) / WIDTH) * WIDTH, shares = new Float32Array(begin + Math.max(Math.ceil(glass.length / WIDTH), 1) * WIDTH);
  glass.forEach(([share, slot], i) => {
    shares[begin + i] = slot;
    shares[slot] = share;
  });
  if (glass.length + drawing.glass.length > 0) upload(drawing, "glass", shares);
  Object.assign(drawing, { glass, glassBegin: begin });
}

function paintSky(gl, program) {
  gl.useProgram(program);
  gl.depthMask(false);
  gl.disable(gl.DEPTH_TEST);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.enable(gl.DEPTH_TEST);
  gl.depthMask(true);
}

// Over what is there, which stays solid.
function paintOver(gl, program, paint) {
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFuncSeparate(gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
  gl.depthMask(false);
  paint();
  gl.depthMask(true);
  gl.disable(gl.BLEND);
}

// By name: a matrix, vectors or a number.
function setUniforms(gl, { at }, values) {
  for (const name in values) {
    const value = values[name];
    if (value.length === 16) gl.uniformMatrix4fv(at[name], false, value);
    else if (value.length === 4) gl.uniform4fv(at[name], value);
    else if (value.length) gl.uniform3fv(at[name], value);
    else gl.uniform1f(at[name], value);
  }
}

// Four at the most; the last one stays active.
function setTextures(gl, { at }, textures) {
  let i = 4;
  for (const name in textures) {
    gl.activeTexture(gl.TEXTURE0 + --i);
    gl.bindTexture(gl.TEXTURE_2D, textures[name]);
    gl.uniform1i(at[name], i);
  }
}

function drawSky({ gl, sky }, { top, bottom }, height) {
  useProgram(gl, sky);
  setUniforms(gl, sky, { top, bottom, height });
  paintSky(gl, sky.program);
}

function drawBoxes(drawing, first, count, isGlass) {
  const { gl, boxes } = drawing;
  gl.uniform1i(boxes.at.is_glass, isGlass ? 1 : 0);
  for (let done = 0; done < count; done += CHUNK) {
    gl.uniform1i(boxes.at.first, first + done);
    gl.drawElements(gl.TRIANGLES, Math.min(count - done, CHUNK) * INDICES.length, gl.UNSIGNED_SHORT, 0);
  }
}

function use(drawing, it, { matrix, eye, moment }) {
  const { gl, city, textures } = drawing;
  useProgram(gl, it);
  setTextures(gl, it, textures);
  gl.uniform1ui(it.at.scaling, city.scaling);
  setUniforms(gl, it, { to_clip: matrix, eye, district_height: city.floor, full_height: city.fullHeight, moment });
}

function useBoxes(drawing, scene) {
  const { gl, boxes } = drawing;
  const { theme, palette } = scene;
  use(drawing, boxes, scene);
  setUniforms(gl, boxes, { gradient: theme[palette].flat(), shrinking: theme.shrinking.flat(), apart: [...theme.new, ...theme.gone],
    district_root: theme.root, district_deepest: theme.deepest });
}

// Around the whole city, and around so many buildings.
function drawShadows(drawing, scene, count) {
  const { gl, shadows } = drawing;
  use(drawing, shadows, scene);
  const part = (first, boxes, reach, opacity) => {
    gl.uniform1i(shadows.at.first, first);
    setUniforms(gl, shadows, { reach, opacity });
    gl.drawArrays(gl.TRIANGLES, 0, boxes * 6);
  };
  paintOver(gl, shadows.program, () => {
    if (drawing.districtCount > 0) part(drawing.count + drawing.districtCount - 1, 1, 0.12, 0.7 * scene.theme.shadow);
    part(0, count, 0.4, scene.theme.shadow);
  });
}

function drawGlass(drawing, scene) {
  useBoxes(drawing, scene);
  paintOver(drawing.gl, drawing.boxes.program, () => drawBoxes(drawing, drawing.glassBegin, drawing.glass.length, true));
}

// So many rows of the picture more, an even number, as SwiftShader draws a row twice where an odd one begins a part. First of all the
// city from above, and how deep the picture is.
function drawLight(drawing, scene, { frame, width, height }, rows) {
  const { gl, city, light, heights } = drawing;
  const [x0, , z0, x1, top, z1] = getBounds(city);
  const [dx, dz] = [x1 - x0, z1 - z0];
  if (drawing.lit === 0) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, heights.frame);
    gl.viewport(0, 0, HEIGHTS_SIDE, HEIGHTS_SIDE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    useBoxes(drawing, { ...scene, eye: [x0 + dx / 2, 2 * top, z0 + dz / 2], matrix: [2 / dx, 0, 0, 0, 0, 0, -2 / top, 0, 0, 2 / dz, 0, 0, 0, 0, -3, 1] });
    drawBoxes(drawing, 0, Math.min(drawing.count, MOST_HEIGHTS));
    if (drawing.depths?.key !== width + "," + height) {
      gl.deleteTexture(drawing.depths?.texture || null);
      drawing.depths = makeDepths(gl, width, height);
    }
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, frame);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, drawing.depths.frame);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.viewport(0, 0, width, height);
  }
  useProgram(gl, light);
  setTextures(gl, light, { depths: drawing.depths.texture, heights: heights.texture });
  setUniforms(gl, light, { to_clip: scene.matrix, eye: scene.eye, ground: [x0, z0, dx, dz], top });
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, drawing.lit, width, rows);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ZERO, gl.SRC_COLOR);
  paintSky(gl, light.program);
  gl.disable(gl.BLEND);
  gl.disable(gl.SCISSOR_TEST);
  drawing.lit += rows;
}

// So many buildings more than the last time, or, `anew`, from the beginning; `isFine`: with smooth
// borders, which takes a processor twice as long; else as sharp as the scene says, 1: a pixel a pixel.
export function draw(drawing, scene, anew, most, isFine) {
  const { gl, canvas } = drawing;
  const target = prepareTarget(drawing, isFine ? SAMPLES : 0, isFine ? 1 : scene.sharpness);
  const { width, height } = target;
  const isLight = !anew && drawing.done >= drawing.count;
  gl.viewport(0, 0, width, height);
  gl.bindVertexArray(drawing.vertexArray);
  if (anew) {
    drawing.done = 0;
    gl.clear(gl.DEPTH_BUFFER_BIT);
    drawSky(drawing, scene.theme, height);
  }
  const count = isLight ? most : Math.min(drawing.count - drawing.done, Math.max(Math.round(most), 1));
  if (isLight) {
    drawLight(drawing, scene, target, most);
  } else {
    useBoxes(drawing, scene);
    drawBoxes(drawing, drawing.done, count);
    drawing.done += count;
    drawing.lit = 0;
  }
  if (anew) {
    drawBoxes(drawing, drawing.count, drawing.districtCount);
    drawShadows(drawing, scene, Math.min(count, MOST_SHADOWS));
  }
  // Glass comes last; where more buildings are to come, over a copy.
  let shown = target;
  if (drawing.glass.length > 0 && !isLight) {
    if (isFine && drawing.done < drawing.count) shown = copyTarget(drawing, target);
    drawGlass(drawing, scene);
  }
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, shown.frame);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
  gl.blitFramebuffer(0, 0, width, height, 0, 0, canvas.width, canvas.height, gl.COLOR_BUFFER_BIT, width < canvas.width ? gl.LINEAR : gl.NEAREST);
  drawing.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  Object.assign(drawing, { begun: performance.now(), lastCount: count, lastAnew: anew, lastLight: isLight, isFine });
}

// All but its light.
export function isComplete(drawing) {
  return drawing.isFine && drawing.done >= drawing.count;
}

export function isWhole(drawing) {
  return isComplete(drawing) && drawing.lit >= drawing.canvas.height;
}

// Whether the last picture is there; then drawing.lastMs is how long it took.
export function isDrawn(drawing) {
  const { gl, fence } = drawing;
  if (!fence) return true;
  const state = gl.clientWaitSync(fence, 0, 0);
  if (state === gl.TIMEOUT_EXPIRED) return false;
  gl.deleteSync(fence);
  drawing.fence = null;
  drawing.lastMs = performance.now() - drawing.begun;
  return true;
}
