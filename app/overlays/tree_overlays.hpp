#pragma once

#include "overlays/overlay.hpp"
#include "tree/component_paint.hpp"

#include <QRgb>

#include <cstdint>
#include <optional>
#include <span>

namespace pollard::vm {
class ChainViewModel;
class DocumentViewModel;
class NodeSelection;
} // namespace pollard::vm

namespace pollard::app {

/// Tints components of the current tree in the image, with their outline.
class TreeOverlay : public Overlay {
public:
    /// @param document must outlive this
    /// @param opacity of the tint, 0 .. 255; the outline is opaque
    TreeOverlay(const vm::DocumentViewModel& document, QRgb colour, int opacity)
        : document_(document), colour_(colour), opacity_(opacity) {}

    /// Call when the components have changed.
    void forgetImage() { image_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

protected:
    /// Whether there is a component to show.
    [[nodiscard]] virtual bool isAny() const = 0;
    /// Paints the components; requires isAny().
    virtual void fill(const NodePaint& paint, std::span<std::uint32_t> out) const = 0;

private:
    const vm::DocumentViewModel& document_;
    QRgb colour_;
    int opacity_;
    SurfaceImage image_;
};

/// Highlights the current component of the chain in the image.
class ComponentOverlay : public TreeOverlay {
public:
    /// @param document,chain must outlive this
    ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain);

protected:
    [[nodiscard]] bool isAny() const override;
    void fill(const NodePaint& paint, std::span<std::uint32_t> out) const override;

private:
    const vm::ChainViewModel& chain_;
};

/// Draws a ring of fixed size around the current component while the chain is held, if the component is too small to be
/// seen.
class ChainRing : public Overlay {
public:
    static constexpr double kRadius = 9; ///< logical px

    /// @param document,chain must outlive this
    ChainRing(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain)
        : document_(document), chain_(chain) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    /// The middle of the ring on the surface.
    [[nodiscard]] std::optional<QPointF> middle(const OverlayScene& scene) const;

    const vm::DocumentViewModel& document_;
    const vm::ChainViewModel& chain_;
};

/// Colour of the selection in all views, distinct from the amber of the current component.
[[nodiscard]] constexpr QRgb selectionColour() { return qRgba(0, 200, 255, 255); }

inline constexpr int kSelectionOpacity = 90; ///< of the tint in the image, 0 .. 255

/// All selected components.
class SelectionOverlay : public TreeOverlay {
public:
    /// @param document,selection must outlive this
    SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection);

protected:
    [[nodiscard]] bool isAny() const override;
    void fill(const NodePaint& paint, std::span<std::uint32_t> out) const override;

private:
    const vm::NodeSelection& selection_;
};

} // namespace pollard::app
