#pragma once

#include "canvas/canvas_tool.hpp"

#include "vm/display/display_view_model.hpp"

#include <QWidget>

#include <algorithm>
#include <cmath>

namespace pollard::app {

/// Drags the line between the picture and its filtered version.
class SplitTool : public CanvasTool {
public:
    /// @param surface,display must outlive this
    SplitTool(const QWidget& surface, vm::DisplayViewModel& display) : surface_(surface), display_(display) {}

    bool press(const QMouseEvent& event) override { return isNear(event.position()); }
    void drag(const QMouseEvent& event) override {
        display_.setSplitPosition(std::clamp(event.position().x() / std::max(surface_.width(), 1), 0.0, 1.0));
    }
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override {
        return isNear(position) ? std::optional(QCursor(Qt::SplitHCursor)) : std::nullopt;
    }

private:
    static constexpr double kReach = 9; ///< logical px around the line within which a press grabs it

    [[nodiscard]] bool isNear(QPointF position) const {
        return display_.isSplitEnabled() &&
               std::abs(position.x() - display_.splitPosition() * surface_.width()) <= kReach;
    }

    const QWidget& surface_;
    vm::DisplayViewModel& display_;
};

} // namespace pollard::app
