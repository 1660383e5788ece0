// DisplayViewModel: window, tone curve and colours of a file, and their storage.
#include "vm/display/display_view_model.hpp"
#include "vm/display/look_memory.hpp"
#include "vm/document/document_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

/// Smallest width of the window, in grey levels.
constexpr double kMinWindowWidth = 1;

/// Few bits stored in a wider type, or more bits than a screen shows, look black at full range.
bool needsAutoWindow(const ImageInfo& info, PixelType type) { return type == PixelType::u16 || info.bits < 8; }

/// "258 px (0.15 %)", "none".
QString shareOf(std::uint64_t count, const Saturation& all) {
    if (count == 0) {
        return DisplayViewModel::tr("none");
    }
    const QLocale locale;
    const QString pixels = DisplayViewModel::tr("%1 px").arg(locale.toString(static_cast<qulonglong>(count)));
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(all.pixels);
    return percent < 0.01 ? pixels : DisplayViewModel::tr("%1 (%2 %)").arg(pixels, locale.toString(percent, 'f', 2));
}

} // namespace

void DisplayViewModel::setWindow(double low, double high) {
    if (std::isnan(low) || std::isnan(high)) {
        return;
    }
    if (low > high) {
        std::swap(low, high);
    }
    low = std::clamp<double>(low, 0, maxLevel_ - kMinWindowWidth);
    high = std::clamp<double>(high, low + kMinWindowWidth, maxLevel_);
    if (LevelWindow{low, high} != window_) {
        fixWindow({low, high});
    }
}

void DisplayViewModel::setWindowLow(double low) {
    setWindow(std::min(low, window_.high - kMinWindowWidth), window_.high);
}

void DisplayViewModel::setWindowHigh(double high) {
    setWindow(window_.low, std::max(high, window_.low + kMinWindowWidth));
}

void DisplayViewModel::autoWindow() {
    if (document_.levelHistogram() == nullptr) {
        return;
    }
    look_.window = Look::Window::automatic;
    applyWindow(automaticWindow());
    remember();
}

void DisplayViewModel::fullWindow() { setWindow(0, maxLevel_); }

void DisplayViewModel::fixWindow(LevelWindow window) {
    look_.window = Look::Window::fixed;
    look_.range = {valueOf(window.low), valueOf(window.high)};
    look_.inValues = hasValues();
    look_.maxLevel = maxLevel_;
    applyWindow(window);
    remember();
}

void DisplayViewModel::setAutoLow(double percent) { setAutoRange(percent, autoHigh_); }

void DisplayViewModel::setAutoHigh(double percent) { setAutoRange(autoLow_, percent); }

void DisplayViewModel::setAutoRange(double low, double high) {
    if (std::isnan(low) || std::isnan(high)) {
        return;
    }
    low = std::clamp(low, 0.0, kLargestAutoLow);
    high = std::clamp(high, kSmallestAutoHigh, 100.0);
    if (low == autoLow_ && high == autoHigh_) {
        return;
    }
    autoLow_ = low;
    autoHigh_ = high;
    emit autoRangeChanged();
    autoWindow();
}

void DisplayViewModel::setToneCurve(ToneCurve curve) {
    if (curve == look_.curve) {
        return;
    }
    look_.curve = curve;
    emit toneCurveChanged();
    remember();
}

void DisplayViewModel::setGamma(double gamma) {
    if (std::isnan(gamma)) {
        return;
    }
    gamma = std::clamp(gamma, kSmallestGamma, kLargestGamma);
    if (gamma == look_.gamma) {
        return;
    }
    look_.gamma = gamma;
    emit toneCurveChanged();
    remember();
}

void DisplayViewModel::setColourMap(ColourMap map) {
    if (map == look_.map) {
        return;
    }
    look_.map = map;
    emit colourMapChanged();
    likeColours();
}

void DisplayViewModel::setInverted(bool inverted) {
    if (inverted == look_.inverted) {
        return;
    }
    look_.inverted = inverted;
    emit colourMapChanged();
    likeColours();
}

void DisplayViewModel::setMarksSaturation(bool marks) {
    if (marks == marks_) {
        return;
    }
    marks_ = marks;
    emit marksChanged();
}

