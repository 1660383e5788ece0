#pragma once

#include "window_times/measurement.hpp"

#include <QLabel>
#include <QPointer>

namespace pollard::app {

/// Measures the times from the start of the process until the window, the early image of the file, its image in full
/// resolution with the tree, and all results are on the screen. The report is a line of numbers.
class OpenMeasurement : public Measurement {
    Q_OBJECT

public:
    /// Call before the image is opened.
    /// @param window is shown by its owner; like @p models it must outlive this
    OpenMeasurement(Models& models, MainWindow& window, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void begin() override;
    [[nodiscard]] QString report() const override;

private:
    QPointer<QLabel> early_; ///< shows the early image
    double window_ = 0;      ///< ms; 0: not yet
    double first_ = 0;       ///< ms; 0: there was no early image
    double tree_ = 0;        ///< ms
    double image_ = 0;       ///< ms; on the canvas
    double live_ = 0;        ///< ms
};

} // namespace pollard::app
