#pragma once

#include "widgets/number_box.hpp"

namespace pollard::app {

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

} // namespace pollard::app
