#pragma once

#include "widgets/value_box.hpp"

namespace pollard::app {

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
