#pragma once

#include "components/objects/object_classes.hpp"
#include "image/length_unit.hpp"

#include <QAbstractTableModel>
#include <QColor>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class MeasuredChannels;

/// The classes of objects as a table, a row per class in the order in which the conditions are tried: its name and
/// colour, its condition, and the number of listed objects. Names and conditions can be edited.
class ClassList : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { nameColumn, conditionColumn, countColumn, columns };

    /// All must outlive this.
    ClassList(const DocumentViewModel& document, const MeasuredChannels& channels, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, edit, tooltip; decoration of a name: its colour.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// A condition is in the user's words; numbers without a unit are in the unit of setUnit().
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// Conditions have units, or their numbers are in px; in volumes they are in the unit of setUnit().
    [[nodiscard]] const std::vector<ObjectClass>& classes() const noexcept { return classes_; }
    [[nodiscard]] bool isEmpty() const noexcept { return classes_.empty(); }
    void setClasses(std::vector<ObjectClass> classes);
    /// Appends a class with an unused name and an unused colour. @returns its row
    int add(const QString& condition, std::vector<std::uint32_t> members = {});
    void remove(int row);
    /// Puts objects into a class by hand.
    /// @param row rowCount() for a new class of these objects alone; -1: the classes follow the conditions
    void setMembers(std::vector<std::uint32_t> numbers, int row);
    /// A member has got another number, whose object is gone.
    void renumberMember(std::uint32_t from, std::uint32_t to);
    void clearMembers();
    /// The row of the class of which an object is a member; -1: none.
    [[nodiscard]] int rowOfMember(std::uint32_t number) const;
    /// Moves a class to another row.
    void move(int row, int to);
    [[nodiscard]] QColor colour(int row) const;
    void setColour(int row, const QColor& colour);

    /// Why no object of this image can be in a class; empty unless there is a reason.
    [[nodiscard]] QString problemOf(int row) const;
    /// Conditions of the classes for this image, in px, or volume, and without the values of columns. One that does
    /// not apply to it holds for no object.
    [[nodiscard]] std::vector<ClassCondition> conditions() const;

    /// Numbers of listed objects per class, and last of objects without a class; empty: unknown.
    [[nodiscard]] const std::vector<std::size_t>& counts() const noexcept { return counts_; }
    void setCounts(std::vector<std::size_t> counts);
    /// Sets the columns of places that conditions may name; changes no row.
    void setPlaces(std::vector<std::string> places);
    /// @param why reason why this image has no physical unit
    void setUnit(pollard::LengthUnit unit, const QString& why);

signals:
    void classesChanged();
    void countsChanged();

private:
    [[nodiscard]] QString newName() const;
    void announce(int row);
    void adoptMembers(std::vector<ObjectClass> classes);
    [[nodiscard]] std::vector<std::string> namedColumns() const;

    const DocumentViewModel& document_;
    const MeasuredChannels& channels_;
    std::vector<ObjectClass> classes_;
    std::vector<std::size_t> counts_;
    std::vector<std::string> places_;
    LengthUnit unit_ = LengthUnit::pixel;
    QString whyNoUnit_;
};

} // namespace pollard::vm
