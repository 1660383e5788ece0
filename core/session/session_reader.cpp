#include "session/session.hpp"

#include "recipe/step_json.hpp"
#include "session/session_limits.hpp"
#include "session/session_names.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr int kFirstVersion = 1;
constexpr int kStagedVersion = 2; ///< with earlier filters
constexpr int kVersion = 3;       ///< with a pixel size or units of bounds, with or without earlier filters
constexpr std::size_t kMaxPathBytes = 4096;
constexpr std::size_t kMaxNameBytes = 1000;
constexpr std::size_t kMaxStages = 100;
constexpr std::size_t kMaxCriteria = 1000;
constexpr std::size_t kMaxPicks = 1'000'000;
constexpr std::size_t kMaxSelections = 10'000;
constexpr std::size_t kMaxRuns = 10'000;
constexpr std::size_t kMaxContours = 256;
constexpr std::size_t kMaxDocksBytes = std::size_t{64} << 10U;
constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kMostId = 1'000'000'000;
constexpr const char* kKind = "session";

constexpr auto kNameOf = [](auto value) { return nameOf(value); };

/// Members of which none may be missing.
class Object {
public:
    Object(const Json& json, JsonPlace place) : members_(json, std::move(place)) {}

    [[nodiscard]] const Json& get(const char* key) { return members_.get(key); }
    [[nodiscard]] bool has(const char* key) { return members_.find(key) != nullptr; }
    [[nodiscard]] JsonPlace at(const char* key) const { return members_.at(key); }
    [[nodiscard]] bool flag(const char* key) { return flagIn(get(key), at(key)); }
    [[nodiscard]] std::string line(const char* key, std::size_t maxBytes = kMaxNameBytes) {
        return lineIn(get(key), at(key), maxBytes);
    }
    [[nodiscard]] double number(const char* key) { return numberIn(get(key), at(key)); }
    [[nodiscard]] std::uint64_t whole(const char* key, std::uint64_t smallest, std::uint64_t largest) {
        return wholeIn(get(key), at(key), smallest, largest);
    }
    [[nodiscard]] int count(const char* key, std::uint64_t smallest = 0) {
        return static_cast<int>(whole(key, smallest, kMost));
    }
    [[nodiscard]] std::uint32_t size(const char* key) { return static_cast<std::uint32_t>(whole(key, 0, kMost)); }
    template <class Values, class Name>
    [[nodiscard]] auto named(const Values& values, const Name& name, const char* key) {
        return namedIn(values, name, get(key), at(key));
    }
    /// A list whose members @p read makes of value and place.
    template <class Read> [[nodiscard]] auto list(const char* key, std::size_t maxCount, const Read& read) {
        const JsonPlace place = at(key);
        const Json& values = listIn(get(key), place, maxCount);
        std::vector<decltype(read(values, place))> all;
        all.reserve(values.size());
        for (const Json& value : values) {
            all.push_back(read(value, place.at(all.size())));
        }
        return all;
    }
    [[nodiscard]] std::pair<double, double> pair(const char* key) {
        const std::vector<double> numbers = list(key, 2, numberIn);
        if (numbers.size() != 2) {
            at(key).fail("expected two numbers");
        }
        return {numbers[0], numbers[1]};
    }
    /// Canonical pixels or labels: ascending, each once.
    [[nodiscard]] std::vector<std::uint32_t> ascending(const char* key, std::uint64_t largest) {
        std::vector<std::uint32_t> numbers = wholesIn(get(key), at(key), largest);
        if (std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) != numbers.end()) {
            at(key).fail("expected ascending numbers, each once");
        }
        return numbers;
    }
    void end() const { members_.requireNoOthers(); }
    [[nodiscard]] JsonMembers& members() noexcept { return members_; }

private:
    JsonMembers members_;
};

/// What @p read makes of a member that is an object.
template <class Read> auto membersOf(Object& object, const char* key, const Read& read) {
    Object inner(object.get(key), object.at(key));
    auto value = read(inner.members());
    inner.end();
    return value;
}

bool startsAsAbsolute(const std::string& path) {
    const bool drive =
        path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' && path[2] == '/';
    return drive || (path.starts_with('/') && !path.starts_with("//"));
}

