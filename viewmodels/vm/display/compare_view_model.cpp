#include "vm/display/compare_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/level_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pollard::vm {

namespace {

/// A range that is stable for small changes of the largest difference, as when a threshold is dragged: at most a third
/// above it.
double steadyRange(std::uint32_t difference) {
    const std::uint32_t step = std::max(std::bit_floor(difference) / 4, 1U);
    const std::uint32_t whole = (difference + step - 1) / step * step;
    return whole;
}

} // namespace

CompareViewModel::CompareViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&timer_, &QTimer::timeout, this, &CompareViewModel::flip);
    connect(&document_, &DocumentViewModel::frameReady, this, &CompareViewModel::onFrameReady);
    connect(&document_, &DocumentViewModel::resultFetched, this, &CompareViewModel::measureDifference);
}

CompareViewModel::Mode CompareViewModel::shownMode() const noexcept {
    const bool subtractable = document_.resultSpec().output == Output::filtered;
    return mode_ == Mode::difference && !subtractable ? Mode::off : mode_;
}

int CompareViewModel::maxLevel() const {
    const auto image = document_.image();
    return image ? maxLevelOf(image->type()) : 255;
}

double CompareViewModel::levelStep() const {
    const auto mapping = evenMappingOf(mappingOf(document_), static_cast<std::uint16_t>(maxLevel()));
    return mapping ? mapping->step : 1;
}

QString CompareViewModel::unit() const { return QString::fromStdString(unitOf(mappingOf(document_))); }

void CompareViewModel::setMode(Mode mode) {
    if (!change(mode_, mode)) {
        return;
    }
    reportedMode_ = shownMode();
    resultTurn_ = true;
    runTimer();
    measureDifference();
    emit modeChanged();
}

void CompareViewModel::setBlinkInterval(double seconds) {
    if (std::isnan(seconds)) {
        return;
    }
    seconds = std::clamp(seconds, kShortestBlink, kLongestBlink);
    change(this, blinkInterval_, seconds, &CompareViewModel::runTimer, &CompareViewModel::blinkIntervalChanged);
}

void CompareViewModel::setBlinkByItself(bool byItself) {
    change(this, blinksByItself_, byItself, &CompareViewModel::runTimer, &CompareViewModel::blinkIntervalChanged);
}

void CompareViewModel::flip() {
    if (mode_ != Mode::blink) {
        return;
    }
    resultTurn_ = !resultTurn_;
    runTimer();
    emit turnChanged();
}

void CompareViewModel::setVisible(bool visible) { change(this, visible_, visible, &CompareViewModel::runTimer); }

void CompareViewModel::setAbsolute(bool absolute) {
    change(this, absolute_, absolute, &CompareViewModel::differenceChanged);
}

void CompareViewModel::setDifferenceRange(double levels) {
    if (std::isnan(levels)) {
        return;
    }
    levels = std::clamp(levels, 1.0, static_cast<double>(maxLevel()));
    if (levels == differenceRange_ && !differenceAutomatic_) {
        return;
    }
    differenceAutomatic_ = false;
    differenceRange_ = levels;
    emit differenceChanged();
}

void CompareViewModel::setDifferenceAutomatic(bool automatic) {
    change(this, differenceAutomatic_, automatic, &CompareViewModel::measureDifference,
           &CompareViewModel::differenceChanged);
}

void CompareViewModel::onFrameReady() {
    if (reportedMode_ != shownMode()) {
        reportedMode_ = shownMode();
        emit modeChanged();
    }
    measureDifference();
}

void CompareViewModel::runTimer() {
    if (mode_ == Mode::blink && blinksByItself_ && visible_) {
        timer_.start(static_cast<int>(std::lround(blinkInterval_ * 1000)));
    } else {
        timer_.stop();
    }
}

void CompareViewModel::measureDifference() {
    const auto image = document_.image();
    const auto result = document_.result();
    if (shownMode() != Mode::difference || !differenceAutomatic_ || !image || !result ||
        image->type() != result->type() || image->pixelCount() != result->pixelCount()) {
        return;
    }
    worker_.post(
        Lane::measure,
        [=, mapping = mappingOf(document_)](const std::stop_token&) {
            return brightDifference(*inEvenLevels(image, mapping), *inEvenLevels(result, mapping));
        },
        [this](const JobOutcome& outcome, std::uint16_t bright) {
            if (outcome.ok() && differenceAutomatic_) {
                adoptRange(steadyRange(bright));
            }
        });
}

void CompareViewModel::adoptRange(double levels) {
    levels = std::max(levels, 1.0);
    change(this, differenceRange_, levels, &CompareViewModel::differenceChanged);
}

} // namespace pollard::vm
