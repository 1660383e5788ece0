#version 330 core
// Mean grey levels of integer textures; tone.frag makes colours of them.
// Integer textures cannot be filtered by the hardware: magnified pixels are fetched as they are, shrunk ones
// are averaged over the footprint of the device pixel: every texel by the area it shares with it, or, where that
// takes too many fetches, on a grid of samples x samples. Texels without data count as little as they are covered.
//
// Compiled for each way to show images, because software rendering runs through all branches:
//   ONE_IMAGE  only "before" is read and shown
//   SAMPLING     as Source.samples: 0, 1 or -1, or 2 for a grid; not defined: of each image as Source.samples says
//   MASKED       0 or 1, as Source.isMasked; not defined: as that says
struct Source {
    vec2 texel;    // at the top left corner of uRect
    vec2 size;     // texels that may be fetched
    vec2 step;     // texels per device px; negative downwards if the last row is on top
    int samples;   // 0: weigh every texel, 1: one fetch, n: a grid of n x n, -1: blend four neighbours
    bool isMasked; // it has a texture of coverage
};
uniform usampler2D uBefore;
uniform usampler2D uAfter;
uniform usampler2D uCoverBefore; // 0 (no data) to 255
uniform usampler2D uCoverAfter;
uniform Source uSourceBefore;
uniform Source uSourceAfter;
uniform vec4 uRect;
uniform vec2 uViewport;
uniform float uSplit; // device px from the left; "after" is shown from here on

out vec4 fragColour;

bool shadesBoth();
vec4 shade(float before, float after, bool showAfter, float valid);

// Sums over texels: weight, weight of data, weighted level of all and of data.
void add(usampler2D levels, usampler2D cover, bool isMasked, ivec2 texel, float weight, inout vec4 sums) {
    float level = float(texelFetch(levels, texel, 0).r);
#if defined(MASKED)
    isMasked = MASKED == 1;
#endif
    float data = isMasked ? weight * float(texelFetch(cover, texel, 0).r) / 255.0 : weight;
    sums += vec4(weight, data, weight * level, data * level);
}

void addWeighted(usampler2D levels, usampler2D cover, Source source, vec2 centre, inout vec4 sums) {
    vec2 reach = 0.5 * abs(source.step);
    vec2 low = max(centre - reach, vec2(0.0));
    vec2 high = min(centre + reach, source.size);
    ivec2 first = ivec2(floor(low));
    ivec2 last = ivec2(ceil(high)) - 1;
    for (int y = first.y; y <= last.y; ++y) {
        float share = min(high.y, float(y + 1)) - max(low.y, float(y));
        for (int x = first.x; x <= last.x; ++x) {
            float weight = share * (min(high.x, float(x + 1)) - max(low.x, float(x)));
            add(levels, cover, source.isMasked, ivec2(x, y), weight, sums);
        }
    }
}

void addBlended(usampler2D levels, usampler2D cover, Source source, vec2 centre, inout vec4 sums) {
    ivec2 last = ivec2(source.size) - 1;
    vec2 corner = floor(centre - 0.5);
    vec2 t = centre - 0.5 - corner;
    ivec2 a = clamp(ivec2(corner), ivec2(0), last);
    ivec2 b = clamp(ivec2(corner) + 1, ivec2(0), last);
    add(levels, cover, source.isMasked, a, (1.0 - t.x) * (1.0 - t.y), sums);
    add(levels, cover, source.isMasked, ivec2(b.x, a.y), t.x * (1.0 - t.y), sums);
    add(levels, cover, source.isMasked, ivec2(a.x, b.y), (1.0 - t.x) * t.y, sums);
    add(levels, cover, source.isMasked, b, t.x * t.y, sums);
}

void addGrid(usampler2D levels, usampler2D cover, Source source, vec2 centre, inout vec4 sums) {
    ivec2 last = ivec2(source.size) - 1;
    vec2 stride = source.step / float(source.samples);
    vec2 first = centre - 0.5 * stride * float(source.samples - 1);
    for (int j = 0; j < source.samples; ++j) {
        for (int i = 0; i < source.samples; ++i) {
            // Every second row and column is shifted, or patterns of the stride's period would come out as one tone.
            vec2 shift = vec2((j & 1) == 0 ? -0.25 : 0.25, (i & 1) == 0 ? -0.25 : 0.25);
            vec2 position = first + stride * (vec2(i, j) + shift);
            add(levels, cover, source.isMasked, clamp(ivec2(floor(position)), ivec2(0), last), 1.0, sums);
        }
    }
}

// Mean level and share of it that holds data.
vec2 averaged(usampler2D levels, usampler2D cover, Source source, vec2 fromCorner) {
    vec2 centre = source.texel + fromCorner * source.step;
    vec4 sums = vec4(0.0);
#if defined(SAMPLING)
    int samples = SAMPLING;
#else
    int samples = source.samples;
#endif
    if (samples == 0) {
        addWeighted(levels, cover, source, centre, sums);
    } else if (samples == -1) {
        addBlended(levels, cover, source, centre, sums);
    } else if (samples == 1) {
        ivec2 texel = clamp(ivec2(floor(centre)), ivec2(0), ivec2(source.size) - 1);
        add(levels, cover, source.isMasked, texel, 1.0, sums);
    } else {
        addGrid(levels, cover, source, centre, sums);
    }
    return vec2(sums.y > 0.0 ? sums.w / sums.y : sums.z / sums.x, sums.y / sums.x);
}

void main() {
    vec2 fromCorner = vec2(gl_FragCoord.x, uViewport.y - gl_FragCoord.y) - uRect.xy;
#if defined(ONE_IMAGE)
    vec2 mean = averaged(uBefore, uCoverBefore, uSourceBefore, fromCorner);
    fragColour = shade(mean.x, mean.x, false, mean.y);
#else
    bool showAfter = gl_FragCoord.x >= uSplit;
    vec2 before = vec2(0.0);
    vec2 after = vec2(0.0);
    if (!showAfter || shadesBoth()) {
        before = averaged(uBefore, uCoverBefore, uSourceBefore, fromCorner);
    }
    if (showAfter || shadesBoth()) {
        after = averaged(uAfter, uCoverAfter, uSourceAfter, fromCorner);
    }
    fragColour = shade(before.x, after.x, showAfter, showAfter ? after.y : before.y);
#endif
}
