#include "vm/session/session_autosave.hpp"

#include "vm/session/session_view_model.hpp"
#include "vm/session/stored_sessions.hpp"

#include "base/error.hpp"
#include "base/state_folder.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QUuid>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr auto kTold = ".told"; ///< suffix of the mark that an unreadable session was reported

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

QString markOf(const QString& path) {
    const QFileInfo file(path);
    return file.dir().filePath(file.completeBaseName() + QLatin1String(kTold));
}

/// A file left after a crash, with its lock.
struct Left {
    SessionAutosave::Found found;
    std::unique_ptr<QLockFile> lock;
};

/// Takes the file of a program, unless that still runs.
std::optional<Left> takeOver(const QString& folder, const QString& id) {
    Left left{{fileOf(folder, id), {}, {}, {}}, lockedFor(fileOf(folder, id))};
    if (!left.lock) {
        return std::nullopt;
    }
    const QFileInfo file(left.found.path);
    removeParts(file.filePath());
    if (!file.exists()) {
        QFile::remove(markOf(file.filePath()));
        return std::nullopt;
    }
    left.found.path = file.absoluteFilePath();
    left.found.time = file.lastModified();
    try {
        const SavedSession session = loadSession(file.filesystemAbsoluteFilePath());
        left.found.picture = QFileInfo(QString::fromStdString(session.image.absolute)).fileName();
    } catch (const Error& error) {
        if (QFile::exists(markOf(left.found.path))) {
            return std::nullopt;
        }
        left.found.problem = QString::fromStdString(error.what());
    }
    return left;
}

/// Files of other programs in a folder, the latest first.
std::vector<Left> lookIn(const QString& folder, const QString& ownId, const JobControl& control) {
    QSet<QString> ids;
    const QStringList patterns{QStringLiteral("*.lock"), QLatin1Char('*') + QLatin1String(kTold),
                               QStringLiteral("*.") + SessionViewModel::suffix()};
    for (const QFileInfo& file : QDir(folder).entryInfoList(patterns, QDir::Files)) {
        if (!StoredSessions::isKept(file.filePath())) { // kept work is not from a crash
            ids.insert(file.completeBaseName());
        }
    }
    ids.remove(ownId);
    std::vector<Left> all;
    for (const QString& id : std::as_const(ids)) {
        control.throwIfStopped();
        if (auto left = takeOver(folder, id)) {
            all.push_back(std::move(*left));
        }
    }
    std::sort(all.begin(), all.end(), [](const Left& a, const Left& b) { return a.found.time > b.found.time; });
    return all;
}

} // namespace

SessionAutosave::SessionAutosave(SessionViewModel& sessions, const QString& folder, QObject* parent)
    : QObject(parent), sessions_(sessions), folder_(folder), worker_(std::make_unique<LatestWinsWorker>()) {
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
    looking_ = true;
    worker_->post(
        Lane::load,
        [folder = folder_, id = QFileInfo(path_).completeBaseName()](const std::stop_token& stop) {
            return lookIn(folder, id, JobControl(stop));
        },
        [this](const JobOutcome&, std::vector<Left>& all) {
            looking_ = false;
            for (Left& left : all) {
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
    QFile::remove(path);
    QFile::remove(markOf(path));
    locks_.erase(path);
}

} // namespace pollard::vm
