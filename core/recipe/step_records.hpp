#pragma once

#include "components/objects/channel_measures.hpp"
#include "components/objects/object_files.hpp"
#include "image/length_unit.hpp"
#include "io/metadata/length_units.hpp"
#include "recipe/recipe.hpp"
#include "json/json_record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The records of recipes, which sessions share. A field that is left out has its default.
namespace pollard::json {

inline constexpr std::size_t kMostShapes = 10'000;
inline constexpr std::size_t kMostCorners = 1'000'000;   ///< of a shape
inline constexpr std::size_t kMostNodes = 1U << 16U;     ///< of a contour
inline constexpr std::uint64_t kLongestStep = 1U << 20U; ///< px; also of an edge
inline constexpr std::size_t kMostNameBytes = 200;
inline constexpr std::size_t kMostDescriptionBytes = 2000;
inline constexpr std::size_t kMostConditionBytes = 10'000;
inline constexpr std::uint64_t kMostSize = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::string_view kByHand = "hand"; ///< a threshold set by hand

/// Versions of the step that reads. Each adds parameters: level, part, shrinking and layout; pixel size; channels by
/// name and derived channels; volumes; ranges of slices; ignored transparency; selection by axes; axes of the pages,
/// and scenes.
inline constexpr int kReducedRead = 2;
inline constexpr int kSizedRead = 3;
inline constexpr int kChannelRead = 4;
inline constexpr int kVolumeRead = 5;
inline constexpr int kSlicesRead = 6;
inline constexpr int kAlphaRead = 7;
inline constexpr int kSelectingRead = 8;
inline constexpr int kAxesRead = 9;

inline constexpr int kValuesObjects = 3;  ///< version of the step of objects with values
inline constexpr int kMeasureObjects = 4; ///< version of the step with measurements in channels, or a border in x and y
inline constexpr int kColumnsObjects = 5; ///< version of the step with a choice of columns
inline constexpr int kSplitObjects = 6;   ///< version of the step that splits objects that touch
inline constexpr int kRegionObjects = 7;  ///< version of the step with best components, a watershed or a hierarchy
inline constexpr int kLabelObjects = 8;   ///< version of the step with objects of a label file
inline constexpr std::size_t kMostColumns = 10'000;

inline constexpr int kRecipeOfChannels = 2; ///< version of a recipe with the filters of other channels
inline constexpr std::size_t kMostChannels = 1000;

/// Names of the steps, in the order of RecipeStep.
inline constexpr std::array<std::string_view, std::variant_size_v<RecipeStep>> kStepIds{
    "read", "region", "tree", "filter", "objects", "contour", "operator"};

// Fields with special forms.

[[nodiscard]] ChannelChoice channelIn(const Read& json, const JsonPlace& place);
/// {"channel": "DAPI", "z": "max", "t": 3}: per axis a text as in parseSelection(), or a number.
[[nodiscard]] std::optional<PageSelection> selectionIn(const Read& json, const JsonPlace& place);
[[nodiscard]] Written selectionJson(const std::optional<PageSelection>& selection);
[[nodiscard]] constexpr bool readsByPage(const ReadStep& step) noexcept { return !step.at.has_value(); }
inline constexpr const char* kSelectionStatesIt = "'at' states it";
/// "auto", "minmax", {"percentile": [0.01, 0.99]} or {"values": [-5, 300]}.
[[nodiscard]] MappingChoice rangeIn(const Read& json, const JsonPlace& place);
[[nodiscard]] Written rangeOf(const MappingChoice& choice);
/// x and y of each corner, alternating.
struct Corners {
    RegionShape::Kind kind;

