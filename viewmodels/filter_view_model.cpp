#include "filter_view_model.hpp"

#include "document_view_model.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Attributes whose values spread over decades, most of them small.
bool isWide(AttributeId id) { return attributeInfo(id).increasing; }

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

/// Text of core that is shown to a person, in the person's language.
QString translated(std::string_view source) {
    return QCoreApplication::translate("Attribute", std::string(source).c_str());
}

QString number(double value) {
    QString digits = QString::number(value, 'f', 6);
    while (digits.endsWith(u'0')) {
        digits.chop(1);
    }
    if (digits.endsWith(u'.')) {
        digits.chop(1);
    }
    return digits;
}

std::optional<double> bound(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

} // namespace

FilterViewModel::FilterViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), domain_(ValueDomain::over(1, 1, true, true)), published_(spec()) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &FilterViewModel::updateDomain);
    connect(&document_, &DocumentViewModel::attributeReady, this, &FilterViewModel::onAttributeReady);
    connect(&document_, &DocumentViewModel::frameReady, this, &FilterViewModel::countersChanged);
    updateDomain();
}

FilterViewModel::Bounds FilterViewModel::bounds() const {
    const auto found = chosen_.find(attribute_);
    return found == chosen_.end() ? Bounds{} : found->second;
}

double FilterViewModel::minimum() const noexcept {
    const auto found = chosen_.find(attribute_);
    if (found == chosen_.end() || !found->second.minimum) {
        return domain_.minimum;
    }
    return domainKnown_ ? domain_.clamp(*found->second.minimum) : *found->second.minimum;
}

double FilterViewModel::maximum() const noexcept {
    const auto found = chosen_.find(attribute_);
    if (found == chosen_.end() || !found->second.maximum) {
        return domain_.maximum;
    }
    return domainKnown_ ? domain_.clamp(*found->second.maximum) : *found->second.maximum;
}

QString FilterViewModel::unit() const { return text(attributeInfo(attribute_).unit); }

FilterSpec FilterViewModel::spec() const {
    FilterSpec spec;
    spec.rule = rule_;
    spec.output = output_;
    const Bounds b = bounds();
    Criterion criterion{attribute_, -kInfinity, kInfinity};
    if (b.minimum && (!domainKnown_ || minimum() > domain_.minimum)) {
        criterion.minimum = minimum();
    }
    if (b.maximum && (!domainKnown_ || maximum() < domain_.maximum)) {
        criterion.maximum = maximum();
    }
    if (enabled_ && (std::isfinite(criterion.minimum) || std::isfinite(criterion.maximum))) {
        spec.criteria.push_back(criterion);
    }
    return spec;
}

QString FilterViewModel::criterionText() const {
    const FilterSpec present = spec();
    if (present.criteria.empty()) {
        return tr("every node");
    }
    const Criterion& c = present.criteria.front();
    const QString name = text(attributeInfo(c.attribute).name);
    if (!std::isfinite(c.minimum)) {
        return QStringLiteral("%1 <= %2").arg(name, number(c.maximum));
    }
    if (!std::isfinite(c.maximum)) {
        return QStringLiteral("%1 >= %2").arg(name, number(c.minimum));
    }
    return QStringLiteral("%1 <= %2 <= %3").arg(number(c.minimum), name, number(c.maximum));
}

quint64 FilterViewModel::keptNodes() const noexcept { return document_.filterReport().keptNodes; }
quint64 FilterViewModel::removedNodes() const noexcept { return document_.filterReport().removedNodes; }
quint64 FilterViewModel::changedPixels() const noexcept { return document_.filterReport().changedPixels; }
double FilterViewModel::milliseconds() const noexcept { return document_.filterReport().milliseconds; }

void FilterViewModel::setAttribute(AttributeId id) {
    if (id == attribute_) {
        return;
    }
    attribute_ = id;
    emit attributeChanged();
    updateDomain();
}

void FilterViewModel::setMinimum(double value) {
    Bounds b = bounds();
    if (domainKnown_) {
        const double clamped = std::min(domain_.snap(value), maximum());
        if (clamped == minimum()) {
            return; // also keeps a number that this tree only shows clamped
        }
        b.minimum = clamped > domain_.minimum ? std::optional(clamped) : std::nullopt;
    } else {
        b.minimum = bound(b.maximum ? std::min(value, *b.maximum) : value);
    }
    changeBounds(b);
}

void FilterViewModel::setMaximum(double value) {
    Bounds b = bounds();
    if (domainKnown_) {
        const double clamped = std::max(std::isnan(value) ? domain_.maximum : domain_.snap(value), minimum());
        if (clamped == maximum()) {
            return;
        }
        b.maximum = clamped < domain_.maximum ? std::optional(clamped) : std::nullopt;
    } else {
        b.maximum = bound(b.minimum ? std::max(value, *b.minimum) : value);
    }
    changeBounds(b);
}

void FilterViewModel::setMinimumPosition(double position) {
    if (domainKnown_) {
        setMinimum(domain_.valueAt(position));
    }
}

void FilterViewModel::setMaximumPosition(double position) {
    if (domainKnown_) {
        setMaximum(domain_.valueAt(position));
    }
}

