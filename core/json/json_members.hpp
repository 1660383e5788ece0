#pragma once

#include "json/json_weight.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

/// A place in a JSON file, "step 2 (filter): rule", with errors that name it.
struct JsonPlace {
    std::string kind; ///< of file, for messages: "recipe"
    std::string path; ///< empty: the whole file

    [[nodiscard]] JsonPlace at(const std::string& key) const { return {kind, path.empty() ? key : path + ": " + key}; }
    [[nodiscard]] JsonPlace at(std::size_t index) const { return {kind, path + "[" + std::to_string(index) + "]"}; }
    /// @throws Error(invalidArgument) "<kind>: <path>: <why>"
    [[noreturn]] void fail(const std::string& why) const;
};

/// The members of a JSON object, each of which may be taken once; those that are not taken are unknown.
class JsonMembers {
public:
    /// @param object must outlive this
    /// @throws Error(invalidArgument) if it is no object
    JsonMembers(const nlohmann::json& object, JsonPlace place);

    /// Null if there is none.
    [[nodiscard]] const nlohmann::json* find(const std::string& key);
    /// @throws Error(invalidArgument) if there is none
    [[nodiscard]] const nlohmann::json& get(const std::string& key);
    [[nodiscard]] JsonPlace at(const std::string& key) const { return place_.at(key); }

    /// Call when all were taken. @throws Error(invalidArgument) naming one that was not
    void requireNoOthers() const;

private:
    const nlohmann::json& object_;
    JsonPlace place_;
    std::vector<std::string> known_;
};

/// Parses a text, which may be hostile: refuses repeated keys, which a tree of JSON would hide, and, before building
/// the tree, a text beyond the limits.
/// @param kind of file, for messages
/// @throws Error(invalidArgument) of one line; Error(limitExceeded)
[[nodiscard]] nlohmann::json parseJson(std::string_view text, const std::string& kind, const JsonLimits& limits);

/// A member of a value; null if the value is no object, has no such member, or the member is null.
[[nodiscard]] const nlohmann::json* memberOf(const nlohmann::json& value, const char* key);

/// A value in a message, cut off if it is long.
[[nodiscard]] std::string shownJson(const nlohmann::json& value);

// Values of one kind. @throws Error(invalidArgument) naming the place and the value

[[nodiscard]] std::string textIn(const nlohmann::json& value, const JsonPlace& place);
/// A text of one line.
[[nodiscard]] std::string lineIn(const nlohmann::json& value, const JsonPlace& place, std::size_t maxBytes);
[[nodiscard]] bool flagIn(const nlohmann::json& value, const JsonPlace& place);
[[nodiscard]] std::uint64_t wholeIn(const nlohmann::json& value, const JsonPlace& place, std::uint64_t smallest,
                                    std::uint64_t largest);
/// A finite number.
[[nodiscard]] double numberIn(const nlohmann::json& value, const JsonPlace& place);
/// Two rising finite numbers.
[[nodiscard]] std::pair<double, double> intervalIn(const nlohmann::json& value, const JsonPlace& place);
/// A list of whole numbers from 0 to @p largest.
[[nodiscard]] std::vector<std::uint32_t> wholesIn(const nlohmann::json& value, const JsonPlace& place,
                                                  std::uint64_t largest);
/// A list of at most @p maxCount of anything; the value itself.
[[nodiscard]] const nlohmann::json& listIn(const nlohmann::json& value, const JsonPlace& place, std::size_t maxCount);

/// Throws that a name is none of those there are.
[[noreturn]] void failUnknown(const nlohmann::json& value, const std::string& names, const JsonPlace& place);

/// The one of @p values whose nameOf() it is.
template <class Values, class Name> [[nodiscard]] auto namedIn(const Values& values, const Name& name,
                                                               const nlohmann::json& value, const JsonPlace& place) {
    const std::string text = textIn(value, place);
    std::string names;
    for (const auto each : values) {
        if (name(each) == text) {
            return each;
        }
        names += (names.empty() ? "" : ", ") + std::string(name(each));
    }
    failUnknown(value, names, place);
}

} // namespace pollard