    void read(const Read& json, const JsonPlace& place, std::vector<RegionPoint>& points) const;
    [[nodiscard]] Written write(const std::vector<RegionPoint>& points) const;
};
[[nodiscard]] std::vector<Criterion> criteriaIn(const Read& json, const JsonPlace& place);
[[nodiscard]] std::vector<std::string> criterionTexts(const std::vector<Criterion>& criteria);
/// A list of decision trees; each is a list of questions, see parseQuestion().
[[nodiscard]] Forest forestIn(const Read& json, const JsonPlace& place);
[[nodiscard]] Written forestJson(const Forest& forest);
[[nodiscard]] std::optional<ThresholdMethod> methodIn(const Read& json, const JsonPlace& place);
[[nodiscard]] std::string_view methodName(const std::optional<ThresholdMethod>& method);
/// The first and the last level.
struct LevelBounds {
    void read(const Read& json, const JsonPlace& place, LevelRange& levels) const;
    [[nodiscard]] Written write(const LevelRange& levels) const;
};
/// Values of objects as text, see parseValueBounds().
[[nodiscard]] std::optional<ValueBounds> valueBoundsIn(const Read& json, const JsonPlace& place);
[[nodiscard]] Written valueBoundsText(const std::optional<ValueBounds>& bounds);
struct Neighbours {
    bool inVolumes = false; ///< 6, 18 and 26, too

    void read(const Read& json, const JsonPlace& place, Connectivity& connectivity) const;
    [[nodiscard]] Written write(Connectivity connectivity) const { return static_cast<int>(connectivity); }
};
/// A feature of the objects that these neighbours form.
struct Feature {
    Connectivity connectivity = Connectivity::four;

    void read(const Read& json, const JsonPlace& place, ObjectFeature& feature) const;
    [[nodiscard]] Written write(ObjectFeature feature) const { return objectFeatureInfo(feature).id; }
};
/// An ObjectCondition on the objects that these neighbours form.
struct Condition {
    Connectivity connectivity = Connectivity::four;

    void read(const Read& json, const JsonPlace& place, std::string& condition) const;
};
/// Labels of objects, ascending.
struct Labels {
    std::uint64_t largest;

    void read(const Read& json, const JsonPlace& place, std::vector<std::uint32_t>& labels) const;
};
/// "objects" or a list of shapes.
void readStarts(const Read& json, const JsonPlace& place, ContoursStep& step);
[[nodiscard]] Written startsOf(const ContoursStep& step);

// Numbers of grey. In files with "grey": "values" they are values unless a number states levels; in other files they
// are levels.

inline constexpr std::string_view kGreyKey = "grey";
inline constexpr std::string_view kGreyUnitKey = "grey_unit";
inline constexpr std::string_view kInValues = "values";

[[nodiscard]] bool isGrey(AttributeId attribute) noexcept;
/// Gives bounds of grey without a unit the unit @p grey: kLevels, or a unit of values.
void setGrey(FilterSpec& filter, std::string_view grey);
/// Removes the unit of bounds in levels, for a file without values.
void forgetLevels(FilterSpec& filter);
/// Whether the file states values. @throws Error(invalidArgument) for another text
[[nodiscard]] bool takesValues(JsonMembers& members);

// Conditions.

void requireText(const std::string& text, const Read& json, const JsonPlace& place);
void requireAxes(std::string& axes, const Read& json, const JsonPlace& place);
void requireFileName(const std::string& name, const Read& json, const JsonPlace& place);
void requireStatedSide(double side, const Read& json, const JsonPlace& place);
void requirePositive(double number, const Read& json, const JsonPlace& place);
void requireSize(double size, const Read& json, const JsonPlace& place);
void requireStrictness(double strictness, const Read& json, const JsonPlace& place);
void requireWeight(double weight, const Read& json, const JsonPlace& place);
void requireNotNegative(double number, const Read& json, const JsonPlace& place);
void requireShare(double number, const Read& json, const JsonPlace& place);
void requireLengthPrice(double price, const Read& json, const JsonPlace& place);
void requirePowerOfTwo(std::uint32_t step, const Read& json, const JsonPlace& place);
void requireOtherChannels(const std::vector<RecipeChannel>& channels, const Read& json, const JsonPlace& place);
void requireWholeImage(const StoredMask& mask, const Read& json, const JsonPlace& place);
/// A list in which each value occurs once.
template <class Value>
void requireDistinct(const std::vector<Value>& values, const Read& json, const JsonPlace& place) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto here = values.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(values.begin(), here, *here) != here) {
            place.at(i).fail(shownJson(json[i]) + ": stands twice");
        }
    }
}

