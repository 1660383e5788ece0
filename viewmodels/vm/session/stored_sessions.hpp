#pragma once

#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/session/session_draft.hpp"

#include <QDateTime>
#include <QList>
#include <QLockFile>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace pollard::vm {

class SessionViewModel;

/// The lock of a session file; null if another program holds it.
[[nodiscard]] std::unique_ptr<QLockFile> lockedFor(const QString& path);

/// Work stored when its image is closed, to be continued later: one session file per image, in the folder of
/// SessionAutosave, written completely or not at all. Files are written and read on another thread.
///
/// A continued file belongs to the work in the window, with a lock against other programs, until that work is saved,
/// discarded, or kept again.
class StoredSessions : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostFiles = 10; ///< the oldest are deleted
    static constexpr int kMostDays = 30;  ///< age limit

    /// @param sessions must outlive this
    /// @param folder for the files; created if missing
    StoredSessions(SessionViewModel& sessions, const QString& folder, QObject* parent = nullptr);
    /// Pending files are written first.
    ~StoredSessions() override;

    /// Whether a file is kept work, by its name.
    [[nodiscard]] static bool isKept(const QString& path);

    struct Entry {
        QString path;
        QString picture; ///< absolute path
        QString summary; ///< "3 contours, 2 regions"
        QDateTime time;  ///< of the last write

        [[nodiscard]] QString name() const; ///< file name of the image
        bool operator==(const Entry&) const = default;
    };
    /// Work that can be continued, the latest first: without files in use by this or another program. Updated by
    /// look().
    [[nodiscard]] const QList<Entry>& entries() const noexcept { return entries_; }
    /// The entry of an image; null if there is none.
    [[nodiscard]] const Entry* entryOf(const QString& picture) const;
    [[nodiscard]] bool isLooking() const { return worker_->isBusy(Lane::load); }
    /// The file of the work in the window; empty if there is none.
    [[nodiscard]] QString own() const { return own_; }

    /// @param problem one line; empty after success
    using Done = std::function<void(const QString& problem)>;
    /// Writes a session. The file belongs to the work in the window until that is replaced.
    void keep(const SessionDraft& draft, Done done = {});

public slots:
    /// Updates entries(); ends with looked().
    void look();
    /// Continues one of entries(). Ends like SessionViewModel::recover(), or with failed().
    void resume(const QString& path);
    /// Deletes one of entries().
    void discard(const QString& path);
    /// Deletes own().
    void discardOwn();
    /// own() is available to others after this call.
    void release();

signals:
    void entriesChanged();
    void looked();
    void failed(const QString& title, const QString& text);

private:
    /// The file of the work in the window. Once shared with a job, it is used by jobs only.
    struct Place {
        QString path;
        std::unique_ptr<QLockFile> lock; ///< null: there is no file
    };
    void onOpened(const QString& path);
    void onSaved(const QString& path);
    void forget(const QString& path);

    SessionViewModel& sessions_;
    QString folder_;
    QList<Entry> entries_;
    std::shared_ptr<Place> place_ = std::make_shared<Place>();
    QString own_;
    std::shared_ptr<Place> resumed_; ///< being opened
    std::unique_ptr<LatestWinsWorker> worker_;
    WriteQueue writes_;
};

} // namespace pollard::vm
