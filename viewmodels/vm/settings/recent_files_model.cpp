#include "vm/settings/recent_files_model.hpp"

#include "vm/image/open_request.hpp"

#include "batch/input_files.hpp"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace pollard::vm {

namespace {

const QString kKey = QStringLiteral("recentFiles");

} // namespace

RecentFilesModel::RecentFilesModel(QSettings& settings, QObject* parent)
    : QAbstractListModel(parent), settings_(settings) {
    paths_ = settings_.value(kKey).toStringList();
    paths_.removeAll(QString());
    paths_.removeDuplicates();
    paths_ = paths_.mid(0, kMaxFiles);
}

int RecentFilesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(paths_.size());
}

QVariant RecentFilesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= paths_.size()) {
        return {};
    }
    const QString& path = paths_.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return imageName(path);
    case Qt::ToolTipRole:
        return QDir::toNativeSeparators(path);
    case PathRole:
        return path;
    default:
        return {};
    }
}

void RecentFilesModel::add(const QString& path) {
    if (path.isEmpty()) {
        return;
    }
    const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    QStringList paths = paths_;
    const auto whole = [](const QString& each) { return hierarchyOf(QFileInfo(each).filesystemFilePath()); };
    paths.removeIf([&](const QString& each) { return whole(each) == whole(absolute); });
    paths.prepend(absolute);
    replace(paths.mid(0, kMaxFiles));
}

void RecentFilesModel::remove(const QString& path) {
    QStringList paths = paths_;
    paths.removeAll(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
    replace(paths);
}

void RecentFilesModel::clear() { replace({}); }

void RecentFilesModel::replace(const QStringList& paths) {
    if (paths == paths_) {
        return;
    }
    beginResetModel();
    paths_ = paths;
    endResetModel();
    settings_.setValue(kKey, paths_);
    emit changed();
}

} // namespace pollard::vm
