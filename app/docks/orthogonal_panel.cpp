#include "docks/orthogonal_panel.hpp"

#include "canvas/component_light.hpp"
#include "canvas/tone_of.hpp"
#include "theme/axis_colour.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::app {
namespace {

constexpr int kSide = 220;      ///< logical px, of a view
constexpr int kLeastSide = 80;  ///< logical px
constexpr int kWheelStep = 120; ///< eighths of a degree
constexpr double kOpacity = ComponentLight::kOpacity / 255.0;

QRgb mixed(QRgb below, QRgb above) {
    const auto part = [](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * kOpacity)); };
    return qRgb(part(qRed(below), qRed(above)), part(qGreen(below), qGreen(above)), part(qBlue(below), qBlue(above)));
}

/// For each px of the view along a side the px of the section there; -1 beside the section.
std::vector<int> pixelsAlong(double origin, double pixel, int view, double ratio, std::uint32_t count) {
    std::vector<int> pixels(static_cast<std::size_t>(view));
    constexpr double kMiddle = 0.5;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const double at = std::floor(((static_cast<double>(i) + kMiddle) / ratio - origin) / pixel);
        pixels[i] = at >= 0 && at < count ? static_cast<int>(at) : -1;
    }
    return pixels;
}

std::size_t levelsOf(const vm::ShownSlice& section) { return std::size_t{maxLevelOf(section.image->type())} + 1; }

} // namespace

SectionView::SectionView(VolumeAxis across, const ViewModels& models, const LevelTable& colours, QWidget* parent)
    : QWidget(parent), across_(across), models_(models), colours_(colours) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    const auto repaint = [this] { update(); };
    using Orthogonal = vm::OrthogonalViewModel;
    connect(&models_.orthogonal, &Orthogonal::changed, this, repaint);
    connect(&models_.orthogonal, &Orthogonal::positionChanged, this, repaint);
    connect(&models_.chain, &vm::ChainViewModel::currentChanged, this, repaint);
    using Display = vm::DisplayViewModel;
    for (const auto signal : {&Display::pictureChanged, &Display::splitChanged, &Display::viewChanged}) {
        connect(&models_.display, signal, this, repaint);
    }
}

QSize SectionView::sizeHint() const { return {kSide, kSide}; }

QSize SectionView::minimumSizeHint() const { return {kLeastSide, kLeastSide}; }

SectionView::Place SectionView::place() const {
    const vm::ShownSlice* section = models_.orthogonal.section(across_);
    const QSizeF sides = models_.orthogonal.pixelSides(across_);
    if (section == nullptr) {
        return {{}, sides};
    }
    const Image& image = *section->image;
    const QSizeF whole(image.width() * sides.width(), image.height() * sides.height());
    if (models_.display.isFitting()) {
        const double scale = std::min(width() / whole.width(), height() / whole.height());
        return {QPointF((width() - whole.width() * scale) / 2, (height() - whole.height() * scale) / 2), sides * scale};
    }
    // Magnified as the slice, around the same place on the common axis and the cross hair on the other one.
    const QSizeF pixel = sides * (models_.display.zoom() / devicePixelRatioF());
    const QPointF slice = models_.display.centre();
    const QPointF cross = models_.orthogonal.crossing(across_);
    const QPointF middle =
        across_ == VolumeAxis::x ? QPointF(cross.x(), slice.y()) : QPointF(slice.x(), turned(cross.y()));
    return {QPointF(width() / 2.0 - middle.x() * pixel.width(), height() / 2.0 - middle.y() * pixel.height()), pixel};
}

bool SectionView::isUpwards() const { return across_ == VolumeAxis::y && models_.document.isHeadUp(); }

double SectionView::turned(double y) const {
    const vm::ShownSlice* section = models_.orthogonal.section(across_);
    return section != nullptr && isUpwards() ? section->image->height() - y : y;
}

QPointF SectionView::toSection(const QPointF& view) const {
    const Place at = place();
    return {(view.x() - at.origin.x()) / at.pixel.width(), turned((view.y() - at.origin.y()) / at.pixel.height())};
}

QPointF SectionView::toView(const QPointF& section) const {
    const Place at = place();
    return {at.origin.x() + section.x() * at.pixel.width(), at.origin.y() + turned(section.y()) * at.pixel.height()};
}

