#include "session/session.hpp"

#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/step_json.hpp"
#include "session/session_limits.hpp"
#include "session/session_names.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace pollard {

namespace {

using Json = nlohmann::ordered_json; // keys in the order in which they are written

Json jsonOf(const SessionImage& image) {
    return {{"relative", image.relative},
            {"absolute", image.absolute},
            {"bytes", image.bytes},
            {"hash", image.hash},
            {"read", jsonOf(image.read, true)}};
}

Json numberOf(const std::optional<double>& bound) { return bound ? Json(*bound) : Json(nullptr); }

bool hasUnits(const SessionCriterion& criterion) {
    return std::ranges::any_of(criterion.bounds,
                               [](const auto& entry) { return entry.second.unit != LengthUnit::pixel; });
}

Json jsonOf(const SessionCriterion& criterion) {
    Json bounds = Json::object();
    for (const auto& [attribute, each] : criterion.bounds) {
        bounds[std::string(attributeInfo(attribute).name)] = {numberOf(each.minimum), numberOf(each.maximum)};
    }
    Json json{{"attribute", attributeInfo(criterion.attribute).name}, {"bounds", std::move(bounds)}};
    if (hasUnits(criterion)) {
        Json units = Json::object();
        for (const auto& [attribute, each] : criterion.bounds) {
            if (each.unit != LengthUnit::pixel) {
                units[std::string(attributeInfo(attribute).name)] =
                    unitName(each.unit, attributeInfo(attribute).dimension);
            }
        }
        json["units"] = std::move(units);
    }
    json["enabled"] = criterion.enabled;
    return json;
}

bool hasUnits(const SavedSession& session) {
    return std::ranges::any_of(session.filter.criteria,
                               [](const SessionCriterion& criterion) { return hasUnits(criterion); }) ||
           std::ranges::any_of(session.earlier, [](const FilterStage& stage) { return hasUnits(stage.filter); });
}

Json jsonOf(const SessionFilter& filter) {
    Json criteria = Json::array();
    for (const SessionCriterion& criterion : filter.criteria) {
        criteria.push_back(jsonOf(criterion));
    }
    Json picks = Json::array();
    for (const SessionPick& pick : filter.picks) {
        picks.push_back({{"component", pick.canonical}, {"fate", fateName(pick.fate)}});
    }
    return {{"enabled", filter.enabled},
            {"criteria", std::move(criteria)},
            {"current", filter.current},
            {"match", nameOf(filter.match)},
            {"prominent",
             {{"only", filter.prominentOnly},
              {"measure", nameOf(filter.prominent.measure)},
              {"count", filter.prominent.count}}},
            {"rule", nameOf(filter.rule)},
            {"output", nameOf(filter.output)},
            {"picks", std::move(picks)}};
}

Json jsonOf(const FilterStage& stage) {
    return {{"region", jsonOf(stage.region)},
            {"region_on", stage.regionOn},
            {"tree", jsonOf(stage.tree)},
            {"filter", jsonOf(FilterStep{stage.filter})},
            {"on", stage.on}};
}

Json jsonOf(const SessionObjects& objects) {
    Json json{{"picture", objects.filtered ? "filtered" : "original"},
              {"threshold", objects.method ? nameOf(*objects.method) : kByHand},
              {"dark", objects.dark},
              {"connectivity", static_cast<int>(objects.connectivity)},
              {"levels", {objects.low, objects.high}},
              {"count", objects.count},
              {"removed", objects.removed}};
    if (objects.fillHoles) {
        json["fill_holes"] = true;
    }
    if (objects.withoutBorder) {
        json["no_border"] = true;
    }
    return json;
}

Json jsonOf(const std::vector<Contour>& contours) {
    Json all = Json::array();
    for (const Contour& contour : contours) {
        Json nodes = Json::array();
        for (const ContourNode& node : contour) {
            nodes.push_back(node.x);
            nodes.push_back(node.y);
        }
        all.push_back(std::move(nodes));
    }
    return all;
}

Json indexOf(const std::optional<std::uint32_t>& index) { return index ? Json(*index) : Json(nullptr); }

/// Puts the margin after "algorithm", if there is one.
Json withApart(const std::optional<std::uint32_t>& apart, Json object) {
    if (!apart) {
        return object;
    }
    Json with = Json::object();
    for (auto& [key, value] : object.items()) {
        with[key] = std::move(value);
        if (key == "algorithm") {
            with["apart"] = *apart;
        }
    }
    return with;
}

Json jsonOf(const SessionRun& run) {
    return withApart(run.apart, {{"page", run.page},
                                 {"id", run.id},
                                 {"parent", run.parent},
                                 {"parent_state", run.parentState},
                                 {"origin", run.origin},
                                 {"spec", jsonOf(run.spec)},
                                 {"whole", run.whole},
                                 {"algorithm", run.algorithm},
                                 {"forbidden", indexOf(run.forbidden)},
                                 {"starts", jsonOf(run.starts)},
                                 {"states", run.states},
                                 {"finished", run.finished},
                                 {"last", jsonOf(run.last)},
                                 {"compared", run.compared},
                                 {"shown", run.shown},
                                 {"contour", run.contour}});
}

Json jsonOf(const SessionContours& contours) {
    Json masks = Json::array();
    for (const SessionMask& mask : contours.masks) {
        masks.push_back(jsonOf(mask));
    }
    Json runs = Json::array();
    for (const SessionRun& run : contours.runs) {
        runs.push_back(jsonOf(run));
    }
    return withApart(contours.apart, {{"spec", jsonOf(contours.spec)},
                                      {"whole", contours.whole},
                                      {"algorithm", contours.algorithm},
                                      {"forbidden", indexOf(contours.forbidden)},
                                      {"masks", std::move(masks)},
                                      {"runs", std::move(runs)},
                                      {"current", contours.current}});
}

Json jsonOf(const SessionView& view) {
    return {{"window", view.window},
            {"range", {view.low, view.high}},
            {"in_values", view.inValues},
            {"max_level", view.maxLevel},
            {"curve", view.curve},
            {"gamma", view.gamma},
            {"map", view.map},
            {"inverted", view.inverted},
            {"original", view.original},
            {"compare", view.compare},
            {"split", view.split},
            {"fitting", view.fitting},
            {"zoom", view.zoom},
            {"centre", {view.centreX, view.centreY}}};
}

/// What is written can be read again.
void requireReadable(const std::string& text, const std::filesystem::path& path) {
    const std::string place = "write session: " + path.string();
    if (text.size() > kMaxSessionBytes) {
        throw Error(ErrorCode::limitExceeded,
                    place + ": " + std::to_string(text.size()) + " bytes, at most " + std::to_string(kMaxSessionBytes));
    }
    static_cast<void>(jsonWeight(text, place, kSessionLimits));
}

} // namespace

