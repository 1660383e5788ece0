#pragma once

#include "components/objects/channel_measures.hpp"
#include "components/objects/object_classes.hpp"
#include "io/volumes/projection.hpp"
#include "recipe/step_records.hpp"
#include "session/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The records of a session. No field may be missing, except for parameters of read, region, tree and filter.
namespace pollard::json {

inline constexpr int kStagedVersion = 2;  ///< with earlier filters
inline constexpr int kSizedVersion = 3;   ///< with a pixel size or units of bounds, with or without earlier filters
inline constexpr int kChannelVersion = 4; ///< in addition, filters of other channels or a composite
inline constexpr int kVersion = 5;        ///< in addition, volumes
inline constexpr std::size_t kMaxPathBytes = 4096;
inline constexpr std::size_t kMaxStages = 100;
inline constexpr std::size_t kMaxCriteria = 1000;
inline constexpr std::size_t kMaxPicks = 1'000'000;
inline constexpr std::size_t kMaxSelections = 10'000;
inline constexpr std::size_t kMaxChannels = 1000;
inline constexpr std::size_t kMaxRuns = 10'000;
inline constexpr std::size_t kMaxContours = 256;
inline constexpr std::size_t kMaxDocksBytes = std::size_t{64} << 10U;
inline constexpr std::uint64_t kMostId = 1'000'000'000;

// Fields with special forms.

using Bounds = std::map<AttributeId, ChosenBounds>;

[[nodiscard]] AttributeId attributeIn(const Read& json, const JsonPlace& place);
[[nodiscard]] std::string_view attributeName(AttributeId attribute);
/// Two numbers or null by attribute.
[[nodiscard]] Bounds boundsIn(const Read& json, const JsonPlace& place);
[[nodiscard]] Written boundsOf(const Bounds& bounds);
/// Units of some of the bounds, by attribute: {"area": "um2"}.
void readUnits(const Read& json, const JsonPlace& place, Bounds& bounds);
[[nodiscard]] Written unitsOf(const Bounds& bounds);
[[nodiscard]] bool hasUnits(const CriterionEntry& criterion);
[[nodiscard]] std::optional<ThresholdMethod> sessionMethodIn(const Read& json, const JsonPlace& place);
[[nodiscard]] std::uint32_t colourIn(const Read& json, const JsonPlace& place);
/// Ascending numbers, each once.
struct AscendingList {
    std::uint64_t largest;

    void read(const Read& json, const JsonPlace& place, std::vector<std::uint32_t>& numbers) const;
};
/// x and y of each node, alternating.
struct Nodes {
    void read(const Read& json, const JsonPlace& place, Contour& contour) const;
    [[nodiscard]] Written write(const Contour& contour) const;
};
struct MaskIndex {
    std::size_t masks;

    void read(const Read& json, const JsonPlace& place, std::uint32_t& index) const;
};
/// Two numbers.
struct Pair {
    double SessionView::*first;
    double SessionView::*second;

