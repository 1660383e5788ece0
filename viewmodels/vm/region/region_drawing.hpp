#pragma once

#include "image/region_shape.hpp"

#include <QPointF>
#include <QSize>

#include <optional>

namespace pollard::vm {

/// The tool and the shape being drawn with it. Functions that return bool return whether anything changed.
class RegionDrawing {
public:
    /// Effect of the pointer on the picture.
    enum class Tool { hand, rectangle, ellipse, polygon };

    [[nodiscard]] Tool tool() const noexcept { return tool_; }
    /// The next shape is not for the region, and the hand tool follows it.
    [[nodiscard]] bool isOnce() const noexcept { return once_; }
    /// A polygon's last corner follows the pointer.
    [[nodiscard]] const std::optional<RegionShape>& draft() const noexcept { return draft_; }

    void setTool(Tool tool, bool once) noexcept {
        tool_ = tool;
        once_ = once;
    }
    bool begin(const QPointF& place, QSize picture);
    /// @param square equal sides (not for polygons)
    bool move(const QPointF& place, bool square, QSize picture);
    bool addPoint(const QPointF& place, QSize picture);
    /// Without fixed corners the drawing ends.
    bool removePoint();
    /// Ends the drawing. @returns the shape; nothing if it is invalid
    std::optional<RegionShape> finish();
    bool cancel();

private:
    Tool tool_ = Tool::hand;
    bool once_ = false;
    std::optional<RegionShape> draft_;
    QPointF anchor_; ///< fixed corner of a rectangle or an ellipse
};

} // namespace pollard::vm
