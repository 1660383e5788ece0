#version 330 core
// The split line with a round grip and two arrows, drawn as distances so that it is sharp at every density.
uniform float uSplit;
uniform vec2 uViewport;
uniform float uRatio; // device px per logical px
uniform vec4 uAccent; // colour of the grip, alpha unused

out vec4 fragColour;

float cover(float distance) { return clamp(0.5 - distance * uRatio, 0.0, 1.0); }

float arrow(vec2 p) { // pointing right, tip at (9, 0)
    vec2 q = vec2(9.0 - p.x, abs(p.y));
    return max(abs(q.x - q.y) * 0.7071 - 0.9, max(q.x - 4.2, -q.x - 1.0));
}

void main() {
    vec2 p = vec2(gl_FragCoord.x - uSplit, gl_FragCoord.y - 0.5 * uViewport.y) / uRatio;
    float disc = length(p) - 14.0;
    vec4 colour = vec4(0.0, 0.0, 0.0, 0.45 * cover(abs(p.x) - 2.0));
    colour = mix(colour, vec4(1.0), cover(abs(p.x) - 1.0));
    colour = mix(colour, vec4(1.0), cover(disc));
    colour = mix(colour, vec4(uAccent.rgb, 1.0), cover(disc + 1.5));
    float arrows = max(cover(arrow(p)), cover(arrow(vec2(-p.x, p.y))));
    colour = mix(colour, vec4(1.0), arrows);
    fragColour = colour;
}
