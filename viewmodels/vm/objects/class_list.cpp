#include "vm/objects/class_list.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/change.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/measured_channels.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::string_view kNever = "0 > 1"; ///< a condition that holds for no object

} // namespace

ClassList::ClassList(const DocumentViewModel& document, const MeasuredChannels& channels, QObject* parent)
    : QAbstractTableModel(parent), document_(document), channels_(channels) {}

int ClassList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(classes_.size());
}

int ClassList::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant ClassList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ObjectClass& own = classes_[static_cast<std::size_t>(index.row())];
    const auto row = static_cast<std::size_t>(index.row());
    if (role == Qt::DecorationRole && index.column() == nameColumn) {
        return colour(index.row());
    }
    if (role == Qt::TextAlignmentRole && index.column() == countColumn) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        const QString problem = problemOf(index.row());
        return problem.isEmpty() ? data(index, Qt::DisplayRole) : QVariant(problem);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    switch (index.column()) {
    case nameColumn:
        return QString::fromStdString(own.name);
    case conditionColumn:
        return role == Qt::DisplayRole && own.condition == kNever
                   ? tr("by hand")
                   : shownCondition(QString::fromStdString(own.condition));
    default:
        return row < counts_.size() ? countText(counts_[row]) : QString();
    }
}

QVariant ClassList::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == nameColumn ? tr("Class") : section == conditionColumn ? tr("Condition") : tr("Objects");
}

Qt::ItemFlags ClassList::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() != countColumn ? flags | Qt::ItemIsEditable : flags;
}

bool ClassList::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.column() == countColumn) {
        return false;
    }
    ObjectClass edited = classes_[static_cast<std::size_t>(index.row())];
    const QString text = value.toString().trimmed();
    if (text.isEmpty()) {
        return false;
    }
    if (index.column() == nameColumn) {
        edited.name = text.toStdString();
    } else {
        edited.condition = TypedCondition(text).stored().toStdString();
        try {
            if (!describesVolumes()) {
                edited.condition = ObjectCondition::withUnits(edited.condition, unit_);
            }
        } catch (const Error&) { // is no condition yet, or has values of mixed dimensions
        }
    }
    if (std::max(edited.name.size(), edited.condition.size()) > ObjectClass::kMostBytes) {
        return false;
    }
    if (edited != std::exchange(classes_[static_cast<std::size_t>(index.row())], edited)) {
        announce(index.row());
    }
    return true;
}

void ClassList::announce(int row) {
    emit dataChanged(index(row, 0), index(row, columns - 1));
    emit classesChanged();
}

void ClassList::setClasses(std::vector<ObjectClass> classes) {
    if (classes == classes_) {
        return;
    }
    beginResetModel();
    classes_ = std::move(classes);
    counts_.clear();
    endResetModel();
    emit classesChanged();
}

QString ClassList::newName() const {
    for (std::size_t number = classes_.size() + 1;; ++number) {
        QString name = tr("Class %1").arg(countText(number));
        if (std::ranges::find(classes_, name.toStdString(), &ObjectClass::name) == classes_.end()) {
            return name;
        }
    }
}

int ClassList::add(const QString& condition, std::vector<std::uint32_t> members) {
    std::size_t colour = 0;
    while (colour < classes_.size() &&
           std::ranges::find(classes_, usualClassColour(colour), &ObjectClass::colour) != classes_.end()) {
        ++colour;
    }
    const int row = rowCount();
    beginInsertRows({}, row, row);
    classes_.push_back(
        {newName().toStdString(), usualClassColour(colour), condition.toStdString(), std::move(members)});
    endInsertRows();
    emit classesChanged();
    return row;
}

void ClassList::setMembers(std::vector<std::uint32_t> numbers, int row) {
    std::ranges::sort(numbers);
    std::vector<ObjectClass> classes = classes_;
    for (ObjectClass& one : classes) {
        std::erase_if(one.members, [&](std::uint32_t number) { return std::ranges::binary_search(numbers, number); });
    }
    if (row == rowCount()) {
        classes_ = std::move(classes);
        add(QString::fromUtf8(kNever.data(), static_cast<qsizetype>(kNever.size())), std::move(numbers));
        return;
    }
    if (row >= 0 && row < rowCount()) {
        std::vector<std::uint32_t>& members = classes[static_cast<std::size_t>(row)].members;
        const auto middle = members.insert(members.end(), numbers.begin(), numbers.end());
        std::inplace_merge(members.begin(), middle, members.end());
    }
    adoptMembers(std::move(classes));
}

