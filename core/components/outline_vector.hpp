#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_files.hpp"
#include "components/outlines.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pollard {

/// Writes outlines as the layer "objects" of a vector file, see VectorLayer, with a feature per object: a MultiPolygon
/// of its parts, with the properties of writeObjectOutlines(), classes by their names.
/// @param file not committed
/// @param path the name of the file
/// @param labels objects to write, in this order
/// @param tags of the picture
/// @param unit of properties
/// @throws errors of VectorLayer; Cancelled
void writeVectorOutlines(AtomicFile& file, const std::filesystem::path& path, const Components& components,
                         const Outlines& outlines, std::span<const std::uint32_t> labels,
                         const std::vector<CarriedTag>& tags, const JobControl& control = {},
                         const ObjectUnit& unit = {}, std::span<const ObjectColumn> further = {});

} // namespace pollard
