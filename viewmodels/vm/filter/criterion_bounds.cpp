#include "vm/filter/criterion_bounds.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criteria_model.hpp"

#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "filter/filter_units.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

/// The number with the fewest digits that is the same bound as the value.
double shortestValue(AttributeId id, double value, const std::optional<ValueMapping>& mapping) {
    constexpr int kFewest = 6;
    for (int digits = kFewest; digits < std::numeric_limits<double>::max_digits10; ++digits) {
        const double candidate = QString::number(value, 'g', digits).toDouble();
        const auto isSame = [&](bool isLower) {
            return columnBound(id, candidate, isLower, mapping) == columnBound(id, value, isLower, mapping);
        };
        if (isSame(true) && isSame(false)) {
            return candidate;
        }
    }
    return value;
}

} // namespace

CriterionBounds::CriterionBounds(CriteriaModel& criteria, const DocumentViewModel& document)
    : criteria_(criteria), document_(document), shown_(present()) {
    connect(&criteria_, &CriteriaModel::changed, this, &CriterionBounds::update);
}

CriterionBounds::Shown CriterionBounds::present() const {
    const CriterionEntry& entry = criteria_.currentEntry();
    const AttributeDomain domain = criteria_.domainOf(entry.attribute);
    const ChosenBounds bounds = entry.bounds();
    const ImageUnits units = unitsOf(document_);
    const ChosenBounds pixels = pixelBounds(entry.attribute, bounds, units).value_or(ChosenBounds{});
    return {entry.attribute, domain, shownMinimum(pixels, domain), shownMaximum(pixels, domain), bounds, units};
}

ChosenBounds CriterionBounds::bounds() const { return criteria_.currentEntry().bounds(); }

Dimension CriterionBounds::dimension() const { return dimensionOf(attribute(), document_.isVolume()); }

std::optional<PixelSize> CriterionBounds::size() const {
    const auto size = document_.pixelSizes().present();
    return size ? std::optional(sizeFor(attribute(), *size, document_.isVolume())) : std::nullopt;
}

QString CriterionBounds::unit() const {
    return boundUnit() == LengthUnit::pixel ? fromUtf8(columnUnitText(attribute(), mappingOf(document_)))
                                            : unitName(boundUnit());
}

QString CriterionBounds::unitName(LengthUnit unit) const {
    return unit == LengthUnit::pixel ? QStringLiteral("px") : unitText(unit, dimension());
}

std::vector<LengthUnit> CriterionBounds::boundUnits() const {
    const bool hasUnits = whyNoUnit(attribute(), document_.pixelSizes().present(), document_.isVolume()).empty();
    std::vector<LengthUnit> units = readableUnits(hasUnits ? size() : std::nullopt, dimension());
    if (std::ranges::find(units, boundUnit()) == units.end()) {
        units.push_back(boundUnit());
    }
    return units;
}

ChosenBounds CriterionBounds::inPresentScale() const {
    ChosenBounds present = bounds();
    if (present.grey.empty() || !isInValues()) {
        return present;
    }
    const ChosenBounds ofColumn = boundsInPixels();
    present.grey.clear();
    present.minimum = ofColumn.minimum ? std::optional(stated(*ofColumn.minimum)) : std::nullopt;
    present.maximum = ofColumn.maximum ? std::optional(stated(*ofColumn.maximum)) : std::nullopt;
    return present;
}

ChosenBounds CriterionBounds::boundsInPixels() const {
    return pixelBounds(attribute(), bounds(), unitsOf(document_)).value_or(ChosenBounds{});
}

bool CriterionBounds::isInValues() const {
    return boundUnit() == LengthUnit::pixel && attributeInfo(attribute()).grey != Grey::none && mappingOf(document_);
}

bool CriterionBounds::areOfColumn() const { return boundUnit() == LengthUnit::pixel && !isInValues(); }

