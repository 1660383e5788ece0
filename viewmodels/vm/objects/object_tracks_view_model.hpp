#pragma once

#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/progress_relay.hpp"
#include "vm/objects/object_listing.hpp"

#include "io/page_selection.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class ObjectsViewModel;
class ObjectTableModel;
struct FollowedPages;

/// Objects followed over the pages of the open file, like `pollard-cli track`: over time at the displayed channel and
/// slice, along z if that is the only axis, or over all pages if they have no axes. The pages are read again like the
/// displayed one, filtered in the same way if the objects are those of the filtered image, and the same threshold
/// finds their objects, of which those that meet the condition and the border rule of the table are followed. Started
/// by the user; the work is done on a separate thread with the document's engine. Tracks are dropped when another file,
/// region, threshold, condition or filter invalidates them.
///
/// One track can be current. Selecting one object makes its track current, and on other pages the object of the current
/// track is selected.
class ObjectTracksViewModel : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty, ///< no objects were followed
        running,
        ready,
        failed, ///< see problem()
    };

    /// All of them must outlive this.
    ObjectTracksViewModel(DocumentViewModel& document, ObjectsViewModel& objects, ObjectTableModel& table,
                          QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] double progress() const noexcept { return progress_; } ///< 0..1 while running
    /// Why objects cannot be followed; empty if they can.
    [[nodiscard]] QString whyNot() const;
    /// The axis along which objects are followed, as StackAxis::name; 0 if there is none.
    [[nodiscard]] char axis() const;
    /// Position of a frame on the axis; empty without tracks, and for pages without axes.
    [[nodiscard]] std::optional<AxisPosition> placeOf(std::uint32_t frame) const;
    /// A volume is open whose slices can be shown as pages.
    [[nodiscard]] bool canShowPages() const;
    /// Null unless ready.
    [[nodiscard]] std::shared_ptr<const TrackedStack> tracks() const noexcept { return tracks_; }
    /// "1,234 objects on 56 tracks over 20 pages: 40 births, ..."; empty without tracks.
    [[nodiscard]] QString summary() const;

    /// Number of the current track; 0 for none.
    [[nodiscard]] quint32 current() const noexcept { return current_; }
    /// Null if there is none.
    [[nodiscard]] const Track* currentTrack() const noexcept;
    [[nodiscard]] bool isSaving() const noexcept { return saver_.isBusy(); }
    /// Source of units and pages.
    [[nodiscard]] const ObjectTableModel& table() const noexcept { return table_; }

public slots:
    /// Follows the objects again; does nothing if whyNot().
    void start();
    /// Stops following and restores the previous tracks.
    void cancel();
    /// 0 or an unknown number: none.
    void setCurrent(quint32 track);
    void showPages();
    /// Shows the first page of the current track.
    void showFirstPage();
    /// Writes the table of tracks like `pollard-cli track --csv`; ends with saved() or saveFailed().
    void save(const QString& path);

signals:
    void stateChanged(); ///< including whyNot() and tracks()
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
    /// Whether the followed pages, done or pending, are those of the present settings.
    [[nodiscard]] bool holds() const;
    /// The condition of the table with its unit; empty: none.
    [[nodiscard]] QString condition() const;
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
    std::shared_ptr<const FollowedPages> followed_; ///< done or pending
    quint32 current_ = 0;
    ProgressRelay relay_;
    FileExport saver_{nullptr};
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
