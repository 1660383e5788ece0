#include "lab/lab_image_controls.hpp"

#include "vm/lab/lab_scenes.hpp"
#include "vm/lab/lab_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

namespace pollard::app {

using Lab = vm::LabViewModel;

LabImageControls::LabImageControls(Lab& lab, QWidget* parent)
    : QWidget(parent), lab_(lab), example_(new QComboBox(this)),
      width_(makeSide("labWidth", tr("Width"), tr("Width of the picture, px"))),
      height_(makeSide("labHeight", tr("Height"), tr("Height of the picture, px"))), brush_(new WholeBox(this)),
      crop_(new QPushButton(tr("Crop of the image"), this)), undo_(new QPushButton(tr("Undo"), this)) {
    auto* rows = new QGridLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kPanelSpacing);
    rows->addWidget(new SectionLabel(tr("Picture"), this), 0, 0, 1, 2);
    example_->setObjectName(QStringLiteral("labExample"));
    example_->addItem(tr("Examples"));
    for (const vm::LabExample& each : vm::labExamples()) {
        example_->addItem(vm::exampleTitle(each));
    }
    explain(example_, tr("Example"), tr("Instructive pictures"));
    rows->addWidget(example_, 1, 0, 1, 2);
    brush_->setObjectName(QStringLiteral("labBrush"));
    brush_->setRange(0, Lab::kLargestLevel);
    explain(brush_, tr("Level of the brush"),
            tr("The grey level that the mouse paints; right-click takes it from a "
               "pixel"));
    int row = 2;
    const auto add = [&](const QString& title, QSpinBox* box) {
        rows->addWidget(captionFor(box, title), row, 0);
        rows->addWidget(box, row++, 1);
    };
    add(tr("Width"), width_);
    add(tr("Height"), height_);
    add(tr("Brush level"), brush_);
    crop_->setObjectName(QStringLiteral("labCrop"));
    crop_->setEnabled(false);
    explain(crop_, tr("Crop of the image"), tr("Take the pixels in the middle of the view of the open image"));
    undo_->setObjectName(QStringLiteral("labUndo"));
    explain(undo_, tr("Undo"), tr("Undo the last change of the picture (Ctrl+Z)"));
    rows->addWidget(crop_, row++, 0, 1, 2);
    rows->addWidget(undo_, row, 0, 1, 2);
    rows->setColumnStretch(1, 1);

    connect(example_, &QComboBox::activated, this, [this](int entry) {
        lab_.loadExample(entry - 1);
        example_->setCurrentIndex(entry);
    });
    couple(width_, lab_, &Lab::width, &Lab::setWidth, &Lab::pictureChanged);
    couple(height_, lab_, &Lab::height, &Lab::setHeight, &Lab::pictureChanged);
    couple(brush_, lab_, &Lab::brush, &Lab::setBrush, &Lab::brushChanged);
    connect(crop_, &QPushButton::clicked, this, &LabImageControls::cropWanted);
    connect(undo_, &QPushButton::clicked, &lab_, &Lab::undo);
    follow(this, &LabImageControls::showState, lab_, &Lab::pictureChanged);
}

QSpinBox* LabImageControls::makeSide(const char* name, const QString& title, const QString& tip) {
    auto* box = new WholeBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(1, static_cast<int>(teach::kLabSide));
    box->setKeyboardTracking(false);
    explain(box, title, tip);
    return box;
}

void LabImageControls::showState() {
    undo_->setEnabled(lab_.canUndo());
    int entry = 0;
    const auto examples = vm::labExamples();
    for (std::size_t i = 0; i < examples.size(); ++i) {
        if (examples[i].picture == lab_.picture()) {
            entry = static_cast<int>(i) + 1;
        }
    }
    example_->setCurrentIndex(entry);
}

} // namespace pollard::app
