#version 330 core
// A pixel of the layer over the pixel of the framebuffer that has its place.
uniform sampler2D uLayer; // premultiplied; the first row is the topmost
uniform int uTop;         // row of the framebuffer that the first one comes to
out vec4 oColour;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    oColour = texelFetch(uLayer, ivec2(place.x, uTop - place.y), 0);
}
