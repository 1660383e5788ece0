#include "vm/document/picture_units.hpp"

#include "vm/document/document_view_model.hpp"

#include "filter/filter_units.hpp"

namespace pollard::vm {

std::optional<PixelSize> pixelSizeOf(const DocumentViewModel& document) {
    const auto info = document.imageInfo();
    return info ? info->pixelSize : std::nullopt;
}

FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec) {
    return inPixelsWherePossible(spec, pixelSizeOf(document));
}

QString unitText(LengthUnit unit, Dimension dimension) { return QString::fromStdString(unitSymbol(unit, dimension)); }

} // namespace pollard::vm
