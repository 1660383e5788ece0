#include "options/threshold_range.hpp"

#include "command.hpp"
#include "options/named.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <charconv>
#include <string_view>
#include <vector>

namespace pollard::cli {

namespace {

/// "otsu, triangle, li"
std::string methodNames() {
    std::vector<std::string> names;
    for (const ThresholdMethod method : kThresholdMethods) {
        names.emplace_back(nameOf(method));
    }
    return joined(names, ", ");
}

std::uint16_t parseLevel(std::string_view text, const std::string& whole) {
    std::uint16_t level = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), level);
    if (problem != std::errc{} || end != text.data() + text.size()) {
        throw UsageError("threshold: '" + whole + "': expected LO or LO:HI, levels from 0 to 65535, or " +
                         methodNames());
    }
    return level;
}

} // namespace

void declareThreshold(CLI::App& command, std::string& text) {
    addText(command, "--threshold", text,
            "LO keeps the levels from LO on, LO:HI those from LO to\nHI, a method those from the threshold it finds on",
            "LO[:HI]|otsu|triangle|li")
        ->capture_default_str();
}

void declareSwitches(CLI::App& command, ObjectSwitches& switches, const std::string& holes, const std::string& border) {
    command.add_flag("--fill-holes", switches.fillHoles, holes);
    command.add_flag("--no-border", switches.withoutBorder, border);
}

ThresholdRange parseThreshold(const std::string& text) {
    ThresholdRange range;
    range.method = findThresholdMethod(text);
    if (range.method) {
        return range;
    }
    const std::size_t colon = text.find(':');
    range.low = parseLevel(std::string_view(text).substr(0, colon), text);
    if (colon != std::string::npos) {
        range.high = parseLevel(std::string_view(text).substr(colon + 1), text);
        if (*range.high < *range.low) {
            throw UsageError("threshold: '" + text + "': the upper level is below the lower one");
        }
    }
    return range;
}

ObjectRule ruleOf(const ThresholdRange& range, const ObjectSwitches& switches, Connectivity connectivity) {
    ObjectRule rule;
    static_cast<ObjectSwitches&>(rule) = switches;
    rule.method = range.method;
    if (!rule.method) {
        rule.levels = {*range.low, range.high.value_or(std::uint16_t{0xffff})};
    }
    rule.connectivity = connectivity;
    return rule;
}

} // namespace pollard::cli
