#include "docks/objects/objects_chart_panel.hpp"

#include "docks/charts/object_chart_view.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QVariant>

#include <optional>
#include <string>

namespace pollard::app {
namespace {

constexpr int kHistogram = -1; ///< instead of a second feature

/// The data of an entry: the number of a feature, or the name of a column.
QVariant dataOf(const ObjectQuantity& quantity) {
    return quantity.isColumn() ? QVariant(QString::fromStdString(quantity.column))
                               : QVariant(static_cast<int>(quantity.feature));
}

ObjectQuantity quantityOf(const QVariant& data) {
    return data.typeId() == QMetaType::QString ? ObjectQuantity(data.toString().toStdString())
                                               : ObjectQuantity(static_cast<ObjectFeature>(data.toInt()));
}

} // namespace

ObjectsChartPanel::ObjectsChartPanel(vm::ObjectTableModel& table, QWidget* parent) : QWidget(parent), chart_(table) {
    auto* x = new QComboBox(this);
    auto* y = new QComboBox(this);
    auto* logarithmic = new QCheckBox(tr("Lo&g"), this);
    x->setObjectName(QStringLiteral("objectsChartX"));
    y->setObjectName(QStringLiteral("objectsChartY"));
    logarithmic->setObjectName(QStringLiteral("objectsChartLog"));
    explain(x, tr("Feature of the x axis"), tr("Feature that is shown from left to right"));
    explain(y, tr("Feature of the y axis"), tr("Feature that is shown upwards, or the number of objects"));
    explain(logarithmic, tr("Logarithmic axes"), tr("Equal ratios are equally long, where all values are above 0"));
    for (QComboBox* box : {x, y}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
    }
    const auto offer = [this, x, y, &table] {
        const QSignalBlocker quietX(x);
        const QSignalBlocker quietY(y);
        for (QComboBox* box : {x, y}) {
            box->clear();
            if (box == y) {
                box->addItem(tr("Histogram"), kHistogram);
            }
            for (const ObjectFeatureInfo& info : vm::describedFeatures()) {
                box->addItem(vm::featureName(info.feature), static_cast<int>(info.feature));
            }
            for (const std::string& column : table.channelColumns()) {
                box->addItem(table.titleOf(ObjectQuantity(column)), dataOf(ObjectQuantity(column)));
            }
        }
        x->setCurrentIndex(x->findData(dataOf(chart_.x())));
        y->setCurrentIndex(y->findData(chart_.y() ? dataOf(*chart_.y()) : QVariant(kHistogram)));
    };
    follow(this, offer, table, &vm::ObjectTableModel::columnsChanged);
    using Chart = vm::ObjectChartModel;
    couple(
        x, chart_, [](const Chart& chart) { return dataOf(chart.x()); },
        [](Chart& chart, const QVariant& data) { chart.setX(quantityOf(data)); }, &Chart::specChanged);
    couple(
        y, chart_, [](const Chart& chart) { return chart.y() ? dataOf(*chart.y()) : QVariant(kHistogram); },
        [](Chart& chart, const QVariant& data) {
            chart.setY(data == QVariant(kHistogram) ? std::nullopt : std::optional(quantityOf(data)));
        },
        &Chart::specChanged);
    couple(logarithmic, chart_, &Chart::isLogarithmic, &Chart::setLogarithmic, &Chart::specChanged);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(y, 1);
    head->addWidget(new CaptionLabel(tr("by"), this));
    head->addWidget(x, 1);
    head->addWidget(logarithmic);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(new ObjectChartView(chart_, table, this), 1);
}

void ObjectsChartPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    chart_.setActive(true);
}

void ObjectsChartPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous()) {
        chart_.setActive(false);
    }
}

} // namespace pollard::app
