#include "docks/scale_bar_dialog.hpp"

#include "vm/session/pixel_size_view_model.hpp"
#include "widgets/length_box.hpp"
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
    pixels_->setObjectName(QStringLiteral("linePixels"));
    length_->setObjectName(QStringLiteral("lineLength"));
    unit_->setObjectName(QStringLiteral("lineUnit"));
    result_->setObjectName(QStringLiteral("lineResult"));
    explain(pixels_, tr("Length of the line in px"), tr("Length of the line in px of the picture"));
    explain(length_, tr("Length of the line"), tr("Length in the scene, as labelled on the scale bar"));
    explain(unit_, tr("Unit of the length"), tr("The unit that is written beside the scale bar"));
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
    addRow(1, tr("&Line on the picture"), pixels_, new QLabel(tr("px"), this));
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

} // namespace pollard::app
