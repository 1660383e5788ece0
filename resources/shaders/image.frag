#version 330 core
// Mean grey levels of integer textures; tone.frag makes colours of them.
// Integer textures cannot be filtered by the hardware: magnified pixels are fetched as they are, shrunk ones
// are averaged over the footprint of the device pixel: every texel by the area it shares with it, or, where that
// takes too many fetches, on a grid of uSamples x uSamples.
uniform usampler2D uBefore;
uniform usampler2D uAfter;
uniform vec4 uTile;
uniform vec2 uOrigin;
uniform float uScale;
uniform vec2 uViewport;
uniform float uSplit;       // device px from the left; "after" is shown from here on
uniform int uSamples;       // 0: weigh every texel
uniform int uBlend;         // 1: magnified pixels are blended

out vec4 fragColour;

bool shadesBoth();
vec4 shade(float before, float after, bool showAfter, float valid);

float levelAt(usampler2D levels, ivec2 texel) { return float(texelFetch(levels, texel, 0).r); }

float weighted(usampler2D levels, vec2 centre) {
    vec2 low = max(centre - 0.5 / uScale, vec2(0.0));
    vec2 high = min(centre + 0.5 / uScale, uTile.zw);
    ivec2 first = ivec2(floor(low));
    ivec2 last = ivec2(ceil(high)) - 1;
    float sum = 0.0;
    for (int y = first.y; y <= last.y; ++y) {
        float share = min(high.y, float(y + 1)) - max(low.y, float(y));
        for (int x = first.x; x <= last.x; ++x) {
            float weight = share * (min(high.x, float(x + 1)) - max(low.x, float(x)));
            sum += weight * levelAt(levels, ivec2(x, y));
        }
    }
    vec2 size = high - low;
    return sum / (size.x * size.y);
}

float averaged(usampler2D levels, vec2 centre) {
    ivec2 last = ivec2(uTile.zw) - 1;
    if (uBlend == 1) {
        vec2 corner = floor(centre - 0.5);
        vec2 t = centre - 0.5 - corner;
        ivec2 a = clamp(ivec2(corner), ivec2(0), last);
        ivec2 b = clamp(ivec2(corner) + 1, ivec2(0), last);
        float top = mix(levelAt(levels, a), levelAt(levels, ivec2(b.x, a.y)), t.x);
        float bottom = mix(levelAt(levels, ivec2(a.x, b.y)), levelAt(levels, b), t.x);
        return mix(top, bottom, t.y);
    }
    if (uSamples == 0) {
        return weighted(levels, centre);
    }
    if (uSamples == 1) {
        return levelAt(levels, clamp(ivec2(floor(centre)), ivec2(0), last));
    }
    float stride = 1.0 / (uScale * float(uSamples));
    vec2 first = centre - 0.5 * stride * float(uSamples - 1);
    float sum = 0.0;
    for (int j = 0; j < uSamples; ++j) {
        for (int i = 0; i < uSamples; ++i) {
            // Every second row and column is shifted, or patterns of the stride's period would come out as one tone.
            vec2 shift = vec2((j & 1) == 0 ? -0.25 : 0.25, (i & 1) == 0 ? -0.25 : 0.25);
            vec2 position = first + stride * (vec2(i, j) + shift);
            sum += levelAt(levels, clamp(ivec2(floor(position)), ivec2(0), last));
        }
    }
    return sum / float(uSamples * uSamples);
}

void main() {
    vec2 position = vec2(gl_FragCoord.x, uViewport.y - gl_FragCoord.y);
    vec2 centre = (position - uOrigin) / uScale - uTile.xy;
    bool showAfter = gl_FragCoord.x >= uSplit;
    float before = !showAfter || shadesBoth() ? averaged(uBefore, centre) : 0.0;
    float after = showAfter || shadesBoth() ? averaged(uAfter, centre) : 0.0;
    fragColour = shade(before, after, showAfter, 1.0);
}
