#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_list.hpp"
#include "components/volumes/measured_objects.hpp"
#include "components/volumes/volume_components.hpp"
#include "io/channels.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::vm {

struct TrackedStack;

/// Objects found in a picture or a volume; immutable.
struct FoundObjects {
    Components components; ///< of a picture, with labels and records; grey levels are those of the original picture
    std::optional<VolumeComponents> volume{}; ///< the same of a volume; `components` is empty then
    std::uint16_t low = 0;                    ///< first level of objects
    std::uint16_t high = 0;                   ///< last level of objects
    int page = 0;                             ///< of the file, 0-based; of a volume the first one

    [[nodiscard]] std::size_t count() const noexcept {
        return volume ? volume->objects.size() : components.objects.size();
    }
    /// Size of the picture, or of a slice of the volume.
    [[nodiscard]] std::uint32_t width() const noexcept { return volume ? volume->extent.width : components.width; }
    [[nodiscard]] std::uint32_t height() const noexcept { return volume ? volume->extent.height : components.height; }
    /// Pixels of the picture, or voxels of the volume.
    [[nodiscard]] double size() const noexcept {
        return static_cast<double>(width()) * height() * (volume ? volume->extent.slices : 1);
    }
    /// Labels of the picture, or of the slice of the volume with this first voxel; empty if there is none.
    [[nodiscard]] std::span<const std::uint32_t> labelsFrom(std::size_t first) const noexcept {
        const auto labels = volume ? volume->labels.span() : components.labels.span();
        const std::size_t pixels = std::size_t{width()} * height();
        return labels.size() < pixels || labels.size() - pixels < first ? std::span<const std::uint32_t>()
                                                                        : labels.subspan(first, pixels);
    }
    /// @param edges of a picture, or null
    [[nodiscard]] MeasuredObjects measured(const ObjectEdges* edges, const VolumeUnit& unit) const noexcept {
        return volume ? MeasuredObjects(*volume, unit) : MeasuredObjects(components, edges, unit.steps().x);
    }
};

/// The rows of the table of objects; immutable.
struct ObjectListing : ObjectList {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const ObjectEdges> edges; ///< with the requested measurements; null: none

    std::vector<ObjectColumn> inChannels;                ///< measured in channels
    std::shared_ptr<const ChannelImage> planes;          ///< of `inChannels`
    ChannelMeasuresSpec measures;                        ///< likewise
    std::string columnProblem;                           ///< why nothing is measured in spite of planes, for the user
    std::shared_ptr<const ClassifiedObjects> classified; ///< null: there are no classes
    std::vector<std::size_t> classCounts;                ///< ClassifiedObjects::countsOf() of the listed objects
    std::vector<ObjectColumn> columns;                   ///< `inChannels`, and the class if there are classes

    [[nodiscard]] const ComponentRecord& object(std::uint32_t label) const noexcept { return measured().record(label); }
    /// The objects with values in this unit, see TableUnit::scale().
    [[nodiscard]] MeasuredObjects measured(const VolumeUnit& unit = {}) const noexcept {
        return found->measured(edges.get(), unit);
    }
    /// NaN for a column that is missing.
    [[nodiscard]] double value(std::uint32_t label, const ObjectQuantity& quantity, const VolumeUnit& unit = {}) const {
        if (quantity.isColumn()) {
            const ObjectColumn* const column = findColumn(columnList(), quantity.column);
            return column != nullptr ? column->valueOf(label) : std::numeric_limits<double>::quiet_NaN();
        }
        return measured(unit).value(label, quantity.feature);
    }
    /// Whether value() has the data.
    [[nodiscard]] bool knows(const ObjectQuantity& quantity) const {
        const EdgeMeasure needed = quantity.edge();
        return quantity.isColumn()
                   ? findColumn(columnList(), quantity.column) != nullptr
                   : needed == EdgeMeasure::none || found->volume || (edges && edges->measured >= needed);
    }
    [[nodiscard]] std::span<const ObjectColumn> columnList() const noexcept { return columns; }
};

/// How to list objects.
struct ListingRequest {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const std::vector<std::uint8_t>> removed; ///< see ObjectListSpec; null: none
    std::shared_ptr<const TrackedStack> tracks;               ///< of the order; null: ObjectListSpec::key
    ObjectListSpec spec;                                      ///< condition, order and border
    VolumeUnit unit;                                          ///< of the numbers of conditions in a volume
    EdgeMeasure demanded = EdgeMeasure::none;                 ///< beside those of the spec and the classes
    std::shared_ptr<const ChannelImage> planes;               ///< to measure; null: none
    ChannelMeasuresSpec measures;                             ///< in the planes
    std::vector<ObjectClass> classes;
    std::vector<ClassCondition> conditions;     ///< of the classes, without the values of columns
    std::shared_ptr<const ObjectListing> known; ///< an earlier one, whose measurements are used if they fit
};

/// @throws Error, Cancelled
[[nodiscard]] std::shared_ptr<const ObjectListing> listingOf(ListingRequest request, const JobControl& control);

} // namespace pollard::vm
