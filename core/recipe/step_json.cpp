#include "recipe/step_json.hpp"

#include "base/error.hpp"
#include "io/metadata/stated_size.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

namespace {

using Json = nlohmann::json;
using Written = nlohmann::ordered_json; // keys in the order in which they are written
using SampleType = RawLayout::SampleType;

constexpr std::array kKinds{TreeKind::max, TreeKind::min};
constexpr std::array kShapes{RegionShape::Kind::rectangle, RegionShape::Kind::ellipse, RegionShape::Kind::polygon};
constexpr std::array kSampleTypes{SampleType::u8,  SampleType::i8,  SampleType::u16, SampleType::i16,
                                  SampleType::u32, SampleType::i32, SampleType::f32, SampleType::f64};
constexpr std::uint64_t kMostSide = std::numeric_limits<std::uint32_t>::max();
constexpr int kMost = std::numeric_limits<int>::max();

constexpr auto kNameOf = [](auto value) { return nameOf(value); };

std::string_view kindName(TreeKind kind) { return kind == TreeKind::max ? "max" : "min"; }

std::string_view shapeName(RegionShape::Kind kind) {
    return kind == RegionShape::Kind::rectangle ? "rectangle"
           : kind == RegionShape::Kind::ellipse ? "ellipse"
                                                : "polygon";
}

std::string_view sampleName(SampleType type) {
    constexpr std::array<std::string_view, 8> kNames{"u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"};
    return kNames[static_cast<std::size_t>(type)];
}

std::string textOf(const ChannelChoice& channel) {
    if (channel.kind == ChannelChoice::Kind::luminance) {
        return "luminance";
    }
    switch (channel.sample) {
    case 0:
        return "red";
    case 1:
        return "green";
    case 2:
        return "blue";
    default:
        return std::to_string(channel.sample);
    }
}

Written rangeOf(const MappingChoice& choice) {
    switch (choice.range) {
    case MappingChoice::Range::minMax:
        return "minmax";
    case MappingChoice::Range::percentile:
        return {{"percentile", {choice.low, choice.high}}};
    case MappingChoice::Range::fixed:
        return {{"values", {choice.low, choice.high}}};
    case MappingChoice::Range::automatic:
        break;
    }
    return "auto";
}

/// "auto", "minmax", {"percentile": [0.01, 0.99]} or {"values": [-5, 300]}.
MappingChoice rangeIn(const Json& value, const JsonPlace& place) {
    using Range = MappingChoice::Range;
    if (value == "auto") {
        return {};
    }
    if (value == "minmax") {
        return {Range::minMax, 0, 1};
    }
    if (!value.is_object()) {
        place.fail(shownJson(value) + R"(: expected "auto", "minmax", {"percentile": [..]} or {"values": [..]})");
    }
    JsonMembers members(value, place);
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
        place.at("percentile").fail(shownJson(*percentile) + ": expected numbers from 0 to 1");
    }
    return {Range::percentile, low, high};
}

int countIn(JsonMembers& members, const char* key, int smallest, int otherwise) {
    const Json* const value = members.find(key);
    return value == nullptr ? otherwise
                            : static_cast<int>(wholeIn(*value, members.at(key), static_cast<std::uint64_t>(smallest),
                                                       static_cast<std::uint64_t>(kMost)));
}

PixelRegion partIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    const auto number = [&](const char* key, std::uint64_t smallest) {
        return static_cast<std::uint32_t>(wholeIn(members.get(key), members.at(key), smallest, kMostSide));
    };
    PixelRegion part;
    part.x = number("x", 0);
    part.y = number("y", 0);
    part.width = number("width", 1);
    part.height = number("height", 1);
    members.requireNoOthers();
    return part;
}

RawLayout layoutIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    RawLayout layout;
    const auto side = [&](const char* key) {
        return static_cast<std::uint32_t>(wholeIn(members.get(key), members.at(key), 1, kMostSide));
    };
    layout.width = side("width");
    layout.height = side("height");
    layout.type = namedIn(kSampleTypes, sampleName, members.get("type"), members.at("type"));
    layout.bigEndian = flagIn(members.get("big_endian"), members.at("big_endian"));
    layout.samples = countIn(members, "samples", 1, 1);
    layout.offset = wholeIn(members.get("offset"), members.at("offset"), 0, std::numeric_limits<std::int64_t>::max());
    layout.pages = countIn(members, "pages", 1, 1);
    members.requireNoOthers();
    return layout;
}

