#pragma once

#include "vm/base/async_result.hpp"
#include "vm/image/level_histogram.hpp"

#include <QObject>
#include <QTimer>

#include <memory>

namespace pollard::vm {

class DocumentViewModel;

/// The levels for automatic windows of results, counted on another thread: those of the image after the earlier
/// filters, which stay during a drag of the filter, or those of the result itself.
class ResultLevels : public QObject {
    Q_OBJECT

public:
    /// Time in ms without another result before a result is counted.
    static constexpr int kDelay = 150;

    /// @param document must outlive this
    explicit ResultLevels(DocumentViewModel& document, QObject* parent = nullptr);

    /// Whether the result itself is counted.
    void setOfResult(bool result);
    /// Null while nothing is counted: without earlier filters, unless the result is counted, and without a document.
    [[nodiscard]] std::shared_ptr<const LevelHistogram> histogram() const noexcept { return counted_.value(); }

signals:
    void changed();

private:
    void onTree();
    void onResult();
    void count();

    DocumentViewModel& document_;
    bool ofResult_ = false;
    QTimer rest_;
    AsyncResult<LevelHistogram> counted_;
};

} // namespace pollard::vm