void FilterViewModel::setRange(double minimum, double maximum) {
    if (minimum > maximum) {
        std::swap(minimum, maximum);
    }
    if (!domainKnown_) {
        changeBounds({bound(minimum), bound(maximum)});
        return;
    }
    const double low = domain_.snap(minimum);
    const double high = std::isnan(maximum) ? domain_.maximum : domain_.snap(maximum);
    Bounds b = bounds();
    if (low != this->minimum()) {
        b.minimum = low > domain_.minimum ? std::optional(low) : std::nullopt;
    }
    if (high != this->maximum()) {
        b.maximum = high < domain_.maximum ? std::optional(high) : std::nullopt;
    }
    changeBounds(b);
}

void FilterViewModel::setCriterion(const Criterion& criterion) {
    chosen_[criterion.attribute] = {bound(criterion.minimum), bound(criterion.maximum)};
    if (criterion.attribute != attribute_) {
        setAttribute(criterion.attribute);
        return;
    }
    emit rangeChanged();
    publishIfChanged();
}

void FilterViewModel::setRule(Rule rule) {
    if (rule == rule_) {
        return;
    }
    rule_ = rule;
    emit ruleChanged();
    publishIfChanged();
}

void FilterViewModel::setOutput(Output output) {
    if (output == output_) {
        return;
    }
    output_ = output;
    emit outputChanged();
    publishIfChanged();
}

void FilterViewModel::setEnabled(bool enabled) {
    if (enabled == enabled_) {
        return;
    }
    enabled_ = enabled;
    emit enabledChanged();
    publishIfChanged();
}

void FilterViewModel::setLive(bool live) {
    if (live == live_) {
        return;
    }
    live_ = live;
    emit liveChanged();
    if (live_) {
        apply();
    }
}

void FilterViewModel::apply() {
    document_.requestFilter(spec());
    setPending(false);
}

void FilterViewModel::reset() { changeBounds({}); }

void FilterViewModel::changeBounds(const Bounds& changed) {
    if (changed == bounds()) {
        return;
    }
    chosen_[attribute_] = changed;
    emit rangeChanged();
    publishIfChanged();
}

void FilterViewModel::updateDomain() {
    const auto column = document_.attribute(attribute_);
    const AttributeInfo& info = attributeInfo(attribute_);
    const double floor = attribute_ == AttributeId::area ? 1 : 0; // for as long as there is no tree
    const ValueDomain domain =
        column ? ValueDomain::over(column->minimum, column->maximum, info.integral, isWide(attribute_))
               : ValueDomain::over(floor, floor, info.integral, isWide(attribute_));
    const bool known = column != nullptr;
    if (domain != domain_ || known != domainKnown_) {
        domain_ = domain;
        domainKnown_ = known;
        emit domainChanged();
        emit rangeChanged();
    }
    publishIfChanged();
    if (!known) {
        document_.requestAttribute(attribute_);
    }
}

void FilterViewModel::onAttributeReady(AttributeId id) {
    if (id == attribute_ && !domainKnown_) {
        updateDomain();
    }
}

void FilterViewModel::publishIfChanged() {
    FilterSpec present = spec();
    if (present == published_) {
        return;
    }
    published_ = std::move(present);
    if (live_) {
        document_.requestFilter(published_);
    }
    setPending(!live_ && published_ != document_.filterSpec());
    emit specChanged();
}

void FilterViewModel::setPending(bool pending) {
    if (pending == pending_) {
        return;
    }
    pending_ = pending;
    emit pendingChanged();
}

QString FilterViewModel::attributeTitle(AttributeId id) { return translated(attributeInfo(id).title); }

QString FilterViewModel::attributeToolTip(AttributeId id) {
    const AttributeInfo& info = attributeInfo(id);
    const QString formula = translated(info.formula);
    return info.unit.empty() ? formula : tr("%1 [%2]").arg(formula, text(info.unit));
}

QString FilterViewModel::ruleTitle(Rule rule) {
    switch (rule) {
    case Rule::direct:
        return tr("Direct");
    case Rule::min:
        return tr("Min (prune)");
    case Rule::max:
        return tr("Max");
    case Rule::viterbi:
        return tr("Viterbi (prune)");
    case Rule::subtractive:
        return tr("Subtractive");
    }
    return {};
}

QString FilterViewModel::ruleToolTip(Rule rule) {
    switch (rule) {
    case Rule::direct:
        return tr("Pixels of a removed component get the level of the nearest kept one around it");
    case Rule::min:
        return tr("A component is kept only if it and all components around it meet the criterion");
    case Rule::max:
        return tr("A component is kept if it or any component inside it meets the criterion");
    case Rule::viterbi:
        return tr("The pruning that overrules the criterion for the fewest components");
    case Rule::subtractive:
        return tr("As Direct, and what lies above a removed component is lowered by its contrast");
    }
    return {};
}

QString FilterViewModel::outputTitle(Output output) {
    switch (output) {
    case Output::filtered:
        return tr("Filtered picture");
    case Output::residue:
        return tr("Residue");
    case Output::mask:
        return tr("Mask");
    case Output::labels:
        return tr("Labels");
    }
    return {};
}

QString FilterViewModel::outputToolTip(Output output) {
    switch (output) {
    case Output::filtered:
        return tr("The picture rebuilt from the components that are kept");
    case Output::residue:
        return tr("What was removed: the difference between image and filtered picture (top-hat)");
    case Output::mask:
        return tr("White where a kept component meets the criterion, else black");
    case Output::labels:
        return tr("The number of the outermost kept component that holds the pixel, else 0");
    }
    return {};
}

} // namespace pollard::vm
