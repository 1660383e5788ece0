#pragma once

#include "components/auto_threshold.hpp"
#include "components/objects/object_rule.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace pollard::cli {

/// Levels of the foreground: from a given or computed low level to an optional high one.
struct ThresholdRange {
    std::optional<ThresholdMethod> method;
    std::optional<std::uint16_t> low;
    std::optional<std::uint16_t> high;
};

/// Declares --threshold.
void declareThreshold(CLI::App& command, std::string& text);

/// Declares --fill-holes and --no-border. @param holes,border their descriptions
void declareSwitches(CLI::App& command, ObjectSwitches& switches, const std::string& holes, const std::string& border);

/// @throws UsageError unless the text is LO, LO:HI or a method
[[nodiscard]] ThresholdRange parseThreshold(const std::string& text);

/// The rule of objects of these options.
[[nodiscard]] ObjectRule ruleOf(const ThresholdRange& range, const ObjectSwitches& switches, Connectivity connectivity);

} // namespace pollard::cli
