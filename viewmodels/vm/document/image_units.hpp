#pragma once

#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/value_mapping.hpp"
#include "recipe/results/result_tags.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// The mapping of a result, from the mapping of its source: differences start at 0, and masks and labels have none.
[[nodiscard]] std::optional<ValueMapping> mappingAfter(std::optional<ValueMapping> source, ResultValues values);

/// The mapping of the open image after its earlier filters, from which the tree is built; unset if levels are values,
/// and without an image.
[[nodiscard]] std::optional<ValueMapping> mappingOf(const DocumentViewModel& document);
/// The mappings of the image as read, and of the displayed result.
[[nodiscard]] std::optional<ValueMapping> originalMappingOf(const DocumentViewModel& document);
[[nodiscard]] std::optional<ValueMapping> resultMappingOf(const DocumentViewModel& document);

/// Units of the lengths and the values of the open image after its earlier filters.
[[nodiscard]] ImageUnits unitsOf(const DocumentViewModel& document);

/// The filter as applied to the nodes of the open image: bounds in pixels and levels, without criteria that do not
/// apply to this image.
[[nodiscard]] FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec);

/// The attributes of a filter in pixels. Without a value, the last one that is missing is being measured.
[[nodiscard]] std::optional<FilterColumns> measuredColumns(DocumentViewModel& document, const FilterSpec& spec);

/// "µm", "µm²", "µm³", "ha", "px", "px²"
[[nodiscard]] QString unitText(LengthUnit unit, Dimension dimension);

} // namespace pollard::vm