PixelSize pixelSizeIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    const auto side = [&members](const char* key) {
        const Json& number = members.get(key);
        const double length = numberIn(number, members.at(key));
        if (!isStatedSide(length)) {
            members.at(key).fail(shownJson(number) + ": expected a number from 1e-9 to 1e9");
        }
        return length;
    };
    PixelSize size;
    size.x = side("x");
    size.y = side("y");
    size.unit = namedIn(
        kStatedUnits, [](std::string_view unit) { return unit; }, members.get("unit"), members.at("unit"));
    size.source = kSetByHand;
    members.requireNoOthers();
    return size;
}

RegionShape shapeIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    RegionShape shape;
    shape.kind = namedIn(kShapes, shapeName, members.get("kind"), members.at("kind"));
    const JsonPlace at = members.at("points");
    const Json& points = listIn(members.get("points"), at, kMostCorners * 2);
    members.requireNoOthers();
    const bool polygon = shape.kind == RegionShape::Kind::polygon;
    if (points.size() % 2 != 0 || (polygon ? points.size() < 6 : points.size() != 4)) {
        at.fail(std::to_string(points.size()) + " numbers; expected x, y of " +
                (polygon ? "three corners or more" : "two opposite corners"));
    }
    for (std::size_t i = 0; i < points.size(); i += 2) {
        shape.points.push_back({numberIn(points[i], at.at(i)), numberIn(points[i + 1], at.at(i + 1))});
    }
    return shape;
}

