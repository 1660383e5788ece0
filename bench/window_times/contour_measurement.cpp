#include "window_times/contour_measurement.hpp"

#include <algorithm>

namespace pollard::app {

void ContourMeasurement::step() {
    vm::ContourViewModel& contours = models().contours;
    const int before = contours.runs().shown() > 0 ? contours.runs().shown() - 1 : contours.runs().stateCount() - 1;
    startClock();
    contours.playback().scrub(before);
    eventTimes_.push_back(milliseconds());
}

void ContourMeasurement::takeFrame() {
    latencies_.push_back(milliseconds());
    std::size_t nodes = 0;
    for (const Contour& contour : models().contours.runs().allNodes()) {
        nodes += contour.size();
    }
    nodes_.push_back(static_cast<double>(nodes));
}

QString ContourMeasurement::report() const {
    const vm::LatencySummary event = vm::summarize(eventTimes_);
    const vm::LatencySummary screen = vm::summarize(latencies_);
    const auto image = models().document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral("contour: %1 frames of %2 states, state to screen median %3 ms, p95 %4 ms; of it the event "
                          "median %5 ms, p95 %6 ms; %7 nodes at most; %8; %9 x %10, %11 bit")
        .arg(screen.frames)
        .arg(models().contours.runs().stateCount())
        .arg(number(screen.median), number(screen.p95), number(event.median), number(event.p95))
        .arg(nodes_.empty() ? 0 : *std::ranges::max_element(nodes_))
        .arg(models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()));
}

} // namespace pollard::app
