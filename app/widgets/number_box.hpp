#pragma once

#include "vm/base/value_text.hpp"

#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QValidator>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace pollard::app {

/// Acceptable for a number within the limits with at most @p decimals digits behind the mark, Intermediate for another
/// number and for the beginning of one.
[[nodiscard]] QValidator::State stateOfTyped(const QString& number, double least, double most, int decimals);

/// A field for numbers that vm::typedNumber() reads. When editing is finished, a number outside the range or with too
/// many digits becomes the nearest possible number, and any other text the last number.
template <class Box> class TypedBox : public Box {
public:
    using Box::Box;
    using Value = decltype(std::declval<const Box&>().value());

    [[nodiscard]] Value valueFromText(const QString& text) const override {
        if (isSpecial(text)) {
            return this->minimum();
        }
        const auto number = vm::typedNumber(numberIn(text), this->minimum(), this->maximum());
        return number ? nearest(*number) : this->value();
    }

    [[nodiscard]] QValidator::State validate(QString& text, int&) const override {
        return isSpecial(text) ? QValidator::Acceptable
                               : stateOfTyped(numberIn(text), this->minimum(), this->maximum(), mostDecimals());
    }

    void fixup(QString& text) const override {
        if (const auto number = vm::typedNumber(numberIn(text), this->minimum(), this->maximum())) {
            text = this->prefix() + this->textFromValue(nearest(*number)) + this->suffix();
        }
    }

private:
    [[nodiscard]] bool isSpecial(const QString& text) const {
        return !text.isEmpty() && text == this->specialValueText();
    }

    [[nodiscard]] QString numberIn(const QString& text) const {
        const qsizetype start = text.startsWith(this->prefix()) ? this->prefix().size() : 0;
        const qsizetype end = text.endsWith(this->suffix()) ? this->suffix().size() : 0;
        return text.mid(start, std::max<qsizetype>(text.size() - start - end, 0));
    }

    [[nodiscard]] int mostDecimals() const {
        if constexpr (std::is_integral_v<Value>) {
            return 0;
        } else {
            return this->decimals();
        }
    }

    [[nodiscard]] Value nearest(double number) const {
        const double inside = std::clamp<double>(number, this->minimum(), this->maximum());
        if constexpr (std::is_integral_v<Value>) {
            return static_cast<Value>(std::lround(inside));
        } else {
            return inside;
        }
    }
};

using NumberBox = TypedBox<QDoubleSpinBox>;
using WholeBox = TypedBox<QSpinBox>;

/// Refuses letters that occur in no number.
class NumberValidator : public QValidator {
    Q_OBJECT

public:
    using QValidator::QValidator;

    [[nodiscard]] State validate(QString& text, int& position) const override;
};

/// A number field for grey levels or values of the file of any magnitude: 40,000 as well as 3.2e-9. Typed numbers are
/// applied when editing is finished.
class ValueBox : public NumberBox {
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    /// Sets range and resolution without signals.
    /// @param step smallest relevant difference, > 0; whole steps show whole numbers
    void setScale(double minimum, double maximum, double step);

    [[nodiscard]] QString textFromValue(double value) const override;
    void stepBy(int steps) override;

private:
    double step_ = 1;
    int digits_ = 6; ///< significant digits that distinguish neighbouring values
    bool whole_ = true;
};

/// A number field for a length above 0, with six digits; 0 is shown as a text.
class LengthBox : public ValueBox {
    Q_OBJECT

public:
    /// @param nothing shown for 0
    LengthBox(double largest, const QString& nothing, QWidget* parent = nullptr);

    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
};

} // namespace pollard::app
