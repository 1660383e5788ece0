#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_edges.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// Reads a list of features, "area,border", for a table of objects.
/// @throws Error(invalidArgument) for an empty list, an id that is none, and one that stands twice
[[nodiscard]] std::vector<ObjectFeature> parseFeatures(std::string_view text);

/// The features that the table of writeObjectTable() lacks.
[[nodiscard]] std::span<const ObjectFeature> furtherFeatures() noexcept;

/// The edge measurements that these features need.
[[nodiscard]] EdgeMeasure edgeMeasureOf(std::span<const ObjectFeature> features) noexcept;

/// Writes a line an object with these features, after a line of their names.
/// @param edges with the measurements of the features
/// @param labels which objects, in this order
/// @throws Error(writeFailed), Cancelled
void writeFeatureTable(TextFile& file, const Components& components, const ObjectEdges& edges,
                       std::span<const std::uint32_t> labels, std::span<const ObjectFeature> features,
                       const JobControl& control, const ObjectUnit& unit = {});

/// Writes the table of writeObjectTable() with the columns of furtherFeatures() behind its own.
/// @param edges traced
/// @throws Error(writeFailed), Cancelled
void writeFullTable(TextFile& file, const Components& components, const ObjectEdges& edges,
                    std::span<const std::uint32_t> labels, const JobControl& control, const ObjectUnit& unit = {});

} // namespace pollard
