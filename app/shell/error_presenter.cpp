#include "shell/error_presenter.hpp"

#include "theme/icons.hpp"

#include <QMessageBox>

namespace pollard::app {

void MessageBoxPresenter::present(QWidget* parent, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, QStringLiteral("Pollard"),
                                QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()), QMessageBox::Ok, parent);
    box->setIconPixmap(themedIcon(QStringLiteral("warning")).pixmap(QSize(40, 40), box->devicePixelRatioF()));
    box->setInformativeText(text.toHtmlEscaped());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace pollard::app
