#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace pollard {

/// The content of a small text file.
/// @param kind of file, for messages: "recipe"
/// @throws Error(fileNotFound, fileUnreadable, limitExceeded) naming the file
[[nodiscard]] std::string readSmallFile(const std::filesystem::path& path, const std::string& kind,
                                        std::size_t maxBytes);

/// Calls @p parse and adds the file's name to its errors: "recipe: why" becomes "recipe: file: why".
void namingFile(const std::filesystem::path& path, const std::string& kind, const std::function<void()>& parse);

/// JSON text, indented by two blanks, with lists of numbers and texts on one line and a line break at the end.
[[nodiscard]] std::string readableText(const nlohmann::ordered_json& json);

} // namespace pollard
