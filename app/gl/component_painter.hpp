#pragma once

#include "gl/image_part.hpp"
#include "gl/node_texture.hpp"
#include "tree/node_set.hpp"

#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QRgb>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::app {

/// A bit per node of a tree on the graphics card: an R32UI texture with 32 nodes per texel, row by row, so that a
/// shader finds the bit of a node by its number. Only changed rows are copied; 64 million nodes are 8 MiB. Calls marked
/// (GL) require the context of the first call to be current.
class NodeBitsTexture : protected QOpenGLExtraFunctions {
public:
    using Bits = std::shared_ptr<const std::vector<std::uint32_t>>;
    static constexpr int kWidth = 1024;                               ///< texels per row: 4 KiB, 32,768 nodes
    static constexpr std::uint64_t kBudget = std::uint64_t{16} << 20; ///< bytes above which there is no texture

    NodeBitsTexture() = default;
    NodeBitsTexture(const NodeBitsTexture&) = delete;
    NodeBitsTexture& operator=(const NodeBitsTexture&) = delete;

    /// Sets the bits for load(), or none (null). @param bits in the format of bitsOf()
    void setBits(Bits bits) noexcept { wanted_ = std::move(bits); }
    [[nodiscard]] const Bits& bits() const noexcept { return wanted_; }
    void setBudget(std::uint64_t bytes) noexcept { budget_ = bytes; }
    /// Copies changed rows; frees the texture if setBits() got null. (GL) @returns whether the texture has the bits:
    /// false if they exceed the budget or the driver refuses it
    bool load();
    void destroy(); ///< (GL)

    [[nodiscard]] GLuint texture() const noexcept { return texture_; }
    [[nodiscard]] std::uint64_t copiedBytes() const noexcept { return copiedBytes_; } ///< total

private:
    bool reserve(int rows);
    void copyRows(int first, int end);

    Bits wanted_;
    Bits uploaded_; ///< in the texture
    GLuint texture_ = 0;
    int rows_ = 0; ///< of the texture
    std::uint64_t budget_ = kBudget;
    std::uint64_t copiedBytes_ = 0;
    bool ready_ = false;
};

/// Highlights nodes over the image: tints their pixels and draws the outline. The cost does not depend on their
/// number.
class ComponentPainter : protected QOpenGLExtraFunctions {
public:
    /// Premultiplied.
    struct Colours {
        QRgb fill = 0;
        QRgb outline = 0;
    };

    /// Compiles the shaders. @throws Error(deviceFailed)
    void setup();
    /// Highlights a component.
    void render(const NodeTexture::Layers& nodes, NodeInterval component, const Colours& colours,
                const ImagePart& part);
    /// Highlights the nodes with a set bit; requires loaded bits. @param count of the tree's nodes
    void render(const NodeTexture::Layers& nodes, const NodeBitsTexture& bits, std::uint32_t count,
                const Colours& colours, const ImagePart& part);
    void destroy();

private:
    void draw(QOpenGLShaderProgram& program, const NodeTexture::Layers& nodes, const Colours& colours,
              const ImagePart& part);

    std::unique_ptr<QOpenGLShaderProgram> component_;
    std::unique_ptr<QOpenGLShaderProgram> selection_;
    QOpenGLVertexArrayObject vertices_;
};

} // namespace pollard::app
