#include "vm/display/display_look.hpp"

#include "vm/base/change.hpp"
#include "vm/display/display_levels.hpp"
#include "vm/display/look_store.hpp"
#include "vm/document/document_contents.hpp"

#include "analysis/zscale.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

/// Smallest width of the window, in grey levels.
constexpr double kMinWindowWidth = 1;

/// Few bits stored in a wider type, or more bits than a screen shows, look black at full range.
bool needsAutoWindow(const ImageInfo& info, PixelType type) { return type == PixelType::u16 || info.bits < 8; }

} // namespace

DisplayLook::DisplayLook(const DocumentContents& shown, const DisplayLevels& levels, LookStore* memory)
    : shown_(shown), levels_(levels), memory_(memory), shownResultWindow_(window_) {
    if (memory_ != nullptr) {
        look_ = memory_->recall({});
        connect(memory_, &LookStore::sharedChanged, this, &DisplayLook::sameForAllChanged);
    }
}

bool DisplayLook::isSameForAll() const noexcept { return memory_ != nullptr && memory_->isShared(); }

void DisplayLook::update() {
    const bool otherFile = shown_.request.path != path_;
    path_ = shown_.request.path;
    if (otherFile && memory_ != nullptr && shown_.image) {
        adopt(memory_->recall(path_));
        return;
    }
    if (otherFile) {
        look_.window = Look::Window::opening;
    }
    adopt(look_);
}

void DisplayLook::setResultLevels(std::shared_ptr<const LevelHistogram> levels) {
    resultLevels_ = std::move(levels);
    updateResult();
}

void DisplayLook::updateResult() {
    if (resultWindow() != shownResultWindow_) {
        applyWindow(window_);
    }
}

void DisplayLook::setWindow(double low, double high) {
    if (std::isnan(low) || std::isnan(high)) {
        return;
    }
    if (low > high) {
        std::swap(low, high);
    }
    low = std::clamp<double>(low, 0, levels_.maxLevel() - kMinWindowWidth);
    high = std::clamp<double>(high, low + kMinWindowWidth, levels_.maxLevel());
    if (LevelWindow{low, high} != window_) {
        fixWindow({low, high});
    }
}

void DisplayLook::setWindowLow(double low) { setWindow(std::min(low, window_.high - kMinWindowWidth), window_.high); }

void DisplayLook::setWindowHigh(double high) { setWindow(window_.low, std::max(high, window_.low + kMinWindowWidth)); }

void DisplayLook::autoWindow() { automate(fitsResults() ? Look::Window::shown : Look::Window::automatic); }

void DisplayLook::zscaleWindow() {
    if (!shown_.image) {
        return;
    }
    const EvenLevels& even = levels_.evenLevels();
    std::vector<double> levels;
    for (const std::uint16_t level : zscaleSamples(*shown_.image, shown_.valid.get())) {
        levels.push_back(even ? (*even)[level] : level);
    }
    const DisplayRange range = zscale(std::move(levels));
    setWindow(range.low, range.high);
}

void DisplayLook::setFitsResults(bool fits) {
    if (fits != fitsResults()) {
        automate(fits ? Look::Window::shown : Look::Window::automatic);
    }
}

void DisplayLook::automate(Look::Window kind) {
    if (shown_.histogram == nullptr) {
        return;
    }
    look_.window = kind;
    applyWindow(automaticWindow());
    remember();
}

void DisplayLook::fixWindow(LevelWindow window) {
    look_.window = Look::Window::fixed;
    look_.range = {levels_.valueOf(window.low), levels_.valueOf(window.high)};
    look_.inValues = levels_.hasValues();
    look_.maxLevel = levels_.maxLevel();
    applyWindow(window);
    remember();
}

