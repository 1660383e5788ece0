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

/// The steps of CONNECT, for a player whose pseudo-code has them from some line on (see connect_lines.hpp).
struct ConnectTexts {
    StepText start, climb, linkRoot, link, linkOther, late, lateSame, meet, meetAgain;
};

/// Writes what CONNECT does in virtual threads into a trace. Each call is made by the thread that is running, at the
/// operation that it names; before it, the thread waits for its turn.
class ConnectWatch {
public:
    static constexpr std::uint32_t kNoPixel = 0xffffffffU;

    /// The pixels on which a thread stands: of the lower level, and the other one; or what it knows of their parents.
    struct Sides {
        std::uint32_t low = kNoPixel, high = kNoPixel;

        bool operator==(const Sides&) const = default;
    };

    /// All must outlive this. The trace has the layers parent, mark, edge, thread and partner.
    ConnectWatch(TraceRecorder& trace, VirtualThreads& threads, const std::vector<GridEdge>& edges,
                 const ConnectTexts& texts);

    void onStart(std::uint32_t one, std::uint32_t other);
    void beforeStep(const Sides& sides, const Sides& parents);
    /// The link of @p pixel was to become @p parent; before, it was @p before.
    /// @param linked whether it became so
    void onRaise(std::uint32_t pixel, std::uint32_t parent, std::uint32_t before, bool linked);
    void onMeeting(std::uint32_t pixel);
    /// A link is written that no other thread knows yet.
    virtual void onSet(std::uint32_t /*pixel*/, std::uint32_t /*parent*/) {}

    /// Takes the threads off the picture, as part of the step that was begun last.
    void leave();

    ConnectWatch(const ConnectWatch&) = delete;
    ConnectWatch& operator=(const ConnectWatch&) = delete;
    virtual ~ConnectWatch() = default;

private:
    /// One thread's join.
    struct Join {
        std::size_t edge = 0;
        Sides sides, parents;
        bool climbs = false; ///< since the last look at its sides, unless something else is reported
        bool linked = false; ///< a pixel so far
    };

    [[nodiscard]] Join& join() { return joins_[threads_.current()]; }
    /// Begins a step of the running thread, which stands on these pixels.
    void step(const StepText& text, const Sides& sides, std::initializer_list<Value> values);
    /// Tells what became of the edge.
    void finish();

    TraceRecorder& trace_;
    VirtualThreads& threads_;
    const std::vector<GridEdge>& edges_;
    const ConnectTexts& texts_;
    std::array<Join, 8> joins_{}; ///< per thread
};

} // namespace pollard::teach
