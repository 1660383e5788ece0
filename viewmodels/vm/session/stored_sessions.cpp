#include "vm/session/stored_sessions.hpp"

#include "vm/labels/label_work.hpp"
#include "vm/session/session_draft.hpp"
#include "vm/session/session_view_model.hpp"

#include "base/error.hpp"
#include "base/system.hpp"
#include "labels/label_journal.hpp"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QUuid>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr auto kPrefix = "kept-";
constexpr int kMostSlots = 100; ///< windows with kept work on the same image at the same time

QString lockOf(const QString& path) {
    const QFileInfo file(path);
    return file.dir().filePath(file.completeBaseName() + QStringLiteral(".lock"));
}

/// Kept files in this folder, the latest first.
QFileInfoList filesOf(const QString& folder) {
    const QStringList pattern{QLatin1String(kPrefix) + QStringLiteral("*.") + SessionViewModel::suffix()};
    return QDir(folder).entryInfoList(pattern, QDir::Files, QDir::Time);
}

/// Deletes files that are too old or too many, unless a program uses them.
void prune(const QString& folder) {
    const QDateTime oldest = QDateTime::currentDateTime().addDays(-StoredSessions::kMostDays);
    int number = 0;
    for (const QFileInfo& file : filesOf(folder)) {
        if (++number <= StoredSessions::kMostFiles && file.lastModified() >= oldest) {
            continue;
        }
        const QString path = file.absoluteFilePath();
        if (const auto lock = lockedFor(path)) {
            QFile::remove(path);
        }
    }
}

/// Work that can be continued.
/// @param known files that are not read again while unchanged
/// @param resumed file about to be continued by this program
QList<StoredSessions::Entry> unfinishedSessions(const QString& folder, const QList<StoredSessions::Entry>& known,
                                                const QString& resumed, const JobControl& control) {
    QList<StoredSessions::Entry> entries;
    for (const QFileInfo& file : filesOf(folder)) {
        control.throwIfStopped();
        const QString path = file.absoluteFilePath();
        // Without a lock file the lock is free; taking it would block other programs.
        if (path != resumed && QFile::exists(lockOf(path)) && !lockedFor(path)) {
            continue;
        }
        const auto same = std::ranges::find_if(known, [&](const StoredSessions::Entry& entry) {
            return entry.path == path && entry.time == file.lastModified();
        });
        if (same != known.end()) {
            entries.push_back(*same);
            continue;
        }
        try {
            const SavedSession session = loadSession(file.filesystemAbsoluteFilePath());
            entries.push_back({path, QString::fromStdString(session.image.absolute), WorkSummary::of(session).text(),
                               file.lastModified()});
        } catch (const Error&) { // of a newer program, which lists it
            continue;
        }
    }
    return entries;
}

/// A file for work on an image with its lock: the image's file, or a further one if another program uses that.
std::pair<QString, std::unique_ptr<QLockFile>> placeFor(const QString& folder, const std::filesystem::path& image) {
    const QByteArray hash =
        QCryptographicHash::hash(QFileInfo(image).absoluteFilePath().toUtf8(), QCryptographicHash::Sha256)
            .toHex()
            .left(16);
    const QString base = QLatin1String(kPrefix) + QString::fromLatin1(hash);
    for (int slot = 1; slot <= kMostSlots; ++slot) {
        const QString name = slot == 1 ? base : QStringLiteral("%1-%2").arg(base).arg(slot);
        const QString path = QDir(folder).absoluteFilePath(name + u'.' + SessionViewModel::suffix());
        if (auto lock = lockedFor(path)) {
            return {path, std::move(lock)};
        }
    }
    throw Error(ErrorCode::writeFailed,
                "keep work: " + QDir(folder).absolutePath().toStdString() + ": no file can be locked there");
}

} // namespace

std::unique_ptr<QLockFile> lockedFor(const QString& path) {
    auto lock = std::make_unique<QLockFile>(lockOf(path));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) {
        lock.reset();
    }
    return lock;
}

QString StoredSessions::Entry::name() const { return QFileInfo(image).fileName(); }

StoredSessions::StoredSessions(SessionViewModel& sessions, const QString& folder, QObject* parent)
    : QObject(parent), sessions_(sessions), folder_(QDir(folder).absolutePath()),
      worker_(std::make_unique<LatestWinsWorker>()), writes_(*worker_) {
    QDir().mkpath(folder_);
    connect(&sessions_, &SessionViewModel::workReplaced, this, &StoredSessions::release);
    connect(&sessions_, &SessionViewModel::opened, this, &StoredSessions::onOpened);
    connect(&sessions_, &SessionViewModel::saved, this, &StoredSessions::onSaved);
    connect(&sessions_, &SessionViewModel::imageRefused, this, [this] { resumed_.reset(); });
    connect(&sessions_, &SessionViewModel::failed, this, [this] { resumed_.reset(); });
    look();
}

