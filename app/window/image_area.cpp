#include "window/image_area.hpp"

#include "canvas/canvas.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/models.hpp"
#include "vm/base/value_text.hpp"
#include "vm/batch/chunk_filter_view_model.hpp"
#include "vm/batch/overview.hpp"
#include "vm/filter/empty_result.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/session/load_preview.hpp"
#include "widgets/couple.hpp"
#include "widgets/image_bar.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/volume_views.hpp"
#include "window/welcome_page.hpp"

#include <QAction>
#include <QPushButton>

namespace pollard::app {
namespace {

/// Makes a bar over the image with buttons to keep or clear a filter that was set for another image. All must outlive
/// the bar.
ImageBar* makeStaleFilterBar(vm::StaleFilter& stale, vm::EarlierFilters& earlier, QWidget& image) {
    auto* bar = new ImageBar("carriedFilter", ImageBar::tr("Filter of another image"), image);
    bar->addButton("carriedFilterKeep", ImageBar::tr("&Keep"), ImageBar::tr("Keep the filter"),
                   ImageBar::tr("Keep the filter for this image and the next ones"), [&stale] { stale.keep(); });
    bar->addButton("carriedFilterClear", ImageBar::tr("Clea&r"), ImageBar::tr("Clear the filter"),
                   ImageBar::tr("Show the image as it is in the file; Undo brings the filter back"),
                   [&stale, &earlier] { stale.isCleared() ? stale.dismiss() : earlier.clearAll(); });
    bar->addClose("carriedFilterClose", ImageBar::tr("Close this line and leave the filter as it is"),
                  [&stale] { stale.dismiss(); });
    follow(
        bar, [bar, &stale] { bar->showText(stale.text()); }, stale, &vm::StaleFilter::changed);
    return bar;
}

/// Makes a bar over a result without contents, with the reason and buttons that change the filter. It is hidden while
/// the bar of makeStaleFilterBar() is shown. All must outlive the bar.
ImageBar* makeEmptyResultBar(vm::EmptyResult& empty, vm::StaleFilter& stale, vm::EarlierFilters& earlier,
                             QWidget& image) {
    auto* bar = new ImageBar("emptyResult", ImageBar::tr("Result without contents"), image);
    bar->addButton("emptyResultShowAll", ImageBar::tr("Show &all again"), ImageBar::tr("Show all again"),
                   ImageBar::tr("Clear the filter and show the whole image; Undo brings the filter back"),
                   [&earlier] { earlier.clearAll(); });
    auto* off = bar->addButton("emptyResultTurnOff", ImageBar::tr("&Turn off"), ImageBar::tr("Turn the criterion off"),
                               ImageBar::tr("Turn off the criterion that removes most, and keep the others"),
                               [&empty] { empty.turnOff(); });
    bar->addClose("emptyResultClose", ImageBar::tr("Close this line until the filter or the image changes"),
                  [&empty] { empty.dismiss(); });
    const auto show = [bar, off, &empty, &stale] {
        off->setVisible(!empty.criterion().isEmpty()); // the text names it
        bar->showText(stale.isNoticed() ? QString() : empty.text());
    };
    QObject::connect(&stale, &vm::StaleFilter::changed, bar, show);
    follow(bar, show, empty, &vm::EmptyResult::changed);
    return bar;
}

/// Makes a bar over a reduced version of an image, a part with a filter, or a part of an overview. Its buttons filter
/// the visible region or the whole image exactly, lead back, and choose other levels. All must outlive the bar.
ImageBar* makePreviewBar(Models& models, const Actions& actions, QWidget& image) {
    vm::ChunkFilterViewModel& whole = models.chunkFilter;
    vm::Overview& overview = models.overview;
    auto* bar = new ImageBar("preview", ImageBar::tr("Part or smaller version of an image"), image);
    const auto add = [bar](const char* objectName, const QString& text, const QString& name, QAction& action) {
        return bar->addButton(objectName, text, name, action.toolTip(), [&action] { action.trigger(); });
    };
    auto* visible = add("previewFilterVisible", ImageBar::tr("Filter the &visible region"),
                        ImageBar::tr("Filter the visible region exactly"), *actions.filterVisible);
    auto* back = add("previewBack", ImageBar::tr("&Back to the overview"), ImageBar::tr("Back to the overview"),
                     *actions.backToOverview);
    auto* all = add("previewFilterWhole", ImageBar::tr("Filter the &whole image…"),
                    ImageBar::tr("Filter the whole image"), *actions.filterWhole);
    add("previewChoose", ImageBar::tr("&Other…"), ImageBar::tr("Other level or part"), *actions.chooseSize);
    bar->addClose("previewClose", ImageBar::tr("Close this line until another image or part is opened"),
                  [&whole] { whole.dismissPreview(); });
    const auto showAll = [all, &action = *actions.filterWhole] {
        all->setEnabled(action.isEnabled());
        all->setToolTip(action.toolTip());
    };
    follow(all, showAll, *actions.filterWhole, &QAction::changed);
    const auto show = [bar, visible, back, &whole, &overview] {
        visible->setVisible(overview.problem().isEmpty());
        back->setVisible(overview.canReturn());
        const bool isPart = overview.canReturn() && !whole.isPreviewDismissed();
        bar->showText(isPart ? ImageBar::tr("A part of the image at full resolution") : whole.previewText());
    };
    QObject::connect(&overview, &vm::Overview::changed, bar, show);
    follow(bar, show, whole, &vm::ChunkFilterViewModel::previewChanged);
    return bar;
}

constexpr int kTagMargin = 12; ///< px between a tag and the edge of the view or the split line

QLabel* makeTag(QWidget* canvas) {
    auto* tag = new QLabel(canvas);
    tag->setObjectName(QStringLiteral("imageTag"));
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

struct ShownImage {
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
ShownImage shownImage(const Models& models) {
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
        auto* stale =
            new vm::StaleFilter({models.document, models.filter, models.region, models.history}, &models.earlier, this);
        connect(stale, &vm::StaleFilter::clearedForOtherKind, &models.sessions,
                &vm::SessionViewModel::takeAsUnmodified);
        connect(stale, &vm::StaleFilter::clearedForOtherKind, &models.objectTable,
                [&table = models.objectTable, stale] {
                    if (stale->isCleared()) { // otherwise no notice would say so
                        table.setCondition(QString());
                    }
                });
        connect(&models.sessions, &vm::SessionViewModel::opened, stale,
                [stale, &document = models.document] { stale->expect(document.path()); });
        staleBar_ = makeStaleFilterBar(*stale, models.earlier, *canvas_);
        auto* empty = new vm::EmptyResult(models.document, models.filter, this);
        emptyBar_ = makeEmptyResultBar(*empty, *stale, models.earlier, *canvas_);
        previewBar_ = makePreviewBar(models, actions, *canvas_);
        for (const ImageBar* bar : {staleBar_, emptyBar_, previewBar_}) {
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
        connect(canvas_, &GlSurface::frameSwapped, &models.contours.playback(), &vm::ContourPlayback::reportDrawn);
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
        for (const auto signal : {&Display::splitChanged, &Display::imageChanged, &Display::viewChanged}) {
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
            .arg(tr("The image cannot be shown"), message.toHtmlEscaped(), tr("Filtering and saving are possible.")));
    showPage();
}

void ImageArea::showPreviews(const vm::LoadPreview& preview) {
    previewLabel_ = new QLabel(this);
    previewLabel_->setObjectName(QStringLiteral("earlyImage"));
    previewLabel_->setAlignment(Qt::AlignCenter);
    previewLabel_->setMinimumSize(1, 1); // smaller than the minimum size of the image
    explain(previewLabel_, tr("Image that is being opened"), tr("Its tree is being built"));
    addWidget(previewLabel_);
    connect(&preview, &vm::LoadPreview::read, this, &ImageArea::takePreview);
    connect(&models_.document.activity(), &vm::DocumentActivity::busyChanged, this, [this] {
        if (!models_.document.activity().isBusy() && !loadPreview_.isNull()) {
            loadPreview_ = {};
            showPage();
        }
    });
}

void ImageArea::takePreview(const QImage& image) {
    using State = vm::DocumentActivity::State;
    const State state = models_.document.activity().state();
    // Pages of the open file replace each other without an image between them.
    const bool isOther = !models_.document.hasImage() || models_.document.reading().isOpeningAnother();
    if (isOther && (state == State::loading || state == State::building)) {
        loadPreview_ = image;
        showPage();
    }
}

void ImageArea::showPreviewPage() {
    QPixmap shown = QPixmap::fromImage(
        loadPreview_.scaled(size() * devicePixelRatioF(), Qt::KeepAspectRatio, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(devicePixelRatioF());
    previewLabel_->setPixmap(shown);
    setCurrentWidget(previewLabel_);
}

void ImageArea::showPage() {
    if (!loadPreview_.isNull()) {
        showPreviewPage();
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
        showPreviewPage();
    }
    placeBars();
}

void ImageArea::placeBars() {
    if (canvas_ != nullptr) {
        barsEnd_ = static_cast<int>(overlays_->rulerSpace());
        for (ImageBar* bar : {staleBar_, emptyBar_, previewBar_}) {
            barsEnd_ = bar->place(barsEnd_);
        }
    }
    placeTags();
}

void ImageArea::placeTags() {
    if (canvas_ == nullptr) {
        return;
    }
    const ShownImage shown = shownImage(models_);
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
