#pragma once

#include "io/metadata/imagej_description.hpp"

#include <vector>

namespace pollard {

/// IJMetadataByteCounts and IJMetadata (tags 50838 and 50839), which imageJMetadata() reads, in host byte order. Colour
/// tables go from black to the colours. Labels are left out if all are empty.
[[nodiscard]] std::vector<CopiedTag> tagsOf(const ImageJMetadata& metadata);

} // namespace pollard
