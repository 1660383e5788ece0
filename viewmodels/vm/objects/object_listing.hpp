#pragma once

#include "vm/document/jobs/document_jobs.hpp"

#include "base/job_control.hpp"
#include "components/best/best_components.hpp"
#include "components/components.hpp"
#include "components/object_places.hpp"
#include "components/object_tracks.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"
#include "engine/find_objects.hpp"
#include "hierarchy/boundary_map.hpp"
#include "hierarchy/region_means.hpp"
#include "image/value_mapping.hpp"
#include "io/channels.hpp"
#include "io/volumes/read_volume.hpp"
#include "labels/pixel_spans.hpp"

#include <QObject>
#include <QString>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

/// Objects found in an image or a volume; immutable.
struct FoundObjects {
    Components components;                          ///< with labels and records; grey levels of the original image
    std::uint16_t low = 0;                          ///< first level of objects
    std::uint16_t high = 0;                         ///< last level of objects
    int page = 0;                                   ///< of the file, 0-based; of a volume the first one
    std::uint64_t regionPixels = 0;                 ///< of the region to which objects are restricted; 0: there is none
    std::optional<std::vector<double>> fluxes = {}; ///< of the objects above the local background
    std::shared_ptr<const Hierarchy> hierarchy = {};       ///< of which the objects are regions; null: they are not
    HierarchySpec hierarchySpec = {};                      ///< of `hierarchy`
    std::uint32_t merges = 0;                              ///< of `hierarchy`, up to the cut
    std::vector<std::uint32_t> regionNumbers = {};         ///< per object, see regionsOfLabels()
    std::shared_ptr<const RegionMeans> means = {};         ///< of `hierarchy`; null: they are not drawn
    std::shared_ptr<const BoundaryMap> boundaries = {};    ///< of `hierarchy`; null: they are not drawn, or of a volume
    std::shared_ptr<const BestCandidates> candidates = {}; ///< of which the objects are some; null: they are not
    const void* edited = nullptr; ///< by what they were edited: objects of equal editors keep their numbers; null: not
    std::weak_ptr<const FoundObjects> before = {};      ///< that an edit has changed into these; empty: none
    std::optional<LabelBox> changed = {};               ///< of the pixels that the edit has changed; unset: none
    std::pair<std::uint32_t, std::uint32_t> moved = {}; ///< labels of an object before and after the edit
};

/// The objects of a page that was followed.
struct TrackedPage {
    FrameTracks frame;
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
    PlaneMeasures measures;                              ///< of `inChannels`, too
    std::string columnProblem;                           ///< why nothing is measured in spite of planes, for the user
    std::shared_ptr<const ClassifiedObjects> classified; ///< null: there are no classes
    std::vector<std::size_t> classCounts;                ///< ClassifiedObjects::countsOf() of the listed objects
    std::vector<ObjectColumn> columns;                   ///< places, `inChannels`, and the class if there are classes
    /// The listing that ListingRequest::known was, for comparisons alone, and the pixels of objects that have another
    /// label, are listed or not, or have another class since; unset: any pixels.
    const ObjectListing* since = nullptr;
    std::optional<LabelBox> changed;

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
    [[nodiscard]] bool hasValuesOf(const ObjectQuantity& quantity) const {
        const EdgeMeasure needed = quantity.edge();
        return quantity.isColumn()
                   ? findColumn(columnList(), quantity.column) != nullptr
                   : needed == EdgeMeasure::none || (found->components.isVolume() && needed < EdgeMeasure::ball) ||
                         (edges && edges->measured >= needed);
    }
    [[nodiscard]] std::span<const ObjectColumn> columnList() const noexcept { return columns; }
    /// Number of objects with pixels, listed or not; edits leave objects without pixels.
    [[nodiscard]] std::size_t objectCount() const noexcept {
        const ComponentRecords& objects = found->components.objects;
        const auto gone = found->edited != nullptr ? std::ranges::count(objects, 0U, &ComponentRecord::area) : 0;
        return rows.size() - static_cast<std::size_t>(gone);
    }
};

/// How to list objects.
struct ListingRequest {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const std::vector<std::uint8_t>> removed; ///< see ObjectListSpec; null: none
    std::shared_ptr<const TrackedStack> tracks;               ///< of the order; null: ObjectListSpec::key
    ObjectListSpec spec;                                      ///< condition, order and border
    ObjectUnit unit;                                          ///< of the numbers of conditions in a volume
    EdgeMeasure demanded = EdgeMeasure::none;                 ///< in addition to the spec and the classes
    std::shared_ptr<const ImageInfo> source;                  ///< of the image, for places; null: none
    std::shared_ptr<const ChannelImage> planes;               ///< to measure; null: none
    PlaneMeasures measures;                                   ///< in the planes
    std::vector<ObjectClass> classes;
    std::vector<ClassCondition> conditions;     ///< of the classes, without the values of columns
    std::shared_ptr<const ObjectListing> known; ///< an earlier one, whose measurements are used if they fit
};

