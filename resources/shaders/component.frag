#version 330 core
// For light.frag: one component, an interval of node numbers.
uniform uint uFirst;
uniform uint uCount;

bool isLit(uint node) {
    return node - uFirst < uCount; // wraps below the first
}
