#include "vm/settings/limits_view_model.hpp"

#include <QSettings>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::vm {

namespace {

constexpr auto kMegapixels = "limits/megapixels";
constexpr auto kDecodedGib = "limits/decodedGib";
constexpr auto kExpansion = "limits/expansion";
constexpr auto kCacheMib = "limits/cacheMib";
constexpr auto kAsking = "limits/askAboutMemory";
constexpr std::uint64_t kUnknownMemory = std::uint64_t{4} << 30U;

double clamped(double value, double low, double high, double otherwise) {
    return std::isfinite(value) ? std::clamp(value, low, high) : otherwise;
}

int mib(std::uint64_t bytes) {
    return static_cast<int>(std::min<std::uint64_t>(bytes >> 20U, std::numeric_limits<int>::max()));
}

} // namespace

LimitsViewModel::LimitsViewModel(QSettings& settings, std::uint64_t memoryBytes, QObject* parent)
    : QObject(parent), settings_(settings), mostCacheMib_(mib((memoryBytes != 0 ? memoryBytes : kUnknownMemory) / 2)),
      firstCacheMib_(mostCacheMib_ / 2) {
    maxMegapixels_ =
        clamped(settings_.value(kMegapixels, maxMegapixels_).toDouble(), 1, kMostMegapixels, maxMegapixels_);
    maxDecodedGib_ =
        clamped(settings_.value(kDecodedGib, maxDecodedGib_).toDouble(), 0, kMostDecodedGib, maxDecodedGib_);
    maxExpansion_ =
        clamped(settings_.value(kExpansion, maxExpansion_).toDouble(), kLeastExpansion, kMostExpansion, maxExpansion_);
    cacheMib_ = std::clamp(settings_.value(kCacheMib, firstCacheMib_).toInt(), 0, mostCacheMib_);
    asking_ = settings_.value(kAsking, asking_).toBool();
}

ReadLimits LimitsViewModel::readLimits() const {
    ReadLimits limits;
    limits.maxPixels = static_cast<std::uint64_t>(std::min(maxMegapixels_, kMostMegapixels) * 1e6);
    limits.maxDecodedBytes = static_cast<std::uint64_t>(maxDecodedGib_ * (1U << 30U));
    limits.maxExpansion = maxExpansion_;
    return limits;
}

void LimitsViewModel::setMaxMegapixels(double megapixels) {
    const double wanted = clamped(megapixels, 1, kMostMegapixels, maxMegapixels_);
    if (wanted != maxMegapixels_) {
        maxMegapixels_ = wanted;
        settings_.setValue(kMegapixels, wanted);
        emit changed();
    }
}

void LimitsViewModel::setMaxDecodedGib(double gib) {
    const double wanted = clamped(gib, 0, kMostDecodedGib, maxDecodedGib_);
    if (wanted != maxDecodedGib_) {
        maxDecodedGib_ = wanted;
        settings_.setValue(kDecodedGib, wanted);
        emit changed();
    }
}

void LimitsViewModel::setMaxExpansion(double factor) {
    const double wanted = clamped(factor, kLeastExpansion, kMostExpansion, maxExpansion_);
    if (wanted != maxExpansion_) {
        maxExpansion_ = wanted;
        settings_.setValue(kExpansion, wanted);
        emit changed();
    }
}

void LimitsViewModel::setCacheMib(int mib) {
    const int wanted = std::clamp(mib, 0, mostCacheMib_);
    if (wanted != cacheMib_) {
        cacheMib_ = wanted;
        settings_.setValue(kCacheMib, wanted);
        emit changed();
    }
}

void LimitsViewModel::setAsking(bool asking) {
    if (asking != asking_) {
        asking_ = asking;
        settings_.setValue(kAsking, asking);
        emit changed();
    }
}

void LimitsViewModel::restoreDefaults() {
    setMaxMegapixels(kMostMegapixels);
    setMaxDecodedGib(0);
    setMaxExpansion(ReadLimits{}.maxExpansion);
    setCacheMib(firstCacheMib_);
    setAsking(true);
}

} // namespace pollard::vm
