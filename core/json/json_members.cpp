#include "json/json_members.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownBytes = 60;     ///< of a value in a message
constexpr std::size_t kMessageBytes = 2000; ///< of a message, into which a file may put any text

/// Refuses repeated keys in an object.
class RepeatedKeys {
public:
    explicit RepeatedKeys(JsonPlace whole) : whole_(std::move(whole)) {}

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
        return Json::parse(text,
                           [watch = RepeatedKeys(whole)](int /*depth*/, Json::parse_event_t event,
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

namespace {

constexpr std::uint64_t kHeap = 16;                 ///< overhead of an allocation
constexpr std::uint64_t kMember = 3 * sizeof(Json); ///< of a list that grows: the old half and the new double
constexpr std::uint64_t kText = sizeof(std::string) + 2 * kHeap;
constexpr std::uint64_t kContainer = sizeof(Json::object_t) + kHeap;
constexpr std::uint64_t kTreeNode = 4 * sizeof(void*) + kHeap;
/// A key is stored in the object and in the set of known keys.
constexpr std::uint64_t kKey = sizeof(Json) + 2 * (kTreeNode + kText);

class WeightCounter : public nlohmann::json_sax<Json> {
public:
    WeightCounter(const std::string& kind, const JsonLimits& limits) : kind_(kind), limits_(limits) {}

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

    bool null() override { return add(kMember); }
    bool boolean(bool /*value*/) override { return add(kMember); }
    bool number_integer(number_integer_t /*value*/) override { return add(kMember); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return add(kMember); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return add(kMember); }
    bool string(string_t& value) override { return add(kMember + kText + value.size()); }
    bool binary(binary_t& value) override { return add(kMember + kText + value.size()); }
    bool start_object(std::size_t /*count*/) override { return open(); }
    bool key(string_t& value) override { return add(kKey + 2 * value.size()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*count*/) override { return open(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*problem*/) override {
        return false; // reported by the parser
    }

private:
    bool add(std::uint64_t bytes) {
        bytes_ += bytes;
        if (bytes_ > limits_.maxBytes) {
            throw Error(ErrorCode::limitExceeded, kind_ + ": its values would take more than " +
                                                      std::to_string(limits_.maxBytes >> 20U) + " MiB of memory");
        }
        return true;
    }
    bool open() {
        if (++depth_ > limits_.maxDepth) {
            throw Error(ErrorCode::invalidArgument, kind_ + ": lists and objects inside each other, more than " +
                                                        std::to_string(limits_.maxDepth) + " deep");
        }
        return add(kMember + kContainer);
    }
    bool close() {
        --depth_;
        return true;
    }

    const std::string& kind_;
    JsonLimits limits_;
    int depth_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace

std::uint64_t jsonWeight(std::string_view text, const std::string& kind, const JsonLimits& limits) {
    WeightCounter counter(kind, limits);
    static_cast<void>(Json::sax_parse(text, &counter));
    return counter.bytes();
}

} // namespace pollard
