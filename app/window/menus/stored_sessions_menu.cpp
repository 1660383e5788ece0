#include "window/menus/stored_sessions_menu.hpp"

#include "shell/notices.hpp"
#include "vm/session/stored_sessions.hpp"
#include "widgets/panel_parts.hpp"
#include "window/welcome_page.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace pollard::app {
namespace {

QString storedSessionsMenuText(const char* source) { return QCoreApplication::translate("KeptWorkMenu", source); }

void resume(Models& models, vm::StoredSessions& sessions, const QString& path) {
    models.leave.leave(&sessions, [&sessions, path] { sessions.resume(path); });
}

void fill(QMenu& menu, Models& models, vm::StoredSessions& sessions) {
    menu.clear();
    int number = 1;
    for (const vm::StoredSessions::Entry& entry : sessions.entries()) {
        const QString title =
            QStringLiteral("%1: %2").arg(entry.name(), entry.summary).replace(u'&', QLatin1String("&&"));
        const QString mark = number < 10 ? QStringLiteral("&") : QString(); // a mnemonic is one character
        QAction* action = menu.addAction(QStringLiteral("%1%2  %3").arg(mark).arg(number++).arg(title));
        action->setObjectName(QStringLiteral("keptWork"));
        action->setToolTip(
            storedSessionsMenuText("Kept on %1: %2")
                .arg(QLocale().toString(entry.time, QLocale::ShortFormat), QDir::toNativeSeparators(entry.image)));
        QObject::connect(action, &QAction::triggered, &sessions,
                         [&models, &sessions, path = entry.path] { resume(models, sessions, path); });
    }
    menu.menuAction()->setEnabled(!sessions.entries().isEmpty());
}

void askToDiscard(QMainWindow& window, vm::StoredSessions& sessions, const QString& path) {
    const QList<vm::StoredSessions::Entry>& entries = sessions.entries();
    const auto entry = std::ranges::find(entries, path, &vm::StoredSessions::Entry::path);
    if (entry == entries.end()) {
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Question, QStringLiteral("Pollard"),
                                storedSessionsMenuText("Discard the work on %1?").arg(entry->name()),
                                QMessageBox::NoButton, &window);
    box->setObjectName(QStringLiteral("discardKept"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        Qt::convertFromPlainText(storedSessionsMenuText("%1, kept on %2")
                                     .arg(entry->summary, QLocale().toString(entry->time, QLocale::ShortFormat)),
                                 Qt::WhiteSpaceNormal));
    QPushButton* discard = box->addButton(storedSessionsMenuText("&Discard"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box->addButton(storedSessionsMenuText("&Cancel"), QMessageBox::RejectRole);
    explain(discard, storedSessionsMenuText("Discard"), storedSessionsMenuText("The image itself stays as it is"));
    explain(cancel, storedSessionsMenuText("Cancel"), storedSessionsMenuText("The work stays"));
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    QObject::connect(discard, &QPushButton::clicked, &sessions, [&sessions, path] { sessions.discard(path); });
    box->open();
}

} // namespace

void addStoredSessions(QMainWindow& window, Models& models, vm::StoredSessions& sessions, ErrorPresenter& errors) {
    models.leave.setKept(&sessions);
    QMenu* file = window.menuBar()->actions().constFirst()->menu();
    auto* menu = new QMenu(storedSessionsMenuText("&Kept work"), file);
    menu->setObjectName(QStringLiteral("keptWorkMenu"));
    menu->setToolTipsVisible(true);
    menu->menuAction()->setToolTip(storedSessionsMenuText("Continue work that was kept when its image was closed"));
    const QList<QAction*> entries = file->actions();
    const auto before = std::ranges::find(entries, QStringLiteral("openRaw"), &QObject::objectName);
    file->insertMenu(before == entries.end() ? nullptr : *before, menu);
    const auto refresh = [menu, &models, &sessions] { fill(*menu, models, sessions); };
    QObject::connect(&sessions, &vm::StoredSessions::entriesChanged, menu, refresh);
    // Other processes keep work, too.
    QObject::connect(file, &QMenu::aboutToShow, &sessions, &vm::StoredSessions::look);
    refresh();
    presentErrors(window, errors, sessions, &vm::StoredSessions::failed);
    if (auto* welcome = window.findChild<WelcomePage*>(); welcome != nullptr) {
        welcome->showStoredSessions(sessions);
        QObject::connect(welcome, &WelcomePage::sessionChosen, &sessions,
                         [&models, &sessions](const QString& path) { resume(models, sessions, path); });
        QObject::connect(welcome, &WelcomePage::sessionDiscarded, &window,
                         [&window, &sessions](const QString& path) { askToDiscard(window, sessions, path); });
    }
}

} // namespace pollard::app
