#include "window/volume_views.hpp"

#include "canvas/canvas.hpp"
#include "canvas/rendering_view.hpp"
#include "docks/orthogonal_panel.hpp"
#include "io/volumes/patient_axes.hpp"
#include "shell/models.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QEvent>
#include <QMouseEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kGap = 5;      ///< px between views
constexpr int kHeading = 22; ///< px above each view
constexpr int kBetweenColumns = 1;
constexpr int kBetweenRows = 2;

} // namespace

VolumeViews::VolumeViews(Models& models, Canvas& canvas, QWidget* parent)
    : QWidget(parent), models_(models), canvas_(canvas) {
    setObjectName(QStringLiteral("volumeViews"));
    setMouseTracking(true);
    canvas_.setParent(this); // which hides it
    canvas_.show();
    reason_ =
        new CaptionLabel(tr("This image has no slices. Open a volume to see it from three sides and in space."), this);
    reason_->setObjectName(QStringLiteral("volumeReason"));
    reason_->setAlignment(Qt::AlignCenter);
    reason_->setWordWrap(true);
    reason_->hide();
    connect(&models_.document, &vm::DocumentViewModel::imageChanged, this, &VolumeViews::refresh);
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::layoutChanged, this, &VolumeViews::place);
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::changed, this, &VolumeViews::showNames);
    connect(&models_.rendering, &vm::RenderingViewModel::changed, this, &VolumeViews::showNames);
}

bool VolumeViews::showsAll() const { return isOn_ && models_.document.isVolume(); }

void VolumeViews::setOn(bool on) {
    isOn_ = on;
    refresh();
}

void VolumeViews::refresh() {
    const bool shown = showsAll();
    if (shown && cells_.empty()) {
        makeCells();
    }
    showNames();
    place();
    if (shown != shown_) {
        shown_ = shown;
        models_.chain.setWatched(this, shown);
        emit shownChanged();
    }
}

void VolumeViews::makeCells() {
    addCell(QStringLiteral("xy"), &canvas_, VolumeAxis::z);
    addCell(QStringLiteral("xz"), new SectionView(VolumeAxis::y, models_, this), VolumeAxis::y);
    addCell(QStringLiteral("yz"), new SectionView(VolumeAxis::x, models_, this), VolumeAxis::x);
    auto* space = new RenderingView(
        {models_.document, models_.display, models_.chain, models_.orthogonal, models_.rendering}, this);
    space->setCursor(Qt::ArrowCursor); // not the cursor over the gaps
    space->setMinimumSize(0, 0);       // otherwise it covers other widgets in a small window
    explain(space, tr("3D view"), {});
    addCell(QStringLiteral("3d"), space, std::nullopt);
}

void VolumeViews::addCell(const QString& id, QWidget* view, std::optional<VolumeAxis> across) {
    Cell cell{id, view, new QLabel(this), nullptr, across, {}};
    if (view != &canvas_) {
        view->setObjectName(QStringLiteral("volumeView-") + id);
    }
    cell.name->setObjectName(QStringLiteral("volumeName-") + id);
    cell.name->setCursor(Qt::ArrowCursor);
    cell.enlarge = makeIconButton(this, "volumeEnlarge", QStringLiteral("fit"), tr("Enlarge this view"),
                                  tr("Show this view alone, or all four again (also by a double click in the view)"));
    cell.enlarge->setObjectName(QStringLiteral("volumeEnlarge-") + id);
    cell.enlarge->setCheckable(true);
    cell.enlarge->setCursor(Qt::ArrowCursor);
    connect(cell.enlarge, &QToolButton::clicked, this, [this, id] { toggle(id); });
    view->installEventFilter(this);
    cell.name->installEventFilter(this);
    const auto fail = [this, number = cells_.size()](const QString& message) {
        cells_[number].failure = message;
        showNames();
    };
    if (auto* section = qobject_cast<SectionView*>(view)) {
        connect(section, &ImageSurface::failed, this, fail);
    } else if (auto* space = qobject_cast<RenderingView*>(view)) {
        connect(space, &RenderingView::problemChanged, this, [space, fail] { fail(space->problem()); });
        connect(space, &RenderingView::doubleClicked, this, [this, id] { toggle(id); });
    }
    cells_.push_back(cell);
}

