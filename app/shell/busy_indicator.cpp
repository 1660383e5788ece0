#include "shell/busy_indicator.hpp"

#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QStatusBar>

#include <utility>

namespace pollard::app {
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

BusyIndicator* makeWritingSign(QMainWindow& window, const QString& objectName, const std::function<bool()>& isWriting) {
    return new BusyIndicator(window, objectName,
                             [isWriting] { return isWriting() ? BusyIndicator::tr("Writing a file…") : QString(); });
}

void showWriting(QMainWindow& window, const QString& objectName, const vm::FileExport& files) {
    auto* sign = makeWritingSign(window, objectName, [&files] { return files.isBusy(); });
    QObject::connect(&files, &vm::FileExport::availableChanged, sign, &BusyIndicator::look);
}

} // namespace pollard::app
