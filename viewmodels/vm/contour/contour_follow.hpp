#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/contour/contour_run.hpp"
#include "vm/picture/open_request.hpp"

#include "engine/engine.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::vm {

/// Contours to follow from page to page of a stack.
struct FollowTask {
    OpenRequest request; ///< of the page of the starts; following begins with the next one
    int pageCount = 0;
    std::uint32_t width = 0; ///< of all pages
    std::uint32_t height = 0;
    ReadLimits limits;
    std::vector<Contour> starts;
    SnakeSpec spec;
    ContourEngine engine;
    Engine* device = nullptr; ///< of a whole run; null: the CPU
    std::shared_ptr<const Mask> forbidden;
    QString origin;
    std::uint64_t mostBytes = 0; ///< limit on all recorded states
};

/// Follows objects over the pages of a stack: the final contours of a page are the starts of the next one. Works on its
/// own thread, page by page.
class ContourFollow : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] bool isRunning() const noexcept { return running_; }
    [[nodiscard]] int page() const noexcept { return page_; } ///< the page in work, 0-based
    [[nodiscard]] int firstPage() const noexcept { return first_; }
    [[nodiscard]] int lastPage() const noexcept { return task_.pageCount - 1; }

    void start(FollowTask task);
    /// Finished pages stay. Ends with changed().
    void cancel();
    /// The same without further signals.
    void stop();

signals:
    void changed();
    /// The finished run of a page with all its states.
    void pageDone(int page, const pollard::vm::ContourRun& run);
    void noticed(const QString& text);
    void failed(const QString& text);

private:
    void next();

    FollowTask task_;
    bool running_ = false;
    int first_ = 0;
    int page_ = 0;
    std::uint64_t recorded_ = 0;
    LatestWinsWorker worker_; ///< last: its thread ends before the other members are destroyed
};

} // namespace pollard::vm
