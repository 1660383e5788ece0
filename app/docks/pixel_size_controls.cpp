#include "docks/pixel_size_controls.hpp"

#include "docks/scale_bar_dialog.hpp"
#include "io/metadata/stated_size.hpp"
#include "widgets/couple.hpp"
#include "widgets/length_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QVBoxLayout>

namespace pollard::app {

using Size = vm::PixelSizeViewModel;

PixelSizeControls::PixelSizeControls(Size& size, QWidget* parent)
    : QWidget(parent), size_(size), width_(new LengthBox(kLargestSide, tr("unknown"), this)),
      times_(new CaptionLabel(QStringLiteral("×"), this)), height_(new LengthBox(kLargestSide, tr("unknown"), this)),
      distance_(new LengthBox(kLargestSide, tr("unknown"), this)), apart_(new QToolButton(this)),
      unit_(new QComboBox(this)), scope_(new QComboBox(this)), origin_(new CaptionLabel({}, this)),
      measure_(new QPushButton(tr("Measure from a scale bar…"), this)),
      revert_(new QPushButton(tr("As in the file"), this)), hint_(new CaptionLabel({}, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    auto* numbers = new QGridLayout;
    numbers->setHorizontalSpacing(kPanelSpacing / 2);
    numbers->setVerticalSpacing(2);
    numbers->setColumnStretch(4, 1);
    numbers->addWidget(captionFor(width_, tr("&Pixel size")), 0, 0);
    numbers->addWidget(width_, 0, 1);
    numbers->addWidget(unit_, 0, 2);
    numbers->addWidget(apart_, 0, 3);
    numbers->addWidget(times_, 1, 0, Qt::AlignRight | Qt::AlignVCenter);
    numbers->addWidget(height_, 1, 1);
    slices_ = captionFor(distance_, tr("S&lices"));
    numbers->addWidget(slices_, 2, 0);
    numbers->addWidget(distance_, 2, 1);
    layout->addLayout(numbers);
    layout->addWidget(scope_);
    layout->addWidget(origin_);
    layout->addWidget(revert_, 0, Qt::AlignLeft);
    layout->addWidget(measure_, 0, Qt::AlignLeft);
    layout->addWidget(hint_);
    makeNumbers();
    makeChoices();
    connectModel();
}

void PixelSizeControls::makeNumbers() {
    width_->setObjectName(QStringLiteral("pixelWidth"));
    height_->setObjectName(QStringLiteral("pixelHeight"));
    explain(width_, tr("Pixel size"), tr("Side of a pixel in the scene; the width of pixels that are not square"));
    explain(height_, tr("Height of a pixel"), tr("Height of a pixel in the scene"));
    distance_->setObjectName(QStringLiteral("sliceDistance"));
    explain(distance_, tr("Distance of slices"),
            tr("Distance in the scene from a slice of the volume to the next one"));
    apart_->setObjectName(QStringLiteral("pixelApart"));
    apart_->setCheckable(true);
    apart_->setAutoRaise(true);
    apart_->setText(QStringLiteral("↔↕"));
    explain(apart_, tr("Separate width and height"), tr("Enter width and height of pixels that are not square"));
    unit_->setObjectName(QStringLiteral("pixelUnit"));
    unit_->addItems(Size::unitNames());
    explain(unit_, tr("Unit of the pixel size"), tr("Unit of the pixel size; the number stays"));
}

void PixelSizeControls::makeChoices() {
    scope_->setObjectName(QStringLiteral("pixelScope"));
    scope_->addItem(tr("for this picture"), static_cast<int>(Size::Scope::picture));
    scope_->addItem(tr("for all pictures of this folder"), static_cast<int>(Size::Scope::folder));
    shorten(*scope_);
    explain(scope_, tr("Pictures with this size"),
            tr("For this picture: the size is saved in sessions. For all pictures of this folder: it is stored in the "
               "preferences, and used where a file states no size"));
    origin_->setObjectName(QStringLiteral("pixelOrigin"));
    origin_->setWordWrap(true);
    origin_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    measure_->setObjectName(QStringLiteral("pixelMeasure"));
    measure_->setCheckable(true);
    explain(measure_, tr("Measure from a scale bar"),
            tr("Draw a line over an object of known length, such as a scale bar, and enter its length"));
    revert_->setObjectName(QStringLiteral("pixelRevert"));
    explain(revert_, tr("As in the file"), tr("Remove this size"));
    hint_->setObjectName(QStringLiteral("pixelHint"));
    hint_->setWordWrap(true);
    hint_->setText(
        tr("Drag a line over the scale bar; Shift keeps it straight. Return: type its length in px. Esc: end"));
}

void PixelSizeControls::connectModel() {
    couple(width_, size_, &Size::width, &Size::setWidth, &Size::changed);
    couple(height_, size_, &Size::height, &Size::setHeight, &Size::changed);
    couple(distance_, size_, &Size::distance, &Size::setDistance, &Size::changed);
    couple(scope_, size_, &Size::scope, &Size::setScope, &Size::changed);
    connect(unit_, &QComboBox::textActivated, &size_, &Size::setUnit);
    connect(apart_, &QToolButton::clicked, this, [this](bool apart) {
        if (!apart && !size_.isSquare()) {
            size_.setSize(size_.width(), size_.width(), size_.unit());
        }
        showSize();
    });
    couple(measure_, size_, &Size::isMeasuring, &Size::setMeasuring, &Size::measuringChanged);
    follow(
        this, [this] { hint_->setVisible(size_.isMeasuring()); }, size_, &Size::measuringChanged);
    connect(revert_, &QPushButton::clicked, &size_, &Size::revert);
    follow(this, &PixelSizeControls::showSize, size_, &Size::changed);
    connect(&size_, &Size::lineDrawn, this, &PixelSizeControls::askForLength);
}

void PixelSizeControls::showSize() {
    setVisible(size_.isAvailable());
    if (!size_.isSquare()) {
        apart_->setChecked(true);
    }
    times_->setVisible(apart_->isChecked());
    height_->setVisible(apart_->isChecked());
    slices_->setVisible(size_.hasDistance());
    distance_->setVisible(size_.hasDistance());
    unit_->setCurrentText(size_.unit());
    origin_->setText(size_.originText());
    revert_->setVisible(size_.canRevert());
}

void PixelSizeControls::askForLength(double pixels) {
    auto* dialog = new ScaleBarDialog(size_, pixels, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace pollard::app
