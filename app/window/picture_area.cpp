#include "window/picture_area.hpp"

#include "canvas/canvas.hpp"
#include "overlays/overlay_layer.hpp"
#include "vm/base/value_text.hpp"
#include "vm/filter/empty_result.hpp"
#include "vm/recipe/carried_filter.hpp"
#include "vm/session/early_picture.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/picture_bars.hpp"
#include "window/volume_views.hpp"
#include "window/welcome_page.hpp"

namespace pollard::app {
namespace {

constexpr int kTagMargin = 12; ///< px between a tag and the edge of the view or the split line

QLabel* makeTag(QWidget* canvas) {
    auto* tag = new QLabel(canvas);
    tag->setObjectName(QStringLiteral("pictureTag"));
    tag->setAttribute(Qt::WA_TransparentForMouseEvents);
    tag->setStyleSheet(QStringLiteral(
        "color: white; background: rgba(12, 14, 17, 190); border-radius: 9px; padding: 3px 10px; font-weight: 600;"));
    tag->hide();
    return tag;
}

QString resultName(Output output) {
    switch (output) {
    case Output::residue:
        return PictureArea::tr("Residue");
    case Output::mask:
        return PictureArea::tr("Mask");
    case Output::labels:
        return PictureArea::tr("Labels");
    case Output::filtered:
        break;
    }
    return PictureArea::tr("Filtered");
}

struct ShownPicture {
    QString name;
    bool worthTelling = false; ///< differs from the plain result
};

QString originalName(const Models& models) {
    const auto level = models.display.detail().level();
    return level ? PictureArea::tr("Original, level %1").arg(*level) : PictureArea::tr("Original");
}

/// The name of the result, which is a preview on a reduced version.
QString shownResultName(const Models& models) {
    const QString result = resultName(models.document.resultSpec().output);
    const vm::OpenRequest& request = models.document.request();
    return request.level > 0 || request.shrink > 1 ? PictureArea::tr("%1, preview").arg(result) : result;
}

/// The picture in the view if there is no split.
ShownPicture shownPicture(const Models& models) {
    using Mode = vm::CompareViewModel::Mode;
    const vm::CompareViewModel& compare = models.display.compare();
    if (compare.shownMode() == Mode::difference) {
        const QString range = vm::withUnit(vm::greyNumber(compare.rangeOfValues()), compare.unit().toStdString());
        return {compare.isAbsolute() ? PictureArea::tr("|Filtered − original|, 0 to %1").arg(range)
                                     : PictureArea::tr("Filtered − original, ±%1").arg(range),
                true};
    }
    const bool isUnfiltered = models.display.isUnfiltered();
    if (!models.display.wantsResult() || (isUnfiltered && models.display.detail().level())) {
        return {originalName(models), true};
    }
    const QString name = shownResultName(models);
    const bool isPreview = name != resultName(models.document.resultSpec().output) && !isUnfiltered;
    return {name, isPreview || compare.mode() != Mode::off};
}

} // namespace

PictureArea::PictureArea(Models& models, const Actions& actions, const QString& problem, QWidget* parent)
    : QStackedWidget(parent), models_(models) {
    welcome_ = new WelcomePage(*actions.open, *actions.firstSteps, models.recentFiles, this);
    addWidget(welcome_);
    connect(welcome_, &WelcomePage::fileChosen, this, &PictureArea::fileChosen);
    connect(welcome_, &WelcomePage::sampleChosen, this, &PictureArea::sampleChosen);
    if (problem.isEmpty()) {
        canvas_ = new Canvas(models.document, models.display, models.presentation, this);
        views_ = new VolumeViews(models, *canvas_, this);
        addWidget(views_);
        connect(views_, &VolumeViews::placed, this, &PictureArea::placeBars);
        overlays_ = new OverlayLayer(models, *canvas_);
        leftTag_ = makeTag(canvas_);
        rightTag_ = makeTag(canvas_);
        leftTag_->setText(tr("Original"));
        auto* carried = new vm::CarriedFilter({models.document, models.filter, models.region, models.history},
                                              &models.earlier, this);
        connect(carried, &vm::CarriedFilter::clearedForOtherKind, &models.sessions,
                &vm::SessionViewModel::takeAsUnmodified);
        connect(carried, &vm::CarriedFilter::clearedForOtherKind, &models.objectTable,
                [&table = models.objectTable, carried] {
                    if (carried->isCleared()) { // else no notice says it
                        table.setCondition(QString());
                    }
                });
        connect(&models.sessions, &vm::SessionViewModel::opened, carried,
                [carried, &document = models.document] { carried->expect(document.path()); });
        carried_ = makeCarriedFilterBar(*carried, models.earlier, *canvas_);
        auto* empty = new vm::EmptyResult(models.document, models.filter, this);
        empty_ = makeEmptyResultBar(*empty, *carried, models.earlier, *canvas_);
        preview_ = makePreviewBar(models, actions, *canvas_);
        for (const PictureBar* bar : {carried_, empty_, preview_}) {
            connect(bar, &PictureBar::changed, this, &PictureArea::placeBars);
        }
        connect(canvas_, &Canvas::failed, this, [this](const QString& message) {
            showProblem(message);
            emit canvasFailed(message);
        });
        connect(&canvas_->input(), &CanvasInput::pointerMoved, &models.probe, &vm::ProbeViewModel::setPosition);
        connect(&canvas_->input(), &CanvasInput::pointerLeft, &models.probe, &vm::ProbeViewModel::clear);
        connect(&canvas_->input(), &CanvasInput::stepped, &models.stack,
                [&stack = models.stack](int notches) { stack.stepPage(-notches); });
        connect(canvas_, &GlSurface::frameSwapped, &models.contours.playback(), &vm::ContourPlayback::tellDrawn);
        connect(&models.pixelSize, &vm::PixelSizeViewModel::measuringChanged, canvas_, [this] {
            if (models_.pixelSize.isMeasuring()) {
                canvas_->setFocus(); // for Escape and Return
            }
        });
        connect(&models.stains, &vm::StainPicks::pickingChanged, canvas_,
                [this, isOwn = false, isWanted = false]() mutable {
                    vm::CompositeViewModel& colours = models_.display.composite();
                    if (models_.stains.isPicking()) {
                        canvas_->setFocus(); // for Escape
                        isOwn = !colours.isOn();
                        isWanted = colours.isWanted();
                        colours.setOn(true); // stains differ by their colours
                    } else if (isOwn && !isWanted) {
                        colours.setOn(false);
                    }
                });
        using Display = vm::DisplayViewModel;
        for (const auto signal : {&Display::splitChanged, &Display::pictureChanged, &Display::viewChanged}) {
            connect(&models.display, signal, this, &PictureArea::placeTags);
        }
        for (const auto signal : {&vm::CompareViewModel::turnChanged, &vm::CompareViewModel::differenceChanged}) {
            connect(&models.display.compare(), signal, this, &PictureArea::placeTags);
        }
        connect(&models.document, &vm::DocumentViewModel::frameReady, this, &PictureArea::placeTags);
        connect(&models.display.detail(), &vm::PictureDetail::changed, this, &PictureArea::placeTags);
        connect(&models.overlays, &vm::OverlaysViewModel::changed, this, &PictureArea::placeBars);
    } else {
        showProblem(problem);
    }
    connect(&models.document, &vm::DocumentViewModel::imageChanged, this, [this] {
        earlyPicture_ = {};
        showPage();
    });
    showPage();
}

void PictureArea::showProblem(const QString& message) {
    problem_ = message;
    if (failure_ == nullptr) {
        failure_ = new QLabel(this);
        failure_->setObjectName(QStringLiteral("canvasProblem"));
        failure_->setAlignment(Qt::AlignCenter);
        failure_->setWordWrap(true);
        failure_->setTextInteractionFlags(Qt::TextSelectableByMouse);
        failure_->setMargin(kPanelMargin * 3);
        addWidget(failure_);
    }
    failure_->setText(
        QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>")
            .arg(tr("The picture cannot be shown"), message.toHtmlEscaped(), tr("Filtering and saving are possible.")));
    showPage();
}

void PictureArea::showEarly(const vm::EarlyPicture& early) {
    early_ = new QLabel(this);
    early_->setObjectName(QStringLiteral("earlyPicture"));
    early_->setAlignment(Qt::AlignCenter);
    early_->setMinimumSize(1, 1); // not that of the picture
    explain(early_, tr("Picture that is being opened"), tr("Its tree is being built"));
    addWidget(early_);
    connect(&early, &vm::EarlyPicture::read, this, &PictureArea::takeEarly);
    connect(&models_.document.activity(), &vm::DocumentActivity::busyChanged, this, [this] {
        if (!models_.document.activity().isBusy() && !earlyPicture_.isNull()) {
            earlyPicture_ = {};
            showPage();
        }
    });
}

void PictureArea::takeEarly(const QImage& picture) {
    using State = vm::DocumentActivity::State;
    const State state = models_.document.activity().state();
    // Pages of the open file replace each other without a picture between them.
    const bool isOther = !models_.document.hasImage() || models_.document.reading().isOpeningAnother();
    if (isOther && (state == State::loading || state == State::building)) {
        earlyPicture_ = picture;
        showPage();
    }
}

void PictureArea::showEarlyPage() {
    QPixmap shown = QPixmap::fromImage(
        earlyPicture_.scaled(size() * devicePixelRatioF(), Qt::KeepAspectRatio, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(devicePixelRatioF());
    early_->setPixmap(shown);
    setCurrentWidget(early_);
}

void PictureArea::showPage() {
    if (!earlyPicture_.isNull()) {
        showEarlyPage();
    } else if (!models_.document.hasImage()) {
        setCurrentWidget(welcome_);
    } else if (problem_.isEmpty()) {
        setCurrentWidget(views_);
        canvas_->setFocus();
    } else {
        setCurrentWidget(failure_);
    }
    placeBars();
}

void PictureArea::setVolumeViews(bool on) {
    if (views_ != nullptr) {
        views_->setOn(on);
    }
}

void PictureArea::resizeEvent(QResizeEvent* event) {
    QStackedWidget::resizeEvent(event);
    if (!earlyPicture_.isNull()) {
        showEarlyPage();
    }
    placeBars();
}

void PictureArea::placeBars() {
    if (canvas_ != nullptr) {
        barsEnd_ = static_cast<int>(overlays_->rulerSpace());
        for (PictureBar* bar : {carried_, empty_, preview_}) {
            barsEnd_ = bar->place(barsEnd_);
        }
    }
    placeTags();
}

void PictureArea::placeTags() {
    if (canvas_ == nullptr) {
        return;
    }
    const ShownPicture shown = shownPicture(models_);
    const bool split = models_.display.isSplitEnabled();
    leftTag_->setText(split ? originalName(models_) : shown.name);
    rightTag_->setText(shownResultName(models_));
    leftTag_->adjustSize();
    rightTag_->adjustSize();
    const int line = static_cast<int>(models_.display.splitPosition() * canvas_->width());
    const int top = kTagMargin + barsEnd_;
    leftTag_->move(split ? line - kTagMargin - leftTag_->width() : top, top);
    rightTag_->move(line + kTagMargin, top);
    const bool image = models_.document.hasImage();
    leftTag_->setVisible(image && (split || shown.worthTelling));
    rightTag_->setVisible(image && split);
}

} // namespace pollard::app
