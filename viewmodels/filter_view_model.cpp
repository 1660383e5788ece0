#include "filter_view_model.hpp"

#include "attribute_catalogue.hpp"
#include "document_view_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

} // namespace

FilterViewModel::FilterViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), criteria_(document), picks_(document), shown_(present()),
      published_(spec()) {
    connect(&criteria_, &CriteriaModel::changed, this, &FilterViewModel::sync);
    connect(&picks_, &PicksModel::changed, this, &FilterViewModel::onPart);
    connect(&document_, &DocumentViewModel::frameReady, this, &FilterViewModel::countersChanged);
    for (const auto signal :
         {&DocumentViewModel::frameReady, &DocumentViewModel::treeSpecChanged, &DocumentViewModel::domainChanged,
          &DocumentViewModel::earlierFiltersChanged, &DocumentViewModel::stateChanged}) {
        connect(&document_, signal, this, &FilterViewModel::checkCounters);
    }
}

FilterViewModel::Shown FilterViewModel::present() const {
    const CriterionEntry& entry = criteria_.currentEntry();
    const AttributeDomain domain = criteria_.domainOf(entry.attribute);
    const ChosenBounds bounds = entry.bounds();
    return {entry.attribute, domain, shownMinimum(bounds, domain), shownMaximum(bounds, domain)};
}

QString FilterViewModel::unit() const { return fromUtf8(attributeInfo(attribute()).unit); }

FilterSpec FilterViewModel::spec() const {
    FilterSpec spec;
    spec.rule = rule_;
    spec.output = output_;
    if (enabled_) {
        spec.criteria = criteria_.criteria();
        // Of a single criterion it means nothing: no two specs shall differ in what makes no difference.
        spec.match = spec.criteria.size() > 1 ? criteria_.matchMode() : Match::all;
        spec.prominent = prominentOnly_ ? std::optional(prominent_) : std::nullopt;
        spec.removed = picks_.removed();
        spec.kept = picks_.kept();
        spec.only = picks_.only();
    }
    return spec;
}

QString FilterViewModel::criterionText() const {
    const FilterSpec present = spec();
    if (present.criteria.empty()) {
        return tr("every node");
    }
    QStringList texts;
    texts.reserve(static_cast<qsizetype>(present.criteria.size()));
    for (const Criterion& criterion : present.criteria) {
        texts << vm::criterionText(criterion);
    }
    return texts.join(present.match == Match::all ? tr(" and ") : tr(" or "));
}

quint64 FilterViewModel::keptNodes() const noexcept { return document_.filterReport().keptNodes; }
quint64 FilterViewModel::removedNodes() const noexcept { return document_.filterReport().removedNodes; }
quint64 FilterViewModel::changedPixels() const noexcept { return document_.filterReport().changedPixels; }
double FilterViewModel::milliseconds() const noexcept { return document_.filterReport().milliseconds; }

bool FilterViewModel::isRootKeptAnyway() const {
    const FilterSpec& spec = document_.resultSpec();
    const auto tree = document_.tree();
    if (!tree || spec.criteria.empty()) {
        return false;
    }
    bool all = true;
    bool any = false;
    for (const Criterion& criterion : spec.criteria) {
        const auto column = document_.attribute(criterion.attribute);
        if (!column) {
            return false;
        }
        const double value = column->at(0);
        const bool meets = value >= criterion.minimum && value <= criterion.maximum;
        all = all && meets;
        any = any || meets;
    }
    return spec.match == Match::all ? !all : !any;
}

void FilterViewModel::checkCounters() {
    const bool current = document_.isResultAsWanted() && !pending_;
    if (std::exchange(countersCurrent_, current) != current) {
        emit countersCurrentChanged();
    }
}

void FilterViewModel::setAttribute(AttributeId id) { criteria_.setAttribute(criteria_.current(), id); }

void FilterViewModel::setMinimum(double value) {
    ChosenBounds b = bounds();
    if (isAvailable()) {
        const double clamped = std::min(domain().snap(value), maximum());
        if (clamped == minimum()) {
            return; // also keeps a number that this tree only shows clamped
        }
        b.minimum = clamped > domain().minimum ? std::optional(clamped) : std::nullopt;
    } else {
        b.minimum = finite(b.maximum ? std::min(value, *b.maximum) : value);
    }
    criteria_.setBounds(criteria_.current(), b);
}

void FilterViewModel::setMaximum(double value) {
    ChosenBounds b = bounds();
    if (isAvailable()) {
        const double clamped = std::max(std::isnan(value) ? domain().maximum : domain().snap(value), minimum());
        if (clamped == maximum()) {
            return;
        }
        b.maximum = clamped < domain().maximum ? std::optional(clamped) : std::nullopt;
    } else {
        b.maximum = finite(b.minimum ? std::max(value, *b.minimum) : value);
    }
    criteria_.setBounds(criteria_.current(), b);
}