void DisplayLook::setAutoRange(double low, double high) {
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

void DisplayLook::setToneCurve(ToneCurve curve) {
    change(this, look_.curve, curve, &DisplayLook::toneCurveChanged, &DisplayLook::remember);
}

void DisplayLook::setGamma(double gamma) {
    if (std::isnan(gamma)) {
        return;
    }
    gamma = std::clamp(gamma, kSmallestGamma, kLargestGamma);
    change(this, look_.gamma, gamma, &DisplayLook::toneCurveChanged, &DisplayLook::remember);
}

void DisplayLook::setColourMap(ColourMap map) {
    change(this, look_.map, map, &DisplayLook::colourMapChanged, &DisplayLook::storeColours);
}

void DisplayLook::setInverted(bool inverted) {
    change(this, look_.inverted, inverted, &DisplayLook::colourMapChanged, &DisplayLook::storeColours);
}

void DisplayLook::setSameForAll(bool same) {
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

LevelWindow DisplayLook::automaticWindow() const {
    const auto& histogram = shown_.histogram;
    return histogram ? pollard::vm::autoWindow(*histogram, autoLow_ / 100, autoHigh_ / 100)
                     : LevelWindow{0, static_cast<double>(levels_.maxLevel())};
}

std::optional<LevelWindow> DisplayLook::windowOfFile() const {
    if (!shown_.image || !shown_.info->window) {
        return std::nullopt;
    }
    const double low = levels_.levelOf(shown_.info->window->low);
    const double high = levels_.levelOf(shown_.info->window->high);
    if (!(low < levels_.dataMaximum() && high > levels_.dataMinimum())) { // it would show one colour
        return std::nullopt;
    }
    return withinLevels(low, high);
}

LevelWindow DisplayLook::withinLevels(double low, double high) const {
    const double start = std::clamp<double>(low, 0, levels_.maxLevel() - kMinWindowWidth);
    return {start, std::clamp<double>(high, start + kMinWindowWidth, levels_.maxLevel())};
}

LevelWindow DisplayLook::windowOf(const Look& look) const {
    switch (look.window) {
    case Look::Window::automatic:
    case Look::Window::shown:
        return automaticWindow();
    case Look::Window::fixed: {
        const double low = look.inValues ? levels_.levelOf(look.range.low) : look.range.low;
        const double high = look.inValues ? levels_.levelOf(look.range.high) : look.range.high;
        // Numbers for another pixel type do not apply.
        if (look.inValues == levels_.hasValues() && (look.inValues || look.maxLevel == levels_.maxLevel()) &&
            high > 0 && low < levels_.maxLevel()) {
            return withinLevels(low, high);
        }
        break;
    }
    case Look::Window::opening:
        break;
    }
    if (const auto stated = windowOfFile()) {
        return *stated;
    }
    return shown_.image && needsAutoWindow(*shown_.info, shown_.image->type())
               ? automaticWindow()
               : LevelWindow{0, static_cast<double>(levels_.maxLevel())};
}

void DisplayLook::adopt(const Look& look) {
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

void DisplayLook::setLook(const Look& look) {
    adopt(look);
    remember();
}

void DisplayLook::remember() {
    if (memory_ != nullptr) {
        memory_->remember(path_, look_);
    }
}

void DisplayLook::storeColours() {
    if (memory_ != nullptr) {
        memory_->rememberColours(look_.map, look_.inverted);
    }
    remember();
}

LevelWindow DisplayLook::resultWindow() const {
    switch (shown_.frame.spec.output) {
    case Output::filtered:
        if (shown_.frame.brightLevel != 0) { // lengths have nothing of the window of the image
            return {0, static_cast<double>(shown_.frame.brightLevel)};
        }
        return resultLevels_ && look_.window != Look::Window::fixed
                   ? pollard::vm::autoWindow(*resultLevels_, autoLow_ / 100, autoHigh_ / 100)
                   : window_;
    case Output::residue: {
        if (fitsResults()) {
            return {0, std::max(1.0, static_cast<double>(shown_.frame.brightLevel))};
        }
        // A residue is far darker than the image: stretch it by that ratio, in steps of a factor of two so that it
        // does not flicker while a threshold is dragged. The user's window also scales it.
        const double width = window_.high - window_.low;
        const auto& histogram = shown_.histogram;
        const std::uint32_t bright = shown_.frame.brightLevel;
        if (histogram == nullptr || bright == 0) {
            return {0, width};
        }
        const LevelWindow whole = pollard::vm::autoWindow(*histogram);
        return {0, std::max(1.0, width * (std::bit_ceil(bright + 1) - 1) / (whole.high - whole.low))};
    }
    case Output::mask:
        return {0, static_cast<double>(levels_.maxLevel())};
    case Output::labels:
        return {0, std::max(1.0, static_cast<double>(shown_.frame.brightLevel))};
    }
    return window_;
}

void DisplayLook::applyWindow(LevelWindow window) {
    const LevelWindow before = window_;
    const LevelWindow resultBefore = shownResultWindow_;
    window_ = window;
    shownResultWindow_ = resultWindow();
    if (window_ != before || shownResultWindow_ != resultBefore) {
        emit windowChanged();
    }
    if (std::exchange(shownFits_, fitsResults()) != fitsResults()) {
        emit fitsResultsChanged();
    }
}

} // namespace pollard::vm
