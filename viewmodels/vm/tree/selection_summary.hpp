#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "analysis/attribute_histogram.hpp"
#include "analysis/column_summary.hpp"
#include "attributes/attribute.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <utility>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class NodeSelection;

/// What an attribute is like over the components that are selected. Computed on a thread of its own, and only while
/// somebody looks (setActive()).
class SelectionSummary : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kBins = 48;

    struct Values {
        ColumnSummary summary;
        AttributeHistogram histogram; ///< logarithmic where all values are above 0 and span more than two decades
    };

    /// @param document,selection must outlive this
    SelectionSummary(DocumentViewModel& document, NodeSelection& selection, QObject* parent = nullptr);

    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Null while nothing is selected, and until it is known.
    [[nodiscard]] std::shared_ptr<const Values> values() const noexcept { return values_; }
    /// Rows for a person: name, and number with unit.
    [[nodiscard]] std::vector<std::pair<QString, QString>> facts() const;

public slots:
    void setActive(bool active);
    void setAttribute(pollard::AttributeId id);

signals:
    void attributeChanged();
    void changed();

private:
    void update();

    DocumentViewModel& document_;
    NodeSelection& selection_;
    AttributeId attribute_ = AttributeId::area;
    std::shared_ptr<const Values> values_;
    bool active_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