/// Whether "." or ".." or nothing stands between two slashes, but for ".." at the start.
bool isNormal(const std::string& path) {
    bool atStart = true;
    for (std::size_t from = path.starts_with('/') ? 1 : 0; from <= path.size();) {
        const std::size_t to = std::min(path.find('/', from), path.size());
        const std::string part = path.substr(from, to - from);
        atStart = atStart && part == "..";
        if (part.empty() || part == "." || (part == ".." && !atStart)) {
            return false;
        }
        from = to + 1;
    }
    return !atStart;
}

SessionImage imageIn(const Json& json, const JsonPlace& place, int version) {
    Object object(json, place);
    SessionImage image;
    image.relative = object.line("relative", kMaxPathBytes);
    if (!image.relative.empty() && (startsAsAbsolute(image.relative) || !isNormal(image.relative))) {
        object.at("relative").fail(shownJson(image.relative) + ": expected a path from the folder of the session");
    }
    image.absolute = object.line("absolute", kMaxPathBytes);
    if (!startsAsAbsolute(image.absolute) || !isNormal(image.absolute) || image.absolute.starts_with("/../")) {
        object.at("absolute").fail(shownJson(image.absolute) + ": expected an absolute path");
    }
    image.bytes = object.whole("bytes", 0, std::numeric_limits<std::int64_t>::max());
    image.hash = object.line("hash");
    image.read = membersOf(object, "read", [version](JsonMembers& members) {
        return readStepIn(members, version < kVersion ? kReducedRead : kSizedRead);
    });
    object.end();
    return image;
}

AttributeId attributeNamed(const std::string& name, const JsonPlace& place) {
    const auto found = findAttribute(name);
    if (!found) {
        place.fail(shownJson(name) + ": unknown attribute");
    }
    return *found;
}

std::optional<double> boundIn(const Json& value, const JsonPlace& place) {
    return value.is_null() ? std::nullopt : std::optional(numberIn(value, place));
}

/// Units of some of the bounds, by attribute: {"area": "um2"}.
void takeUnits(Object& object, SessionCriterion& criterion) {
    const JsonPlace at = object.at("units");
    const Json& units = object.get("units");
    if (!units.is_object()) {
        at.fail(shownJson(units) + ": expected an object");
    }
    for (const auto& [name, value] : units.items()) {
        const JsonPlace here = at.at(name);
        const AttributeId attribute = attributeNamed(name, here);
        const auto bounds = criterion.bounds.find(attribute);
        if (bounds == criterion.bounds.end()) {
            here.fail("there are no bounds of this attribute");
        }
        const std::string text = textIn(value, here);
        const auto unit = unitAtStart(text);
        if (!unit || unit->bytes != text.size() || unit->dimension != attributeInfo(attribute).dimension) {
            here.fail(shownJson(value) + ": expected a unit of the attribute: um of a length, um2 or ha of an area");
        }
        bounds->second.unit = unit->unit;
    }
}

SessionCriterion criterionIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionCriterion criterion;
    criterion.attribute = attributeNamed(object.line("attribute"), object.at("attribute"));
    const JsonPlace at = object.at("bounds");
    const Json& bounds = object.get("bounds");
    if (!bounds.is_object()) {
        at.fail(shownJson(bounds) + ": expected an object");
    }
    for (const auto& [name, value] : bounds.items()) {
        const JsonPlace here = at.at(name);
        if (!value.is_array() || value.size() != 2) {
            here.fail(shownJson(value) + ": expected the smallest and the largest value, or null");
        }
        criterion.bounds[attributeNamed(name, here)] = {boundIn(value[0], here), boundIn(value[1], here)};
    }
    if (object.members().find("units") != nullptr) {
        takeUnits(object, criterion);
    }
    criterion.enabled = object.flag("enabled");
    object.end();
    return criterion;
}

SessionPick pickIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionPick pick;
    pick.canonical = static_cast<std::uint32_t>(object.whole("component", 0, Image::kMaxPixels - 1));
    pick.fate = object.named(kAllFates, fateName, "fate");
    object.end();
    return pick;
}

