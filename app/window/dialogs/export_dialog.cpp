#include "window/dialogs/export_dialog.hpp"

#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pollard::app {

ExportDialog::ExportDialog(const vm::ViewTransform& view, QWidget* parent) : QDialog(parent), view_(view) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export view"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    addPart();
    addSize();
    overlays_ = new QCheckBox(tr("With the visible scale bar, rulers, grid and &regions"), this);
    overlays_->setObjectName(QStringLiteral("exportOverlays"));
    overlays_->setChecked(true);
    overlays_->setToolTip(tr("Draw the overlays into the file too"));
    layout->addWidget(overlays_);
    layout->addWidget(new Divider(this));
    size_ = new QLabel(this);
    size_->setObjectName(QStringLiteral("exportSize"));
    size_->setWordWrap(true);
    size_->setAccessibleName(tr("Size of the file"));
    layout->addWidget(size_);
    layout->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    export_ = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    export_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    setMinimumWidth(420);
    showPlan();
}

void ExportDialog::addPart() {
    visible_ = new QRadioButton(tr("&Visible part of the picture"), this);
    visible_->setObjectName(QStringLiteral("exportVisible"));
    visible_->setToolTip(tr("The part that the canvas shows"));
    whole_ = new QRadioButton(tr("&Whole picture"), this);
    whole_->setObjectName(QStringLiteral("exportWhole"));
    whole_->setToolTip(tr("All of the picture, not just the visible part"));
    visible_->setChecked(true);
    auto* part = new QVBoxLayout;
    part->setSpacing(6);
    part->addWidget(new SectionLabel(tr("Part"), this));
    part->addWidget(visible_);
    part->addWidget(whole_);
    static_cast<QVBoxLayout*>(layout())->addLayout(part);
    connect(whole_, &QRadioButton::toggled, this, &ExportDialog::showPlan);
}

void ExportDialog::addSize() {
    scale_ = new NumberBox(this);
    scale_->setObjectName(QStringLiteral("exportScale"));
    scale_->setRange(vm::kSmallestExport * 100, vm::kLargestExport * 100);
    scale_->setDecimals(1);
    scale_->setSuffix(tr(" %"));
    // The zoom of the screen, clamped to the range.
    scale_->setValue(std::clamp(view_.zoom, vm::kSmallestExport, vm::kLargestExport) * 100);
    explain(scale_, tr("Scale"), tr("100 %: one px of the file for every px of the picture"));
    width_ = new WholeBox(this);
    width_->setObjectName(QStringLiteral("exportWidth"));
    width_->setRange(1, vm::kLargestExportSide);
    width_->setGroupSeparatorShown(true);
    width_->setSuffix(tr(" px"));
    width_->setKeyboardTracking(false);
    explain(width_, tr("Width"), tr("Width of the file; the scale follows"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(captionFor(scale_, tr("&Scale")));
    row->addWidget(scale_, 1);
    row->addSpacing(8);
    row->addWidget(captionFor(width_, tr("W&idth")));
    row->addWidget(width_, 1);
    auto* size = new QVBoxLayout;
    size->setSpacing(6);
    size->addWidget(new SectionLabel(tr("Size"), this));
    size->addLayout(row);
    static_cast<QVBoxLayout*>(layout())->addLayout(size);
    connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::showPlan);
    connect(width_, &QSpinBox::valueChanged, this, &ExportDialog::takeWidth);
}

vm::ExportChoice ExportDialog::choice() const {
    vm::ExportChoice choice;
    choice.wholeImage = whole_->isChecked();
    choice.scale = scale_->value() / 100;
    // The box rounds to one decimal; a value equal to the zoom of the screen means the exact zoom.
    if (std::abs(choice.scale - view_.zoom) < 0.0006) {
        choice.scale = view_.zoom;
    }
    choice.overlays = overlays_ == nullptr || overlays_->isChecked();
    return choice;
}

vm::ExportPlan ExportDialog::plan() const { return vm::planExport(choice(), view_); }

double ExportDialog::partWidth() const {
    vm::ExportChoice one = choice();
    one.scale = 1;
    return std::max(1, vm::planExport(one, view_).size.width());
}

void ExportDialog::takeWidth() { scale_->setValue(width_->value() / partWidth() * 100); }

void ExportDialog::showPlan() {
    if (size_ == nullptr) {
        return;
    }
    const vm::ExportPlan planned = plan();
    const QLocale locale;
    if (!planned.problem.isEmpty()) {
        size_->setText(planned.problem);
    } else if (planned.size.isEmpty()) {
        size_->setText(tr("Nothing of the picture is visible."));
    } else {
        size_->setText(tr("%1 × %2 px, RGB, %3 before compression")
                           .arg(locale.toString(planned.size.width()), locale.toString(planned.size.height()),
                                locale.formattedDataSize(static_cast<qint64>(planned.bytes()), 1)));
        const QSignalBlocker quiet(width_);
        width_->setValue(planned.size.width());
    }
    export_->setEnabled(planned.problem.isEmpty() && !planned.size.isEmpty());
}

} // namespace pollard::app
