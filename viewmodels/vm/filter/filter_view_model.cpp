#include "vm/filter/filter_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/picture_units.hpp"

#include "filter/filter_units.hpp"
#include "io/metadata/scene_units.hpp"

#include <QStringList>

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
    connect(&document_, &DocumentViewModel::documentChanged, this, &FilterViewModel::show);
    connect(&document_, &DocumentViewModel::frameReady, this, &FilterViewModel::countersChanged);
    connect(&document_, &DocumentViewModel::frameReady, this, &FilterViewModel::checkCounters);
    connect(&document_.activity(), &DocumentActivity::stateChanged, this, &FilterViewModel::checkCounters);
    const DocumentChoices& choices = document_.choices();
    connect(&choices, &DocumentChoices::earlierFiltersChanged, this, &FilterViewModel::show);
    connect(&choices, &DocumentChoices::earlierFiltersChanged, this, &FilterViewModel::checkCounters);
    connect(&choices, &DocumentChoices::treeSpecChanged, this, &FilterViewModel::checkCounters);
    connect(&choices, &DocumentChoices::domainChanged, this, &FilterViewModel::checkCounters);
}

FilterViewModel::Shown FilterViewModel::present() const {
    const CriterionEntry& entry = criteria_.currentEntry();
    const AttributeDomain domain = criteria_.domainOf(entry.attribute);
    const ChosenBounds bounds = entry.bounds();
    const std::optional<PixelSize> size = document_.pixelSizes().present();
    const ChosenBounds pixels = pixelBounds(entry.attribute, bounds, size).value_or(ChosenBounds{});
    return {entry.attribute, domain, shownMinimum(pixels, domain), shownMaximum(pixels, domain), bounds, size};
}

QString FilterViewModel::problem() const {
    QStringList problems;
    for (int row = 0; enabled_ && row < criteria_.count(); ++row) {
        if (criteria_.entry(row).enabled) {
            problems << criteria_.problem(row);
        }
    }
    if (document_.hasImage()) {
        const std::optional<PixelSize> size = document_.pixelSizes().present();
        int number = 0;
        for (const FilterStage& stage : document_.choices().earlierFilters()) {
            ++number;
            for (const Criterion& criterion : stage.filter.criteria) {
                if (const std::string why = stage.on ? unitProblem(criterion, size) : std::string(); !why.empty()) {
                    problems << tr("earlier filter %1: %2").arg(number).arg(QString::fromStdString(why));
                }
            }
        }
    }
    problems.removeAll(QString());
    return problems.join(u'\n');
}

Dimension FilterViewModel::dimension() const { return attributeInfo(attribute()).dimension; }

QString FilterViewModel::unit() const {
    return boundUnit() == LengthUnit::pixel ? fromUtf8(attributeInfo(attribute()).unit) : unitName(boundUnit());
}

QString FilterViewModel::unitName(LengthUnit unit) const {
    return unit == LengthUnit::pixel ? QStringLiteral("px") : unitText(unit, dimension());
}

std::vector<LengthUnit> FilterViewModel::boundUnits() const {
    std::vector<LengthUnit> units = readableUnits(document_.pixelSizes().present(), dimension());
    if (std::ranges::find(units, boundUnit()) == units.end()) {
        units.push_back(boundUnit());
    }
    return units;
}

ChosenBounds FilterViewModel::boundsInPixels() const {
    return pixelBounds(attribute(), bounds(), document_.pixelSizes().present()).value_or(ChosenBounds{});
}

double FilterViewModel::inBoundUnit(double pixels) const {
    const auto size = document_.pixelSizes().present();
    return size ? inUnit(pixels, boundUnit(), dimension(), *size) : pixels;
}

ValueDomain FilterViewModel::typedDomain() const {
    const auto size = document_.pixelSizes().present();
    if (boundUnit() == LengthUnit::pixel) {
        return domain();
    }
    if (!whyNoScene(size, dimension()).empty()) { // bounds that do not apply here: a domain that contains them
        const ChosenBounds typed = bounds();
        const double low = typed.minimum.value_or(typed.maximum.value_or(0));
        return ValueDomain::over(std::min(low, 0.0), typed.maximum.value_or(low), false, false);
    }
    constexpr int kMoreDecimals = 3; // more than for a slider: numbers are typed
    constexpr int kMostDecimals = 9;
    ValueDomain typed = ValueDomain::over(inBoundUnit(domain().minimum), inBoundUnit(domain().maximum), false, false);
    typed.decimals = std::min(typed.decimals + kMoreDecimals, kMostDecimals);
    return typed;
}

