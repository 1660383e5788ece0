#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"

#include "components/objects/object_chart.hpp"
#include "components/objects/object_features.hpp"

#include <QObject>
#include <QRectF>

#include <memory>
#include <optional>

namespace pollard::vm {

class ObjectTableModel;
struct ObjectListing;

/// A chart of the listed objects: a histogram of a feature, or two features against each other. Computed on its own
/// thread, only while active.
class ObjectChartModel : public QObject {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ObjectChartModel(ObjectTableModel& table, QObject* parent = nullptr);

    [[nodiscard]] const ObjectQuantity& x() const noexcept { return spec_.x; }
    [[nodiscard]] const std::optional<ObjectQuantity>& y() const noexcept { return spec_.y; }
    [[nodiscard]] bool isLogarithmic() const noexcept { return spec_.logarithmic; }
    void setX(const ObjectQuantity& quantity);
    /// Empty: a histogram.
    void setY(const std::optional<ObjectQuantity>& quantity);
    void setLogarithmic(bool logarithmic) {
        change(this, spec_.logarithmic, logarithmic, &ObjectChartModel::specChanged, &ObjectChartModel::update);
    }
    void setActive(bool active) { change(this, active_, active, &ObjectChartModel::update); }

    /// Null if there is none.
    [[nodiscard]] std::shared_ptr<const ObjectChart> chart() const noexcept {
        return {chartData_.value(), chartData_.value() ? &chartData_.value()->chart : nullptr};
    }
    [[nodiscard]] const ObjectTableModel& table() const noexcept { return table_; }

    /// Selects the objects in a part of the displayed chart, given in places 0..1 on both axes, y upwards; in a
    /// histogram the objects of all bars touched by the part.
    void selectWithin(const QRectF& places);
    /// Selects only this object.
    void select(std::uint32_t label);

signals:
    void specChanged();
    void changed(); ///< another chart, or none

private:
    struct ChartData {
        std::shared_ptr<const ObjectListing> listing;
        ObjectUnit unit;
        ObjectChart chart;
    };
    void update();
    /// Replaces columns that the table lacks.
    void dropMissing();

    ObjectTableModel& table_;
    ObjectChartSpec spec_{ObjectFeature::area, ObjectFeature::circularity, false};
    bool active_ = false;
    AsyncResult<ChartData> chartData_{[this] { emit changed(); }};
};

} // namespace pollard::vm
