#version 330 core
// A vertical band around the split line, as high as the view.
uniform float uSplit;     // device px from the left
uniform float uHalfWidth; // half the band, device px
uniform vec2 uViewport;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float x = uSplit + (corner.x * 2.0 - 1.0) * uHalfWidth;
    gl_Position = vec4(x / uViewport.x * 2.0 - 1.0, corner.y * 2.0 - 1.0, 0.0, 1.0);
}
