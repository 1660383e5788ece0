#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/label_file.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pollard {

/// Corner of a polygon, px: (0, 0) is the upper left corner of the image.
struct OutlineCorner {
    double x = 0;
    double y = 0;
};
using OutlineLoop = std::vector<OutlineCorner>;
using OutlinePolygon = std::vector<OutlineLoop>; ///< inside: within an odd number of loops

/// A part of an object in a file.
struct StoredOutline {
    std::optional<std::uint32_t> number;
    std::optional<std::uint32_t> slice; ///< of a volume; unset: all slices
    std::vector<OutlinePolygon> polygons;
    std::vector<std::uint64_t> runs = {}; ///< instead of polygons: pixels column by column, outside and inside in turn
    bool takesRightEdge = false;          ///< a pixel whose centre is on a right edge is inside, on a left edge outside
};

/// The labels of outlines. A pixel is in a polygon if its centre is, or if its centre is on a left edge; later outlines
/// cover earlier ones.
class OutlinePainter {
public:
    /// @throws std::bad_alloc
    explicit OutlinePainter(const Extent& extent);

    /// Gives the pixels of an outline a number.
    /// @throws Error(fileDamaged) for a slice or runs beyond the image, Error(limitExceeded) for too many corners;
    /// Cancelled
    void paint(const StoredOutline& outline, std::uint32_t number, const JobControl& control);
    [[nodiscard]] StoredLabels take() { return std::move(labels_); }

private:
    struct Crossing {
        std::uint32_t row;
        double x;
    };

    void cross(const OutlineCorner& from, const OutlineCorner& to);
    void fill(const OutlinePolygon& polygon, bool takesRightEdge, std::uint32_t number, std::uint32_t first,
              std::uint32_t end);
    void fill(const std::vector<std::uint64_t>& runs, std::uint32_t number);

    StoredLabels labels_;
    std::vector<Crossing> crossings_; ///< of the polygon with rows of pixels
};

} // namespace pollard