void FilterViewModel::setMinimumPosition(double position) {
    if (isAvailable()) {
        setMinimum(domain().valueAt(position));
    }
}

void FilterViewModel::setMaximumPosition(double position) {
    if (isAvailable()) {
        setMaximum(domain().valueAt(position));
    }
}

void FilterViewModel::setRange(double minimum, double maximum) {
    if (minimum > maximum) {
        std::swap(minimum, maximum);
    }
    ChosenBounds b{finite(minimum), finite(maximum)};
    if (isAvailable()) {
        const double low = domain().snap(minimum);
        const double high = std::isnan(maximum) ? domain().maximum : domain().snap(maximum);
        b = bounds();
        if (low != this->minimum()) {
            b.minimum = low > domain().minimum ? std::optional(low) : std::nullopt;
        }
        if (high != this->maximum()) {
            b.maximum = high < domain().maximum ? std::optional(high) : std::nullopt;
        }
    }
    criteria_.setBounds(criteria_.current(), b);
}

void FilterViewModel::setCriterion(const Criterion& criterion) {
    criteria_.setCriterion(criteria_.current(), criterion);
}

void FilterViewModel::setSpec(const FilterSpec& wanted) {
    taking_ = true; // nobody is to filter with half of it
    criteria_.assign(wanted.criteria, wanted.match);
    picks_.assign(wanted.removed, wanted.kept, wanted.only);
    setProminent(wanted.prominent.has_value(), wanted.prominent.value_or(prominent_));
    setRule(wanted.rule);
    setOutput(wanted.output);
    setEnabled(true);
    taking_ = false;
    onPart();
}

FilterViewModel::State FilterViewModel::state() const {
    return {criteria_.state(), picks_.state(), prominentOnly_, prominent_, rule_, output_, enabled_};
}

void FilterViewModel::setState(const State& wanted) {
    if (wanted == state()) {
        return;
    }
    taking_ = true;
    if (wanted.criteria != criteria_.state()) {
        criteria_.setState(wanted.criteria);
    }
    picks_.setState(wanted.picks);
    setProminent(wanted.prominentOnly, wanted.prominent);
    setRule(wanted.rule);
    setOutput(wanted.output);
    setEnabled(wanted.enabled);
    taking_ = false;
    onPart();
}

void FilterViewModel::setRule(Rule rule) {
    if (rule == rule_) {
        return;
    }
    rule_ = rule;
    emit ruleChanged();
    onPart();
}

void FilterViewModel::setOutput(Output output) {
    if (output == output_) {
        return;
    }
    output_ = output;
    emit outputChanged();
    onPart();
}

void FilterViewModel::setProminentOnly(bool only) { setProminent(only, prominent_); }

void FilterViewModel::setProminentCount(int count) {
    const auto wanted = static_cast<std::uint32_t>(std::clamp(count, 1, kMaxProminent));
    setProminent(prominentOnly_, {prominent_.measure, wanted});
}

void FilterViewModel::setProminence(Prominence measure) { setProminent(prominentOnly_, {measure, prominent_.count}); }

void FilterViewModel::setProminent(bool only, const Prominent& prominent) {
    if (only == prominentOnly_ && prominent == prominent_) {
        return;
    }
    prominentOnly_ = only;
    prominent_ = prominent;
    emit prominentChanged();
    onPart();
}

void FilterViewModel::setEnabled(bool enabled) {
    if (enabled == enabled_) {
        return;
    }
    enabled_ = enabled;
    emit enabledChanged();
    onPart();
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

void FilterViewModel::reset() { criteria_.setBounds(criteria_.current(), {}); }

ChosenBounds FilterViewModel::bounds() const { return criteria_.currentEntry().bounds(); }

void FilterViewModel::sync() {
    const Shown before = std::exchange(shown_, present());
    if (before.attribute != shown_.attribute) {
        emit attributeChanged();
    }
    const bool domainDiffers = before.domain != shown_.domain;
    if (domainDiffers) {
        emit domainChanged();
    }
    if (domainDiffers || before.minimum != shown_.minimum || before.maximum != shown_.maximum) {
        emit rangeChanged();
    }
    onPart();
}

void FilterViewModel::onPart() {
    if (!taking_) {
        publishIfChanged();
        emit edited();
    }
}

void FilterViewModel::publishIfChanged() {
    FilterSpec present = spec();
    if (present == published_) {
        return;
    }
    published_ = std::move(present);
    emit specAboutToChange();
    if (live_) {
        document_.requestFilter(published_);
    }
    setPending(!live_ && published_ != document_.filterSpec());
    checkCounters();
    emit specChanged();
}

void FilterViewModel::setPending(bool pending) {
    if (pending == pending_) {
        return;
    }
    pending_ = pending;
    emit pendingChanged();
    checkCounters();
}

} // namespace pollard::vm
