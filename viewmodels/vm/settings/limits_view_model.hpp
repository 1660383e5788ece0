#pragma once

#include "io/image_file.hpp"

#include <QObject>

#include <cstdint>

class QSettings;

namespace pollard::vm {

/// The user's limits for files and memory, stored in the settings. Every setter clamps to its domain and writes at
/// once.
class LimitsViewModel : public QObject {
    Q_OBJECT

public:
    /// @param settings must outlive this
    /// @param memoryBytes of the computer, a quarter of which is the default size of the cache; 0 = unknown
    LimitsViewModel(QSettings& settings, std::uint64_t memoryBytes, QObject* parent = nullptr);

    static constexpr double kMostMegapixels = static_cast<double>(Image::kMaxPixels) / 1e6;
    static constexpr double kMostGib = 4096;
    static constexpr double kLeastExpansion = 2;
    static constexpr double kMostExpansion = 1e6;

    /// Memory that the program may take, GiB; 0 = the free memory of the computer.
    [[nodiscard]] double memoryGib() const noexcept { return memoryGib_; }
    /// Largest page, 10^6 px.
    [[nodiscard]] double maxMegapixels() const noexcept { return maxMegapixels_; }
    /// Largest decoded page, GiB; 0 = the free memory of the computer.
    [[nodiscard]] double maxDecodedGib() const noexcept { return maxDecodedGib_; }
    /// Decoded bytes per byte of a compressed file.
    [[nodiscard]] double maxExpansion() const noexcept { return maxExpansion_; }
    /// Memory for the trees of cached pages, MiB; 0 keeps none.
    [[nodiscard]] int cacheMib() const noexcept { return cacheMib_; }
    [[nodiscard]] int mostCacheMib() const noexcept { return mostCacheMib_; } ///< half of the computer's memory
    /// Whether to ask before opening an image that needs more than half of the memory.
    [[nodiscard]] bool isAsking() const noexcept { return asking_; }

    [[nodiscard]] ReadLimits readLimits() const;
    [[nodiscard]] std::uint64_t memoryBytes() const noexcept; ///< of memoryGib()
    [[nodiscard]] std::uint64_t cacheBytes() const noexcept { return static_cast<std::uint64_t>(cacheMib_) << 20U; }

public slots:
    void setMemoryGib(double gib);
    void setMaxMegapixels(double megapixels);
    void setMaxDecodedGib(double gib);
    void setMaxExpansion(double factor);
    void setCacheMib(int mib);
    void setAsking(bool asking);
    /// Restores all defaults.
    void restoreDefaults();

signals:
    void changed();

private:
    /// Sets and writes a limit.
    template <class T> void store(T& member, const T& value, const char* key);

    QSettings& settings_;
    int mostCacheMib_;
    int firstCacheMib_;
    double memoryGib_ = 0;
    double maxMegapixels_ = kMostMegapixels;
    double maxDecodedGib_ = 0;
    double maxExpansion_ = ReadLimits{}.maxExpansion;
    int cacheMib_ = 0;
    bool asking_ = true;
};

} // namespace pollard::vm
