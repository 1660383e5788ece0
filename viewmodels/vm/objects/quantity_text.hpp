#pragma once

#include "components/objects/object_column.hpp"
#include "image/length_unit.hpp"

#include <QString>

namespace pollard::vm {

/// "Area (µm²)", "mean[GFP]".
[[nodiscard]] QString quantityTitle(const ObjectQuantity& quantity, LengthUnit unit);

/// Title, definition and id, for a tooltip.
[[nodiscard]] QString quantityHelp(const ObjectQuantity& quantity, LengthUnit unit);

/// A value in this unit of lengths, for the user.
[[nodiscard]] QString quantityText(const ObjectQuantity& quantity, double value, LengthUnit unit);

} // namespace pollard::vm
