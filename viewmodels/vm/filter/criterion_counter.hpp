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

/// Values of a column that meet a criterion, bounds included; NaN meets nothing.
/// @throws Cancelled
[[nodiscard]] std::uint64_t countMeeting(const AttributeColumn& column, const Criterion& criterion,
                                         const JobControl& control = {});

/// Counts how many nodes each of some criteria keeps alone, on a thread of its own. It waits until the criteria rest,
/// so that the filter has the processor for itself while a person drags.
class CriterionCounter : public QObject {
    Q_OBJECT

public:
    /// Time in ms without a change after which is counted.
    static constexpr int kDelay = 150;

    struct Question {
        Criterion criterion;
        std::shared_ptr<const AttributeColumn> column; ///< null: not measured yet
    };

    explicit CriterionCounter(QObject* parent = nullptr);

    /// Asks about these from now on, and only about these. Whose criterion and column stay the same keeps its number.
    void ask(std::vector<Question> questions);
    /// Nodes that the i-th of them keeps alone; nothing until counted.
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
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
