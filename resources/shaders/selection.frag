#version 330 core
// For light.frag: nodes that have a bit of their own.
uniform usampler2D uBits; // 32 nodes a texel, row after row
uniform int uWidth;       // texels in a row
uniform uint uCount;      // nodes

bool isLit(uint node) {
    if (node >= uCount) { // that of px without a node
        return false;
    }
    int word = int(node >> 5u);
    return (texelFetch(uBits, ivec2(word % uWidth, word / uWidth), 0).r >> (node & 31u) & 1u) != 0u;
}
