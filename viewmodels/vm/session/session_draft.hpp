#pragma once

#include "vm/contour/contours_draft.hpp"

#include "base/job_control.hpp"
#include "session/session.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

/// A session as the window gives it, and what is still to be done for it on a worker.
struct SessionDraft {
    SavedSession session; ///< without fingerprint, paths and what follows
    std::filesystem::path picture;
    ContoursDraft contours;
    std::shared_ptr<const std::vector<std::uint8_t>> removed; ///< of every object; null: none was taken out
    std::shared_ptr<const ComponentTree> tree;                ///< of the nodes; null: the session has the pixels
    std::shared_ptr<const NodeSet> selected;
    std::vector<std::pair<std::string, std::shared_ptr<const NodeSet>>> named;
};

/// The fingerprint of the file that was asked for last, as long as size and time of the file stay. For any thread.
class KeptFingerprint {
public:
    /// Nothing of a file that cannot be read. @throws Cancelled
    [[nodiscard]] std::optional<FileFingerprint> of(const std::filesystem::path& path, const JobControl& control);

private:
    std::mutex mutex_;
    std::filesystem::path path_;
    std::uint64_t bytes_ = 0;
    std::filesystem::file_time_type changed_;
    std::optional<FileFingerprint> fingerprint_;
};

/// The session to be written to @p target.
[[nodiscard]] SavedSession finished(const SessionDraft& draft, const std::filesystem::path& target,
                                    KeptFingerprint& fingerprint, const JobControl& control);

/// Where the picture of a session is.
struct FoundPicture {
    std::filesystem::path path; ///< empty: nowhere
    bool same = true;           ///< it has the content that the session speaks of, as far as that is known
};

/// Looks in all places; a picture with the right content comes before others.
[[nodiscard]] FoundPicture findPicture(const SessionImage& image, const std::vector<std::filesystem::path>& places,
                                       KeptFingerprint& fingerprint, const JobControl& control);

} // namespace pollard::vm
