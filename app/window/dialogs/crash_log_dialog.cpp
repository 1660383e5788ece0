#include "window/dialogs/crash_log_dialog.hpp"

#include "widgets/panel_parts.hpp"
#include "widgets/screen_size.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

constexpr QSize kFirstSize(720, 480);

QString crashLogText(const char* source) { return QCoreApplication::translate("CrashLog", source); }

} // namespace

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
    resizeOnScreen(*dialog, kFirstSize);
    dialog->open();
}

} // namespace pollard::app
