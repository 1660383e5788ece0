#pragma once

#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/filter/criterion_entry.hpp"

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"

#include <QAbstractListModel>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// Number of values of a column that meet a criterion, bounds included; NaN meets none.
/// @throws Cancelled
[[nodiscard]] std::uint64_t countMeeting(const AttributeColumn& column, const Criterion& criterion,
                                         const JobControl& control = {});

/// Counts the nodes that each of several criteria keeps by itself, on another thread. Starts after a pause in the
/// changes, so that the filter has the processor during a drag.
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
    /// Nodes that the i-th criterion keeps by itself; empty until counted.
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

/// The criteria of a filter as a list with a current one, which FilterViewModel edits. There is always at least one.
/// Criteria that are off are ignored; criteria without bounds are met by every node. Holds the domains of the
/// attributes in use, and requests missing measurements from the document.
class CriteriaModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Roles in addition to the text (Qt::DisplayRole), the check state (Qt::CheckStateRole) and the tooltip.
    enum Role {
        keptRole = Qt::UserRole + 1, ///< nodes that the criterion keeps by itself, quint64; invalid until counted
    };

    /// The whole list, to be restored later.
    using State = CriterionList;

    /// @param document must outlive this
    explicit CriteriaModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Sets the check state.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] int count() const noexcept { return static_cast<int>(entries_.size()); }
    [[nodiscard]] int current() const noexcept { return current_; }
    [[nodiscard]] Match matchMode() const noexcept { return match_; }
    /// @param row in 0..count()-1
    [[nodiscard]] const CriterionEntry& entry(int row) const { return entries_.at(static_cast<std::size_t>(row)); }
    [[nodiscard]] const CriterionEntry& currentEntry() const { return entry(current_); }
    /// The criterion of the row on the present tree in pixels, on or off.
    [[nodiscard]] Criterion criterion(int row) const;
    /// The criterion of the row in the unit of its bounds.
    [[nodiscard]] Criterion stated(int row) const;
    /// Why the bounds of the row do not apply to the open image, so that the row is ignored; empty if they do, and
    /// without an image.
    [[nodiscard]] QString problem(int row) const;
    [[nodiscard]] AttributeDomain domainOf(AttributeId id) const;
    /// Nodes that the row keeps by itself; empty until counted.
    [[nodiscard]] std::optional<std::uint64_t> kept(int row) const { return counter_.kept(std::size_t(row)); }
    /// The criteria that are on and not met by every node, in the units of their bounds.
    [[nodiscard]] std::vector<Criterion> criteria() const;
    [[nodiscard]] State state() const { return {entries_, current_, match_}; }
    /// Replaces the whole list with one changed().
    /// @param state has at least one entry
    void setState(const State& state);

public slots:
    void setCurrent(int row);
    void setMatchMode(pollard::Match match) {
        change(this, match_, match, &CriteriaModel::matchModeChanged, &CriteriaModel::changed);
    }
    /// Appends a criterion without bounds and makes it the current one.
    void add(pollard::AttributeId attribute);
    /// Inserts a copy below the row and makes it the current one.
    void duplicate(int row);
    /// Removing the only criterion replaces it by one without bounds.
    void remove(int row);
    void setEnabled(int row, bool enabled);
    void setAttribute(int row, pollard::AttributeId attribute);
    void setBounds(int row, const pollard::ChosenBounds& bounds);
    /// Sets attribute and bounds of a row at once.
    void setCriterion(int row, const pollard::Criterion& criterion);
    /// Replaces all criteria, each on; the first becomes the current one. Empty: one without bounds.
    void assign(const std::vector<pollard::Criterion>& criteria, pollard::Match match);

signals:
    void currentChanged();
    void matchModeChanged();
    /// The list or a domain has changed; emitted once per change, at its end.
    void changed();

private:
    void onAttributeReady(pollard::AttributeId id);
    [[nodiscard]] AttributeDomain domainFor(AttributeId id) const;
    void takeDomains();
    void requestMissing();
    void askCounts();
    /// Signals a change of this row.
    void signalRow(int row);
    /// Signals a possible change of any row.
    void signalRows(bool otherIsCurrent);
    [[nodiscard]] bool isRow(int row) const noexcept { return row >= 0 && row < count(); }
    [[nodiscard]] CriterionEntry& at(int row) { return entries_.at(static_cast<std::size_t>(row)); }
    [[nodiscard]] bool isUsed(AttributeId id) const;

    DocumentViewModel& document_;
    std::vector<CriterionEntry> entries_{CriterionEntry{}};
    int current_ = 0;
    Match match_ = Match::all;
    std::map<AttributeId, AttributeDomain> domains_; ///< known ones of the attributes in use
    CriterionCounter counter_;
};

} // namespace pollard::vm
