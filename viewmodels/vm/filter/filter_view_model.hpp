#pragma once

#include "vm/filter/criteria_model.hpp"
#include "vm/filter/picks_model.hpp"

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The filter of a document: a list of criteria of which one is edited here (minimum <= attribute <= maximum), how they
/// are joined, prominence, components picked by hand, rule and output.
///
/// The domain is what the attribute takes over the nodes of the present tree. A bound at the end of its domain is no
/// bound, and stays none when a new tree has a wider domain. The numbers a person chose are kept for each
/// criterion and attribute; a tree whose domain they lie outside of shows them clamped, without forgetting them.
class FilterViewModel : public QObject {
    Q_OBJECT

public:
    /// All that was set, whether it makes a difference now or not, to come back to it.
    struct State {
        CriteriaModel::State criteria;
        std::vector<PicksModel::Pick> picks;
        bool prominentOnly = false;
        Prominent prominent;
        Rule rule = Rule::direct;
        Output output = Output::filtered;
        bool enabled = true;

        bool operator==(const State&) const = default;
    };

    /// @param document must outlive this
    explicit FilterViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// All criteria, and which of them is the current one: attribute and bounds below are its.
    [[nodiscard]] CriteriaModel& criteria() noexcept { return criteria_; }
    [[nodiscard]] const CriteriaModel& criteria() const noexcept { return criteria_; }

    /// Components that were removed or kept by hand.
    [[nodiscard]] PicksModel& picks() noexcept { return picks_; }
    [[nodiscard]] const PicksModel& picks() const noexcept { return picks_; }

    [[nodiscard]] AttributeId attribute() const noexcept { return shown_.attribute; }
    [[nodiscard]] double minimum() const noexcept { return shown_.minimum; }
    [[nodiscard]] double maximum() const noexcept { return shown_.maximum; }
    /// The same on a slider that runs from 0 to 1 over the domain.
    [[nodiscard]] double minimumPosition() const noexcept { return domain().positionOf(minimum()); }
    [[nodiscard]] double maximumPosition() const noexcept { return domain().positionOf(maximum()); }
    [[nodiscard]] const ValueDomain& domain() const noexcept { return shown_.domain.values; }
    [[nodiscard]] double domainMinimum() const noexcept { return domain().minimum; }
    [[nodiscard]] double domainMaximum() const noexcept { return domain().maximum; }
    [[nodiscard]] QString unit() const; ///< of the numbers of the current criterion: "px", "µm²"; may be empty

    /// The unit that the bounds of the current criterion are in. Where it is not px, minimum(), maximum() and the
    /// slider stay in px, and the typed numbers below are in the unit.
    [[nodiscard]] LengthUnit boundUnit() const { return bounds().unit; }
    /// Those that its bounds can have on this picture, px first; px alone for attributes without a dimension.
    [[nodiscard]] std::vector<LengthUnit> boundUnits() const;
    [[nodiscard]] QString unitName(LengthUnit unit) const; ///< "px", "µm²", for this attribute
    [[nodiscard]] double typedMinimum() const;
    [[nodiscard]] double typedMaximum() const;
    [[nodiscard]] ValueDomain typedDomain() const;
    /// Why criteria that are on, of this filter and earlier ones, take no part in this picture, one line for each;
    /// empty if all do.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] Rule rule() const noexcept { return rule_; }
    [[nodiscard]] Output output() const noexcept { return output_; }
    /// Only components that hold one of the most prominent extrema are kept, and that many extrema there are.
    [[nodiscard]] bool isProminentOnly() const noexcept { return prominentOnly_; }
    [[nodiscard]] int prominentCount() const noexcept { return static_cast<int>(prominent_.count); }
    [[nodiscard]] Prominence prominence() const noexcept { return prominent_.measure; }
    static constexpr int kMaxProminent = 1'000'000; ///< that can be asked for
    /// Off: nothing is removed, the numbers stay.
    [[nodiscard]] bool isEnabled() const noexcept { return enabled_; }
    /// On: every change filters at once. Off: only apply() does.
    [[nodiscard]] bool isLive() const noexcept { return live_; }
    /// Live is off and something changed since the last apply().
    [[nodiscard]] bool isPending() const noexcept { return pending_; }
    /// There is a tree whose domain is known.
    [[nodiscard]] bool isAvailable() const noexcept { return shown_.domain.known; }

    [[nodiscard]] FilterSpec spec() const;
    [[nodiscard]] State state() const;
    /// All of it at once, with at most one specChanged().
    void setState(const State& state);
    [[nodiscard]] QString criterionText() const; ///< "area >= 100 and level <= 50", "every node"

