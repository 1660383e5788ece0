#include "json/json_members.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownBytes = 60;     ///< of a value in a message
constexpr std::size_t kMessageBytes = 2000; ///< of a message, into which a file may put any text

/// Refuses keys that stand twice in an object.
class Watch {
public:
    explicit Watch(JsonPlace whole) : whole_(std::move(whole)) {}

    bool operator()(Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (event == Event::object_start) {
            keys_.emplace_back();
        } else if (event == Event::object_end) {
            keys_.pop_back();
        } else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
            whole_.fail(shownJson(parsed) + ": stands twice in one object");
        }
        return true;
    }

private:
    JsonPlace whole_;
    std::vector<std::set<std::string>> keys_;
};

} // namespace

void JsonPlace::fail(const std::string& why) const {
    std::string message = kind + ": " + (path.empty() ? "" : path + ": ") + why;
    if (message.size() > kMessageBytes) {
        message.resize(kMessageBytes);
        message += "...";
    }
    throw Error(ErrorCode::invalidArgument, message);
}

JsonMembers::JsonMembers(const Json& object, JsonPlace place) : object_(object), place_(std::move(place)) {
    if (!object.is_object()) {
        place_.fail(shownJson(object) + ": expected an object");
    }
}

const Json* JsonMembers::find(const std::string& key) {
    if (std::ranges::find(known_, key) == known_.end()) {
        known_.push_back(key);
    }
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
}

const Json& JsonMembers::get(const std::string& key) {
    const Json* value = find(key);
    if (value == nullptr) {
        place_.fail("'" + key + "' is missing");
    }
    return *value;
}

void JsonMembers::requireNoOthers() const {
    for (const auto& [key, value] : object_.items()) {
        if (std::ranges::find(known_, key) == known_.end()) {
            std::string names;
            for (const std::string& name : known_) {
                names += (names.empty() ? "" : ", ") + name;
            }
            failUnknown(key, names, place_);
        }
    }
}

Json parseJson(std::string_view text, const std::string& kind, const JsonLimits& limits) {
    const JsonPlace whole{kind, {}};
    try {
        static_cast<void>(jsonWeight(text, kind, limits));
        return Json::parse(text, [watch = Watch(whole)](int /*depth*/, Json::parse_event_t event,
                                                        const Json& parsed) mutable { return watch(event, parsed); });
    } catch (const Json::exception& problem) {
        std::string why = problem.what(); // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
        why.erase(0, why.starts_with('[') ? why.find(']') + 2 : 0);
        std::ranges::replace_if(
            why, [](unsigned char c) { return c < 0x20; }, ' ');
        whole.fail("no JSON: " + why);
    }
}

const nlohmann::json* memberOf(const nlohmann::json& value, const char* key) {
    const auto found = value.is_object() ? value.find(key) : value.end();
    return found == value.end() || found->is_null() ? nullptr : &*found;
}

std::string shownJson(const Json& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > kShownBytes) {
        text.resize(kShownBytes);
        text += "...";
    }
    return text;
}

std::string textIn(const Json& value, const JsonPlace& place) {
    if (!value.is_string()) {
        place.fail(shownJson(value) + ": expected a text");
    }
    return value.get<std::string>();
}

std::string lineIn(const Json& value, const JsonPlace& place, std::size_t maxBytes) {
    std::string text = textIn(value, place);
    if (text.size() > maxBytes) {
        place.fail(std::to_string(text.size()) + " bytes, at most " + std::to_string(maxBytes));
    }
    if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
        place.fail(shownJson(value) + ": must be one line without control characters");
    }
    return text;
}

bool flagIn(const Json& value, const JsonPlace& place) {
    if (!value.is_boolean()) {
        place.fail(shownJson(value) + ": expected true or false");
    }
    return value.get<bool>();
}

std::uint64_t wholeIn(const Json& value, const JsonPlace& place, std::uint64_t smallest, std::uint64_t largest) {
    const bool whole = value.is_number_unsigned();
    if (!whole || value.get<std::uint64_t>() < smallest || value.get<std::uint64_t>() > largest) {
        place.fail(shownJson(value) + ": expected a whole number from " + std::to_string(smallest) + " to " +
                   std::to_string(largest));
    }
    return value.get<std::uint64_t>();
}

double numberIn(const Json& value, const JsonPlace& place) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
        place.fail(shownJson(value) + ": expected a number");
    }
    return value.get<double>();
}

std::pair<double, double> intervalIn(const Json& value, const JsonPlace& place) {
    const bool pair = value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
    if (!pair || !std::isfinite(value[0].get<double>()) || !std::isfinite(value[1].get<double>()) ||
        !(value[0].get<double>() < value[1].get<double>())) {
        place.fail(shownJson(value) + ": expected two rising numbers");
    }
    return {value[0].get<double>(), value[1].get<double>()};
}

const Json& listIn(const Json& value, const JsonPlace& place, std::size_t maxCount) {
    if (!value.is_array()) {
        place.fail(shownJson(value) + ": expected a list");
    }
    if (value.size() > maxCount) {
        place.fail("a list of " + std::to_string(value.size()) + ", at most " + std::to_string(maxCount));
    }
    return value;
}

std::vector<std::uint32_t> wholesIn(const Json& value, const JsonPlace& place, std::uint64_t largest) {
    if (!value.is_array()) {
        place.fail(shownJson(value) + ": expected a list of whole numbers");
    }
    std::vector<std::uint32_t> numbers;
    numbers.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        numbers.push_back(static_cast<std::uint32_t>(wholeIn(value[i], place.at(i), 0, largest)));
    }
    return numbers;
}

void failUnknown(const Json& value, const std::string& names, const JsonPlace& place) {
    place.fail(shownJson(value) + ": unknown (there are " + names + ")");
}

} // namespace pollard
