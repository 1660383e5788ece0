#pragma once

#include "vm/base/change.hpp"
#include "vm/filter/criteria_model.hpp"
#include "vm/filter/criterion_bounds.hpp"
#include "vm/filter/picks_model.hpp"

#include "attributes/attribute.hpp"
#include "filter/filter_settings.hpp"
#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class ChannelFilters;
class DocumentViewModel;

/// The filter of a document: a list of criteria with an edited one (minimum <= attribute <= maximum), their
/// combination, prominence, hand-picked components, rule and output.
///
/// The domain is the range of the attribute over the nodes of the present tree. A bound at the end of its domain is no
/// bound, and remains none when a new tree has a wider domain. The user's numbers are stored for each criterion and
/// attribute; if they are outside the domain of a tree, they are displayed clamped without being lost.
class FilterViewModel : public QObject {
    Q_OBJECT

public:
    /// All settings, to be restored later.
    using State = FilterSettings;

    /// @param document must outlive this
    explicit FilterViewModel(DocumentViewModel& document, QObject* parent = nullptr);
    ~FilterViewModel() override;

    /// All criteria including the current one, to which the attribute and bounds below belong.
    [[nodiscard]] CriteriaModel& criteria() noexcept { return criteria_; }
    [[nodiscard]] const CriteriaModel& criteria() const noexcept { return criteria_; }

    /// Components removed or kept by hand.
    [[nodiscard]] PicksModel& picks() noexcept { return picks_; }
    [[nodiscard]] const PicksModel& picks() const noexcept { return picks_; }

    /// The filters of the other channels of the image.
    [[nodiscard]] ChannelFilters& channels() noexcept { return *channels_; }
    [[nodiscard]] const ChannelFilters& channels() const noexcept { return *channels_; }

    [[nodiscard]] AttributeId attribute() const noexcept { return bounds_.attribute(); }
    [[nodiscard]] double minimum() const noexcept { return bounds_.minimum(); }
    [[nodiscard]] double maximum() const noexcept { return bounds_.maximum(); }
    /// The bounds as positions on a slider from 0 to 1 over the domain.
    [[nodiscard]] double minimumPosition() const noexcept { return domain().positionOf(minimum()); }
    [[nodiscard]] double maximumPosition() const noexcept { return domain().positionOf(maximum()); }
    [[nodiscard]] const ValueDomain& domain() const noexcept { return bounds_.domain(); }
    [[nodiscard]] double domainMinimum() const noexcept { return domain().minimum; }
    [[nodiscard]] double domainMaximum() const noexcept { return domain().maximum; }
    /// Unit of the numbers of the current criterion: "px", "µm²"; may be empty.
    [[nodiscard]] QString unit() const { return bounds_.unit(); }
    /// See CriterionBounds::isInValues().
    [[nodiscard]] bool areBoundsInValues() const { return bounds_.isInValues(); }

