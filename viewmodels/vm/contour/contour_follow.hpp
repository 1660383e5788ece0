#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/contour/contour_computing.hpp"

#include "engine/engine.hpp"
#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <QObject>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

/// Contours to follow from page to page of a stack.
struct FollowTask {
    OpenRequest request;     ///< of the shown page
    SlicePages pages;        ///< to follow over
    std::uint32_t width = 0; ///< of all pages
    std::uint32_t height = 0;
    ReadLimits limits;
    std::vector<Contour> ends;   ///< on the last page
    std::vector<Contour> before; ///< on the page before it; empty if unknown
    ContourPlan plan;
    Engine* device = nullptr;    ///< of a whole run; null: the CPU
    std::uint64_t mostBytes = 0; ///< limit on all recorded states
};

/// Follows objects over the pages of a stack: the final contours of a page give the starts of the next one, see
/// nextStarts(), and every page gets its own run. The pages are the pages along time at the shown channel and slice; a
/// file without times has slicePages(). The run of the shown page is finished first; then a thread works page by page.
class ContourFollow : public QObject {
    Q_OBJECT

public:
    /// A page with a run of a series.
    struct Page {
        int page = 0; ///< 0-based
        int run = 0;  ///< id
        int contours = 0;
        std::optional<std::uint64_t> pixels; ///< inside of all contours at the end; empty until the page was shown
    };

    /// All must outlive this.
    ContourFollow(const DocumentViewModel& document, ContourRuns& runs, ContourPlayback& playback,
                  ContourComputing& computing);

    /// There is a next page and a run to follow.
    [[nodiscard]] bool isPossible() const;
    /// The pages that contours of the shown page are followed over.
    [[nodiscard]] SlicePages pages() const;
    /// Whether these are the times of the file.
    [[nodiscard]] bool isOverTime() const;
    /// Position of a page among pages(), 0-based.
    [[nodiscard]] int positionOf(int page) const;
    [[nodiscard]] bool isRunning() const noexcept { return isWaiting() || running_; }
    /// The run of the shown page is being finished.
    [[nodiscard]] bool isWaiting() const noexcept { return awaited_ != 0; }
    /// The page in work, 0-based.
    [[nodiscard]] int page() const noexcept { return task_.pages.first + position_ * task_.pages.stride; }
    [[nodiscard]] int position() const noexcept { return position_; } ///< of page(), among pages()
    [[nodiscard]] int firstPosition() const noexcept { return first_; }
    [[nodiscard]] int lastPosition() const noexcept { return task_.pages.count - 1; }
    /// The series of the current run: the followed run and the runs made by following, page by page. Empty if none was
    /// made.
    [[nodiscard]] std::vector<Page> series() const;

    /// Stops waiting for the run of the shown page. @return whether it did
    bool forget() noexcept { return std::exchange(awaited_, 0) != 0; }

public slots:
    /// Pages that already have a run from the same source are skipped; following continues after them, and a notice
    /// says if there are no others.
    void start(const pollard::ReadLimits& limits = {});
    /// Finished pages stay.
    void stop();

signals:
    void changed(); ///< isRunning() or page()

private:
    void begin(int id);
    void next();
    void take(int page, const ContourRun& run);

    const DocumentViewModel& document_;
    ContourRuns& runs_;
    ContourPlayback& playback_;
    ContourComputing& computing_;
    int awaited_ = 0; ///< id of the run to follow after its end
    FollowTask task_;
    bool running_ = false;
    int first_ = 0;
    int position_ = 0;
    std::uint64_t recorded_ = 0;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
