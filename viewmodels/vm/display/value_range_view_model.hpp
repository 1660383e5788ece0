#pragma once

#include "io/image_file.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

class DocumentViewModel;

/// How the values of a signed, wide or floating-point image become levels.
class ValueRangeViewModel : public QObject {
    Q_OBJECT

public:
    using Range = MappingChoice::Range;

    /// @param document must outlive this
    explicit ValueRangeViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// The levels differ from the values of the file.
    [[nodiscard]] bool isAvailable() const;
    [[nodiscard]] Range range() const;
    /// The numbers of the choice: percent for percentiles, values of the file for a fixed range, else the values of the
    /// first and the last level.
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
    [[nodiscard]] bool isEditable() const;    ///< the numbers are part of the choice
    [[nodiscard]] QString valuesText() const; ///< "-3.25 to 812.5": the values of the page
    [[nodiscard]] QString levelsText() const; ///< "level 1 = 0.0124 from -3.25": conversion of levels to values
    [[nodiscard]] QString gapsText() const;   ///< "12 NaN, 3 infinite, 40 clipped"; empty if there are none
    /// Whether the choice can be fixed to the same numbers on every page; false for a single page or a fixed range.
    [[nodiscard]] bool canFix() const;
    /// The file's value of a level, displayed next to the level; empty if both are equal.
    [[nodiscard]] QString valueText(int level) const;

    /// A short number that still distinguishes neighbouring levels.
    [[nodiscard]] static QString numberText(double value);

public slots:
    void setRange(pollard::vm::ValueRangeViewModel::Range range);
    /// Does nothing if low >= high or the numbers are not part of the choice.
    void setNumbers(double low, double high);
    /// Uses the range of this page for all pages.
    void fixForAllPages();

signals:
    void changed();

private:
    [[nodiscard]] double lastLevel() const;

    DocumentViewModel& document_;
};

} // namespace pollard::vm
