#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "components/shape/object_edges.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Objects per task of loops over all objects that compare a few values of each.
inline constexpr std::size_t kObjectsPerTask = 8192;

/// The objects of an image or a volume with the values of their features. Refers to its data, which must outlive it.
class MeasuredObjects {
public:
    /// @param components with records
    /// @param edges of the objects; features that need missing measurements are undefined
    /// @param unit of the values; if its levels are ranks, sums and means of grey values need sumValues()
    explicit MeasuredObjects(const Components& components, const ObjectEdges* edges = nullptr,
                             const ObjectUnit& unit = {}) noexcept
        : components_(&components), edges_(edges), unit_(unit) {}

    [[nodiscard]] const Components& components() const noexcept { return *components_; }
    [[nodiscard]] const ObjectUnit& unit() const noexcept { return unit_; }
    [[nodiscard]] std::size_t size() const noexcept { return components_->objects.size(); }
    [[nodiscard]] const ComponentRecord& record(std::uint32_t label) const noexcept {
        return components_->objects[label - 1];
    }
    [[nodiscard]] MeasuredObject object(std::uint32_t label) const noexcept;
    /// NaN for a feature that images, or volumes, do not have.
    [[nodiscard]] double value(std::uint32_t label, ObjectFeature feature) const noexcept {
        return object(label).valueOf(feature);
    }
    /// @param side of a pixel in the unit of the condition's numbers; ignored in a volume, where numbers are in the
    /// unit of the values
    [[nodiscard]] bool holds(const ObjectCondition& condition, std::uint32_t label, double side) const noexcept;
    /// Whether the object has a pixel in the first or last row or column of the image, or a voxel in an outer plane of
    /// the volume. @param inXy whether to ignore the first and last slice of a volume
    [[nodiscard]] bool touchesBorder(std::uint32_t label, bool inXy = false) const noexcept;

private:
    [[nodiscard]] ObjectShape shape(std::uint32_t label) const noexcept {
        return edges_ != nullptr ? edges_->of(label) : ObjectShape{};
    }

    [[nodiscard]] double valueSum(std::uint32_t label) const noexcept {
        return components_->valueSums.empty() ? std::numeric_limits<double>::quiet_NaN()
                                              : components_->valueSums[label - 1];
    }

    const Components* components_;
    const ObjectEdges* edges_;
    ObjectUnit unit_;
};

/// Sets Components::valueSums if the levels of the grey image are ranks, whose sums have no meaning.
/// @param components with labels; without records nothing is summed
/// @throws Error(invalidArgument) without labels; Cancelled
void sumValues(Components& components, const Image& grey, const std::optional<ValueMapping>& mapping,
               const JobControl& control = {});

/// Whether the object has a pixel in the first or last row or column of the image, i.e. its feature `border` is not 0.
[[nodiscard]] bool touchesBorder(const Components& components, const ComponentRecord& object) noexcept;

/// Features and further columns of objects for the metadata of a label image. Integers stay integers. Names are the
/// names in tables: "area", "area_um2".
/// @param objects, @param further must outlive the result
/// @param labels of the rows
[[nodiscard]] LabelProperties labelProperties(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                              std::span<const ObjectFeatureInfo> features,
                                              std::span<const ObjectColumn> further);

/// Selection and order of listed objects.
struct ObjectListSpec {
    ObjectCondition condition; ///< in pixels and with its columns, see inPixels() and withColumns() there
    double side = 1;           ///< of a pixel, in the unit of the condition's numbers; ignored in volumes
    ObjectQuantity key = {};
    bool descending = false;
    /// Per object (index label - 1) 1 if it is left out; null: none.
    const std::vector<std::uint8_t>* removed = nullptr;
    /// Per object (index label - 1) a key that replaces the feature `key`; null: use `key`.
    const std::vector<std::uint32_t>* keys = nullptr;
    bool withoutBorder = false;  ///< leave out objects for which MeasuredObjects::touchesBorder() is true
    bool borderXy = false;       ///< the first and last slice of a volume do not count
    VoxelSides proportions = {}; ///< of a pixel, relative to its width, for shapes that are measured for the list
    /// Columns that condition and key name; without the column of the key objects keep their order.
    std::span<const ObjectColumn> columns = {};
};

/// Listed objects in order, and the row of each.
struct ObjectList {
    static constexpr std::uint32_t kNoRow = 0xffff'ffff;

    std::vector<std::uint32_t> labels; ///< per row
    std::vector<std::uint32_t> rows;   ///< per object (index label - 1), or kNoRow
    std::uint64_t pixels = 0;          ///< total area of the listed objects
    std::uint32_t atBorder = 0;        ///< objects left out only because they touch the border

    [[nodiscard]] bool lists(std::uint32_t label) const noexcept {
        return label != 0 && label <= rows.size() && rows[label - 1] != kNoRow;
    }
};

/// Edge measurements required by a list.
[[nodiscard]] EdgeMeasure edgeMeasureOf(const ObjectListSpec& spec) noexcept;

/// Objects that meet the condition and are not left out, sorted by key; ties by label, undefined values last in both
/// directions. Parallel; independent of the number of threads.
/// @param objects of an image with the measurements of edgeMeasureOf(), or of a volume
/// @throws Error(invalidArgument) for a condition with units; Cancelled
[[nodiscard]] ObjectList listObjects(const MeasuredObjects& objects, const ObjectListSpec& spec,
                                     const JobControl& control = {});

/// Lists the objects of an image, and measures their edges and shapes as far as condition and key need them.
/// @param components with records, and with labels if edges are measured
/// @param values of the grey levels
[[nodiscard]] ObjectList listObjects(const Components& components, const ObjectListSpec& spec,
                                     const JobControl& control = {}, const std::optional<ValueMapping>& values = {});

} // namespace pollard
