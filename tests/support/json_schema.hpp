#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <string>

namespace pollard::testing {

/// The subset of JSON Schema (draft 2020-12) used by the published schemas; other keywords are errors.
class JsonSchema {
public:
    using Json = nlohmann::json;

    /// @param name of a file docs/NAME.schema.json
    explicit JsonSchema(const std::string& name)
        : root_(Json::parse(std::ifstream(POLLARD_SOURCE_DIR "/docs/" + name + ".schema.json"))) {}

    /// Position and reason of a violation; empty if there is none.
    [[nodiscard]] std::string problemOf(const std::string& text) const { return check(root_, Json::parse(text), "$"); }

private:
    static bool hasType(const Json& value, const std::string& type) {
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
               (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
               (type == "null" && value.is_null()) || (type == "integer" && value.is_number_integer()) ||
               (type == "number" && value.is_number());
    }

    [[nodiscard]] std::string check(const Json& schema, const Json& value, const std::string& at) const {
        if (schema.is_boolean()) {
            return schema.get<bool>() ? std::string() : at + ": may not be there";
        }
        for (const auto& [key, rule] : schema.items()) {
            if (std::string problem = checkOne(key, rule, schema, value, at); !problem.empty()) {
                return problem;
            }
        }
        return {};
    }

    [[nodiscard]] std::string checkOne(const std::string& key, const Json& rule, const Json& schema, const Json& value,
                                       const std::string& at) const {
        const std::string broken = at + ": " + key + " " + rule.dump().substr(0, 80);
        const auto must = [&broken](bool holds) { return holds ? std::string() : broken; };
        if (key == "$schema" || key == "title" || key == "description" || key == "$defs") {
            return {};
        }
        if (key == "$ref") {
            return check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at);
        }
        if (key == "type") {
            return must(hasType(value, rule));
        }
        if (key == "const") {
            return must(value == rule);
        }
        if (key == "enum") {
            return must(std::find(rule.begin(), rule.end(), value) != rule.end());
        }
        if (key == "oneOf") {
            return must(std::count_if(rule.begin(), rule.end(),
                                      [&](const Json& each) { return check(each, value, at).empty(); }) == 1);
        }
        if (key == "minimum" || key == "maximum" || key == "exclusiveMinimum" || key == "exclusiveMaximum") {
            const bool holds = !value.is_number() || (key == "minimum"            ? value >= rule
                                                      : key == "maximum"          ? value <= rule
                                                      : key == "exclusiveMaximum" ? value < rule
                                                                                  : value > rule);
            return must(holds);
        }
        if (key == "minLength" || key == "maxLength" || key == "pattern") {
            return value.is_string() ? checkText(key, rule, value, broken) : std::string();
        }
        if (key == "items" || key == "minItems" || key == "maxItems" || key == "contains") {
            return value.is_array() ? checkList(key, rule, value, at) : std::string();
        }
        if (key == "required" || key == "properties" || key == "additionalProperties") {
            return value.is_object() ? checkObject(key, rule, schema, value, at) : std::string();
        }
        return at + ": the test does not know " + key;
    }

    [[nodiscard]] static std::string checkText(const std::string& key, const Json& rule, const std::string& text,
                                               const std::string& broken) {
        const bool holds = key == "pattern"     ? std::regex_match(text, std::regex(rule.get<std::string>()))
                           : key == "minLength" ? text.size() >= rule.get<std::size_t>()
                                                : text.size() <= rule.get<std::size_t>();
        return holds ? std::string() : broken;
    }

    [[nodiscard]] std::string checkList(const std::string& key, const Json& rule, const Json& list,
                                        const std::string& at) const {
        if (key == "minItems" || key == "maxItems") {
            const bool holds = key == "minItems" ? list.size() >= rule : list.size() <= rule;
            return holds ? std::string() : at + ": " + key;
        }
        bool found = false;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string problem = check(rule, list[i], at + "[" + std::to_string(i) + "]");
            if (key == "items" && !problem.empty()) {
                return problem;
            }
            found = found || problem.empty();
        }
        return key == "items" || found ? std::string() : at + ": contains";
    }

    [[nodiscard]] std::string checkObject(const std::string& key, const Json& rule, const Json& schema,
                                          const Json& object, const std::string& at) const {
        if (key == "required") {
            const auto missing =
                std::find_if(rule.begin(), rule.end(), [&](const Json& name) { return !object.contains(name); });
            return missing == rule.end() ? std::string() : at + ": " + missing->dump() + " is missing";
        }
        const Json& known = schema.contains("properties") ? schema.at("properties") : Json::object();
        for (const auto& [name, member] : object.items()) {
            const bool isKnown = known.contains(name);
            if (key == "additionalProperties" && !isKnown && rule == false) {
                return at + ": " + name + " is unknown";
            }
            const bool applies = key == "properties" ? isKnown : !isKnown && rule.is_object();
            const std::string problem =
                applies ? check(isKnown ? known.at(name) : rule, member, at + "." + name) : std::string();
            if (!problem.empty()) {
                return problem;
            }
        }
        return {};
    }

    Json root_;
};

} // namespace pollard::testing
