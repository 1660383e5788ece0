#pragma once

#include "io/image_file.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

class DocumentViewModel;

/// How the values of a signed, wide or floating-point picture became levels, and the choice of it.
class ValueRangeViewModel : public QObject {
    Q_OBJECT

public:
    using Range = MappingChoice::Range;

    /// @param document must outlive this
    explicit ValueRangeViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// The levels that are shown are not simply the values of the file.
    [[nodiscard]] bool isAvailable() const;
    [[nodiscard]] Range range() const;
    /// The numbers of the choice: percent for percentiles, values of the file for a fixed range, else the values that
    /// became the first and the last level.
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
    [[nodiscard]] bool isEditable() const;    ///< the numbers are part of the choice
    [[nodiscard]] QString valuesText() const; ///< "-3.25 to 812.5": what the page holds
    [[nodiscard]] QString levelsText() const; ///< "level 1 = 0.0124 from -3.25": how a level becomes a value
    [[nodiscard]] QString gapsText() const;   ///< "12 NaN, 3 infinite, 40 clipped"; empty if there are none
    /// A choice with the same numbers on every page; false for a single page or a range that is fixed already.
    [[nodiscard]] bool canFix() const;
    /// The file's value of a level, as it is shown beside it; empty if they are the same.
    [[nodiscard]] QString valueText(int level) const;

    /// A short number that still tells neighbours apart.
    [[nodiscard]] static QString numberText(double value);

public slots:
    void setRange(pollard::vm::ValueRangeViewModel::Range range);
    /// Nothing if low >= high or the numbers are no part of the choice.
    void setNumbers(double low, double high);
    /// The range of this page for all pages.
    void fixForAllPages();

signals:
    void changed();

private:
    [[nodiscard]] double lastLevel() const;

    DocumentViewModel& document_;
};

} // namespace pollard::vm
