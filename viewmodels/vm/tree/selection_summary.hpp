#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"

#include "analysis/attribute_histogram.hpp"
#include "analysis/column_summary.hpp"
#include "attributes/attribute.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class NodeSelection;

/// Statistics of an attribute over the selected components. Computed on another thread, only while setActive().
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

    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Null without a selection, and until computed.
    [[nodiscard]] std::shared_ptr<const Values> values() const noexcept { return values_.value(); }
    /// Rows for the user: name, and number with unit.
    [[nodiscard]] std::vector<std::pair<QString, QString>> facts() const;
    /// The value of the image for a number of the column, and the inverse.
    [[nodiscard]] std::string unit() const; ///< of the values
    [[nodiscard]] double valueAt(double ofColumn) const;
    [[nodiscard]] double ofColumn(double value) const;

public slots:
    void setActive(bool active) { change(this, active_, active, &SelectionSummary::update); }
    void setAttribute(pollard::AttributeId id) {
        change(this, attribute_, id, &SelectionSummary::attributeChanged, &SelectionSummary::update);
    }

signals:
    void attributeChanged();
    void changed();

private:
    void update();

    DocumentViewModel& document_;
    NodeSelection& selection_;
    AttributeId attribute_ = AttributeId::area;
    bool active_ = false;
    AsyncResult<Values> values_{[this] { emit changed(); }};
};

} // namespace pollard::vm
