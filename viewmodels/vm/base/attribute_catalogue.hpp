#pragma once

#include "vm/base/change.hpp"
#include "vm/base/value_text.hpp"

#include "attributes/attribute.hpp"
#include "image/value_mapping.hpp"

#include <QAbstractListModel>
#include <QString>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::vm {

/// Selects the names, explanations and offered attributes of volumes, else of images. Called by the one document of the
/// window, on the thread of the window.
void describeVolumes(bool volumes) noexcept;
[[nodiscard]] bool describesVolumes() noexcept;
/// Why a control is disabled in volumes.
[[nodiscard]] QString imagesOnlyText();
[[nodiscard]] std::span<const AttributeInfo> describedAttributes() noexcept;
/// Also for attributes that describedAttributes() does not list.
[[nodiscard]] const AttributeInfo& describedAttribute(AttributeId id) noexcept;

/// Names and explanations of an attribute in the user's language.
/// A unit of an attribute in the user's language: "px", "HU", "grey*px".
[[nodiscard]] QString unitInWords(std::string_view unit);
[[nodiscard]] QString attributeTitle(AttributeId id);
[[nodiscard]] QString attributeFormula(AttributeId id);
[[nodiscard]] QString attributeGroup(AttributeId id); ///< "Size", "Shape" ...
/// Several lines: title and id, formula with unit, whether it is increasing, source.
[[nodiscard]] QString attributeDetails(AttributeId id);
/// A value of an attribute without its unit: an integer, or @p digits; "–" if it is not defined.
[[nodiscard]] QString attributeText(AttributeId id, double value, int digits = 5);
/// The text of a number of the attribute's column, converted to a value of an image with this mapping.
[[nodiscard]] QString columnText(AttributeId id, double number, const std::optional<ValueMapping>& mapping,
                                 int digits = 5);
/// The number of the column, not rounded, for a value of the image.
[[nodiscard]] double columnNumber(AttributeId id, double value, const std::optional<ValueMapping>& mapping);
/// Unit of columnText() in the user's language: "px", "HU*px", "grey*px"; empty if there is none.
[[nodiscard]] std::string columnUnitText(AttributeId id, const std::optional<ValueMapping>& mapping);
/// Whether all numbers of the attribute are whole in an image with this mapping.
[[nodiscard]] bool isWhole(AttributeId id, const std::optional<ValueMapping>& mapping);

/// The described attributes with headings for their groups, filtered by the user's query. Every word must occur in
/// title, id, group, unit or formula, ignoring case.
class AttributeCatalogue : public QAbstractListModel {
    Q_OBJECT

public:
    /// Roles in addition to the title (Qt::DisplayRole) and the tooltip.
    enum Role {
        attributeRole = Qt::UserRole + 1, ///< AttributeId as int; invalid for a heading
        unitRole,
        formulaRole,
        increasingRole, ///< bool
    };

    explicit AttributeCatalogue(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Headings cannot be selected.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] QString query() const { return query_; }
    [[nodiscard]] bool isHeading(int row) const { return rows_.at(static_cast<std::size_t>(row)).heading; }
    /// @param row of an attribute
    [[nodiscard]] AttributeId attribute(int row) const { return rows_.at(static_cast<std::size_t>(row)).id; }
    /// Row of an attribute; -1 if the query excludes it.
    [[nodiscard]] int rowOf(AttributeId id) const;
    /// The best match of the query: names that begin with it come first; -1 if there is none.
    [[nodiscard]] int bestRow() const;
    /// The next attribute in direction @p step = 1 or -1, skipping headings; the same row if there is none.
    [[nodiscard]] int nextRow(int row, int step) const;

public slots:
    void setQuery(const QString& query) {
        change(this, query_, query, &AttributeCatalogue::refresh, &AttributeCatalogue::queryChanged);
    }
    /// Lists the described attributes again, after describeVolumes().
    void refresh();

signals:
    void queryChanged();

private:
    struct Row {
        AttributeId id = AttributeId::area; ///< of a heading: the first attribute below
        bool heading = false;
        int rank = 0; ///< for the query, 0 is best
    };
    void fill();

    QString query_;
    std::vector<Row> rows_;
};

} // namespace pollard::vm
