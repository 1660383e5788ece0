#pragma once

#include <filesystem>
#include <string>

namespace pollard::cli {

/// Finds out before the work that its result can be written: the folder is there and writable, and the target is
/// not a folder itself.
/// @throws Error(writeFailed)
void requireWritable(const std::filesystem::path& target);

/// @throws UsageError unless the name ends in .tif or .tiff, since only TIFF is written
void requireTiffName(const std::filesystem::path& target);

/// @throws UsageError if both names lead to the same file: a result never replaces its own source or another
///         result. @p what says what @p one is, for the message.
void requireDifferent(const std::filesystem::path& one, const std::filesystem::path& other, const std::string& what);

} // namespace pollard::cli