QImage SectionView::painted(double ratio) const {
    const vm::ShownSlice& section = *models_.orthogonal.section(across_);
    const Image& image = *section.image;
    const Image& result = *section.frame.image;
    const Place at = place();
    QImage picture(size() * ratio, QImage::Format_RGB32);
    picture.fill(palette().color(QPalette::Window));
    const auto columns = pixelsAlong(at.origin.x(), at.pixel.width(), picture.width(), ratio, image.width());
    auto rows = pixelsAlong(at.origin.y(), at.pixel.height(), picture.height(), ratio, image.height());
    if (isUpwards()) {
        for (int& row : rows) {
            row = row < 0 ? row : static_cast<int>(image.height()) - 1 - row;
        }
    }
    // The line of the split has a column in the slice and in XZ; YZ lies on one side of it.
    const vm::DisplayViewModel& display = models_.display;
    const double split = display.view().toImage({display.splitPosition() * display.view().viewSize.width(), 0}).x();
    const double before = display.isSplitEnabled() ? split : display.wantsResult() ? 0 : image.width();
    const bool isBeforeSplit = across_ == VolumeAxis::x && models_.orthogonal.position().x + 1 <= before;
    const auto tree = models_.document.tree();
    const auto node = models_.chain.node();
    const bool isLit = tree && node && tree->extent() == models_.document.shown().volume->extent();
    const std::uint32_t first = isLit ? *node : 0;
    const std::uint32_t count = isLit ? tree->subtreeEnd[first] - first : 0;
    const PlaneVoxels voxels = voxelsOf(section.plane(), models_.document.shown().volume->extent());
    for (int line = 0; line < picture.height(); ++line) {
        const int y = rows[static_cast<std::size_t>(line)];
        if (y < 0) {
            continue;
        }
        auto* pixel = reinterpret_cast<QRgb*>(picture.scanLine(line));
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const int x = columns[column];
            if (x < 0 ||
                (section.valid && !section.valid->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)))) {
                continue;
            }
            const std::size_t index = static_cast<std::size_t>(y) * image.width() + static_cast<std::size_t>(x);
            const bool isBefore = across_ == VolumeAxis::x ? isBeforeSplit : x + 1 <= before;
            const QRgb colour = colours_.difference
                                    ? colours_.difference->shade(image.level(index), result.level(index), true)
                                : isBefore ? colours_.before[image.level(index)]
                                           : colours_.after[result.level(index)];
            const std::size_t voxel =
                voxels.first + static_cast<std::size_t>(x) * voxels.right + static_cast<std::size_t>(y) * voxels.down;
            pixel[column] =
                count != 0 && tree->pixelNode[voxel] - first < count ? mixed(colour, ComponentLight::kColour) : colour;
        }
    }
    picture.setDevicePixelRatio(ratio);
    return picture;
}

void SectionView::paintEvent(QPaintEvent*) {
    const vm::ShownSlice* section = models_.orthogonal.section(across_);
    if (section == nullptr || colours_.before.empty()) {
        return;
    }
    QPainter painter(this);
    painter.drawImage(QPoint(0, 0), painted(devicePixelRatioF()));
    paintLines(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void SectionView::paintLines(QPainter& painter) const {
    const Image& image = *models_.orthogonal.section(across_)->image;
    const QRectF picture = QRectF(toView({0, 0}), toView({image.width() + 0.0, image.height() + 0.0})).normalized();
    const QPointF cross = toView(models_.orthogonal.crossing(across_));
    painter.setPen(QPen(axisColour(across_ == VolumeAxis::x ? VolumeAxis::z : VolumeAxis::x), 0));
    painter.drawLine(QPointF(cross.x(), picture.top()), QPointF(cross.x(), picture.bottom()));
    painter.setPen(QPen(axisColour(across_ == VolumeAxis::x ? VolumeAxis::y : VolumeAxis::z), 0));
    painter.drawLine(QPointF(picture.left(), cross.y()), QPointF(picture.right(), cross.y()));
}

std::optional<std::uint32_t> SectionView::nodeAt(const QPointF& view) const {
    const vm::ShownSlice* section = models_.orthogonal.section(across_);
    const auto tree = models_.document.tree();
    if (section == nullptr || !tree || !models_.document.isVolume() ||
        tree->extent() != models_.document.shown().volume->extent()) {
        return std::nullopt;
    }
    const PlaneVoxels voxels = voxelsOf(section->plane(), tree->extent());
    const QPointF at = toSection(view);
    if (at.x() < 0 || at.y() < 0 || at.x() >= voxels.width || at.y() >= voxels.height) {
        return std::nullopt;
    }
    return tree->pixelNode[voxels.first + static_cast<std::size_t>(at.x()) * voxels.right +
                           static_cast<std::size_t>(at.y()) * voxels.down];
}

void SectionView::moveTo(const QPointF& view) {
    if (models_.orthogonal.section(across_) != nullptr) {
        models_.orthogonal.moveInPlane(across_, toSection(view));
    }
}

void SectionView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        moveTo(event->position());
    }
}

