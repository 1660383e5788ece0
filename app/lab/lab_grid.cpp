#include "lab/lab_grid.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::app {

LabGrid::LabGrid(const teach::LabImage& picture, const QRectF& area)
    : columns_(static_cast<int>(picture.width)), rows_(static_cast<int>(picture.height)),
      side_(std::max(1.0, std::floor(std::min(area.width() / columns_, area.height() / rows_)))),
      origin_(std::floor(area.center().x() - side_ * columns_ / 2), std::floor(area.center().y() - side_ * rows_ / 2)) {
}

QRectF LabGrid::cell(std::int64_t pixel) const {
    const std::int64_t column = pixel % columns_;
    const std::int64_t row = pixel / columns_;
    return {corner(static_cast<double>(column), static_cast<double>(row)), QSizeF(side_, side_)};
}

int LabGrid::pixelAt(QPointF place) const {
    const QPointF at = (place - origin_) / side_;
    const int x = static_cast<int>(std::floor(at.x()));
    const int y = static_cast<int>(std::floor(at.y()));
    return x >= 0 && y >= 0 && x < columns_ && y < rows_ ? y * columns_ + x : -1;
}

} // namespace pollard::app