void VolumeViews::showNames() {
    const auto info = models_.document.imageInfo();
    for (const Cell& cell : cells_) {
        const QString name = cell.across ? vm::planeTitle(info.get(), *cell.across) : tr("3D");
        const QString problem = problemOf(cell);
        cell.name->setText(problem.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, problem));
        if (cell.across && cell.view != &canvas_) {
            explain(cell.view, tr("Section %1").arg(name),
                    tr("A drag or an arrow key moves the cross hair, the wheel "
                       "goes through the volume, with Ctrl it zooms"));
        }
    }
}

QString VolumeViews::problemOf(const Cell& cell) const {
    if (!cell.failure.isEmpty() || cell.view == &canvas_) {
        return cell.failure;
    }
    return cell.across ? models_.orthogonal.problem() : models_.rendering.problem();
}

int VolumeViews::quadrantOf(const Cell& cell) const {
    if (!cell.across) {
        return 3;
    }
    const auto info = models_.document.imageInfo();
    const auto map = vm::patientMap(info.get());
    std::array<int, 3> places{2, 1, 0}; // of x, y and z
    if (map) {
        std::array<int, 3> patient{};
        int seen = 0;
        for (const VolumeAxis axis : {VolumeAxis::x, VolumeAxis::y, VolumeAxis::z}) {
            const auto plane = patientPlane(*map, axis);
            const int quadrant = !plane                             ? 0
                                 : *plane == PatientPlane::sagittal ? 2
                                 : *plane == PatientPlane::coronal  ? 1
                                                                    : 0;
            patient[static_cast<std::size_t>(axis)] = quadrant;
            seen |= 1 << quadrant;
        }
        places = seen == 7 ? patient : places; // two axes of the volume may be nearest to the same axis of the patient
    }
    return places[static_cast<std::size_t>(*cell.across)];
}

QPoint VolumeViews::crossing() const {
    const vm::ViewsLayout& layout = models_.orthogonal.layout();
    return {static_cast<int>(std::lround(layout.across * width())),
            static_cast<int>(std::lround(layout.down * height()))};
}

void VolumeViews::placeCell(const Cell& cell, const QRect& area) {
    const QRect heading(area.left(), area.top(), area.width(), std::min(kHeading, area.height()));
    cell.name->setGeometry(heading.adjusted(kPanelSpacing, 0, -kHeading, 0));
    cell.enlarge->setGeometry(heading.right() + 1 - kHeading, heading.top(), kHeading, heading.height());
    cell.view->setGeometry(area.adjusted(0, heading.height(), 0, 0));
}

void VolumeViews::place() {
    const bool all = showsAll();
    const vm::ViewsLayout& layout = models_.orthogonal.layout();
    const bool isAlone =
        std::ranges::any_of(cells_, [&layout](const Cell& cell) { return cell.id == layout.enlarged; });
    const QPoint middle = crossing();
    for (const Cell& cell : cells_) {
        const bool isSeen = all && (!isAlone || cell.id == layout.enlarged);
        if (isSeen) {
            const int quadrant = quadrantOf(cell);
            QRect area = rect();
            if (!isAlone && quadrant % 2 == 0) {
                area.setRight(middle.x() - kGap / 2 - 1);
            } else if (!isAlone) {
                area.setLeft(middle.x() + kGap / 2 + 1);
            }
            if (!isAlone && quadrant < 2) {
                area.setBottom(middle.y() - kGap / 2 - 1);
            } else if (!isAlone) {
                area.setTop(middle.y() + kGap / 2 + 1);
            }
            placeCell(cell, area);
        }
        cell.name->setVisible(isSeen);
        cell.enlarge->setVisible(isSeen);
        cell.enlarge->setChecked(isAlone);
        cell.view->setVisible(isSeen || (!all && cell.view == &canvas_));
    }
    const bool hasReason = isOn_ && !all && models_.document.hasImage();
    reason_->setVisible(hasReason);
    if (!all) {
        const int bottom = hasReason ? std::max(kHeading, reason_->heightForWidth(width())) : 0;
        canvas_.show();
        canvas_.setGeometry(rect().adjusted(0, 0, 0, -bottom));
        reason_->setGeometry(0, height() - bottom, width(), bottom);
    }
    emit placed();
}

