#include "canvas/tone_of.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/image/tone_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::app {

Tone toneOf(const vm::DisplayViewModel& display, Output output, bool twin) {
    const vm::CompareViewModel& compare = display.compare();
    Tone tone;
    tone.before = display.window();
    tone.after = twin ? display.resultWindow() : display.window();
    tone.evenBefore = display.evenLevels();
    tone.evenAfter = output == Output::filtered ? tone.evenBefore : nullptr;
    tone.curve = display.toneCurve();
    tone.gamma = display.gamma();
    tone.inverted = display.isInverted();
    tone.marksBefore = display.marksSaturation();
    // Residues are black, masks black and white nearly everywhere: their levels are not marked as saturated.
    tone.marksAfter = display.marksSaturation() && (!twin || output == Output::filtered);
    if (twin && compare.shownMode() == vm::CompareViewModel::Mode::difference) {
        tone.difference = compare.isAbsolute() ? Tone::Difference::absolute : Tone::Difference::around;
        tone.differenceRange = compare.differenceRange();
    }
    return tone;
}

QImage greyImage(const Image& picture, const vm::DisplayViewModel& display, std::uint16_t highest) {
    constexpr int kWhite = 255;
    const double low = highest != 0 ? 0 : display.windowLow();
    const double high = highest != 0 ? highest : display.windowHigh();
    const vm::EvenLevels even = highest != 0 ? nullptr : display.evenLevels();
    const int width = static_cast<int>(picture.width());
    QImage grey(width, static_cast<int>(picture.height()), QImage::Format_Grayscale8);
    std::size_t pixel = 0;
    for (int y = 0; y < grey.height(); ++y) {
        uchar* line = grey.scanLine(y);
        for (int x = 0; x < width; ++x) {
            const std::uint16_t level = picture.level(pixel++);
            const double displayed = even ? (*even)[level] : level;
            const double t = (displayed - low) / std::max(high - low, 1.0);
            const double tone = vm::applyCurve(display.toneCurve(), display.gamma(), std::clamp(t, 0.0, 1.0));
            line[x] = static_cast<uchar>(std::lround(kWhite * std::clamp(tone, 0.0, 1.0)));
        }
    }
    return grey;
}

} // namespace pollard::app
