#version 330 core
// A part of a tile that can be seen, as a triangle strip of four corners made from the vertex number. Its corners are
// small numbers at every zoom, so that neighbours meet exactly.
uniform vec4 uRect;     // left, top, right, bottom in the view, device px from the top left
uniform vec2 uViewport; // size of the view in device px

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 clip = mix(uRect.xy, uRect.zw, corner) / uViewport * 2.0 - 1.0;
    gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
