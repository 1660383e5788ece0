#pragma once

#include "vm/image/look.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <optional>
#include <utility>

class QSettings;

namespace pollard::vm {

/// The looks of files set by the user, the latest first, stored in the settings. While shared, one look applies to all
/// files.
class LookStore : public QObject {
    Q_OBJECT

public:
    /// Number of stored files; the least recently used one is dropped first.
    static constexpr std::size_t kMaxFiles = 100;

    /// @param settings must outlive this; null: nothing is stored beyond this object
    explicit LookStore(QSettings* settings = nullptr, QObject* parent = nullptr);
    ~LookStore() override;

    /// The look for a file: the shared one, its own, or that of a new file: the default linear window of its kind, in
    /// the colours last chosen by the user.
    [[nodiscard]] Look recall(const QString& path) const;
    /// Stores the user's look of this file; while shared, of all files. An empty path is no file.
    void remember(const QString& path, const Look& look);
    /// Stores the user's colours for new files.
    void like(ColourMap map, bool inverted);
    [[nodiscard]] std::size_t size() const noexcept { return files_.size(); }

    [[nodiscard]] bool isShared() const noexcept { return shared_.has_value(); }
    /// Makes this look that of all files; each file keeps its own for later.
    void share(const Look& look);
    void stopSharing();

public slots:
    /// Removes all files.
    void clear();

signals:
    void sharedChanged();

private:
    void load();
    void save();
    void saveSoon();

    QSettings* settings_;
    std::deque<std::pair<QString, Look>> files_;
    std::optional<Look> shared_;
    ColourMap likedMap_ = ColourMap::grey;
    bool likedInverted_ = false;
    QTimer soon_; ///< collects the frequent changes of a drag
};

} // namespace pollard::vm
