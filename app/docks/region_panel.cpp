#include "docks/region_panel.hpp"

#include "shell/canvas_actions.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/region/region_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kMostRows = 4; ///< of the list, visible without scrolling

QToolButton* makeButton(QAction* action, QWidget* parent, bool withText = false) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize(QSize(18, 18));
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(withText ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text().remove(u'&'));
    return button;
}

} // namespace

RegionPanel::RegionPanel(vm::RegionViewModel& region, CanvasActions& actions, QWidget* parent)
    : QWidget(parent), region_(region) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    addTools(actions);
    hint_ = new EmptyState(QStringLiteral("regionHint"), this);
    hint_->setText(tr("The whole image is analysed. Draw a shape to analyse only a part."));
    hint_->addButton(*actions.tools->actions()[1]);
    layout->addWidget(hint_);
    list_ =
        makeControl<QListWidget>(this, "regionList", tr("Shapes"), tr("Shapes of the region; their union is analysed"));
    list_->setUniformItemSizes(true);
    layout->addWidget(list_);
    addNumbers();
    addArea(actions);
    layout->addStretch(1);

    connect(list_, &QListWidget::currentRowChanged, &region_, &vm::RegionViewModel::select);
    follow(this, &RegionPanel::showShapes, region_, &vm::RegionViewModel::changed);
    connect(&region_, &vm::RegionViewModel::areaChanged, this, &RegionPanel::showArea);
}

void RegionPanel::addTools(CanvasActions& actions) {
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    for (QAction* tool : actions.tools->actions()) {
        row->addWidget(makeButton(tool, this));
    }
    row->addStretch(1);
    row->addWidget(makeButton(actions.removeShape, this));
    row->addWidget(makeButton(actions.crop, this));
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void RegionPanel::addNumbers() {
    numbers_ = new QWidget(this);
    auto* grid = new QGridLayout(numbers_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    const struct {
        const char* objectName;
        QString caption;
        QString name;
        QString tip;
    } fields[] = {
        {"regionX", tr("&x"), tr("Left border"), tr("Left border of the selected shape, px from the left")},
        {"regionY", tr("&y"), tr("Upper border"), tr("Upper border of the selected shape, px from the top")},
        {"regionWidth", tr("&w"), tr("Width"), tr("Width of the selected shape, px")},
        {"regionHeight", tr("&h"), tr("Height"), tr("Height of the selected shape, px")},
    };
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        auto* box = new NumberBox(numbers_);
        box->setObjectName(QLatin1String(fields[i].objectName));
        box->setKeyboardTracking(false);
        box->setMinimumWidth(72);
        explain(box, fields[i].name, fields[i].tip);
        const int row = static_cast<int>(i / 2);
        const int column = static_cast<int>(i % 2) * 2;
        grid->addWidget(captionFor(box, fields[i].caption), row, column);
        grid->addWidget(box, row, column + 1);
        connect(box, &QDoubleSpinBox::valueChanged, this, &RegionPanel::applyNumbers);
        boxes_[i] = box;
    }
    shapeArea_ = makeControl<QLabel>(numbers_, "shapeArea", tr("Area of the shape"),
                                     tr("Area within the borders of the selected shape"));
    shapeArea_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    shapeArea_->setWordWrap(true);
    grid->addWidget(new CaptionLabel(tr("Area"), numbers_), 2, 0);
    grid->addWidget(shapeArea_, 2, 1, 1, 3);
    layout()->addWidget(numbers_);
}

void RegionPanel::addArea(CanvasActions& actions) {
    areaRow_ = new QWidget(this);
    auto* column = new QVBoxLayout(areaRow_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPanelSpacing);
    column->addWidget(new Divider(areaRow_));
    auto* outside = new QCheckBox(tr("Analyse the &outside"), areaRow_);
    explain(outside, "regionOutside", tr("Analyse the outside"), actions.invert->toolTip());
    using Region = vm::RegionViewModel;
    couple(outside, region_, &Region::isInverted, &Region::setInverted, &Region::changed);
    column->addWidget(outside);
    auto* row = new QHBoxLayout;
    row->addWidget(new CaptionLabel(tr("Analysed"), areaRow_), 0, Qt::AlignTop);
    area_ =
        makeControl<QLabel>(areaRow_, "regionArea", tr("Analysed area"), tr("Pixels that take part in the analysis"));
    area_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    area_->setWordWrap(true);
    row->addWidget(area_, 1);
    column->addLayout(row);
    layout()->addWidget(areaRow_);
}

void RegionPanel::showShapes() {
    const QSignalBlocker quiet(list_);
    const int count = region_.count();
    while (list_->count() > count) {
        delete list_->takeItem(list_->count() - 1);
    }
    for (int i = 0; i < count; ++i) {
        if (i == list_->count()) {
            list_->addItem(QString());
        }
        list_->item(i)->setText(region_.nameOf(i));
    }
    list_->setCurrentRow(region_.selected());
    list_->setVisible(count > 0);
    const int rows = std::clamp(count, 1, kMostRows);
    list_->setFixedHeight(rows * std::max(list_->sizeHintForRow(0), 1) + 2 * list_->frameWidth());
    hint_->setVisible(count == 0);
    areaRow_->setVisible(count > 0);
    showNumbers();
    showArea();
}

void RegionPanel::showNumbers() {
    const RegionShape* shape = region_.selectedShape();
    numbers_->setVisible(shape != nullptr);
    if (shape == nullptr) {
        return;
    }
    const QRectF box = vm::boxOf(*shape);
    const QSize image = region_.imageSize();
    const std::array values{box.left(), box.top(), box.width(), box.height()};
    const std::array<double, 4> least{0, 0, 1, 1};
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const QSignalBlocker quiet(boxes_[i]);
        boxes_[i]->setDecimals(shape->kind == RegionShape::Kind::polygon ? 2 : 0);
        boxes_[i]->setRange(least[i], i % 2 == 0 ? image.width() : image.height());
        boxes_[i]->setValue(values[i]);
    }
    shapeArea_->setText(region_.selectedAreaText());
}

void RegionPanel::showArea() { area_->setText(region_.areaText()); }

void RegionPanel::applyNumbers() {
    region_.setSelectedBox({boxes_[0]->value(), boxes_[1]->value(), boxes_[2]->value(), boxes_[3]->value()});
    showNumbers(); // the image may have limited the values
}

} // namespace pollard::app
