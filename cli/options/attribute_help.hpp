#pragma once

#include <string>

namespace pollard::cli {

/// All attributes for the help of a command, group by group: name, formula, unit; ends with a line break.
[[nodiscard]] std::string attributeHelp();

} // namespace pollard::cli
