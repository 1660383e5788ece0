#include "shell/error_presenter.hpp"

#include <QMessageBox>

namespace pollard::app {

void MessageBoxPresenter::present(QWidget* parent, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Pollard"),
                                QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()), QMessageBox::Ok, parent);
    box->setInformativeText(text.toHtmlEscaped());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace pollard::app
