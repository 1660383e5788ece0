#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

class QSettings;

namespace pollard::vm {

/// Recently opened files, the latest first, stored in the settings. Qt::DisplayRole is the file name, Qt::ToolTipRole
/// and PathRole the absolute path.
class RecentFilesModel : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr int kMaxFiles = 10;
    enum Role { PathRole = Qt::UserRole };

    /// @param settings must outlive this
    explicit RecentFilesModel(QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] QStringList paths() const { return paths_; }
    [[nodiscard]] bool isEmpty() const noexcept { return paths_.isEmpty(); }
    [[nodiscard]] QString pathAt(int row) const { return paths_.value(row); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

public slots:
    /// Puts a file first; an existing entry for it moves there. It replaces other entries of the same hierarchy of
    /// Zarr, such as other wells of a plate.
    void add(const QString& path);
    void remove(const QString& path);
    void clear();

signals:
    void changed();

private:
    void replace(const QStringList& paths);

    QSettings& settings_;
    QStringList paths_;
};

} // namespace pollard::vm
