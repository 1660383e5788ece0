#pragma once

#include "geo/vector_layer.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace pollard::testing {

/// The kinds of files that this build writes: without GDAL no vector file. Vector files get one date, so that their
/// bytes can be compared.
template <class File, std::size_t Count> std::vector<File> writtenKinds(const std::array<File, Count>& all) {
    ::setenv("OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z", 1);
    std::vector<File> kinds(all.begin(), all.end());
    if (!writesVectorFiles()) {
        std::erase(kinds, File::vector);
    }
    return kinds;
}

} // namespace pollard::testing
