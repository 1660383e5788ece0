#pragma once

#include <QDoubleSpinBox>

namespace pollard::app {

/// A number field for grey levels or for the values that they stand for, whatever their size: 40,000 as well as 3.2e-9.
/// Typed numbers are taken when they are complete.
class ValueBox : public QDoubleSpinBox {
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    /// Sets range and resolution, and says nothing.
    /// @param step smallest difference that matters, > 0; whole numbers are shown for whole steps
    void setScale(double minimum, double maximum, double step);

    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;

private:
    double step_ = 1;
    int digits_ = 6; ///< that tell neighbouring values apart
    bool whole_ = true;
};

} // namespace pollard::app
