#pragma once

#include "gl/tile_textures.hpp"
#include "gl/tone.hpp"
#include "image/image.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/image/rendering_look.hpp"

#include <QColor>
#include <QLineF>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QSize>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace pollard::app {

/// A 3-D texture of a volume: levels (R8 or R16, 0 to 1, interpolated) or numbers (R32UI). It is copied slice by slice.
/// Calls marked (GL) require the context of the first call to be current.
class VolumeTexture : protected QOpenGLExtraFunctions {
public:
    VolumeTexture() = default;
    VolumeTexture(const VolumeTexture&) = delete;
    VolumeTexture& operator=(const VolumeTexture&) = delete;

    /// Sets the volume for load(); null for none.
    void setLevels(std::shared_ptr<const Image> volume);
    void setNumbers(std::shared_ptr<const std::uint32_t> numbers, const Extent& extent);
    /// Copies slices while the allowance lasts; frees the texture if there is no volume. (GL)
    /// @throws Error(outOfMemory) if the driver refuses the texture, which is then empty
    void load(UploadAllowance& allowance);
    /// Whether all slices of the volume are in the texture.
    [[nodiscard]] bool isComplete() const noexcept { return loaded_ == extent_.slices || data_ == nullptr; }
    [[nodiscard]] bool hasTexture() const noexcept { return texture_ != 0; }
    [[nodiscard]] const Extent& extent() const noexcept { return extent_; } ///< of the volume
    [[nodiscard]] std::uint16_t largestLevel() const noexcept { return format_.bytes == 1 ? 0xff : 0xffff; }
    /// (GL)
    void bind(int unit);
    void destroy(); ///< (GL)

private:
    struct Format {
        GLint internal = GL_R8;
        GLenum pixels = GL_RED;
        GLenum type = GL_UNSIGNED_BYTE;
        std::size_t bytes = 1;

        bool operator==(const Format&) const = default;
    };
    void set(std::shared_ptr<const void> data, const Format& format, const Extent& extent);
    void allocate();

    std::shared_ptr<const void> data_;
    Format format_;
    Extent extent_{0, 0, 0};
    std::uint32_t loaded_ = 0; ///< slices
    GLuint texture_ = 0;
    Format allocated_;         ///< of texture_
    Extent allocatedExtent_{}; ///< of texture_
    bool ready_ = false;
};

/// Draws a volume and its filter result from any direction. All calls require the same context to be current.
class VolumePainter : protected QOpenGLExtraFunctions {
public:
    struct View {
        vm::VolumeCamera camera;
        BlockSides blocks; ///< of voxels, a texel each
        QSize viewport;    ///< px
        double split = 0;  ///< px; the unfiltered volume is shown on its left
        Tone tone;
        GLuint colourMap = 0;
        vm::Rendering rendering = vm::Rendering::maximum;
        double opacity = 0; ///< of the opaque end of the window
        bool isDarkOpaque = false;
        std::optional<vm::LevelWindow> curve; ///< levels at the ends of the curve of opacity, instead of the window
        GLuint opacities = 0;                 ///< the curve, as a map of greys
        bool curveFitsResult = true;          ///< whether the curve holds for the result, too
        bool hasShading = true;
        std::uint32_t firstLit = 0; ///< node of the lit component
        std::uint32_t litNodes = 0; ///< nodes of the lit component with its descendants; 0: none is lit
        QColor light;               ///< colour of the lit component
        QColor back;                ///< colour of the background
        double stepLength = 1;      ///< smallest sides of a block
    };
    struct Line {
        QLineF place; ///< device px from the top left
        QColor colour;
    };
    static constexpr std::size_t kMostLines = 32;

    /// Compiles the shaders. @throws Error(deviceFailed)
    void setup();
    /// @param nodes needed if a component is lit
    void render(VolumeTexture& before, VolumeTexture& after, VolumeTexture& nodes, const View& view);
    /// @param lines at most kMostLines
    void renderLines(std::span<const Line> lines, QSize viewport);
    void destroy();

private:
    void setRays(const View& view);

    std::unique_ptr<QOpenGLShaderProgram> rays_;
    std::unique_ptr<QOpenGLShaderProgram> lines_;
    QOpenGLVertexArrayObject vertices_;
};

} // namespace pollard::app