double CriterionBounds::inBoundUnit(double ofColumn) const {
    if (boundUnit() == LengthUnit::pixel) {
        return columnValue(attribute(), ofColumn, mappingOf(document_));
    }
    const auto size = this->size();
    return size ? inUnit(ofColumn, boundUnit(), dimension(), *size) : ofColumn;
}

double CriterionBounds::stated(double ofColumn) const {
    return boundUnit() == LengthUnit::pixel ? shortestValue(attribute(), inBoundUnit(ofColumn), mappingOf(document_))
                                            : shortestInUnit(ofColumn, boundUnit(), dimension(), *size());
}

ValueDomain CriterionBounds::typedDomain() const {
    if (areOfColumn()) {
        return domain();
    }
    if (isInValues()) {
        return isAvailable() ? shown_.domain.inValues(attribute(), mappingOf(document_)) : domain();
    }
    if (!isResolvable()) { // bounds that do not apply here: a domain that contains them
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

double CriterionBounds::typed(std::optional<double> chosen, std::optional<double> pixels, double shown) const {
    if (areOfColumn()) {
        return shown;
    }
    if (chosen && isInValues() && bounds().grey == kLevels) {
        return inBoundUnit(shown);
    }
    return chosen && (!isResolvable() || pixels == shown) ? *chosen : inBoundUnit(shown);
}

double CriterionBounds::typedMinimum() const { return typed(bounds().minimum, boundsInPixels().minimum, minimum()); }

double CriterionBounds::typedMaximum() const { return typed(bounds().maximum, boundsInPixels().maximum, maximum()); }

bool CriterionBounds::isResolvable() const {
    return pixelBounds(attribute(), bounds(), unitsOf(document_)).has_value();
}

void CriterionBounds::choose(const ChosenBounds& pixels) {
    const ChosenBounds typed = bounds();
    const auto before = pixelBounds(attribute(), typed, unitsOf(document_));
    if (areOfColumn() || (!before && typed.unit != LengthUnit::pixel)) {
        criteria_.setBounds(criteria_.current(), pixels);
        return;
    }
    const ChosenBounds known = before.value_or(ChosenBounds{});
    const bool keeps = before && typed.grey != kLevels;
    const auto bound = [&](const std::optional<double>& wanted, const std::optional<double>& present,
                           const std::optional<double>& number) {
        return !wanted ? std::nullopt : keeps && wanted == present ? number : std::optional(stated(*wanted));
    };
    criteria_.setBounds(criteria_.current(), {bound(pixels.minimum, known.minimum, typed.minimum),
                                              bound(pixels.maximum, known.maximum, typed.maximum),
                                              typed.unit,
                                              {},
                                              typed.cubed});
}

void CriterionBounds::setMinimum(double value) {
    ChosenBounds b = boundsInPixels();
    if (isAvailable()) {
        const double clamped = std::min(domain().snap(value), maximum());
        if (clamped == minimum()) {
            return; // also keeps a number that is only clamped for this tree
        }
        b.minimum = clamped > domain().minimum ? std::optional(clamped) : std::nullopt;
    } else {
        b.minimum = finiteBound(b.maximum ? std::min(value, *b.maximum) : value);
    }
    choose(b);
}

void CriterionBounds::setMaximum(double value) {
    ChosenBounds b = boundsInPixels();
    if (isAvailable()) {
        const double clamped = std::max(std::isnan(value) ? domain().maximum : domain().snap(value), minimum());
        if (clamped == maximum()) {
            return;
        }
        b.maximum = clamped < domain().maximum ? std::optional(clamped) : std::nullopt;
    } else {
        b.maximum = finiteBound(b.minimum ? std::max(value, *b.minimum) : value);
    }
    choose(b);
}

void CriterionBounds::setMinimumPosition(double position) {
    if (isAvailable()) {
        setMinimum(domain().valueAt(position));
    }
}

void CriterionBounds::setMaximumPosition(double position) {
    if (isAvailable()) {
        setMaximum(domain().valueAt(position));
    }
}

void CriterionBounds::setRange(double minimum, double maximum) {
    if (minimum > maximum) {
        std::swap(minimum, maximum);
    }
    ChosenBounds b{finiteBound(minimum), finiteBound(maximum)};
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

void CriterionBounds::setTypedMinimum(double value) {
    if (areOfColumn()) {
        setMinimum(value);
        return;
    }
    ChosenBounds b = inPresentScale();
    const ValueDomain domain = typedDomain();
    if (isAvailable() && isResolvable()) {
        const bool atEnd = value - domain.minimum < domain.step() / 2;
        b.minimum = atEnd ? std::nullopt : std::optional(std::min(value, typedMaximum()));
    } else {
        b.minimum = finiteBound(b.maximum ? std::min(value, *b.maximum) : value);
    }
    criteria_.setBounds(criteria_.current(), b);
}

void CriterionBounds::setTypedMaximum(double value) {
    if (areOfColumn()) {
        setMaximum(value);
        return;
    }
    ChosenBounds b = inPresentScale();
    const ValueDomain domain = typedDomain();
    if (isAvailable() && isResolvable()) {
        const bool atEnd = domain.maximum - value < domain.step() / 2;
        b.maximum = atEnd ? std::nullopt : std::optional(std::max(value, typedMinimum()));
    } else {
        b.maximum = finiteBound(b.minimum ? std::max(value, *b.minimum) : value);
    }
    criteria_.setBounds(criteria_.current(), b);
}

void CriterionBounds::setBoundUnit(LengthUnit unit) {
    const ChosenBounds present = bounds();
    if (unit == present.unit || (unit != LengthUnit::pixel && dimension() == Dimension::none)) {
        return;
    }
    const auto size = this->size();
    const auto pixels = pixelBounds(attribute(), present, unitsOf(document_));
    ChosenBounds next{{}, {}, unit, {}, unit != LengthUnit::pixel && dimension() == Dimension::volume};
    const auto convert = [&](double bound, bool isMinimum) {
        if (unit != LengthUnit::pixel) {
            return shortestInUnit(bound, unit, dimension(), *size);
        }
        const bool whole = describedAttribute(attribute()).integral;
        return !whole ? bound : isMinimum ? std::ceil(bound) : std::floor(bound);
    };
    const auto pixel = document_.pixelSizes().present();
    if (pixels && (unit == LengthUnit::pixel || whyNoUnit(attribute(), pixel, document_.isVolume()).empty())) {
        next.minimum = pixels->minimum ? std::optional(convert(*pixels->minimum, true)) : std::nullopt;
        next.maximum = pixels->maximum ? std::optional(convert(*pixels->maximum, false)) : std::nullopt;
    }
    criteria_.setBounds(criteria_.current(), next);
}

void CriterionBounds::reset() { criteria_.setBounds(criteria_.current(), {{}, {}, boundUnit(), {}, bounds().cubed}); }

void CriterionBounds::update() {
    const Shown before = std::exchange(shown_, present());
    const bool otherAttribute = before.attribute != shown_.attribute;
    const bool otherSize =
        before.units.pixelSize != shown_.units.pixelSize || before.units.isVolume != shown_.units.isVolume;
    const bool otherValues = before.units.mapping != shown_.units.mapping;
    const bool otherUnit =
        before.bounds.unit != shown_.bounds.unit || (otherSize && shown_.bounds.unit != LengthUnit::pixel);
    if (otherAttribute) {
        emit attributeChanged();
    }
    if (otherAttribute || otherUnit || otherSize || otherValues) {
        emit unitChanged();
    }
    const bool domainDiffers = before.domain != shown_.domain || otherUnit || otherValues;
    if (domainDiffers) {
        emit domainChanged();
    }
    if (domainDiffers || before.minimum != shown_.minimum || before.maximum != shown_.maximum ||
        before.bounds != shown_.bounds) {
        emit rangeChanged();
    }
}

} // namespace pollard::vm
