#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include <QDateTime>
#include <QList>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <map>
#include <memory>

namespace pollard::vm {

class SessionViewModel;

/// Stores the session of a window in a file for recovery after a crash: some time after the last change, on its own
/// thread, completely or not at all. The file is deleted when the image is closed and when the program exits
/// normally. The file of a crashed program is found() by the next one, which searches on the same thread.
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
        QString picture; ///< its file name
        QString problem; ///< why it cannot be read; empty if it can
    };
    /// The search for files of other programs is running.
    [[nodiscard]] bool isLooking() const noexcept { return looking_; }
    /// The latest first. They are locked by this program.
    [[nodiscard]] const QList<Found>& found() const noexcept { return found_; }
    /// The same for unreadable ones that were not reported yet.
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
    std::unique_ptr<LatestWinsWorker> worker_;
};

} // namespace pollard::vm
