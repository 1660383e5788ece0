#include "docks/contour/contour_bars.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>

#include <algorithm>

namespace pollard::app {

using Contours = vm::ContourViewModel;

ContourPicker::ContourPicker(Contours& contours, const QList<QAction*>& add, QWidget* parent)
    : QWidget(parent), contours_(contours), which_(new QComboBox(this)),
      add_(makeIconButton(this, "contourAdd", QStringLiteral("duplicate"), tr("Add a contour"),
                          tr("Let another contour evolve together with the shown ones; they never overlap"))),
      remove_(makeIconButton(this, "contourRemove", QStringLiteral("cancel"), tr("Remove this contour"),
                             tr("Continue without the current contour"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    explain(which_, "contourWhich", tr("Current contour"),
            tr("The contour of the curves, histograms and numbers; the others are drawn thin and pale"));
    add_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(add_);
    menu->setToolTipsVisible(true);
    menu->addActions(add);
    add_->setMenu(menu);
    row->addWidget(which_);
    row->addWidget(add_);
    row->addWidget(remove_);
    connect(which_, &QComboBox::currentIndexChanged, &contours_.runs(), &vm::ContourRuns::setContour);
    connect(remove_, &QToolButton::clicked, this, [this] { contours_.removeContour(contours_.runs().contour()); });
    follow(this, &ContourPicker::showState, contours_.runs(), &vm::ContourRuns::changed);
}

void ContourPicker::showState() {
    const QSignalBlocker quiet(which_);
    const int count = contours_.runs().contourCount();
    if (which_->count() != count) {
        which_->clear();
        const QLocale locale;
        for (int i = 0; i < count; ++i) {
            which_->addItem(tr("%1 of %2").arg(locale.toString(i + 1), locale.toString(count)));
        }
    }
    which_->setCurrentIndex(count > 0 ? contours_.runs().contour() : -1);
    which_->setVisible(count > 1);
    remove_->setVisible(count > 1);
    add_->setEnabled(count > 0);
}

ContourTransport::ContourTransport(vm::ContourViewModel& contours, QWidget* parent)
    : TransportBar(QStringLiteral("contour"),
                   {{tr("First state"), tr("Show the start (Home)")},
                    {tr("One state back"), tr("Show the previous state (Left)")},
                    {tr("Play"), tr("Let the contour evolve (Space)")},
                    {tr("Pause"), tr("Pause (Space)")},
                    {tr("One state on"), tr("Show the next state, computed if necessary (Right)")},
                    {tr("Last state"), tr("Compute all states and show the last one (End)")},
                    {tr("Timeline"), tr("The recorded states; drag to see any state")},
                    {tr("Speed"), tr("States shown per second; computing runs as fast as possible")}},
                   parent),
      contours_(contours) {
    using Playback = vm::ContourPlayback;
    using Runs = vm::ContourRuns;
    Playback& playback = contours_.playback();
    for (const double speed : Playback::kSpeeds) {
        addSpeed(speed == Playback::kFastest ? tr("Fastest") : tr("%1 / s").arg(speed), speed);
    }
    connect(this, &TransportBar::toStartWanted, &playback, &Playback::toStart);
    connect(this, &TransportBar::backWanted, &playback, &Playback::stepBack);
    connect(this, &TransportBar::playToggled, &playback, &Playback::togglePlaying);
    connect(this, &TransportBar::forwardWanted, &playback, &Playback::stepForward);
    connect(this, &TransportBar::toEndWanted, &playback, &Playback::toEnd);
    connect(this, &TransportBar::scrubbed, &playback, &Playback::scrub);
    connect(this, &TransportBar::speedChosen, &playback, &Playback::setSpeed);
    connect(&playback, &Playback::changed, this, &ContourTransport::showState);
    follow(this, &ContourTransport::showState, contours_.runs(), &Runs::shownChanged, &Runs::statesChanged,
           &Runs::changed);
}

void ContourTransport::showState() {
    const vm::ContourRuns& runs = contours_.runs();
    const bool there = runs.current() >= 0;
    const int last = std::max(0, runs.stateCount() - 1);
    const bool atEnd = runs.shown() == last && runs.isFinished();
    const vm::ContourPlayback& playback = contours_.playback();
    setState({runs.shown(), last, there, there && !atEnd, playback.isPlaying(), playback.speed()});
}

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
    bar_->setTextVisible(false);
    explain(bar_, "followProgress", tr("Pages that are done"), tr("Pages through which the contours have gone"));
    row->addWidget(text_);
    row->addWidget(bar_, 1);
    row->addWidget(stop_);
    row->addWidget(pages_);
    row->addWidget(chart_);
    row->addStretch(0);
    chart_->setCheckable(true);
    connect(chart_, &QToolButton::toggled, this, &FollowBar::chartToggled);
    explain(pages_, "followPages", tr("Pages of the series"),
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
