#version 330 core
// Grey levels of an integer texture -> window/level -> colour map.
// Integer textures cannot be filtered by the hardware: magnified pixels are fetched as they are, shrunk ones
// are averaged over the footprint of the device pixel on a grid of uSamples x uSamples fetches.
uniform usampler2D uBefore;
uniform usampler2D uAfter;
uniform sampler2D uColourMap;
uniform vec4 uTile;
uniform vec2 uOrigin;
uniform float uScale;
uniform vec2 uViewport;
uniform vec2 uWindowBefore; // lower level and 1 / width of the window
uniform vec2 uWindowAfter;
uniform float uSplit;       // device px from the left; "after" is shown from here on
uniform int uSamples;
uniform int uBlend;         // 1: magnified pixels are blended

out vec4 fragColour;

float windowed(usampler2D levels, ivec2 texel, vec2 window) {
    return clamp((float(texelFetch(levels, texel, 0).r) - window.x) * window.y, 0.0, 1.0);
}

float averaged(usampler2D levels, vec2 centre, vec2 window) {
    ivec2 last = ivec2(uTile.zw) - 1;
    if (uBlend == 1) {
        vec2 corner = floor(centre - 0.5);
        vec2 t = centre - 0.5 - corner;
        ivec2 a = clamp(ivec2(corner), ivec2(0), last);
        ivec2 b = clamp(ivec2(corner) + 1, ivec2(0), last);
        float top = mix(windowed(levels, a, window), windowed(levels, ivec2(b.x, a.y), window), t.x);
        float bottom = mix(windowed(levels, ivec2(a.x, b.y), window), windowed(levels, b, window), t.x);
        return mix(top, bottom, t.y);
    }
    if (uSamples <= 1) {
        return windowed(levels, clamp(ivec2(floor(centre)), ivec2(0), last), window);
    }
    float stride = 1.0 / (uScale * float(uSamples));
    vec2 first = centre - 0.5 * stride * float(uSamples - 1);
    float sum = 0.0;
    for (int j = 0; j < uSamples; ++j) {
        for (int i = 0; i < uSamples; ++i) {
            vec2 position = first + stride * vec2(i, j);
            sum += windowed(levels, clamp(ivec2(floor(position)), ivec2(0), last), window);
        }
    }
    return sum / float(uSamples * uSamples);
}

void main() {
    vec2 position = vec2(gl_FragCoord.x, uViewport.y - gl_FragCoord.y);
    vec2 centre = (position - uOrigin) / uScale - uTile.xy;
    float value;
    if (gl_FragCoord.x < uSplit) {
        value = averaged(uBefore, centre, uWindowBefore);
    } else {
        value = averaged(uAfter, centre, uWindowAfter);
    }
    fragColour = vec4(texture(uColourMap, vec2((value * 255.0 + 0.5) / 256.0, 0.5)).rgb, 1.0);
}