std::vector<Criterion> criteriaIn(const Json& value, const JsonPlace& place) {
    if (!value.is_array()) {
        place.fail(shownJson(value) + ": expected a list of texts such as \"area>=100\"");
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

Prominent prominentIn(const Json& value, const JsonPlace& place) {
    JsonMembers members(value, place);
    Prominent prominent;
    prominent.measure = namedIn(kAllProminences, kNameOf, members.get("measure"), place.at("measure"));
    prominent.count = static_cast<std::uint32_t>(
        wholeIn(members.get("count"), place.at("count"), 1, std::numeric_limits<std::uint32_t>::max()));
    members.requireNoOthers();
    return prominent;
}

} // namespace

bool isReduced(const ReadStep& step) noexcept { return step.level != 0 || step.region || step.shrink != 1 || step.raw; }

namespace {

void addReduction(const ReadStep& step, Written& json) {
    json["level"] = step.level;
    if (step.region) {
        const PixelRegion& part = *step.region;
        json["part"] = {{"x", part.x}, {"y", part.y}, {"width", part.width}, {"height", part.height}};
    }
    json["shrink"] = step.shrink;
    if (step.raw) {
        const RawLayout& raw = *step.raw;
        json["raw"] = {{"width", raw.width},          {"height", raw.height},   {"type", sampleName(raw.type)},
                       {"big_endian", raw.bigEndian}, {"samples", raw.samples}, {"offset", raw.offset},
                       {"pages", raw.pages}};
    }
}

} // namespace

Written jsonOf(const ReadStep& step, bool complete) {
    Written json{{"page", step.page}, {"channel", textOf(step.channel)}, {"range", rangeOf(step.range)}};
    if (complete || isReduced(step)) {
        addReduction(step, json);
    }
    if (step.pixelSize) {
        const PixelSize& size = *step.pixelSize;
        json["pixel_size"] = {{"x", size.x}, {"y", size.y}, {"unit", size.unit}};
    }
    return json;
}

Written jsonOf(const std::vector<RegionShape>& all) {
    Written shapes = Written::array();
    for (const RegionShape& shape : all) {
        Written points = Written::array();
        for (const RegionPoint& point : shape.points) {
            points.push_back(point.x);
            points.push_back(point.y);
        }
        shapes.push_back({{"kind", shapeName(shape.kind)}, {"points", std::move(points)}});
    }
    return shapes;
}

Written jsonOf(const RegionStep& step) { return {{"shapes", jsonOf(step.shapes)}, {"inverted", step.inverted}}; }

Written jsonOf(const TreeStep& step) {
    return {{"kind", kindName(step.kind)}, {"connectivity", static_cast<int>(step.connectivity)}};
}

Written jsonOf(const FilterStep& step) {
    const FilterSpec& spec = step.filter;
    Written criteria = Written::array();
    for (const Criterion& criterion : spec.criteria) {
        criteria.push_back(toString(criterion));
    }
    Written parameters{{"criteria", std::move(criteria)},
                       {"match", nameOf(spec.match)},
                       {"rule", nameOf(spec.rule)},
                       {"output", nameOf(spec.output)}};
    // Few filters have these.
    if (spec.prominent) {
        parameters["prominent"] = {{"measure", nameOf(spec.prominent->measure)}, {"count", spec.prominent->count}};
    }
    if (!spec.removed.empty()) {
        parameters["removed"] = spec.removed;
    }
    if (!spec.kept.empty()) {
        parameters["kept"] = spec.kept;
    }
    if (!spec.only.empty()) {
        parameters["only"] = spec.only;
    }
    return parameters;
}

ReadStep readStepIn(JsonMembers& members, int version) {
    ReadStep step;
    step.page = countIn(members, "page", 0, 0);
    if (const Json* channel = members.find("channel")) {
        const std::string text = textIn(*channel, members.at("channel"));
        try {
            step.channel = ChannelChoice::parse(text);
        } catch (const Error& error) {
            members.at("channel").fail(error.what());
        }
    }
    if (const Json* range = members.find("range")) {
        step.range = rangeIn(*range, members.at("range"));
    }
    if (version < kReducedRead) {
        return step;
    }
    step.level = countIn(members, "level", 0, 0);
    if (const Json* part = members.find("part")) {
        step.region = partIn(*part, members.at("part"));
    }
    step.shrink = countIn(members, "shrink", 1, 1);
    if (const Json* raw = members.find("raw")) {
        step.raw = layoutIn(*raw, members.at("raw"));
    }
    if (version < kSizedRead) {
        return step;
    }
    if (const Json* size = members.find("pixel_size")) {
        step.pixelSize = pixelSizeIn(*size, members.at("pixel_size"));
    }
    return step;
}

std::vector<RegionShape> shapesIn(const Json& value, const JsonPlace& place) {
    std::vector<RegionShape> shapes;
    for (const Json& shape : listIn(value, place, kMostShapes)) {
        shapes.push_back(shapeIn(shape, place.at(shapes.size())));
    }
    return shapes;
}

RegionStep regionStepIn(JsonMembers& members) {
    RegionStep step;
    if (const Json* shapes = members.find("shapes")) {
        step.shapes = shapesIn(*shapes, members.at("shapes"));
    }
    if (const Json* inverted = members.find("inverted")) {
        step.inverted = flagIn(*inverted, members.at("inverted"));
    }
    return step;
}

Connectivity connectivityIn(JsonMembers& members, Connectivity otherwise) {
    const Json* const connectivity = members.find("connectivity");
    if (connectivity == nullptr) {
        return otherwise;
    }
    const bool four = *connectivity == 4;
    if (!four && *connectivity != 8) {
        members.at("connectivity").fail(shownJson(*connectivity) + ": expected 4 or 8");
    }
    return four ? Connectivity::four : Connectivity::eight;
}

TreeStep treeStepIn(JsonMembers& members) {
    TreeStep step;
    if (const Json* kind = members.find("kind")) {
        step.kind = namedIn(kKinds, kindName, *kind, members.at("kind"));
    }
    step.connectivity = connectivityIn(members, step.connectivity);
    return step;
}

FilterStep filterStepIn(JsonMembers& members) {
    FilterSpec spec;
    if (const Json* criteria = members.find("criteria")) {
        spec.criteria = criteriaIn(*criteria, members.at("criteria"));
    }
    if (const Json* match = members.find("match")) {
        spec.match = namedIn(kAllMatches, kNameOf, *match, members.at("match"));
    }
    if (const Json* rule = members.find("rule")) {
        spec.rule = namedIn(kAllRules, kNameOf, *rule, members.at("rule"));
    }
    if (const Json* output = members.find("output")) {
        spec.output = namedIn(kAllOutputs, kNameOf, *output, members.at("output"));
    }
    if (const Json* prominent = members.find("prominent")) {
        spec.prominent = prominentIn(*prominent, members.at("prominent"));
    }
    const auto pixels = [&members](const char* key) {
        const Json* const value = members.find(key);
        return value == nullptr ? std::vector<std::uint32_t>()
                                : wholesIn(*value, members.at(key), Image::kMaxPixels - 1);
    };
    spec.removed = pixels("removed");
    spec.kept = pixels("kept");
    spec.only = pixels("only");
    return {std::move(spec)};
}

} // namespace pollard
