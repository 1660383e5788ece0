#pragma once

#include "attributes/attribute.hpp"
#include "command.hpp"
#include "filter/filter_spec.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace pollard::cli {

/// @throws UsageError for an unknown attribute
[[nodiscard]] inline AttributeId attributeNamed(const std::string& name) {
    if (const std::optional<AttributeId> id = findAttribute(name)) {
        return *id;
    }
    std::vector<std::string> known;
    for (const AttributeInfo& info : allAttributes()) {
        known.emplace_back(info.name);
    }
    throw UsageError("attribute: '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

/// @throws UsageError for an unknown rule
[[nodiscard]] inline Rule ruleNamed(const std::string& name) {
    std::vector<std::string> known;
    for (const Rule rule : kAllRules) {
        if (nameOf(rule) == name) {
            return rule;
        }
        known.emplace_back(nameOf(rule));
    }
    throw UsageError("rule: '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

/// Adds an option with one text value.
inline CLI::Option* addText(CLI::App& command, const char* name, std::string& value, const char* help,
                            const char* type) {
    return command.add_option(name, value, help)->type_name(type);
}

inline CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                                const std::string& help) {
    return command.add_option(name, values, help)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
}

} // namespace pollard::cli