std::string toJson(const SavedSession& session) {
    Json selections = Json::array();
    for (const SessionSelection& selection : session.selections) {
        selections.push_back({{"name", selection.name}, {"components", selection.components}});
    }
    const int version = hasUnits(session) || session.image.read.pixelSize ? 3 : session.earlier.empty() ? 1 : 2;
    Json json{{"pollard_session", version}, {"image", jsonOf(session.image)}};
    if (!session.earlier.empty()) {
        Json earlier = Json::array();
        for (const FilterStage& stage : session.earlier) {
            earlier.push_back(jsonOf(stage));
        }
        json["earlier"] = std::move(earlier);
    }
    json["region"] = jsonOf(session.region);
    json["tree"] = jsonOf(session.tree);
    json["filter"] = jsonOf(session.filter);
    json["selected"] = session.selected;
    json["selections"] = std::move(selections);
    json["objects"] = jsonOf(session.objects);
    json["contours"] = jsonOf(session.contours);
    json["view"] = jsonOf(session.view);
    json["docks"] = session.docks;
    return readableText(json);
}

void saveSession(const SavedSession& session, const std::filesystem::path& path) {
    const std::string text = toJson(session);
    requireReadable(text, path);
    AtomicFile file(path, "write session");
    file.writeAll(text.data(), text.size());
    file.commit();
}

} // namespace pollard
