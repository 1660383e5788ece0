#pragma once

#include "attributes/attribute.hpp"
#include "command.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// "WHAT: 'NAME': unknown (there are A, B, C)"
[[nodiscard]] UsageError unknownName(const std::string& what, const std::string& name,
                                     const std::vector<std::string>& known);

/// Names of values of an enumeration.
template <class Values> [[nodiscard]] std::vector<std::string> namesOf(const Values& values) {
    return textsOf(values, [](const auto& value) { return nameOf(value); });
}
/// The value of an enumeration with this name. @throws UsageError for an unknown one
template <class Values>
[[nodiscard]] auto valueNamed(const std::string& what, const std::string& name, const Values& values) {
    for (const auto value : values) {
        if (nameOf(value) == name) {
            return value;
        }
    }
    throw unknownName(what, name, namesOf(values));
}

/// @throws UsageError for an unknown attribute
[[nodiscard]] AttributeId attributeNamed(const std::string& name);
/// Help text on all attributes by group: name, formula, unit; ends with a line break.
[[nodiscard]] std::string attributeHelp();

/// Adds an option with one value. @param type of the value, in the help
template <class Value> CLI::Option* addValue(CLI::App& command, const std::string& name, Value& value,
                                             const std::string& help, const std::string& type) {
    return command.add_option(name, value, help)->type_name(type);
}
/// Adds an option that may be repeated, with one value each time.
CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                         const std::string& help, const std::string& type);
/// Adds an option with one of these values, which are its type in the help.
template <class Value> CLI::Option* addChoice(CLI::App& command, const std::string& name, Value& value,
                                              const std::string& help, const std::vector<std::string>& choices) {
    return addValue(command, name, value, help, joined(choices, "|"))->check(CLI::IsMember(choices).description(""));
}

/// Accepts numbers of a range, which the help does not name.
template <class Number> [[nodiscard]] CLI::Validator within(Number least, Number most) {
    return CLI::Range(least, most).description("");
}
/// Accepts these texts, which the help does not name.
[[nodiscard]] inline CLI::Validator oneOf(std::vector<std::string> texts) {
    return CLI::IsMember(std::move(texts)).description("");
}

} // namespace pollard::cli
