#include "vm/filter/criteria_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "attributes/grey_values.hpp"
#include "filter/filter_units.hpp"

#include <QLocale>

#include <algorithm>

namespace pollard::vm {
namespace {

/// Values between two checks of the token; they take well under a millisecond.
constexpr std::size_t kPiece = 1U << 18U;

bool sameQuestion(const CriterionCounter::Question& a, const CriterionCounter::Question& b) {
    return a.criterion == b.criterion && a.column == b.column;
}

} // namespace

std::uint64_t countMeeting(const AttributeColumn& column, const Criterion& criterion, const JobControl& control) {
    return std::visit(
        [&](const auto& values) {
            std::uint64_t kept = 0;
            for (std::size_t start = 0; start < values.size(); start += kPiece) {
                control.throwIfStopped();
                const std::size_t end = std::min(start + kPiece, values.size());
                for (std::size_t i = start; i < end; ++i) {
                    const auto value = static_cast<double>(values[i]);
                    kept += value >= criterion.minimum && value <= criterion.maximum ? 1U : 0U;
                }
            }
            return kept;
        },
        column.values);
}

CriterionCounter::CriterionCounter(QObject* parent) : QObject(parent) {
    rest_.setSingleShot(true);
    rest_.setInterval(kDelay);
    connect(&rest_, &QTimer::timeout, this, &CriterionCounter::count);
}

void CriterionCounter::ask(std::vector<Question> questions) {
    std::vector<Entry> entries;
    entries.reserve(questions.size());
    bool missing = false;
    for (Question& question : questions) {
        Entry entry{std::move(question), std::nullopt};
        const auto known = std::ranges::find_if(
            entries_, [&](const Entry& old) { return old.kept && sameQuestion(old.question, entry.question); });
        if (known != entries_.end()) {
            entry.kept = known->kept;
        }
        missing = missing || (!entry.kept && entry.question.column);
        entries.push_back(std::move(entry));
    }
    entries_ = std::move(entries);
    if (missing) {
        rest_.start();
    } else {
        rest_.stop();
    }
}

std::optional<std::uint64_t> CriterionCounter::kept(std::size_t i) const {
    return i < entries_.size() ? entries_[i].kept : std::nullopt;
}

void CriterionCounter::count() {
    std::vector<Entry> missing;
    for (const Entry& entry : entries_) {
        if (!entry.kept && entry.question.column) {
            missing.push_back(entry);
        }
    }
    worker_.cancel(Lane::measure);
    worker_.post(
        Lane::measure,
        [missing = std::move(missing)](const std::stop_token& stop) mutable {
            for (Entry& entry : missing) {
                entry.kept = countMeeting(*entry.question.column, entry.question.criterion, JobControl(stop));
            }
            return std::move(missing);
        },
        [this](const JobOutcome& outcome, const std::vector<Entry>& results) {
            if (!outcome.ok()) {
                return;
            }
            for (Entry& entry : entries_) {
                const auto found = std::ranges::find_if(
                    results, [&](const Entry& result) { return sameQuestion(result.question, entry.question); });
                if (found != results.end()) {
                    entry.kept = found->kept;
                }
            }
            emit counted();
        });
}

CriteriaModel::CriteriaModel(DocumentViewModel& document, QObject* parent)
    : QAbstractListModel(parent), document_(document) {
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] { signalRows(false); });
    connect(&document_.pixelSizes(), &DocumentPixelSizes::changed, this, [this] { signalRows(false); });
    connect(&document_, &DocumentViewModel::attributeReady, this, &CriteriaModel::onAttributeReady);
    connect(&counter_, &CriterionCounter::counted, this,
            [this] { emit dataChanged(index(0), index(count() - 1), {keptRole}); });
    takeDomains();
}

int CriteriaModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QVariant CriteriaModel::data(const QModelIndex& index, int role) const {
    if (!isRow(index.row())) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: {
        const QString text = shownCriterion(readable(stated(index.row()), mappingOf(document_)));
        return problem(index.row()).isEmpty() ? text : tr("%1: takes no part").arg(text);
    }
    case Qt::ToolTipRole: {
        const QString why = problem(index.row());
        if (!why.isEmpty()) {
            return why;
        }
        const std::optional<ValueMapping>& mapping = mappingOf(document_);
        const QString text = shownCriterion(readable(stated(index.row()), mapping));
        const Criterion levels = criterion(index.row());
        const bool isOfLevels = mapping && attributeInfo(levels.attribute).grey != Grey::none &&
                                !isColumnInValues(levels.attribute, *mapping) && isBounded(levels);
        return isOfLevels ? tr("%1 (in levels: %2)").arg(text, boundsText(levels, QLocale())) : text;
    }
    case Qt::CheckStateRole:
        return entry(index.row()).enabled ? Qt::Checked : Qt::Unchecked;
    case keptRole: {
        const auto number = problem(index.row()).isEmpty() ? kept(index.row()) : std::nullopt;
        return number ? QVariant(static_cast<quint64>(*number)) : QVariant();
    }
    default:
        return {};
    }
}

