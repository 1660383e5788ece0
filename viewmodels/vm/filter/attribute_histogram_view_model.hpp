#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/value_domain.hpp"

#include "analysis/attribute_histogram.hpp"

#include <QList>
#include <QObject>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// How many nodes have which value of the attribute that the filter edits, as bars that stand on the filter's slider:
/// places run from 0 to 1 over the same domain, logarithmic where the slider is. Heights grow with log(1 + nodes).
/// Counted on a thread of its own; the bars are never those of another attribute or tree.
class AttributeHistogramViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kBins = 128;

    /// Nodes with lowest <= value <= highest (of other numbers than whole ones: value < highest but for the last bar).
    struct Bar {
        double start = 0; ///< place
        double end = 0;
        double lowest = 0;
        double highest = 0;
        std::uint64_t nodes = 0;
    };

    /// @param document,filter must outlive this
    AttributeHistogramViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    /// In ascending order, side by side; empty until counted.
    [[nodiscard]] const std::vector<Bar>& bars() const noexcept { return bars_; }
    [[nodiscard]] bool isEmpty() const noexcept { return bars_.empty(); }
    /// The bars are being counted.
    [[nodiscard]] bool isCounting() const noexcept { return counting_; }
    /// Nodes that are counted, and those without a value of the attribute.
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
    [[nodiscard]] std::uint64_t nodesWithoutValue() const noexcept { return without_; }
    /// Height of a bar in 0..1 of the highest.
    [[nodiscard]] double height(std::size_t bar) const noexcept;
    /// Outline of all bars as (place, height), from the floor to the floor.
    [[nodiscard]] QList<QPointF> outline() const;
    /// Where the values that the filter keeps begin and end on the slider; half a step beyond the bounds of whole
    /// numbers, so that their bars are inside.
    [[nodiscard]] double keptStart() const;
    [[nodiscard]] double keptEnd() const;
    /// The bar at a place; -1 if there is none.
    [[nodiscard]] int barAt(double place) const noexcept;
    /// What a bar shows: "12 to 15 px: 1,234 components".
    [[nodiscard]] QString barText(std::size_t bar) const;
    /// What all of them show: "125,448 components, 12 without a value".
    [[nodiscard]] QString text() const;

signals:
    void changed();

private:
    void count();
    void show(const AttributeHistogram& histogram);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    std::shared_ptr<const AttributeColumn> column_; ///< of the bars that are shown or counted
    std::vector<Bar> bars_;
    std::uint64_t highest_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t without_ = 0;
    bool counting_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
