#include "window/image_area.hpp"

#include "canvas/canvas.hpp"
#include "overlays/overlay_layer.hpp"
#include "vm/base/value_text.hpp"
#include "vm/filter/empty_result.hpp"
#include "vm/recipe/stale_filter.hpp"
#include "vm/session/load_preview.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/image_bars.hpp"
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
        return ImageArea::tr("Residue");
    case Output::mask:
        return ImageArea::tr("Mask");
    case Output::labels:
        return ImageArea::tr("Labels");
    case Output::filtered:
        break;
    }
    return ImageArea::tr("Filtered");
}

struct ShownPicture {
    QString name;
    bool worthTelling = false; ///< differs from the plain result
};

QString originalName(const Models& models) {
    const auto level = models.display.detail().level();
    return level ? ImageArea::tr("Original, level %1").arg(*level) : ImageArea::tr("Original");
}

/// The name of the result, which is a preview on a reduced version.
QString shownResultName(const Models& models) {
    const QString result = resultName(models.document.resultSpec().output);
    const vm::OpenRequest& request = models.document.request();
    return request.level > 0 || request.shrink > 1 ? ImageArea::tr("%1, preview").arg(result) : result;
}

/// The image in the view if there is no split.
ShownPicture shownImage(const Models& models) {
    using Mode = vm::CompareViewModel::Mode;
    const vm::CompareViewModel& compare = models.display.compare();
    if (compare.shownMode() == Mode::difference) {
        const QString range = vm::withUnit(vm::greyNumber(compare.rangeOfValues()), compare.unit().toStdString());
        return {compare.isAbsolute() ? ImageArea::tr("|Filtered − original|, 0 to %1").arg(range)
                                     : ImageArea::tr("Filtered − original, ±%1").arg(range),
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

ImageArea::ImageArea(Models& models, const Actions& actions, const QString& problem, QWidget* parent)
    : QStackedWidget(parent), models_(models) {
    welcome_ = new WelcomePage(*actions.open, *actions.firstSteps, models.recentFiles, this);
    addWidget(welcome_);
    connect(welcome_, &WelcomePage::fileChosen, this, &ImageArea::fileChosen);
    connect(welcome_, &WelcomePage::sampleChosen, this, &ImageArea::sampleChosen);
    if (problem.isEmpty()) {
        canvas_ = new Canvas(models.document, models.display, models.presentation, this);
        views_ = new VolumeViews(models, *canvas_, this);
        addWidget(views_);
        connect(views_, &VolumeViews::placed, this, &ImageArea::placeBars);
        overlays_ = new OverlayLayer(models, *canvas_);
        leftTag_ = makeTag(canvas_);
        rightTag_ = makeTag(canvas_);
        leftTag_->setText(tr("Original"));
        auto* carried =
            new vm::StaleFilter({models.document, models.filter, models.region, models.history}, &models.earlier, this);
        connect(carried, &vm::StaleFilter::clearedForOtherKind, &models.sessions,
                &vm::SessionViewModel::takeAsUnmodified);
        connect(carried, &vm::StaleFilter::clearedForOtherKind, &models.objectTable,
                [&table = models.objectTable, carried] {
                    if (carried->isCleared()) { // else no notice says it
                        table.setCondition(QString());
                    }
                });
        connect(&models.sessions, &vm::SessionViewModel::opened, carried,
                [carried, &document = models.document] { carried->expect(document.path()); });
        carried_ = makeStaleFilterBar(*carried, models.earlier, *canvas_);
        auto* empty = new vm::EmptyResult(models.document, models.filter, this);
        empty_ = makeEmptyResultBar(*empty, *carried, models.earlier, *canvas_);
        preview_ = makePreviewBar(models, actions, *canvas_);
        for (const ImageBar* bar : {carried_, empty_, preview_}) {
            connect(bar, &ImageBar::changed, this, &ImageArea::placeBars);
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
            connect(&models.display, signal, this, &ImageArea::placeTags);
        }
        for (const auto signal : {&vm::CompareViewModel::turnChanged, &vm::CompareViewModel::differenceChanged}) {
            connect(&models.display.compare(), signal, this, &ImageArea::placeTags);
        }
        connect(&models.document, &vm::DocumentViewModel::frameReady, this, &ImageArea::placeTags);
        connect(&models.display.detail(), &vm::ImageDetail::changed, this, &ImageArea::placeTags);
        connect(&models.overlays, &vm::OverlaysViewModel::changed, this, &ImageArea::placeBars);
    } else {
        showProblem(problem);
    }
    connect(&models.document, &vm::DocumentViewModel::imageChanged, this, [this] {
        loadPreview_ = {};
        showPage();
    });
    showPage();
}

void ImageArea::showProblem(const QString& message) {
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

void ImageArea::showEarly(const vm::LoadPreview& early) {
    early_ = new QLabel(this);
    early_->setObjectName(QStringLiteral("earlyPicture"));
    early_->setAlignment(Qt::AlignCenter);
    early_->setMinimumSize(1, 1); // not that of the image
    explain(early_, tr("Picture that is being opened"), tr("Its tree is being built"));
    addWidget(early_);
    connect(&early, &vm::LoadPreview::read, this, &ImageArea::takeEarly);
    connect(&models_.document.activity(), &vm::DocumentActivity::busyChanged, this, [this] {
        if (!models_.document.activity().isBusy() && !loadPreview_.isNull()) {
            loadPreview_ = {};
            showPage();
        }
    });
}

void ImageArea::takeEarly(const QImage& picture) {
    using State = vm::DocumentActivity::State;
    const State state = models_.document.activity().state();
    // Pages of the open file replace each other without an image between them.
    const bool isOther = !models_.document.hasImage() || models_.document.reading().isOpeningAnother();
    if (isOther && (state == State::loading || state == State::building)) {
        loadPreview_ = picture;
        showPage();
    }
}

void ImageArea::showEarlyPage() {
    QPixmap shown = QPixmap::fromImage(
        loadPreview_.scaled(size() * devicePixelRatioF(), Qt::KeepAspectRatio, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(devicePixelRatioF());
    early_->setPixmap(shown);
    setCurrentWidget(early_);
}

void ImageArea::showPage() {
    if (!loadPreview_.isNull()) {
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

void ImageArea::setVolumeViews(bool on) {
    if (views_ != nullptr) {
        views_->setOn(on);
    }
}

void ImageArea::resizeEvent(QResizeEvent* event) {
    QStackedWidget::resizeEvent(event);
    if (!loadPreview_.isNull()) {
        showEarlyPage();
    }
    placeBars();
}

void ImageArea::placeBars() {
    if (canvas_ != nullptr) {
        barsEnd_ = static_cast<int>(overlays_->rulerSpace());
        for (ImageBar* bar : {carried_, empty_, preview_}) {
            barsEnd_ = bar->place(barsEnd_);
        }
    }
    placeTags();
}

void ImageArea::placeTags() {
    if (canvas_ == nullptr) {
        return;
    }
    const ShownPicture shown = shownImage(models_);
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
