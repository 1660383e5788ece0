#pragma once

#include "vm/filter/criterion_counter.hpp"
#include "vm/filter/criterion_entry.hpp"

#include <QAbstractListModel>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The criteria of a filter as a list: one of them is the current one, which FilterViewModel edits. There is always at
/// least one. One that is off plays no part; one without bounds is met by every node. Knows the domains of the
/// attributes that occur, and asks the document to measure those it needs.
class CriteriaModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Beside the text (Qt::DisplayRole), whether it is on (Qt::CheckStateRole) and the tooltip.
    enum Role {
        keptRole = Qt::UserRole + 1, ///< nodes that it keeps alone, quint64; invalid until counted
    };

    /// The whole list, on and off, to come back to it.
    struct State {
        std::vector<CriterionEntry> entries;
        int current = 0;
        Match match = Match::all;

        bool operator==(const State&) const = default;
    };

    /// @param document must outlive this
    explicit CriteriaModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Takes the check state.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] int count() const noexcept { return static_cast<int>(entries_.size()); }
    [[nodiscard]] int current() const noexcept { return current_; }
    [[nodiscard]] Match matchMode() const noexcept { return match_; }
    /// @param row in 0..count()-1
    [[nodiscard]] const CriterionEntry& entry(int row) const { return entries_.at(static_cast<std::size_t>(row)); }
    [[nodiscard]] const CriterionEntry& currentEntry() const { return entry(current_); }
    /// The demand of the row on the present tree in pixels, whether it is on or not.
    [[nodiscard]] Criterion criterion(int row) const;
    /// The same in the unit of its bounds.
    [[nodiscard]] Criterion stated(int row) const;
    /// Why the bounds of the row have no meaning for the open picture, so that the row takes no part; empty if they
    /// have one, and without a picture.
    [[nodiscard]] QString problem(int row) const;
    [[nodiscard]] AttributeDomain domainOf(AttributeId id) const;
    /// Nodes that the row keeps alone; nothing until counted.
    [[nodiscard]] std::optional<std::uint64_t> kept(int row) const { return counter_.kept(std::size_t(row)); }
    /// The demands of rows that are on, in the units of their bounds, without those that every node meets; none if all
    /// together demand nothing.
    [[nodiscard]] std::vector<Criterion> criteria() const;
    [[nodiscard]] State state() const { return {entries_, current_, match_}; }
    /// All of it at once, with one changed().
    /// @param state has at least one entry
    void setState(const State& state);

public slots:
    void setCurrent(int row);
    void setMatchMode(pollard::Match match);
    /// A criterion without bounds at the end, which becomes the current one.
    void add(pollard::AttributeId attribute);
    /// A copy below the row, which becomes the current one.
    void duplicate(int row);
    /// The only one that is left becomes one without bounds.
    void remove(int row);
    void setEnabled(int row, bool enabled);
    void setAttribute(int row, pollard::AttributeId attribute);
    void setBounds(int row, const pollard::vm::ChosenBounds& bounds);
    /// Attribute and bounds of a row at once.
    void setCriterion(int row, const pollard::Criterion& criterion);
    /// All of them at once, each on; the first becomes the current one. None: one without bounds.
    void assign(const std::vector<pollard::Criterion>& criteria, pollard::Match match);

signals:
    void currentChanged();
    void matchModeChanged();
    /// Something of the list or of a domain changed; comes once for every change, after everything is in place.
    void changed();

private:
    void onDocument();
    void onAttributeReady(pollard::AttributeId id);
    [[nodiscard]] AttributeDomain domainFor(int row) const;
    void takeDomains();
    void requestMissing();
    void askCounts();
    /// Tells views and everybody else that this row changed.
    void tell(int row);
    /// The same when any row may have changed.
    void tellRows(bool otherIsCurrent);
    [[nodiscard]] bool isRow(int row) const noexcept { return row >= 0 && row < count(); }
    [[nodiscard]] CriterionEntry& at(int row) { return entries_.at(static_cast<std::size_t>(row)); }
    [[nodiscard]] bool isUsed(AttributeId id) const;

    DocumentViewModel& document_;
    std::vector<CriterionEntry> entries_{CriterionEntry{}};
    int current_ = 0;
    Match match_ = Match::all;
    std::map<AttributeId, AttributeDomain> domains_; ///< known ones of attributes that occur
    CriterionCounter counter_;
};

} // namespace pollard::vm
