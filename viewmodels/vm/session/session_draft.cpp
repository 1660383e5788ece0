#include "vm/session/session_draft.hpp"

#include "vm/objects/object_marks.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"

#include <algorithm>
#include <system_error>

namespace pollard::vm {

namespace {

std::vector<std::uint32_t> pixelsOf(const ComponentTree& tree, const NodeSet& nodes) {
    std::vector<std::uint32_t> pixels;
    pixels.reserve(nodes.size());
    for (const std::uint32_t node : nodes) {
        pixels.push_back(tree.canonical[node]);
    }
    std::ranges::sort(pixels);
    return pixels;
}

} // namespace

std::optional<FileFingerprint> KeptFingerprint::of(const std::filesystem::path& path, const JobControl& control) {
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    if (problem) {
        return std::nullopt;
    }
    const auto changed = std::filesystem::last_write_time(path, problem);
    const std::lock_guard lock(mutex_);
    if (!fingerprint_ || path != path_ || bytes != bytes_ || changed != changed_) {
        fingerprint_.reset();
        try {
            fingerprint_ = fingerprintOf(path, control);
        } catch (const Error&) {
            return std::nullopt;
        }
        path_ = path;
        bytes_ = bytes;
        changed_ = changed;
    }
    return fingerprint_;
}

SavedSession finished(const SessionDraft& draft, const std::filesystem::path& target, KeptFingerprint& fingerprint,
                      const JobControl& control) {
    SavedSession session = draft.session;
    setPlace(session.image, draft.picture, target);
    if (const auto known = fingerprint.of(draft.picture, control)) {
        session.image.bytes = known->bytes;
        session.image.hash = hashText(*known);
    }
    session.contours = finished(draft.contours, control);
    if (draft.removed) {
        session.removed = {draft.removed->size(), labelsOf(draft.removed)};
    }
    if (draft.tree) {
        session.selected = pixelsOf(*draft.tree, *draft.selected);
        for (const auto& [name, nodes] : draft.named) {
            session.selections.push_back({name, pixelsOf(*draft.tree, *nodes)});
        }
    }
    return session;
}

FoundPicture findPicture(const SessionImage& image, const std::vector<std::filesystem::path>& places,
                         KeptFingerprint& fingerprint, const JobControl& control) {
    FoundPicture found;
    for (const std::filesystem::path& place : places) {
        std::error_code problem;
        if (!std::filesystem::is_regular_file(place, problem) && !isZarrFolder(place)) {
            continue;
        }
        const bool sized = image.hash.empty() || std::filesystem::file_size(place, problem) == image.bytes;
        const auto content = sized && !image.hash.empty() ? fingerprint.of(place, control) : std::nullopt;
        if (image.hash.empty() || (content && hashText(*content) == image.hash)) {
            return {place, true};
        }
        if (found.path.empty()) {
            found = {place, false};
        }
    }
    return found;
}

} // namespace pollard::vm
