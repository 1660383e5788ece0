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

/// Statistics of an attribute over the selected components. Computed on its own thread, only while setActive().
class SelectionSummary : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kBins = 48;

    struct Values {
        ColumnSummary summary;
        AttributeHistogram histogram; ///< logarithmic if all values are positive and span more than two decades
    };

    /// @param document,selection must outlive this
    SelectionSummary(DocumentViewModel& document, NodeSelection& selection, QObject* parent = nullptr);

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Null without a selection, and until computed.
    [[nodiscard]] std::shared_ptr<const Values> values() const noexcept { return values_; }
    /// Rows for the user: name, and number with unit.
    [[nodiscard]] std::vector<std::pair<QString, QString>> facts() const;

public slots:
    void setActive(bool active);
    void setAttribute(pollard::AttributeId id);

signals:
    void activeChanged();
    void attributeChanged();
    void changed();

private:
    void update();

    DocumentViewModel& document_;
    NodeSelection& selection_;
    AttributeId attribute_ = AttributeId::area;
    std::shared_ptr<const Values> values_;
    bool active_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the other members are destroyed
};

} // namespace pollard::vm
