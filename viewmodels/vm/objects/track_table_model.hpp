#pragma once

#include "components/objects/track_history.hpp"

#include <QAbstractTableModel>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class ObjectTracksViewModel;
struct TrackedStack;

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
