#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pollard {

/// The files of a folder that @p wanted accepts, sorted, without those of its folders.
/// @throws Error(fileUnreadable)
[[nodiscard]] std::vector<std::string> filesIn(const std::filesystem::path& folder,
                                               const std::function<bool(const std::filesystem::path&)>& wanted);

/// The files of a folder with the extension of a readable format, as filesIn().
[[nodiscard]] std::vector<std::string> imagesIn(const std::filesystem::path& folder);

} // namespace pollard