double FilterViewModel::typed(std::optional<double> chosen, std::optional<double> pixels, double shown) const {
    if (boundUnit() == LengthUnit::pixel) {
        return shown;
    }
    return chosen && (!isResolvable() || pixels == shown) ? *chosen : inBoundUnit(shown);
}

double FilterViewModel::typedMinimum() const { return typed(bounds().minimum, boundsInPixels().minimum, minimum()); }

double FilterViewModel::typedMaximum() const { return typed(bounds().maximum, boundsInPixels().maximum, maximum()); }

FilterSpec FilterViewModel::spec() const {
    FilterSpec spec;
    spec.rule = rule_;
    spec.output = output_;
    if (enabled_) {
        spec.criteria = criteria_.criteria();
        // Ignored for a single criterion: specs with the same effect must be equal.
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

quint64 FilterViewModel::keptNodes() const noexcept { return document_.shown().frame.report.keptNodes; }
quint64 FilterViewModel::removedNodes() const noexcept { return document_.shown().frame.report.removedNodes; }
quint64 FilterViewModel::changedPixels() const noexcept { return document_.shown().frame.report.changedPixels; }
double FilterViewModel::milliseconds() const noexcept { return document_.shown().frame.report.milliseconds; }

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
    const bool current = document_.choices().isResultAsWanted() && !pending_;
    if (std::exchange(countersCurrent_, current) != current) {
        emit countersCurrentChanged();
    }
}

void FilterViewModel::setAttribute(AttributeId id) { criteria_.setAttribute(criteria_.current(), id); }

void FilterViewModel::choose(const ChosenBounds& pixels) {
    const ChosenBounds typed = bounds();
    const auto before = pixelBounds(attribute(), typed, document_.pixelSizes().present());
    if (typed.unit == LengthUnit::pixel || !before) {
        criteria_.setBounds(criteria_.current(), pixels);
        return;
    }
    const auto stated = [&](const std::optional<double>& wanted, const std::optional<double>& present,
                            const std::optional<double>& number) {
        return wanted == present || !wanted
                   ? (wanted ? number : std::nullopt)
                   : std::optional(shortestInUnit(*wanted, typed.unit, dimension(), *document_.pixelSizes().present()));
    };
    criteria_.setBounds(criteria_.current(), {stated(pixels.minimum, before->minimum, typed.minimum),
                                              stated(pixels.maximum, before->maximum, typed.maximum), typed.unit});
}

void FilterViewModel::setTypedMinimum(double value) {
    if (boundUnit() == LengthUnit::pixel) {
        setMinimum(value);
        return;
    }
    ChosenBounds b = bounds();
    const ValueDomain domain = typedDomain();
    if (isAvailable() && isResolvable()) {
        const bool atEnd = value - domain.minimum < domain.step() / 2;
        b.minimum = atEnd ? std::nullopt : std::optional(std::min(value, typedMaximum()));
    } else {
        b.minimum = finite(b.maximum ? std::min(value, *b.maximum) : value);
    }
    criteria_.setBounds(criteria_.current(), b);
}

void FilterViewModel::setTypedMaximum(double value) {
    if (boundUnit() == LengthUnit::pixel) {
        setMaximum(value);
        return;
    }
    ChosenBounds b = bounds();
    const ValueDomain domain = typedDomain();
    if (isAvailable() && isResolvable()) {
        const bool atEnd = domain.maximum - value < domain.step() / 2;
        b.maximum = atEnd ? std::nullopt : std::optional(std::max(value, typedMinimum()));
    } else {
        b.maximum = finite(b.minimum ? std::max(value, *b.minimum) : value);
    }
    criteria_.setBounds(criteria_.current(), b);
}

void FilterViewModel::setBoundUnit(LengthUnit unit) {
    const ChosenBounds present = bounds();
    if (unit == present.unit || (unit != LengthUnit::pixel && dimension() == Dimension::none)) {
        return;
    }
    const auto size = document_.pixelSizes().present();
    const auto pixels = pixelBounds(attribute(), present, size);
    ChosenBounds next{{}, {}, unit};
    const auto convert = [&](double bound, bool isMinimum) {
        if (unit != LengthUnit::pixel) {
            return shortestInUnit(bound, unit, dimension(), *size);
        }
        const bool whole = attributeInfo(attribute()).integral;
        return !whole ? bound : isMinimum ? std::ceil(bound) : std::floor(bound);
    };
    if (pixels && (unit == LengthUnit::pixel || whyNoScene(size, dimension()).empty())) {
        next.minimum = pixels->minimum ? std::optional(convert(*pixels->minimum, true)) : std::nullopt;
        next.maximum = pixels->maximum ? std::optional(convert(*pixels->maximum, false)) : std::nullopt;
    }
    criteria_.setBounds(criteria_.current(), next);
}

bool FilterViewModel::isResolvable() const {
    return boundUnit() == LengthUnit::pixel || whyNoScene(document_.pixelSizes().present(), dimension()).empty();
}

void FilterViewModel::setMinimum(double value) {
    ChosenBounds b = boundsInPixels();
    if (isAvailable()) {
        const double clamped = std::min(domain().snap(value), maximum());
        if (clamped == minimum()) {
            return; // also keeps a number that is only clamped for this tree
        }
        b.minimum = clamped > domain().minimum ? std::optional(clamped) : std::nullopt;
    } else {
        b.minimum = finite(b.maximum ? std::min(value, *b.maximum) : value);
    }
    choose(b);
}

void FilterViewModel::setMaximum(double value) {
    ChosenBounds b = boundsInPixels();
    if (isAvailable()) {
        const double clamped = std::max(std::isnan(value) ? domain().maximum : domain().snap(value), minimum());
        if (clamped == maximum()) {
            return;
        }
        b.maximum = clamped < domain().maximum ? std::optional(clamped) : std::nullopt;
    } else {
        b.maximum = finite(b.minimum ? std::max(value, *b.minimum) : value);
    }
    choose(b);
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
        b = boundsInPixels();
        if (low != this->minimum()) {
            b.minimum = low > domain().minimum ? std::optional(low) : std::nullopt;
        }
        if (high != this->maximum()) {
            b.maximum = high < domain().maximum ? std::optional(high) : std::nullopt;
        }
    }
    choose(b);
}

