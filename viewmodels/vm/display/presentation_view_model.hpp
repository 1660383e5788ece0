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

/// How the filtered picture is to get into the window's texture.
enum class DisplayMode {
    automatic, ///< interop where it works, else copy
    interop,   ///< the same, but the badge says so where it does not work
    copy,      ///< always over main memory
};

/// How it got there.
enum class DisplayPath {
    none,    ///< nothing was drawn yet
    upload,  ///< the engine keeps its picture in main memory
    copy,    ///< the engine keeps its picture on a device, but it went over main memory
    interop, ///< the engine's device wrote the texture
};

/// How the numbers of the pixels' nodes got to the graphics card.
struct NumbersTransfer {
    DisplayPath path = DisplayPath::none; ///< interop, or upload from main memory
    double milliseconds = 0;              ///< of the window's thread
    QString problem;                      ///< why a device that has them did not write them; else empty

    bool operator==(const NumbersTransfer&) const = default;
};

/// Times in ms from a change of the filter to the picture on the screen.
struct LatencySummary {
    std::size_t frames = 0; ///< how many of the last frames these numbers are of
    double last = 0;
    double median = 0;
    double p95 = 0; ///< 95 of 100 frames took at most this (nearest rank)
};

/// @param milliseconds in the order they were measured
[[nodiscard]] LatencySummary summarize(const std::vector<double>& milliseconds);

/// How the picture reaches the screen, and how long after the person moved a control. The canvas reports what it drew.
class PresentationViewModel : public QObject {
    Q_OBJECT

public:
    using Clock = std::chrono::steady_clock;

    /// How many of the last frames latency() looks at.
    static constexpr std::size_t kHistory = 256;

    /// @param document,filter must outlive this
    PresentationViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] DisplayMode mode() const noexcept { return mode_; }
    [[nodiscard]] DisplayPath path() const noexcept { return path_; }
    /// Why the path is not interop, for a person; empty if it is.
    [[nodiscard]] QString reason() const { return reason_; }

    /// As reportNumbers() told.
    [[nodiscard]] const NumbersTransfer& numbers() const noexcept { return numbers_; }

    /// "CUDA + interop", "CUDA + copy", "CPU"; empty while nothing is open.
    [[nodiscard]] QString engineBadge() const;
    /// Device, path and reason; how the numbers came, if they are there.
    [[nodiscard]] QString engineToolTip() const;

    /// Of the last kHistory frames that a change of the filter of the present tree asked for, by live filtering.
    [[nodiscard]] LatencySummary latency() const;
    /// "21 ms to screen" of the last frame; empty if none was measured yet.
    [[nodiscard]] QString latencyText() const;
    [[nodiscard]] QString latencyToolTip() const;
    /// Changes of the filter whose frame was not drawn yet.
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }

    /// Whether the canvas is to wait for the graphics card before it reports a frame: exact, but stops the window for
    /// as long as the card draws.
    [[nodiscard]] bool isExact() const noexcept { return exact_; }
    void setExact(bool exact) noexcept { exact_ = exact; }

public slots:
    /// Before the first picture is drawn.
    void setMode(pollard::vm::DisplayMode mode);
    /// The canvas tells how the picture it draws got there.
    void reportPath(pollard::vm::DisplayPath path, const QString& reason);
    /// The canvas tells how the numbers came, when all of them are there; and of none, when they are not.
    void reportNumbers(const pollard::vm::NumbersTransfer& numbers);
    /// The canvas tells that the picture that this spec made is on the screen now.
    void reportFrame(const pollard::FilterSpec& spec);

signals:
    void engineBadgeChanged();
    /// A frame that a change of the filter asked for is on the screen.
    void latencyMeasured(double milliseconds);
    void latencyChanged(); ///< latency(), also to none

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
