// Session files: written sessions read back as equal, and any other content ends in one clear error.
#include "session/file_fingerprint.hpp"
#include "session/session.hpp"

#include "base/error.hpp"
#include "io/metadata/length_units.hpp"
#include "support/affordable.hpp"
#include "support/json_schema.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace pollard {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Random;

std::string problemOf(const std::string& text) {
    try {
        (void)parseSession(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        return error.what();
    }
    return "no error";
}

/// Anything that a window could have.
class RandomSession {
public:
    explicit RandomSession(unsigned seed) : random_(seed) {}

    SavedSession make() {
        SavedSession session;
        session.image = {below(2) == 0 ? "" : "../größer/\"a\".tif", "/pictures/größer/\"a\".tif", random_(),
                         "fnv1a64:0123456789abcdef", readStep()};
        for (int i = below(4); i > 0; --i) {
            session.earlier.push_back(stage());
        }
        session.region = region();
        session.tree = tree();
        session.filter = filter();
        for (int i = std::max(0, below(6) - 3); i > 0; --i) {
            session.channels.emplace(i == 1 ? "0" : "nd(1,0)", filter());
        }
        session.selected = ascending();
        for (int i = below(3); i > 0; --i) {
            session.selections.push_back({"name " + std::to_string(i), ascending()});
        }
        session.objects.of = flag() ? StepImage::result : StepImage::original;
        ObjectRule& rule = session.objects.rule;
        rule.method.reset();
        if (flag()) {
            rule.method = kThresholdMethods[static_cast<std::size_t>(below(4))];
        }
        rule.dark = flag();
        rule.connectivity = flag() ? Connectivity::four : Connectivity::eight;
        rule.levels = {3, static_cast<std::uint16_t>(3 + below(60000))};
        session.removed = {100, {1, 7, 100}};
        session.truth = flag() ? std::optional(SessionTruth{"{stem}_truth.tif", below(5) / 4.}) : std::nullopt;
        rule.fillHoles = flag();
        rule.withoutBorder = flag();
        rule.borderXy = flag();
        if (flag()) {
            rule.split = ObjectSplit{kAllSplits[static_cast<std::size_t>(below(2))], below(5) / 4.};
        }
        if (flag() && !rule.split) {
            rule.fillHoles = false;
            rule.hierarchy =
                HierarchyRule{kAllStrengths[static_cast<std::size_t>(below(4))], EdgeWeight::maximum, below(9) / 4.};
            rule.hierarchy->sizes.least = below(9) / 4.;
        } else if (flag() && !rule.split) {
            rule.watershed =
                WatershedRule{Relief::gradient, kAllSeedMeasures[static_cast<std::size_t>(below(4))], below(9) / 4.};
        } else if (flag() && !rule.split) {
            rule.fillHoles = false;
            rule.labels = "{stem}_labels.tif";
        }
        MeasureChoice& channels = session.objects.channels;
        channels.all = flag();
        channels.channels = flag() ? std::vector<std::string>{"DAPI", "a b"} : std::vector<std::string>();
        channels.pairs = flag();
        channels.ring = static_cast<std::uint32_t>(below(1000));
        if (channels.ring % 2 == 0) {
            channels.counted = CountedChannel{"RFP", channels.ring % 4 == 0 ? std::optional(0.5) : std::nullopt};
        }
        for (int i = below(3); i > 0; --i) {
            session.objects.classes.push_back(
                {"class " + std::to_string(i), static_cast<std::uint32_t>(below(0x1000000)), "area > 5"});
        }
        session.contours = contours();
        session.view = view();
        for (int i = below(3); i > 0; --i) {
            SessionLayer layer{"channel " + std::to_string(i), flag(), "#00ff00", flag() ? "viridis" : "", {}, {}, 0.5};
            if (flag()) {
                layer.low = number();
                layer.high = number();
            }
            session.composite.push_back(layer);
        }
        session.cutOut = flag();
        session.image.projection = flag() ? std::optional(Projection::mean) : std::nullopt;
        session.image.at = flag() ? std::optional(parseSelection("channel=GFP,z=max:1..4,t=2")) : std::nullopt;
        session.image.axes = flag() ? "t3z5c2" : "";
        session.docks = below(2) == 0 ? "" : "AAAA/w==";
        return session;
    }

private:
    int below(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }
    bool flag() { return below(2) == 0; }
    double number() { return std::ldexp(below(2'000'000) - 1'000'000, below(60) - 30); }
    template <class Values> auto oneOf(const Values& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }
    std::vector<std::uint32_t> ascending() {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t next = 0; below(8) != 0;) {
            next += static_cast<std::uint32_t>(below(1000));
            numbers.push_back(next++);
        }
        return numbers;
    }
    RegionStep region() {
        RegionStep region;
        region.inverted = flag();
        for (int i = below(3); i > 0; --i) {
            region.shapes.push_back({RegionShape::Kind::ellipse, {{number(), number()}, {number(), number()}}});
        }
        return region;
    }
    TreeStep tree() {
        return {flag() ? TreeKind::max : TreeKind::min, flag() ? Connectivity::four : Connectivity::eight};
    }
    LengthUnit unitOf(AttributeId id) {
        const Dimension dimension = attributeInfo(id).dimension;
        const LengthUnit unit = dimension == Dimension::none || flag() ? LengthUnit::pixel : oneOf(kLengthUnits);
        return unit == LengthUnit::hectare && dimension == Dimension::length ? LengthUnit::metre : unit;
    }
    FilterStage stage() {
        FilterStage stage{region(), flag(), tree(), {}, flag()};
        for (int i = below(3); i > 0; --i) {
            const AttributeId id = oneOf(allAttributes()).id;
            stage.filter.criteria.push_back({id, double(below(100)), 100.0 + below(100), unitOf(id)});
        }
        stage.filter.match = oneOf(kAllMatches);
        stage.filter.rule = oneOf(kAllRules);
        stage.filter.output = flag() ? Output::filtered : Output::residue;
        if (flag()) {
            stage.filter.prominent = Prominent{oneOf(kAllProminences), 1 + static_cast<std::uint32_t>(below(500))};
        }
        stage.filter.removed = ascending();
        stage.filter.only = ascending();
        return stage;
    }
    ReadStep readStep() {
        ReadStep read;
        read.page = below(9);
        read.level = below(2);
        read.shrink = 1 + below(3);
        if (flag()) {
            read.region = PixelRegion{1, 2, 3, 4};
        }
        if (read.page % 3 == 1) {
            read.pixelSize = PixelSize{0.325, 0.25 * read.page, "mm", std::string(kSetByHand)};
        }
        return read;
    }
    FilterSettings filter() {
        FilterSettings filter;
        filter.enabled = flag();
        filter.criteria.entries.clear();
        const auto all = allAttributes();
        for (int i = 1 + below(3); i > 0; --i) {
            CriterionEntry criterion;
            criterion.attribute = oneOf(all).id;
            for (int bound = below(3); bound > 0; --bound) {
                const AttributeId id = oneOf(all).id;
                auto& bounds = criterion.chosen[id];
                bounds.unit = unitOf(id);
                bounds.cubed = attributeInfo(id).dimension == Dimension::area && bounds.unit != LengthUnit::pixel &&
                               bounds.unit != LengthUnit::hectare && flag();
                bounds.minimum = flag() ? std::nullopt : std::optional(number());
                bounds.maximum = flag() ? std::nullopt : std::optional(number());
            }
            criterion.enabled = flag();
            filter.criteria.entries.push_back(criterion);
        }
        filter.criteria.current = below(static_cast<int>(filter.criteria.entries.size()));
        filter.criteria.match = oneOf(kAllMatches);
        filter.prominentOnly = flag();
        filter.prominent = {oneOf(kAllProminences), 1 + static_cast<std::uint32_t>(below(500))};
        filter.rule = oneOf(kAllRules);
        filter.output = oneOf(kAllOutputs);
        for (int i = below(4); i > 0; --i) {
            filter.picks.push_back(
                {static_cast<std::uint32_t>(below(9999)), static_cast<FilterPick::PickEffect>(below(3))});
        }
        return filter;
    }
    Contour contour() {
        Contour contour;
        for (int i = 3 + below(4); i > 0; --i) {
            contour.push_back({below(500), below(500)});
        }
        return contour;
    }
    SnakeSpec snake() {
        SnakeSpec spec;
        spec.law = oneOf(kRegionLaws);
        spec.moves = oneOf(kSnakeMoves);
        spec.maxStep = 1U << below(5);
        spec.minLength = static_cast<std::uint32_t>(2 + below(40));
        spec.lengthPrice = flag() ? 0 : below(1000) / 8.0;
        return spec;
    }
    SessionContours contours() {
        SessionContours contours;
        contours.spec = snake();
        contours.engine.isWhole = flag();
        contours.engine.algorithm = flag() ? "" : "rows";
        contours.engine.apart = flag() ? std::nullopt : std::optional(static_cast<std::uint32_t>(below(500)));
        contours.masks = {{4, 2, {0, 3, 5}}, {1, 1, {1}}};
        contours.forbidden = flag() ? std::nullopt : std::optional(1U);
        for (int i = below(4); i > 0; --i) {
            SessionRun run;
            run.page = below(3);
            run.id = 1 + below(9);
            run.parent = below(3);
            run.parentState = below(9);
            run.origin = "Rectangle 1";
            run.spec = snake();
            run.engine.apart = flag() ? std::nullopt : std::optional(static_cast<std::uint32_t>(below(500)));
            run.forbidden = flag() ? std::nullopt : std::optional(0U);
            for (int c = 1 + below(3); c > 0; --c) {
                run.starts.push_back(contour());
                run.last.push_back(contour());
            }
            run.states = 1 + static_cast<std::uint32_t>(below(1000));
            run.shown = run.states - 1;
            run.contour = static_cast<std::uint32_t>(run.starts.size() - 1);
            run.finished = flag();
            run.compared = flag();
            contours.runs.push_back(run);
        }
        contours.current = below(4);
        return contours;
    }
    SessionView view() {
        SessionView view;
        view.window = "fixed";
        view.low = number();
        view.high = number();
        view.gamma = 0.1 + std::abs(number());
        view.split = 0.25;
        view.fitting = flag();
        view.zoom = 0.1 + std::abs(number());
        view.centreX = number();
        view.inverted = flag();
        return view;
    }

    std::mt19937 random_;
};

