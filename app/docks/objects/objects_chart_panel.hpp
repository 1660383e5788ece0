#pragma once

#include "vm/objects/object_chart_model.hpp"

#include <QWidget>

namespace pollard::app {

/// The chart of the objects with the choice of its features; updated only while visible.
class ObjectsChartPanel : public QWidget {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ObjectsChartPanel(vm::ObjectTableModel& table, QWidget* parent = nullptr);

    [[nodiscard]] vm::ObjectChartModel& model() noexcept { return chart_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    vm::ObjectChartModel chart_;
};

} // namespace pollard::app
