#include "docks/contour/follow_bar.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QLocale>

namespace pollard::app {

FollowBar::FollowBar(vm::ContourViewModel& contours, QWidget* parent)
    : QWidget(parent), contours_(contours), text_(new QLabel(this)), bar_(new QProgressBar(this)),
      stop_(makeIconButton(this, "followStop", QStringLiteral("cancel"), tr("Stop following"),
                           tr("Stop here; finished pages keep their contours"))),
      pages_(new QComboBox(this)),
      chart_(makeIconButton(this, "followChart", QStringLiteral("chart"), tr("Chart over the pages"),
                            tr("Show how area, length and mean of the contours change over the pages"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    text_->setObjectName(QStringLiteral("followText"));
    bar_->setObjectName(QStringLiteral("followProgress"));
    bar_->setTextVisible(false);
    explain(bar_, tr("Pages that are done"), tr("Pages through which the contours have gone"));
    row->addWidget(text_);
    row->addWidget(bar_, 1);
    row->addWidget(stop_);
    row->addWidget(pages_);
    row->addWidget(chart_);
    row->addStretch(0);
    chart_->setCheckable(true);
    connect(chart_, &QToolButton::toggled, this, &FollowBar::chartToggled);
    pages_->setObjectName(QStringLiteral("followPages"));
    explain(pages_, tr("Pages of the series"),
            tr("Pages that the contours were followed over, with the pixels inside; choose one to turn to it"));
    connect(pages_, &QComboBox::activated, this, &FollowBar::goTo);
    connect(stop_, &QToolButton::clicked, &contours_.follow(), &vm::ContourFollow::stop);
    connect(&contours_.follow(), &vm::ContourFollow::changed, this, &FollowBar::showState);
    follow(this, &FollowBar::showState, contours_.runs(), &vm::ContourRuns::changed);
}

void FollowBar::showState() {
    const bool following = contours_.follow().isRunning();
    bar_->setVisible(following);
    stop_->setVisible(following);
    pages_->setVisible(!following);
    chart_->setVisible(!following);
    if (following) {
        showProgress();
        setVisible(true);
    } else {
        showSeries();
        setVisible(pages_->count() > 0);
    }
    emit chartToggled();
}

void FollowBar::showProgress() {
    const vm::ContourFollow& follow = contours_.follow();
    if (!follow.isWaiting()) {
        const QLocale locale;
        text_->setText(tr("Following: page %1 of %2")
                           .arg(locale.toString(follow.position() + 1), locale.toString(follow.lastPosition() + 1)));
        bar_->setRange(0, follow.lastPosition() + 1 - follow.firstPosition());
        bar_->setValue(follow.position() - follow.firstPosition());
    } else {
        text_->setText(tr("This page first"));
        bar_->setRange(0, 0);
    }
}

void FollowBar::showSeries() {
    const QLocale locale;
    const auto series = contours_.follow().series();
    pages_->clear();
    int contours = 0;
    for (const auto& [page, run, count, pixels] : series) {
        contours += count;
        const bool isTime = contours_.follow().isOverTime();
        const QString number = locale.toString((isTime ? contours_.follow().positionOf(page) : page) + 1);
        const QString name = isTime ? tr("Time %1").arg(number) : tr("Page %1").arg(number);
        const auto info = contours_.document().imageInfo();
        const QString area = pixels ? vm::sceneArea(info.get(), static_cast<double>(*pixels)) : QString();
        const QString size = !pixels          ? QString()
                             : area.isEmpty() ? tr("%1 px").arg(locale.toString(static_cast<qulonglong>(*pixels)))
                                              : area;
        pages_->addItem(pixels ? tr("%1: %2").arg(name, size) : name, page);
    }
    pages_->setCurrentIndex(pages_->findData(contours_.document().page()));
    text_->setText(tr("%1 contours on %2 pages")
                       .arg(locale.toString(contours), locale.toString(static_cast<qulonglong>(series.size()))));
}

void FollowBar::goTo(int index) { contours_.document().reading().setPage(pages_->itemData(index).toInt()); }

} // namespace pollard::app
