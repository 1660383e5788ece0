#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pollard::cli {

/// Writes rows of fields as CSV (RFC 4180, with \n line ends), atomically; fields are quoted if necessary.
/// @param rows the first has the column names
/// @param what operation for messages, e.g. "write table of times"
/// @throws Error(writeFailed)
void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows,
              const std::string& what);

} // namespace pollard::cli
