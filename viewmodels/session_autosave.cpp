#include "session_autosave.hpp"

#include "session_view_model.hpp"

#include "base/error.hpp"
#include "base/state_folder.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr qint64 kMostBytesToName = qint64{8} << 20U; ///< of a file that is read to say what it is

QString lockOf(const QString& folder, const QString& id) { return QDir(folder).filePath(id + QStringLiteral(".lock")); }

QString fileOf(const QString& folder, const QString& id) {
    return QDir(folder).filePath(id + u'.' + SessionViewModel::suffix());
}

/// What a write that was broken off left beside a file.
void removeParts(const QString& path) {
    const QFileInfo file(path);
    const QStringList pattern{u'.' + file.fileName() + QStringLiteral(".part-*")};
    QDir folder = file.dir();
    for (const QString& part : folder.entryList(pattern, QDir::Files | QDir::Hidden)) {
        folder.remove(part);
    }
}

} // namespace

SessionAutosave::SessionAutosave(SessionViewModel& sessions, const QString& folder, QObject* parent)
    : QObject(parent), sessions_(sessions), folder_(folder), worker_(std::make_unique<LatestWinsWorker>()) {
    QDir().mkpath(folder_);
    look();
    const QString id = QStringLiteral("%1-%2")
                           .arg(QCoreApplication::applicationPid())
                           .arg(QUuid::createUuid().toString(QUuid::Id128).left(12));
    path_ = fileOf(folder_, id);
    lock_ = std::make_unique<QLockFile>(lockOf(folder_, id));
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);
    soon_.setSingleShot(true);
    soon_.setInterval(kDelay);
    connect(&soon_, &QTimer::timeout, this, &SessionAutosave::writeNow);
    connect(&sessions_, &SessionViewModel::changed, this, &SessionAutosave::touch);
}

SessionAutosave::~SessionAutosave() {
    worker_.reset();
    QFile::remove(path_);
    for (const QString& path : std::exchange(recovered_, {})) {
        forget(path);
    }
}

QString SessionAutosave::standardFolder() { return QFileInfo(stateFolder() / "autosave").filePath(); }

void SessionAutosave::look() {
    QSet<QString> ids;
    const QStringList patterns{QStringLiteral("*.lock"), QStringLiteral("*.") + SessionViewModel::suffix()};
    for (const QFileInfo& file : QDir(folder_).entryInfoList(patterns, QDir::Files)) {
        ids.insert(file.completeBaseName());
    }
    for (const QString& id : std::as_const(ids)) {
        takeOver(id);
    }
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.time > b.time; });
}

/// Takes what a program left behind, unless it still runs.
void SessionAutosave::takeOver(const QString& id) {
    auto lock = std::make_unique<QLockFile>(lockOf(folder_, id));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) {
        return;
    }
    const QFileInfo file(fileOf(folder_, id));
    removeParts(file.filePath());
    if (!file.exists()) {
        return;
    }
    Found found{file.absoluteFilePath(), file.lastModified(), {}};
    if (file.size() <= kMostBytesToName) {
        try {
            const SavedSession session = loadSession(file.filesystemAbsoluteFilePath());
            found.picture = QFileInfo(QString::fromStdString(session.image.absolute)).fileName();
        } catch (const Error&) {
            return; // whatever it is, this program cannot open it
        }
    }
    locks_[found.path] = std::move(lock);
    found_ << found;
}

void SessionAutosave::touch() {
    if (!soon_.isActive()) {
        soon_.start();
    }
}

void SessionAutosave::writeNow() {
    soon_.stop();
    const std::filesystem::path path = QFileInfo(path_).filesystemAbsoluteFilePath();
    const auto done = [this](LatestWinsWorker::Generation, const JobOutcome& outcome) { onEnd(outcome); };
    if (!sessions_.canSave()) {
        worker_->post(
            Lane::save, [path](const std::stop_token&) { std::filesystem::remove(path); }, done);
        return;
    }
    worker_->post(
        Lane::save,
        [draft = sessions_.draft(), path, fingerprint = sessions_.fingerprint()](const std::stop_token& stop) {
            saveSession(finished(draft, path, *fingerprint, JobControl(stop)), path);
        },
        done);
}

void SessionAutosave::onEnd(const JobOutcome& outcome) {
    if (outcome.ok()) {
        for (const QString& path : std::exchange(recovered_, {})) {
            forget(path);
        }
        emit written();
    } else if (outcome.kind == JobOutcome::Kind::failed && !std::exchange(hasFailed_, true)) {
        emit failed(tr("The session is not kept for the case of a crash"), QString::fromStdString(outcome.message));
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
    if (found_.removeIf([&path](const Found& each) { return each.path == path; }) > 0) {
        forget(path);
        emit foundChanged();
    }
}

void SessionAutosave::forget(const QString& path) {
    QFile::remove(path);
    locks_.erase(path);
}

} // namespace pollard::vm
