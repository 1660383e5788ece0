#include "docks/objects/objects_chart_panel.hpp"

#include "docks/charts/object_chart_view.hpp"
#include "vm/objects/object_table_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QHideEvent>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

constexpr int kHistogram = -1; ///< instead of a second feature

} // namespace

ObjectsChartPanel::ObjectsChartPanel(vm::ObjectTableModel& table, QWidget* parent)
    : QWidget(parent), chart_(table), x_(new QComboBox(this)), y_(new QComboBox(this)),
      logarithmic_(new QCheckBox(tr("Lo&g"), this)) {
    x_->setObjectName(QStringLiteral("objectsChartX"));
    y_->setObjectName(QStringLiteral("objectsChartY"));
    logarithmic_->setObjectName(QStringLiteral("objectsChartLog"));
    explain(x_, tr("Feature to the right"), tr("Feature shown from left to right"));
    explain(y_, tr("Feature upwards"), tr("Feature shown upwards, or the number of objects"));
    explain(logarithmic_, tr("Logarithmic axes"), tr("Equal ratios are equally long, where all values are above 0"));
    y_->addItem(tr("Histogram"), kHistogram);
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        for (QComboBox* box : {x_, y_}) {
            box->addItem(vm::ObjectTableModel::tr(info.name.data()), static_cast<int>(info.feature));
        }
    }
    for (QComboBox* box : {x_, y_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
    }
    x_->setCurrentIndex(x_->findData(static_cast<int>(chart_.x())));
    y_->setCurrentIndex(y_->findData(chart_.y() ? static_cast<int>(*chart_.y()) : kHistogram));
    connect(x_, &QComboBox::currentIndexChanged, this,
            [this] { chart_.setX(static_cast<ObjectFeature>(x_->currentData().toInt())); });
    connect(y_, &QComboBox::currentIndexChanged, this, [this] {
        const int feature = y_->currentData().toInt();
        chart_.setY(feature == kHistogram ? std::nullopt : std::optional(static_cast<ObjectFeature>(feature)));
    });
    connect(logarithmic_, &QCheckBox::toggled, &chart_, &vm::ObjectChartModel::setLogarithmic);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(y_, 1);
    head->addWidget(new CaptionLabel(tr("by"), this));
    head->addWidget(x_, 1);
    head->addWidget(logarithmic_);
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
