#include "docks/orthogonal_panel.hpp"

#include "overlays/measure_overlays.hpp"
#include "overlays/overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "overlays/region_overlay.hpp"
#include "shell/models.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kSide = 220;         ///< logical px, of a view
constexpr int kLeastSide = 80;     ///< logical px
constexpr int kWheelStep = 120;    ///< eighths of a degree
constexpr double kWheelZoom = 1.2; ///< factor per step

/// A note in a section while a tool is chosen that works only in the slice.
class SliceToolNote : public Overlay {
public:
    /// @param models must outlive this
    explicit SliceToolNote(Models& models) : models_(models) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override { return plate(scene).toAlignedRect(); }
    void paint(QPainter& painter, const OverlayScene& scene) override {
        const QRectF place = plate(scene);
        drawPlate(painter, place);
        painter.setFont(scene.font);
        painter.setPen(kPlateInk);
        painter.drawText(place, Qt::AlignCenter | Qt::TextWordWrap, text());
    }
    [[nodiscard]] bool followsPointer() const override { return true; }
    [[nodiscard]] bool isAnnotation() const override { return false; }

private:
    [[nodiscard]] QString text() const {
        const QString view = vm::planeTitle(models_.document.imageInfo().get(), VolumeAxis::z);
        if (models_.region.isDrawingOnce() || models_.pixelSize.isMeasuring()) {
            return SectionView::tr("Draw in the view %1.").arg(view);
        }
        if (models_.region.tool() != vm::RegionViewModel::Tool::hand) {
            return SectionView::tr("Draw regions in the view %1; they hold in all slices.").arg(view);
        }
        return models_.contours.isActive() ? SectionView::tr("Contours are in the slices of the view %1.").arg(view)
                                           : QString();
    }
    [[nodiscard]] QRectF plate(const OverlayScene& scene) const {
        const QString note = scene.pointer && !scene.image.isEmpty() ? text() : QString();
        if (note.isEmpty()) {
            return {};
        }
        constexpr double kPadding = 6;
        const double room = std::max(1.0, scene.size.width() - 2 * (kRulerWidth + kPadding));
        const QRectF needed = QFontMetricsF(scene.font)
                                  .boundingRect(QRectF(0, 0, room - 2 * kPadding, scene.size.height()),
                                                Qt::AlignCenter | Qt::TextWordWrap, note);
        const QSizeF size = needed.size() + QSizeF(2 * kPadding, kPadding);
        return {QPointF((scene.size.width() - size.width()) / 2, kRulerWidth + kPadding), size};
    }

    Models& models_;
};

} // namespace

SectionView::SectionView(VolumeAxis across, Models& models, QWidget* parent)
    : ImageSurface(
          models.display, [] { return std::optional<double>(); }, parent),
      across_(across), models_(models), overlays_(new OverlayPane(models, *this)), split_(*this, models.display),
      picker_(
          models.filter.picks(), [this] { return overlays_->scene(); },
          [this]() -> const vm::ShownSlice& { return shown(); }) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    overlays_->setObjectName(QStringLiteral("sectionOverlays"));
    overlays_->add<RegionSectionOverlay>(models_.document);
    overlays_->add<CrossHairOverlay>(models_.orthogonal);
    overlays_->add<PixelGridOverlay>(models_.overlays);
    overlays_->add<RulerOverlay>(models_.overlays);
    overlays_->add<ScaleBarOverlay>(models_.overlays);
    overlays_->add<PatientOverlay>(models_.overlays, models_.document);
    overlays_->add<SliceToolNote>(models_);
    using Orthogonal = vm::OrthogonalViewModel;
    connect(&models_.orthogonal, &Orthogonal::changed, this, &SectionView::takeSection);
    connect(&models_.orthogonal, &Orthogonal::positionChanged, this, [this] {
        repaintView();
        overlays_->refresh();
    });
    const auto refresh = [this] { overlays_->refresh(); };
    connect(&models_.overlays, &vm::OverlaysViewModel::changed, overlays_, refresh);
    connect(&models_.document.choices(), &vm::DocumentChoices::domainChanged, overlays_, refresh);
    follow(this, &SectionView::showCursor, models_.filter.picks(), &vm::PicksModel::pickingChanged);
    takeSection();
}

QSize SectionView::sizeHint() const { return {kSide, kSide}; }

QSize SectionView::minimumSizeHint() const { return {kLeastSide, kLeastSide}; }

void SectionView::takeSection() {
    const vm::ShownSlice* section = models_.orthogonal.section(across_);
    take(section != nullptr ? *section : vm::ShownSlice());
    overlays_->takeImage();
    probe();
}

void SectionView::probe() {
    if (pointer_ && shown().image) {
        models_.probe.setSection(shown(), toSection(*pointer_));
    }
}

