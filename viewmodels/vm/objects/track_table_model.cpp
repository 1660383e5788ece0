#include "vm/objects/track_table_model.hpp"

#include "vm/objects/object_table_model.hpp"
#include "vm/objects/object_tracks_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <numeric>

namespace pollard::vm {

namespace {

constexpr int kDistanceDigits = 10;

} // namespace

TrackTableModel::TrackTableModel(ObjectTracksViewModel& tracks, QObject* parent)
    : QAbstractTableModel(parent), tracks_(tracks) {
    connect(&tracks_, &ObjectTracksViewModel::stateChanged, this, &TrackTableModel::adopt);
    connect(&tracks_.table(), &ObjectTableModel::unitChanged, this, [this] {
        emit headerDataChanged(Qt::Horizontal, displacement, pathLength);
        if (rowCount() > 0) {
            emit dataChanged(index(0, displacement), index(rowCount() - 1, pathLength));
        }
    });
    adopt();
}

int TrackTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int TrackTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

char TrackTableModel::axis() const { return shown_ ? shown_->axis : tracks_.axis(); }

const Track& TrackTableModel::at(int row) const {
    return shown_->history.tracks()[order_[static_cast<std::size_t>(row)]];
}

quint32 TrackTableModel::trackOf(int row) const { return row < 0 || row >= rowCount() ? 0 : at(row).number; }

int TrackTableModel::rowOf(quint32 track) const {
    return track == 0 || track > rows_.size() ? -1 : static_cast<int>(rows_[track - 1]);
}

QVariant TrackTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= kColumns) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return textOf(at(index.row()), index.column());
    case Qt::UserRole:
        return valueOf(at(index.row()), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == began || index.column() == ended ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant TrackTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case number:
        return tr("Track");
    case firstPage:
        return axis() == 't' ? tr("First time") : axis() == 'z' ? tr("First slice") : tr("First page");
    case lastPage:
        return axis() == 't' ? tr("Last time") : axis() == 'z' ? tr("Last slice") : tr("Last page");
    case pages:
        return axis() == 't' ? tr("Times") : axis() == 'z' ? tr("Slices") : tr("Pages");
    case began:
        return tr("Begins by");
    case ended:
        return tr("Ends by");
    case displacement:
        return tr("Displacement (%1)").arg(tracks_.table().lengthUnit());
    case pathLength:
        return tr("Path (%1)").arg(tracks_.table().lengthUnit());
    default:
        return {};
    }
}

double TrackTableModel::valueOf(const Track& track, int column) const {
    switch (column) {
    case firstPage:
        return track.firstFrame;
    case lastPage:
        return track.lastFrame();
    case pages:
        return track.frameCount();
    case began:
        return static_cast<double>(track.began);
    case ended:
        return track.ended ? static_cast<double>(*track.ended) : -1;
    case displacement:
        return track.displacement() * tracks_.table().side();
    case pathLength:
        return track.pathLength() * tracks_.table().side();
    default:
        return track.number;
    }
}

QString TrackTableModel::placeText(std::uint32_t frame) const {
    const QLocale locale;
    const QString number = locale.toString(frame + 1);
    const auto place = tracks_.placeOf(frame);
    return place && place->distance ? QStringLiteral("%1 (%2 %3)")
                                          .arg(number, locale.toString(*place->distance, 'g', kDistanceDigits),
                                               place->axis == 't' ? QStringLiteral("s") : QStringLiteral("µm"))
                                    : number;
}

QString TrackTableModel::textOf(const Track& track, int column) const {
    const QLocale locale;
    switch (column) {
    case firstPage:
        return placeText(track.firstFrame);
    case lastPage:
        return placeText(track.lastFrame());
    case began:
        return track.from == 0 ? tr("birth") : tr("split from %1").arg(locale.toString(track.from));
    case ended:
        if (!track.ended) {
            return QStringLiteral("–");
        }
        return track.into == 0 ? tr("death") : tr("merge into %1").arg(locale.toString(track.into));
    case displacement:
    case pathLength:
        return tracks_.table().textOf(ObjectFeature::major, valueOf(track, column)); // representative of all lengths
    default:
        return locale.toString(static_cast<qulonglong>(valueOf(track, column)));
    }
}

void TrackTableModel::sort(int column, Qt::SortOrder order) {
    const bool descending = order == Qt::DescendingOrder;
    if (column < 0 || column >= kColumns || (column == key_ && descending == descending_)) {
        return;
    }
    beginResetModel();
    key_ = column;
    descending_ = descending;
    this->order();
    endResetModel();
}

void TrackTableModel::adopt() {
    if (tracks_.tracks() == shown_) {
        emit headerDataChanged(Qt::Horizontal, firstPage, pages); // the image may have another axis
        return;
    }
    beginResetModel();
    shown_ = tracks_.tracks();
    order();
    endResetModel();
}

void TrackTableModel::order() {
    const std::size_t count = shown_ ? shown_->history.tracks().size() : 0;
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0U);
    std::vector<double> keys(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double key = valueOf(shown_->history.tracks()[i], key_);
        keys[i] = descending_ ? -key : key;
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    rows_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
        rows_[order_[row]] = static_cast<std::uint32_t>(row);
    }
}

} // namespace pollard::vm
