#pragma once

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "image/length_unit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pollard {

/// Measurements of a component over its full support X: the pixels of the node and of all its descendants. Definitions:
/// docs/algorithms.md and the formula of attributeInfo().
enum class AttributeId : std::uint8_t {
    area,
    width,
    heightPx,
    bboxArea,
    bboxDiagonal,
    border,
    level,
    contrast,
    height,
    dynamics,
    volume,
    sum,
    mean,
    variance,
    entropy,
    centroidX,
    centroidY,
    inertia,
    major,
    minor,
    elongation,
    orientation,
    eccentricity,
    hu1,
    hu2,
    hu3,
    hu4,
    hu5,
    hu6,
    hu7,
    perimeter,
    circularity,
    rectangularity,
    euler,
    holes,
    depth,
    children,
    descendants,
    leaves,
    stability,
    extinctionArea,
    extinctionVolume,
    borderContrast,
    outerMean,
    // Attributes of volumes only:
    slicesPx,
    centroidZ,
    medium,
    flatness,
    surface,
    sphericity,
};

/// Spread of an attribute's values over the nodes. decades: most are small, the largest many times as large.
enum class Spread : std::uint8_t { even, decades };

/// How an attribute of grey levels depends on the values of the image, value = a + b * level.
enum class Grey : std::uint8_t {
    none,       ///< not at all: entropies, and attributes that are not measured on grey levels
    position,   ///< x levels are the value a + b x
    difference, ///< b x: distances of values
    integral,   ///< b x: sums of distances
    sum,        ///< a A + b x, with the area A
    square,     ///< b^2 x
};

/// Description of an attribute.
struct AttributeInfo {
    AttributeId id;
    std::string_view name;    ///< stable id of CLI, recipes and tables: "area", "bbox_area"
    std::string_view title;   ///< for menus: "Area"
    std::string_view formula; ///< one line, for tooltips
    std::string_view unit;    ///< "px", "grey", "grey^2", "grey*px", "bit", "rad"; empty if none
    bool increasing;          ///< never decreases from a node to its parent
    bool integral;            ///< values are exact integers
    std::string_view group;   ///< for menus: "Size", "Grey levels", "Shape", "Topology", "Tree", "Prominence"
    std::string_view source;  ///< literature, or "Pollard"
    /// Scale with the pixel size: widths, positions, axes and perimeters are lengths. border counts pixels along an
    /// edge, and volumes contain grey levels: both have none.
    Dimension dimension = Dimension::none;
    Spread spread = Spread::even; ///< decades for every increasing attribute, whatever its row says
    Grey grey = Grey::none;
};

/// The attributes of images.
[[nodiscard]] std::span<const AttributeInfo> allAttributes() noexcept;
/// The attributes of volumes, with their definitions there.
[[nodiscard]] std::span<const AttributeInfo> volumeAttributes() noexcept;
/// Attributes of volumes that images do not have or define differently.
[[nodiscard]] std::vector<AttributeInfo> attributesOfVolumesAlone();
/// Description in an image, or in a volume for attributes of volumes only.
[[nodiscard]] const AttributeInfo& attributeInfo(AttributeId id) noexcept;
/// How an attribute scales with the pixel size in images, or in volumes, where numbers of voxels are volumes.
[[nodiscard]] Dimension dimensionOf(AttributeId id, bool isVolume) noexcept;
/// Searches the attributes of images and volumes.
[[nodiscard]] std::optional<AttributeId> findAttribute(std::string_view name) noexcept;

/// Whether volumes, or images, have the attribute.
[[nodiscard]] bool isMeasured(AttributeId id, bool isVolume) noexcept;
/// Reason if isMeasured() is false: "attribute 'holes': not measured in volumes"; else empty.
[[nodiscard]] std::string measureProblem(AttributeId id, bool isVolume);
/// @throws Error(invalidArgument) for an attribute of images in a volume, or of volumes in an image
void requireMeasured(AttributeId id, bool isVolume);

/// One value per node, in the numbering of ComponentTree; NaN if the attribute is undefined.
struct AttributeColumn {
    AttributeId id;
    std::variant<Buffer<std::uint16_t>, Buffer<std::uint32_t>, Buffer<std::int32_t>, Buffer<std::uint64_t>,
                 Buffer<double>>
        values;
    double minimum = 0; ///< over all nodes except NaN; both are 0 if all are NaN
    double maximum = 0;

    [[nodiscard]] std::size_t size() const noexcept {
        return std::visit([](const auto& v) { return v.size(); }, values);
    }
    /// Value of a node; integers above 2^53 are rounded.
    [[nodiscard]] double at(std::size_t node) const noexcept {
        return std::visit([node](const auto& v) { return static_cast<double>(v[node]); }, values);
    }
};

/// Whether the values of a column are whole numbers: of an integral attribute, unless the column is in values of the
/// image, see isColumnInValues().
[[nodiscard]] inline bool isIntegral(const AttributeColumn& column) noexcept {
    const AttributeInfo& info = attributeInfo(column.id);
    return info.integral && (info.grey == Grey::none || !std::holds_alternative<Buffer<double>>(column.values));
}

/// Smallest and largest value. NaN is ignored, because comparisons with it are false.
template <class T> struct ValueRange {
    T minimum =
        std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    T maximum =
        std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
};

/// Smallest range that contains both.
template <class T> [[nodiscard]] ValueRange<T> joined(const ValueRange<T>& a, const ValueRange<T>& b) noexcept {
    return {std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
}

/// Computes the range of the values on the calling thread.
template <class T> [[nodiscard]] ValueRange<T> rangeOf(std::span<const T> values) noexcept {
    constexpr std::size_t kLanes = 8; // independent comparisons
    std::array<ValueRange<T>, kLanes> lanes{};
    const auto add = [](ValueRange<T>& range, T value) {
        range.minimum = value < range.minimum ? value : range.minimum;
        range.maximum = value > range.maximum ? value : range.maximum;
    };
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            add(lanes[k], values[i + k]);
        }
    }
    for (; i < values.size(); ++i) {
        add(lanes[0], values[i]);
    }
    ValueRange<T> range;
    for (const ValueRange<T>& lane : lanes) {
        range = joined(range, lane);
    }
    return range;
}

/// Stores the range in a column; an empty range leaves the column unchanged.
template <class T> void storeRange(AttributeColumn& column, const ValueRange<T>& range) noexcept {
    if (range.minimum <= range.maximum) {
        column.minimum = static_cast<double>(range.minimum);
        column.maximum = static_cast<double>(range.maximum);
    }
}

/// Computes the range of the values on all threads of the arena.
template <class T> [[nodiscard]] ValueRange<T> parallelRangeOf(std::span<const T> values) {
    constexpr std::size_t kValuesPerTask = std::size_t{1} << 16;
    std::mutex mutex;
    ValueRange<T> range;
    const auto add = [&](std::size_t begin, std::size_t end) {
        const ValueRange<T> piece = rangeOf<T>(values.subspan(begin, end - begin));
        const std::scoped_lock lock(mutex);
        range = joined(range, piece);
    };
    forEachRange(values.size(), {}, add, kValuesPerTask);
    return range;
}

} // namespace pollard
