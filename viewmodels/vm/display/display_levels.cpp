#include "vm/display/display_levels.hpp"

#include "vm/document/document_contents.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/level_histogram.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <cstdint>
#include <optional>
#include <utility>

namespace pollard::vm {

ResultLevels::ResultLevels(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), counted_([this] { emit changed(); }) {
    rest_.setSingleShot(true);
    rest_.setInterval(kDelay);
    connect(&rest_, &QTimer::timeout, this, &ResultLevels::count);
    connect(&document_, &DocumentViewModel::imageChanged, this, [this] { counted_.clear(); });
    connect(&document_, &DocumentViewModel::sliceChanged, this, &ResultLevels::onTree);
    connect(&document_, &DocumentViewModel::treeChanged, this, &ResultLevels::onTree);
    connect(&document_, &DocumentViewModel::frameReady, this, &ResultLevels::onResult);
    connect(&document_, &DocumentViewModel::resultFetched, this, &ResultLevels::onResult);
}

void ResultLevels::setOfResult(bool result) {
    if (result != ofResult_) {
        ofResult_ = result;
        counted_.clear();
        count();
    }
}

void ResultLevels::onTree() {
    if (ofResult_) {
        return;
    }
    if (document_.shown().input) {
        count();
    } else {
        counted_.clear();
    }
}

void ResultLevels::onResult() {
    if (ofResult_) {
        rest_.start();
    }
}

void ResultLevels::count() {
    rest_.stop();
    const auto image = ofResult_ ? document_.result() : document_.shown().input;
    if (image) { // else resultFetched() follows
        counted_.begin(counted_.value());
        std::optional<ValueMapping> mapping = ofResult_ ? resultMappingOf(document_) : mappingOf(document_);
        counted_.compute([image, valid = document_.shown().valid,
                          mapping = std::move(mapping)](const std::stop_token& stop) {
            return inEvenLevels(countLevels(*image, CountedArea{{}, nullptr, valid.get()}, JobControl(stop)), mapping);
        });
    }
}

namespace {

QString displayLevelsText(const char* source) { return QCoreApplication::translate("DisplayLevels", source); }

/// "258 px (0.15 %)", "none".
QString shareOf(std::uint64_t count, const Saturation& all) {
    if (count == 0) {
        return displayLevelsText("none");
    }
    const QLocale locale;
    const QString pixels = displayLevelsText("%1 px").arg(locale.toString(static_cast<qulonglong>(count)));
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(all.pixels);
    return percent < 0.01 ? pixels : displayLevelsText("%1 (%2 %)").arg(pixels, locale.toString(percent, 'f', 2));
}

} // namespace

bool DisplayLevels::update() {
    const Range before = std::exchange(range_, Range{});
    even_.reset();
    if (shown_.image) {
        range_.most = maxLevelOf(shown_.image->type());
    }
    range_.dataMinimum = shown_.histogram ? shown_.histogram->minimum : 0;
    range_.dataMaximum = shown_.histogram ? shown_.histogram->maximum : range_.most;
    if (shown_.info) {
        const auto last = static_cast<std::uint16_t>(range_.most);
        range_.mapping = evenMappingOf(shown_.info->mapping, last);
        even_ = evenLevelsOf(shown_.info->mapping, last);
    }
    return range_ != before;
}

double DisplayLevels::valueOf(double level) const noexcept { return pollard::valueOf(range_.mapping, level); }

double DisplayLevels::levelOf(double value) const noexcept { return pollard::levelOf(range_.mapping, value); }

QString DisplayLevels::unit() const { return QString::fromStdString(unitOf(range_.mapping)); }

std::optional<Saturation> DisplayLevels::saturation() const {
    const auto& info = shown_.info;
    if (!shown_.histogram || !info || hasValues() || info->bits < 8) {
        return std::nullopt;
    }
    return saturationOf(*shown_.histogram, info->bits);
}

std::optional<Saturation> DisplayLevels::clipped(LevelWindow window) const {
    return shown_.histogram ? std::optional(clippedBy(window, *shown_.histogram)) : std::nullopt;
}

QString DisplayLevels::clippedText(LevelWindow window) const {
    const auto found = clipped(window);
    return found ? displayLevelsText("Clipped by the window: %1 white, %2 black")
                       .arg(shareOf(found->white, *found), shareOf(found->black, *found))
                 : QString();
}

QString DisplayLevels::saturationText() const {
    if (range_.mapping) {
        const QLocale locale;
        return range_.mapping->clipped == 0 ? displayLevelsText("No value was clipped")
                                            : displayLevelsText("%1 px clipped by the value range")
                                                  .arg(locale.toString(range_.mapping->clipped));
    }
    const auto found = saturation();
    if (!found) {
        return {};
    }
    return displayLevelsText("Saturated in the file: %1 white, %2 black")
        .arg(shareOf(found->white, *found), shareOf(found->black, *found));
}

} // namespace pollard::vm
