#include "base/text.hpp"
#include "vm/base/data_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace pollard::vm {
namespace {

/// Reads a table strictly by RFC 4180.
QList<QStringList> readCsv(const QString& text) {
    QList<QStringList> rows;
    QStringList row;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar letter = text[i];
        if (quoted) {
            if (letter == u'"' && i + 1 < text.size() && text[i + 1] == u'"') {
                cell += u'"';
                ++i;
            } else if (letter == u'"') {
                quoted = false;
            } else {
                cell += letter;
            }
        } else if (letter == u'"') {
            quoted = true;
        } else if (letter == u',' || letter == u'\n') {
            row << cell;
            cell.clear();
            if (letter == u'\n') {
                rows << row;
                row.clear();
            }
        } else {
            cell += letter;
        }
    }
    EXPECT_TRUE(cell.isEmpty() && row.isEmpty()) << "the last line ends";
    return rows;
}

DataTable hostile() {
    return {{"name", "a,b"},
            {"", "px"},
            {{"plain", "1"}, {"with \"quotes\"", "2,5"}, {"two\nlines", ""}, {"tab\there", "\"\""}}};
}

TEST(DataTable, CsvReadsBack) {
    const DataTable table = hostile();
    const auto rows = readCsv(csvOf(table, false));
    ASSERT_EQ(rows.size(), table.rows.size() + 1);
    EXPECT_EQ(rows[0], QStringList({"name", "a,b (px)"}));
    EXPECT_EQ(rows.mid(1), table.rows);
}

TEST(DataTable, UnitsHaveARowOfTheirOwnIfWanted) {
    const DataTable table = hostile();
    const auto rows = readCsv(csvOf(table, true));
    EXPECT_EQ(rows[0], table.names);
    EXPECT_EQ(rows[1], table.units);
    EXPECT_EQ(rows.mid(2), table.rows);
}

TEST(DataTable, TsvHasAsManyCellsInEveryLine) {
    const QStringList lines = tsvOf(hostile(), true).split(u'\n');
    ASSERT_EQ(lines.size(), 7);
    for (const QString& line : lines.mid(0, 6)) {
        EXPECT_EQ(line.count(u'\t'), 1) << line.toStdString();
    }
    EXPECT_TRUE(lines.back().isEmpty());
}

TEST(DataTable, NumbersReadBackExactly) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> exponent(-300, 300);
    for (int i = 0; i < 1000; ++i) {
        const double value = std::pow(10, exponent(random)) * (i % 2 == 0 ? 1 : -1);
        EXPECT_EQ(exactNumber(value).toDouble(), value);
    }
    EXPECT_EQ(exactNumber(0.1), QStringLiteral("0.1"));
    EXPECT_EQ(exactNumber(std::nan("")), QStringLiteral("nan"));
    EXPECT_EQ(exactNumber(-std::numeric_limits<double>::infinity()), QStringLiteral("-inf"));
}

TEST(DataTable, TakesTitlesApart) {
    EXPECT_EQ(columnTitle(QStringLiteral("Area (px²)")).name, QStringLiteral("Area"));
    EXPECT_EQ(columnTitle(QStringLiteral("Area (px²)")).unit, QStringLiteral("px²"));
    EXPECT_EQ(columnTitle(QStringLiteral("(odd)")).name, QStringLiteral("(odd)"));
    EXPECT_TRUE(columnTitle(QStringLiteral("Label")).unit.isEmpty());
}

} // namespace
} // namespace pollard::vm
