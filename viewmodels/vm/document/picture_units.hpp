#pragma once

#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// The filter as applied to the nodes of the open picture: bounds in pixels, without criteria that do not apply to this
/// picture.
[[nodiscard]] FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec);

/// The attributes of a filter in pixels. Without a value, the last one that is missing is being measured.
[[nodiscard]] std::optional<FilterColumns> measuredColumns(DocumentViewModel& document, const FilterSpec& spec);

/// "µm", "µm²", "ha", "px", "px²"
[[nodiscard]] QString unitText(LengthUnit unit, Dimension dimension);

} // namespace pollard::vm
