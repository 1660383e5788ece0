#pragma once

#include "io/samples/value_statistics.hpp"

#include <nlohmann/json_fwd.hpp>

namespace pollard {

/// Complete facts about the values of an image, for another process that reads its regions.
[[nodiscard]] nlohmann::ordered_json jsonOf(const ValueStatistics& statistics);
/// @throws nlohmann::json::exception for JSON that jsonOf() does not write
void setStatistics(const nlohmann::json& json, ValueStatistics& statistics);

} // namespace pollard