    /// The unit of the bounds of the current criterion. Unless it is px, minimum(), maximum() and the slider stay in
    /// px, and the typed numbers below are in the unit.
    [[nodiscard]] LengthUnit boundUnit() const { return bounds_.boundUnit(); }
    /// Possible units of its bounds for this image, px first; only px for attributes without a dimension.
    [[nodiscard]] std::vector<LengthUnit> boundUnits() const { return bounds_.boundUnits(); }
    /// "px", "µm²", for this attribute.
    [[nodiscard]] QString unitName(LengthUnit unit) const { return bounds_.unitName(unit); }
    [[nodiscard]] double typedMinimum() const { return bounds_.typedMinimum(); }
    [[nodiscard]] double typedMaximum() const { return bounds_.typedMaximum(); }
    [[nodiscard]] ValueDomain typedDomain() const { return bounds_.typedDomain(); }
    /// Why criteria that are on, of this filter and earlier ones, are ignored for this image, one line each; empty if
    /// none is.
    [[nodiscard]] QString problem() const;
    /// Whether the filter needs distances of values, and the levels of the image are ranks, which have none.
    [[nodiscard]] bool lacksDistances() const;
    [[nodiscard]] Rule rule() const noexcept { return rule_; }
    [[nodiscard]] Output output() const noexcept { return output_; }
    /// Only components with one of the most prominent extrema are kept; prominentCount() is the number of these.
    [[nodiscard]] bool isProminentOnly() const noexcept { return prominentOnly_; }
    /// Decides beside the criteria; without trees it keeps all components.
    [[nodiscard]] const Forest& forest() const noexcept { return forest_; }
    /// "a forest of 64 decision trees"
    [[nodiscard]] static QString forestText(const Forest& forest);
    [[nodiscard]] int prominentCount() const noexcept { return static_cast<int>(prominent_.count); }
    [[nodiscard]] Prominence prominence() const noexcept { return prominent_.measure; }
    static constexpr int kMaxProminent = 1'000'000; ///< limit of prominentCount()
    /// Off: no component is removed, the settings stay.
    [[nodiscard]] bool isEnabled() const noexcept { return enabled_; }
    /// Whether every change filters at once; else only apply() filters.
    [[nodiscard]] bool isLive() const noexcept { return live_; }
    /// Live is off and the filter has changed since the last apply().
    [[nodiscard]] bool isPending() const noexcept { return pending_; }
    /// A tree exists and the domain is known.
    [[nodiscard]] bool isAvailable() const noexcept { return bounds_.isAvailable(); }

    [[nodiscard]] FilterSpec spec() const;
    [[nodiscard]] State state() const;
    /// Sets all settings at once, with at most one specChanged().
    void setState(const State& state);
    [[nodiscard]] QString criterionText() const; ///< "area >= 100 and level <= 50", "every node"

