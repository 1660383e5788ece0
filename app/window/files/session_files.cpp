#include "window/files/session_files.hpp"

#include "base/crash_log.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/session/stored_sessions.hpp"
#include "widgets/panel_parts.hpp"
#include "window/workspaces.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QString>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr QSize kCrashLogSize(720, 480);

QString crashLogText(const char* source) { return QCoreApplication::translate("CrashLog", source); }

/// Shows the text of a crash log with the path of its file.
void showCrashLog(QWidget& parent, const QString& path) {
    auto* dialog = new QDialog(&parent);
    dialog->setObjectName(QStringLiteral("crashLog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(crashLogText("Crash log"));
    auto* layout = new QVBoxLayout(dialog);
    auto* place = new QLabel(
        crashLogText("It stays on this computer: nothing was sent. To report the crash, pass on this text or "
                     "the file %1.")
            .arg(QDir::toNativeSeparators(path)),
        dialog);
    place->setTextFormat(Qt::PlainText);
    place->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    place->setWordWrap(true);
    explain(place, crashLogText("Place of the crash log"), crashLogText("Where the crash log is kept"));
    layout->addWidget(place);
    QFile file(path);
    const bool isThere = file.open(QIODevice::ReadOnly);
    auto* log = new QPlainTextEdit(isThere ? QString::fromUtf8(file.readAll()) : file.errorString(), dialog);
    log->setObjectName(QStringLiteral("crashLogText"));
    log->setReadOnly(true);
    log->setTabChangesFocus(true);
    log->setLineWrapMode(QPlainTextEdit::NoWrap);
    log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    explain(log, crashLogText("Crash log"), crashLogText("Text that the program wrote when it crashed"));
    layout->addWidget(log, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy = buttons->addButton(crashLogText("&Copy"), QDialogButtonBox::ActionRole);
    explain(copy, crashLogText("Copy"), crashLogText("Copy the crash log to the clipboard"));
    layout->addWidget(buttons);
    QObject::connect(copy, &QPushButton::clicked, log,
                     [log] { QGuiApplication::clipboard()->setText(log->toPlainText()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    resizeOnScreen(*dialog, kCrashLogSize);
    dialog->open();
}

QString sessionFilesText(const char* source) { return QCoreApplication::translate("SessionFiles", source); }

QString nameFilter() { return sessionFilesText("Pollard session (*.%1)").arg(vm::SessionViewModel::suffix()); }

/// The menu entry with this object name.
QAction* entryNamed(const QMenu& menu, const QString& name) {
    const QList<QAction*> entries = menu.actions();
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&name](const QAction* action) { return action->objectName() == name; });
    return found == entries.end() ? nullptr : *found;
}

void openSession(QMainWindow& window, Models& models) {
    const QString path = QFileDialog::getOpenFileName(&window, sessionFilesText("Open a session"),
                                                      models.settings.lastDirectory(), nameFilter());
    if (!path.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(path).absolutePath());
        models.openFile(path);
    }
}

void saveSessionAs(QMainWindow& window, Models& models) {
    const QString path = askWhereToSaveSession(window, models);
    if (!path.isEmpty()) {
        models.sessions.save(path);
    }
}

/// Asks whether a session that another window changed is overwritten.
void askAboutChange(QMainWindow& window, Models& models, const QString& path) {
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Pollard"),
                                sessionFilesText("%1 was changed by another window").arg(QFileInfo(path).fileName()),
                                QMessageBox::Cancel, &window);
    box->setObjectName(QStringLiteral("sessionChanged"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(sessionFilesText("It is not the session that this window opened or saved."));
    QPushButton* saveAs = box->addButton(sessionFilesText("Save &as…"), QMessageBox::AcceptRole);
    QPushButton* overwrite = box->addButton(sessionFilesText("&Overwrite"), QMessageBox::DestructiveRole);
    explain(saveAs, sessionFilesText("Save as"), sessionFilesText("Save the session as another file"));
    explain(overwrite, sessionFilesText("Overwrite"), sessionFilesText("The changes of the other window are lost"));
    box->setDefaultButton(saveAs);
    QObject::connect(
        saveAs, &QPushButton::clicked, &window, [&window, &models] { saveSessionAs(window, models); },
        Qt::QueuedConnection);
    QObject::connect(overwrite, &QPushButton::clicked, &models.sessions, &vm::SessionViewModel::overwrite);
    box->open();
}

void locateImage(QMainWindow& window, Models& models) {
    const QString path = askForImage(window, models);
    if (!path.isEmpty()) {
        models.sessions.locate(path);
    }
}

/// The log of the process that wrote an autosaved session; empty if there is none. Both file names contain the process
/// number. A log that is much older than the session comes from an earlier process with the same number. A log may be
/// slightly older, because one thread may write the session while another writes the log.
QString logOfCrash(const QFileInfo& session) {
    constexpr int kSecondsApart = 10;
    const long process = session.fileName().section(u'-', 0, 0).toLong();
    for (const CrashLog& log : crashLogs(crashFolder())) {
        const QFileInfo file(log.path);
        if (log.program == "pollard" && log.process == process &&
            file.lastModified().addSecs(kSecondsApart) >= session.lastModified()) {
            return file.filePath();
        }
    }
    return {};
}

/// Path of a file in the folder of the logs that has the name of the latest log shown to the user.
QString reportedLogPath() { return QFileInfo(crashFolder() / "told").filePath(); }

/// The latest log of the window if it has not been shown; else empty.
QString unreportedLog() {
    QFile record(reportedLogPath());
    const QString last = record.open(QIODevice::ReadOnly) ? QString::fromUtf8(record.readAll()) : QString();
    for (const CrashLog& log : crashLogs(crashFolder())) {
        if (log.program == "pollard") {
            const QFileInfo file(log.path); // names start with the time
            return file.fileName() > last ? file.filePath() : QString();
        }
    }
    return {};
}

void markAsReported(const QString& log) {
    QSaveFile record(reportedLogPath());
    if (record.open(QIODevice::WriteOnly)) { // if this fails, the log is shown again
        record.write(QFileInfo(log).fileName().toUtf8());
        record.commit();
    }
}

/// Adds a button to a box that shows a log.
void addCrashLog(QMessageBox& box, const QString& log) {
    QPushButton* show = box.addButton(sessionFilesText("&Show the crash log"), QMessageBox::ActionRole);
    explain(show, sessionFilesText("Show the crash log"),
            sessionFilesText("The text that the program wrote when it crashed: %1").arg(log));
    QObject::disconnect(show, &QPushButton::clicked, nullptr, nullptr); // so that it does not close the box
    QObject::connect(show, &QPushButton::clicked, &box, [&box, log] { showCrashLog(box, log); });
}

} // namespace

QString askWhereToSaveSession(QMainWindow& window, Models& models) {
    return askWhereToSave(window, models,
                          {sessionFilesText("Save the session"), nameFilter(), {}, vm::SessionViewModel::suffix()});
}

void addSessionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    vm::SessionViewModel& sessions = models.sessions;
    QMenu* file = window.menuBar()->actions().constFirst()->menu();
    QAction* open = makeAction({QStringLiteral("openSession"),
                                sessionFilesText("Open sess&ion…"),
                                sessionFilesText("Open an image with all its work"),
                                {},
                                {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}},
                               &window);
    QAction* save =
        makeAction({QStringLiteral("saveSession"),
                    sessionFilesText("Save sessio&n"),
                    sessionFilesText("Save the image's place, filter, regions, selections, contours and view"),
                    {},
                    {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}},
                   &window);
    QAction* saveAs = makeAction({QStringLiteral("saveSessionAs"),
                                  sessionFilesText("Save session &as…"),
                                  sessionFilesText("Save the session as another file"),
                                  {},
                                  {}},
                                 &window);
    file->insertAction(entryNamed(*file, QStringLiteral("save")), open);
    QAction* next = entryNamed(*file, QStringLiteral("exportView"));
    file->insertActions(next, {save, saveAs});
    QObject::connect(open, &QAction::triggered, &window, [&window, &models] { openSession(window, models); });
    QObject::connect(save, &QAction::triggered, &window, [&window, &models] {
        models.sessions.path().isEmpty() ? saveSessionAs(window, models) : models.sessions.save();
    });
    QObject::connect(saveAs, &QAction::triggered, &window, [&window, &models] { saveSessionAs(window, models); });
    const auto enable = [save, saveAs, &sessions] {
        save->setEnabled(sessions.canSave());
        saveAs->setEnabled(sessions.canSave());
    };
    QObject::connect(&sessions, &vm::SessionViewModel::canSaveChanged, save, enable);
    enable();

    sessions.setDocks([&window] { return window.findChild<Workspaces*>()->toText(); });
    QObject::connect(&window, &QObject::destroyed, &sessions, [&sessions] { sessions.setDocks({}); });
    QObject::connect(&sessions, &vm::SessionViewModel::docksFound, &window,
                     [&window](const QString& docks) { window.findChild<Workspaces*>()->take(docks); });
    reportFiles(window, models, errors, sessions);
    QObject::connect(&sessions, &vm::SessionViewModel::changedOutside, &window,
                     [&window, &models](const QString& path) { askAboutChange(window, models, path); });
    auto* writing =
        makeWritingIndicator(window, QStringLiteral("sessionWriting"), [&sessions] { return sessions.isSaving(); });
    QObject::connect(&sessions, &vm::SessionViewModel::savingChanged, writing, &BusyIndicator::look);
    showNotices(window, sessions);
    QObject::connect(
        &sessions, &vm::SessionViewModel::imageMissing, &window, [&window, &models, &errors](const QString& image) {
            errors.presentWithWayOut(&window, sessionFilesText("The image of the session was not found"),
                                     sessionFilesText("It is neither beside the session nor at %1.").arg(image),
                                     sessionFilesText("Locate image…"),
                                     [&window, &models] { locateImage(window, models); });
        });
}

namespace {

/// A box for questions about autosaved sessions and crashes.
QMessageBox* makeBox(QMainWindow& window, QMessageBox::Icon icon, const QString& name, const QString& title,
                     const QString& message) {
    auto* box = new QMessageBox(icon, QStringLiteral("Pollard"), title, QMessageBox::NoButton, &window);
    box->setObjectName(name);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(Qt::convertFromPlainText(message, Qt::WhiteSpaceNormal));
    return box;
}

void reportUnreadable(QMainWindow& window, vm::SessionAutosave& autosave, const vm::SessionAutosave::Found& found) {
    QMessageBox* box = makeBox(
        window, QMessageBox::Warning, QStringLiteral("unreadable"),
        sessionFilesText("Earlier work that was kept cannot be read"),
        sessionFilesText("It is of %1. %2").arg(QLocale().toString(found.time, QLocale::ShortFormat), found.problem));
    QPushButton* discard = box->addButton(sessionFilesText("&Delete"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(sessionFilesText("&Keep"), QMessageBox::RejectRole);
    explain(discard, sessionFilesText("Delete"), sessionFilesText("Delete the file"));
    explain(keep, sessionFilesText("Keep"),
            sessionFilesText("Leave the file in its place, and do not mention it again"));
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(discard, &QPushButton::clicked, &window, [&window, &autosave, path = found.path] {
        autosave.discard(path);
        offerRecovery(window, autosave);
    });
    QObject::connect(keep, &QPushButton::clicked, &window, [&window, &autosave, path = found.path] {
        autosave.keep(path);
        offerRecovery(window, autosave);
    });
    box->open();
}

void askAbout(QMainWindow& window, vm::SessionAutosave& autosave, const vm::SessionAutosave::Found& found) {
    QMessageBox* box = makeBox(window, QMessageBox::Question, QStringLiteral("recovery"),
                               sessionFilesText("Pollard did not end properly"),
                               sessionFilesText("The work on %1 was kept on %2. Continue it?")
                                   .arg(found.image, QLocale().toString(found.time, QLocale::ShortFormat)));
    QPushButton* recover = box->addButton(sessionFilesText("&Recover"), QMessageBox::AcceptRole);
    QPushButton* discard = box->addButton(sessionFilesText("&Delete"), QMessageBox::DestructiveRole);
    QPushButton* later = box->addButton(sessionFilesText("&Later"), QMessageBox::RejectRole);
    explain(recover, sessionFilesText("Recover"), sessionFilesText("Open the image with all that was done with it"));
    explain(discard, sessionFilesText("Delete"), sessionFilesText("Delete the kept work"));
    explain(later, sessionFilesText("Later"), sessionFilesText("Ask again at the next start"));
    if (const QString log = logOfCrash(QFileInfo(found.path)); !log.isEmpty()) {
        addCrashLog(*box, log);
        markAsReported(log);
    }
    box->setDefaultButton(recover);
    box->setEscapeButton(later);
    QObject::connect(recover, &QPushButton::clicked, &window,
                     [&autosave, path = found.path] { autosave.recover(path); });
    QObject::connect(discard, &QPushButton::clicked, &window, [&window, &autosave, path = found.path] {
        autosave.discard(path);
        offerRecovery(window, autosave);
    });
    box->open();
}

/// Reports a crash without an autosaved session.
void reportCrash(QMainWindow& window, const QString& log) {
    QMessageBox* box = makeBox(
        window, QMessageBox::Information, QStringLiteral("crashed"), sessionFilesText("Pollard did not end properly"),
        sessionFilesText(
            "It crashed on %1. There is no unsaved work to recover. The crash log can help to find the cause.")
            .arg(QLocale().toString(QFileInfo(log).lastModified(), QLocale::ShortFormat)));
    addCrashLog(*box, log);
    QPushButton* close = box->addButton(QMessageBox::Close);
    explain(close, sessionFilesText("Close"), sessionFilesText("Do not mention this crash again"));
    box->setDefaultButton(close);
    box->setEscapeButton(close);
    markAsReported(log);
    box->open();
}

} // namespace

void offerRecovery(QMainWindow& window, vm::SessionAutosave& autosave) {
    if (autosave.isLooking()) {
        QObject::connect(
            &autosave, &vm::SessionAutosave::looked, &window, [&window, &autosave] { offerRecovery(window, autosave); },
            Qt::SingleShotConnection);
    } else if (!autosave.unreadable().isEmpty()) {
        reportUnreadable(window, autosave, autosave.unreadable().constFirst());
    } else if (!autosave.found().isEmpty()) {
        askAbout(window, autosave, autosave.found().constFirst());
    } else if (const QString log = unreportedLog(); !log.isEmpty()) {
        reportCrash(window, log);
    }
}

} // namespace pollard::app
