#pragma once

#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/session/session_draft.hpp"

#include <QDateTime>
#include <QList>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace pollard::vm {

class LabelWork;
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
        QString image;   ///< absolute path
        QString summary; ///< "3 contours, 2 regions"
        QDateTime time;  ///< of the last write

        [[nodiscard]] QString name() const; ///< file name of the image
        bool operator==(const Entry&) const = default;
    };
    /// Work that can be continued, the latest first: without files in use by this or another program. Updated by
    /// look().
    [[nodiscard]] const QList<Entry>& entries() const noexcept { return entries_; }
    /// The entry of an image; null if there is none.
    [[nodiscard]] const Entry* entryOf(const QString& image) const;
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

/// Stores the session of a window in a file for recovery after a crash: some time after the last change, on its own
/// thread, completely or not at all. The file is deleted when the image is closed and when the program exits
/// normally. The file of a crashed program is found() by the next one, which searches on the same thread.
///
/// Edits of objects are added to a journal at once, see journalOf(): the session that is written next has them, too,
/// and then the journal is deleted. The first edit of objects has no session to continue, so it writes the session at
/// once.
///
/// Every program has its own file and lock, so that several can run at the same time.
class SessionAutosave : public QObject {
    Q_OBJECT

public:
    /// Time after the last change, ms.
    static constexpr int kDelay = 2000;

    /// @param sessions must outlive this
    /// @param folder for the files; created if missing
    SessionAutosave(SessionViewModel& sessions, const QString& folder, QObject* parent = nullptr);
    ~SessionAutosave() override;

    /// Folder for the files of the current user.
    [[nodiscard]] static QString standardFolder();

    /// The file of this program, existing or not.
    [[nodiscard]] QString path() const { return path_; }
    /// Default kDelay.
    void setDelay(int milliseconds) { soon_.setInterval(milliseconds); }

    /// A session left after a crash.
    struct Found {
        QString path;
        QDateTime time;  ///< of the last change
        QString image;   ///< its file name
        QString problem; ///< why it cannot be read; empty if it can
    };
    /// The search for files of other programs is running.
    [[nodiscard]] bool isLooking() const noexcept { return looking_; }
    /// The latest first. They are locked by this program.
    [[nodiscard]] const QList<Found>& found() const noexcept { return found_; }
    /// Unreadable sessions that were not reported yet.
    [[nodiscard]] const QList<Found>& unreadable() const noexcept { return unreadable_; }

public slots:
    /// Opens one of found(); the file is deleted once this program has written its own.
    void recover(const QString& path);
    /// Deletes one of found() or unreadable().
    void discard(const QString& path);
    /// Leaves one of unreadable() in place. It is not reported again, unless a program can read it.
    void keep(const QString& path);
    /// Writes the present session as soon as possible.
    void writeNow();

signals:
    void looked(); ///< end of isLooking()
    void foundChanged();
    void written();
    /// The session cannot be stored; reported once.
    void failed(const QString& title, const QString& text);

private:
    void touch();
    void look();
    void onPixels(const std::shared_ptr<LabelWork>& work, const std::string& records);
    /// Adds records to the journal of the written session.
    void append(const std::string& records);
    void onWritten(const std::weak_ptr<LabelWork>& work);
    void onEnd(const JobOutcome& outcome);
    void forget(const QString& path);

    SessionViewModel& sessions_;
    QString folder_;
    QString path_;
    std::unique_ptr<QLockFile> lock_;
    bool looking_ = false;
    QList<Found> found_;
    QList<Found> unreadable_;
    std::map<QString, std::unique_ptr<QLockFile>> locks_; ///< of found_ and unreadable_
    QStringList recovered_;                               ///< files to delete once this program's file is written
    bool hasFailed_ = false;
    QTimer soon_;
    std::weak_ptr<LabelWork> written_; ///< its edits are in the file; empty: none
    std::weak_ptr<LabelWork> drafted_; ///< its edits are in the session being written
    std::weak_ptr<LabelWork> waitingFor_;
    std::string waiting_;      ///< records of waitingFor_ until a session with its edits is written
    std::string journalStart_; ///< of the objects that were edited last
    int journal_ = 0;          ///< number of the journal for the next edits
    /// The journals that count, for the threads that write.
    struct Journals {
        std::mutex mutex;
        int first = 0; ///< number; the session has the edits of older ones, or is of other objects
    };
    std::shared_ptr<Journals> kept_ = std::make_shared<Journals>();
    LatestWinsWorker::Generation firstOfWork_ = 0; ///< the first session with the objects of drafted_
    std::unique_ptr<LatestWinsWorker> worker_;
    std::unique_ptr<LatestWinsWorker> journalWorker_;
    WriteQueue journals_;
};

} // namespace pollard::vm