void VolumeViews::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

int VolumeViews::gapsAt(const QPointF& place) const {
    if (!showsAll() || !models_.orthogonal.layout().enlarged.isEmpty()) {
        return 0;
    }
    const QPoint middle = crossing();
    const auto isNear = [](double at, int gap) { return std::abs(at - gap) <= kGap; };
    return (isNear(place.x(), middle.x()) ? kBetweenColumns : 0) | (isNear(place.y(), middle.y()) ? kBetweenRows : 0);
}

void VolumeViews::mousePressEvent(QMouseEvent* event) {
    dragged_ = event->button() == Qt::LeftButton ? gapsAt(event->position()) : 0;
}

void VolumeViews::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_ == 0) {
        const int gaps = gapsAt(event->position());
        setCursor(gaps == (kBetweenColumns | kBetweenRows) ? Qt::SizeAllCursor
                  : gaps == kBetweenColumns                ? Qt::SplitHCursor
                  : gaps == kBetweenRows                   ? Qt::SplitVCursor
                                                           : Qt::ArrowCursor);
        return;
    }
    vm::ViewsLayout layout = models_.orthogonal.layout();
    if ((dragged_ & kBetweenColumns) != 0) {
        layout.across = event->position().x() / std::max(1, width());
    }
    if ((dragged_ & kBetweenRows) != 0) {
        layout.down = event->position().y() / std::max(1, height());
    }
    models_.orthogonal.setLayout(layout);
}

void VolumeViews::mouseReleaseEvent(QMouseEvent*) { dragged_ = 0; }

void VolumeViews::toggle(const QString& id) {
    vm::ViewsLayout layout = models_.orthogonal.layout();
    layout.enlarged = layout.enlarged.isEmpty() ? id : QString();
    models_.orthogonal.setLayout(layout);
}

bool VolumeViews::takesDoubleClick(const QWidget& view) const {
    // In the canvas a double click ends the shape that is being drawn; the 3D view waits for it before it takes a
    // click.
    return &view != &canvas_ ? qobject_cast<const RenderingView*>(&view) == nullptr
                             : models_.region.tool() == vm::RegionViewModel::Tool::hand;
}

void VolumeViews::undoClick() {
    if (const auto before = std::exchange(beforeClick_, std::nullopt)) {
        models_.orthogonal.setPosition(before->position);
        if (!before->isHeld) {
            models_.chain.letGo();
        }
    }
}

bool VolumeViews::eventFilter(QObject* watched, QEvent* event) {
    const bool isPress = event->type() == QEvent::MouseButtonPress;
    if (!showsAll() || (!isPress && event->type() != QEvent::MouseButtonDblClick) ||
        static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton) {
        return QWidget::eventFilter(watched, event);
    }
    for (const Cell& cell : cells_) {
        const bool isView = watched == cell.view && takesDoubleClick(*cell.view);
        if (isView && isPress) {
            beforeClick_ = {models_.orthogonal.position(), models_.chain.isHeld()};
        } else if (!isPress && (isView || watched == cell.name)) {
            if (isView) {
                undoClick();
            }
            toggle(cell.id);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pollard::app
