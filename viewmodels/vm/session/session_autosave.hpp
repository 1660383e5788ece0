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

/// Keeps the session of a window in a file for the case of a crash: some time after the last change, on a thread of its
/// own, and whole or not at all. The file goes when the picture is closed and when the program ends as it should. A
/// file whose program is gone is found() by the next one, which looks on the same thread.
///
/// Every program has a file and a lock of its own, so that several can run beside each other.
class SessionAutosave : public QObject {
    Q_OBJECT

public:
    /// After the last change, ms.
    static constexpr int kDelay = 2000;

    /// @param sessions must outlive this
    /// @param folder for the files; made if need be
    SessionAutosave(SessionViewModel& sessions, const QString& folder, QObject* parent = nullptr);
    ~SessionAutosave() override;

    /// For the files of the person who runs the program.
    [[nodiscard]] static QString standardFolder();

    /// The file of this program, whether it is there or not.
    [[nodiscard]] QString path() const { return path_; }
    /// kDelay unless set.
    void setDelay(int milliseconds) { soon_.setInterval(milliseconds); }

    /// A session that a program left behind.
    struct Found {
        QString path;
        QDateTime time;  ///< of the last change
        QString picture; ///< its name
        QString problem; ///< why it cannot be read; empty if it can
    };
    /// Those of other programs are still looked for.
    [[nodiscard]] bool isLooking() const noexcept { return looking_; }
    /// The latest first. They belong to this program from now on.
    [[nodiscard]] const QList<Found>& found() const noexcept { return found_; }
    /// The same, of those that cannot be read and of which nobody was told.
    [[nodiscard]] const QList<Found>& unreadable() const noexcept { return unreadable_; }

public slots:
    /// Opens one of found(); the file goes as soon as this program has one of its own.
    void recover(const QString& path);
    /// Deletes one of found() or unreadable().
    void discard(const QString& path);
    /// Leaves one of unreadable() where it is. It is not spoken of again, unless a program can read it.
    void keep(const QString& path);
    /// Writes what is there now as soon as possible.
    void writeNow();

signals:
    void looked(); ///< isLooking() has ended
    void foundChanged();
    void written();
    /// Nothing can be kept; told once.
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
    std::map<QString, std::unique_ptr<QLockFile>> locks_; ///< of both
    QStringList recovered_;                               ///< files that are not needed once this one is written
    bool hasFailed_ = false;
    QTimer soon_;
    std::unique_ptr<LatestWinsWorker> worker_;
};

} // namespace pollard::vm
