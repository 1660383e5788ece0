#include "recipe/step_json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>

// The JSON forms of parameters of contours, and of masks.
namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLongestStep = 1U << 20U; ///< px; also of an edge
constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();

constexpr auto kNameOf = [](auto value) { return nameOf(value); };

} // namespace

nlohmann::ordered_json jsonOf(const SnakeSpec& spec) {
    return {{"law", nameOf(spec.law)},      {"moves", nameOf(spec.moves)},  {"max_step", spec.maxStep},
            {"min_length", spec.minLength}, {"min_pixels", spec.minPixels}, {"max_nodes", spec.maxNodes},
            {"max_rounds", spec.maxRounds}};
}

SnakeSpec snakeSpecIn(JsonMembers& members) {
    SnakeSpec spec;
    const auto whole = [&](const char* key, std::uint64_t smallest, std::uint64_t largest, std::uint32_t& value) {
        if (const Json* given = members.find(key)) {
            value = static_cast<std::uint32_t>(wholeIn(*given, members.at(key), smallest, largest));
        }
    };
    if (const Json* law = members.find("law")) {
        spec.law = namedIn(kRegionLaws, kNameOf, *law, members.at("law"));
    }
    if (const Json* moves = members.find("moves")) {
        spec.moves = namedIn(kSnakeMoves, kNameOf, *moves, members.at("moves"));
    }
    whole("max_step", 0, kLongestStep, spec.maxStep);
    if ((spec.maxStep & (spec.maxStep - 1)) != 0 && spec.maxStep != 0) {
        members.at("max_step").fail(std::to_string(spec.maxStep) + ": expected 0 or a power of two");
    }
    whole("min_length", 2, kLongestStep, spec.minLength);
    whole("min_pixels", 1, kMost, spec.minPixels);
    whole("max_nodes", 3, kMostNodes, spec.maxNodes);
    whole("max_rounds", 0, kMost, spec.maxRounds);
    return spec;
}

nlohmann::ordered_json jsonOf(const StoredMask& mask) {
    return {{"width", mask.width}, {"height", mask.height}, {"runs", mask.runs}};
}

StoredMask storedMaskIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    StoredMask mask;
    mask.width = static_cast<std::uint32_t>(wholeIn(members.get("width"), members.at("width"), 1, kMost));
    mask.height = static_cast<std::uint32_t>(wholeIn(members.get("height"), members.at("height"), 1, kMost));
    mask.runs = wholesIn(members.get("runs"), members.at("runs"), Image::kMaxPixels);
    members.requireNoOthers();
    std::uint64_t filled = 0;
    for (const std::uint32_t run : mask.runs) {
        filled += run;
    }
    if (filled != std::uint64_t{mask.width} * mask.height) {
        place.at("runs").fail("they have " + std::to_string(filled) + " pixels, not those of the picture");
    }
    return mask;
}

} // namespace pollard
