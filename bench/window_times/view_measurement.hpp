#pragma once

#include "window_times/frame_measurement.hpp"

#include <QJsonObject>

#include <vector>

namespace pollard::app {

/// Zooms and pans through the image by a fixed script as fast as the window follows, and measures every frame: the
/// painting time on the window's thread, the part of it for copying tiles to the graphics card, and the time from the
/// movement to the swap of the window. The script covers all zooms from the whole image to 2 screen px per px, with
/// panning at each. The report is a line of JSON.
class ViewMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    ViewMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : FrameMeasurement(models, window, frames, QStringLiteral("the view"), parent) {}

protected:
    void step() override;
    void takeFrame() override;
    [[nodiscard]] QString report() const override;

private:
    struct Frame {
        double paint = 0;  ///< ms on the window's thread
        double upload = 0; ///< ms of `paint`
        double bytes = 0;  ///< copied to the graphics card
        double swap = 0;   ///< ms from the movement to the swap
    };
    [[nodiscard]] QJsonObject summary(double Frame::*member) const;

    double bytesBefore_ = 0;
    double uploadBefore_ = 0;
    int late_ = 0; ///< frames drawn with missing tiles
    std::vector<Frame> frames_;
};

} // namespace pollard::app