inline bool hasShape(const OperatorSpec& spec) noexcept { return takesShape(spec.kind); }
inline bool hasSigma(const OperatorSpec& spec) noexcept { return takesSigma(spec.kind); }
inline bool hasHeight(const OperatorSpec& spec) noexcept { return takesHeight(spec.kind); }
inline bool hasTree(const OperatorSpec& spec) noexcept { return takesConnectivity(spec.kind); }
inline bool hasMarker(const OperatorSpec& spec) noexcept { return takesMarker(spec.kind); }

// Kinds.

inline constexpr Whole kSide{1, kMostSize};
inline constexpr Whole kCount{1, kMost};
inline constexpr WholeList kPixels{Image::kMaxPixels - 1}; ///< canonical pixels of components
inline constexpr auto kStatedSide = checked(Number{}, requireStatedSide);
inline constexpr auto kLengthNames =
    named(std::array{LengthUnit::nanometre, LengthUnit::micrometre, LengthUnit::millimetre, LengthUnit::centimetre,
                     LengthUnit::metre, LengthUnit::kilometre},
          [](LengthUnit unit) { return unitName(unit, Dimension::length); });
inline constexpr auto kAxes = checked(Line{}, requireAxes); ///< of parseAxisOrder()
template <class Files> constexpr auto filesOf(const Files& files) {
    return checked(listOf(named(files), files.size()), requireDistinct<typename Files::value_type>);
}

// Records.

inline constexpr auto kPart = record<PixelRegion>(
    field("x", &PixelRegion::x, Whole{0, kMostSize}), field("y", &PixelRegion::y, Whole{0, kMostSize}),
    field("width", &PixelRegion::width, kSide), field("height", &PixelRegion::height, kSide));

inline constexpr auto kSlices = record<SliceRange>(field("first", &SliceRange::first, Whole{0, kMostSize}),
                                                   field("count", &SliceRange::count, kSide));

inline constexpr auto kRaw = record<RawLayout>(
    field("width", &RawLayout::width, kSide), field("height", &RawLayout::height, kSide),
    field("type", &RawLayout::type, names("u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64")),
    field("big_endian", &RawLayout::bigEndian, Flag{}), field("samples", &RawLayout::samples, kCount).optional(),
    field("offset", &RawLayout::offset, Whole{0, std::numeric_limits<std::int64_t>::max()}),
    field("pages", &RawLayout::pages, kCount).optional());

inline constexpr auto kPixelSize =
    checked(record<PixelSize>(field("x", &PixelSize::x, kStatedSide), field("y", &PixelSize::y, kStatedSide),
                              field("z", &PixelSize::z, kStatedSide).omitted(),
                              field("unit", &PixelSize::unit, named(kStatedUnits, std::identity{}))),
            [](PixelSize& size, const Read& /*json*/, const JsonPlace& /*place*/) { size.source = kSetByHand; });

inline constexpr auto kRead = record<ReadStep>(
    field("at", &ReadStep::at, custom(selectionIn, selectionJson)).omitted().since(kSelectingRead),
    field("page", &ReadStep::page, Whole{}).optional().onlyIf(readsByPage, kSelectionStatesIt),
    field("channel", &ReadStep::channel, custom(channelIn, std::mem_fn(&ChannelChoice::text)))
        .optional()
        .onlyIf(readsByPage, kSelectionStatesIt),
    field("range", &ReadStep::range, custom(rangeIn, rangeOf)).optional(),
    field("level", &ReadStep::level, Whole{}).optional().since(kReducedRead),
    field("part", &ReadStep::region, optionalOf(kPart)).omitted().since(kReducedRead),
    field("shrink", &ReadStep::shrink, kCount).optional().since(kReducedRead),
    field("raw", &ReadStep::raw, optionalOf(kRaw)).omitted().since(kReducedRead),
    field("pixel_size", &ReadStep::pixelSize, optionalOf(kPixelSize)).omitted().since(kSizedRead),
    field("volume", &ReadStep::volume, Flag{}).omitted().since(kVolumeRead).onlyIf(readsByPage, kSelectionStatesIt),
    field("slices", &ReadStep::slices, optionalOf(kSlices))
        .omitted()
        .since(kSlicesRead)
        .onlyIf(readsByPage, kSelectionStatesIt),
    field("ignore_alpha", &ReadStep::ignoreAlpha, Flag{}).omitted().since(kAlphaRead),
    field("axes", &ReadStep::axes, kAxes).omitted().since(kAxesRead));

