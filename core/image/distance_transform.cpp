#include "image/distance_transform.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace pollard {
namespace {

/// Columns that are transformed together: a cache line of the narrower values.
constexpr std::size_t kColumns = 16;

template <class Value> constexpr Value kFarthest = std::is_integral_v<Value> ? std::numeric_limits<Value>::max()
                                                                             : std::numeric_limits<Value>::infinity();

/// The lower envelope of the parabolas values[q] + weight * (i - q)^2, at the integers i.
template <class Value> class LowerEnvelope {
public:
    LowerEnvelope(std::size_t length, Value weight) : weight_(weight), parabolas_(length), heights_(length) {}

    void replace(std::span<Value> values) {
        const std::size_t count = collect(values);
        for (std::size_t end = values.size(), k = count; k-- != 0;) {
            const Parabola& parabola = parabolas_[k];
            for (std::size_t i = parabola.from; i != end; ++i) {
                values[i] = at(parabola.vertex, heights_[k], i);
            }
            end = parabola.from;
        }
    }

private:
    struct Parabola {
        std::uint32_t vertex = 0;
        std::uint32_t from = 0; ///< first place at which it is the lowest
    };

    [[nodiscard]] Value at(std::size_t vertex, Value height, std::size_t i) const {
        const Value away = static_cast<Value>(i > vertex ? i - vertex : vertex - i);
        return height + weight_ * (away * away);
    }

    /// The first place after which the parabola at @p right is lower than the one at @p left.
    [[nodiscard]] double crossing(std::size_t left, Value leftHeight, std::size_t right, Value rightHeight) const {
        const double weight = static_cast<double>(weight_);
        const double rise = static_cast<double>(rightHeight) - static_cast<double>(leftHeight);
        const double between = static_cast<double>(right) - static_cast<double>(left);
        // In integers the next whole number is farther away than the rounding error, as the squared diagonal has 32
        // bits.
        return std::floor((rise / weight / between + static_cast<double>(right) + static_cast<double>(left)) / 2);
    }

    /// @return the number of parabolas of the envelope
    std::size_t collect(std::span<const Value> values) {
        std::size_t count = 0;
        for (std::size_t q = 0; q != values.size(); ++q) {
            if (values[q] == kFarthest<Value>) {
                continue;
            }
            while (count != 0 && isAbove(count - 1, q, values[q])) {
                --count;
            }
            std::size_t from = 0;
            if (count != 0) {
                const double after = crossing(parabolas_[count - 1].vertex, heights_[count - 1], q, values[q]);
                if (after + 1 >= static_cast<double>(values.size())) {
                    continue;
                }
                from = static_cast<std::size_t>(after + 1);
            }
            parabolas_[count] = {static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(from)};
            heights_[count++] = values[q];
        }
        return count;
    }

    /// Whether the parabola @p k is above the one at @p q where it begins to be the lowest.
    [[nodiscard]] bool isAbove(std::size_t k, std::size_t q, Value height) const {
        const std::size_t from = parabolas_[k].from;
        return at(parabolas_[k].vertex, heights_[k], from) > at(q, height, from);
    }

    Value weight_;
    std::vector<Parabola> parabolas_;
    std::vector<Value> heights_;
};

/// Transforms a line part by part: a zero is the nearest one for all that lies beyond it.
template <class Value> void transformLine(LowerEnvelope<Value>& envelope, std::span<Value> line) {
    for (std::size_t i = 0; i != line.size();) {
        if (line[i] == 0) {
            ++i;
            continue;
        }
        const std::size_t first = i == 0 ? 0 : i - 1;
        while (i != line.size() && line[i] != 0) {
            ++i;
        }
        envelope.replace(line.subspan(first, std::min(i + 1, line.size()) - first));
    }
}

/// Squared distances within a row.
template <class Value> void measureRow(const Mask& mask, std::uint32_t y, double side, std::span<Value> out) {
    const std::uint32_t width = mask.width();
    const auto squared = [&](std::uint32_t away) {
        const auto length = static_cast<Value>(away * side);
        return length * length;
    };
    std::fill(out.begin(), out.end(), Value{0});
    forEachRun(mask, y, true, [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t x = first; x != last; ++x) {
            const std::uint32_t left = first == 0 ? kNoDistance : x - first + 1;
            const std::uint32_t right = last == width ? kNoDistance : last - x;
            const std::uint32_t away = std::min(left, right);
            out[x] = away == kNoDistance ? kFarthest<Value> : squared(away);
        }
    });
}

