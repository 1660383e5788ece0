#pragma once

#include "gl/tone_uniforms.hpp"
#include "gl/volume_texture.hpp"

#include "vm/display/rendering_view_model.hpp"
#include "vm/image/volume_camera.hpp"

#include <QColor>
#include <QLineF>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QSize>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace pollard::app {

/// Draws a volume and its filter result from any direction. All calls require the same context to be current.
class VolumePainter : protected QOpenGLExtraFunctions {
public:
    struct View {
        vm::VolumeCamera camera;
        BlockSides blocks; ///< of voxels, a texel each
        QSize viewport;    ///< px
        double split = 0;  ///< px; the part left of it shows the volume before the filter
        Tone tone;
        GLuint colourMap = 0;
        vm::Rendering rendering = vm::Rendering::maximum;
        double opacity = 0; ///< of the opaque end of the window
        bool isDarkOpaque = false;
        std::optional<vm::LevelWindow> curve; ///< levels at the ends of the curve of opacity, instead of the window
        GLuint opacities = 0;                 ///< the curve, as a map of greys
        bool curveFitsResult = true;          ///< it holds for the result, too
        bool hasShading = true;
        std::uint32_t firstLit = 0; ///< node of the lit component
        std::uint32_t litNodes = 0; ///< of it and its descendants; 0: none is lit
        QColor light;               ///< of that component
        QColor back;                ///< beside the volume
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
