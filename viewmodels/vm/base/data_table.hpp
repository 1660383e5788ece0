#pragma once

#include <QList>
#include <QString>
#include <QStringList>

class QAbstractItemModel;
class QModelIndex;

namespace pollard::vm {

/// Numbers and names for another program: columns with a name and a unit, and rows of cells.
struct DataTable {
    QStringList names;
    QStringList units; ///< as many as names; empty strings where there is none
    QList<QStringList> rows;

    [[nodiscard]] bool isEmpty() const noexcept { return rows.isEmpty(); }
};

/// The title of a column "Area (px²)", taken apart; without a unit "Area".
struct ColumnTitle {
    QString name;
    QString unit;
};
[[nodiscard]] ColumnTitle columnTitle(const QString& title);

/// The shortest text that reads back to the same number, with a point, whatever the language; "nan" and "inf".
[[nodiscard]] QString exactNumber(double value);

/// As RFC 4180: commas, cells with commas, quotes or line ends in quotes; lines end with "\n".
/// @param unitsRow units in a line of their own below bare names; else "Area (px)"
[[nodiscard]] QString csvOf(const DataTable& table, bool unitsRow);
/// The same with tabs, as spreadsheets take it from the clipboard. Tabs and line ends in cells become spaces.
[[nodiscard]] QString tsvOf(const DataTable& table, bool unitsRow);

/// What a model of a view holds: values of Qt::UserRole where they are numbers, else the texts. Rows of trees follow
/// each other as they are seen when all are open. Titles "Area (px²)" are taken apart.
/// @param rows numbers of top rows; empty: all
[[nodiscard]] DataTable tableOf(const QAbstractItemModel& model, const QList<int>& rows = {});

} // namespace pollard::vm
