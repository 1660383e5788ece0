#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

/// Limits for the parsed form of a JSON text.
struct JsonLimits {
    int maxDepth = 8;                                   ///< lists and objects inside each other
    std::uint64_t maxBytes = std::uint64_t{256} << 20U; ///< of memory, by jsonWeight()
};

/// Upper bound of the memory that a text takes while it is parsed and afterwards, bytes: from the number of its values
/// and keys and the length of its texts, without building a tree. If a text breaks off or is no JSON, only the part
/// before that place counts.
/// @param kind of file, for messages
/// @throws Error(invalidArgument) for lists and objects deeper than the limit, Error(limitExceeded) for more memory;
///         both as early as possible
[[nodiscard]] std::uint64_t jsonWeight(std::string_view text, const std::string& kind, const JsonLimits& limits);

/// A place in a JSON file, "step 2 (filter): rule", with errors that name it.
struct JsonPlace {
    std::string kind; ///< of file, for messages: "recipe"
    std::string path; ///< empty: the whole file

    [[nodiscard]] JsonPlace at(const std::string& key) const { return {kind, path.empty() ? key : path + ": " + key}; }
    [[nodiscard]] JsonPlace at(std::size_t index) const { return {kind, path + "[" + std::to_string(index) + "]"}; }
    /// @throws Error(invalidArgument) "<kind>: <path>: <why>"
    [[noreturn]] void fail(const std::string& why) const;
};

/// The members of a JSON object. Each can be taken once; members that are not taken are unknown keys.
class JsonMembers {
public:
    /// @param object must outlive this
    /// @throws Error(invalidArgument) if it is no object
    JsonMembers(const nlohmann::json& object, JsonPlace place);

    /// Takes a member; null if there is none.
    [[nodiscard]] const nlohmann::json* find(const std::string& key);
    /// @throws Error(invalidArgument) if there is none
    [[nodiscard]] const nlohmann::json& get(const std::string& key);
    [[nodiscard]] JsonPlace at(const std::string& key) const { return place_.at(key); }

    /// To be called after all known members are taken. @throws Error(invalidArgument) naming a member that was not
    /// taken
    void requireNoOthers() const;

private:
    const nlohmann::json& object_;
    JsonPlace place_;
    std::vector<std::string> known_;
};

/// Parses a text from an unknown source. Refuses repeated keys, which a tree of JSON would hide, and texts beyond the
/// limits before building the tree.
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
/// A list of at most @p maxCount elements of any kind; returns the value itself.
[[nodiscard]] const nlohmann::json& listIn(const nlohmann::json& value, const JsonPlace& place, std::size_t maxCount);

/// Reports an unknown name. @param names that are known, for the message
[[noreturn]] void failUnknown(const nlohmann::json& value, const std::string& names, const JsonPlace& place);

/// Finds the element of @p values whose @p name is the text @p value.
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