inline constexpr auto kShape =
    record<RegionShape>(field("kind", &RegionShape::kind, names("rectangle", "ellipse", "polygon")),
                        field("points", &RegionShape::points,
                              dependent(Corners{}, [](const RegionShape& shape) { return Corners{shape.kind}; })));
inline constexpr auto kShapes = listOf(kShape, kMostShapes);

inline constexpr auto kRegion = record<RegionStep>(field("shapes", &RegionStep::shapes, kShapes).optional(),
                                                   field("inverted", &RegionStep::inverted, Flag{}).optional());

inline constexpr auto kTree =
    record<TreeStep>(field("kind", &TreeStep::kind, names("max", "min")).optional(),
                     field("connectivity", &TreeStep::connectivity, Neighbours{true}).optional());

inline constexpr auto kProminent = record<Prominent>(field("measure", &Prominent::measure, named(kAllProminences)),
                                                     field("count", &Prominent::count, kSide));

inline constexpr auto kFilterSpec = record<FilterSpec>(
    field("criteria", &FilterSpec::criteria, custom(criteriaIn, criterionTexts)).optional(),
    field("match", &FilterSpec::match, named(kAllMatches)).optional(),
    field("rule", &FilterSpec::rule, named(kAllRules)).optional(),
    field("output", &FilterSpec::output, named(kAllOutputs)).optional(),
    field("forest", &FilterSpec::forest, custom(forestIn, forestJson)).omitted(),
    field("prominent", &FilterSpec::prominent, optionalOf(kProminent)).omitted(),
    field("removed", &FilterSpec::removed, kPixels).omitted(), field("kept", &FilterSpec::kept, kPixels).omitted(),
    field("only", &FilterSpec::only, kPixels).omitted());
inline constexpr auto kFilter = record<FilterStep>(part(&FilterStep::filter, kFilterSpec));

inline constexpr auto kObjectSplit =
    record<ObjectSplit>(field("by", &ObjectSplit::by, named(kAllSplits)),
                        field("strength", &ObjectSplit::strength, checked(Number{}, requireShare)).optional());
/// Switches of objects, which recipes and sessions have.
inline constexpr auto kObjectSwitches = record<ObjectSwitches>(
    field("fill_holes", &ObjectSwitches::fillHoles, Flag{}).omitted().since(2),
    field("no_border", &ObjectSwitches::withoutBorder, Flag{}).omitted().since(2),
    field("border_xy", &ObjectSwitches::borderXy, Flag{}).omitted(),
    field("split", &ObjectSwitches::split, optionalOf(kObjectSplit)).omitted().since(kSplitObjects));
inline constexpr auto kAboveBackground = record<BackgroundThreshold>(
    field("sigmas", &BackgroundThreshold::sigmas, checked(Number{}, requirePositive)),
    field("box", &BackgroundThreshold::box, Whole{BackgroundThreshold::kLeastBox, BackgroundThreshold::kMostBox}));
inline constexpr std::size_t kMostMarks = 10'000;
inline constexpr auto kBestMark = record<BestMark>(
    field("x", &BestMark::x, Whole{0, kMostSize}), field("y", &BestMark::y, Whole{0, kMostSize}),
    field("object", &BestMark::isObject, Flag{}), field("z", &BestMark::z, Whole{0, kMostSize}).omitted());
