#include "docks/section_view.hpp"

#include "overlays/cross_hair_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "overlays/patient_overlay.hpp"
#include "shell/models.hpp"
#include "widgets/couple.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kSide = 220;         ///< logical px, of a view
constexpr int kLeastSide = 80;     ///< logical px
constexpr int kWheelStep = 120;    ///< eighths of a degree
constexpr double kWheelZoom = 1.2; ///< factor per step

} // namespace

SectionView::SectionView(VolumeAxis across, Models& models, QWidget* parent)
    : PictureSurface(
          models.display, [] { return std::optional<double>(); }, parent),
      across_(across), models_(models), overlays_(new OverlayPane(models, *this)),
      picker_(
          models.filter.picks(), [this] { return overlays_->scene(); },
          [this]() -> const vm::ShownSlice& { return shown(); }) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    overlays_->setObjectName(QStringLiteral("sectionOverlays"));
    overlays_->add<CrossHairOverlay>(models_.orthogonal);
    overlays_->add<PatientOverlay>(models_.overlays, models_.document, false);
    using Orthogonal = vm::OrthogonalViewModel;
    connect(&models_.orthogonal, &Orthogonal::changed, this, &SectionView::takeSection);
    connect(&models_.orthogonal, &Orthogonal::positionChanged, this, [this] {
        repaintView();
        overlays_->refresh();
    });
    connect(&models_.overlays, &vm::OverlaysViewModel::changed, overlays_, [this] { overlays_->refresh(); });
    follow(
        this, [this] { setCursor(models_.filter.picks().isPicking() ? Qt::PointingHandCursor : Qt::CrossCursor); },
        models_.filter.picks(), &vm::PicksModel::pickingChanged);
    takeSection();
}

QSize SectionView::sizeHint() const { return {kSide, kSide}; }

QSize SectionView::minimumSizeHint() const { return {kLeastSide, kLeastSide}; }

void SectionView::takeSection() {
    const vm::ShownSlice* section = models_.orthogonal.section(across_);
    take(section != nullptr ? *section : vm::ShownSlice());
    overlays_->takePicture();
    probe();
}

void SectionView::probe() {
    if (pointer_ && shown().image) {
        models_.probe.setSection(shown(), toSection(*pointer_));
    }
}

PicturePart SectionView::part() const {
    PicturePart part;
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
    } else { // around the place of the slice on the common axis, and the cross hair on the other one
        part.scale = sides.width() * models_.display.zoom();
        const auto axes = axesOf(shown().plane());
        const QPointF cross = models_.orthogonal.crossing(across_);
        const auto middleOn = [slice = models_.display.centre()](const PictureAxis& each, int count, double crossing) {
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

QPointF SectionView::toSection(const QPointF& view) const { return part().toPicture(view * devicePixelRatioF()); }

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
    const auto move = [&](const PictureAxis& each, double distance) {
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

void SectionView::mousePressEvent(QMouseEvent* event) {
    last_ = event->position();
    if (event->button() == Qt::LeftButton && shown().image && !picker_.press(*event)) {
        moveTo(event->position());
    }
}

void SectionView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0 && !models_.filter.picks().isPicking()) {
        moveTo(event->position());
    }
    if (event->buttons().testFlag(Qt::MiddleButton)) {
        pan(event->position() - last_);
        last_ = event->position();
    }
    overlays_->hover(toSection(event->position()), shown());
    pointer_ = event->position();
    probe();
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

void SectionView::keyPressEvent(QKeyEvent* event) {
    const auto axes = axesOf(models_.orthogonal.planeOf(across_));
    const auto step = [this](const PictureAxis& along, bool isForward) {
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
        PictureSurface::keyPressEvent(event);
    }
}

} // namespace pollard::app