/// Transforms the parts of a line with one label each, between two zeros.
/// @param labels of the pixels, @p stride apart; 0: the value stays 0
/// @param part memory for the values of a part
void transformParts(LowerEnvelope<double>& envelope, std::span<double> line, const std::uint32_t* labels,
                    std::size_t stride, double square, std::vector<double>& part) {
    for (std::size_t first = 0, last = 0; first != line.size(); first = last) {
        const std::uint32_t label = labels[first * stride];
        while (last != line.size() && labels[last * stride] == label) {
            ++last;
        }
        if (label == 0) {
            continue;
        }
        if (last - first <= 2) { // beside the zeros
            line[first] = std::min(line[first], square);
            line[last - 1] = std::min(line[last - 1], square);
            continue;
        }
        part.assign(1, 0);
        part.insert(part.end(), line.begin() + static_cast<std::ptrdiff_t>(first),
                    line.begin() + static_cast<std::ptrdiff_t>(last));
        part.push_back(0);
        envelope.replace(part);
        std::copy(part.begin() + 1, part.end() - 1, line.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

/// Transforms @p columns lines of pixels that are @p stride apart, from @p first on.
/// @param replace called with each line and its column
template <class Value, class Replace> void transformColumns(std::span<Value> lines, Value* first, std::size_t columns,
                                                            std::size_t stride, const Replace& replace) {
    const std::size_t length = lines.size() / kColumns;
    for (std::size_t i = 0; i != length; ++i) {
        for (std::size_t c = 0; c != columns; ++c) {
            lines[c * length + i] = first[i * stride + c];
        }
    }
    for (std::size_t c = 0; c != columns; ++c) {
        replace(lines.subspan(c * length, length), c);
    }
    for (std::size_t i = 0; i != length; ++i) {
        for (std::size_t c = 0; c != columns; ++c) {
            first[i * stride + c] = lines[c * length + i];
        }
    }
}

/// Transforms all lines of @p length pixels along an axis: line b * columns + c begins at pixel b * block + c.
struct TransformedAxis {
    std::size_t length = 0;
    std::size_t stride = 0;
    std::size_t blocks = 0;
    std::size_t block = 0;
};
/// @param labels per pixel: distances are to pixels with another label or outside of the image; null: to zeros
template <class Value> void transformAxis(std::span<Value> values, std::size_t width, const TransformedAxis& axis,
                                          double side, const JobControl& control,
                                          const std::uint32_t* labels = nullptr) {
    const std::size_t groups = (width + kColumns - 1) / kColumns;
    forEachRange(
        groups * axis.blocks, control,
        [&](std::size_t begin, std::size_t end) {
            LowerEnvelope<Value> envelope(axis.length + 2, static_cast<Value>(side * side));
            std::vector<Value> lines(axis.length * kColumns);
            std::vector<Value> part;
            for (std::size_t i = begin; i != end; ++i) {
                control.throwIfStopped();
                const std::size_t left = i % groups * kColumns;
                const std::size_t first = i / groups * axis.block + left;
                transformColumns<Value>(lines, values.data() + first, std::min(kColumns, width - left), axis.stride,
                                        [&](std::span<Value> line, std::size_t column) {
                                            if constexpr (std::is_same_v<Value, double>) {
                                                if (labels != nullptr) {
                                                    transformParts(envelope, line, labels + first + column, axis.stride,
                                                                   side * side, part);
                                                    return;
                                                }
                                            }
                                            transformLine(envelope, line);
                                        });
            }
        },
        4);
}

/// Transforms the axes across the rows.
template <class Value> void transformAcross(std::span<Value> values, const Extent& extent, const VoxelSides& sides,
                                            const JobControl& control, const std::uint32_t* labels = nullptr) {
    if (extent.height > 1 || labels != nullptr) {
        transformAxis<Value>(values, extent.width, {extent.height, extent.width, extent.slices, extent.slicePixels()},
                             sides.y, control, labels);
    }
    if (extent.slices > 1) {
        transformAxis<Value>(values, extent.width, {extent.slices, extent.slicePixels(), extent.height, extent.width},
                             sides.z, control, labels);
    }
}

Extent extentOf(const Mask& mask, std::uint32_t slices) {
    if (slices == 0 || mask.height() % slices != 0) {
        throw Error(ErrorCode::invalidArgument, "distance transform: the mask has " + std::to_string(mask.height()) +
                                                    " rows, which " + std::to_string(slices) +
                                                    " slices cannot share equally");
    }
    return {mask.width(), mask.height() / slices, slices};
}

template <class Value> Buffer<Value> transformMask(const Mask& mask, const VoxelSides& sides, const Extent& extent,
                                                   const JobControl& control) {
    try {
        Buffer<Value> values(extent.pixelCount());
        forEachIndex(
            mask.height(), control,
            [&](std::size_t y) {
                measureRow<Value>(mask, static_cast<std::uint32_t>(y), sides.x,
                                  values.span().subspan(y * extent.width, extent.width));
            },
            16);
        transformAcross<Value>(values.span(), extent, sides, control);
        return values;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "distance transform: not enough memory for " + text(extent));
    }
}

/// Squared distances to another label within a row.
void measureLabelsOfRow(std::span<const std::uint32_t> labels, double side, std::span<double> out) {
    for (std::size_t first = 0, last = 0; first != labels.size(); first = last) {
        while (last != labels.size() && labels[last] == labels[first]) {
            ++last;
        }
        for (std::size_t x = first; x != last; ++x) {
            const double away = static_cast<double>(std::min(x - first + 1, last - x)) * side;
            out[x] = labels[first] == 0 ? 0 : away * away;
        }
    }
}

void requirePositive(const VoxelSides& sides) {
    for (const double side : {sides.x, sides.y, sides.z}) {
        if (!std::isfinite(side) || side <= 0) {
            throw Error(ErrorCode::invalidArgument, "distance transform: the sides of pixels are above 0");
        }
    }
}

} // namespace

Extent measurableExtent(const Mask& mask, std::uint32_t slices) {
    const Extent extent = extentOf(mask, slices);
    const auto squared = [](std::uint64_t side) { return static_cast<double>(side) * static_cast<double>(side); };
    if (squared(extent.width) + squared(extent.height) + squared(extent.slices) >= kNoDistance) {
        throw Error(ErrorCode::limitExceeded, "distance transform: the squared diagonal of " + text(extent) +
                                                  " is above " + std::to_string(kNoDistance - 1));
    }
    return extent;
}

Buffer<std::uint32_t> squaredDistances(const Mask& mask, std::uint32_t slices, const JobControl& control) {
    return transformMask<std::uint32_t>(mask, {}, measurableExtent(mask, slices), control);
}

Buffer<double> distances(const Mask& mask, const VoxelSides& sides, std::uint32_t slices, const JobControl& control) {
    requirePositive(sides);
    Buffer<double> values = transformMask<double>(mask, sides, extentOf(mask, slices), control);
    forEachIndex(values.size(), control, [&](std::size_t i) { values[i] = std::sqrt(values[i]); });
    return values;
}

Image distanceLevels(const Mask& mask, const Extent& extent, const VoxelSides& sides, const JobControl& control) {
    Image image(PixelType::u16, extent);
    image.setSides(sides);
    const std::span<std::uint16_t> levels = image.pixels<std::uint16_t>();
    const auto fill = [&](const auto& found, const auto& distanceOf) {
        forEachIndex(levels.size(), control, [&](std::size_t i) {
            levels[i] =
                static_cast<std::uint16_t>(std::lround(std::min(distanceOf(found[i]) * kDistanceSteps, 65535.)));
        });
    };
    if (sides == VoxelSides{}) {
        fill(squaredDistances(mask, extent.slices, control),
             [](std::uint32_t squared) { return std::sqrt(static_cast<double>(squared)); });
    } else {
        fill(distances(mask, sides, extent.slices, control), [](double distance) { return distance; });
    }
    return image;
}

Buffer<double> squaredDistancesToOthers(std::span<const std::uint32_t> labels, const Extent& extent,
                                        const VoxelSides& sides, const JobControl& control) {
    requirePositive(sides);
    if (labels.size() != extent.pixelCount()) {
        throw Error(ErrorCode::invalidArgument, "distance transform: the label image has another size");
    }
    try {
        Buffer<double> values(labels.size());
        forEachIndex(
            extent.rows(), control,
            [&](std::size_t y) {
                measureLabelsOfRow(labels.subspan(y * extent.width, extent.width), sides.x,
                                   values.span().subspan(y * extent.width, extent.width));
            },
            16);
        transformAcross<double>(values.span(), extent, sides, control, labels.data());
        return values;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "distance transform: not enough memory for " + text(extent));
    }
}

} // namespace pollard
