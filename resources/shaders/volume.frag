#version 330 core
// A ray through a volume and its filter result for every pixel: the largest or smallest level on it, or all levels from
// front to back with opacity and light. Places are texture coordinates; samples lie in the middle of each step.
uniform sampler3D uBefore;
uniform sampler3D uAfter;
uniform usampler3D uNodes;  // read while a component is lit
uniform vec3 uOrigin;       // of the ray at the top left corner of the view
uniform vec3 uRight;        // to the ray of the next pixel
uniform vec3 uDown;
uniform vec3 uStep;         // along the ray
uniform vec3 uEnd;          // corner of the volume; the first one is 0
uniform float uHeight;      // of the view, px
uniform float uSplit;       // px; the part left of it shows the volume before the filter
uniform float uLargest;     // level of the texture value 1
uniform int uRendering;     // 0 largest level, 1 smallest, 2 front to back
uniform float uOpacity;     // of the bright end of the window, for a step of uStepLength 1
uniform float uStepLength;
uniform int uIsDark;        // 1: the dark end of the window is opaque instead
uniform sampler2D uOpacities; // by level, for a step of uStepLength 1
uniform vec2 uCurveLevels;  // level of its first texel, 1 / levels to its last one
uniform int uCurveBefore;   // 1: it is used in place of the window, in before
uniform int uCurveAfter;
uniform int uShading;       // 1: light by the slope of the levels
uniform vec3 uPerUnit;      // texels per unit of space along each axis
uniform vec3 uForward;      // direction of the rays in space
uniform uvec2 uLit;         // first node of the lit component and number of nodes; 0 nodes: none
uniform vec3 uLight;        // its colour
uniform vec3 uBack;         // beside the volume

uniform vec3 uWindowBefore; // see tone.frag
uniform vec3 uWindowAfter;
vec4 shade(float before, float after, bool showAfter, float valid);
float curved(float t);

out vec4 oColour;

const float kTint = 0.55;        // of the lit component in a projection
const float kLitOpacity = 0.08;  // least one of its voxels
const float kAmbient = 0.3;
const float kNothing = 0.004;    // opacity that cannot be seen
const float kEdge = 4.0;         // gradient per voxel, in windows, at which light counts fully: 1 / kEdge

bool isAfter;

float levelAt(vec3 place) { return (isAfter ? textureLod(uAfter, place, 0.0) : textureLod(uBefore, place, 0.0)).r; }

// In the window and after its curve, 0..1.
float seenAt(float level) {
    vec3 window = isAfter ? uWindowAfter : uWindowBefore;
    return curved(clamp((level * uLargest - window.x) * window.z, 0.0, 1.0));
}

// For a step of uStepLength 1.
float opacityAt(float level) {
    if ((isAfter ? uCurveAfter : uCurveBefore) == 1) {
        float t = clamp((level * uLargest - uCurveLevels.x) * uCurveLevels.y, 0.0, 1.0);
        return min(textureLod(uOpacities, vec2((t * 255.0 + 0.5) / 256.0, 0.5), 0.0).r, 0.999);
    }
    float seen = seenAt(level);
    return uOpacity * (uIsDark == 1 ? 1.0 - seen : seen);
}

vec3 colourOf(float level) { return shade(level * uLargest, level * uLargest, isAfter, 1.0).rgb; }

bool isLit(vec3 place) {
    if (uLit.y == 0u) {
        return false;
    }
    ivec3 size = textureSize(uNodes, 0);
    uint node = texelFetch(uNodes, min(ivec3(place * vec3(size)), size - 1), 0).r;
    return node - uLit.x < uLit.y;
}

// Share of the light that a surface at this place returns to the front.
float lightAt(vec3 place) {
    vec3 texel = 1.0 / vec3(textureSize(uBefore, 0));
    vec3 slope;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 by = vec3(0.0);
        by[axis] = texel[axis];
        slope[axis] = seenAt(levelAt(place + by)) - seenAt(levelAt(place - by));
    }
    float strength = clamp(length(slope) * kEdge, 0.0, 1.0);
    vec3 normal = slope * uPerUnit;
    float facing = abs(dot(normal, uForward)) / max(length(normal), 1e-6);
    return mix(1.0, kAmbient + (1.0 - kAmbient) * facing, strength);
}

vec3 projected(vec3 start, float first, float last) {
    float best = levelAt(start + (first + 0.5) * uStep);
    bool lit = false;
    for (float t = first + 0.5; t < last; t += 1.0) {
        vec3 place = start + t * uStep;
        float level = levelAt(place);
        best = uRendering == 0 ? max(best, level) : min(best, level);
        lit = lit || isLit(place);
    }
    return mix(colourOf(best), uLight, lit ? kTint : 0.0);
}

vec3 composed(vec3 start, float first, float last) {
    vec3 colour = vec3(0.0);
    float passing = 1.0;
    for (float t = first + 0.5; t < last && passing > 0.01; t += 1.0) {
        vec3 place = start + t * uStep;
        float level = levelAt(place);
        float opacity = opacityAt(level);
        bool lit = isLit(place);
        opacity = lit ? max(opacity, kLitOpacity) : opacity;
        if (opacity > kNothing) {
            opacity = 1.0 - pow(1.0 - opacity, uStepLength);
            colour += passing * opacity * (uShading == 1 ? lightAt(place) : 1.0) * (lit ? uLight : colourOf(level));
            passing *= 1.0 - opacity;
        }
    }
    return colour + passing * uBack;
}

void main() {
    isAfter = gl_FragCoord.x >= uSplit;
    vec3 start = uOrigin + gl_FragCoord.x * uRight + (uHeight - gl_FragCoord.y) * uDown;
    vec3 step = mix(uStep, vec3(1e-9), lessThan(abs(uStep), vec3(1e-9)));
    vec3 a = -start / step;
    vec3 b = (uEnd - start) / step;
    vec3 enter = min(a, b);
    vec3 leave = max(a, b);
    float first = max(max(enter.x, enter.y), max(enter.z, 0.0));
    float last = min(min(leave.x, leave.y), leave.z);
    if (first >= last) {
        oColour = vec4(uBack, 1.0);
    } else {
        oColour = vec4(uRendering == 2 ? composed(start, first, last) : projected(start, first, last), 1.0);
    }
}