TEST(Session, ReadsBackWhatItWroteByteForByte) {
    RandomSession random(1);
    for (int i = 0; i < testing::repeats(2000); ++i) {
        const SavedSession session = random.make();
        const std::string text = toJson(session);
        const SavedSession again = parseSession(text);
        ASSERT_EQ(again, session) << text;
        ASSERT_EQ(toJson(again), text);
    }
    const SavedSession plain = [] {
        SavedSession session;
        session.image.absolute = "/a.tif";
        return session;
    }();
    EXPECT_EQ(parseSession(toJson(plain)), plain);
    EXPECT_EQ(toJson(plain).find("channels"), std::string::npos);
    EXPECT_EQ(toJson(plain).find("fill_holes"), std::string::npos) << "as programs before these choices wrote it";
    EXPECT_EQ(toJson(plain).find("no_border"), std::string::npos);
}

TEST(Session, IsWrittenAsTheSchemaSays) {
    const testing::JsonSchema schema("session");
    RandomSession random(2);
    for (int i = 0; i < 60; ++i) {
        const std::string text = toJson(random.make());
        ASSERT_EQ(schema.problemOf(text), "") << text;
    }
}

/// A session that is right but for one place.
std::string with(const std::string& from, const std::string& to) {
    SavedSession session = RandomSession(4).make();
    session.earlier.clear();
    session.channels.clear();
    session.composite.clear();
    session.cutOut = false;
    session.image.relative = "a.tif";
    session.image.absolute = "/pictures/a.tif";
    session.image.read.pixelSize.reset();
    session.contours.runs.clear();
    SessionRun run;
    run.starts = run.last = {{{1, 1}, {5, 1}, {5, 5}}};
    session.contours.runs = {run};
    session.contours.masks = {{4, 2, {0, 3, 5}}};
    session.contours.forbidden.reset();
    session.contours.spec = {};
    session.tree = {};
    session.filter = {};
    session.view = {};
    session.region.shapes.clear();
    session.objects.rule.connectivity = Connectivity::eight;
    std::string text = toJson(session);
    EXPECT_EQ(problemOf(text), "no error");
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from << " in\n" << text;
    return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

TEST(Session, StatesHowAVolumeIsSeen) {
    SavedSession session;
    session.image.absolute = "/data/head.nii";
    session.image.read.volume = true;
    session.view.slice = 7;
    session.view.volume = SessionVolume{{"shaded", "ctBone", {-150.5, 0, 300, 0.25}, 0.5, false}, 0.3, 0.7, "xz"};
    const std::string text = toJson(session);
    EXPECT_EQ(parseSession(text).view, session.view);
    const auto problemAfter = [&text](const std::string& from, const std::string& to) {
        const std::size_t place = text.find(from);
        EXPECT_NE(place, std::string::npos) << from;
        return problemOf(std::string(text).replace(place, from.size(), to));
    };
    EXPECT_THAT(problemAfter("\"shaded\"", "\"fog\""), HasSubstr("view: volume: rendering"));
    EXPECT_THAT(problemAfter("[-150.5,", "[1, -150.5,"), HasSubstr("opacities in turn"));
    const SessionRendering& rendering = *session.view.volume;
    EXPECT_EQ(
        toJson(rendering),
        R"({"rendering":"shaded","preset":"ctBone","curve":[-150.5,0.0,300.0,0.25],"opacity":0.5,"shading":false})");
    EXPECT_EQ(parseRendering(toJson(rendering)), rendering);
    EXPECT_EQ(parseRendering(toJson(SessionRendering())), SessionRendering());
    EXPECT_THROW((void)parseRendering(R"({"rendering":"fog","opacity":0.5,"shading":true})"), Error);
    session.view.volume.reset();
    EXPECT_EQ(parseSession(toJson(session)).view, session.view);
}

struct Damage {
    std::string from;
    std::string to;
    std::string place; ///< that the message names
    std::string why;
};

TEST(Session, NamesPlaceAndValueOfWhatIsWrong) {
    const std::vector<Damage> damages{
        {R"("pollard_session": 1)", R"("pollard_session": 6)", "pollard_session",
         "6: this program reads version 1 to 5"},
        {R"("shrink")", R"("pixel_size": {"x": 1, "y": 1, "unit": "m"}, "shrink")", "image: read",
         "\"pixel_size\": unknown"},
        {R"("pollard_session": 1)", R"("pollard_session": 2)", "session", "earlier"},
        {R"("pollard_session": 1)", R"("pollard_session": 1, "earlier": [])", "session", "\"earlier\": unknown"},
        {R"("pollard_session": 1)", R"("pollard_session": 1, "channels": [])", "session", "\"channels\": unknown"},
        {R"("pollard_session": 1)", R"("pollard_session": "1")", "pollard_session", "\"1\": this program"},
        {R"("pollard_session": 1)", R"("pollard_session": 1, "more": 2)", "session", "\"more\": unknown"},
        {R"("enabled": true)", R"("enabled": 1)", "enabled", "1: expected true or false"},
        {R"("rule": "direct")", R"("rule": "direkt")", "filter: rule", "\"direkt\": unknown (there are direct"},
        {R"("rule": "direct")", R"("rule": {})", "filter: rule", "expected a text"},
        {R"("current": 0,)", R"("current": 1,)", "filter: current", "1: expected a whole number from 0 to 0"},
        {R"("count": 20)", R"("count": 1e300)", "prominent: count", "expected a whole number"},
        {R"("count": 20)", R"("count": 99999999999999999999999)", "prominent: count", "expected a whole number"},
        {R"("states": 1,)", R"("states": 0,)", "runs[0]: states", "0: expected"},
        {R"("states": 1,)", R"("states": 4294967296,)", "runs[0]: states", "4294967296"},
        {R"("shown": 0,)", R"("shown": 1,)", "runs[0]: shown", "1: expected"},
        {R"("max_nodes": 4096)", R"("max_nodes": 4294967295)", "spec: max_nodes", "4294967295: expected"},
        {R"("min_length": 8)", R"("min_length": 0)", "spec: min_length", "expected a whole number from 2"},
        {R"("max_step": 0)", R"("max_step": 3)", "spec: max_step", "power of two"},
        {R"("forbidden": null,)", R"("forbidden": 7,)", "contours: forbidden", "7: expected"},
        {R"("width": 4)", R"("width": 2147483647)", "masks[0]: runs", "not those of the image"},
        {R"("runs": [0,3,5])", R"("runs": [0,3,4294967295])", "masks[0]: runs", "they have 4294967298 pixels"},
        {R"([1,1,5,1,5,5])", R"([1,1,5,1])", "starts[0]", "three nodes"},
        {R"([1,1,5,1,5,5])", R"([1,1,5,1,5,-5])", "starts[0][5]", "-5: expected a whole number"},
        {R"("relative": "a.tif")", R"("relative": "/etc/passwd")", "image: relative", "from the folder"},
        {R"("relative": "a.tif")", R"("relative": "a/../../../etc/passwd")", "image: relative", "from the folder"},
        {R"("relative": "a.tif")", R"("relative": "..")", "image: relative", "from the folder"},
        {R"("relative": "a.tif")", R"("relative": "./a.tif")", "image: relative", "from the folder"},
        {R"("relative": "a.tif")", R"("relative": "C:/a.tif")", "image: relative", "from the folder"},
        {R"("relative": "a.tif")", R"("relative": "a\u0000.tif")", "image: relative", "control characters"},
        {R"("absolute": "/pictures/a.tif")", R"("absolute": "pictures/a.tif")", "image: absolute", "absolute path"},
        {R"("absolute": "/pictures/a.tif")", R"("absolute": "/pictures/../a.tif")", "image: absolute", "absolute"},
        {R"("absolute": "/pictures/a.tif")", R"("absolute": "/../a.tif")", "image: absolute", "absolute path"},
        {R"("absolute": "/pictures/a.tif")", R"("absolute": "//server/a.tif")", "image: absolute", "absolute path"},
        {R"("absolute": "/pictures/a.tif")", R"("absolute": 7)", "image: absolute", "expected a text"},
        {R"("zoom": 1.0)", R"("zoom": 0)", "view: zoom", "above 0"},
        {R"("zoom": 1.0)", R"("zoom": -1e999)", "session", "no JSON"},
        {R"("centre": [0.0,0.0])", R"("centre": [0.0])", "view: centre", "two numbers"},
        {R"("removed": [1,7,100])", R"("removed": [7,1])", "objects: removed", "ascending"},
        {R"("removed": [1,7,100])", R"("removed": [0,1])", "objects: removed", "numbered from 1"},
        {R"("removed": [1,7,100])", R"("removed": [101])", "objects: removed[0]", "101: expected"},
        {R"("connectivity": 8)", R"("connectivity": 7)", "objects: connectivity", "7: expected 4 or 8"},
        {R"("attribute": "area")", R"("attribute": "areas")", "criteria[0]: attribute", "unknown attribute"},
        {R"("bounds": {})", R"("bounds": {"area": [1]})", "bounds: area", "smallest and the largest"},
        {R"("docks": ")", R"("docks": 1, "dock": ")", "docks", "1: expected a text"},
    };
    for (const Damage& damage : damages) {
        EXPECT_THAT(problemOf(with(damage.from, damage.to)),
                    AllOf(HasSubstr("session: "), HasSubstr(damage.place), HasSubstr(damage.why), Not(HasSubstr("\n"))))
            << damage.from << " -> " << damage.to;
    }
    for (const std::string text : {"", "[]", "{}", "\xff", "{\"pollard_session\": 1", "null"}) {
        EXPECT_THAT(problemOf(text), AllOf(HasSubstr("session: "), Not(HasSubstr("\n")))) << text;
    }
    EXPECT_THAT(problemOf(std::string(100'000, '[')), HasSubstr("deep"));
    EXPECT_THAT(problemOf(with("\"docks\": \"", "\"docks\": \"" + std::string(100'000, 'A'))), HasSubstr("at most"));
}

TEST(Session, OfAnotherKindIsNothingForTheSchemaEither) {
    const testing::JsonSchema schema("session");
    EXPECT_EQ(schema.problemOf(with("\"rule\"", "\"rule\"")), "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {R"("pollard_session": 1)", R"("pollard_session": 2)"},
             {R"("shrink")", R"("pixel_size": {"x": 1, "y": 1, "unit": "m"}, "shrink")"},
             {R"("pollard_session": 1)", R"("pollard_session": 1, "more": 2)"},
             {R"("rule": "direct")", R"("rule": "direkt")"},
             {R"("enabled": true)", R"("enabled": 1)"},
             {R"("count": 20)", R"("count": 0)"},
             {R"([1,1,5,1,5,5])", R"([1,1,5,1])"},
             {R"("absolute": "/pictures/a.tif")", R"("absolute": "pictures/a.tif")"},
             {R"("zoom": 1.0)", R"("zoom": 0)"},
             {R"("forbidden": null)", R"("forbidden": -1)"},
             {R"("docks": ")", R"("dock": ")"}}) {
        EXPECT_NE(schema.problemOf(with(from, to)), "") << to;
    }
}

TEST(Session, OfVersionThreeHasAPixelSizeWithOrWithoutEarlierFilters) {
    const testing::JsonSchema schema("session");
    SavedSession session;
    session.image.absolute = "/a.tif";
    session.image.read.pixelSize = PixelSize{0.325, 0.65, "µm", std::string(kSetByHand)};
    for (const int filters : {0, 1}) {
        session.earlier.resize(static_cast<std::size_t>(filters));
        const std::string text = toJson(session);
        EXPECT_THAT(text, HasSubstr("\"pollard_session\": 3"));
        EXPECT_EQ(parseSession(text), session);
        EXPECT_EQ(schema.problemOf(text), "");
        std::string older = text;
        older.replace(older.find("_session\": 3"), 12, "_session\": " + std::to_string(1 + filters));
        EXPECT_THAT(problemOf(older), HasSubstr("\"pixel_size\": unknown"));
        EXPECT_NE(schema.problemOf(older), "");
    }
}

TEST(Session, OfVersionTwoHasEarlierFiltersAndTheFirstHasNone) {
    const testing::JsonSchema schema("session");
    SavedSession session;
    session.image.absolute = "/a.tif";
    EXPECT_THAT(toJson(session), AllOf(HasSubstr("\"pollard_session\": 1"), Not(HasSubstr("earlier"))));
    session.earlier.push_back({});
    session.earlier.front().filter.criteria.push_back({AttributeId::area, 3, 9});
    const std::string text = toJson(session);
    EXPECT_THAT(text, HasSubstr("\"pollard_session\": 2"));
    EXPECT_EQ(parseSession(text), session);
    const auto without = [&text](const std::string& from, const std::string& to) {
        std::string other = text;
        const std::size_t place = other.find(from);
        EXPECT_NE(place, std::string::npos) << from << " in\n" << text;
        return other.replace(place, from.size(), to);
    };
    const std::vector<Damage> damages{
        {R"("pollard_session": 2)", R"("pollard_session": 1)", "session", "\"earlier\": unknown"},
        {R"("on": true)", R"("on": 1)", "earlier[0]: on", "1: expected true or false"},
        {R"("region_on": true,)", "", "earlier[0]", "region_on"},
        {R"("kind": "max")", R"("kind": "mix")", "earlier[0]: tree: kind", "unknown"},
        {R"("3<=area<=9")", R"("area<=>9")", "earlier[0]: filter: criteria[0]", "area<=>9"},
        {R"("output": "filtered")", R"("output": "labels")", "earlier[0]: filter: output", "numbers of objects"},
    };
    for (const Damage& damage : damages) {
        const std::string damaged = without(damage.from, damage.to);
        EXPECT_THAT(problemOf(damaged), AllOf(HasSubstr(damage.place), HasSubstr(damage.why))) << damage.to;
        if (damage.place.find("criteria") == std::string::npos) { // the schema accepts any text as a criterion
            EXPECT_NE(schema.problemOf(damaged), "") << damage.to;
        }
    }
    session.earlier.resize(101);
    EXPECT_THAT(problemOf(toJson(session)), HasSubstr("earlier"));
    EXPECT_NE(schema.problemOf(toJson(session)), "");
}

TEST(Session, HasBoundsOfGreyInValuesAndSaysSo) {
    const testing::JsonSchema schema("session");
    SavedSession session;
    session.image.absolute = "/a.tif";
    CriterionEntry& criterion = session.filter.criteria.entries.front();
    criterion.chosen[AttributeId::height] = {20, std::nullopt, LengthUnit::pixel, std::string(kLevels)};
    session.earlier.push_back({});
    session.earlier.front().filter.criteria = {parseCriterion("level>=7levels"), parseCriterion("area>=3")};
    const std::string levels = toJson(session);
    EXPECT_THAT(levels, AllOf(Not(HasSubstr("\"grey\":")), Not(HasSubstr("units")), HasSubstr("\"level>=7\"")))
        << "as sessions were before values";
    EXPECT_EQ(parseSession(levels), session);
    EXPECT_EQ(schema.problemOf(levels), "");

    criterion.chosen[AttributeId::height].grey = "HU";
    const std::string both = toJson(session);
    EXPECT_THAT(
        both, AllOf(HasSubstr(R"("grey": "values")"), HasSubstr(R"("height": "HU")"), HasSubstr("\"level>=7levels\"")));
    EXPECT_EQ(parseSession(both), session);
    EXPECT_EQ(schema.problemOf(both), "");

    session.objects.rule.method.reset();
    session.objects.rule.values = ValueBounds{-200, 300, "HU"};
    const std::string objects = toJson(session);
    EXPECT_THAT(objects, HasSubstr(R"("values": "-200:300 HU")"));
    EXPECT_EQ(parseSession(objects), session);
    EXPECT_EQ(schema.problemOf(objects), "");
}

TEST(Session, HasConditionsOfClassesInValuesAndSaysSo) {
    SavedSession session = RandomSession(1).make();
    session.filter = {};
    session.channels.clear();
    session.earlier.clear();
    session.objects.rule.values.reset();
    session.objects.classes = {{"small", 1, "area < 5"}, {"long", 2, "slices > 3"}};
    EXPECT_THAT(toJson(session), Not(HasSubstr("\"grey\": \"values\""))) << "no grey";
    EXPECT_FALSE(parseSession(toJson(session)).classesInLevels);
    for (const char* condition : {"grey_mean > 300", "grey_max > 300 && slices > 3"}) {
        session.objects.classes.back().condition = condition;
        const std::string text = toJson(session);
        EXPECT_THAT(text, HasSubstr("\"grey\": \"values\"")) << condition;
        EXPECT_EQ(parseSession(text), session) << condition;
        SavedSession old = session;
        old.classesInLevels = true;
        EXPECT_THAT(toJson(old), Not(HasSubstr("\"grey\": \"values\""))) << condition;
        EXPECT_EQ(parseSession(toJson(old)), old) << condition;
    }
}

TEST(Session, OfVersionThreeHasUnitsOfBounds) {
    const testing::JsonSchema schema("session");
    SavedSession session;
    session.image.absolute = "/a.tif";
    CriterionEntry& criterion = session.filter.criteria.entries.front();
    criterion.chosen[AttributeId::area] = {15, std::nullopt};
    EXPECT_THAT(toJson(session), AllOf(HasSubstr("\"pollard_session\": 1"), Not(HasSubstr("units"))));
    criterion.chosen[AttributeId::area].unit = LengthUnit::micrometre;
    criterion.chosen[AttributeId::width] = {std::nullopt, 3};
    const std::string text = toJson(session);
    EXPECT_THAT(text, AllOf(HasSubstr("\"pollard_session\": 3"), HasSubstr(R"("area": "um2")")));
    EXPECT_EQ(parseSession(text), session);
    EXPECT_EQ(schema.problemOf(text), "");
    const auto with = [&text](const std::string& to) {
        std::string other = text;
        const std::string from = R"("area": "um2")";
        return other.replace(other.find(from), from.size(), to);
    };
    EXPECT_THAT(problemOf(with(R"("area": "um")")), AllOf(HasSubstr("units: area"), HasSubstr("um2 or ha")));
    EXPECT_THAT(problemOf(with(R"("area": "um2x")")), HasSubstr("units: area"));
    EXPECT_THAT(problemOf(with(R"("area": 3)")), HasSubstr("units: area"));
    EXPECT_THAT(problemOf(with(R"("mean": "um")")), HasSubstr("no bounds of this attribute"));
    EXPECT_THAT(problemOf(with(R"("size": "um")")), HasSubstr("unknown attribute"));
    EXPECT_NE(schema.problemOf(with(R"("area": "parsec")")), "");
    criterion.chosen[AttributeId::area].unit = LengthUnit::pixel;
    session.earlier.push_back({});
    session.earlier.front().filter.criteria.push_back({AttributeId::area, 3, 9, LengthUnit::hectare});
    EXPECT_THAT(toJson(session), AllOf(HasSubstr("\"pollard_session\": 3"), HasSubstr("3ha<=area<=9ha")));
    EXPECT_EQ(parseSession(toJson(session)), session);
}

TEST(Session, GoesUpFromItsFolderOnlyAtTheStartOfAPath) {
    EXPECT_EQ(problemOf(with(R"("relative": "a.tif")", R"("relative": "../../pictures/a.tif")")), "no error");
    EXPECT_EQ(problemOf(with(R"("relative": "a.tif")", R"("relative": "")")), "no error");
    EXPECT_EQ(problemOf(with(R"("absolute": "/pictures/a.tif")", R"("absolute": "C:/pictures/a..b.tif")")), "no error");
}

TEST(Session, SurvivesAnyByteThatChanges) {
    const std::string text = toJson(RandomSession(9).make());
    Random random(2);
    int refused = 0;
    for (int i = 0; i < testing::repeats(3000); ++i) {
        std::string changed = text;
        for (unsigned count = 1 + random() % 3; count > 0; --count) {
            changed[random() % changed.size()] = static_cast<char>(random() % 256);
        }
        try {
            const SavedSession session = parseSession(changed);
            ASSERT_EQ(parseSession(toJson(session)), session);
        } catch (const Error& error) {
            ++refused;
            ASSERT_EQ(error.code(), ErrorCode::invalidArgument);
            ASSERT_THAT(error.what(), Not(HasSubstr("\n")));
        }
    }
    EXPECT_GT(refused, 0);
}

TEST(SessionMask, HoldsAnyMask) {
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        Mask mask(1 + random() % 150, 1 + random() % 9, false);
        const unsigned density = random() % 5;
        for (std::uint32_t y = 0; y < mask.height(); ++y) {
            for (std::uint32_t x = 0; x < mask.width(); ++x) {
                mask.set(x, y, random() % 4 < density);
            }
        }
        const SessionMask stored = SessionMask::of(mask);
        ASSERT_EQ(stored.mask(), mask);
        for (std::size_t run = 1; run < stored.runs.size(); ++run) {
            ASSERT_GT(stored.runs[run], 0U);
        }
    }
    EXPECT_THROW((void)(SessionMask{4, 2, {1}}.mask()), Error);
}

class SessionFile : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    test::TempDir folder_;
};

TEST_F(SessionFile, SaveLoadSaveIsByteForByteTheSame) {
    RandomSession random(5);
    for (int i = 0; i < 20; ++i) {
        saveSession(random.make(), folder_ / "a.pollard");
        saveSession(loadSession(folder_ / "a.pollard"), folder_ / "b.pollard");
        const auto bytes = [this](const char* name) {
            std::ifstream file(folder_ / name, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(file), {});
        };
        ASSERT_EQ(bytes("a.pollard"), bytes("b.pollard"));
    }
}

TEST_F(SessionFile, OfTodayIsReadAndWrittenTheSameForEver) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(POLLARD_SOURCE_DIR "/tests/fuzz/sessions")) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        EXPECT_EQ(toJson(loadSession(entry.path())), text) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 5);
}

TEST_F(SessionFile, IsNamedInErrors) {
    const auto problem = [](const std::filesystem::path& path) -> std::pair<ErrorCode, std::string> {
        try {
            (void)loadSession(path);
        } catch (const Error& error) {
            return {error.code(), error.what()};
        }
        return {ErrorCode::invalidArgument, "no error"};
    };
    const std::filesystem::path path = folder_ / "a.pollard";
    EXPECT_EQ(problem(path).first, ErrorCode::fileNotFound);
    EXPECT_EQ(problem(folder_.path()).first, ErrorCode::fileUnreadable);
    write("a.pollard", "{}");
    EXPECT_THAT(problem(path).second, AllOf(HasSubstr(path.string()), HasSubstr("'pollard_session' is missing")));
    EXPECT_THROW(saveSession({}, folder_ / "no such folder" / "a.pollard"), Error);
}

TEST_F(SessionFile, LooksForItsImageWhereverItMayBe) {
    SessionImage image;
    setPlace(image, "/data/pictures/a.tif", "/data/work/s.pollard");
    EXPECT_EQ(image.relative, "../pictures/a.tif");
    EXPECT_EQ(image.absolute, "/data/pictures/a.tif");
    EXPECT_THAT(placesOf(image, "/data/work/s.pollard"), ElementsAre("/data/pictures/a.tif", "/data/work/a.tif"));
    EXPECT_THAT(placesOf(image, "/moved/work/s.pollard"),
                ElementsAre("/moved/pictures/a.tif", "/data/pictures/a.tif", "/moved/work/a.tif"));
}

TEST_F(SessionFile, FingerprintTellsFilesApartAndFollowsTheirContent) {
    write("empty", "");
    EXPECT_EQ(hashText(fingerprintOf(folder_ / "empty")), "fnv1a64:cbf29ce484222325");
    write("a", "a"); // the published value of FNV-1a for this text, as the next
    EXPECT_EQ(hashText(fingerprintOf(folder_ / "a")), "fnv1a64:af63dc4c8601ec8c");
    write("b", "foobar");
    EXPECT_EQ(hashText(fingerprintOf(folder_ / "b")), "fnv1a64:85944171f73967e8");
    EXPECT_EQ(fingerprintOf(folder_ / "b").bytes, 6U);
    EXPECT_THROW((void)fingerprintOf(folder_.path()), Error);
    EXPECT_THROW((void)fingerprintOf(folder_ / "none"), Error);
    EXPECT_THROW((void)fingerprintOf("/dev/zero"), Error);
}

TEST_F(SessionFile, FingerprintOfALargeFileLooksAtThreePlaces) {
    const std::filesystem::path path = folder_ / "large";
    write("large", "");
    const std::uint64_t bytes = kWholeFingerprint + 12345;
    std::filesystem::resize_file(path, bytes); // sparse
    const FileFingerprint before = fingerprintOf(path);
    EXPECT_EQ(before.bytes, bytes);
    for (const std::uint64_t place :
         {std::uint64_t{0}, kFingerprintPart - 1, bytes / 2, bytes - kFingerprintPart, bytes - 1}) {
        {
            std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(static_cast<std::streamoff>(place));
            file.put('x');
        }
        EXPECT_NE(fingerprintOf(path).hash, before.hash) << place;
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(place));
        file.put('\0');
    }
    EXPECT_EQ(fingerprintOf(path), before);
}

} // namespace
} // namespace pollard
