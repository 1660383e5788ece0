#pragma once

#include "filter/filter_spec.hpp"

#include <QObject>
#include <QString>

#include <chrono>
#include <cstddef>
#include <deque>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// Path of the filtered image into the window's texture.
enum class DisplayMode {
    automatic, ///< interop if possible, else copy
    interop,   ///< the same, but the badge shows if it is impossible
    copy,      ///< always through main memory
};

/// The path used.
enum class DisplayPath {
    none,    ///< nothing has been drawn
    upload,  ///< the engine keeps its image in main memory
    copy,    ///< the engine keeps its image on a device, but it was copied through main memory
    interop, ///< the engine's device wrote the texture
};

/// Transfer of the node index of every pixel to the graphics card.
struct NumbersTransfer {
    DisplayPath path = DisplayPath::none; ///< interop, or upload from main memory
    double milliseconds = 0;              ///< of the window's thread
    QString problem;                      ///< why a device with the numbers did not write them; else empty

    bool operator==(const NumbersTransfer&) const = default;
};

/// Times in ms from a change of the filter to the image on the screen.
struct LatencySummary {
    std::size_t frames = 0; ///< number of measured frames
    double last = 0;
    double median = 0;
    double p95 = 0; ///< 95 of 100 frames took at most this time (nearest rank)
};

/// @param milliseconds in order of measurement
[[nodiscard]] LatencySummary summarize(const std::vector<double>& milliseconds);

/// How the image reaches the screen, and the delay after a movement of a control. The canvas reports the drawn
/// frames.
class PresentationViewModel : public QObject {
    Q_OBJECT

public:
    using Clock = std::chrono::steady_clock;

    /// Number of recent frames in latency().
    static constexpr std::size_t kHistory = 256;

    /// @param document,filter must outlive this
    PresentationViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] DisplayMode mode() const noexcept { return mode_; }
    [[nodiscard]] DisplayPath path() const noexcept { return path_; }
    /// Why the path is not interop, for the user; empty if it is.
    [[nodiscard]] QString reason() const { return reason_; }

    /// The transfer last reported by reportNumbers().
    [[nodiscard]] const NumbersTransfer& numbers() const noexcept { return numbers_; }

    /// "CUDA + interop", "CUDA + copy", "CPU"; empty if no document is open.
    [[nodiscard]] QString engineBadge() const;
    /// Device, path and reason; the transfer of the numbers, if there is one.
    [[nodiscard]] QString engineToolTip() const;

    /// Times of the last kHistory frames requested by changes of the filter of the present tree, with live filtering.
    [[nodiscard]] LatencySummary latency() const;
    /// "21 ms to screen" for the last frame; empty if none was measured.
    [[nodiscard]] QString latencyText() const;
    [[nodiscard]] QString latencyToolTip() const;
    /// Changes of the filter whose frame is not drawn yet.
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

    /// Whether the canvas waits for the graphics card before it reports a frame: exact, but blocks the window while the
    /// card draws.
    [[nodiscard]] bool isExact() const noexcept { return exact_; }
    void setExact(bool exact) noexcept { exact_ = exact; }

public slots:
    /// Sets the path. Call this before the first image is drawn.
    void setMode(pollard::vm::DisplayMode mode);
    /// Called by the canvas with the path of the drawn image.
    void reportPath(pollard::vm::DisplayPath path, const QString& reason);
    /// Called by the canvas when all numbers are transferred, and with none if they are not.
    void reportNumbers(const pollard::vm::NumbersTransfer& numbers);
    /// Called by the canvas when the image of this spec is on the screen.
    void reportFrame(const pollard::FilterSpec& spec);

signals:
    void engineBadgeChanged();
    /// A frame requested by a change of the filter is on the screen.
    void latencyMeasured(double milliseconds);
    void latencyChanged(); ///< latency(), including its reset

private:
    struct Change {
        FilterSpec spec;
        Clock::time_point time;
    };
    void onFilterMoved();
    void forgetLatency();

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    DisplayMode mode_ = DisplayMode::automatic;
    DisplayPath path_ = DisplayPath::none;
    QString reason_;
    NumbersTransfer numbers_;
    bool exact_ = false;
    FilterSpec lastSpec_;
    std::deque<Change> waiting_;
    std::deque<double> history_;
};

} // namespace pollard::vm