void FilterViewModel::setCriterion(const Criterion& criterion) {
    criteria_.setCriterion(criteria_.current(), criterion);
}

void FilterViewModel::setSpec(const FilterSpec& wanted) {
    taking_ = true; // prevents filtering with an incomplete spec
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
    show();
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

void FilterViewModel::reset() { criteria_.setBounds(criteria_.current(), {{}, {}, boundUnit()}); }

ChosenBounds FilterViewModel::bounds() const { return criteria_.currentEntry().bounds(); }

void FilterViewModel::sync() {
    show();
    onPart();
}

void FilterViewModel::show() {
    const Shown before = std::exchange(shown_, present());
    const bool otherAttribute = before.attribute != shown_.attribute;
    const bool otherSize = before.size != shown_.size;
    const bool otherUnit =
        before.bounds.unit != shown_.bounds.unit || (otherSize && shown_.bounds.unit != LengthUnit::pixel);
    if (otherAttribute) {
        emit attributeChanged();
    }
    const QString problemBefore = std::exchange(problem_, problem());
    if (otherAttribute || otherUnit || otherSize || problemBefore != problem_) {
        emit unitChanged();
    }
    const bool domainDiffers = before.domain != shown_.domain || otherUnit;
    if (domainDiffers) {
        emit domainChanged();
    }
    if (domainDiffers || before.minimum != shown_.minimum || before.maximum != shown_.maximum ||
        before.bounds != shown_.bounds) {
        emit rangeChanged();
    }
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
    setPending(!live_ && published_ != document_.choices().filterSpec());
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
