#include "vm/batch/whole_page.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/filter/criterion_entry.hpp"

#include "filter/filter_units.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace pollard::vm {

namespace {

QString wholeText(const char* source) { return QCoreApplication::translate("WholePage", source); }

/// The value grows by the factor to this power.
int growthOf(AttributeId id) {
    switch (id) {
    case AttributeId::border: // counted along an edge
        return 1;
    case AttributeId::volume: // grey levels added over an area
    case AttributeId::sum:
    case AttributeId::extinctionVolume:
        return 2;
    default:
        return powerOf(attributeInfo(id).dimension);
    }
}

bool isPosition(AttributeId id) { return id == AttributeId::centroidX || id == AttributeId::centroidY; }

/// A bound in pixels of the shown image in those of another one.
double onWholePage(double bound, AttributeId id, const ShownPart& shown, const ShownPart& other) {
    if (isPosition(id)) { // pixel centres are at whole numbers
        const double corner = id == AttributeId::centroidX ? shown.x - other.x : shown.y - other.y;
        return (corner + (bound + 0.5) * shown.factor) / other.factor - 0.5;
    }
    const double grown = bound * std::pow(shown.factor / other.factor, growthOf(id));
    const bool isWhole = attributeInfo(id).integral && bound == std::round(bound); // values need not be
    return isWhole && std::isfinite(grown) ? std::round(grown) : grown;
}

QString withUnit(const QString& bounds, const Criterion& criterion) {
    const QString unit = fromUtf8(attributeInfo(criterion.attribute).unit);
    return criterion.unit == LengthUnit::pixel && unit == QLatin1String("px") ? bounds + QStringLiteral(" px") : bounds;
}

} // namespace

ShownPart ShownPart::of(const OpenRequest& request, const ImageInfo& info) {
    const auto level = static_cast<std::size_t>(request.level);
    const double reduction = level > 0 && level < info.levels.size() ? static_cast<double>(info.levels.front().width) /
                                                                           static_cast<double>(info.levels[level].width)
                                                                     : 1.0;
    ShownPart shown;
    shown.factor = reduction * request.shrink;
    if (request.region) {
        shown.x = reduction * request.region->x;
        shown.y = reduction * request.region->y;
    }
    shown.pixelSize = info.pixelSize;
    shown.mapping = info.mapping;
    return shown;
}

Criterion onWholePage(const Criterion& criterion, const ShownPart& shown, const ShownPart& other) {
    const bool isMoved = isPosition(criterion.attribute) && (shown.x != other.x || shown.y != other.y);
    if (criterion.unit != LengthUnit::pixel && !isMoved) {
        return criterion;
    }
    const Criterion pixels = criterion.unit == LengthUnit::pixel ? criterion : inPixels(criterion, shown.units());
    return {pixels.attribute, onWholePage(pixels.minimum, pixels.attribute, shown, other),
            onWholePage(pixels.maximum, pixels.attribute, shown, other), LengthUnit::pixel, criterion.grey};
}

FilterSpec onWholePage(FilterSpec filter, const ShownPart& shown) {
    std::erase_if(filter.criteria,
                  [&](const Criterion& criterion) { return !criterionProblem(criterion, shown.units()).empty(); });
    for (Criterion& criterion : filter.criteria) {
        criterion = onWholePage(criterion, shown);
    }
    return filter;
}

QString wholePageText(const Criterion& criterion, const ShownPart& shown, const OpenRequest& request) {
    const Criterion whole = onWholePage(criterion, shown);
    const QLocale locale;
    const auto& mapping = shown.mapping;
    QString text = withUnit(boundedText(readable(whole, mapping), attributeTitle(whole.attribute), locale), whole);
    if (whole == criterion) {
        return text;
    }
    const QString bounds = withUnit(boundsText(readable(criterion, mapping), locale), criterion);
    const char* const note = request.region      ? QT_TRANSLATE_NOOP("WholePage", "%1 (%2 in the shown part)")
                             : request.level > 0 ? QT_TRANSLATE_NOOP("WholePage", "%1 (%2 on the shown level)")
                                                 : QT_TRANSLATE_NOOP("WholePage", "%1 (%2 in the shrunk picture)");
    return wholeText(note).arg(text, bounds);
}

} // namespace pollard::vm
