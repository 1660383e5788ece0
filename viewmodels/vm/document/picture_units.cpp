#include "vm/document/picture_units.hpp"

#include "vm/document/document_view_model.hpp"

#include "filter/filter_units.hpp"

namespace pollard::vm {

FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec) {
    return inPixelsWherePossible(spec, document.pixelSizes().present());
}

QString unitText(LengthUnit unit, Dimension dimension) { return QString::fromStdString(unitSymbol(unit, dimension)); }

} // namespace pollard::vm