ImagePart SectionView::part() const {
    ImagePart part;
    part.viewport = frameSize();
    if (!shown().image) {
        return part;
    }
    const Image& image = *shown().image;
    const QSizeF sides = models_.orthogonal.pixelSides(across_);
    part.aspect = sides.height() / sides.width();
    QPointF middle(image.width() / 2.0, image.height() / 2.0); // in the middle of the view
    if (models_.display.isFitting()) {
        part.scale = std::min(part.viewport.width() / (image.width() + 0.0),
                              part.viewport.height() / (image.height() * part.aspect));
    } else { // centred on the view of the slice along the common axis, on the cross hair along z
        part.scale = sides.width() * models_.display.zoom();
        const auto axes = axesOf(shown().plane());
        const QPointF cross = models_.orthogonal.crossing(across_);
        const auto middleOn = [slice = models_.display.centre()](const ImageAxis& each, int count, double crossing) {
            const double place = each.axis == VolumeAxis::x ? slice.x() : slice.y();
            return each.axis == VolumeAxis::z ? crossing : each.isReversed ? count - place : place;
        };
        middle = {middleOn(axes[0], static_cast<int>(image.width()), cross.x()),
                  middleOn(axes[1], static_cast<int>(image.height()), cross.y())};
    }
    const QPointF corner = QPointF(part.viewport.width(), part.viewport.height()) / 2 - part.toView(middle);
    part.origin = QPointF(std::round(corner.x()), std::round(corner.y()));
    return part;
}

QPointF SectionView::toSection(const QPointF& view) const { return part().toImage(view * devicePixelRatioF()); }

QPointF SectionView::toView(const QPointF& section) const { return part().toView(section) / devicePixelRatioF(); }

void SectionView::moveTo(const QPointF& view) {
    if (shown().image) {
        models_.orthogonal.moveInPlane(across_, toSection(view));
    }
}

void SectionView::pan(const QPointF& by) {
    const QSizeF sides = models_.orthogonal.pixelSides(across_);
    const double zoom = models_.display.zoom() / devicePixelRatioF();
    QPointF centre = models_.display.centre();
    const auto move = [&](const ImageAxis& each, double distance) {
        if (each.axis != VolumeAxis::z) {
            double& place = each.axis == VolumeAxis::x ? centre.rx() : centre.ry();
            place += each.isReversed ? distance : -distance;
        }
    };
    const auto axes = axesOf(models_.orthogonal.planeOf(across_));
    move(axes[0], by.x() / (zoom * sides.width()));
    move(axes[1], by.y() / (zoom * sides.height()));
    models_.display.setCentre(centre);
}

void SectionView::showCursor() {
    std::optional<QCursor> cursor;
    for (const CanvasTool* tool : tools_) {
        cursor = cursor ? cursor : tool->cursorAt(pointer_.value_or(QPointF(-width(), 0)));
    }
    setCursor(cursor.value_or(Qt::CrossCursor));
}

void SectionView::mousePressEvent(QMouseEvent* event) {
    last_ = event->position();
    if (event->button() != Qt::LeftButton || !shown().image) {
        return;
    }
    pressed_ = event->position();
    const auto tool = std::ranges::find_if(tools_, [event](CanvasTool* each) { return each->press(*event); });
    activeTool_ = tool != tools_.end() ? *tool : nullptr;
    movesCrossHair_ = activeTool_ == nullptr;
    if (movesCrossHair_) {
        clicked_ = toSection(pressed_); // the section moves with the cross hair
        moveTo(pressed_);
    }
}

void SectionView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return;
    }
    movesCrossHair_ = false;
    if (CanvasTool* const tool = std::exchange(activeTool_, nullptr)) {
        tool->release(*event);
    }
    if (const auto place = std::exchange(clicked_, std::nullopt)) {
        overlays_->click(*place, event->modifiers(), shown());
    }
}

void SectionView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->position() - pressed_).manhattanLength() >= QApplication::startDragDistance()) {
        clicked_.reset();
    }
    if ((event->buttons() & Qt::LeftButton) != 0 && activeTool_ != nullptr) {
        activeTool_->drag(*event);
    } else if ((event->buttons() & Qt::LeftButton) != 0 && movesCrossHair_) {
        moveTo(event->position());
    }
    if (event->buttons().testFlag(Qt::MiddleButton)) {
        pan(event->position() - last_);
        last_ = event->position();
    }
    overlays_->hover(toSection(event->position()), shown());
    pointer_ = event->position();
    probe();
    showCursor();
}

void SectionView::leaveEvent(QEvent*) {
    pointer_.reset();
    models_.chain.leave();
    models_.probe.clear();
}

void SectionView::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPoint turned = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const QSizeF view = models_.display.view().viewSize;
        models_.display.zoomAbout({view.width() / 2, view.height() / 2},
                                  std::pow(kWheelZoom, turned.y() / static_cast<double>(kWheelStep)));
        return;
    }
    wheel_ += turned.y();
    const int steps = wheel_ / kWheelStep;
    wheel_ -= steps * kWheelStep;
    if (steps != 0) {
        models_.orthogonal.step(across_, -steps);
    }
}

