#pragma once

#include <QColor>
#include <QOpenGLExtraFunctions>

#include <vector>

namespace pollard::app {

/// The colours from the lowest level to the highest as a texture for tone.frag. All calls require the context of the
/// first one to be current.
class ColourMapTexture : protected QOpenGLExtraFunctions {
public:
    ColourMapTexture() = default;
    ColourMapTexture(const ColourMapTexture&) = delete;
    ColourMapTexture& operator=(const ColourMapTexture&) = delete;

    /// @param colours evenly spaced; at least one
    void load(const std::vector<QColor>& colours);
    [[nodiscard]] GLuint texture() const noexcept { return texture_; }
    void destroy();

private:
    GLuint texture_ = 0;
};

} // namespace pollard::app
