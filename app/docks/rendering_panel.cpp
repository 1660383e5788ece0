#include "docks/rendering_panel.hpp"

#include "docks/charts/level_charts.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kPercent = 100;

} // namespace

RenderingPanel::RenderingPanel(const RenderingView::ViewModels& models, vm::HistogramViewModel& histogram,
                               QWidget* parent)
    : QWidget(parent), models_(models) {
    setObjectName(QStringLiteral("renderingPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column->setSpacing(kPanelSpacing);
    pages_ = new QStackedWidget(this);
    view_ = new RenderingView(models_, pages_);
    explain(view_, "renderingView", tr("3D view"), {});
    view_->setAccessibleDescription(tr("The volume from any direction. Arrow keys turn it, plus and minus zoom, Home "
                                       "shows it as at first."));
    reason_ = new QLabel(pages_);
    reason_->setObjectName(QStringLiteral("renderingReason"));
    reason_->setWordWrap(true);
    reason_->setAlignment(Qt::AlignCenter);
    pages_->addWidget(view_);
    pages_->addWidget(reason_);
    column->addWidget(pages_, 1);
    controls_ = new QWidget(this);
    controls_->setLayout(makeControls());
    column->addWidget(controls_);
    curve_ = new OpacityCurveView(models_.rendering, histogram, models_.display, this);
    curve_->setObjectName(QStringLiteral("opacityCurve"));
    column->addWidget(curve_);
    size_ = new CaptionLabel(QString(), this);
    size_->setObjectName(QStringLiteral("renderingSize"));
    column->addWidget(size_);
    connect(view_, &RenderingView::problemChanged, this, &RenderingPanel::showState);
    connect(view_, &RenderingView::doubleClicked, &models_.rendering, &vm::RenderingViewModel::lookFromTheFront);
    connect(&models_.rendering, &vm::RenderingViewModel::viewChanged, this, &RenderingPanel::showState);
    follow(this, &RenderingPanel::showPresets, models_.document, &vm::DocumentViewModel::imageChanged);
    connect(&models_.rendering, &vm::RenderingViewModel::lookChanged, this, &RenderingPanel::showPresets);
    follow(this, &RenderingPanel::showState, models_.rendering, &vm::RenderingViewModel::changed);
}

QLayout* RenderingPanel::makeControls() {
    using Rendering = vm::RenderingViewModel;
    Rendering& rendering = models_.rendering;
    auto* row = new WrappingRow(kPanelSpacing);
    auto* kind = makeControl<QComboBox>(
        nullptr, "rendering", tr("Rendering"),
        tr("A projection shows the largest or smallest value behind each pixel. Volume rendering shows surfaces: "
           "voxels are the more opaque, the brighter they are in the display (the darker, with a min-tree)."));
    addChoices<vm::Rendering>(kind, {{tr("Maximum intensity"), vm::Rendering::maximum},
                                     {tr("Minimum intensity"), vm::Rendering::minimum},
                                     {tr("Volume rendering"), vm::Rendering::shaded}});
    couple(kind, rendering, &Rendering::rendering, &Rendering::setRendering, &Rendering::viewChanged);
    row->addWidget(kind);
    row->addWidget(makePresets());
    auto* shading = new QCheckBox(tr("Shading"));
    shading->setObjectName(QStringLiteral("renderingShading"));
    shading->setToolTip(tr("Light surfaces by the slope of the values. Without it, drawing is faster."));
    couple(shading, rendering, &Rendering::hasShading, &Rendering::setShading, &Rendering::viewChanged);
    shading_ = shading;
    row->addWidget(shading);
    opacity_ = new QWidget;
    auto* opacityRow = new QHBoxLayout(opacity_);
    opacityRow->setContentsMargins(0, 0, 0, 0);
    auto* slider = makeControl<QSlider>(
        opacity_, "renderingOpacity", tr("Opacity"),
        tr("Of a voxel at the bright end of the display (the dark end, with a min-tree)"), Qt::Horizontal);
    slider->setRange(1, kPercent);
    couple(
        slider, rendering, [](const Rendering& model) { return qRound(model.opacity() * kPercent); },
        [](Rendering& model, int percent) { model.setOpacity(static_cast<double>(percent) / kPercent); },
        &Rendering::viewChanged);
    opacityRow->addWidget(captionFor(slider, tr("Opacity")));
    opacityRow->addWidget(slider);
    row->addWidget(opacity_);
    row->addStretch();
    const std::array<std::pair<QString, VolumeAxis>, 3> directions{{{QStringLiteral("XY"), VolumeAxis::z},
                                                                    {QStringLiteral("XZ"), VolumeAxis::y},
                                                                    {QStringLiteral("YZ"), VolumeAxis::x}}};
    for (const auto& [name, axis] : directions) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("look") + name);
        button->setAutoRaise(true);
        const auto showName = [button, &document = models_.document, axis = axis] {
            const auto info = document.imageInfo();
            const QString plane = vm::planeName(info.get(), axis);
            button->setText(vm::planeTitle(info.get(), axis));
            explain(button, tr("Look at %1").arg(plane), tr("Turn the volume so that %1 lies in the view").arg(plane));
        };
        follow(button, showName, models_.document, &vm::DocumentViewModel::imageChanged);
        connect(button, &QToolButton::clicked, &rendering, [&rendering, axis = axis] { rendering.lookAlong(axis); });
        row->addWidget(button);
    }
    auto* reset = makeIconButton(nullptr, "resetRendering", QStringLiteral("reset"), tr("Reset the view"),
                                 tr("Direction and zoom as at first"));
    connect(reset, &QToolButton::clicked, &rendering, &Rendering::lookFromTheFront);
    row->addWidget(reset);
    return row;
}