StoredSessions::~StoredSessions() {
    worker_.reset();
    writes_.finish();
}

bool StoredSessions::isKept(const QString& path) {
    return QFileInfo(path).fileName().startsWith(QLatin1String(kPrefix));
}

const StoredSessions::Entry* StoredSessions::entryOf(const QString& image) const {
    const auto found = std::ranges::find(entries_, QFileInfo(image).absoluteFilePath(), &Entry::image);
    return found == entries_.end() ? nullptr : &*found;
}

void StoredSessions::keep(const SessionDraft& draft, Done done) {
    auto path = std::make_shared<QString>();
    writes_.add(
        [draft, place = place_, path, folder = folder_, fingerprint = sessions_.fingerprint()] {
            Place made;
            if (!place->lock) {
                std::tie(made.path, made.lock) = placeFor(folder, draft.image);
            }
            *path = made.lock ? made.path : place->path;
            const std::filesystem::path file = QFileInfo(*path).filesystemAbsoluteFilePath();
            saveSession(finished(draft, file, *fingerprint, JobControl()), file);
            if (made.lock) {
                *place = std::move(made);
            }
            prune(folder);
        },
        [this, place = place_, path, done = std::move(done)](const JobOutcome& outcome) {
            if (place != place_) { // the window has other work
                place->lock.reset();
            } else if (outcome.ok()) {
                own_ = *path;
            }
            look();
            if (done) {
                done(outcome.ok()              ? QString()
                     : outcome.message.empty() ? tr("There is not enough memory for it.")
                                               : QString::fromStdString(outcome.message));
            }
            if (place != place_ &&
                place->lock) { // the image was closed meanwhile: its work can be continued by any program
                place->lock.reset();
                look();
            }
        });
}

void StoredSessions::look() {
    worker_->forget(Lane::load);
    worker_->post(
        Lane::load,
        [folder = folder_, known = entries_,
         resumed = resumed_ ? resumed_->path : QString()](const std::stop_token& stop) {
            prune(folder);
            return unfinishedSessions(folder, known, resumed, JobControl(stop));
        },
        [this](const JobOutcome& outcome, QList<Entry>& found) {
            found.removeIf([this](const Entry& entry) { return entry.path == own_; });
            if (outcome.ok() && std::exchange(entries_, found) != found) {
                emit entriesChanged();
            }
            emit looked();
        });
}

void StoredSessions::resume(const QString& path) {
    resumed_.reset();
    auto place = std::make_shared<Place>(Place{path, lockedFor(path)});
    if (!place->lock || !QFile::exists(path)) {
        emit failed(tr("The kept work was not opened"),
                    place->lock ? tr("%1 does not exist.").arg(path) : tr("Another window continues it."));
        look();
        return;
    }
    resumed_ = std::move(place);
    sessions_.recover(path);
}

void StoredSessions::onOpened(const QString& path) {
    const std::shared_ptr<Place> resumed = std::exchange(resumed_, nullptr);
    if (resumed && resumed->path == path) {
        place_ = resumed;
        own_ = path;
        forget(path);
    }
}

/// The user saved the work in the window as a session.
void StoredSessions::onSaved(const QString& path) {
    if (path == sessions_.path()) {
        discardOwn();
    }
}

void StoredSessions::discard(const QString& path) {
    if (const auto lock = lockedFor(path)) {
        QFile::remove(path);
    }
    forget(path);
    look();
}

void StoredSessions::discardOwn() {
    own_.clear();
    writes_.add(
        [place = place_] {
            if (place->lock) {
                QFile::remove(place->path);
                place->lock.reset();
            }
        },
        [this, place = place_](const JobOutcome&) {
            if (place == place_) {
                own_.clear(); // an earlier write may have set it
            }
        });
}

void StoredSessions::release() {
    own_.clear();
    place_ = std::make_shared<Place>();
    look();
}

void StoredSessions::forget(const QString& path) {
    if (entries_.removeIf([&path](const Entry& entry) { return entry.path == path; }) > 0) {
        emit entriesChanged();
    }
}