    void read(const Read& json, const JsonPlace& place, SessionView& view) const;
    [[nodiscard]] Written write(const SessionView& view) const { return {view.*first, view.*second}; }
};

// Conditions.

void requireRelative(const std::string& path, const Read& json, const JsonPlace& place);
void requireAbsolute(const std::string& path, const Read& json, const JsonPlace& place);
void requireLabels(const std::vector<std::uint32_t>& labels, const Read& json, const JsonPlace& place);
constexpr auto labelsUpTo(std::uint64_t largest) { return checked(AscendingList{largest}, requireLabels); }

// Records.

inline constexpr std::array kProjections{Projection::maximum, Projection::minimum, Projection::mean,
                                         Projection::sharpest};

constexpr auto imageRecord(int version) {
    return record<SessionImage>(
        field("relative", &SessionImage::relative, checked(Line{kMaxPathBytes}, requireRelative)),
        field("absolute", &SessionImage::absolute, checked(Line{kMaxPathBytes}, requireAbsolute)),
        field("bytes", &SessionImage::bytes, Whole{0, std::numeric_limits<std::int64_t>::max()}),
        field("hash", &SessionImage::hash, Line{}),
        field("read", &SessionImage::read,
              kRead.known(version < kSizedVersion ? kReducedRead
                          : version < kVersion    ? kSizedRead
                                                  : kAlphaRead)),
        field("projection", &SessionImage::projection, optionalOf(named(kProjections))).omitted(),
        field("at", &SessionImage::at, custom(selectionIn, selectionJson)).omitted(),
        field("axes", &SessionImage::axes, kAxes).omitted());
}

inline constexpr auto kCriterion = record<CriterionEntry>(
    field("attribute", &CriterionEntry::attribute, custom(attributeIn, attributeName)),
    field("bounds", &CriterionEntry::chosen, custom(boundsIn, boundsOf)),
    field("units", &CriterionEntry::chosen, custom(readUnits, unitsOf)).optional().onlyIf(hasUnits),
    field("enabled", &CriterionEntry::enabled, Flag{}));

inline constexpr auto kCriteria =
    record<CriterionList>(field("criteria", &CriterionList::entries, listOf(kCriterion, kMaxCriteria, false)),
                          field("current", &CriterionList::current,
                                dependent(Whole{},
                                          [](const CriterionList& criteria) {
                                              return Whole{0, criteria.entries.size() - 1};
                                          })),
                          field("match", &CriterionList::match, named(kAllMatches)));

inline constexpr auto kPick =
    record<FilterPick>(field("component", &FilterPick::canonical, Whole{0, Image::kMaxPixels - 1}),
                       field("fate", &FilterPick::effect, names("removed", "kept", "only")));

inline constexpr auto kFilterSettings = record<FilterSettings>(
    field("enabled", &FilterSettings::enabled, Flag{}), part(&FilterSettings::criteria, kCriteria),
    field("forest", &FilterSettings::forest, custom(forestIn, forestJson)).omitted(),
    field("prominent", std::identity{},
          record<FilterSettings>(field("only", &FilterSettings::prominentOnly, Flag{}),
                                 part(&FilterSettings::prominent, kProminent))),
    field("rule", &FilterSettings::rule, named(kAllRules)),
    field("output", &FilterSettings::output, named(kAllOutputs)),
    field("picks", &FilterSettings::picks, listOf(kPick, kMaxPicks)));

using NamedFilter = std::pair<std::string, FilterSettings>;
inline constexpr auto kNamedFilter = record<NamedFilter>(field("channel", &NamedFilter::first, Line{}),
                                                         field("filter", &NamedFilter::second, kFilterSettings));

inline constexpr auto kStage = record<FilterStage>(
    field("region", &FilterStage::region, kRegion), field("region_on", &FilterStage::regionOn, Flag{}),
    field("tree", &FilterStage::tree, kTree),
    field("filter", &FilterStage::filter,
          checked(kFilterSpec,
                  [](const FilterSpec& filter, const Read& /*json*/, const JsonPlace& place) {
                      if (filter.output == Output::labels) {
                          place.at("output").fail("\"labels\": they are numbers of objects and no image to work on");
                      }
                  })),
    field("on", &FilterStage::on, Flag{}),
    field("operation", &FilterStage::operation, optionalOf(kOperatorSpec)).omitted());

inline constexpr auto kSelection =
    record<SessionSelection>(field("name", &SessionSelection::name, Line{}),
                             field("components", &SessionSelection::components, AscendingList{Image::kMaxPixels - 1}));

inline constexpr auto kObjectClass = record<ObjectClass>(
    field("name", &ObjectClass::name, Line{}), field("colour", &ObjectClass::colour, custom(colourIn, colourText)),
    field("condition", &ObjectClass::condition, Line{}),
    field("members", &ObjectClass::members, AscendingList{Image::kMaxPixels}).omitted());

inline constexpr auto kRemoval =
    record<SessionRemoval>(field("count", &SessionRemoval::count, Whole{0, Image::kMaxPixels}),
                           field("removed", &SessionRemoval::labels,
                                 dependent(labelsUpTo(Image::kMaxPixels),
                                           [](const SessionRemoval& removal) { return labelsUpTo(removal.count); })));

inline constexpr auto kTruth =
    record<SessionTruth>(field("file", &SessionTruth::file, checked(Line{}, requireText)),
                         field("overlap", &SessionTruth::overlap, checked(Number{}, requireShare)));

inline constexpr auto kObjectsLook =
    record<ObjectsLook>(field("opacity", &ObjectsLook::opacity, checked(Number{}, requireShare)),
                        field("outlines", &ObjectsLook::outlines, Flag{}),
                        field("drawing", &ObjectsLook::drawing, names("labels", "means", "boundaries")));

inline constexpr auto kMeasureChoice =
    record<MeasureChoice>(field("all_channels", &MeasureChoice::all, Flag{}).omitted(),
                          field("channels", &MeasureChoice::channels, listOf(Line{}, 10'000)).omitted(),
                          field("pairs", &MeasureChoice::pairs, Flag{}).omitted(),
                          field("ring", &MeasureChoice::ring, Whole{0, ChannelMeasuresSpec::kMostRing}).omitted(),
                          field("counted", &MeasureChoice::counted, optionalOf(kCounted)).omitted());

inline constexpr auto kLabelRuns =
    checked(record<LabelRuns>(field("width", &LabelRuns::width, kCount), field("height", &LabelRuns::height, kCount),
                              field("slices", &LabelRuns::slices, kCount).omitted(),
                              field("runs", &LabelRuns::runs, WholeList{Image::kMaxPixels})),
            [](const LabelRuns& labels, const Read& /*json*/, const JsonPlace& place) {
                if (!labels.areComplete()) {
                    place.at("runs").fail("they do not have the pixels of the image");
                }
            });

/// Settings of objects, their edits, the removed objects, and how objects are drawn.
inline constexpr auto kSessionObjects = record<SavedSession>(
    part(&SavedSession::objects,
         record<ObjectSettings>(
             field("picture", &ObjectSettings::of,
                   named(std::array{StepImage::original, StepImage::result},
                         [](StepImage of) { return of == StepImage::original ? "original" : "filtered"; })),
             part(&ObjectSettings::rule,
                  record<ObjectRule>(
                      field("threshold", &ObjectRule::method, custom(sessionMethodIn, methodName)),
                      field("dark", &ObjectRule::dark, Flag{}),
                      field("connectivity", &ObjectRule::connectivity, Neighbours{true}),
                      field("levels", &ObjectRule::levels, LevelBounds{}),
                      field("values", &ObjectRule::values, custom(valueBoundsIn, valueBoundsText)).omitted(),
                      field("above_background", &ObjectRule::above, optionalOf(kAboveBackground)).omitted(),
                      kRegionRules)))),
    field("edited", &SavedSession::edited, optionalOf(kLabelRuns)).omitted(), part(&SavedSession::removed, kRemoval),
    part(&SavedSession::objects,
         record<ObjectSettings>(
             part(&ObjectSettings::rule, kObjectSwitches), part(&ObjectSettings::channels, kMeasureChoice),
             field("classes", &ObjectSettings::classes, listOf(kObjectClass, ObjectClass::kMost)).omitted())),
    field("truth", &SavedSession::truth, optionalOf(kTruth)).omitted(),
    field("look", &SavedSession::objectsLook, kObjectsLook).omitted());

inline constexpr auto kContourChoice = record<ContourChoice>(
    field("spec", &ContourChoice::spec, kSnake.complete()),
    part(&ContourChoice::engine,
         record<ContourEngine>(field("whole", &ContourEngine::isWhole, Flag{}),
                               field("algorithm", &ContourEngine::algorithm, Line{}),
                               field("apart", &ContourEngine::apart, optionalOf(Whole{})).omitted())));

constexpr auto runRecord(std::size_t masks) {
    constexpr auto kContours = listOf(Nodes{}, kMaxContours, false);
    return record<SessionRun>(
        field("page", &SessionRun::page, Whole{}), field("id", &SessionRun::id, Whole{1, kMostId}),
        field("parent", &SessionRun::parent, Whole{0, kMostId}),
        field("parent_state", &SessionRun::parentState, Whole{}), field("origin", &SessionRun::origin, Line{}),
        kContourChoice, field("forbidden", &SessionRun::forbidden, orNull(MaskIndex{masks})),
        field("starts", &SessionRun::starts, kContours), field("states", &SessionRun::states, kCount),
        field("finished", &SessionRun::finished, Flag{}),
        field("last", &SessionRun::last,
              dependent(kContours,
                        [](const SessionRun& run) {
                            return checked(listOf(Nodes{}, kMaxContours),
                                           [count = run.starts.size()](const std::vector<Contour>& last,
                                                                       const Read& /*json*/, const JsonPlace& place) {
                                               if (last.size() != count) {
                                                   place.fail("expected as many contours as there are starts");
                                               }
                                           });
                        })),
        field("compared", &SessionRun::compared, Flag{}),
        field("shown", &SessionRun::shown,
              dependent(Whole{},
                        [](const SessionRun& run) {
                            return Whole{0, run.states - 1};
                        })),
        field("contour", &SessionRun::contour, dependent(Whole{}, [](const SessionRun& run) {
                  return Whole{0, run.starts.size() - 1};
              })));
}

inline constexpr auto kSessionContours = record<SessionContours>(
    kContourChoice,
    field("forbidden", &SessionContours::forbidden,
          dependent(orNull(MaskIndex{kMaxRuns}),
                    [](const SessionContours& contours) { return orNull(MaskIndex{contours.masks.size()}); }))
        .late(),
    field("masks", &SessionContours::masks, listOf(kMask, kMaxRuns)),
    field("runs", &SessionContours::runs,
          dependent(listOf(runRecord(kMaxRuns), kMaxRuns),
                    [](const SessionContours& contours) { return listOf(runRecord(contours.masks.size()), kMaxRuns); }))
        .late(),
    field("current", &SessionContours::current, Whole{}).late());

inline constexpr std::size_t kMostCurveNumbers = 64;

inline constexpr auto kRendering = record<SessionRendering>(
    field("rendering", &SessionRendering::rendering,
          checked(Line{},
                  [](const std::string& name, const Read& json, const JsonPlace& place) {
                      if (name != "maximum" && name != "minimum" && name != "shaded") {
                          place.fail(shownJson(json) + ": expected \"maximum\", \"minimum\" or \"shaded\"");
                      }
                  })),
    field("preset", &SessionRendering::preset, Line{}).omitted(),
    field("curve", &SessionRendering::curve,
          checked(listOf(Number{}, kMostCurveNumbers),
                  [](const std::vector<double>& numbers, const Read& /*json*/, const JsonPlace& place) {
                      if (numbers.size() % 2 != 0) {
                          place.fail("expected values and their opacities in turn");
                      }
                  }))
        .omitted(),
    field("opacity", &SessionRendering::opacity, Number{}), field("shading", &SessionRendering::shading, Flag{}));

inline constexpr auto kVolumeView = record<SessionVolume>(
    kRendering, field("across", &SessionVolume::across, Number{}), field("down", &SessionVolume::down, Number{}),
    field("enlarged", &SessionVolume::enlarged, Line{}).omitted());

inline constexpr auto kView = record<SessionView>(
    field("window", &SessionView::window, Line{}),
    field("range", std::identity{}, Pair{&SessionView::low, &SessionView::high}),
    field("in_values", &SessionView::inValues, Flag{}), field("max_level", &SessionView::maxLevel, Whole{}),
    field("curve", &SessionView::curve, Line{}), field("gamma", &SessionView::gamma, Number{}),
    field("map", &SessionView::map, Line{}), field("inverted", &SessionView::inverted, Flag{}),
    field("original", &SessionView::original, Flag{}), field("compare", &SessionView::compare, Line{}),
    field("split", &SessionView::split, Number{}), field("fitting", &SessionView::fitting, Flag{}),
    field("zoom", &SessionView::zoom,
          checked(Number{},
                  [](double zoom, const Read& /*json*/, const JsonPlace& place) {
                      if (!(zoom > 0)) {
                          place.fail("expected a number above 0");
                      }
                  })),
    field("centre", std::identity{}, Pair{&SessionView::centreX, &SessionView::centreY}),
    field("slice", &SessionView::slice, Whole{}).omitted().since(kVersion),
    field("volume", &SessionView::volume, optionalOf(kVolumeView)).omitted().since(kVersion));

inline constexpr auto kLayer = record<SessionLayer>(
    field("channel", &SessionLayer::channel, Line{}), field("visible", &SessionLayer::visible, Flag{}),
    field("colour", &SessionLayer::colour, Line{}), field("map", &SessionLayer::map, Line{}).omitted(),
    field("low", &SessionLayer::low, optionalOf(Number{})).omitted(),
    field("high", &SessionLayer::high, optionalOf(Number{})).omitted(), field("gamma", &SessionLayer::gamma, Number{}));

constexpr auto sessionRecord(int version) {
    const bool staged = version == kStagedVersion;
    return record<SavedSession>(field("image", &SavedSession::image, imageRecord(version)),
                                field("earlier", &SavedSession::earlier, listOf(kStage, kMaxStages, !staged))
                                    .since(kStagedVersion)
                                    .as(staged ? Presence::required : Presence::omitted),
                                field("region", &SavedSession::region, kRegion),
                                field("tree", &SavedSession::tree, kTree),
                                field("filter", &SavedSession::filter, kFilterSettings),
                                field("channels", &SavedSession::channels, listOf(kNamedFilter, kMaxChannels))
                                    .since(kChannelVersion)
                                    .omitted(),
                                field("selected", &SavedSession::selected, AscendingList{Image::kMaxPixels - 1}),
                                field("selections", &SavedSession::selections, listOf(kSelection, kMaxSelections)),
                                field("objects", std::identity{}, kSessionObjects),
                                field("contours", &SavedSession::contours, kSessionContours),
                                field("view", &SavedSession::view, kView.known(version)),
                                field("composite", &SavedSession::composite, listOf(kLayer, kMaxChannels))
                                    .since(kChannelVersion)
                                    .omitted(),
                                field("cut_out", &SavedSession::cutOut, Flag{}).since(kChannelVersion).omitted(),
                                field("docks", &SavedSession::docks, Line{kMaxDocksBytes}))
        .known(version);
}

} // namespace pollard::json