void ClassList::renumberMember(std::uint32_t from, std::uint32_t to) {
    std::vector<ObjectClass> classes = classes_;
    for (ObjectClass& one : classes) {
        std::erase(one.members, to);
        std::ranges::replace(one.members, from, to);
        std::ranges::sort(one.members);
    }
    adoptMembers(std::move(classes));
}

void ClassList::clearMembers() {
    std::vector<ObjectClass> classes = classes_;
    std::ranges::for_each(classes, [](ObjectClass& one) { one.members.clear(); });
    adoptMembers(std::move(classes));
}

void ClassList::adoptMembers(std::vector<ObjectClass> classes) {
    if (change(classes_, std::move(classes))) {
        emit classesChanged();
    }
}

int ClassList::rowOfMember(std::uint32_t number) const {
    const auto has = [number](const ObjectClass& one) { return std::ranges::binary_search(one.members, number); };
    const auto found = std::ranges::find_if(classes_, has);
    return found == classes_.end() ? -1 : static_cast<int>(found - classes_.begin());
}

void ClassList::remove(int row) {
    if (row >= 0 && row < rowCount()) {
        beginRemoveRows({}, row, row);
        classes_.erase(classes_.begin() + row);
        counts_.clear();
        endRemoveRows();
        emit classesChanged();
    }
}

void ClassList::move(int row, int to) {
    if (row == to || std::min(row, to) < 0 || std::max(row, to) >= rowCount()) {
        return;
    }
    beginMoveRows({}, row, row, {}, to > row ? to + 1 : to);
    const auto first = classes_.begin();
    if (to > row) {
        std::rotate(first + row, first + row + 1, first + to + 1);
    } else {
        std::rotate(first + to, first + row, first + row + 1);
    }
    counts_.clear();
    endMoveRows();
    emit classesChanged();
}

QColor ClassList::colour(int row) const { return QColor::fromRgb(classes_[static_cast<std::size_t>(row)].colour); }

void ClassList::setColour(int row, const QColor& colour) {
    const std::uint32_t wanted = colour.rgb() & 0xffffffU;
    if (std::exchange(classes_[static_cast<std::size_t>(row)].colour, wanted) != wanted) {
        announce(row);
    }
}

QString ClassList::problemOf(int row) const {
    const QString condition = QString::fromStdString(classes_[static_cast<std::size_t>(row)].condition);
    return conditionProblem(shownCondition(condition), unit_, document_.pixelSizes().present(), whyNoUnit_,
                            namedColumns())
        .text;
}

std::vector<ClassCondition> ClassList::conditions() const {
    const auto size = document_.pixelSizes().present();
    std::vector<ClassCondition> conditions;
    for (const ObjectClass& own : classes_) {
        try {
            const ObjectCondition condition = convertedCondition(QString::fromStdString(own.condition), unit_, size);
            condition.requireColumns(namedColumns());
            conditions.push_back({condition});
        } catch (const Error&) {
            conditions.push_back({ObjectCondition::parse(kNever)});
        }
    }
    return conditions;
}

void ClassList::setCounts(std::vector<std::size_t> counts) {
    if (!change(counts_, std::move(counts))) {
        return;
    }
    if (!isEmpty()) {
        emit dataChanged(index(0, countColumn), index(rowCount() - 1, countColumn));
    }
    emit countsChanged();
}

void ClassList::setPlaces(std::vector<std::string> places) { places_ = std::move(places); }

std::vector<std::string> ClassList::namedColumns() const {
    std::vector<std::string> names = places_;
    names.insert(names.end(), channels_.columns().begin(), channels_.columns().end());
    return names;
}

void ClassList::setUnit(LengthUnit unit, const QString& why) {
    unit_ = unit;
    whyNoUnit_ = why;
}

} // namespace pollard::vm
