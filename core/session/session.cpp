#include "session/session.hpp"

#include "base/error.hpp"
#include "components/objects/object_condition.hpp"
#include "filter/filter_units.hpp"
#include "io/write/atomic_file.hpp"
#include "session/session_records.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pollard {

namespace {

using json::kChannelVersion;
using json::kSizedVersion;
using json::kStagedVersion;
using json::kVersion;

constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;
constexpr JsonLimits kLimits{8, std::uint64_t{768} << 20U}; ///< some 16 million numbers
constexpr const char* kKind = "session";

int versionOf(const SavedSession& session) {
    if (session.image.read.volume) {
        return kVersion;
    }
    if (!session.channels.empty() || !session.composite.empty() || session.cutOut) {
        return kChannelVersion;
    }
    const bool units =
        std::ranges::any_of(session.filter.criteria.entries,
                            [](const CriterionEntry& criterion) { return json::hasUnits(criterion); }) ||
        std::ranges::any_of(session.earlier, [](const FilterStage& stage) { return hasUnits(stage.filter); });
    return units || session.image.read.pixelSize ? kSizedVersion : session.earlier.empty() ? 1 : kStagedVersion;
}

/// Calls visit(Criterion::grey or ChosenBounds::grey) for the bounds of grey of all filters.
template <class Session, class Visit> void forEachGrey(Session& session, const Visit& visit) {
    const auto visitSettings = [&](auto& filter) {
        for (auto& tree : filter.forest.trees) {
            for (auto& node : tree) {
                if (json::isGrey(node.condition.attribute)) {
                    visit(node.condition.grey);
                }
            }
        }
        for (auto& entry : filter.criteria.entries) {
            for (auto& [attribute, bounds] : entry.chosen) {
                if (json::isGrey(attribute) && !bounds.isEmpty()) {
                    visit(bounds.grey);
                }
            }
        }
    };
    visitSettings(session.filter);
    for (auto& [channel, filter] : session.channels) {
        visitSettings(filter);
    }
    for (auto& stage : session.earlier) {
        forEachCriterion(stage.filter, [&](auto& criterion) {
            if (json::isGrey(criterion.attribute)) {
                visit(criterion.grey);
            }
        });
    }
}

/// Whether the condition of a class names a feature of grey values.
bool namesGrey(const ObjectClass& one) {
    for (const Connectivity kind : {Connectivity::four, Connectivity::six}) { // of images and of volumes
        try {
            return ObjectCondition::parse(one.condition, objectFeatures(kind)).namesGrey();
        } catch (const Error&) { // not a condition of this kind
        }
    }
    return false;
}

std::string textOf(const SavedSession& session, bool inValues) {
    const int version = versionOf(session);
    json::Written json{{"pollard_session", version}};
    if (inValues) {
        json[std::string(json::kGreyKey)] = json::kInValues;
    }
    json::sessionRecord(version).put(json, session);
    return readableText(json);
}

/// @throws Error for a text that is too large to be read again.
void requireReadable(const std::string& text, const std::filesystem::path& path) {
    const std::string place = "write session: " + path.string();
    if (text.size() > kMaxBytes) {
        throw Error(ErrorCode::limitExceeded,
                    place + ": " + std::to_string(text.size()) + " bytes, at most " + std::to_string(kMaxBytes));
    }
    static_cast<void>(jsonWeight(text, place, kLimits));
}

} // namespace

SavedSession parseSession(std::string_view text) {
    const json::Read json = parseJson(text, kKind, kLimits);
    JsonMembers members(json, {kKind, {}});
    const json::Read& stated = members.get("pollard_session");
    int version = 1;
    while (version <= kVersion && stated != version) {
        ++version;
    }
    if (version > kVersion) {
        members.at("pollard_session")
            .fail(shownJson(stated) + ": this program reads version 1 to " + std::to_string(kVersion));
    }
    SavedSession session;
    json::sessionRecord(version).take(members, session);
    if (!json::takesValues(members)) {
        forEachGrey(session, [](std::string& grey) { grey = kLevels; });
        session.classesInLevels = std::ranges::any_of(session.objects.classes, namesGrey);
    }
    members.requireNoOthers();
    return session;
}

SessionRendering parseRendering(std::string_view text) {
    const std::string kind = "rendering";
    SessionRendering rendering;
    json::kRendering.read(parseJson(text, kind, kLimits), {kind, {}}, rendering);
    return rendering;
}

std::string toJson(const SessionRendering& rendering) { return json::kRendering.write(rendering).dump(); }

SavedSession loadSession(const std::filesystem::path& path) {
    const std::string text = readSmallFile(path, kKind, kMaxBytes);
    SavedSession session;
    namingFile(path, kKind, [&] { session = parseSession(text); });
    return session;
}

std::string toJson(const SavedSession& session) {
    bool hasLevels = session.classesInLevels;
    bool hasValues = session.objects.rule.values.has_value() ||
                     (!hasLevels && std::ranges::any_of(session.objects.classes, namesGrey));
    forEachGrey(session, [&](const std::string& grey) { (grey == kLevels ? hasLevels : hasValues) = true; });
    if (hasLevels && !hasValues) { // bounds need no unit in a file without values
        SavedSession plain = session;
        forEachGrey(plain, [](std::string& grey) { grey.clear(); });
        return textOf(plain, false);
    }
    return textOf(session, hasValues);
}

void saveSession(const SavedSession& session, const std::filesystem::path& path) {
    const std::string text = toJson(session);
    requireReadable(text, path);
    AtomicFile file(path, "write session");
    file.writeAll(text.data(), text.size());
    file.commit();
}

namespace fs = std::filesystem;

std::vector<fs::path> placesOf(const SessionImage& image, const fs::path& session) {
    const fs::path folder = session.parent_path();
    const fs::path absolute = fs::path(image.absolute);
    std::vector<fs::path> places;
    const auto add = [&places](const fs::path& place) {
        const fs::path normal = place.lexically_normal();
        if (std::find(places.begin(), places.end(), normal) == places.end()) {
            places.push_back(normal);
        }
    };
    if (!image.relative.empty()) {
        add(folder / fs::path(image.relative));
    }
    add(absolute);
    add(folder / absolute.filename());
    return places;
}

void setPlace(SessionImage& image, const fs::path& file, const fs::path& session) {
    const fs::path normal = file.lexically_normal();
    image.absolute = normal.generic_string();
    image.relative = normal.lexically_relative(session.parent_path().lexically_normal()).generic_string();
}

} // namespace pollard
