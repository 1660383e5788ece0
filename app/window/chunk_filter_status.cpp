#include "window/chunk_filter_status.hpp"

#include "vm/batch/chunk_filter_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <initializer_list>

namespace pollard::app {
namespace {

constexpr int kPlace = 1;      ///< in the status bar, after the pixel under the pointer
constexpr int kBarWidth = 100; ///< px
constexpr int kBarHeight = 8;
constexpr int kSteps = 1000;
constexpr int kNameWidth = 240; ///< px, of the name of the result

QToolButton* makeTextButton(QWidget* parent, const char* objectName, const QString& icon, const QString& text,
                            const QString& toolTip) {
    QToolButton* button = makeIconButton(parent, objectName, icon, text, toolTip);
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

} // namespace

ChunkFilterStatus::ChunkFilterStatus(QMainWindow& window, vm::ChunkFilterViewModel& whole)
    : QWidget(window.statusBar()), whole_(whole), text_(new QLabel(this)), progress_(new QProgressBar(this)),
      cancel_(makeTextButton(this, "wholeCancel", QStringLiteral("cancel"), tr("Cancel"),
                             tr("Stop filtering the whole picture, and keep or remove the work done so far"))),
      open_(makeTextButton(this, "wholeOpen", QStringLiteral("open"), tr("Open"), tr("Open the result"))),
      close_(makeIconButton(this, "wholeClose", QStringLiteral("cancel"), tr("Close"), tr("Close this notice"))) {
    setObjectName(QStringLiteral("wholeSign"));
    text_->setObjectName(QStringLiteral("wholeText"));
    progress_->setRange(0, kSteps);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(kBarWidth);
    progress_->setMaximumHeight(kBarHeight);
    progress_->setAccessibleName(tr("Progress of the whole picture"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    for (QWidget* part : std::initializer_list<QWidget*>{text_, progress_, cancel_, open_, close_}) {
        row->addWidget(part);
    }
    window.statusBar()->insertPermanentWidget(kPlace, this);
    connect(cancel_, &QToolButton::clicked, this, &ChunkFilterStatus::cancelWanted);
    connect(close_, &QToolButton::clicked, &whole_, &vm::ChunkFilterViewModel::dismissResult);
    connect(open_, &QToolButton::clicked, this, [this] { emit openWanted(whole_.target()); });
    follow(this, &ChunkFilterStatus::showState, whole_, &vm::ChunkFilterViewModel::jobChanged);
}

void ChunkFilterStatus::showState() {
    const bool running = whole_.isRunning();
    progress_->setVisible(running);
    cancel_->setVisible(running);
    cancel_->setEnabled(!whole_.isStopping());
    open_->setVisible(!running);
    close_->setVisible(!running);
    if (running) {
        text_->setText(whole_.progressText());
        text_->setToolTip(whole_.stage());
        progress_->setValue(static_cast<int>(whole_.progress() * kSteps));
    } else if (whole_.hasResult()) {
        const QString name = QFileInfo(whole_.target()).fileName();
        text_->setText(tr("%1 is written").arg(fontMetrics().elidedText(name, Qt::ElideMiddle, kNameWidth)));
        text_->setToolTip(QDir::toNativeSeparators(whole_.target()));
    }
    setVisible(running || whole_.hasResult());
}

} // namespace pollard::app
