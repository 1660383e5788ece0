#include "vm/document/image_units.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"

#include "io/image_file.hpp"
#include "io/metadata/scene_units.hpp"
#include "recipe/result_tags.hpp"

#include <QLocale>

#include <cmath>

namespace pollard::vm {

std::optional<ValueMapping> mappingAfter(std::optional<ValueMapping> source, ResultValues values) {
    if (!source || areLevels(values)) {
        return source;
    }
    if (values == ResultValues::others || !source->isProportional()) {
        return std::nullopt;
    }
    source->maximum -= source->minimum;
    source->minimum = 0;
    source->offset = 0;
    return source;
}

std::optional<ValueMapping> originalMappingOf(const DocumentViewModel& document) {
    const ImageInfo* info = document.shown().info.get();
    return info != nullptr ? info->mapping : std::nullopt;
}

std::optional<ValueMapping> mappingOf(const DocumentViewModel& document) { return document.shown().mapping; }

std::optional<ValueMapping> resultMappingOf(const DocumentViewModel& document) {
    return mappingAfter(mappingOf(document), resultValuesOf(document.resultSpec()));
}

ImageUnits unitsOf(const DocumentViewModel& document) {
    return {document.pixelSizes().present(), mappingOf(document), document.isVolume()};
}

FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec) {
    return inPixelsWherePossible(spec, unitsOf(document));
}

std::optional<FilterColumns> measuredColumns(DocumentViewModel& document, const FilterSpec& spec) {
    std::optional<AttributeId> missing;
    FilterColumns columns = columnsOf(spec, [&](AttributeId id) {
        auto column = document.attribute(id);
        missing = column ? missing : std::optional(id);
        return column;
    });
    if (missing) {
        document.requestAttribute(*missing);
        return std::nullopt;
    }
    return columns;
}

Criterion inLengths(Criterion ofPixels, LengthUnit unit, const ImageUnits& units) {
    const AttributeId id = ofPixels.attribute;
    if (unit == LengthUnit::pixel || !whyNoUnit(id, units.pixelSize, units.isVolume).empty()) {
        return ofPixels;
    }
    const Dimension dimension = dimensionOf(id, units.isVolume);
    ofPixels.unit = unit == LengthUnit::hectare && dimension != Dimension::area ? LengthUnit::metre : unit;
    ofPixels.cubed = dimension == Dimension::volume;
    for (double* bound : {&ofPixels.minimum, &ofPixels.maximum}) {
        const PixelSize side = sizeFor(id, *units.pixelSize, units.isVolume);
        *bound = std::isinf(*bound) ? *bound : shortestInUnit(*bound, ofPixels.unit, dimension, side);
    }
    return ofPixels;
}

QString valueText(const Criterion& stated, double ofColumn, const ImageUnits& units) {
    const std::optional<PixelSize>& size = units.pixelSize;
    if (stated.unit == LengthUnit::pixel || !size) {
        const QString value = columnText(stated.attribute, ofColumn, units.mapping);
        return unitOf(units.mapping).empty() || attributeInfo(stated.attribute).grey == Grey::none
                   ? value
                   : withUnit(value, columnUnitText(stated.attribute, units.mapping));
    }
    const Dimension dimension = dimensionOf(stated);
    const PixelSize side = sizeFor(stated.attribute, *size, units.isVolume);
    return QLocale().toString(ofColumn / pixelsOf(1, stated.unit, dimension, side), 'g', 5) + u' ' +
           unitText(stated.unit, dimension);
}

QString unitText(LengthUnit unit, Dimension dimension) { return QString::fromStdString(unitSymbol(unit, dimension)); }

} // namespace pollard::vm
