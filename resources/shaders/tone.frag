#version 330 core
// Colour of a grey level: window -> tone curve -> colour map, with marks for saturated levels, the difference of
// both images, and a checkerboard where the file has no data. Linked to every shader that shows levels; the uniforms
// are set by setToneUniforms().
uniform sampler2D uColourMap;
uniform vec3 uWindowBefore;     // lowest level, highest level, 1 / width
uniform vec3 uWindowAfter;
uniform int uCurve;             // 0 linear, 1 logarithmic, 2 square root, 3 power of uGamma, 4 asinh
uniform float uGamma;
uniform int uInverted;          // 1: the map runs backwards
uniform int uMarks[2];          // 1: levels at or beyond the window are marked, in before / in after
uniform vec3 uMarkLow;          // colours of the marks
uniform vec3 uMarkHigh;
uniform int uDifference;        // 0 none, 1 after - before around the middle of the map, 2 its absolute value,
                                // 3 the same where it is positive, in after
uniform float uDifferenceScale; // 1 / the difference that reaches the end of the map
uniform float uChecker;         // side of a square of the checkerboard, device px
uniform vec3 uCheckerLight;
uniform vec3 uCheckerDark;

vec3 mapped(float value) {
    float t = uInverted == 1 ? 1.0 - value : value;
    return texture(uColourMap, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}

// The same as applyCurve() on the processor's side.
float curved(float t) {
    if (uCurve == 1) {
        return log(1.0 + 1000.0 * t) / log(1001.0);
    }
    if (uCurve == 2) {
        return sqrt(t);
    }
    if (uCurve == 4) {
        return asinh(10.0 * t) / asinh(10.0);
    }
    return uCurve == 3 ? pow(t, uGamma) : t;
}

// Levels by which a mean of equal levels may differ from them.
const float kRounding = 0.05;

vec3 toned(float level, vec3 window, int marks) {
    if (marks == 1 && level <= window.x + kRounding) {
        return uMarkLow;
    }
    if (marks == 1 && level >= window.y - kRounding) {
        return uMarkHigh;
    }
    return mapped(curved(clamp((level - window.x) * window.z, 0.0, 1.0)));
}

// Whether shade() looks at both levels; the caller may give any number for the one that is not shown otherwise.
bool shadesBoth() { return uDifference != 0; }

// before, after: mean levels of the two images under the device pixel; valid: share of it that has data, 0..1.
vec4 shade(float before, float after, bool showAfter, float valid) {
    vec3 colour;
#if defined(ONE_IMAGE)
    colour = toned(before, uWindowBefore, uMarks[0]);
#else
    if (uDifference == 1) {
        colour = mapped(clamp(0.5 + 0.5 * (after - before) * uDifferenceScale, 0.0, 1.0));
    } else if (uDifference == 2) {
        colour = mapped(clamp(abs(after - before) * uDifferenceScale, 0.0, 1.0));
    } else if (uDifference == 3) {
        colour = mapped(showAfter ? clamp((after - before) * uDifferenceScale, 0.0, 1.0) : 0.0);
    } else if (showAfter) {
        colour = toned(after, uWindowAfter, uMarks[1]);
    } else {
        colour = toned(before, uWindowBefore, uMarks[0]);
    }
#endif
    ivec2 square = ivec2(floor(gl_FragCoord.xy / uChecker));
    vec3 nothing = ((square.x + square.y) & 1) == 0 ? uCheckerLight : uCheckerDark;
    return vec4(mix(nothing, colour, valid), 1.0);
}
