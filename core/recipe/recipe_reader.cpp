#include "recipe/recipe.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <set>
#include <system_error>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr int kRecipeVersion = 1;
constexpr int kStepVersion = 1;
constexpr std::size_t kMaxFileBytes = 1U << 20;
constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxSteps = 100;
constexpr std::size_t kMaxNameBytes = 200;
constexpr std::size_t kMaxDescriptionBytes = 2000;
constexpr std::size_t kShownBytes = 60; ///< of a value in a message

constexpr std::array kKinds{TreeKind::max, TreeKind::min};

std::string_view nameOf(TreeKind kind) { return kind == TreeKind::max ? "max" : "min"; }

std::string shown(const Json& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > kShownBytes) {
        text.resize(kShownBytes);
        text += "...";
    }
    return text;
}

/// A place in a recipe: "step 2 (filter): rule". It knows how to complain.
struct Place {
    std::string path;

    [[nodiscard]] Place at(const std::string& key) const { return {path.empty() ? key : path + ": " + key}; }
    [[nodiscard]] Place at(std::size_t index) const { return {path + "[" + std::to_string(index) + "]"}; }
    [[noreturn]] void fail(const std::string& why) const {
        throw Error(ErrorCode::invalidArgument, "recipe: " + (path.empty() ? "" : path + ": ") + why);
    }
};

/// The members of an object, each of which may be taken once; what nobody takes is unknown.
class Members {
public:
    Members(const Json& object, Place place) : object_(object), place_(std::move(place)) {
        if (!object.is_object()) {
            place_.fail(shown(object) + ": expected an object");
        }
    }

    [[nodiscard]] const Json* find(const std::string& key) {
        known_.push_back(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    [[nodiscard]] const Json& get(const std::string& key) {
        const Json* value = find(key);
        if (value == nullptr) {
            place_.fail("'" + key + "' is missing");
        }
        return *value;
    }
    [[nodiscard]] Place at(const std::string& key) const { return place_.at(key); }

    /// Call when all were taken.
    void requireNoOthers() const {
        for (const auto& [key, value] : object_.items()) {
            if (std::ranges::find(known_, key) == known_.end()) {
                std::string names;
                for (const std::string& name : known_) {
                    names += (names.empty() ? "" : ", ") + name;
                }
                place_.fail(shown(key) + ": unknown (there are " + names + ")");
            }
        }
    }

private:
    const Json& object_;
    Place place_;
    std::vector<std::string> known_;
};

std::string textIn(const Json& value, const Place& place) {
    if (!value.is_string()) {
        place.fail(shown(value) + ": expected a text");
    }
    return value.get<std::string>();
}

/// A text of one line.
std::string lineIn(const Json& value, const Place& place, std::size_t maxBytes) {
    std::string text = textIn(value, place);
    if (text.size() > maxBytes) {
        place.fail(std::to_string(text.size()) + " bytes, at most " + std::to_string(maxBytes));
    }
    if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
        place.fail(shown(value) + ": must be one line without control characters");
    }
    return text;
}

std::uint64_t wholeIn(const Json& value, const Place& place, std::uint64_t smallest, std::uint64_t largest) {
    const bool whole = value.is_number_unsigned();
    if (!whole || value.get<std::uint64_t>() < smallest || value.get<std::uint64_t>() > largest) {
        place.fail(shown(value) + ": expected a whole number from " + std::to_string(smallest) + " to " +
                   std::to_string(largest));
    }
    return value.get<std::uint64_t>();
}

/// Two rising finite numbers.
std::pair<double, double> intervalIn(const Json& value, const Place& place) {
    const bool pair = value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
    if (!pair || !std::isfinite(value[0].get<double>()) || !std::isfinite(value[1].get<double>()) ||
        !(value[0].get<double>() < value[1].get<double>())) {
        place.fail(shown(value) + ": expected two rising numbers");
    }
    return {value[0].get<double>(), value[1].get<double>()};
}

template <class Values> auto namedIn(const Values& values, const Json& value, const Place& place) {
    const std::string name = textIn(value, place);
    std::string names;
    for (const auto each : values) {
        if (nameOf(each) == name) {
            return each;
        }
        names += (names.empty() ? "" : ", ") + std::string(nameOf(each));
    }
    place.fail(shown(value) + ": unknown (there are " + names + ")");
}

/// "auto", "minmax", {"percentile": [0.01, 0.99]} or {"values": [-5, 300]}.
MappingChoice rangeIn(const Json& value, const Place& place) {
    using Range = MappingChoice::Range;
    if (value == "auto") {
        return {};
    }
    if (value == "minmax") {
        return {Range::minMax, 0, 1};
    }
    if (!value.is_object()) {
        place.fail(shown(value) + R"(: expected "auto", "minmax", {"percentile": [..]} or {"values": [..]})");
    }
    Members members(value, place);
    const Json* const percentile = members.find("percentile");
    const Json* const values = members.find("values");
    members.requireNoOthers();
    if ((percentile == nullptr) == (values == nullptr)) {
        place.fail("expected either 'percentile' or 'values'");
    }
    if (values != nullptr) {
        const auto [low, high] = intervalIn(*values, place.at("values"));
        return {Range::fixed, low, high};
    }
    const auto [low, high] = intervalIn(*percentile, place.at("percentile"));
    if (low < 0 || high > 1) {
        place.at("percentile").fail(shown(*percentile) + ": expected numbers from 0 to 1");
    }
    return {Range::percentile, low, high};
}

ReadStep readStepIn(Members& parameters) {
    ReadStep step;
    if (const Json* page = parameters.find("page")) {
        step.page = static_cast<int>(wholeIn(*page, parameters.at("page"), 0, std::numeric_limits<int>::max()));
    }
    if (const Json* channel = parameters.find("channel")) {
        const std::string text = textIn(*channel, parameters.at("channel"));
        try {
            step.channel = ChannelChoice::parse(text);
        } catch (const Error& error) {
            parameters.at("channel").fail(error.what());
        }
    }
    if (const Json* range = parameters.find("range")) {
        step.range = rangeIn(*range, parameters.at("range"));
    }
    return step;
}

TreeStep treeStepIn(Members& parameters) {
    TreeStep step;
    if (const Json* kind = parameters.find("kind")) {
        step.kind = namedIn(kKinds, *kind, parameters.at("kind"));
    }
    if (const Json* connectivity = parameters.find("connectivity")) {
        const bool four = *connectivity == 4;
        if (!four && *connectivity != 8) {
            parameters.at("connectivity").fail(shown(*connectivity) + ": expected 4 or 8");
        }
        step.connectivity = four ? Connectivity::four : Connectivity::eight;
    }
    return step;
}

std::vector<Criterion> criteriaIn(const Json& value, const Place& place) {
    if (!value.is_array()) {
        place.fail(shown(value) + ": expected a list of texts such as \"area>=100\"");
    }
    std::vector<Criterion> criteria;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string text = textIn(value[i], place.at(i));
        try {
            criteria.push_back(parseCriterion(text));
        } catch (const Error& error) {
            place.at(i).fail(error.what());
        }
    }
    return criteria;
}

