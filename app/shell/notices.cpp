#include "shell/notices.hpp"

#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTextDocument>

#include <utility>

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

namespace {

constexpr int kNoticeTime = 8000; ///< ms

QString noticesText(const char* source) { return QCoreApplication::translate("Notices", source); }

} // namespace

void showNotice(QMainWindow& window, const QString& notice) { window.statusBar()->showMessage(notice, kNoticeTime); }

void showSaved(QMainWindow& window, const QString& path, const Models& models) {
    const QFileInfo file(path);
    QString notice = noticesText("Saved %1 in %2").arg(file.fileName(), QDir::toNativeSeparators(file.absolutePath()));
    if (path.endsWith(QLatin1String(".geojson")) && !models.map.problem().isEmpty()) {
        notice += QStringLiteral(" · ") + noticesText("in pixels: %1").arg(models.map.problem());
    }
    if (auto* button = window.statusBar()->findChild<FolderButton*>()) {
        button->offer(file.absolutePath(), notice);
    }
    showNotice(window, notice);
}

namespace {

constexpr int kWidth = 80; ///< px, of the bar
constexpr int kHeight = 8;

} // namespace

BusyIndicator::BusyIndicator(QMainWindow& window, const QString& objectName, std::function<QString()> work)
    : QWidget(window.statusBar()), work_(std::move(work)), text_(new CaptionLabel({}, this)) {
    setObjectName(objectName);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* bar = new QProgressBar(this);
    bar->setRange(0, 0); // moves without a known end
    bar->setTextVisible(false);
    bar->setFixedWidth(kWidth);
    bar->setMaximumHeight(kHeight);
    bar->setAccessibleName(tr("Progress"));
    row->addWidget(text_);
    row->addWidget(bar);
    window.statusBar()->addPermanentWidget(this);
    hide();
    delay_.setSingleShot(true);
    delay_.setInterval(kPatience);
    connect(&delay_, &QTimer::timeout, this, [this] { setVisible(!work_().isEmpty()); });
}

void BusyIndicator::look() {
    const QString work = work_();
    if (work.isEmpty()) {
        delay_.stop();
        hide();
        return;
    }
    text_->setText(work);
    if (isHidden() && !delay_.isActive()) {
        delay_.start();
    }
}

BusyIndicator* makeWritingIndicator(QMainWindow& window, const QString& objectName,
                                    const std::function<bool()>& isWriting) {
    return new BusyIndicator(window, objectName,
                             [isWriting] { return isWriting() ? BusyIndicator::tr("Writing a file…") : QString(); });
}

void showWriting(QMainWindow& window, const QString& objectName, const vm::FileExport& files) {
    auto* sign = makeWritingIndicator(window, objectName, [&files] { return files.isBusy(); });
    QObject::connect(&files, &vm::FileExport::availableChanged, sign, &BusyIndicator::look);
}

} // namespace pollard::app