    /// Counters of the displayed filtered image.
    [[nodiscard]] quint64 keptNodes() const noexcept;
    [[nodiscard]] quint64 removedNodes() const noexcept;
    [[nodiscard]] quint64 changedPixels() const noexcept;
    [[nodiscard]] double milliseconds() const noexcept;
    /// Whether the counters belong to spec() and the requested tree; else new counters are being computed, or wait for
    /// apply().
    [[nodiscard]] bool areCountersCurrent() const noexcept { return countersCurrent_; }
    /// Whether the root, which is always kept, does not meet the criteria of the counters. False while an attribute is
    /// not measured.
    [[nodiscard]] bool isRootKeptAnyway() const;

public slots:
    void setAttribute(pollard::AttributeId id) { criteria_.setAttribute(criteria_.current(), id); }
    /// Clamped to [domain minimum, maximum()]; the domain's minimum means no bound.
    void setMinimum(double value) { bounds_.setMinimum(value); }
    /// Clamped to [minimum(), domain maximum]; the domain's maximum means no bound.
    void setMaximum(double value) { bounds_.setMaximum(value); }
    void setMinimumPosition(double position) { bounds_.setMinimumPosition(position); }
    void setMaximumPosition(double position) { bounds_.setMaximumPosition(position); }
    /// Like setMinimum() and setMaximum(), with a number in boundUnit(), which is stored as it is.
    void setTypedMinimum(double value) { bounds_.setTypedMinimum(value); }
    void setTypedMaximum(double value) { bounds_.setTypedMaximum(value); }
    /// Converts the bounds of the current criterion to another unit; bounds that do not apply to the image are
    /// removed.
    void setBoundUnit(pollard::LengthUnit unit) { bounds_.setBoundUnit(unit); }
    /// Sets both bounds with one specChanged(); swapped if in the wrong order.
    void setRange(double minimum, double maximum) { bounds_.setRange(minimum, maximum); }
    /// Sets attribute and bounds of the current criterion at once; infinite bounds are none. Can be called before an
    /// image is open.
    void setCriterion(const pollard::Criterion& criterion) { criteria_.setCriterion(criteria_.current(), criterion); }
    /// Sets the whole filter with one specChanged() and switches it on. Can be called before an image is open.
    void setSpec(const pollard::FilterSpec& spec);
    void setRule(pollard::Rule rule) {
        change(this, rule_, rule, &FilterViewModel::ruleChanged, &FilterViewModel::onPart);
    }
    void setOutput(pollard::Output output) {
        change(this, output_, output, &FilterViewModel::outputChanged, &FilterViewModel::onPart);
    }
    void setForest(const pollard::Forest& forest) {
        change(this, forest_, forest, &FilterViewModel::forestChanged, &FilterViewModel::onPart);
    }
    void setProminentOnly(bool only);
    /// Clamped to 1..kMaxProminent.
    void setProminentCount(int count);
    void setProminence(pollard::Prominence measure);
    void setEnabled(bool enabled) {
        change(this, enabled_, enabled, &FilterViewModel::enabledChanged, &FilterViewModel::checkProblem,
               &FilterViewModel::onPart);
    }
    void setLive(bool live);
    /// Filters with the present settings, live or not.
    void apply();
    /// Removes the bounds of the current criterion.
    void reset() { bounds_.reset(); }

signals:
    void attributeChanged();
    void domainChanged();
    void unitChanged(); ///< boundUnit() or boundUnits()
    void problemChanged();
    void rangeChanged();
    void ruleChanged();
    void outputChanged();
    void prominentChanged();
    void forestChanged();
    void enabledChanged();
    void liveChanged();
    void pendingChanged();
    void specAboutToChange(); ///< spec() has changed, and no filtering has been requested yet
    void specChanged();       ///< once per change of spec()
    void edited();            ///< state() may have changed; emitted last
    void countersChanged();
    void countersCurrentChanged();

private:
    void setProminent(bool only, const Prominent& prominent);
    void checkProblem() { change(this, problem_, problem(), &FilterViewModel::problemChanged); }
    void onPart();
    void publishIfChanged();
    void setPending(bool pending) {
        change(this, pending_, pending, &FilterViewModel::pendingChanged, &FilterViewModel::checkCounters);
    }
    void checkCounters();

    DocumentViewModel& document_;
    CriteriaModel criteria_;
    CriterionBounds bounds_;
    PicksModel picks_;
    bool prominentOnly_ = false;
    Prominent prominent_{Prominence::dynamics, 20};
    QString problem_; ///< at the last problemChanged()
    Rule rule_ = Rule::direct;
    Output output_ = Output::filtered;
    bool enabled_ = true;
    Forest forest_;
    bool live_ = true;
    bool pending_ = false;
    bool countersCurrent_ = false;
    bool taking_ = false; ///< a whole filter is being set and is published at the end
    FilterSpec published_;
    std::unique_ptr<ChannelFilters> channels_; ///< last: its slots run after the slots of the parts
};

/// Criteria that are all on; one without bounds if there are none.
[[nodiscard]] CriteriaModel::State criteriaOf(const std::vector<Criterion>& criteria, Match match);
[[nodiscard]] std::vector<PicksModel::Pick> picksOf(const std::vector<std::uint32_t>& removed,
                                                    const std::vector<std::uint32_t>& kept,
                                                    const std::vector<std::uint32_t>& only);

/// The filter of these settings, on any tree.
[[nodiscard]] FilterSpec specOf(const FilterViewModel::State& filter);
/// The filter with the criteria of a tree.
[[nodiscard]] FilterSpec specOf(const FilterViewModel::State& filter, std::vector<Criterion> criteria);
/// Settings of a filter that is on.
[[nodiscard]] FilterViewModel::State stateOf(const FilterSpec& spec);

/// Whether a filter may change an image.
[[nodiscard]] bool mayChange(const FilterSpec& spec);

} // namespace pollard::vm