bool SectionView::takeKey(const QKeyEvent& event, bool isAsked) {
    const auto tool = std::ranges::find_if(tools_, [&event](const CanvasTool* each) { return each->wantsKey(event); });
    const bool releasesChain = event.key() == Qt::Key_Escape && models_.chain.isHeld();
    if (!isAsked && tool != tools_.end()) {
        (*tool)->key(event);
    } else if (!isAsked && releasesChain) {
        models_.chain.letGo();
    }
    return tool != tools_.end() || releasesChain;
}

bool SectionView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && takeKey(*static_cast<QKeyEvent*>(event), true)) {
        event->accept();
        return true;
    }
    return ImageSurface::event(event);
}

void SectionView::keyPressEvent(QKeyEvent* event) {
    if (takeKey(*event, false)) {
        return;
    }
    const auto axes = axesOf(models_.orthogonal.planeOf(across_));
    const auto step = [this](const ImageAxis& along, bool isForward) {
        models_.orthogonal.step(along.axis, isForward != along.isReversed ? 1 : -1);
    };
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        step(axes[0], event->key() == Qt::Key_Right);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        step(axes[1], event->key() == Qt::Key_Down);
        break;
    default:
        ImageSurface::keyPressEvent(event);
    }
}

OrthogonalPanel::OrthogonalPanel(Models& models, QWidget* parent)
    : QWidget(parent), document_(models.document), orthogonal_(models.orthogonal) {
    setObjectName(QStringLiteral("orthogonalPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column->setSpacing(kPanelSpacing);
    pages_ = new QStackedWidget(this);
    views_ = new QSplitter(Qt::Horizontal, pages_);
    views_->setChildrenCollapsible(false);
    addView(VolumeAxis::y, models, QStringLiteral("sectionXZ"),
            tr("The volume across y: a patient with the head or the front on top, else x to the right and slices "
               "downwards"));
    addView(VolumeAxis::x, models, QStringLiteral("sectionYZ"),
            tr("The volume across x: a patient with the head or the front on top, else slices to the right and y "
               "downwards"));
    reason_ = new QLabel(pages_);
    reason_->setObjectName(QStringLiteral("orthogonalReason"));
    reason_->setWordWrap(true);
    reason_->setAlignment(Qt::AlignCenter);
    pages_->addWidget(views_);
    pages_->addWidget(reason_);
    column->addWidget(pages_, 1);
    position_ = new CaptionLabel(QString(), this);
    position_->setObjectName(QStringLiteral("orthogonalPosition"));
    column->addWidget(position_);
    using Orthogonal = vm::OrthogonalViewModel;
    follow(this, &OrthogonalPanel::showNames, models.document, &vm::DocumentViewModel::imageChanged);
    follow(this, &OrthogonalPanel::showState, models.orthogonal, &Orthogonal::changed);
    follow(this, &OrthogonalPanel::showState, models.orthogonal, &Orthogonal::positionChanged);
}

void OrthogonalPanel::addView(VolumeAxis across, Models& models, const QString& objectName, const QString& toolTip) {
    auto* box = new QWidget(views_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* name = new CaptionLabel(QString(), box);
    name->setObjectName(objectName + QStringLiteral("Name"));
    column->addWidget(name);
    auto* view = new SectionView(across, models);
    view->setObjectName(objectName);
    column->addWidget(view, 1);
    shown_.push_back({across, view, name, toolTip});
    views_->addWidget(box);
    connect(view, &ImageSurface::failed, this, [this](const QString& message) {
        failure_ = message;
        showState();
    });
}

const vm::Analysis& OrthogonalPanel::analysis() const noexcept { return orthogonal_; }

void OrthogonalPanel::setTall(bool tall) { views_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal); }

void OrthogonalPanel::showNames() {
    const auto info = document_.imageInfo();
    for (const View& each : shown_) {
        const QString title = vm::planeTitle(info.get(), each.across);
        each.name->setText(title);
        explain(each.view, tr("Section %1").arg(title), each.toolTip);
    }
}

void OrthogonalPanel::showState() {
    const bool isAvailable = orthogonal_.isAvailable();
    const QString& problem = failure_.isEmpty() ? orthogonal_.problem() : failure_;
    pages_->setCurrentIndex(isAvailable && problem.isEmpty() ? 0 : 1);
    reason_->setText(
        !problem.isEmpty() ? problem : tr("Open a volume to see it from the side: a stack of a microscope, CT, MRI."));
    position_->setVisible(isAvailable);
    const Voxel at = orthogonal_.position();
    const QLocale locale;
    QString text =
        tr("x %1, y %2, slice %3").arg(locale.toString(at.x), locale.toString(at.y), locale.toString(at.z + 1));
    if (const QString place = vm::patientText(document_.imageInfo().get(), at); !place.isEmpty()) {
        text += QStringLiteral("   ·   ") + place;
    }
    position_->setText(text);
}

} // namespace pollard::app
