#include "recipe/step_records.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"
#include "filter/forest.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/page_selection.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace pollard::json {

ChannelChoice channelIn(const Read& json, const JsonPlace& place) {
    const std::string text = textIn(json, place);
    try {
        return ChannelChoice::parse(text);
    } catch (const Error& error) {
        place.fail(error.what());
    }
}

namespace {

constexpr std::array kSelectedAxes{'c', 'z', 't', 'p', kSceneAxis};

/// Copies the entry of an axis.
void copyAxis(char axis, const PageSelection& from, PageSelection& to) {
    if (axis == 'c') {
        to.channel = from.channel;
    } else {
        positionsOn(axis, to) = positionsOn(axis, from);
    }
}

/// The selection limited to this axis.
PageSelection onlyOf(const PageSelection& selection, char axis) {
    PageSelection only;
    copyAxis(axis, selection, only);
    return only;
}

} // namespace

std::optional<PageSelection> selectionIn(const Read& json, const JsonPlace& place) {
    JsonMembers members(json, place);
    PageSelection selection;
    for (const char axis : kSelectedAxes) {
        const std::string key(axisName(axis));
        const Read* const value = members.find(key);
        if (value == nullptr) {
            continue;
        }
        std::string text = key;
        text += '=';
        text += value->is_number()
                    ? std::to_string(wholeIn(*value, members.at(key), 0, std::numeric_limits<int>::max()))
                    : lineIn(*value, members.at(key), Line{}.maxBytes);
        try {
            const PageSelection stated = parseSelection(text);
            if (onlyOf(stated, axis) != stated) {
                members.at(key).fail(shownJson(*value) + ": states another axis");
            }
            copyAxis(axis, stated, selection);
        } catch (const Error& error) {
            members.at(key).fail(error.what());
        }
    }
    members.requireNoOthers();
    return selection;
}

Written selectionJson(const std::optional<PageSelection>& selection) {
    Written json = Written::object();
    for (const char axis : kSelectedAxes) {
        const std::string key(axisName(axis));
        if (const std::string text = toString(onlyOf(selection.value_or(PageSelection{}), axis)); !text.empty()) {
            const AxisPositions& positions = positionsOn(axis, *selection);
            if (axis != 'c' && positions.kind == AxisPositions::Kind::one) {
                json[key] = positions.index;
            } else {
                json[key] = text.substr(key.size() + 1);
            }
        }
    }
    return json;
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

MappingChoice rangeIn(const Read& json, const JsonPlace& place) {
    using Range = MappingChoice::Range;
    if (json == "auto") {
        return {};
    }
    if (json == "minmax") {
        return {Range::minMax, 0, 1};
    }
    if (!json.is_object()) {
        place.fail(shownJson(json) + R"(: expected "auto", "minmax", {"percentile": [..]} or {"values": [..]})");
    }
    JsonMembers members(json, place);
    const Read* const percentile = members.find("percentile");
    const Read* const values = members.find("values");
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

void Corners::read(const Read& json, const JsonPlace& place, std::vector<RegionPoint>& points) const {
    const Read& numbers = listIn(json, place, kMostCorners * 2);
    const bool polygon = kind == RegionShape::Kind::polygon;
    if (numbers.size() % 2 != 0 || (polygon ? numbers.size() < 6 : numbers.size() != 4)) {
        place.fail(std::to_string(numbers.size()) + " numbers; expected x, y of " +
                   (polygon ? "three corners or more" : "two opposite corners"));
    }
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        points.push_back({numberIn(numbers[i], place.at(i)), numberIn(numbers[i + 1], place.at(i + 1))});
    }
}

Written Corners::write(const std::vector<RegionPoint>& points) const {
    Written numbers = Written::array();
    for (const RegionPoint& point : points) {
        numbers.push_back(point.x);
        numbers.push_back(point.y);
    }
    return numbers;
}

std::vector<Criterion> criteriaIn(const Read& json, const JsonPlace& place) {
    if (!json.is_array()) {
        place.fail(shownJson(json) + ": expected a list of texts such as \"area>=100\"");
    }
    std::vector<Criterion> criteria;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string text = textIn(json[i], place.at(i));
        try {
            criteria.push_back(parseCriterion(text));
        } catch (const Error& error) {
            place.at(i).fail(error.what());
        }
    }
    return criteria;
}

std::vector<std::string> criterionTexts(const std::vector<Criterion>& criteria) {
    std::vector<std::string> texts;
    std::ranges::transform(criteria, std::back_inserter(texts), [](const Criterion& each) { return toString(each); });
    return texts;
}

