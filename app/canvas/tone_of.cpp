#include "canvas/tone_of.hpp"

#include "vm/display/display_view_model.hpp"

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

} // namespace pollard::app
