#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_edges.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// Parses a list of features for a table of objects, "area,border".
/// @param known ids that it may have
/// @throws Error(invalidArgument) for an empty list, an unknown id or a repeated one
[[nodiscard]] std::vector<ObjectFeature> parseFeatures(std::string_view text,
                                                       std::span<const ObjectFeatureInfo> known = objectFeatures());

/// The features that are not in the table of writeObjectTable().
[[nodiscard]] std::span<const ObjectFeature> furtherFeatures() noexcept;

/// Edge measurements required by these features.
[[nodiscard]] EdgeMeasure edgeMeasureOf(std::span<const ObjectFeature> features) noexcept;

/// Writes a line of feature names and a line per object.
/// @param edges with the measurements of the features
/// @param labels objects to write, in this order
/// @param further columns after those of the features
/// @throws Error(writeFailed), Cancelled
void writeFeatureTable(TextFile& file, const Components& components, const ObjectEdges& edges,
                       std::span<const std::uint32_t> labels, std::span<const ObjectFeature> features,
                       const JobControl& control, const ObjectUnit& unit = {},
                       std::span<const ObjectColumn> further = {});

/// Writes the table of writeObjectTable() followed by the columns of furtherFeatures() and @p further.
/// @param edges with EdgeMeasure::traced
/// @throws Error(writeFailed), Cancelled
void writeFullTable(TextFile& file, const Components& components, const ObjectEdges& edges,
                    std::span<const std::uint32_t> labels, const JobControl& control, const ObjectUnit& unit = {},
                    std::span<const ObjectColumn> further = {});

} // namespace pollard
