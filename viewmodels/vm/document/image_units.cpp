#include "vm/document/image_units.hpp"

#include "vm/document/document_view_model.hpp"

#include "io/image_file.hpp"
#include "recipe/results/result_tags.hpp"

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

QString unitText(LengthUnit unit, Dimension dimension) { return QString::fromStdString(unitSymbol(unit, dimension)); }

} // namespace pollard::vm