/// @throws Error, Cancelled
[[nodiscard]] std::shared_ptr<const ObjectListing> listingOf(ListingRequest request, const JobControl& control);

/// Removed objects: element i is 1 if object number i + 1 is removed. Null: none.
using RemovedObjects = std::shared_ptr<const std::vector<std::uint8_t>>;

/// The labels of removed objects.
[[nodiscard]] std::vector<std::uint32_t> labelsOf(const RemovedObjects& removed);
/// The inverse for @p count objects. Null for no label, and for more objects than @p pixels of an image.
[[nodiscard]] RemovedObjects removedOf(const std::vector<std::uint32_t>& labels, std::uint64_t count,
                                       std::uint64_t pixels);

/// Some of the objects that were found.
struct ChosenObjects {
    std::shared_ptr<const FoundObjects> found; ///< null: none
    std::vector<std::uint32_t> labels;
};

/// The user's marks on the displayed objects: selected or removed. New objects (another threshold, another image) start
/// without marks.
class ObjectMarks : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Sets the displayed objects; drops all marks if they differ from the previous ones.
    void setObjects(const std::shared_ptr<const FoundObjects>& found);
    [[nodiscard]] const std::shared_ptr<const FoundObjects>& objects() const noexcept { return found_; }

    [[nodiscard]] bool isSelected(std::uint32_t label) const noexcept {
        return label != 0 && label <= selectedFlags_.size() && selectedFlags_[label - 1] != 0;
    }
    /// Labels of selected objects, in the order of selection.
    [[nodiscard]] const std::vector<std::uint32_t>& selected() const noexcept { return selected_; }
    [[nodiscard]] int selectedCount() const noexcept { return static_cast<int>(selected_.size()); }
    /// The selected objects; while no objects are displayed, the last selection in this image.
    [[nodiscard]] ChosenObjects chosen() const {
        return selected_.empty() && !found_ ? last_ : ChosenObjects{found_, selected_};
    }
    /// Another image is displayed.
    void forgetLast();
    /// Selects exactly these; unknown labels are ignored.
    void select(std::span<const std::uint32_t> labels);
    /// Adds an object to the selection, or removes it.
    void toggle(std::uint32_t label);

    /// Element i is 1 if object number i + 1 is selected.
    [[nodiscard]] std::span<const std::uint8_t> selectedFlags() const noexcept { return selectedFlags_; }

    [[nodiscard]] RemovedObjects removed() const noexcept { return removed_; }
    [[nodiscard]] int removedCount() const noexcept { return removedCount_; }
    /// Removes objects; removed ones are ignored.
    void remove(std::span<const std::uint32_t> labels);
    /// Removes all of @p listed except @p labels.
    void keepOnly(std::span<const std::uint32_t> labels, std::span<const std::uint32_t> listed);
    /// Removes exactly these. Does nothing if they do not match the objects.
    void restore(const RemovedObjects& removed);

signals:
    void selectionChanged();
    void removedChanged();

private:
    using Labels = std::vector<std::uint32_t>;
    std::shared_ptr<const FoundObjects> found_;
    std::vector<std::uint8_t> selectedFlags_;
    Labels selected_;
    ChosenObjects last_; ///< while no objects are displayed
    RemovedObjects removed_;
    int removedCount_ = 0;
};

/// The pages of a file whose objects are to be followed.
struct FollowedPages {
    PageFilter filter;
    std::vector<Engine*> engines; ///< see DocumentViewModel::engines()
    SlicePages along;             ///< the pages, in their order
    char axis = 'p';              ///< of the pages, as StackAxis::name
    ObjectRule rule;
    bool filtered = false; ///< the filtered pages; else the pages as read
    ObjectListSpec listed; ///< condition and border of the objects that are followed
    QString condition;     ///< of `listed`, with its unit
};

/// The objects of an image or volume by a rule, on the first of the engines that works.
/// @param objects with the image to measure
/// @param greyValues of the levels of that image
/// @param choices see findObjects()
/// @throws Error, Cancelled
[[nodiscard]] Components objectsOf(const ObjectRule& rule, const LevelRange& levels, const ObjectSource& objects,
                                   const std::optional<ValueMapping>& greyValues, const std::vector<Engine*>& engines,
                                   const JobControl& control, ObjectChoices* choices = nullptr);

/// Finds the objects of the pages, one after another; grey levels are levels of the pages as read.
/// @param take called with the objects of each page, in order, and the mapping of their grey levels
/// @throws Error naming the page that failed; Error(outOfMemory) before a filtered page that needs more memory than
/// available; Cancelled
void findOnPages(const FollowedPages& pages,
                 const std::function<void(Components, const std::optional<ValueMapping>&)>& take,
                 const JobContext& context);

} // namespace pollard::vm