void SectionView::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) {
        moveTo(event->position());
    }
    models_.chain.hoverNode(nodeAt(event->position()));
}

void SectionView::leaveEvent(QEvent*) { models_.chain.leave(); }

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
        QWidget::keyPressEvent(event);
    }
}

OrthogonalPanel::OrthogonalPanel(const SectionView::ViewModels& models, QWidget* parent)
    : QWidget(parent), models_(models) {
    setObjectName(QStringLiteral("orthogonalPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column->setSpacing(kPanelSpacing);
    pages_ = new QStackedWidget(this);
    views_ = new QSplitter(Qt::Horizontal, pages_);
    views_->setChildrenCollapsible(false);
    auto* xz = new SectionView(VolumeAxis::y, models_, colours_);
    xz->setObjectName(QStringLiteral("sectionXZ"));
    explain(
        xz, tr("Section XZ"),
        tr("The volume from the front: x to the right, slices downwards, or upwards if they ascend towards the head"));
    auto* yz = new SectionView(VolumeAxis::x, models_, colours_);
    yz->setObjectName(QStringLiteral("sectionYZ"));
    explain(yz, tr("Section YZ"), tr("The volume from the side: slices to the right, y downwards"));
    views_->addWidget(titled(xz, tr("XZ")));
    views_->addWidget(titled(yz, tr("YZ")));
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
    using Display = vm::DisplayViewModel;
    for (const auto signal : {&Display::windowChanged, &Display::colourMapChanged, &Display::toneCurveChanged,
                              &Display::marksChanged, &Display::pictureChanged}) {
        connect(&models_.display, signal, this, &OrthogonalPanel::colour);
    }
    using Compare = vm::CompareViewModel;
    for (const auto signal : {&Compare::modeChanged, &Compare::turnChanged, &Compare::differenceChanged}) {
        connect(&models_.display.compare(), signal, this, &OrthogonalPanel::colour);
    }
    using Orthogonal = vm::OrthogonalViewModel;
    follow(
        this,
        [this] {
            showState();
            colourIfNeeded();
        },
        models_.orthogonal, &Orthogonal::changed);
    follow(this, &OrthogonalPanel::showState, models_.orthogonal, &Orthogonal::positionChanged);
}

QWidget* OrthogonalPanel::titled(SectionView* view, const QString& name) {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(new CaptionLabel(name, box));
    column->addWidget(view, 1);
    return box;
}

const vm::Analysis& OrthogonalPanel::analysis() const noexcept { return models_.orthogonal; }

void OrthogonalPanel::setTall(bool tall) { views_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal); }

void OrthogonalPanel::showState() {
    const bool isAvailable = models_.orthogonal.isAvailable();
    const QString& problem = models_.orthogonal.problem();
    pages_->setCurrentIndex(isAvailable && problem.isEmpty() ? 0 : 1);
    reason_->setText(
        !problem.isEmpty() ? problem : tr("Open a volume to see it from the side: a stack of a microscope, CT, MRI."));
    position_->setVisible(isAvailable);
    const Voxel at = models_.orthogonal.position();
    const QLocale locale;
    position_->setText(
        tr("x %1, y %2, slice %3").arg(locale.toString(at.x), locale.toString(at.y), locale.toString(at.z + 1)));
}

void OrthogonalPanel::colourIfNeeded() {
    const vm::ShownSlice* section = models_.orthogonal.section(VolumeAxis::y);
    const bool isOther = section != nullptr && (colours_.before.size() != levelsOf(*section) ||
                                                coloured_ != models_.orthogonal.spec().output);
    if (isOther) {
        colour();
    }
}

void OrthogonalPanel::colour() {
    const vm::ShownSlice* section = models_.orthogonal.section(VolumeAxis::y);
    if (section == nullptr) {
        colours_ = {}; // for those that follow
        return;
    }
    const Output output = coloured_ = models_.orthogonal.spec().output;
    const bool twin = models_.display.wantsResult();
    Tone tone = toneOf(models_.display, output, twin);
    colours_.difference.reset();
    if (tone.difference != Tone::Difference::none) {
        colours_.difference.emplace(tone, models_.display.colourMap());
    }
    tone.difference = Tone::Difference::none;
    const LevelColours colours(tone, models_.display.colourMap());
    const std::size_t levels = levelsOf(*section);
    colours_.before.resize(levels);
    colours_.after.resize(levels);
    for (std::size_t i = 0; i < levels; ++i) {
        const auto level = static_cast<double>(i);
        colours_.before[i] = colours.shade(level, level, false);
        colours_.after[i] = colours.shade(level, level, true);
    }
    for (SectionView* view : findChildren<SectionView*>()) {
        view->update();
    }
}

} // namespace pollard::app
