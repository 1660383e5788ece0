#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/write_queue.hpp"
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

/// Work that is put aside when its picture is left, to go on with it another day: one session file per picture, in the
/// folder of SessionAutosave, written whole or not at all. Files are written and read on a thread of their own.
///
/// A file that is continued belongs to the work in the window, with a lock that keeps other programs from it, until
/// that work is saved, discarded, or kept once more.
class KeptWork : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostFiles = 10; ///< the oldest go first
    static constexpr int kMostDays = 30;  ///< since they were written

    /// @param sessions must outlive this
    /// @param folder for the files; made if need be
    KeptWork(SessionViewModel& sessions, const QString& folder, QObject* parent = nullptr);
    /// Pending files are written first.
    ~KeptWork() override;

    /// Whether a file of the folder is one, by its name.
    [[nodiscard]] static bool isKept(const QString& path);

    struct Entry {
        QString path;
        QString picture; ///< absolute path
        QString summary; ///< "3 contours, 2 regions"
        QDateTime time;  ///< when it was written

        [[nodiscard]] QString name() const; ///< of the picture's file
        bool operator==(const Entry&) const = default;
    };
    /// Work that can be continued, the latest first, as far as known: without files that this or another program uses.
    [[nodiscard]] const QList<Entry>& entries() const noexcept { return entries_; }
    /// That of a picture; null if there is none.
    [[nodiscard]] const Entry* entryOf(const QString& picture) const;
    [[nodiscard]] bool isLooking() const noexcept { return looking_ != 0; }
    /// The file of the work in the window; empty if it has none.
    [[nodiscard]] QString own() const { return own_; }

    /// @param problem one line; empty if it is written
    using Done = std::function<void(const QString& problem)>;
    /// Writes a session. It belongs to the work in the window as long as that stays.
    void keep(const SessionDraft& draft, Done done = {});

public slots:
    /// Brings entries() up to date; ends with looked().
    void look();
    /// Goes on with one of entries(). Ends as SessionViewModel::recover() does, or in failed().
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
    /// Where the work in the window is kept. Once it is shared with a job, only jobs touch it.
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
    std::shared_ptr<Place> resumed_; ///< on its way to the window
    LatestWinsWorker::Generation looking_ = 0;
    std::unique_ptr<LatestWinsWorker> worker_;
    WriteQueue writes_;
};

} // namespace pollard::vm
