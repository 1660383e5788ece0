#include "docks/pixel_size_controls.hpp"

#include "io/metadata/length_units.hpp"
#include "vm/session/pixel_size_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLocale>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

constexpr double kLargest = 1e9;

} // namespace

ScaleBarDialog::ScaleBarDialog(vm::PixelSizeViewModel& size, double pixels, QWidget* parent)
    : QDialog(parent), size_(size), pixels_(new LengthBox(kLargest, QStringLiteral(" "), this)),
      length_(new LengthBox(kLargest, QStringLiteral(" "), this)), unit_(new QComboBox(this)),
      result_(new QLabel(this)) {
    setWindowTitle(tr("Pixel size from a scale bar"));
    setObjectName(QStringLiteral("scaleBarDialog"));
    result_->setObjectName(QStringLiteral("lineResult"));
    explain(pixels_, "linePixels", tr("Length of the line in px"), tr("Length of the line in px of the image"));
    explain(length_, "lineLength", tr("Length of the line"), tr("Length in the scene, as labelled on the scale bar"));
    explain(unit_, "lineUnit", tr("Unit of the length"), tr("The unit that is written beside the scale bar"));
    for (LengthBox* box : {pixels_, length_}) {
        box->setKeyboardTracking(true);
    }
    pixels_->setValue(pixels);
    unit_->addItems(vm::PixelSizeViewModel::unitNames());
    unit_->setCurrentText(QStringLiteral("µm"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelMargin, 2 * kPanelMargin, 2 * kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kPanelSpacing);
    const auto addRow = [&](int row, const QString& caption, QWidget* box, QWidget* unit) {
        auto* label = new QLabel(caption, this);
        label->setBuddy(box);
        grid->addWidget(label, row, 0);
        grid->addWidget(box, row, 1);
        grid->addWidget(unit, row, 2);
    };
    addRow(0, tr("&How long is this line?"), length_, unit_);
    addRow(1, tr("&Line on the image"), pixels_, new QLabel(tr("px"), this));
    layout->addLayout(grid);
    layout->addWidget(result_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    ok_ = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);

    connect(pixels_, &QDoubleSpinBox::valueChanged, this, &ScaleBarDialog::showResult);
    connect(length_, &QDoubleSpinBox::valueChanged, this, &ScaleBarDialog::showResult);
    connect(unit_, &QComboBox::currentTextChanged, this, &ScaleBarDialog::showResult);
    showResult();
    LengthBox* const first = pixels > 0 ? length_ : pixels_;
    first->setFocus();
    first->selectAll();
}

double ScaleBarDialog::side() const { return vm::PixelSizeViewModel::sideOf(length_->value(), pixels_->value()); }

void ScaleBarDialog::showResult() {
    const double side = this->side();
    ok_->setEnabled(side > 0);
    result_->setText(
        side > 0 ? tr("A pixel is %1 %2 wide and high.").arg(QLocale().toString(side, 'g', 6), unit_->currentText())
                 : tr("Enter a length above 0."));
}

void ScaleBarDialog::accept() {
    const double side = this->side();
    if (side > 0) {
        size_.setSize(side, side, unit_->currentText());
        size_.setMeasuring(false);
        QDialog::accept();
    }
}

void ScaleBarDialog::reject() {
    size_.forgetLine();
    QDialog::reject();
}

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
    explain(width_, "pixelWidth", tr("Pixel size"),
            tr("Side of a pixel in the scene; the width of pixels that are not square"));
    explain(height_, "pixelHeight", tr("Height of a pixel"), tr("Height of a pixel in the scene"));
    explain(distance_, "sliceDistance", tr("Distance of slices"),
            tr("Distance in the scene from a slice of the volume to the next one"));
    apart_->setCheckable(true);
    apart_->setAutoRaise(true);
    apart_->setText(QStringLiteral("↔↕"));
    explain(apart_, "pixelApart", tr("Separate width and height"),
            tr("Enter width and height of pixels that are not square"));
    unit_->addItems(Size::unitNames());
    explain(unit_, "pixelUnit", tr("Unit of the pixel size"), tr("Unit of the pixel size; the number stays"));
}

void PixelSizeControls::makeChoices() {
    addChoices<Size::Scope>(scope_, {{tr("for this image"), Size::Scope::image},
                                     {tr("for all images of this folder"), Size::Scope::folder}});
    shorten(*scope_);
    explain(scope_, "pixelScope", tr("Images with this size"),
            tr("For this image: the size is saved in sessions. For all images of this folder: it is stored in the "
               "preferences, and used where a file states no size"));
    origin_->setObjectName(QStringLiteral("pixelOrigin"));
    origin_->setWordWrap(true);
    origin_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    measure_->setCheckable(true);
    explain(measure_, "pixelMeasure", tr("Measure from a scale bar"),
            tr("Draw a line over an object of known length, such as a scale bar, and enter its length"));
    explain(revert_, "pixelRevert", tr("As in the file"), tr("Remove this size"));
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