bool CriteriaModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !isRow(index.row())) {
        return false;
    }
    setEnabled(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags CriteriaModel::flags(const QModelIndex& index) const {
    return index.isValid()
               ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren
               : Qt::NoItemFlags;
}

AttributeDomain CriteriaModel::domainOf(AttributeId id) const {
    const auto found = domains_.find(id);
    return found == domains_.end() ? AttributeDomain::of(id, nullptr) : found->second;
}

Criterion CriteriaModel::criterion(int row) const {
    return effectiveCriterion(entry(row), domainFor(entry(row).attribute), unitsOf(document_));
}

Criterion CriteriaModel::stated(int row) const {
    return statedCriterion(entry(row), domainFor(entry(row).attribute), unitsOf(document_));
}

AttributeDomain CriteriaModel::domainFor(AttributeId id) const {
    // While another tree is awaited, its domains are unknown, and the domains of the present tree do not apply.
    return document_.choices().isTreeHeld() ? AttributeDomain{} : domainOf(id);
}

QString CriteriaModel::problem(int row) const {
    return document_.hasImage() ? QString::fromStdString(criterionProblem(stated(row), unitsOf(document_))) : QString();
}

std::vector<Criterion> CriteriaModel::criteria() const {
    return statedCriteria(
        entries_, match_, [this](AttributeId id) { return domainFor(id); }, unitsOf(document_));
}

void CriteriaModel::setCurrent(int row) {
    if (isRow(row)) {
        change(this, current_, row, &CriteriaModel::currentChanged, &CriteriaModel::changed);
    }
}

void CriteriaModel::add(AttributeId attribute) {
    beginInsertRows({}, count(), count());
    CriterionEntry fresh;
    fresh.attribute = attribute;
    entries_.push_back(std::move(fresh));
    current_ = count() - 1;
    endInsertRows();
    signalRows(true);
}

void CriteriaModel::duplicate(int row) {
    if (!isRow(row)) {
        return;
    }
    beginInsertRows({}, row + 1, row + 1);
    const CriterionEntry copy = entry(row);
    entries_.insert(entries_.begin() + row + 1, copy);
    current_ = row + 1;
    endInsertRows();
    signalRows(true);
}

void CriteriaModel::remove(int row) {
    if (!isRow(row)) {
        return;
    }
    if (count() == 1) {
        at(0) = CriterionEntry{};
        signalRow(0);
        return;
    }
    beginRemoveRows({}, row, row);
    entries_.erase(entries_.begin() + row);
    const bool moves = row < current_ || current_ == count(); // else the next one takes its place
    current_ -= moves ? 1 : 0;
    endRemoveRows();
    signalRows(moves);
}

void CriteriaModel::setEnabled(int row, bool enabled) {
    if (isRow(row) && change(at(row).enabled, enabled)) {
        signalRow(row);
    }
}

void CriteriaModel::setAttribute(int row, AttributeId attribute) {
    if (isRow(row) && change(at(row).attribute, attribute)) {
        signalRow(row);
    }
}

void CriteriaModel::setBounds(int row, const ChosenBounds& bounds) {
    if (isRow(row) && entry(row).bounds() != bounds) {
        at(row).chosen[entry(row).attribute] = bounds;
        signalRow(row);
    }
}

void CriteriaModel::setCriterion(int row, const Criterion& criterion) {
    if (isRow(row)) {
        at(row).take(criterion);
        signalRow(row);
    }
}

void CriteriaModel::assign(const std::vector<Criterion>& criteria, Match match) {
    setState(criteriaOf(criteria, match));
}

void CriteriaModel::setState(const State& state) {
    const bool sameRows = state.entries.size() == entries_.size();
    const bool matchDiffers = state.match != match_;
    const bool moved = state.current != current_;
    if (!sameRows) {
        beginResetModel();
    }
    entries_ = state.entries;
    match_ = state.match;
    current_ = state.current;
    takeDomains();
    if (!sameRows) {
        endResetModel();
    }
    if (matchDiffers) {
        emit matchModeChanged();
    }
    signalRows(moved);
}

void CriteriaModel::onAttributeReady(AttributeId id) {
    if (isUsed(id) && !domainOf(id).known) {
        signalRows(false);
    }
}

void CriteriaModel::takeDomains() {
    domains_.clear();
    for (const CriterionEntry& of : entries_) {
        if (const auto column = document_.attribute(of.attribute)) {
            domains_[of.attribute] = AttributeDomain::of(of.attribute, column.get(), mappingOf(document_));
        }
    }
}

void CriteriaModel::requestMissing() {
    if (!document_.tree()) {
        return;
    }
    for (int row = 0; row < count(); ++row) {
        if (row != current_ && !domainOf(entry(row).attribute).known) {
            document_.requestAttribute(entry(row).attribute);
        }
    }
    // Last: the next tree is built with the attribute requested last.
    if (!domainOf(currentEntry().attribute).known) {
        document_.requestAttribute(currentEntry().attribute);
    }
}

void CriteriaModel::askCounts() {
    std::vector<CriterionCounter::Question> questions;
    for (int row = 0; row < count(); ++row) {
        questions.push_back({criterion(row), document_.attribute(entry(row).attribute)});
    }
    counter_.ask(std::move(questions));
}

void CriteriaModel::signalRow(int row) {
    takeDomains();
    askCounts();
    emit dataChanged(index(row), index(row));
    emit changed();
    requestMissing();
}

void CriteriaModel::signalRows(bool otherIsCurrent) {
    takeDomains();
    askCounts();
    emit dataChanged(index(0), index(count() - 1));
    if (otherIsCurrent) {
        emit currentChanged();
    }
    emit changed();
    requestMissing();
}

bool CriteriaModel::isUsed(AttributeId id) const {
    return std::ranges::any_of(entries_, [id](const CriterionEntry& of) { return of.attribute == id; });
}

} // namespace pollard::vm