SessionFilter filterIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionFilter filter;
    filter.enabled = object.flag("enabled");
    filter.criteria = object.list("criteria", kMaxCriteria, criterionIn);
    if (filter.criteria.empty()) {
        object.at("criteria").fail("expected one at least");
    }
    filter.current = static_cast<std::uint32_t>(object.whole("current", 0, filter.criteria.size() - 1));
    filter.match = object.named(kAllMatches, kNameOf, "match");
    Object prominent(object.get("prominent"), object.at("prominent"));
    filter.prominentOnly = prominent.flag("only");
    filter.prominent.measure = prominent.named(kAllProminences, kNameOf, "measure");
    filter.prominent.count =
        static_cast<std::uint32_t>(prominent.whole("count", 1, std::numeric_limits<std::uint32_t>::max()));
    prominent.end();
    filter.rule = object.named(kAllRules, kNameOf, "rule");
    filter.output = object.named(kAllOutputs, kNameOf, "output");
    filter.picks = object.list("picks", kMaxPicks, pickIn);
    object.end();
    return filter;
}

FilterStage stageIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    FilterStage stage;
    stage.region = membersOf(object, "region", regionStepIn);
    stage.regionOn = object.flag("region_on");
    stage.tree = membersOf(object, "tree", treeStepIn);
    stage.filter = membersOf(object, "filter", filterStepIn).filter;
    if (stage.filter.output == Output::labels) {
        object.at("filter").at("output").fail("\"labels\": they are numbers of objects and no picture to work on");
    }
    stage.on = object.flag("on");
    object.end();
    return stage;
}

SessionSelection selectionIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionSelection selection;
    selection.name = object.line("name");
    selection.components = object.ascending("components", Image::kMaxPixels - 1);
    object.end();
    return selection;
}

SessionObjects objectsIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionObjects objects;
    constexpr std::array kPictures{false, true};
    objects.filtered = object.named(
        kPictures, [](bool filtered) { return filtered ? "filtered" : "original"; }, "picture");
    if (object.line("threshold") != kByHand) {
        objects.method = object.named(kThresholdMethods, kNameOf, "threshold");
    }
    objects.dark = object.flag("dark");
    (void)object.get("connectivity");
    objects.connectivity = connectivityIn(object.members(), objects.connectivity);
    const LevelRange levels = levelsIn(object.get("levels"), object.at("levels"));
    objects.low = levels.low;
    objects.high = levels.high;
    objects.count = object.whole("count", 0, Image::kMaxPixels);
    objects.removed = object.ascending("removed", objects.count);
    if (!objects.removed.empty() && objects.removed.front() == 0) {
        object.at("removed").fail("0: objects are numbered from 1");
    }
    const auto optionalFlag = [&object](const char* key) {
        const Json* const flag = object.members().find(key);
        return flag != nullptr && flagIn(*flag, object.at(key));
    };
    objects.fillHoles = optionalFlag("fill_holes");
    objects.withoutBorder = optionalFlag("no_border");
    object.end();
    return objects;
}

SnakeSpec snakeIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    for (const char* key : kSnakeKeys) {
        (void)object.get(key);
    }
    const SnakeSpec spec = snakeSpecIn(object.members());
    object.end();
    return spec;
}

Contour contourIn(const Json& json, const JsonPlace& place) {
    const std::vector<std::uint32_t> numbers = wholesIn(listIn(json, place, 2 * kMostNodes), place, kMost);
    if (numbers.size() % 2 != 0 || numbers.size() < 6) {
        place.fail(std::to_string(numbers.size()) + " numbers; expected x, y of three nodes or more");
    }
    Contour contour;
    contour.reserve(numbers.size() / 2);
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        contour.push_back({static_cast<std::int32_t>(numbers[i]), static_cast<std::int32_t>(numbers[i + 1])});
    }
    return contour;
}

std::optional<std::uint32_t> maskIndexIn(Object& object, std::size_t masks) {
    if (object.get("forbidden").is_null()) {
        return std::nullopt;
    }
    if (masks == 0) {
        object.at("forbidden").fail("there are no masks");
    }
    return static_cast<std::uint32_t>(object.whole("forbidden", 0, masks - 1));
}

/// A margin in px, which is left out where contours are together.
std::optional<std::uint32_t> apartIn(Object& object) {
    return object.members().find("apart") == nullptr ? std::nullopt : std::optional(object.size("apart"));
}