inline constexpr auto kWeight = checked(Number{}, requireWeight);
inline constexpr auto kBestWeightsRecord = record<BestWeights>(
    field("contrast", &BestWeights::contrast, kWeight).omitted(),
    field("border", &BestWeights::border, kWeight).omitted(),
    field("relative", &BestWeights::relative, kWeight).omitted(),
    field("misfit", &BestWeights::misfit, kWeight).omitted(), field("area", &BestWeights::area, kWeight).omitted(),
    field("small", &BestWeights::small, kWeight).omitted(), field("large", &BestWeights::large, kWeight).omitted(),
    field("constant", &BestWeights::constant, kWeight).omitted());
inline constexpr auto kBestRule =
    record<BestRule>(field("size", &BestRule::size, optionalOf(checked(Number{}, requireSize))).omitted(),
                     field("unit", &BestRule::unit, kLengthNames).omitted(),
                     field("strictness", &BestRule::strictness, checked(Number{}, requireStrictness)).optional(),
                     field("marks", &BestRule::marks, listOf(kBestMark, kMostMarks)).omitted(),
                     field("weights", &BestRule::weights, kBestWeightsRecord).omitted());
inline constexpr auto kWatershedRule =
    record<WatershedRule>(field("relief", &WatershedRule::relief, named(kAllReliefs)).optional(),
                          field("seeds", &WatershedRule::by, named(kAllSeedMeasures)).optional(),
                          field("least", &WatershedRule::least, checked(Number{}, requireNotNegative)).optional(),
                          field("seeds_of", &WatershedRule::seedsOf, optionalOf(named(kAllReliefs))).omitted(),
                          field("lines", &WatershedRule::lines, Flag{}).omitted(),
                          field("everywhere", &WatershedRule::everywhere, Flag{}).omitted());
inline constexpr auto kSizeRange =
    record<SizeRange>(field("least", &SizeRange::least, checked(Number{}, requireNotNegative)).omitted(),
                      field("most", &SizeRange::most, checked(Number{}, requireSize)).omitted(),
                      field("unit", &SizeRange::unit, kLengthNames).omitted());
inline constexpr auto kHierarchyRule = record<HierarchyRule>(
    field("by", &HierarchyRule::strength, named(kAllStrengths)).optional(),
    field("weight", &HierarchyRule::weight, named(kAllEdgeWeights)).optional(),
    field("regions", &HierarchyRule::regions, optionalOf(kSide)).omitted(),
    field("above", &HierarchyRule::above, checked(Number{}, requireNotNegative))
        .optional()
        .onlyIf([](const HierarchyRule& rule) { return !rule.regions; }, "'regions' states the boundaries"),
    field("sizes", &HierarchyRule::sizes, kSizeRange).omitted());
/// Ways to find objects that are no components of a threshold, which recipes and sessions have.
inline constexpr auto kRegionRules = record<ObjectRule>(
    field("best", &ObjectRule::best, optionalOf(kBestRule)).omitted().since(kRegionObjects),
    field("watershed", &ObjectRule::watershed, optionalOf(kWatershedRule)).omitted().since(kRegionObjects),
    field("hierarchy", &ObjectRule::hierarchy, optionalOf(kHierarchyRule)).omitted().since(kRegionObjects),
    field("labels", &ObjectRule::labels, optionalOf(checked(Line{}, requireText))).omitted().since(kLabelObjects));
inline constexpr auto kObjectRule = record<ObjectRule>(
    field("threshold", &ObjectRule::method, custom(methodIn, methodName)).optional(),
    field("dark", &ObjectRule::dark, Flag{})
        .optional()
        .onlyIf([](const ObjectRule& rule) { return rule.method || rule.best || rule.watershed; },
                "levels by hand say it themselves")
        .late(),
    field("values", &ObjectRule::values, custom(valueBoundsIn, valueBoundsText))
        .omitted()
        .since(kValuesObjects)
        .onlyIf([](const ObjectRule& rule) { return !rule.method; },
                R"(the method finds them; they are for "threshold": "hand")"),
    field("levels", &ObjectRule::levels, LevelBounds{})
        .onlyIf([](const ObjectRule& rule) { return !rule.method && !rule.values; },
                R"(the method or the values find them; they are for "threshold": "hand")"),
    field("above_background", &ObjectRule::above, optionalOf(kAboveBackground)).omitted().since(kValuesObjects),
    kRegionRules, field("connectivity", &ObjectRule::connectivity, Neighbours{true}).optional(), kObjectSwitches);

