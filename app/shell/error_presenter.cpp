#include "shell/error_presenter.hpp"

#include "theme/icons.hpp"

#include <QMessageBox>
#include <QPushButton>
#include <QTextDocument>

namespace pollard::app {
namespace {

QMessageBox* makeBox(QWidget* parent, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, QStringLiteral("Pollard"),
                                QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()), QMessageBox::Ok, parent);
    box->setIconPixmap(themedIcon(QStringLiteral("warning")).pixmap(QSize(40, 40), box->devicePixelRatioF()));
    box->setInformativeText(Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal));
    box->setAttribute(Qt::WA_DeleteOnClose);
    return box;
}

} // namespace

void ErrorPresenter::presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString&,
                                       const std::function<void()>&) {
    present(parent, title, text);
}

void MessageBoxPresenter::present(QWidget* parent, const QString& title, const QString& text) {
    makeBox(parent, title, text)->open();
}

void MessageBoxPresenter::presentWithWayOut(QWidget* parent, const QString& title, const QString& text,
                                            const QString& wayOut, const std::function<void()>& take) {
    QMessageBox* box = makeBox(parent, title, text);
    QPushButton* button = box->addButton(wayOut, QMessageBox::ActionRole);
    box->setDefaultButton(button);
    QObject::connect(button, &QPushButton::clicked, parent, take);
    box->open();
}

} // namespace pollard::app
