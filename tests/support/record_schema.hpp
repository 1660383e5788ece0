#pragma once

#include "session/session_records.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <tuple>
#include <type_traits>

namespace pollard::testing {

/// The JSON schema that records describe: keys, types, limits, required fields.
class RecordSchema {
public:
    using Json = nlohmann::json;

    template <class T, class... Fields> static Json of(const json::Record<T, Fields...>& record) {
        Json schema{{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
        Json required = Json::array();
        std::apply([&](const auto&... each) { (add(each, record, schema["properties"], required), ...); },
                   record.fields());
        if (!required.empty()) {
            schema["required"] = required;
        }
        return schema;
    }
    static Json of(const json::Flag& /*kind*/) { return {{"type", "boolean"}}; }
    static Json of(const json::Number& /*kind*/) { return {{"type", "number"}}; }
    static Json of(const json::Line& line) { return {{"type", "string"}, {"maxLength", line.maxBytes}}; }
    static Json of(const json::Feature& /*kind*/) { return nullptr; } // anything
    static Json of(const json::Condition& /*kind*/) {
        return {{"type", "string"}, {"maxLength", json::kMostConditionBytes}, {kNarrowed, true}};
    }
    static Json of(const json::Whole& whole) {
        Json schema{{"type", "integer"}, {"minimum", whole.smallest}};
        if (whole.largest <= (std::uint64_t{1} << 53U)) { // other programs cannot represent larger limits exactly
            schema["maximum"] = whole.largest;
        }
        return schema;
    }
    static Json of(const json::WholeList& list) { return arrayOf(of(json::Whole{0, list.largest})); }
    static Json of(const json::AscendingList& list) { return arrayOf(of(json::Whole{0, list.largest})); }
    static Json of(const json::Labels& list) { return arrayOf(of(json::Whole{1, list.largest}), 1); }
    static Json of(const json::Corners& /*kind*/) { return arrayOf({{"type", "number"}}, 4, 2 * json::kMostCorners); }
    static Json of(const json::Nodes& /*kind*/) { return arrayOf(of(json::Whole{}), 6, 2 * json::kMostNodes); }
    static Json of(const json::Pair& /*kind*/) { return arrayOf({{"type", "number"}}, 2, 2); }
    static Json of(const json::LevelBounds& /*kind*/) { return arrayOf(of(json::Whole{0, 65535}), 2, 2); }
    static Json of(const json::Neighbours& kind) {
        return {{"enum", kind.inVolumes ? Json{4, 8, 6, 18, 26} : Json{4, 8}}};
    }
    static Json of(const json::MaskIndex& index) { return of(json::Whole{0, index.masks - 1}); }
    template <class Values, class Name> static Json of(const json::Named<Values, Name>& kind) {
        Json names = Json::array();
        for (const auto value : kind.values) {
            names.push_back(kind.name(value));
        }
        return {{"enum", names}};
    }
    template <std::size_t N> static Json of(const json::Names<N>& kind) { return {{"enum", kind.names}}; }
    template <class Kind> static Json of(const json::List<Kind>& list) {
        return arrayOf(of(list.kind), list.mayBeEmpty ? 0 : 1, list.maxCount);
    }
    template <class Kind> static Json of(const json::OptionalValue<Kind>& held) {
        return held.orNull ? Json{{"oneOf", {of(held.kind), {{"type", "null"}}}}} : of(held.kind);
    }
    /// A condition may have narrower limits in the schema.
    template <class Kind, class Check> static Json of(const json::Checked<Kind, Check>& checked) {
        Json schema = of(checked.kind);
        schema[kNarrowed] = true;
        return schema;
    }
    template <class Kind, class Make> static Json of(const json::Dependent<Kind, Make>& dependent) {
        return of(dependent.kind);
    }
    /// Anything.
    template <class Reads, class Writes> static Json of(const json::CustomValue<Reads, Writes>& /*kind*/) {
        return nullptr;
    }

    /// A schema of docs/NAME.schema.json without references, descriptions and patterns.
    static Json committed(const std::string& name, const std::string& pointer) {
        const Json root = Json::parse(std::ifstream(POLLARD_SOURCE_DIR "/docs/" + name + ".schema.json"));
        return plain(root, root.at(Json::json_pointer(pointer)));
    }

    /// Place and reason of a difference; empty if there is none.
    static std::string difference(const Json& expected, const Json& schema, const std::string& at = "$",
                                  bool narrowed = false) {
        if (expected.is_null()) {
            return {};
        }
        narrowed = narrowed || expected.contains(kNarrowed);
        if (expected.value("type", "") == "string" &&
            schema.contains("enum")) { // the schema lists names, the record takes any text
            return {};
        }
        for (const auto& [key, value] : schema.items()) {
            if (!expected.contains(key) && !narrowed) {
                return at + ": " + key + " is no limit of the record";
            }
        }
        for (const auto& [key, value] : expected.items()) {
            if (key == kNarrowed) {
                continue;
            }
            if (!schema.contains(key)) {
                return at + ": " + key + " " + value.dump() + " is missing";
            }
            if (std::string problem = differenceOf(key, value, schema.at(key), at, narrowed); !problem.empty()) {
                return problem;
            }
        }
        return {};
    }

private:
    static constexpr const char* kNarrowed = "narrowed";

    template <class Owner, class Access, class Kind, class When> static void
    add(const json::Field<Access, Kind, When>& field, const Owner& record, Json& properties, Json& required) {
        if (field.version > record.knownVersion()) {
            return;
        }
        properties[field.key] = of(field.kind);
        const bool always = std::is_same_v<When, json::Always> && field.presence == json::Presence::required;
        if (always || (record.isComplete() && field.presence != json::Presence::omitted)) {
            required.push_back(field.key);
        }
    }
    template <class T, class Owner, class Member, class Inner>
    static void add(const json::Part<Owner, Member, Inner>& part, const T& record, Json& properties, Json& required) {
        add(part.record, record, properties, required);
    }
    template <class T, class... Fields, class Owner>
    static void add(const json::Record<T, Fields...>& fields, const Owner& record, Json& properties, Json& required) {
        const Json inner = of(fields.known(record.knownVersion()));
        properties.update(inner.at("properties"));
        for (const Json& key : inner.value("required", Json::array())) {
            required.push_back(key);
        }
    }

    static Json arrayOf(const Json& items, std::size_t smallest = 0, std::size_t largest = 0) {
        Json schema{{"type", "array"}, {"items", items}};
        if (smallest > 0) {
            schema["minItems"] = smallest;
        }
        if (largest > 0) {
            schema["maxItems"] = largest;
        }
        return schema;
    }

    static Json plain(const Json& root, const Json& schema) {
        if (schema.is_array()) {
            Json all = Json::array();
            std::transform(schema.begin(), schema.end(), std::back_inserter(all),
                           [&root](const Json& each) { return plain(root, each); });
            return all;
        }
        if (!schema.is_object()) {
            return schema;
        }
        Json result = Json::object();
        if (schema.contains("$ref")) {
            result = plain(root, root.at(Json::json_pointer(schema.at("$ref").get<std::string>().substr(1))));
        }
        for (const auto& [key, value] : schema.items()) {
            if (key == "properties") {
                for (const auto& [name, member] : value.items()) {
                    result[key][name] = plain(root, member);
                }
            } else if (key != "$ref" && key != "$defs" && key != "$schema" && key != "title" && key != "description" &&
                       key != "pattern") {
                result[key] = plain(root, value);
            }
        }
        return result;
    }

    static std::string differenceOf(const std::string& key, const Json& expected, const Json& schema,
                                    const std::string& at, bool narrowed) {
        if (key == "items") {
            return difference(expected, schema, at + "[]", narrowed);
        }
        if (key == "oneOf") {
            const std::string problem = difference(expected.at(0), schema.at(0), at);
            return problem.empty() && expected.at(1) != schema.at(1) ? at + ": oneOf" : problem;
        }
        if (key == "properties") {
            for (const auto& [name, member] : schema.items()) {
                if (!expected.contains(name)) {
                    return at + "." + name + ": is no field of the record";
                }
            }
            for (const auto& [name, member] : expected.items()) {
                const std::string problem = schema.contains(name) ? difference(member, schema.at(name), at + "." + name)
                                                                  : at + "." + name + ": is missing";
                if (!problem.empty()) {
                    return problem;
                }
            }
            return {};
        }
        const bool isSet = key == "enum" || key == "required";
        const bool same = isSet ? std::is_permutation(expected.begin(), expected.end(), schema.begin(), schema.end())
                          : key == "minimum" && narrowed ? schema >= expected
                                                         : schema == expected;
        return same ? std::string() : at + ": " + key + " " + schema.dump() + ", not " + expected.dump();
    }
};

} // namespace pollard::testing
