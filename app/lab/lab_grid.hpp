#pragma once

#include "trace/lab_image.hpp"

#include <QPointF>
#include <QRectF>

#include <cstdint>

namespace pollard::app {

/// Layout of the pixels of a small image: centred squares, as large as possible.
class LabGrid {
public:
    LabGrid(const teach::LabImage& picture, const QRectF& area);

    [[nodiscard]] double side() const noexcept { return side_; } ///< of a pixel
    [[nodiscard]] QRectF all() const { return {origin_.x(), origin_.y(), side_ * columns_, side_ * rows_}; }
    [[nodiscard]] QRectF cell(std::int64_t pixel) const;
    [[nodiscard]] QPointF centre(std::int64_t pixel) const { return cell(pixel).center(); }
    [[nodiscard]] QPointF corner(double x, double y) const { return origin_ + QPointF(x, y) * side_; }
    /// -1 outside of the image.
    [[nodiscard]] int pixelAt(QPointF place) const;

private:
    int columns_;
    int rows_;
    double side_;
    QPointF origin_;
};

} // namespace pollard::app
