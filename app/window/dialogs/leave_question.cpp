#include "window/dialogs/leave_question.hpp"

#include "shell/notices.hpp"
#include "widgets/panel_parts.hpp"
#include "window/dialogs/batch_dialog.hpp"
#include "window/dialogs/chunk_filter_dialog.hpp"
#include "window/files/session_files.hpp"

#include <QCheckBox>
#include <QCoreApplication>
#include <QEventLoop>
#include <QMainWindow>
#include <QPointer>
#include <QPushButton>

#include <optional>

namespace pollard::app {
namespace {

using Leave = vm::LeaveViewModel;

QString leaveQuestionText(const char* source) { return QCoreApplication::translate("LeaveQuestion", source); }

void saveWork(QMainWindow& window, Models& models) {
    const QString known = models.sessions.path();
    const QString path = known.isEmpty() ? askWhereToSaveSession(window, models) : known;
    models.leave.answer(path.isEmpty() ? Leave::Answer::cancel : Leave::Answer::save, path);
}

void ask(QMainWindow& window, Models& models) {
    auto* box = new QMessageBox(QMessageBox::Question, QStringLiteral("Pollard"), models.leave.question(),
                                QMessageBox::NoButton, &window);
    box->setObjectName(QStringLiteral("leaveWork"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(Qt::convertFromPlainText(models.leave.details(), Qt::WhiteSpaceNormal));
    QPushButton* keep = box->addButton(leaveQuestionText("&Keep for next time"), QMessageBox::AcceptRole);
    QPushButton* save = box->addButton(models.sessions.path().isEmpty() ? leaveQuestionText("&Save session…")
                                                                        : leaveQuestionText("&Save session"),
                                       QMessageBox::ActionRole);
    QPushButton* discard = box->addButton(leaveQuestionText("&Discard"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box->addButton(leaveQuestionText("&Cancel"), QMessageBox::RejectRole);
    explain(keep, leaveQuestionText("Keep for next time"),
            leaveQuestionText("The start page and File > Kept work offer to continue it"));
    explain(save, leaveQuestionText("Save session"),
            leaveQuestionText("Save it as a session in a file of your choice"));
    explain(discard, leaveQuestionText("Discard"),
            leaveQuestionText("The work on this image is lost; the image stays as it is"));
    explain(cancel, leaveQuestionText("Cancel"), leaveQuestionText("Nothing is closed or opened"));
    auto* always = new QCheckBox(leaveQuestionText("Keep &without asking from now on"), box);
    always->setObjectName(QStringLiteral("leaveWithoutAsking"));
    explain(always, leaveQuestionText("Keep without asking from now on"),
            leaveQuestionText("File > Preferences > Files turns the question on again"));
    box->setCheckBox(always);
    box->setDefaultButton(keep);
    box->setEscapeButton(cancel);
    QObject::connect(box, &QMessageBox::finished, &window, [&window, &models, box, keep, save, discard, always] {
        const QAbstractButton* clicked = box->clickedButton();
        if (always->isChecked() && (clicked == keep || clicked == save)) {
            models.settings.setAskingAboutWork(false);
        }
        if (clicked == save) {
            saveWork(window, models);
        } else {
            models.leave.answer(clicked == keep      ? Leave::Answer::keep
                                : clicked == discard ? Leave::Answer::discard
                                                     : Leave::Answer::cancel);
        }
    });
    // Closes the question if it is answered elsewhere.
    QObject::connect(&models.leave, &Leave::askingChanged, box, [box, &models] {
        if (!models.leave.isAsking()) {
            box->close();
        }
    });
    box->open();
}

bool leaveWorkAtLogout(QMainWindow& window, Models& models, bool mayAsk) {
    if (models.leave.isFree()) {
        return true;
    }
    QEventLoop loop;
    std::optional<bool> gone;
    QObject::connect(&models.leave, &Leave::ended, &loop, [&](bool left) {
        gone = left;
        loop.quit();
    });
    if (mayAsk) {
        models.leave.leave(&window, [] {});
    } else {
        models.leave.leaveKept(&window, [] {});
    }
    if (!gone) {
        loop.exec();
    }
    return gone.value_or(false);
}

} // namespace

void addLeaveQuestion(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    QObject::connect(&models.leave, &Leave::askingChanged, &window, [&window, &models] {
        if (models.leave.isAsking()) {
            ask(window, models);
        }
    });
    presentErrors(window, errors, models.leave, &Leave::failed);
}

bool leaveAtLogout(QMainWindow& window, Models& models, bool mayAsk) {
    if ((mayAsk && (!mayStopBatch(window) || !mayInterruptChunkFilter(window, models.chunkFilter))) ||
        !leaveWorkAtLogout(window, models, mayAsk)) {
        return false;
    }
    models.chunkFilter.interrupt();
    if (auto* batch = window.findChild<BatchDialog*>()) {
        batch->stop(); // the window is closed next, without a question
    }
    return true;
}

StopQuestion::StopQuestion(QWidget& window, const QString& name)
    : box(QMessageBox::Question, QStringLiteral("Pollard"), QString(), QMessageBox::NoButton, &window),
      wasAsked(window.findChild<QMessageBox*>(name) != nullptr) {
    box.setObjectName(name);
    box.setTextFormat(Qt::PlainText);
}

QPushButton* StopQuestion::add(const QString& text, QMessageBox::ButtonRole role, const QString& name,
                               const QString& does) {
    QPushButton* const button = box.addButton(text, role);
    explain(button, name, does);
    return button;
}

void StopQuestion::addDefault(const QString& text, const QString& name, const QString& does) {
    QPushButton* const button = add(text, QMessageBox::RejectRole, name, does);
    box.setDefaultButton(button);
    box.setEscapeButton(button);
}

const QAbstractButton* StopQuestion::answer() {
    box.exec();
    return box.clickedButton();
}

} // namespace pollard::app
