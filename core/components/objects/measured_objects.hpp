#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_edges.hpp"
#include "components/objects/object_features.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/write/label_properties.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace pollard {

/// Objects per task of loops over all objects that compare a few values of each.
inline constexpr std::size_t kObjectsPerTask = 8192;

/// The objects of an image or a volume with the values of their features. Refers to its data, which must outlive it.
class MeasuredObjects {
public:
    /// @param components with records
    /// @param edges of the objects of an image; features that need missing measurements are undefined
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
    /// NaN for a feature of the other kind.
    [[nodiscard]] double value(std::uint32_t label, ObjectFeature feature) const noexcept {
        return object(label).valueOf(feature);
    }
    /// @param side of a pixel in the unit of the condition's numbers; in a volume they are in the unit of the values
    [[nodiscard]] bool holds(const ObjectCondition& condition, std::uint32_t label, double side) const noexcept;
    /// Whether the object has a pixel in the first or last row or column of the image, or a voxel in an outer plane of
    /// the volume. @param inXy the first and last slice of a volume do not count
    [[nodiscard]] bool touchesBorder(std::uint32_t label, bool inXy = false) const noexcept;

private:
    [[nodiscard]] const ObjectEdge* edge(std::uint32_t label) const noexcept {
        return edges_ != nullptr ? edges_->of(label) : nullptr;
    }

    [[nodiscard]] double valueSum(std::uint32_t label) const noexcept {
        return components_->valueSums.empty() ? std::numeric_limits<double>::quiet_NaN()
                                              : components_->valueSums[label - 1];
    }

    const Components* components_;
    const ObjectEdges* edges_;
    ObjectUnit unit_;
};

/// Sets Components::valueSums if the levels of the grey image are ranks, whose sums say nothing.
/// @param components with labels; without records nothing is summed
/// @throws Error(invalidArgument) without labels; Cancelled
void sumValues(Components& components, const Image& grey, const std::optional<ValueMapping>& mapping,
               const JobControl& control = {});

/// Whether the object has a pixel in the first or last row or column of the image, i.e. its feature `border` is not 0.
[[nodiscard]] bool touchesBorder(const Components& components, const ComponentRecord& object) noexcept;

/// Features and further columns of objects for the metadata of a label image; whole numbers stay such. Names as in
/// tables: "area", "area_um2".
/// @param objects, @param further must outlive the result
/// @param labels of the rows
[[nodiscard]] LabelProperties labelProperties(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                              std::span<const ObjectFeatureInfo> features,
                                              std::span<const ObjectColumn> further);

} // namespace pollard
