#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/objects/best_learning.hpp"
#include "vm/objects/class_list.hpp"
#include "vm/objects/measured_channels.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_regions.hpp"

#include "components/objects/object_rule.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "session/session.hpp"
#include "tree/component_tree.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// The objects of the image: the connected components of its pixels between two levels, set by the user or found by a
/// method, or objects that are found in one of the other ways of ObjectRegions. Follows the document, the region and
/// the filter; pixels without data or outside the region belong to no object. In a volume they are components of the
/// voxels of all slices.
///
/// Computed on a separate thread, only while setActive(); a newer request replaces an older one. What candidates and
/// hierarchies cost is paid once for an image.
class ObjectsViewModel : public QObject {
    Q_OBJECT

public:
    using State = AsyncState;
    /// The image that is thresholded: as read, or the result of the filter for any output.
    using Source = StepImage;

    /// @param document must outlive this
    explicit ObjectsViewModel(DocumentViewModel& document, QObject* parent = nullptr);
    ~ObjectsViewModel() override;

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] Source source() const noexcept { return source_; }
    /// The method of the threshold; empty if the levels are set by hand.
    [[nodiscard]] std::optional<ThresholdMethod> threshold() const noexcept { return rule_.method; }
    /// Set: objects are above the local background, and no levels are.
    [[nodiscard]] const std::optional<BackgroundThreshold>& above() const noexcept { return rule_.above; }
    /// The connectivity: 4 or 8 in images, 6, 18 or 26 in volumes; it is converted between the two.
    [[nodiscard]] Connectivity connectivity() const noexcept;
    /// A switch of the rule: ObjectRule::dark, fillHoles, withoutBorder, borderXy (which settings() have where it
    /// has an effect).
    [[nodiscard]] bool option(bool ObjectRule::*which) const noexcept { return rule_.*which; }
    void setOption(bool ObjectRule::*which, bool on);
    /// How objects that touch are split; empty: not.
    [[nodiscard]] const std::optional<ObjectSplit>& split() const noexcept { return rule_.split; }
    /// The strength of split(), or of the next one.
    [[nodiscard]] double splitStrength() const noexcept { return rule_.split.value_or(lastSplit_).strength; }
    /// The rule as it was set; settings() have it for the present image.
    [[nodiscard]] const ObjectRule& rule() const noexcept { return rule_; }
    void setRule(const ObjectRule& rule) { setRule(source_, rule); }
    /// All settings. Levels by hand are independent of domain(): 0 and 65535 stand for its ends.
    [[nodiscard]] ObjectSettings settings() const;
    [[nodiscard]] bool isActive() const noexcept { return active_; }

    /// Levels of objects: set by hand, or found by the method for objects(); all of domain() until the method has found
    /// some in a new image.
    [[nodiscard]] LevelRange levels() const noexcept { return levels_; }
    /// Possible levels.
    [[nodiscard]] LevelRange domain() const noexcept { return domain_; }

    /// The bounds of levels() as values of the image: as typed, else the values of the levels.
    [[nodiscard]] ValueBounds values() const;
    /// Value of a level of the image that is thresholded, and the least distance of two values.
    [[nodiscard]] double valueOf(double level) const { return pollard::valueOf(mapping_, level); }
    [[nodiscard]] double valueStep() const;
    [[nodiscard]] const std::optional<ValueMapping>& mapping() const noexcept { return mapping_; }

    /// The rule for objects of this page and others: a bound at the end of domain() becomes none, so that pages with
    /// other levels are treated in the same way.
    [[nodiscard]] ObjectRule recipe() const;
    /// recipe() without marks, which are of pixels of this image.
    [[nodiscard]] ObjectRule recipeForPages() const;

    /// The ways to find objects without a threshold, or within it.
    [[nodiscard]] ObjectRegions& regions() noexcept { return regions_; }
    [[nodiscard]] const ObjectRegions& regions() const noexcept { return regions_; }
    /// Questions about the best components, and their weights.
    [[nodiscard]] BestLearning& learning() noexcept { return learning_; }
    [[nodiscard]] const BestLearning& learning() const noexcept { return learning_; }
    /// Share of the work that is done while objects are computed, 0..1; 0 of a job that has taken a moment only.
    [[nodiscard]] double progress() const noexcept { return progress_; }

    /// How the objects are drawn over the image.
    [[nodiscard]] const ObjectsLook& look() const noexcept { return look_; }
    void setLook(const ObjectsLook& look);
    /// Opacity of the objects' colours over the image, 0..1.
    [[nodiscard]] double opacity() const noexcept { return look_.opacity; }
    /// Whether only outlines of objects are coloured, so that the image inside stays visible.
    [[nodiscard]] bool showsOutlines() const noexcept { return look_.outlines; }
    /// What is drawn of the regions of a hierarchy.
    [[nodiscard]] HierarchyDrawing drawing() const noexcept { return look_.drawing; }

    /// The displayed objects; null if there are none.
    [[nodiscard]] std::shared_ptr<const FoundObjects> objects() const noexcept { return shown_; }
    /// The channels in which objects are measured; a change there emits settingsChanged().
    [[nodiscard]] MeasuredChannels& channels() noexcept { return channels_; }
    [[nodiscard]] const MeasuredChannels& channels() const noexcept { return channels_; }
    /// Into which they are sorted; a change there is one of settingsChanged().
    [[nodiscard]] ClassList& classes() noexcept { return classes_; }
    [[nodiscard]] const ClassList& classes() const noexcept { return classes_; }
    /// Whether the objects are edited by hand: they follow neither the image nor the rule until setEdited(false).
    [[nodiscard]] bool isEdited() const noexcept { return edited_; }
    void setEdited(bool edited);
    /// Shows edited objects; null: they are being made.
    void showEdited(const std::shared_ptr<const FoundObjects>& objects);
    /// The slice in the middle of an object of a volume.
    void showSliceOf(std::uint32_t label);
    /// The document, for exports and units.
    [[nodiscard]] const DocumentViewModel& document() const noexcept { return document_; }