QWidget* RenderingPanel::makePresets() {
    presets_ = new QComboBox;
    presets_->setObjectName(QStringLiteral("renderingPreset"));
    presets_->setAccessibleName(tr("Preset of the volume rendering"));
    connect(presets_, &QComboBox::activated, this,
            [this](int index) { models_.rendering.setPreset(presets_->itemData(index).toString()); });
    return presets_;
}

void RenderingPanel::showPresets() {
    const QString& shown = models_.rendering.preset();
    const QSignalBlocker blocker(presets_);
    presets_->clear();
    presets_->addItem(tr("No preset"));
    presets_->setItemData(0, tr("Voxels are opaque by their place in the window of the display"), Qt::ToolTipRole);
    if (shown == QLatin1String(vm::RenderingLook::kOwnCurve)) {
        presets_->addItem(tr("Own curve"), shown);
    }
    for (const vm::RenderingPreset& each : models_.rendering.presets()) {
        presets_->addItem(each.name, each.id);
        presets_->setItemData(presets_->count() - 1, each.toolTip, Qt::ToolTipRole);
    }
    presets_->setCurrentIndex(std::max(0, presets_->findData(shown)));
    const QString toolTip = presets_->currentData(Qt::ToolTipRole).toString();
    presets_->setToolTip(toolTip.isEmpty() ? tr("The curve of opacity, drawn below") : toolTip);
}

void RenderingPanel::setViewElsewhere(bool elsewhere) {
    isElsewhere_ = elsewhere;
    showState();
}

const vm::Analysis& RenderingPanel::analysis() const noexcept { return models_.rendering; }

void RenderingPanel::showState() {
    const vm::RenderingViewModel& rendering = models_.rendering;
    const bool isAvailable = rendering.isAvailable();
    const QString problem = view_->problem().isEmpty() ? rendering.problem() : view_->problem();
    pages_->setCurrentIndex(isAvailable && problem.isEmpty() ? 0 : 1);
    reason_->setText(!problem.isEmpty() ? problem
                                        : tr("Open a volume to see it in space: a stack of a microscope, CT, MRI."));
    controls_->setVisible(isAvailable && problem.isEmpty());
    const bool isShaded = rendering.rendering() == vm::Rendering::shaded;
    pages_->setVisible(!isElsewhere_ || pages_->currentIndex() == 1);
    opacity_->setVisible(isShaded && rendering.curve().isEmpty());
    shading_->setVisible(isShaded);
    curve_->setVisible(isShaded && !controls_->isHidden());
    const BlockSides& blocks = rendering.volume().blocks;
    size_->setVisible(isAvailable && problem.isEmpty() && !blocks.areVoxels());
    size_->setText(tr("Drawn in blocks of %1 x %2 x %3 voxels").arg(blocks.x).arg(blocks.y).arg(blocks.z));
}

} // namespace pollard::app
