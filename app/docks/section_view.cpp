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

constexpr int kSide = 220;      ///< logical px, of a view
constexpr int kLeastSide = 80;  ///< logical px
constexpr int kWheelStep = 120; ///< eighths of a degree

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

bool SectionView::isUpwards() const { return across_ == VolumeAxis::y && models_.document.isHeadUp(); }

PicturePart SectionView::part() const {
    PicturePart part;
    part.viewport = frameSize();
    if (!shown().image) {
        return part;
    }
    const Image& image = *shown().image;
    const QSizeF sides = models_.orthogonal.pixelSides(across_);
    part.aspect = (isUpwards() ? -1 : 1) * sides.height() / sides.width();
    QPointF middle(image.width() / 2.0, image.height() / 2.0); // in the middle of the view
    if (models_.display.isFitting()) {
        part.scale = std::min(part.viewport.width() / (image.width() + 0.0),
                              part.viewport.height() / (image.height() * std::abs(part.aspect)));
    } else { // around the place of the slice on the common axis, and the cross hair on the other one
        part.scale = sides.width() * models_.display.zoom();
        const QPointF slice = models_.display.centre();
        const QPointF cross = models_.orthogonal.crossing(across_);
        middle = across_ == VolumeAxis::x ? QPointF(cross.x(), slice.y()) : QPointF(slice.x(), cross.y());
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

void SectionView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && shown().image && !picker_.press(*event)) {
        moveTo(event->position());
    }
}

void SectionView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0 && !models_.filter.picks().isPicking()) {
        moveTo(event->position());
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
    wheel_ += event->angleDelta().y();
    const int steps = wheel_ / kWheelStep;
    wheel_ -= steps * kWheelStep;
    if (steps != 0) {
        models_.orthogonal.step(across_, -steps);
    }
    event->accept();
}

void SectionView::keyPressEvent(QKeyEvent* event) {
    const VolumeAxis across = across_ == VolumeAxis::x ? VolumeAxis::z : VolumeAxis::x;
    const VolumeAxis down = across_ == VolumeAxis::x ? VolumeAxis::y : VolumeAxis::z;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        models_.orthogonal.step(across, event->key() == Qt::Key_Right ? 1 : -1);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        models_.orthogonal.step(down, (event->key() == Qt::Key_Down) != isUpwards() ? 1 : -1);
        break;
    default:
        PictureSurface::keyPressEvent(event);
    }
}

} // namespace pollard::app
