#version 330 core
// Straight lines, two ends each.
const int kLines = 32;
uniform vec2 uEnds[2 * kLines]; // device px from the top left
uniform vec4 uColours[kLines];
uniform vec2 uViewport;

flat out vec4 vColour;

void main() {
    vColour = uColours[gl_VertexID / 2];
    vec2 clip = uEnds[gl_VertexID] / uViewport * 2.0 - 1.0;
    gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
