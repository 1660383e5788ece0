#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

/// Number of values of a column that meet a criterion, bounds included; NaN meets none.
/// @throws Cancelled
[[nodiscard]] std::uint64_t countMeeting(const AttributeColumn& column, const Criterion& criterion,
                                         const JobControl& control = {});

/// Counts the nodes kept by each of several criteria alone, on another thread. Starts after a pause in the changes, so
/// that the filter has the processor during a drag.
class CriterionCounter : public QObject {
    Q_OBJECT

public:
    /// Time in ms without a change before the count.
    static constexpr int kDelay = 150;

    struct Question {
        Criterion criterion;
        std::shared_ptr<const AttributeColumn> column; ///< null: not measured yet
    };

    explicit CriterionCounter(QObject* parent = nullptr);

    /// Replaces the questions. Those with the same criterion and column keep their numbers.
    void ask(std::vector<Question> questions);
    /// Nodes kept by the i-th criterion alone; empty until counted.
    [[nodiscard]] std::optional<std::uint64_t> kept(std::size_t i) const;

signals:
    void counted();

private:
    struct Entry {
        Question question;
        std::optional<std::uint64_t> kept;
    };
    void count();

    std::vector<Entry> entries_;
    QTimer rest_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
