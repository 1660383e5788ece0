#include "vm/base/data_table.hpp"

#include "base/text.hpp"

#include <QAbstractItemModel>
#include <QLocale>
#include <QVariant>

#include <cmath>

namespace pollard::vm {

namespace {

QString csvCell(const QString& text) {
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n') && !text.contains(u'\r')) {
        return text;
    }
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString tsvCell(const QString& text) {
    QString cell = text;
    return cell.replace(u'\t', u' ').replace(u'\n', u' ').replace(u'\r', u' ');
}

QString textOf(const DataTable& table, bool unitsRow, QChar between, QString (*cellOf)(const QString&)) {
    const auto line = [&](const QStringList& cells) {
        QStringList safe;
        for (const QString& cell : cells) {
            safe << cellOf(cell);
        }
        return safe.join(between) + u'\n';
    };
    QStringList titles;
    for (qsizetype i = 0; i < table.names.size(); ++i) {
        const QString& unit = table.units[i];
        titles << (unitsRow || unit.isEmpty() ? table.names[i] : QStringLiteral("%1 (%2)").arg(table.names[i], unit));
    }
    QString text = line(titles);
    if (unitsRow) {
        text += line(table.units);
    }
    for (const QStringList& row : table.rows) {
        text += line(row);
    }
    return text;
}

QString cellOf(const QModelIndex& index) {
    const QVariant value = index.data(Qt::UserRole);
    switch (value.typeId()) {
    case QMetaType::Double:
    case QMetaType::Float:
        return exactNumber(value.toDouble());
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
        return value.toString();
    default:
        return index.data(Qt::DisplayRole).toString();
    }
}

void addRow(const QAbstractItemModel& model, int row, const QModelIndex& parent, DataTable& table) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column) {
        cells << cellOf(model.index(row, column, parent));
    }
    while (cells.size() < table.names.size()) {
        cells << QString();
    }
    table.rows << cells;
    const QModelIndex index = model.index(row, 0, parent);
    for (int child = 0; child < model.rowCount(index); ++child) {
        addRow(model, child, index, table);
    }
}

} // namespace

ColumnTitle columnTitle(const QString& title) {
    const qsizetype open = title.lastIndexOf(QLatin1String(" ("));
    if (open <= 0 || !title.endsWith(u')')) {
        return {title, {}};
    }
    return {title.left(open), title.mid(open + 2, title.size() - open - 3)};
}

QString exactNumber(double value) {
    if (std::isnan(value)) {
        return QStringLiteral("nan");
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    }
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString csvOf(const DataTable& table, bool unitsRow) { return textOf(table, unitsRow, u',', csvCell); }

QString tsvOf(const DataTable& table, bool unitsRow) { return textOf(table, unitsRow, u'\t', tsvCell); }

DataTable tableOf(const QAbstractItemModel& model, const QList<int>& rows) {
    DataTable table;
    for (int column = 0; column < model.columnCount(); ++column) {
        const ColumnTitle title = columnTitle(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        table.names << title.name;
        table.units << title.unit;
    }
    if (rows.isEmpty()) {
        for (int row = 0; row < model.rowCount(); ++row) {
            addRow(model, row, {}, table);
        }
    }
    for (const int row : rows) {
        addRow(model, row, {}, table);
    }
    return table;
}

} // namespace pollard::vm
