#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pollard::cli {

/// Writes rows of fields as CSV (RFC 4180, lines end in \n), whole or not at all; fields are quoted where they have to
/// be.
/// @param rows the first are the names of the columns
/// @param what the operation for messages, e.g. "write table of times"
/// @throws Error(writeFailed)
void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows,
              const std::string& what);

} // namespace pollard::cli
