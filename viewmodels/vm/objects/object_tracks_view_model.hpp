#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/progress_relay.hpp"
#include "vm/objects/tracked_stack.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>

namespace pollard::vm {

class DocumentViewModel;
class ObjectsViewModel;
class ObjectTableModel;
struct FollowedPages;

/// Objects followed over all pages of the open file, as `pollard-cli track` does: the pages are read again, each as the
/// one that is shown, filtered alike if the objects are those of the filtered picture, and the same threshold makes
/// objects of them. A person starts it; the work is done on a thread of its own, with the document's engine. Tracks are
/// forgotten when another file, region, threshold or filter makes them untrue.
///
/// One track can be current. Selecting one object makes its track current, and on other pages the object of the current
/// track is selected.
class ObjectTracksViewModel : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty, ///< nothing was followed
        running,
        ready,
        failed, ///< problem() says why
    };

    /// All of them must outlive this.
    ObjectTracksViewModel(DocumentViewModel& document, ObjectsViewModel& objects, ObjectTableModel& table,
                          QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] double progress() const noexcept { return progress_; } ///< 0..1 while running
    /// Why objects cannot be followed now; empty if they can.
    [[nodiscard]] QString whyNot() const;
    /// Null unless ready.
    [[nodiscard]] std::shared_ptr<const TrackedStack> tracks() const noexcept { return tracks_; }
    /// "1,234 objects on 56 tracks over 20 pages: 40 births, ..."; empty without tracks.
    [[nodiscard]] QString summary() const;

    /// Number of the current track; 0 for none.
    [[nodiscard]] quint32 current() const noexcept { return current_; }
    /// Null if there is none.
    [[nodiscard]] const Track* currentTrack() const noexcept;
    [[nodiscard]] bool isSaving() const noexcept { return saving_; }
    /// For units and pages.
    [[nodiscard]] const ObjectTableModel& table() const noexcept { return table_; }

public slots:
    /// Follows the objects anew; does nothing if whyNot().
    void start();
    /// Stops following; tracks that were there before are there again.
    void cancel();
    /// 0, or a number that there is not: none.
    void setCurrent(quint32 track);
    /// Shows the page on which the current track begins.
    void showFirstPage();
    /// Writes the table of tracks as `pollard-cli track --csv` does; ends with saved() or saveFailed().
    void save(const QString& path);

signals:
    void stateChanged(); ///< also whyNot() and tracks()
    void progressChanged();
    void currentChanged();
    void savingChanged();
    void saved(const QString& path);
    void saveFailed(const QString& title, const QString& text);

private:
    void onChange();
    void onFilter();
    /// Whether the objects are those of the filtered pages, and the filter may change these.
    [[nodiscard]] bool filtersPages() const;
    /// Whether what was followed, or is, is what would be followed now.
    [[nodiscard]] bool holds() const;
    void forget();
    void onListing();
    void onSelection();
    void adopt(State state, std::shared_ptr<const TrackedStack> tracks);

    DocumentViewModel& document_;
    ObjectsViewModel& objects_;
    ObjectTableModel& table_;
    State state_ = State::empty;
    QString problem_;
    double progress_ = 0;
    std::shared_ptr<const TrackedStack> tracks_;
    std::shared_ptr<const FollowedPages> followed_; ///< or that are on their way
    quint32 current_ = 0;
    bool saving_ = false;
    ProgressRelay relay_;
    LatestWinsWorker::Generation newest_ = 0; ///< of the job under way, else 0
    LatestWinsWorker worker_;
    LatestWinsWorker saver_; ///< last, as the one before: their threads end before the rest goes
};

} // namespace pollard::vm