/// The channel whose objects are counted in each object.
inline constexpr auto kCounted =
    record<CountedChannel>(field("channel", &CountedChannel::channel, checked(Line{}, requireText)),
                           field("from", &CountedChannel::from, optionalOf(Number{})).omitted());
/// Channels in which objects are measured.
inline constexpr auto kMeasure = record<MeasureChoice>(
    field("channels", &MeasureChoice::channels, listOf(checked(Line{}, requireText), 10'000)).omitted(),
    field("all", &MeasureChoice::all, Flag{}).omitted(), field("pairs", &MeasureChoice::pairs, Flag{}).omitted(),
    field("ring", &MeasureChoice::ring, Whole{0, ChannelMeasuresSpec::kMostRing}).omitted(),
    field("counted", &MeasureChoice::counted, optionalOf(kCounted)).omitted());

inline constexpr auto kObjects = record<ObjectsStep>(
    field("of", &ObjectsStep::of, names("result", "original")).optional(), part(&ObjectsStep::rule, kObjectRule),
    field("condition", &ObjectsStep::condition,
          dependent(Condition{}, [](const ObjectsStep& step) { return Condition{step.rule.connectivity}; }))
        .optional(),
    field("condition_in_levels", &ObjectsStep::conditionInLevels, Flag{}).omitted().since(kValuesObjects),
    field("measure", &ObjectsStep::measure, optionalOf(kMeasure)).omitted().since(kMeasureObjects),
    field("side", &ObjectsStep::side, checked(Number{}, requirePositive))
        .optional()
        .onlyIf([](const ObjectsStep& step) { return step.unit == LengthUnit::pixel; }),
    field("unit", &ObjectsStep::unit, kLengthNames).omitted(),
    field("order", &ObjectsStep::order,
          dependent(Feature{}, [](const ObjectsStep& step) { return Feature{step.rule.connectivity}; }))
        .optional(),
    field("descending", &ObjectsStep::descending, Flag{}).optional(),
    field("count", &ObjectsStep::count, Whole{1, Image::kMaxPixels}).optional().onlyIf([](const ObjectsStep& step) {
        return !step.removed.empty();
    }),
    field("removed", &ObjectsStep::removed,
          dependent(Labels{Image::kMaxPixels}, [](const ObjectsStep& step) { return Labels{step.count}; }))
        .omitted(),
    field("files", &ObjectsStep::files, filesOf(kObjectFiles)).optional(),
    field("columns", &ObjectsStep::columns,
          checked(listOf(checked(Line{}, requireText), kMostColumns), requireDistinct<std::string>))
        .omitted()
        .since(kColumnsObjects),
    field("geojson_in", &ObjectsStep::geojsonIn, named(kGeoJsonIn)).omitted().since(2));

inline constexpr auto kSnake = record<SnakeSpec>(
    field("law", &SnakeSpec::law, named(kRegionLaws)).optional(),
    field("moves", &SnakeSpec::moves, named(kSnakeMoves)).optional(),
    field("max_step", &SnakeSpec::maxStep, checked(Whole{0, kLongestStep}, requirePowerOfTwo)).optional(),
    field("min_length", &SnakeSpec::minLength, Whole{2, kLongestStep}).optional(),
    field("min_pixels", &SnakeSpec::minPixels, kCount).optional(),
    field("max_nodes", &SnakeSpec::maxNodes, Whole{3, kMostNodes}).optional(),
    field("max_rounds", &SnakeSpec::maxRounds, Whole{}).optional(),
    field("length_price", &SnakeSpec::lengthPrice, checked(Number{}, requireLengthPrice)).omitted());

inline constexpr auto kMask =
    checked(record<StoredMask>(field("width", &StoredMask::width, kCount), field("height", &StoredMask::height, kCount),
                               field("runs", &StoredMask::runs, WholeList{Image::kMaxPixels})),
            requireWholeImage);

inline constexpr auto kContour = record<ContoursStep>(
    field("of", &ContoursStep::of, names("result", "original")).optional(),
    field("starts", std::identity{}, custom(readStarts, startsOf)), part(&ContoursStep::spec, kSnake),
    field("apart", &ContoursStep::apart, optionalOf(Whole{})).omitted(),
    field("forbidden", &ContoursStep::forbidden, kShapes).omitted(),
    field("forbidden_pixels", &ContoursStep::forbiddenPixels, optionalOf(kMask)).omitted(),
    field("files", &ContoursStep::files, filesOf(kContourFiles)).optional(),
    field("geojson_in", &ContoursStep::geojsonIn, named(kGeoJsonIn)).omitted().since(2));

inline constexpr auto kOperatorSpec = record<OperatorSpec>(
    field("operator", &OperatorSpec::kind, named(kOperators)),
    field("shape", &OperatorSpec::shape, named(kOperatorShapes))
        .optional()
        .onlyIf(hasShape, "the operator has no shape"),
    field("radius", &OperatorSpec::radius, checked(Number{}, requireNotNegative))
        .onlyIf(hasShape, "the operator has no shape"),
    field("sigma", &OperatorSpec::sigma, checked(Number{}, requireNotNegative)).onlyIf(hasSigma, "is of gaussian"),
    field("height", &OperatorSpec::height, checked(Number{}, requireNotNegative))
        .onlyIf(hasHeight, "is of h-maxima and h-minima"),
    field("marker", &OperatorSpec::marker, checked(Line{}, requireText)).onlyIf(hasMarker, "is of reconstructions"),
    field("marker_channel", &OperatorSpec::markerChannel, custom(channelIn, std::mem_fn(&ChannelChoice::text)))
        .omitted()
        .onlyIf(hasMarker, "is of reconstructions"),
    field("grey_marker", &OperatorSpec::greyMarker, Flag{}).omitted().onlyIf(hasMarker, "is of reconstructions"),
    field("unit", &OperatorSpec::unit, kLengthNames).omitted(),
    field("connectivity", &OperatorSpec::connectivity, Neighbours{true})
        .optional()
        .onlyIf(hasTree, "the operator has no tree"));
inline constexpr auto kOperator = record<OperatorStep>(part(&OperatorStep::spec, kOperatorSpec));

inline constexpr auto kChannel =
    record<RecipeChannel>(field("channel", &RecipeChannel::channel, checked(Line{}, requireText)),
                          field("filter", &RecipeChannel::filter, kFilterSpec));

/// A recipe without its steps.
inline constexpr auto kRecipe =
    record<Recipe>(field("name", &Recipe::name, checked(Line{kMostNameBytes}, requireText)),
                   field("description", &Recipe::description, Line{kMostDescriptionBytes}).optional(),
                   field("sample", &Recipe::sample, checked(Line{kMostNameBytes}, requireFileName)).omitted(),
                   field("channels", &Recipe::channels, checked(listOf(kChannel, kMostChannels), requireOtherChannels))
                       .omitted()
                       .since(kRecipeOfChannels));

constexpr const auto& recordOf(const ReadStep& /*step*/) { return kRead; }
constexpr const auto& recordOf(const RegionStep& /*step*/) { return kRegion; }
constexpr const auto& recordOf(const TreeStep& /*step*/) { return kTree; }
constexpr const auto& recordOf(const FilterStep& /*step*/) { return kFilter; }
constexpr const auto& recordOf(const ObjectsStep& /*step*/) { return kObjects; }
constexpr const auto& recordOf(const ContoursStep& /*step*/) { return kContour; }
constexpr const auto& recordOf(const OperatorStep& /*step*/) { return kOperator; }

} // namespace pollard::json
