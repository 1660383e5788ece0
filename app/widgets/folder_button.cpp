#include "widgets/folder_button.hpp"

#include "widgets/panel_parts.hpp"

#include <QDesktopServices>
#include <QUrl>

namespace pollard::app {

FolderButton::FolderButton(QStatusBar& bar) : QToolButton(&bar) {
    setObjectName(QStringLiteral("showInFolder"));
    setText(tr("Show in folder"));
    setAutoRaise(true);
    hide();
    connect(&bar, &QStatusBar::messageChanged, this,
            [this](const QString& shown) { setVisible(!shown.isEmpty() && shown == notice_); });
    connect(this, &QToolButton::clicked, this, [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder_)); });
}

void FolderButton::offer(const QString& folder, const QString& notice) {
    folder_ = folder;
    notice_ = notice;
    explain(this, tr("Show in folder"), tr("Open %1 in the file manager").arg(folder));
}

} // namespace pollard::app
