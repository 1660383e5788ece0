#include "vm/settings/limits_view_model.hpp"

#include "vm/base/change.hpp"

#include <QSettings>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::vm {

namespace {

constexpr auto kMemoryGib = "limits/memoryGib";
constexpr auto kMegapixels = "limits/megapixels";
constexpr auto kDecodedGib = "limits/decodedGib";
constexpr auto kExpansion = "limits/expansion";
constexpr auto kCacheMib = "limits/cacheMib";
constexpr auto kAsking = "limits/askAboutMemory";
constexpr std::uint64_t kUnknownMemory = std::uint64_t{4} << 30U;

double clamped(double value, double low, double high, double otherwise) {
    return std::isfinite(value) ? std::clamp(value, low, high) : otherwise;
}

std::uint64_t bytesOf(double gib) noexcept { return static_cast<std::uint64_t>(gib * (1U << 30U)); }

int mib(std::uint64_t bytes) {
    return static_cast<int>(std::min<std::uint64_t>(bytes >> 20U, std::numeric_limits<int>::max()));
}

} // namespace

LimitsViewModel::LimitsViewModel(QSettings& settings, std::uint64_t memoryBytes, QObject* parent)
    : QObject(parent), settings_(settings), mostCacheMib_(mib((memoryBytes != 0 ? memoryBytes : kUnknownMemory) / 2)),
      firstCacheMib_(mostCacheMib_ / 2) {
    memoryGib_ = clamped(settings_.value(kMemoryGib, memoryGib_).toDouble(), 0, kMostGib, memoryGib_);
    maxMegapixels_ =
        clamped(settings_.value(kMegapixels, maxMegapixels_).toDouble(), 1, kMostMegapixels, maxMegapixels_);
    maxDecodedGib_ = clamped(settings_.value(kDecodedGib, maxDecodedGib_).toDouble(), 0, kMostGib, maxDecodedGib_);
    maxExpansion_ =
        clamped(settings_.value(kExpansion, maxExpansion_).toDouble(), kLeastExpansion, kMostExpansion, maxExpansion_);
    cacheMib_ = std::clamp(settings_.value(kCacheMib, firstCacheMib_).toInt(), 0, mostCacheMib_);
    asking_ = settings_.value(kAsking, asking_).toBool();
}

ReadLimits LimitsViewModel::readLimits() const {
    ReadLimits limits;
    limits.maxPixels = static_cast<std::uint64_t>(std::min(maxMegapixels_, kMostMegapixels) * 1e6);
    limits.maxDecodedBytes = bytesOf(maxDecodedGib_);
    limits.maxExpansion = maxExpansion_;
    return limits;
}

std::uint64_t LimitsViewModel::memoryBytes() const noexcept { return bytesOf(memoryGib_); }

template <class T> void LimitsViewModel::store(T& member, const T& value, const char* key) {
    if (change(member, value)) {
        settings_.setValue(key, value);
        emit changed();
    }
}

void LimitsViewModel::setMemoryGib(double gib) { store(memoryGib_, clamped(gib, 0, kMostGib, memoryGib_), kMemoryGib); }

void LimitsViewModel::setMaxMegapixels(double megapixels) {
    store(maxMegapixels_, clamped(megapixels, 1, kMostMegapixels, maxMegapixels_), kMegapixels);
}

void LimitsViewModel::setMaxDecodedGib(double gib) {
    store(maxDecodedGib_, clamped(gib, 0, kMostGib, maxDecodedGib_), kDecodedGib);
}

void LimitsViewModel::setMaxExpansion(double factor) {
    store(maxExpansion_, clamped(factor, kLeastExpansion, kMostExpansion, maxExpansion_), kExpansion);
}

void LimitsViewModel::setCacheMib(int mib) { store(cacheMib_, std::clamp(mib, 0, mostCacheMib_), kCacheMib); }

void LimitsViewModel::setAsking(bool asking) { store(asking_, asking, kAsking); }

void LimitsViewModel::restoreDefaults() {
    setMemoryGib(0);
    setMaxMegapixels(kMostMegapixels);
    setMaxDecodedGib(0);
    setMaxExpansion(ReadLimits{}.maxExpansion);
    setCacheMib(firstCacheMib_);
    setAsking(true);
}

} // namespace pollard::vm
