#pragma once

#include <string>

namespace pollard::cli {

/// Help text on all attributes by group: name, formula, unit; ends with a line break.
[[nodiscard]] std::string attributeHelp();

} // namespace pollard::cli