Prominent prominentIn(const Json& value, const Place& place) {
    Members members(value, place);
    Prominent prominent;
    prominent.measure = namedIn(kAllProminences, members.get("measure"), place.at("measure"));
    prominent.count = static_cast<std::uint32_t>(
        wholeIn(members.get("count"), place.at("count"), 1, std::numeric_limits<std::uint32_t>::max()));
    members.requireNoOthers();
    return prominent;
}

std::vector<std::uint32_t> pixelsIn(const Json& value, const Place& place) {
    if (!value.is_array()) {
        place.fail(shown(value) + ": expected a list of pixel numbers");
    }
    std::vector<std::uint32_t> pixels;
    for (std::size_t i = 0; i < value.size(); ++i) {
        pixels.push_back(static_cast<std::uint32_t>(wholeIn(value[i], place.at(i), 0, Image::kMaxPixels - 1)));
    }
    return pixels;
}

FilterStep filterStepIn(Members& parameters) {
    FilterSpec spec;
    if (const Json* criteria = parameters.find("criteria")) {
        spec.criteria = criteriaIn(*criteria, parameters.at("criteria"));
    }
    if (const Json* match = parameters.find("match")) {
        spec.match = namedIn(kAllMatches, *match, parameters.at("match"));
    }
    if (const Json* rule = parameters.find("rule")) {
        spec.rule = namedIn(kAllRules, *rule, parameters.at("rule"));
    }
    if (const Json* output = parameters.find("output")) {
        spec.output = namedIn(kAllOutputs, *output, parameters.at("output"));
    }
    if (const Json* prominent = parameters.find("prominent")) {
        spec.prominent = prominentIn(*prominent, parameters.at("prominent"));
    }
    if (const Json* removed = parameters.find("removed")) {
        spec.removed = pixelsIn(*removed, parameters.at("removed"));
    }
    if (const Json* kept = parameters.find("kept")) {
        spec.kept = pixelsIn(*kept, parameters.at("kept"));
    }
    if (const Json* only = parameters.find("only")) {
        spec.only = pixelsIn(*only, parameters.at("only"));
    }
    return {std::move(spec)};
}