SessionRun runIn(const Json& json, const JsonPlace& place, std::size_t masks) {
    Object object(json, place);
    SessionRun run;
    run.page = object.count("page");
    run.id = static_cast<int>(object.whole("id", 1, kMostId));
    run.parent = static_cast<int>(object.whole("parent", 0, kMostId));
    run.parentState = object.count("parent_state");
    run.origin = object.line("origin");
    run.spec = snakeIn(object.get("spec"), object.at("spec"));
    run.whole = object.flag("whole");
    run.algorithm = object.line("algorithm");
    run.apart = apartIn(object);
    run.forbidden = maskIndexIn(object, masks);
    run.starts = object.list("starts", kMaxContours, contourIn);
    if (run.starts.empty()) {
        object.at("starts").fail("expected one at least");
    }
    run.states = static_cast<std::uint32_t>(object.whole("states", 1, kMost));
    run.finished = object.flag("finished");
    run.last = object.list("last", kMaxContours, contourIn);
    if (run.last.size() != run.starts.size()) {
        object.at("last").fail("expected as many contours as there are starts");
    }
    run.compared = object.flag("compared");
    run.shown = static_cast<std::uint32_t>(object.whole("shown", 0, run.states - 1));
    run.contour = static_cast<std::uint32_t>(object.whole("contour", 0, run.starts.size() - 1));
    object.end();
    return run;
}

SessionContours contoursIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionContours contours;
    contours.spec = snakeIn(object.get("spec"), object.at("spec"));
    contours.whole = object.flag("whole");
    contours.algorithm = object.line("algorithm");
    contours.apart = apartIn(object);
    contours.masks = object.list("masks", kMaxRuns, storedMaskIn);
    const std::size_t masks = contours.masks.size();
    contours.forbidden = maskIndexIn(object, masks);
    contours.runs = object.list("runs", kMaxRuns,
                                [masks](const Json& value, const JsonPlace& at) { return runIn(value, at, masks); });
    contours.current = object.count("current");
    object.end();
    return contours;
}

SessionView viewIn(const Json& json, const JsonPlace& place) {
    Object object(json, place);
    SessionView view;
    view.window = object.line("window");
    std::tie(view.low, view.high) = object.pair("range");
    view.inValues = object.flag("in_values");
    view.maxLevel = object.count("max_level");
    view.curve = object.line("curve");
    view.gamma = object.number("gamma");
    view.map = object.line("map");
    view.inverted = object.flag("inverted");
    view.original = object.flag("original");
    view.compare = object.line("compare");
    view.split = object.number("split");
    view.fitting = object.flag("fitting");
    view.zoom = object.number("zoom");
    if (!(view.zoom > 0)) {
        object.at("zoom").fail("expected a number above 0");
    }
    std::tie(view.centreX, view.centreY) = object.pair("centre");
    object.end();
    return view;
}

} // namespace

SavedSession parseSession(std::string_view text) {
    const Json json = parseJson(text, kKind, kSessionLimits);
    Object object(json, {kKind, {}});
    const Json& stated = object.get("pollard_session");
    int version = kFirstVersion;
    while (version <= kVersion && stated != version) {
        ++version;
    }
    if (version > kVersion) {
        object.at("pollard_session")
            .fail(shownJson(stated) + ": this program knows version 1 to " + std::to_string(kVersion));
    }
    SavedSession session;
    session.image = imageIn(object.get("image"), object.at("image"), version);
    const bool staged = version == kStagedVersion || (version == kVersion && object.has("earlier"));
    if (staged) {
        session.earlier = object.list("earlier", kMaxStages, stageIn);
        if (session.earlier.empty() && version == kStagedVersion) {
            object.at("earlier").fail("expected one at least");
        }
    }
    session.region = membersOf(object, "region", regionStepIn);
    session.tree = membersOf(object, "tree", treeStepIn);
    session.filter = filterIn(object.get("filter"), object.at("filter"));
    session.selected = object.ascending("selected", Image::kMaxPixels - 1);
    session.selections = object.list("selections", kMaxSelections, selectionIn);
    session.objects = objectsIn(object.get("objects"), object.at("objects"));
    session.contours = contoursIn(object.get("contours"), object.at("contours"));
    session.view = viewIn(object.get("view"), object.at("view"));
    session.docks = object.line("docks", kMaxDocksBytes);
    object.end();
    return session;
}

SavedSession loadSession(const std::filesystem::path& path) {
    const std::string text = readSmallFile(path, kKind, kMaxSessionBytes);
    SavedSession session;
    namingFile(path, kKind, [&] { session = parseSession(text); });
    return session;
}

} // namespace pollard
