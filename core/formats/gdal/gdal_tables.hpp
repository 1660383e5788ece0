#pragma once

#include <filesystem>

namespace pollard {

/// Refuses a data base of SQLite whose content is computed while it is read, which can take any time and can read other
/// files: views, virtual tables other than the R-trees of GeoPackages, computed columns.
/// @throws Error(formatUnsupported), Error(fileDamaged) if it is no data base, Error(limitExceeded) for more than
/// 100,000 tables and indexes, Error(fileUnreadable) if changes of another program are not in the file yet
void requirePlainTables(const std::filesystem::path& file);

} // namespace pollard