RecipeStep stepIn(const Json& value, const Place& unnamed) {
    Members members(value, unnamed);
    const std::string id = textIn(members.get("id"), unnamed.at("id"));
    const Place place{unnamed.path + " (" + id + ")"};
    if (id != "read" && id != "tree" && id != "filter") {
        unnamed.at("id").fail(shown(id) + ": unknown (there are read, tree, filter)");
    }
    const Json& version = members.get("version");
    if (version != kStepVersion) {
        place.at("version").fail(shown(version) + ": this program knows version " + std::to_string(kStepVersion));
    }
    const Json& parameterObject = members.get("parameters");
    members.requireNoOthers();
    Members parameters(parameterObject, place);
    RecipeStep step;
    if (id == "read") {
        step = readStepIn(parameters);
    } else if (id == "tree") {
        step = treeStepIn(parameters);
    } else {
        step = filterStepIn(parameters);
    }
    parameters.requireNoOthers();
    return step;
}

Place placeOf(std::size_t step) { return {"step " + std::to_string(step + 1)}; }

void requireOrder(const std::vector<RecipeStep>& steps) {
    bool filtered = false;
    bool labelled = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Place place{placeOf(i).path + " (" + std::string(idOf(steps[i])) + ")"};
        if (labelled) {
            place.fail("follows labels, which are numbers of objects and no picture to work on");
        }
        if (std::holds_alternative<ReadStep>(steps[i]) && i > 0) {
            place.fail("only the first step can read");
        }
        if (const auto* filter = std::get_if<FilterStep>(&steps[i])) {
            filtered = true;
            labelled = filter->filter.output == Output::labels;
        }
    }
    if (!filtered) {
        Place{"steps"}.fail("there is no filter");
    }
}

/// Refuses what a tree of JSON would hide (a key that stands twice) or what no recipe needs (depth).
class Watch {
public:
    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (depth > kMaxDepth) {
            Place{}.fail("lists and objects inside each other, more than " + std::to_string(kMaxDepth) + " deep");
        }
        if (event == Event::object_start) {
            keys_.emplace_back();
        } else if (event == Event::object_end) {
            keys_.pop_back();
        } else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
            Place{}.fail(shown(parsed) + ": stands twice in one object");
        }
        return true;
    }

private:
    std::vector<std::set<std::string>> keys_;
};

Json jsonIn(std::string_view text) {
    try {
        return Json::parse(text, [watch = Watch()](int depth, Json::parse_event_t event, const Json& parsed) mutable {
            return watch(depth, event, parsed);
        });
    } catch (const Json::exception& problem) {
        std::string why = problem.what(); // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
        why.erase(0, why.starts_with('[') ? why.find(']') + 2 : 0);
        std::ranges::replace_if(
            why, [](unsigned char c) { return c < 0x20; }, ' ');
        Place{}.fail("no JSON: " + why);
    }
}

} // namespace

Recipe parseRecipe(std::string_view text) {
    const Json json = jsonIn(text);
    Members members(json, Place{});
    const Json& version = members.get("pollard_recipe");
    if (version != kRecipeVersion) {
        members.at("pollard_recipe")
            .fail(shown(version) + ": this program knows version " + std::to_string(kRecipeVersion));
    }
    Recipe recipe;
    recipe.name = lineIn(members.get("name"), members.at("name"), kMaxNameBytes);
    if (recipe.name.empty()) {
        members.at("name").fail("is empty");
    }
    if (const Json* description = members.find("description")) {
        recipe.description = lineIn(*description, members.at("description"), kMaxDescriptionBytes);
    }
    if (const Json* sample = members.find("sample")) {
        recipe.sample = lineIn(*sample, members.at("sample"), kMaxNameBytes);
        if (recipe.sample.find_first_of("/\\:") != std::string::npos || recipe.sample.starts_with('.')) {
            members.at("sample").fail(shown(*sample) + ": expected the name of a file without a folder");
        }
    }
    const Json& steps = members.get("steps");
    members.requireNoOthers();
    if (!steps.is_array() || steps.size() > kMaxSteps) {
        members.at("steps").fail("expected a list of at most " + std::to_string(kMaxSteps) + " steps");
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        recipe.steps.push_back(stepIn(steps[i], placeOf(i)));
    }
    requireOrder(recipe.steps);
    return recipe;
}

Recipe loadRecipe(const std::filesystem::path& path) {
    const auto refuse = [&path](ErrorCode code, const std::string& why) {
        throw Error(code, "cannot read recipe: " + path.string() + ": " + why);
    };
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) {
        refuse(ErrorCode::fileNotFound, "there is no such file");
    }
    if (std::filesystem::is_directory(status)) {
        refuse(ErrorCode::fileUnreadable, "it is a folder");
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(kMaxFileBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad()) {
        refuse(ErrorCode::fileUnreadable, "it cannot be read");
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes) {
        refuse(ErrorCode::limitExceeded, "more than 1 MiB is no recipe");
    }
    try {
        return parseRecipe(text);
    } catch (const Error& error) {
        std::string why = error.what();
        const std::string prefix = "recipe: ";
        why.erase(0, why.starts_with(prefix) ? prefix.size() : 0);
        throw Error(error.code(), "recipe: " + path.string() + ": " + why);
    }
}

} // namespace pollard
