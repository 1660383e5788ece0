#pragma once

class QSettings;

namespace pollard::vm {

class DisplayViewModel;
class HistogramViewModel;

/// Initializes the models with the stored preferences, and stores every change: percentages of the automatic window,
/// marks of saturation, blink interval, kind of difference, source of the histogram,
/// composite of channels. The comparison mode is not stored,
/// so that the image blinks only on request.
/// @param settings must outlive the models
void keepDisplayPreferences(QSettings& settings, DisplayViewModel& display, HistogramViewModel& histogram);

} // namespace pollard::vm
