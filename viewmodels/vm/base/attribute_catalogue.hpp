#pragma once

#include "attributes/attribute.hpp"

#include <QAbstractListModel>
#include <QString>

#include <string_view>
#include <vector>

namespace pollard::vm {

/// Text of core as it is.
[[nodiscard]] inline QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Names and explanations of an attribute for a person, in the person's language.
[[nodiscard]] QString attributeTitle(AttributeId id);
[[nodiscard]] QString attributeFormula(AttributeId id);
[[nodiscard]] QString attributeGroup(AttributeId id); ///< "Size", "Shape" ...
/// Several lines: title and id, formula with unit, whether it is increasing, source.
[[nodiscard]] QString attributeDetails(AttributeId id);

/// All attributes under the headings of their groups, narrowed down by what a person types. Every word has to occur in
/// title, id, group, unit or formula; capitals make no difference.
class AttributeCatalogue : public QAbstractListModel {
    Q_OBJECT

public:
    /// Beside the title (Qt::DisplayRole) and the tooltip.
    enum Role {
        attributeRole = Qt::UserRole + 1, ///< AttributeId as int; invalid for a heading
        unitRole,
        formulaRole,
        increasingRole, ///< bool
    };

    explicit AttributeCatalogue(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Headings cannot be chosen.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] QString query() const { return query_; }
    [[nodiscard]] bool isHeading(int row) const { return rows_.at(static_cast<std::size_t>(row)).heading; }
    /// @param row of an attribute
    [[nodiscard]] AttributeId attribute(int row) const { return rows_.at(static_cast<std::size_t>(row)).id; }
    /// Row of an attribute, -1 if the query leaves it out.
    [[nodiscard]] int rowOf(AttributeId id) const;
    /// The attribute that the query means most likely: names that begin with it come first; -1 if there is none.
    [[nodiscard]] int bestRow() const;
    /// The next attribute in steps of @p step = 1 or -1, past headings; the same row where there is none.
    [[nodiscard]] int nextRow(int row, int step) const;

public slots:
    void setQuery(const QString& query);

signals:
    void queryChanged();

private:
    struct Row {
        AttributeId id = AttributeId::area; ///< of a heading: the first attribute below
        bool heading = false;
        int rank = 0; ///< how well it fits the query, 0 is best
    };
    void fill();

    QString query_;
    std::vector<Row> rows_;
};

} // namespace pollard::vm
