#include "vm/document/picture_units.hpp"

#include "vm/document/document_view_model.hpp"

#include "filter/filter_units.hpp"

namespace pollard::vm {

FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec) {
    return inPixelsWherePossible(spec, document.pixelSizes().present(), document.isVolume());
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
