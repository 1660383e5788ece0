#pragma once

class QSettings;

namespace pollard::vm {

class DisplayViewModel;
class HistogramViewModel;

/// Starts the models with what a person preferred the last time, and writes every change: percentages of the automatic
/// window, marks of saturation, pace of blinking, kind of difference, source of the histogram. How two pictures are
/// compared is not kept, so that nothing ever blinks without being asked to.
/// @param settings must outlive the models
void keepDisplayPreferences(QSettings& settings, DisplayViewModel& display, HistogramViewModel& histogram);

} // namespace pollard::vm