Forest forestIn(const Read& json, const JsonPlace& place) {
    Forest forest;
    for (const Read& questions : listIn(json, place, kMostDecisionTrees)) {
        const JsonPlace here = place.at(forest.trees.size());
        DecisionTree& tree = forest.trees.emplace_back();
        for (const Read& question : listIn(questions, here, kMostQuestions)) {
            try {
                tree.push_back(parseQuestion(lineIn(question, here.at(tree.size()), Line{}.maxBytes)));
            } catch (const Error& error) {
                here.at(tree.size()).fail(error.what());
            }
        }
    }
    if (const std::string why = forestProblem(forest); !why.empty()) {
        place.fail(why);
    }
    return forest;
}

Written forestJson(const Forest& forest) {
    Written json = Written::array();
    for (const DecisionTree& tree : forest.trees) {
        Written& questions = json.emplace_back(Written::array());
        for (const ForestNode& node : tree) {
            questions.push_back(toString(node));
        }
    }
    return json;
}

std::optional<ThresholdMethod> methodIn(const Read& json, const JsonPlace& place) {
    return json == kByHand ? std::nullopt : std::optional(namedIn(kThresholdMethods, NameOf{}, json, place));
}

std::string_view methodName(const std::optional<ThresholdMethod>& method) { return method ? nameOf(*method) : kByHand; }

void LevelBounds::read(const Read& json, const JsonPlace& place, LevelRange& levels) const {
    const std::vector<std::uint32_t> numbers = wholesIn(json, place, std::numeric_limits<std::uint16_t>::max());
    if (numbers.size() != 2 || numbers[0] > numbers[1]) {
        place.fail("expected the first and the last level");
    }
    levels = {static_cast<std::uint16_t>(numbers[0]), static_cast<std::uint16_t>(numbers[1])};
}

Written LevelBounds::write(const LevelRange& levels) const { return {levels.low, levels.high}; }

std::optional<ValueBounds> valueBoundsIn(const Read& json, const JsonPlace& place) {
    const std::string text = lineIn(json, place, Line{}.maxBytes);
    std::optional<ValueBounds> bounds = parseValueBounds(text);
    if (!bounds || !(bounds->low <= bounds->high)) {
        place.fail(shownJson(json) + ": expected values such as \"300\", \"-200:300 HU\" or \":0.5\"");
    }
    return bounds;
}

Written valueBoundsText(const std::optional<ValueBounds>& bounds) {
    return bounds ? Written(boundsText(*bounds)) : Written(nullptr);
}

bool isGrey(AttributeId attribute) noexcept { return attributeInfo(attribute).grey != Grey::none; }

void setGrey(FilterSpec& filter, std::string_view grey) {
    forEachCriterion(filter, [&](Criterion& criterion) {
        if (criterion.attribute == AttributeId::stability && grey == kLevels) {
            criterion.grey = kLevels; // the delta counts levels
        }
        if (!isGrey(criterion.attribute) || !criterion.grey.empty()) {
            return;
        }
        criterion.grey = grey;
        if (grey == kLevels && attributeInfo(criterion.attribute).integral) { // strict bounds of levels are integers
            const bool isAbove = WrittenBound::of(criterion.minimum).beyond > 0;
            const bool isBelow = WrittenBound::of(criterion.maximum).beyond < 0;
            criterion.minimum = isAbove ? std::floor(criterion.minimum) + 1 : criterion.minimum;
            criterion.maximum = isBelow ? std::ceil(criterion.maximum) - 1 : criterion.maximum;
        }
    });
}

void forgetLevels(FilterSpec& filter) {
    forEachCriterion(filter, [](Criterion& criterion) {
        if (criterion.grey == kLevels) {
            criterion.grey.clear();
        }
    });
}

bool takesValues(JsonMembers& members) {
    const Read* const grey = members.find(std::string(kGreyKey));
    if (grey != nullptr && *grey != kInValues) {
        members.at(std::string(kGreyKey)).fail(shownJson(*grey) + ": expected \"values\"");
    }
    return grey != nullptr;
}

void Neighbours::read(const Read& json, const JsonPlace& place, Connectivity& connectivity) const {
    const std::vector<int> known = inVolumes ? std::vector{4, 8, 6, 18, 26} : std::vector{4, 8};
    if (std::ranges::none_of(known, [&](int number) { return json == number; })) {
        place.fail(shownJson(json) + ": expected 4 or 8" + (inVolumes ? ", in a volume 6, 18 or 26" : ""));
    }
    connectivity = static_cast<Connectivity>(json.get<int>());
}

