#pragma once

#include "vm/contour/contour_session.hpp"

#include "base/job_control.hpp"
#include "session/file_fingerprint.hpp"
#include "session/session.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

class LabelWork;
struct FoundObjects;

/// A session taken from the window, and the data to complete it on a worker.
struct SessionDraft {
    SavedSession session; ///< without fingerprint, paths and the results of the members below
    std::filesystem::path image;
    ContoursDraft contours;
    std::shared_ptr<const FoundObjects> edited;               ///< objects that were edited by hand; null: none
    std::weak_ptr<LabelWork> work;                            ///< with these edits; empty: there are none
    std::shared_ptr<const std::vector<std::uint8_t>> removed; ///< for every object; null: none was removed
    std::shared_ptr<const ComponentTree> tree;                ///< of the nodes; null: the session has the pixels
    std::shared_ptr<const NodeSet> selected;
    std::vector<std::pair<std::string, std::shared_ptr<const NodeSet>>> named;
};

/// Caches the fingerprint of the last file while its size and time stay. Safe to use from any thread.
class CachedFingerprint {
public:
    /// The fingerprint of a file; empty if it cannot be read. @throws Cancelled
    [[nodiscard]] std::optional<FileFingerprint> of(const std::filesystem::path& path, const JobControl& control);

private:
    std::mutex mutex_;
    std::filesystem::path path_;
    std::uint64_t bytes_ = 0;
    std::filesystem::file_time_type changed_;
    std::optional<FileFingerprint> fingerprint_;
};

/// The session to write to @p target.
[[nodiscard]] SavedSession finished(const SessionDraft& draft, const std::filesystem::path& target,
                                    CachedFingerprint& fingerprint, const JobControl& control);

/// A journal of the edits of objects beside a session that is kept for recovery: "ID.edits-1" beside "ID.pollard". Each
/// journal continues the one before it.
[[nodiscard]] std::filesystem::path journalOf(const std::filesystem::path& session, int number);
/// The journals that exist, by their numbers.
[[nodiscard]] std::map<int, std::filesystem::path> journalsOf(const std::filesystem::path& session);
/// Deletes the journals with smaller numbers, the oldest first.
void removeJournals(const std::filesystem::path& session, int before = std::numeric_limits<int>::max());
/// Makes the edits of the journals. @param session read from the file
/// @throws std::bad_alloc
void replayJournals(SavedSession& session, const std::filesystem::path& file);

/// The image of a session.
struct FoundImage {
    std::filesystem::path path; ///< empty: not found
    bool same = true;           ///< its content is as in the session, or unknown
};

/// Searches all places; an image with the right content is preferred.
[[nodiscard]] FoundImage findImage(const SessionImage& image, const std::vector<std::filesystem::path>& places,
                                   CachedFingerprint& fingerprint, const JobControl& control);

/// Amount of work in a session.
struct WorkSummary {
    std::size_t contours = 0; ///< starts of runs that are no branches
    std::size_t regions = 0;  ///< shapes
    std::size_t criteria = 0; ///< on, with a bound
    std::size_t earlier = 0;  ///< filters before the last one
    std::size_t picks = 0;    ///< hand-picked components
    std::size_t selections = 0;
    std::size_t selected = 0; ///< components
    std::size_t removed = 0;  ///< objects
    bool edited = false;      ///< objects

    [[nodiscard]] static WorkSummary of(const SavedSession& session);
    [[nodiscard]] static WorkSummary of(const SessionDraft& draft);

    /// "3 contours, 2 regions, a filter of 2 criteria"; "settings" if all counts are 0.
    [[nodiscard]] QString text() const;

    bool operator==(const WorkSummary&) const = default;
};

} // namespace pollard::vm
