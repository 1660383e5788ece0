#pragma once

#include "value_domain.hpp"

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"

#include <QObject>
#include <QString>

#include <map>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// The criterion that a person drags: minimum <= attribute <= maximum, with rule and output.
///
/// The domain is what the attribute takes over the nodes of the present tree. A bound at the end of its domain is no
/// bound, and stays none when a new tree has a wider domain. The numbers a person chose are kept for each attribute;
/// a tree whose domain they lie outside of shows them clamped, without forgetting them.
class FilterViewModel : public QObject {
    Q_OBJECT
    Q_PROPERTY(pollard::AttributeId attribute READ attribute WRITE setAttribute NOTIFY attributeChanged)
    Q_PROPERTY(double minimum READ minimum WRITE setMinimum NOTIFY rangeChanged)
    Q_PROPERTY(double maximum READ maximum WRITE setMaximum NOTIFY rangeChanged)
    Q_PROPERTY(double minimumPosition READ minimumPosition WRITE setMinimumPosition NOTIFY rangeChanged)
    Q_PROPERTY(double maximumPosition READ maximumPosition WRITE setMaximumPosition NOTIFY rangeChanged)
    Q_PROPERTY(double domainMinimum READ domainMinimum NOTIFY domainChanged)
    Q_PROPERTY(double domainMaximum READ domainMaximum NOTIFY domainChanged)
    Q_PROPERTY(pollard::Rule rule READ rule WRITE setRule NOTIFY ruleChanged)
    Q_PROPERTY(pollard::Output output READ output WRITE setOutput NOTIFY outputChanged)
    Q_PROPERTY(bool enabled READ isEnabled WRITE setEnabled NOTIFY enabledChanged)
    Q_PROPERTY(bool live READ isLive WRITE setLive NOTIFY liveChanged)
    Q_PROPERTY(bool pending READ isPending NOTIFY pendingChanged)
    Q_PROPERTY(bool available READ isAvailable NOTIFY domainChanged)
    Q_PROPERTY(QString criterionText READ criterionText NOTIFY specChanged)

public:
    /// @param document must outlive this
    explicit FilterViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    [[nodiscard]] double minimum() const noexcept;
    [[nodiscard]] double maximum() const noexcept;
    /// The same on a slider that runs from 0 to 1 over the domain.
    [[nodiscard]] double minimumPosition() const noexcept { return domain_.positionOf(minimum()); }
    [[nodiscard]] double maximumPosition() const noexcept { return domain_.positionOf(maximum()); }
    [[nodiscard]] const ValueDomain& domain() const noexcept { return domain_; }
    [[nodiscard]] double domainMinimum() const noexcept { return domain_.minimum; }
    [[nodiscard]] double domainMaximum() const noexcept { return domain_.maximum; }
    [[nodiscard]] QString unit() const; ///< of the attribute: "px"; may be empty
    [[nodiscard]] Rule rule() const noexcept { return rule_; }
    [[nodiscard]] Output output() const noexcept { return output_; }
    /// Off: nothing is removed, the numbers stay.
    [[nodiscard]] bool isEnabled() const noexcept { return enabled_; }
    /// On: every change filters at once. Off: only apply() does.
    [[nodiscard]] bool isLive() const noexcept { return live_; }
    /// Live is off and something changed since the last apply().
    [[nodiscard]] bool isPending() const noexcept { return pending_; }
    /// There is a tree whose domain is known.
    [[nodiscard]] bool isAvailable() const noexcept { return domainKnown_; }

    [[nodiscard]] FilterSpec spec() const;
    [[nodiscard]] QString criterionText() const; ///< "area >= 100", "10 <= area <= 100", "every node"

    /// Counters of the filtered picture that is shown.
    [[nodiscard]] quint64 keptNodes() const noexcept;
    [[nodiscard]] quint64 removedNodes() const noexcept;
    [[nodiscard]] quint64 changedPixels() const noexcept;
    [[nodiscard]] double milliseconds() const noexcept;

    /// Names for menus and tooltips.
    [[nodiscard]] static QString attributeTitle(AttributeId id);
    [[nodiscard]] static QString attributeToolTip(AttributeId id); ///< formula and unit
    [[nodiscard]] static QString ruleTitle(Rule rule);
    [[nodiscard]] static QString ruleToolTip(Rule rule);
    [[nodiscard]] static QString outputTitle(Output output);
    [[nodiscard]] static QString outputToolTip(Output output);

public slots:
    void setAttribute(pollard::AttributeId id);
    /// Clamped to [domain minimum, maximum()]; the domain's minimum means no bound.
    void setMinimum(double value);
    /// Clamped to [minimum(), domain maximum]; the domain's maximum means no bound.
    void setMaximum(double value);
    void setMinimumPosition(double position);
    void setMaximumPosition(double position);
    /// Both bounds at once, with one specChanged(); swapped if in the wrong order.
    void setRange(double minimum, double maximum);
    /// Attribute and bounds at once, infinite ones are none. May come before an image is open.
    void setCriterion(const pollard::Criterion& criterion);
    void setRule(pollard::Rule rule);
    void setOutput(pollard::Output output);
    void setEnabled(bool enabled);
    void setLive(bool live);
    /// Filters with what is set now, live or not.
    void apply();
    /// No bounds for this attribute.
    void reset();

signals:
    void attributeChanged();
    void domainChanged();
    void rangeChanged();
    void ruleChanged();
    void outputChanged();
    void enabledChanged();
    void liveChanged();
    void pendingChanged();
    void specChanged(); ///< once for every change of spec()
    void countersChanged();

private:
    struct Bounds {
        std::optional<double> minimum; ///< what the person chose; none: no bound
        std::optional<double> maximum;
        bool operator==(const Bounds&) const = default;
    };
    [[nodiscard]] Bounds bounds() const;
    void changeBounds(const Bounds& bounds);
    void updateDomain();
    void onAttributeReady(pollard::AttributeId id);
    void publishIfChanged();
    void setPending(bool pending);

    DocumentViewModel& document_;
    AttributeId attribute_ = AttributeId::area;
    std::map<AttributeId, Bounds> chosen_;
    ValueDomain domain_;
    bool domainKnown_ = false;
    Rule rule_ = Rule::direct;
    Output output_ = Output::filtered;
    bool enabled_ = true;
    bool live_ = true;
    bool pending_ = false;
    FilterSpec published_;
};

} // namespace pollard::vm
