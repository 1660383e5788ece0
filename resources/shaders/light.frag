#version 330 core
// Highlighted nodes. A device px shows the px of the image under its middle, as in a magnified image; it is outline
// where a neighbour on the screen shows a px outside. Drawn with image.vert, linked with a part that has isLit().
uniform usampler2DArray uNodes; // of every px its node, in square layers, row after row of them
uniform int uShift;             // a layer's side is 1 << uShift
uniform int uAcross;            // layers side by side
uniform ivec2 uImage;         // px
uniform vec4 uRect;
uniform vec2 uViewport;
uniform ivec2 uCorner;  // px of the image at the top left corner of uRect
uniform vec2 uFraction; // where in it that corner is
uniform vec2 uStep;     // px of the image per device px; negative downwards if the last row is on top
uniform vec4 uFill;     // colours are premultiplied
uniform vec4 uOutline;

out vec4 fragColour;

bool isLit(uint node);

bool isIn(vec2 fromCorner) {
    ivec2 px = clamp(uCorner + ivec2(floor(uFraction + fromCorner * uStep)), ivec2(0), uImage - 1);
    ivec2 layer = px >> uShift;
    return isLit(texelFetch(uNodes, ivec3(px - (layer << uShift), layer.y * uAcross + layer.x), 0).r);
}

void main() {
    vec2 fromCorner = vec2(gl_FragCoord.x, uViewport.y - gl_FragCoord.y) - uRect.xy;
    if (!isIn(fromCorner)) {
        discard;
    }
    // Pixels outside the image and the view are no neighbours.
    vec2 low = fromCorner - step(1.0, fromCorner);
    vec2 high = fromCorner + step(fromCorner + 1.0, uRect.zw - uRect.xy);
    bool inner = isIn(vec2(low.x, fromCorner.y)) && isIn(vec2(high.x, fromCorner.y)) &&
                 isIn(vec2(fromCorner.x, low.y)) && isIn(vec2(fromCorner.x, high.y));
    fragColour = inner ? uFill : uOutline;
}
