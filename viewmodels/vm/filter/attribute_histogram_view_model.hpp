#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/filter/criterion_entry.hpp"

#include "analysis/column_summary.hpp"
#include "attributes/attribute.hpp"

#include <QList>
#include <QObject>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// Histogram of the edited attribute over the nodes, as bars on the filter's slider: places from 0 to 1 over the same
/// domain, logarithmic if the slider is. Heights are proportional to log(1 + nodes). Counted on another thread; the
/// bars never show another attribute or tree.
class AttributeHistogramViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kBins = 128;

    /// Nodes with lowest <= value <= highest (for non-integers: value < highest except for the last bar).
    struct Bar {
        double start = 0; ///< place
        double end = 0;
        double lowest = 0;
        double highest = 0;
        std::uint64_t nodes = 0;
    };

    /// @param document,filter must outlive this
    AttributeHistogramViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] AttributeId attribute() const noexcept;
    /// The value of the image for a number of the attribute's column, and the unit of the values.
    [[nodiscard]] double valueAt(double ofColumn) const;
    [[nodiscard]] std::string unit() const; ///< values are in px, whatever the unit of bounds
    /// Ascending and adjacent; empty until counted.
    [[nodiscard]] const std::vector<Bar>& bars() const noexcept { return bars_; }
    [[nodiscard]] bool isEmpty() const noexcept { return bars_.empty(); }
    /// The bars are being counted.
    [[nodiscard]] bool isCounting() const noexcept { return counting_; }
    /// Counted nodes, and nodes without a value of the attribute.
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
    [[nodiscard]] std::uint64_t nodesWithoutValue() const noexcept { return without_; }
    /// Height of a bar in 0..1 of the highest.
    [[nodiscard]] double height(std::size_t bar) const noexcept;
    /// Outline of all bars as (place, height), starting and ending at height 0.
    [[nodiscard]] QList<QPointF> outline() const;
    /// Ends of the kept values on the slider; half a step beyond integer bounds, so that their bars are inside.
    [[nodiscard]] double keptStart() const;
    [[nodiscard]] double keptEnd() const;
    /// The bar at a place; -1 if there is none.
    [[nodiscard]] int barAt(double place) const noexcept;
    /// Text of a bar: "12 to 15 px: 1,234 components".
    [[nodiscard]] QString barText(std::size_t bar) const;
    /// Text for all bars: "125,448 components, 12 without a value".
    [[nodiscard]] QString text() const;

signals:
    void changed();

private:
    void count();
    void show(const AttributeHistogram& histogram);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    std::shared_ptr<const AttributeColumn> column_; ///< of the displayed or pending bars
    std::vector<Bar> bars_;
    std::uint64_t highest_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t without_ = 0;
    bool counting_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
