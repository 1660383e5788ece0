#pragma once

#include "vm/contour/contour_computing.hpp"

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "session/session.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace pollard::vm {

/// Contours of a session taken from the window without reading pixels of their masks.
struct ContoursDraft {
    /// Forbidden pixels of the window, or from a session.
    using DraftMask = std::variant<std::shared_ptr<const Mask>, std::shared_ptr<const SessionMask>>;

    SessionContours contours; ///< with the indices of the list below, and without masks
    std::vector<DraftMask> masks;

    /// The index of a mask in the list; appends it if missing.
    [[nodiscard]] std::uint32_t indexOf(const DraftMask& mask);
};

/// The contours with their distinct masks, in the order of the draft.
[[nodiscard]] SessionContours finished(const ContoursDraft& draft, const JobControl& control);

/// Saves the runs of all pages in a session and restores them.
class ContourSession : public QObject {
    Q_OBJECT

public:
    /// All must outlive this.
    ContourSession(const DocumentViewModel& document, ContourSettings& settings, ContourRuns& runs,
                   ContourPlayback& playback, ContourComputing& computing);

    /// All runs of all pages, and the settings of the next one.
    [[nodiscard]] ContoursDraft draft() const;
    /// Marks of all runs by page, without a copy of their records.
    [[nodiscard]] std::vector<ContourRunMark> marks() const;
    /// Runs of restore() are being made.
    [[nodiscard]] bool isRestoring() const noexcept { return restoring_; }

    /// Stops restoring, because another page is shown. @param isSameStack false for another file, which drops the
    /// session
    void leave(bool isSameStack);
    /// Makes the runs of the shown page.
    void makeSavedRuns();

public slots:
    /// Restores the result of draft(), right after the image was opened. The forbidden area and the runs are computed
    /// again on the worker, runs from their starts to the end of their record, runs of other pages as soon as their
    /// page is shown. If a run ends differently, because the image has changed, a notice reports it; if it fails, the
    /// problem has the reason, and the run stays in the session unchanged.
    void restore(pollard::SessionContours saved);

signals:
    /// The page has its part of the session from restore(), as far as possible: the forbidden area, and its runs from
    /// @p first on.
    void restored(int page, int first);

private:
    /// The parts of restore() other than runs.
    struct Saved {
        std::vector<std::shared_ptr<const SessionMask>> masks;
        std::optional<std::uint32_t> forbidden; ///< index, of the area that is not made yet
        int current = 0;                        ///< id, on the page `page`
        int page = 0;
    };
    struct RestoredRuns;
    void take(RestoredRuns& made, const JobOutcome& outcome);

    const DocumentViewModel& document_;
    ContourSettings& settings_;
    ContourRuns& runs_;
    ContourPlayback& playback_;
    ContourComputing& computing_;
    Saved saved_;
    bool restoring_ = false;
};

} // namespace pollard::vm
