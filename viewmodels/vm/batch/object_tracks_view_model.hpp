#pragma once

#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/objects/object_listing.hpp"

#include "components/object_tracks.hpp"
#include "io/page_selection.hpp"

#include <QAbstractTableModel>
#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
struct FollowedPages;
class ObjectTableModel;
class ObjectsViewModel;
struct TrackedStack;

/// Objects followed over the pages of the open file, like `pollard-cli track`: over time at the displayed channel and
/// slice, along z if that is the only axis, or over all pages if they have no axes. The pages are read again like the
/// displayed one, filtered in the same way if objects are taken from the filtered image. The same threshold finds their
/// objects; objects that meet the condition and the border rule of the table are followed. Started by the user; the
/// work is done on a separate thread with the document's engine. Tracks are dropped when another file, region,
/// threshold, condition or filter invalidates them.
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

    /// All arguments must outlive this.
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
    /// The tracks; null unless ready.
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
    /// Whether objects are taken from filtered pages, and the filter may change the pages.
    [[nodiscard]] bool filtersPages() const;
    /// Whether the followed pages, done or pending, belong to the present settings.
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

/// The tracks as a table, one per row. Lengths are in the unit of the table of objects.
class TrackTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { number, firstPage, lastPage, pages, began, ended, displacement, pathLength };
    static constexpr int kColumns = 8;

    /// @param tracks must outlive this
    explicit TrackTableModel(ObjectTracksViewModel& tracks, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, text alignment; Qt::UserRole: the value for sorting.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    /// Number of the track of a row; 0 if there is none.
    [[nodiscard]] quint32 trackOf(int row) const;
    /// Row of a track; -1 if there is none.
    [[nodiscard]] int rowOf(quint32 track) const;

private:
    void adopt();
    void order();
    [[nodiscard]] char axis() const; ///< of the tracks, or of the next ones
    [[nodiscard]] const Track& at(int row) const;
    [[nodiscard]] double valueOf(const Track& track, int column) const;
    [[nodiscard]] QString textOf(const Track& track, int column) const;
    /// "3 (12.5 s)": number of a frame from 1 on, and its distance from the first one if it is stated.
    [[nodiscard]] QString placeText(std::uint32_t frame) const;

    ObjectTracksViewModel& tracks_;
    std::shared_ptr<const TrackedStack> shown_;
    std::vector<std::uint32_t> order_; ///< indices of the rows in the history
    std::vector<std::uint32_t> rows_;  ///< element i is the row of track number i + 1
    int key_ = number;
    bool descending_ = false;
};

} // namespace pollard::vm