    /// Counters of the filtered picture that is shown.
    [[nodiscard]] quint64 keptNodes() const noexcept;
    [[nodiscard]] quint64 removedNodes() const noexcept;
    [[nodiscard]] quint64 changedPixels() const noexcept;
    [[nodiscard]] double milliseconds() const noexcept;
    /// Whether the counters are those of spec() and of the tree that is wanted; else others are on their way, or wait
    /// for apply().
    [[nodiscard]] bool areCountersCurrent() const noexcept { return countersCurrent_; }
    /// Whether the root, which is always kept, does not meet the criteria that the counters are of. False while an
    /// attribute is not measured.
    [[nodiscard]] bool isRootKeptAnyway() const;

    /// Names for menus and tooltips.
    [[nodiscard]] static QString attributeTitle(AttributeId id);
    [[nodiscard]] static QString attributeToolTip(AttributeId id); ///< formula and unit
    [[nodiscard]] static QString ruleTitle(Rule rule);
    [[nodiscard]] static QString ruleToolTip(Rule rule);
    [[nodiscard]] static QString outputTitle(Output output);
    [[nodiscard]] static QString outputToolTip(Output output);
    [[nodiscard]] static QString prominenceTitle(Prominence measure); ///< "dynamics", as in "by dynamics"
    [[nodiscard]] static QString prominenceToolTip(Prominence measure);

public slots:
    void setAttribute(pollard::AttributeId id);
    /// Clamped to [domain minimum, maximum()]; the domain's minimum means no bound.
    void setMinimum(double value);
    /// Clamped to [minimum(), domain maximum]; the domain's maximum means no bound.
    void setMaximum(double value);
    void setMinimumPosition(double position);
    void setMaximumPosition(double position);
    /// As setMinimum() and setMaximum(), with a number in boundUnit(), which is kept as it is.
    void setTypedMinimum(double value);
    void setTypedMaximum(double value);
    /// Converts the bounds of the current criterion to another unit; on a picture that they have no meaning for they
    /// are removed.
    void setBoundUnit(pollard::LengthUnit unit);
    /// Both bounds at once, with one specChanged(); swapped if in the wrong order.
    void setRange(double minimum, double maximum);
    /// Attribute and bounds of the current criterion at once, infinite ones are none. May come before an image is open.
    void setCriterion(const pollard::Criterion& criterion);
    /// The whole filter at once, with one specChanged(); it is on then. May come before an image is open.
    void setSpec(const pollard::FilterSpec& spec);
    void setRule(pollard::Rule rule);
    void setOutput(pollard::Output output);
    void setProminentOnly(bool only);
    /// Clamped to 1..kMaxProminent.
    void setProminentCount(int count);
    void setProminence(pollard::Prominence measure);
    void setEnabled(bool enabled);
    void setLive(bool live);
    /// Filters with what is set now, live or not.
    void apply();
    /// No bounds for the current criterion.
    void reset();

signals:
    void attributeChanged();
    void domainChanged();
    void unitChanged(); ///< boundUnit(), boundUnits() or problem()
    void rangeChanged();
    void ruleChanged();
    void outputChanged();
    void prominentChanged();
    void enabledChanged();
    void liveChanged();
    void pendingChanged();
    void specAboutToChange(); ///< spec() is another one, nobody was asked to filter with it yet
    void specChanged();       ///< once for every change of spec()
    void edited();            ///< state() may be another one; comes after all else
    void countersChanged();
    void countersCurrentChanged();

private:
    /// What is shown of the current criterion.
    struct Shown {
        AttributeId attribute = AttributeId::area;
        AttributeDomain domain;
        double minimum = 0;
        double maximum = 0;
        ChosenBounds bounds;
        std::optional<PixelSize> size;
    };
    [[nodiscard]] Shown present() const;
    [[nodiscard]] ChosenBounds bounds() const;
    [[nodiscard]] ChosenBounds boundsInPixels() const;
    [[nodiscard]] Dimension dimension() const;
    [[nodiscard]] bool isResolvable() const;
    [[nodiscard]] double inBoundUnit(double pixels) const;
    [[nodiscard]] double typed(std::optional<double> chosen, std::optional<double> pixels, double shown) const;
    /// Takes bounds in px; those that do not move stay as they were typed.
    void choose(const ChosenBounds& pixels);
    /// Takes over what the list of criteria says now.
    void sync();
    /// The same for the shown values of the current criterion alone.
    void show();
    void setProminent(bool only, const Prominent& prominent);
    void onPart();
    void publishIfChanged();
    void setPending(bool pending);
    void checkCounters();

    DocumentViewModel& document_;
    CriteriaModel criteria_;
    PicksModel picks_;
    bool prominentOnly_ = false;
    Prominent prominent_{Prominence::dynamics, 20};
    Shown shown_;
    QString problem_; ///< of the last unitChanged()
    Rule rule_ = Rule::direct;
    Output output_ = Output::filtered;
    bool enabled_ = true;
    bool live_ = true;
    bool pending_ = false;
    bool countersCurrent_ = false;
    bool taking_ = false; ///< a whole filter, which is published at the end
    FilterSpec published_;
};

} // namespace pollard::vm
