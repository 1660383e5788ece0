#pragma once

#include "base/text.hpp"

#include <QList>
#include <QString>
#include <QStringList>

class QAbstractItemModel;
class QModelIndex;

namespace pollard::vm {

/// A table for other programs: columns with a name and a unit, and rows of cells.
struct DataTable {
    QStringList names;
    QStringList units; ///< one per name; empty for none
    QList<QStringList> rows;

    [[nodiscard]] bool isEmpty() const noexcept { return rows.isEmpty(); }
};

/// The title of a column "Area (px²)", split; without a unit "Area".
struct ColumnTitle {
    QString name;
    QString unit;
};
[[nodiscard]] ColumnTitle columnTitle(const QString& title);

/// The shortest text that reads back to the same number, with a decimal point in every language; "nan" and "inf".
[[nodiscard]] QString exactNumber(double value);

/// The table as CSV by RFC 4180: commas; cells with commas, quotes or line ends are quoted; lines end with "\n".
/// @param unitsRow a separate line of units below plain names; else "Area (px)"
[[nodiscard]] QString csvOf(const DataTable& table, bool unitsRow);
/// The table with tabs, for pasting into spreadsheets. Tabs and line ends in cells become spaces.
[[nodiscard]] QString tsvOf(const DataTable& table, bool unitsRow);

/// The contents of a model: values of Qt::UserRole if they are numbers, else the texts. Rows of trees are listed in the
/// order of a fully expanded view. Titles "Area (px²)" are split.
/// @param rows numbers of top rows; empty: all
[[nodiscard]] DataTable tableOf(const QAbstractItemModel& model, const QList<int>& rows = {});

} // namespace pollard::vm