namespace {

constexpr auto kReported = ".told"; ///< suffix of the mark that an unreadable session was reported

QString fileOf(const QString& folder, const QString& id) {
    return QDir(folder).filePath(id + u'.' + SessionViewModel::suffix());
}

/// Removes partial files of an interrupted write.
void removeParts(const QString& path) {
    const QFileInfo file(path);
    const QStringList pattern{u'.' + file.fileName() + QStringLiteral(".part-*")};
    QDir folder = file.dir();
    for (const QString& part : folder.entryList(pattern, QDir::Files | QDir::Hidden)) {
        folder.remove(part);
    }
}

/// Removes a session and its journals.
void removeSession(const QString& path) {
    QFile::remove(path);
    removeJournals(QFileInfo(path).filesystemAbsoluteFilePath());
}

/// Whether both are the same edited objects; two of none are.
bool isSame(const std::weak_ptr<LabelWork>& a, const std::weak_ptr<LabelWork>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

QString markOf(const QString& path) {
    const QFileInfo file(path);
    return file.dir().filePath(file.completeBaseName() + QLatin1String(kReported));
}

/// A file left after a crash, with its lock.
struct LockedSession {
    SessionAutosave::Found found;
    std::unique_ptr<QLockFile> lock;
};

/// Takes the file of a program, unless that still runs.
std::optional<LockedSession> takeOver(const QString& folder, const QString& id) {
    LockedSession left{{fileOf(folder, id), {}, {}, {}}, lockedFor(fileOf(folder, id))};
    if (!left.lock) {
        return std::nullopt;
    }
    const QFileInfo file(left.found.path);
    removeParts(file.filePath());
    if (!file.exists()) {
        removeSession(file.filePath());
        QFile::remove(markOf(file.filePath()));
        return std::nullopt;
    }
    left.found.path = file.absoluteFilePath();
    left.found.time = file.lastModified();
    try {
        const SavedSession session = loadSession(file.filesystemAbsoluteFilePath());
        left.found.image = QFileInfo(QString::fromStdString(session.image.absolute)).fileName();
    } catch (const Error& error) {
        if (QFile::exists(markOf(left.found.path))) {
            return std::nullopt;
        }
        left.found.problem = QString::fromStdString(error.what());
    }
    return left;
}

/// Files of other programs in a folder, the latest first.
std::vector<LockedSession> lockedSessions(const QString& folder, const QString& ownId, const JobControl& control) {
    QSet<QString> ids;
    const QStringList patterns{QStringLiteral("*.lock"), QLatin1Char('*') + QLatin1String(kReported),
                               QStringLiteral("*.") + SessionViewModel::suffix()};
    for (const QFileInfo& file : QDir(folder).entryInfoList(patterns, QDir::Files)) {
        if (!StoredSessions::isKept(file.filePath())) { // kept work is not from a crash
            ids.insert(file.completeBaseName());
        }
    }
    ids.remove(ownId);
    std::vector<LockedSession> all;
    for (const QString& id : std::as_const(ids)) {
        control.throwIfStopped();
        if (auto left = takeOver(folder, id)) {
            all.push_back(std::move(*left));
        }
    }
    std::sort(all.begin(), all.end(),
              [](const LockedSession& a, const LockedSession& b) { return a.found.time > b.found.time; });
    return all;
}

} // namespace

SessionAutosave::SessionAutosave(SessionViewModel& sessions, const QString& folder, QObject* parent)
    : QObject(parent), sessions_(sessions), folder_(folder), worker_(std::make_unique<LatestWinsWorker>()),
      journalWorker_(std::make_unique<LatestWinsWorker>()), journals_(*journalWorker_) {
    QDir().mkpath(folder_);
    const QString id = QStringLiteral("%1-%2")
                           .arg(QCoreApplication::applicationPid())
                           .arg(QUuid::createUuid().toString(QUuid::Id128).left(12));
    path_ = fileOf(folder_, id);
    lock_ = lockedFor(path_);
    look();
    soon_.setSingleShot(true);
    soon_.setInterval(kDelay);
    connect(&soon_, &QTimer::timeout, this, &SessionAutosave::writeNow);
    connect(&sessions_, &SessionViewModel::changed, this, &SessionAutosave::touch);
    connect(&sessions_, &SessionViewModel::pixelsEdited, this, &SessionAutosave::onPixels);
}

SessionAutosave::~SessionAutosave() {
    worker_.reset();
    journalWorker_.reset();
    removeSession(path_);
    for (const QString& path : std::exchange(recovered_, {})) {
        forget(path);
    }
}

QString SessionAutosave::standardFolder() { return QFileInfo(stateFolder() / "autosave").filePath(); }

void SessionAutosave::look() {
    looking_ = true;
    worker_->post(
        Lane::load,
        [folder = folder_, id = QFileInfo(path_).completeBaseName()](const std::stop_token& stop) {
            return lockedSessions(folder, id, JobControl(stop));
        },
        [this](const JobOutcome&, std::vector<LockedSession>& all) {
            looking_ = false;
            for (LockedSession& left : all) {
                locks_[left.found.path] = std::move(left.lock);
                (left.found.problem.isEmpty() ? found_ : unreadable_) << left.found;
            }
            emit foundChanged();
            emit looked();
        });
}

void SessionAutosave::touch() {
    if (!soon_.isActive()) {
        soon_.start();
    }
}

void SessionAutosave::writeNow() {
    soon_.stop();
    const std::filesystem::path path = QFileInfo(path_).filesystemAbsoluteFilePath();
    const bool canSave = sessions_.canSave();
    const SessionDraft draft = canSave ? sessions_.draft() : SessionDraft();
    const bool isOther = !isSame(std::exchange(drafted_, draft.work), draft.work);
    const bool continues = canSave && isSame(draft.work, written_) && !written_.expired();
    if (!continues) { // the session has other objects than the journals
        written_.reset();
    }
    const auto drop = [path, journal = kept_, next = ++journal_] { // the older ones
        const std::lock_guard lock(journal->mutex);
        journal->first = next;
        removeJournals(path, next);
    };
    const auto generation = worker_->post(
        Lane::save,
        [draft, path, canSave, continues, drop, fingerprint = sessions_.fingerprint()](const std::stop_token& stop) {
            if (!continues) {
                drop();
            }
            if (canSave) {
                saveSession(finished(draft, path, *fingerprint, JobControl(stop)), path);
            } else {
                std::filesystem::remove(path);
            }
            drop();
        },
        [this, work = draft.work](LatestWinsWorker::Generation generation, const JobOutcome& outcome) {
            if (outcome.ok() && generation >= firstOfWork_) { // else a session of other objects follows
                onWritten(work);
            }
            onEnd(outcome);
        });
    firstOfWork_ = isOther ? generation : firstOfWork_;
}

void SessionAutosave::onWritten(const std::weak_ptr<LabelWork>& work) {
    written_ = work;
    if (!waiting_.empty() && isSame(work, waitingFor_)) {
        append(std::exchange(waiting_, {}));
    }
}

void SessionAutosave::onPixels(const std::shared_ptr<LabelWork>& work, const std::string& records) {
    journalStart_ = journalStart(work->found()->components.extent());
    if (isSame(work, written_)) {
        append(records);
        return;
    }
    if (!isSame(work, waitingFor_)) {
        waitingFor_ = work;
        waiting_.clear();
    }
    waiting_ += records;
    if (!isSame(work, drafted_)) {
        writeNow();
    }
}

void SessionAutosave::append(const std::string& records) {
    const std::filesystem::path path = journalOf(QFileInfo(path_).filesystemAbsoluteFilePath(), journal_);
    journals_.add(
        [path, records, start = journalStart_, journal = kept_, number = journal_] {
            const std::lock_guard lock(journal->mutex);
            if (number < journal->first) { // the session has these edits
                return;
            }
            const bool isNew = !std::filesystem::exists(path);
            std::ofstream file(path, std::ios::binary | std::ios::app);
            file << (isNew ? start : std::string()) + records << std::flush;
            if (!file) {
                throw Error(ErrorCode::writeFailed, "keep edits: " + path.string() + ": it cannot be written");
            }
        },
        [this](const JobOutcome& outcome) {
            if (!outcome.ok()) {
                onEnd(outcome);
            }
        });
}

void SessionAutosave::onEnd(const JobOutcome& outcome) {
    if (outcome.ok()) {
        for (const QString& path : std::exchange(recovered_, {})) {
            forget(path);
        }
        emit written();
    } else if (outcome.kind == JobOutcome::Kind::failed && !std::exchange(hasFailed_, true)) {
        emit failed(tr("The session is not kept for recovery after a crash"), QString::fromStdString(outcome.message));
    }
}

void SessionAutosave::recover(const QString& path) {
    connect(
        &sessions_, &SessionViewModel::opened, this,
        [this, path](const QString& opened) {
            if (opened == path) {
                recovered_ << path;
                found_.removeIf([&path](const Found& each) { return each.path == path; });
                emit foundChanged();
                touch();
            }
        },
        Qt::SingleShotConnection);
    sessions_.recover(path);
}

void SessionAutosave::discard(const QString& path) {
    const auto isIt = [&path](const Found& each) { return each.path == path; };
    if (found_.removeIf(isIt) + unreadable_.removeIf(isIt) > 0) {
        forget(path);
        emit foundChanged();
    }
}

void SessionAutosave::keep(const QString& path) {
    if (unreadable_.removeIf([&path](const Found& each) { return each.path == path; }) > 0) {
        QFile mark(markOf(path));
        static_cast<void>(mark.open(QIODevice::WriteOnly)); // without the mark it is reported again
        locks_.erase(path);
        emit foundChanged();
    }
}

void SessionAutosave::forget(const QString& path) {
    removeSession(path);
    QFile::remove(markOf(path));
    locks_.erase(path);
}

} // namespace pollard::vm
