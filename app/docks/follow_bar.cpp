#include "docks/follow_bar.hpp"

#include "contour_view_model.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QLocale>

namespace pollard::app {

FollowBar::FollowBar(vm::ContourViewModel& contours, QWidget* parent)
    : QWidget(parent), contours_(contours), text_(new QLabel(this)), bar_(new QProgressBar(this)),
      stop_(makeIconButton(this, "followStop", QStringLiteral("cancel"), tr("Stop following"),
                           tr("Stop after what is done; the pages that are there keep their contours"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    text_->setObjectName(QStringLiteral("followText"));
    bar_->setObjectName(QStringLiteral("followProgress"));
    bar_->setTextVisible(false);
    explain(bar_, tr("Pages that are done"), tr("Pages that are done"));
    row->addWidget(text_);
    row->addWidget(bar_, 1);
    row->addWidget(stop_);
    connect(stop_, &QToolButton::clicked, &contours_, &vm::ContourViewModel::stopFollowing);
    connect(&contours_, &vm::ContourViewModel::followChanged, this, &FollowBar::showState);
    showState();
}

void FollowBar::showState() {
    const vm::ContourFollow& follow = contours_.following();
    setVisible(contours_.isFollowing());
    if (follow.isRunning()) {
        const QLocale locale;
        text_->setText(tr("Following: page %1 of %2")
                           .arg(locale.toString(follow.page() + 1), locale.toString(follow.lastPage() + 1)));
        bar_->setRange(0, follow.lastPage() + 1 - follow.firstPage());
        bar_->setValue(follow.page() - follow.firstPage());
    } else {
        text_->setText(tr("This page first"));
        bar_->setRange(0, 0);
    }
}

} // namespace pollard::app
