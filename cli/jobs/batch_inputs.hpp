#pragma once

#include <string>
#include <vector>

namespace pollard::cli {

/// The images that the inputs of a batch mean, in their order: a folder means the files in it whose names end as those
/// of readable formats do, without the folders in it; a path with * or ? in its last part, if there is no such file,
/// the files that match; both sorted by name. Anything else stays as it is.
/// @throws UsageError for a folder or a pattern without any image; Error(fileUnreadable) for a folder that cannot be
/// read
[[nodiscard]] std::vector<std::string> expandInputs(const std::vector<std::string>& inputs);

} // namespace pollard::cli
