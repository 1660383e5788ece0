#pragma once

#include "gl/component_painter.hpp"
#include "gl/image_part.hpp"
#include "gl/node_texture.hpp"
#include "tree/component_tree.hpp"

#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QRectF>
#include <QSize>

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::app {

/// A copy of a framebuffer, for frames in which only the overlay changes. All calls require the same context to be
/// current.
class FrameCopy : protected QOpenGLExtraFunctions {
public:
    /// Copies @p framebuffer, which stays bound.
    void keep(GLuint framebuffer, QSize size);
    /// Writes the copy back into @p framebuffer, which stays bound. @returns whether there was a copy of this size
    bool restore(GLuint framebuffer, QSize size);
    void forget() noexcept { kept_ = false; }
    [[nodiscard]] bool isKept() const noexcept { return kept_; }
    void destroy();

private:
    void copy(GLuint from, GLuint to, QSize size);

    std::unique_ptr<QOpenGLFramebufferObject> copy_;
    bool kept_ = false;
};

/// Highlights the selection and the current component in the canvas's image using the node indices on the graphics
/// card, and keeps a copy of the image below the component, so that a change of the component costs a copy and one
/// pass over the screen.
/// Calls marked (GL) require the canvas's context to be current.
class ComponentHighlight {
public:
    using Colours = ComponentPainter::Colours;
    static constexpr QRgb kColour = qRgba(255, 196, 0, 255); ///< amber, visible on grey and on the residue's colours
    static constexpr int kOpacity = 70;                      ///< of the tint, 0 .. 255

    /// Sets the tree; null for none. load() writes or copies its numbers.
    void setTree(std::shared_ptr<const ComponentTree> tree, NodeTexture::Source source) {
        numbers_.setTree(std::move(tree), std::move(source));
    }
    /// Sets the visible plane of a volume.
    void setPlane(const VolumePlane& plane) { numbers_.setPlane(plane); }
    /// @returns whether it has changed
    bool setComponent(std::optional<std::uint32_t> node);
    /// Selects the nodes whose bit is set; null for none.
    void setSelection(NodeBitsTexture::Bits bits, const Colours& colours);
    [[nodiscard]] NodeBitsTexture& selection() noexcept { return selection_; }
    [[nodiscard]] NodeTexture& numbers() noexcept { return numbers_; }
    [[nodiscard]] const NodeTexture& numbers() const noexcept { return numbers_; }

    /// (GL) @throws Error(deviceFailed)
    void setup() { painter_.setup(); }
    /// Lets the device write the numbers, or copies some for a few milliseconds, starting with the part @p seen (px of
    /// the image). (GL)
    void load(const QRectF& seen);
    /// Highlights the selection, if any; requires loaded numbers. (GL) @returns false if its bits do not fit on the
    /// graphics card
    [[nodiscard]] bool renderSelection(const ImagePart& part);
    /// Highlights the component, if any; requires loaded numbers. (GL)
    void render(const ImagePart& part);
    /// The image without highlight. (GL)
    [[nodiscard]] FrameCopy& image() noexcept { return image_; }
    void destroy(); ///< (GL)

private:
    NodeTexture numbers_;
    NodeBitsTexture selection_;
    Colours selectionColours_;
    ComponentPainter painter_;
    FrameCopy image_;
    std::optional<std::uint32_t> node_;
};

} // namespace pollard::app
