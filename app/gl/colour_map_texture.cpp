#include "gl/colour_map_texture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace pollard::app {
namespace {

constexpr int kMapSize = 256; ///< as in tone.frag

} // namespace

void ColourMapTexture::load(const std::vector<QColor>& colours) {
    std::array<std::uint8_t, kMapSize * 4> texels{};
    const double last = static_cast<double>(colours.size()) - 1;
    for (int i = 0; i < kMapSize; ++i) {
        const double position = last * i / (kMapSize - 1);
        const auto low = static_cast<std::size_t>(position);
        const std::size_t high = std::min(low + 1, colours.size() - 1);
        const double t = position - static_cast<double>(low);
        const auto mix = [t](int a, int b) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * t)); };
        std::uint8_t* texel = &texels[static_cast<std::size_t>(i) * 4];
        texel[0] = mix(colours[low].red(), colours[high].red());
        texel[1] = mix(colours[low].green(), colours[high].green());
        texel[2] = mix(colours[low].blue(), colours[high].blue());
        texel[3] = 255;
    }
    if (texture_ == 0) {
        initializeOpenGLFunctions();
        glGenTextures(1, &texture_);
    }
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kMapSize, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
}

void ColourMapTexture::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
}

} // namespace pollard::app
