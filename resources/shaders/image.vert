#version 330 core
// One tile of the picture as a triangle strip of four corners made from the vertex number.
uniform vec4 uTile;     // x, y, width, height of the tile in the picture, in px
uniform vec2 uOrigin;   // where the picture's top left corner lies in the view, in device px from the top left
uniform float uScale;   // device px per px of the picture
uniform vec2 uViewport; // size of the view in device px

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 position = uOrigin + (uTile.xy + corner * uTile.zw) * uScale;
    vec2 clip = position / uViewport * 2.0 - 1.0;
    gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
