#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "io/write/atomic_file.hpp"
#include "session/session.hpp"
#include "session/session_records.hpp"
#include "json/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pollard {

namespace {

using json::kStagedVersion;
using json::kVersion;

constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;
constexpr JsonLimits kLimits{8, std::uint64_t{768} << 20U}; ///< some 16 million numbers
constexpr const char* kKind = "session";

int versionOf(const SavedSession& session) {
    const bool units =
        std::ranges::any_of(session.filter.criteria,
                            [](const SessionCriterion& criterion) { return json::hasUnits(criterion); }) ||
        std::ranges::any_of(session.earlier, [](const FilterStage& stage) { return hasUnits(stage.filter); });
    return units || session.image.read.pixelSize ? kVersion : session.earlier.empty() ? 1 : kStagedVersion;
}

/// What is written can be read again.
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
    members.requireNoOthers();
    return session;
}

SavedSession loadSession(const std::filesystem::path& path) {
    const std::string text = readSmallFile(path, kKind, kMaxBytes);
    SavedSession session;
    namingFile(path, kKind, [&] { session = parseSession(text); });
    return session;
}

std::string toJson(const SavedSession& session) {
    const int version = versionOf(session);
    json::Written json{{"pollard_session", version}};
    json::sessionRecord(version).put(json, session);
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
