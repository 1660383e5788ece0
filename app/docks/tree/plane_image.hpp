#pragma once

#include "docks/tree/plane_area.hpp"

#include <QImage>

class QPainter;

namespace pollard::vm {
class AttributePlaneViewModel;
}

namespace pollard::app {

/// Paints the components of a plane of two attributes as densities, with the histogram of each attribute beside.
class PlaneImage {
public:
    /// @param plane must outlive this
    explicit PlaneImage(const vm::AttributePlaneViewModel& plane) : plane_(plane) {}

    /// Drops the cached image, which is out of date.
    void forget() { density_ = {}; }
    /// @param ratio device px per px
    void paint(QPainter& painter, const PlaneArea& area, double ratio);

private:
    const vm::AttributePlaneViewModel& plane_;
    QImage density_; ///< in device px; null: out of date
};

} // namespace pollard::app