public slots:
    void setSource(pollard::StepImage source) { setRule(source, rule_); }
    /// @param method empty: by hand, with the present levels
    void setThreshold(std::optional<pollard::ThresholdMethod> method);
    void setAbove(const pollard::BackgroundThreshold& above);
    void setSplit(std::optional<pollard::SplitBy> by);
    void setSplitStrength(double strength);
    void setConnectivity(pollard::Connectivity connectivity);
    /// Sets the levels and the manual threshold. Clamped to the domain; if they cross, both become @p low.
    void setLevels(int low, int high);
    /// Sets the threshold by values of the image.
    void setValues(double low, double high);
    /// Sets all of settings(), of this image or another one.
    void setSettings(const pollard::ObjectSettings& settings);
    void setOpacity(double opacity) { setLook({std::clamp(opacity, 0.0, 1.0), look_.outlines, look_.drawing}); }
    void setShowsOutlines(bool shows) { setLook({look_.opacity, shows, look_.drawing}); }
    void setDrawing(pollard::HierarchyDrawing drawing) { setLook({look_.opacity, look_.outlines, drawing}); }
    /// Computed only while active.
    void setActive(bool active);

signals:
    void settingsChanged(); ///< including levels() and domain()
    void activeChanged();
    void opacityChanged(); ///< look()
    void changed();        ///< state or objects
    void progressChanged();

private:
    [[nodiscard]] static ObjectRule defaultRule();
    void setRule(Source source, const ObjectRule& rule);
    void onImage();
    void update();
    /// The image or volume that is thresholded; null if there is none, or if it is being made.
    [[nodiscard]] std::shared_ptr<const Image> sourceImage() const;
    void onFilteredVolume(const std::shared_ptr<const Image>& volume);
    void adoptDomain();
    /// Updates the possible levels. @returns whether they, or levels(), have changed; emits no signal
    bool takeDomain();
    void show(State state, std::shared_ptr<const FoundObjects> objects);
    /// Shows objects together with their levels.
    void showFound(State state, std::shared_ptr<const FoundObjects> objects);
    /// Removes bounds at the ends of the domain.
    [[nodiscard]] LevelRange withoutEnds(LevelRange levels) const;
    [[nodiscard]] LevelRange inDomain(LevelRange levels) const;
    /// Levels set by hand, or of the values set by hand, which may be none.
    [[nodiscard]] LevelRange byHand() const;
    /// Sets levels by hand, as values if values of the image differ from levels.
    void setByHand(ObjectRule& rule, const LevelRange& levels) const;

    DocumentViewModel& document_;
    MeasuredChannels channels_{document_};
    ClassList classes_{document_, channels_};
    State state_ = State::empty;
    QString problem_;
    Source source_ = ObjectSettings{}.of;
    /// The connectivity may be of the other kind.
    /// Levels by hand are for all domains of pages. borderXy is the choice for volumes.
    ObjectRule rule_ = defaultRule();
    ObjectSplit lastSplit_; ///< with the strength of the last split
    ObjectRegions regions_{*this};
    BestLearning learning_{*this};
    class Kept;
    std::shared_ptr<Kept> kept_;          ///< from job to job; only jobs read and write it
    bool ofVolume_ = false;               ///< the document is a volume
    std::optional<ValueMapping> mapping_; ///< of the levels of the image that is thresholded
    /// The filtered volume, and the tree and filter that it is of.
    struct {
        std::shared_ptr<const Image> image;
        std::weak_ptr<const ComponentTree> tree;
        FilterSpec spec;
    } filtered_;
    std::shared_ptr<const Image> askedSource_; ///< of the newest job in a volume, while its result counts
    std::shared_ptr<const Mask> askedRegion_;  ///< the same
    ObjectRule askedRule_;                     ///< the same
    HierarchyDrawing askedDrawing_ = HierarchyDrawing::labels; ///< the same
    bool active_ = false;
    bool edited_ = false;
    ObjectsLook look_;
    LevelRange levels_{0, 255};
    LevelRange domain_{0, 255};
    std::shared_ptr<const FoundObjects> shown_;
    double progress_ = 0;
    QElapsedTimer started_; ///< the newest job
    ProgressRelay relay_;
    LatestWinsWorker::Generation newest_ = 0;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