bool DisplayViewModel::isSameForAll() const noexcept { return memory_ != nullptr && memory_->isShared(); }

void DisplayViewModel::setSameForAll(bool same) {
    if (memory_ == nullptr || same == memory_->isShared()) {
        return;
    }
    if (same) {
        memory_->share(look_);
    } else {
        memory_->stopSharing();
        remember(); // the present look becomes this file's own
    }
}

LevelWindow DisplayViewModel::automaticWindow() const {
    const auto histogram = document_.levelHistogram();
    return histogram ? pollard::vm::autoWindow(*histogram, autoLow_ / 100, autoHigh_ / 100)
                     : LevelWindow{0, static_cast<double>(maxLevel_)};
}

LevelWindow DisplayViewModel::windowOf(const Look& look) const {
    const auto image = document_.image();
    switch (look.window) {
    case Look::Window::automatic:
        return automaticWindow();
    case Look::Window::fixed: {
        const double low = look.inValues ? levelOf(look.range.low) : look.range.low;
        const double high = look.inValues ? levelOf(look.range.high) : look.range.high;
        // Numbers for another pixel type do not apply.
        if (look.inValues == hasValues() && (look.inValues || look.maxLevel == maxLevel_) && high > 0 &&
            low < maxLevel_) {
            const double start = std::clamp<double>(low, 0, maxLevel_ - kMinWindowWidth);
            return {start, std::clamp<double>(high, start + kMinWindowWidth, maxLevel_)};
        }
        break;
    }
    case Look::Window::opening:
        break;
    }
    return image && needsAutoWindow(*document_.imageInfo(), image->type())
               ? automaticWindow()
               : LevelWindow{0, static_cast<double>(maxLevel_)};
}

void DisplayViewModel::adoptLook(const Look& look) {
    const Look before = look_;
    look_ = look;
    applyWindow(windowOf(look_));
    if (look_.curve != before.curve || look_.gamma != before.gamma) {
        emit toneCurveChanged();
    }
    if (look_.map != before.map || look_.inverted != before.inverted) {
        emit colourMapChanged();
    }
}

void DisplayViewModel::setLook(const Look& look) {
    adoptLook(look);
    remember();
}

void DisplayViewModel::remember() {
    if (memory_ != nullptr) {
        memory_->remember(lookPath_, look_);
    }
}

void DisplayViewModel::likeColours() {
    if (memory_ != nullptr) {
        memory_->like(look_.map, look_.inverted);
    }
    remember();
}

double DisplayViewModel::valueOf(double level) const noexcept { return mapping_ ? mapping_->valueOf(level) : level; }

double DisplayViewModel::levelOf(double value) const noexcept {
    return mapping_ && mapping_->step != 0 ? (value - mapping_->offset) / mapping_->step : value;
}

std::optional<Saturation> DisplayViewModel::saturation() const {
    const auto histogram = document_.levelHistogram();
    const auto info = document_.imageInfo();
    if (!histogram || !info || hasValues() || info->bits < 8) {
        return std::nullopt;
    }
    return saturationOf(*histogram, info->bits);
}

std::optional<Saturation> DisplayViewModel::clipped() const {
    const auto histogram = document_.levelHistogram();
    return histogram ? std::optional(clippedBy(window_, *histogram)) : std::nullopt;
}

QString DisplayViewModel::clippedText() const {
    const auto found = clipped();
    return found ? tr("Clipped by the window: %1 white, %2 black")
                       .arg(shareOf(found->white, *found), shareOf(found->black, *found))
                 : QString();
}

QString DisplayViewModel::saturationText() const {
    if (mapping_) {
        const QLocale locale;
        return mapping_->clipped == 0 ? tr("No value was clipped")
                                      : tr("%1 px clipped by the value range").arg(locale.toString(mapping_->clipped));
    }
    const auto found = saturation();
    if (!found) {
        return {};
    }
    return tr("Saturated in the file: %1 white, %2 black")
        .arg(shareOf(found->white, *found), shareOf(found->black, *found));
}

} // namespace pollard::vm
