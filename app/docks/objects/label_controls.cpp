#include "docks/objects/label_controls.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {

using Tool = vm::LabelTool;
using Edits = vm::LabelEditViewModel;

LabelControls::LabelControls(Edits& edits, const vm::ObjectsViewModel& objects, QWidget* parent)
    : QWidget(parent), edits_(edits), objects_(objects) {
    addTool(Tool::brush, "brush", tr("Brush"),
            tr("Paint pixels of the object where the stroke begins, or a new object (B). Shift paints over other "
               "objects, too"));
    addTool(Tool::eraser, "erase", tr("Eraser"), tr("Erase pixels of objects (E)"));
    addTool(Tool::fill, "fill", tr("Fill a hole"), tr("Click into a hole of an object to fill it (F)"));
    addTool(Tool::polygon, "region_polygon", tr("Polygon"),
            tr("Click the corners of a new object; a double click or Return ends it (P)"));
    addTool(Tool::merge, "join", tr("Join objects"), tr("Draw from one object to others to join them with it (J)"));
    addTool(Tool::cut, "cut", tr("Cut an object"), tr("Draw a line across an object to divide it (C)"));
    addTool(Tool::take, "pick_component", tr("Take a component"),
            tr("Click, grow and shrink the component by the wheel or the arrows up and down, and take it as an object "
               "by Return (T)"));
    brush_ = makeControl<WholeBox>(this, "labelBrush", tr("Diameter of brush and eraser"),
                                   tr("Diameter of brush and eraser ([ and ] on the image)"));
    brush_->setRange(1, Edits::kLargestBrush);
    brush_->setSuffix(tr(" px"));
    connect(brush_, &QSpinBox::valueChanged, &edits_, &Edits::setBrush);
    ball_ = makeControl<QCheckBox>(this, "labelBall", tr("Ball"),
                                   tr("Paint a ball in all slices, with the sides of voxels; else a disc in the slice"),
                                   tr("Ball"));
    connect(ball_, &QCheckBox::toggled, &edits_, &Edits::setBall);
    again_ = makeControl<QPushButton>(this, "labelFindAgain", tr("Find again"),
                                      tr("Leave the edits and find the objects by their settings; undo brings the "
                                         "edits back"),
                                      tr("Find again"));
    connect(again_, &QPushButton::clicked, &edits_, &Edits::findAgain);
    state_ = new QLabel(this);
    state_->setObjectName(QStringLiteral("labelState"));
    state_->setWordWrap(true);
    state_->setTextFormat(Qt::PlainText);

    auto* row = new WrappingRow(3);
    for (const auto& [button, tool] : tools_) {
        row->addWidget(button);
    }
    for (QWidget* widget :
         {static_cast<QWidget*>(brush_), static_cast<QWidget*>(ball_), static_cast<QWidget*>(again_)}) {
        row->addWidget(widget);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(state_);
    follow(this, &LabelControls::showState, edits_, &Edits::toolChanged, &Edits::edited, &Edits::problemChanged);
}

void LabelControls::addTool(Tool tool, const char* icon, const QString& name, const QString& toolTip) {
    const QString objectName = QStringLiteral("labelTool-") + QString::number(static_cast<int>(tool));
    QToolButton* const button =
        makeIconButton(this, objectName.toLatin1().constData(), QString::fromLatin1(icon), name, toolTip);
    button->setCheckable(true);
    connect(button, &QToolButton::clicked, &edits_, [this, tool](bool on) { edits_.setTool(on ? tool : Tool::none); });
    tools_ << std::pair(button, tool);
}

void LabelControls::showState() {
    for (const auto& [button, tool] : tools_) {
        button->setEnabled(edits_.isAvailable());
        button->setChecked(edits_.tool() == tool);
    }
    const QSignalBlocker quiet(brush_);
    brush_->setValue(edits_.brush());
    ball_->setVisible(objects_.document().isVolume());
    ball_->setChecked(edits_.isBall());
    again_->setVisible(edits_.isEdited());
    const QString text = !edits_.problem().isEmpty() ? edits_.problem()
                         : edits_.isEdited()
                             ? tr("Edited by hand. Settings that find objects have an effect after Find again.")
                             : QString();
    state_->setText(text);
    state_->setVisible(!text.isEmpty());
}

} // namespace pollard::app