void Feature::read(const Read& json, const JsonPlace& place, ObjectFeature& feature) const {
    feature = namedIn(
                  objectFeatures(connectivity), [](const ObjectFeatureInfo& info) { return info.id; }, json, place)
                  .feature;
}

void Condition::read(const Read& json, const JsonPlace& place, std::string& condition) const {
    condition = lineIn(json, place, kMostConditionBytes);
    try {
        (void)ObjectCondition::parse(condition, objectFeatures(connectivity));
    } catch (const Error& error) {
        place.fail(error.what());
    }
}

void Labels::read(const Read& json, const JsonPlace& place, std::vector<std::uint32_t>& labels) const {
    labels = wholesIn(json, place, largest);
    if (labels.empty() || labels.front() == 0 || !isAscending(labels)) {
        place.fail("expected ascending numbers of objects from 1, each once");
    }
}

void readStarts(const Read& json, const JsonPlace& place, ContoursStep& step) {
    step.fromObjects = json == "objects";
    if (step.fromObjects) {
        return;
    }
    if (!json.is_array()) {
        place.fail(shownJson(json) + ": expected a list of shapes, or \"objects\"");
    }
    listOf(kShape, kMostShapes, false).read(json, place, step.starts);
}

Written startsOf(const ContoursStep& step) { return step.fromObjects ? "objects" : kShapes.write(step.starts); }

void requireText(const std::string& text, const Read& /*json*/, const JsonPlace& place) {
    if (text.empty()) {
        place.fail("is empty");
    }
}

void requireAxes(std::string& axes, const Read& /*json*/, const JsonPlace& place) {
    try {
        axes = parseAxisOrder(axes);
    } catch (const Error& error) {
        place.fail(error.what());
    }
}

void requireFileName(const std::string& name, const Read& json, const JsonPlace& place) {
    if (name.find_first_of("/\\:") != std::string::npos || name.starts_with('.')) {
        place.fail(shownJson(json) + ": expected the name of a file without a folder");
    }
}

void requireStatedSide(double side, const Read& json, const JsonPlace& place) {
    if (!isStatedSide(side)) {
        place.fail(shownJson(json) + ": expected a number from 1e-9 to 1e9");
    }
}

void requirePositive(double number, const Read& json, const JsonPlace& place) {
    if (!(number > 0)) {
        place.fail(shownJson(json) + ": expected a number above 0");
    }
}

void requireSize(double size, const Read& json, const JsonPlace& place) {
    if (!(size > 0 && size <= SizeRange::kMost)) {
        place.fail(shownJson(json) + ": expected a number above 0, at most 1e18");
    }
}

void requireStrictness(double strictness, const Read& json, const JsonPlace& place) {
    if (!(strictness > 0 && strictness < 1)) {
        place.fail(shownJson(json) + ": expected a number above 0 and below 1");
    }
}

void requireWeight(double weight, const Read& json, const JsonPlace& place) {
    if (!(std::abs(weight) <= BestWeights::kMost)) {
        place.fail(shownJson(json) + ": expected a number from -1000 to 1000");
    }
}

void requireNotNegative(double number, const Read& json, const JsonPlace& place) {
    if (!(number >= 0)) {
        place.fail(shownJson(json) + ": expected a number from 0 on");
    }
}

void requireShare(double number, const Read& json, const JsonPlace& place) {
    if (!(number >= 0 && number <= 1)) {
        place.fail(shownJson(json) + ": expected a number from 0 to 1");
    }
}

void requireLengthPrice(double price, const Read& json, const JsonPlace& place) {
    if (!(price >= 0 && price <= kMostLengthPrice)) {
        place.fail(shownJson(json) + ": expected a number from 0 to 1e9");
    }
}

void requirePowerOfTwo(std::uint32_t step, const Read& json, const JsonPlace& place) {
    if ((step & (step - 1)) != 0 && step != 0) {
        place.fail(shownJson(json) + ": expected 0 or a power of two");
    }
}

void requireOtherChannels(const std::vector<RecipeChannel>& channels, const Read& /*json*/, const JsonPlace& place) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const auto here = channels.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::ranges::find(channels.begin(), here, here->channel, &RecipeChannel::channel) != here) {
            place.at(i).at("channel").fail(shownJson(here->channel) + ": stands twice");
        }
    }
}

void requireWholeImage(const StoredMask& mask, const Read& /*json*/, const JsonPlace& place) {
    std::uint64_t filled = 0;
    for (const std::uint32_t run : mask.runs) {
        filled += run;
    }
    if (filled != std::uint64_t{mask.width} * mask.height) {
        place.at("runs").fail("they have " + std::to_string(filled) + " pixels, not those of the image");
    }
}

} // namespace pollard::json
