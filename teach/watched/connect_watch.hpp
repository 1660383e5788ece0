#pragma once

#include "trace/grid_edges.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/virtual_threads.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pollard::teach {

/// Texts of the steps of CONNECT, for players whose pseudo-code includes it (see connect_lines.hpp).
struct ConnectTexts {
    StepText start, climb, linkRoot, link, linkOther, late, lateSame, meet, meetAgain;
};

/// Records CONNECT in virtual threads in a trace. The running thread makes each call at the named operation, and waits
/// for its turn before it.
class ConnectWatch {
public:
    static constexpr std::uint32_t kNoPixel = 0xffffffffU;

    /// The pixels that a thread compares: the one of lower level and the other one; or their parents as last read.
    struct Sides {
        std::uint32_t low = kNoPixel, high = kNoPixel;

        bool operator==(const Sides&) const = default;
    };

    /// The arguments must outlive this. The trace has the layers parent, mark, edge, thread and partner.
    ConnectWatch(TraceRecorder& trace, VirtualThreads& threads, const std::vector<GridEdge>& edges,
                 const ConnectTexts& texts);

    void onStart(std::uint32_t one, std::uint32_t other);
    void beforeStep(const Sides& sides, const Sides& parents);
    /// The thread tried to change the link of @p pixel from @p before to @p parent.
    /// @param linked whether the link changed
    void onRaise(std::uint32_t pixel, std::uint32_t parent, std::uint32_t before, bool linked);
    void onMeeting(std::uint32_t pixel);
    /// A link is written before other threads can see it.
    virtual void onSet(std::uint32_t /*pixel*/, std::uint32_t /*parent*/) {}

    /// Removes the threads from the picture, as part of the current step.
    void leave();

    ConnectWatch(const ConnectWatch&) = delete;
    ConnectWatch& operator=(const ConnectWatch&) = delete;
    virtual ~ConnectWatch() = default;

private:
    /// A thread's join.
    struct Join {
        std::size_t edge = 0;
        Sides sides, parents;
        bool climbs = false; ///< the thread may have climbed since its sides were last shown
        bool linked = false; ///< has linked a pixel
    };

    [[nodiscard]] Join& join() { return joins_[threads_.current()]; }
    /// Begins a step of the running thread at these pixels.
    void step(const StepText& text, const Sides& sides, std::initializer_list<Value> values);
    /// Shows the outcome for the edge.
    void finish();

    TraceRecorder& trace_;
    VirtualThreads& threads_;
    const std::vector<GridEdge>& edges_;
    const ConnectTexts& texts_;
    std::array<Join, 8> joins_{}; ///< per thread
};

} // namespace pollard::teach
