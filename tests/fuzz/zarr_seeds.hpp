#pragma once

#include <map>
#include <string>
#include <vector>

namespace pollard::fuzz {

/// Small Zarr stores of both versions with all codecs, shards, a plate, labels and an OME-Zarr image: keys and
/// values.
[[nodiscard]] std::vector<std::map<std::string, std::string>> zarrStores();

} // namespace pollard::fuzz
