#pragma once

#include "gl/component_painter.hpp"
#include "gl/frame_copy.hpp"
#include "gl/node_texture.hpp"

#include "tree/component_tree.hpp"

#include <QRectF>
#include <QSize>

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::app {

/// Lights what is selected and the current component in the canvas's picture by the numbers of nodes on the graphics
/// card, and keeps the picture below the component, so that another component is a copy and one pass over the screen.
/// Calls marked (GL) need the canvas's context to be current.
class ComponentLight {
public:
    using View = ComponentPainter::View;
    using Colours = ComponentPainter::Colours;
    static constexpr QRgb kColour = qRgba(255, 196, 0, 255); ///< amber is seen on grey and on the residue's colours
    static constexpr int kOpacity = 70;                      ///< of the tint, 0 .. 255

    /// Components of this tree may be lit; null for none. The numbers are written or copied by load().
    void setTree(std::shared_ptr<const ComponentTree> tree, NodeTexture::Source source) {
        numbers_.setTree(std::move(tree), std::move(source));
    }
    /// @returns whether it is another one than before
    bool setComponent(std::optional<std::uint32_t> node);
    /// The nodes of the tree that have a bit; none for null.
    void setSelection(NodeBitsTexture::Bits bits, const Colours& colours);
    [[nodiscard]] NodeBitsTexture& selection() noexcept { return selection_; }
    [[nodiscard]] NodeTexture& numbers() noexcept { return numbers_; }
    [[nodiscard]] const NodeTexture& numbers() const noexcept { return numbers_; }

    /// (GL) @throws Error(deviceFailed)
    void setup() { painter_.setup(); }
    /// Has the device write the numbers, or copies some for a few milliseconds, first those that are seen (px of the
    /// picture). (GL)
    void load(const QRectF& seen);
    /// Lights the selection, if there is one; the numbers are there. (GL) @returns false if its bits find no
    /// room there
    [[nodiscard]] bool renderSelection(const View& view);
    /// Lights the component, if there is one; the numbers are there. (GL)
    void render(const View& view);
    /// The picture without light. (GL)
    [[nodiscard]] FrameCopy& picture() noexcept { return picture_; }
    void destroy(); ///< (GL)

private:
    NodeTexture numbers_;
    NodeBitsTexture selection_;
    Colours selectionColours_;
    ComponentPainter painter_;
    FrameCopy picture_;
    std::optional<std::uint32_t> node_;
};

} // namespace pollard::app
