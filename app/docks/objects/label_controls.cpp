#include "docks/objects/label_controls.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/objects/class_list.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QSignalBlocker>
#include <QVBoxLayout>

#include <limits>
#include <vector>

namespace pollard::app {

using Tool = vm::LabelTool;
using Edits = vm::LabelEditViewModel;

LabelControls::LabelControls(Edits& edits, const vm::ObjectsViewModel& objects, vm::ObjectTableModel& table,
                             QWidget* parent)
    : QWidget(parent), edits_(edits), objects_(objects), table_(table) {
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
    makeNumber();
    makeClass();
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
    for (QWidget* widget : QList<QWidget*>{brush_, ball_, number_, join_, class_, again_}) {
        row->addWidget(widget);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(state_);
    follow(this, &LabelControls::showState, edits_, &Edits::toolChanged, &Edits::edited, &Edits::problemChanged);
    connect(&edits_, &Edits::toolChanged, this, &LabelControls::showSelection);
    connect(&table_, &vm::ObjectTableModel::listingChanged, this, &LabelControls::showSelection);
    follow(this, &LabelControls::showSelection, table_.marks(), &vm::ObjectMarks::selectionChanged);
    follow(this, &LabelControls::showSelection, objects_.classes(), &vm::ClassList::classesChanged);
}

void LabelControls::makeNumber() {
    number_ = makeControl<WholeBox>(this, "labelNumber", tr("Number of the selected object"),
                                    tr("Number of the selected object in the table and in files; type another one"));
    number_->setRange(0, std::numeric_limits<int>::max());
    number_->setSpecialValueText(QStringLiteral("–"));
    number_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    number_->setPrefix(tr("No. "));
    connect(number_, &QSpinBox::editingFinished, this, [this] { renumber(false); });
    join_ = makeControl<QPushButton>(this, "labelJoin", tr("Join the objects"),
                                     tr("Make the selected object a part of the object that has this number"));
    join_->hide();
    connect(join_, &QPushButton::clicked, this, [this] { renumber(true); });
}

void LabelControls::makeClass() {
    class_ = makeControl<QComboBox>(this, "labelClass", tr("Class of the selected objects"),
                                    tr("Put the selected objects into a class by hand; they keep it whatever the "
                                       "conditions of the classes are"));
    connect(class_, &QComboBox::activated, this,
            [this] { edits_.setClass(std::vector(table_.marks().selected()), class_->currentData().toInt()); });
}

std::uint32_t LabelControls::selectedNumber() const {
    const vm::ObjectMarks& marks = table_.marks();
    return marks.objects() && marks.selectedCount() > 0 ? marks.objects()->components.numberOf(marks.selected().front())
                                                        : 0;
}

void LabelControls::renumber(bool join) {
    const auto wanted = static_cast<std::uint32_t>(number_->value());
    const std::uint32_t present = selectedNumber();
    if (present == 0 || wanted == 0 || wanted == present) {
        return;
    }
    const Components& found = table_.marks().objects()->components;
    const std::uint32_t other = found.labelOf(wanted);
    const bool isTaken = other != 0 && found.objects[other - 1].area != 0;
    join_->setText(tr("Join with %1").arg(number_->text()));
    join_->setVisible(isTaken && !join);
    if (join || !isTaken) {
        edits_.renumber(table_.marks().selected().front(), wanted, join);
    }
}

void LabelControls::showSelection() {
    const std::uint32_t number = edits_.isAvailable() ? selectedNumber() : 0;
    const vm::ClassList& classes = objects_.classes();
    const bool isOne = table_.marks().selectedCount() == 1;
    number_->setEnabled(number != 0 && isOne);
    number_->setValue(isOne ? static_cast<int>(number) : 0);
    join_->hide();
    class_->setEnabled(number != 0);
    class_->clear();
    class_->addItem(tr("Class by condition"), -1);
    for (int row = 0; row < classes.rowCount(); ++row) {
        const QModelIndex name = classes.index(row, vm::ClassList::nameColumn);
        class_->addItem(name.data().toString(), row);
        class_->setItemData(row + 1, name.data(Qt::DecorationRole), Qt::DecorationRole);
    }
    class_->addItem(tr("New class"), classes.rowCount());
    class_->setCurrentIndex(edits_.isEdited() && number != 0 ? classes.rowOfMember(number) + 1 : 0);
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
