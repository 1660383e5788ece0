#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/object_places.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_list.hpp"
#include "components/objects/object_rule.hpp"
#include "components/objects/track_history.hpp"
#include "io/channels.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::vm {

/// Objects found in an image or a volume; immutable.
struct FoundObjects {
    Components components;          ///< with labels and records; grey levels are those of the original image
    std::uint16_t low = 0;          ///< first level of objects
    std::uint16_t high = 0;         ///< last level of objects
    int page = 0;                   ///< of the file, 0-based; of a volume the first one
    std::uint64_t regionPixels = 0; ///< of the region to which objects are restricted; 0: there is none
    std::optional<std::vector<double>> fluxes = {}; ///< of the objects above the local background
};

/// The objects of a page that was followed.
struct TrackedPage {
    TrackedFrame frame;
    ComponentRecords objects;             ///< that were followed
    std::vector<std::uint32_t> labels;    ///< of `objects` among all objects of the page, ascending
    std::vector<std::uint32_t> tracks;    ///< per object of the page (index label - 1); 0: not followed
    std::uint64_t foreground = 0;         ///< pixels of all objects
    std::optional<ComponentRecord> first; ///< of all objects
    std::optional<ComponentRecord> last;
};

/// The objects of pages of a file, followed from page to page; immutable.
struct TrackedStack {
    SlicePages along; ///< the pages, one per frame
    char axis = 'p';  ///< on which they lie, as StackAxis::name
    TrackHistory history;
    std::vector<TrackedPage> pages;
    std::uint64_t objectCount = 0; ///< followed over all pages

    /// The frame of a page of the file, 0-based; empty if the page was not followed.
    [[nodiscard]] std::optional<std::uint32_t> frameOf(int page) const {
        const int from = page - along.first;
        const bool isOne = from >= 0 && from % along.stride == 0 && from / along.stride < along.count;
        return isOne ? std::optional(static_cast<std::uint32_t>(from / along.stride)) : std::nullopt;
    }
    [[nodiscard]] int pageOf(std::uint32_t frame) const { return along.first + static_cast<int>(frame) * along.stride; }

    /// Tracks of the objects of a page: element i belongs to object number i + 1, 0 if it was not followed; null unless
    /// this page was followed with these objects.
    [[nodiscard]] const std::vector<std::uint32_t>* tracksOf(const FoundObjects& found) const {
        const auto frame = frameOf(found.page);
        if (found.components.isVolume() || !frame || *frame >= pages.size()) {
            return nullptr;
        }
        const TrackedPage& page = pages[*frame];
        const auto& others = found.components.objects;
        // Different masks differ in the number of objects or pixels; a few records are compared.
        const bool same = page.tracks.size() == others.size() &&
                          (others.empty() || (page.first == others.front() && page.last == others.back() &&
                                              page.foreground == found.components.foreground));
        return same ? &page.tracks : nullptr;
    }
};

/// What is measured in planes.
struct PlaneMeasures {
    ChannelMeasuresSpec spec;              ///< of the first planes
    std::size_t planes = 0;                ///< number of these
    std::optional<CountedChannel> counted; ///< its plane is one of the others, or of these

    bool operator==(const PlaneMeasures&) const = default;
};

/// The rows of the table of objects; immutable.
struct ObjectListing : ObjectList {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const ObjectEdges> edges; ///< with the requested measurements; null: none

    std::shared_ptr<const ImageInfo> source;             ///< of `places`
    ImagePlaces places;                                  ///< of the image
    std::vector<std::string> placeNames;                 ///< of the first of `columns`: places and flux
    std::vector<ObjectColumn> inChannels;                ///< measured in channels
    std::shared_ptr<const ChannelImage> planes;          ///< of `inChannels`
    PlaneMeasures measures;                              ///< likewise
    std::string columnProblem;                           ///< why nothing is measured in spite of planes, for the user
    std::shared_ptr<const ClassifiedObjects> classified; ///< null: there are no classes
    std::vector<std::size_t> classCounts;                ///< ClassifiedObjects::countsOf() of the listed objects
    std::vector<ObjectColumn> columns;                   ///< places, `inChannels`, and the class if there are classes

    [[nodiscard]] const ComponentRecord& object(std::uint32_t label) const noexcept {
        return found->components.objects[label - 1];
    }
    /// The objects with values in this unit, see TableUnit::scale().
    [[nodiscard]] MeasuredObjects measured(const ObjectUnit& unit = {}) const noexcept {
        return MeasuredObjects(found->components, edges.get(), unit);
    }
    /// NaN for a column that is missing. See tableValue().
    [[nodiscard]] double value(std::uint32_t label, const ObjectQuantity& quantity, const ObjectUnit& unit = {}) const {
        if (quantity.isColumn()) {
            const ObjectColumn* const column = findColumn(columnList(), quantity.column);
            return column != nullptr ? column->valueOf(label) : std::numeric_limits<double>::quiet_NaN();
        }
        return tableValue(measured(unit).value(label, quantity.feature),
                          objectFeatureInfo(quantity.feature, found->components.isVolume()), unit.unit);
    }
    /// Whether value() has the data.
    [[nodiscard]] bool knows(const ObjectQuantity& quantity) const {
        const EdgeMeasure needed = quantity.edge();
        return quantity.isColumn() ? findColumn(columnList(), quantity.column) != nullptr
                                   : needed == EdgeMeasure::none || found->components.isVolume() ||
                                         (edges && edges->measured >= needed);
    }
    [[nodiscard]] std::span<const ObjectColumn> columnList() const noexcept { return columns; }
};

/// How to list objects.
struct ListingRequest {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const std::vector<std::uint8_t>> removed; ///< see ObjectListSpec; null: none
    std::shared_ptr<const TrackedStack> tracks;               ///< of the order; null: ObjectListSpec::key
    ObjectListSpec spec;                                      ///< condition, order and border
    ObjectUnit unit;                                          ///< of the numbers of conditions in a volume
    EdgeMeasure demanded = EdgeMeasure::none;                 ///< beside those of the spec and the classes
    std::shared_ptr<const ImageInfo> source;                  ///< of the image, for places; null: none
    std::shared_ptr<const ChannelImage> planes;               ///< to measure; null: none
    PlaneMeasures measures;                                   ///< in the planes
    std::vector<ObjectClass> classes;
    std::vector<ClassCondition> conditions;     ///< of the classes, without the values of columns
    std::shared_ptr<const ObjectListing> known; ///< an earlier one, whose measurements are used if they fit
};

/// @throws Error, Cancelled
[[nodiscard]] std::shared_ptr<const ObjectListing> listingOf(ListingRequest request, const JobControl& control);
} // namespace pollard::vm
