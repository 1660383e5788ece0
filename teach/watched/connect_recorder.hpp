#pragma once

#include "cuda/published/border_forest.hpp"
#include "cuda/published/link_record.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/virtual_threads.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pollard::teach {

/// Texts of the steps of CONNECT, for players whose pseudo-code includes it.
struct ConnectTexts {
    StepText start, climb, linkRoot, link, linkOther, late, lateSame, meet, meetAgain;
};

/// CONNECT (Blin et al. 2022, algorithms 6 and 7) in words, the last part of a player's pseudo-code.
inline constexpr std::array kConnectLines{
    POLLARD_TEACH("connect(p, q), in each thread: a = the lower one, b = the other"),
    POLLARD_TEACH("    climb from a and b, as long as the parents are not lower than a"),
    POLLARD_TEACH("    if a is b: done"),
    POLLARD_TEACH("    old = b's parent; b's parent becomes a, in one atomic operation"),
    POLLARD_TEACH("    if another thread changed it first: old is the parent which that thread wrote"),
    POLLARD_TEACH("    if there is an old parent: connect it with a, else done"),
};

/// Pseudo-code that ends with CONNECT.
template <std::size_t Lines> [[nodiscard]] constexpr std::array<const char*, Lines + kConnectLines.size()>
withConnectLines(const std::array<const char*, Lines>& lines) {
    std::array<const char*, Lines + kConnectLines.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = i < Lines ? lines[i] : kConnectLines[i - Lines];
    }
    return all;
}

/// @param first line of connect()
[[nodiscard]] constexpr ConnectTexts connectTexts(int first) {
    return {
        .start = {POLLARD_TEACH("Thread %1 takes the edge between %2 and %3: their trees must become one."), first},
        .climb = {POLLARD_TEACH("Thread %1 climbs, and compares %2 with %3."), first + 1},
        .linkRoot = {POLLARD_TEACH("Thread %1: %2 had no parent, and %3 becomes its parent. The edge is done."),
                     first + 3},
        .link = {POLLARD_TEACH(
                     "Thread %1: %3 becomes the parent of %2 instead of %4, which must be connected with %3 next."),
                 first + 5},
        .linkOther = {POLLARD_TEACH("Thread %1: %3 becomes the parent of %2. Another thread has put %4 there in the "
                                    "meantime, which must not get lost: it is connected with %3 next."),
                      first + 4},
        .late = {POLLARD_TEACH("Thread %1 tries to make %3 the parent of %2, but another thread was first: the parent "
                               "is %4. The thread tries again from there."),
                 first + 4},
        .lateSame = {POLLARD_TEACH("Thread %1: another thread has made %3 the parent of %2 in the meantime."),
                     first + 4},
        .meet = {POLLARD_TEACH("Thread %1 comes to %2 from both sides: the edge joins nothing new."), first + 2},
        .meetAgain = {POLLARD_TEACH("Thread %1 comes to %2 from both sides: everything below is joined already."),
                      first + 2},
    };
}

/// Records CONNECT, run by virtual threads, in a trace. The running thread calls a function at each operation, which
/// first waits for the thread's turn.
class ConnectRecorder {
public:
    static constexpr std::uint32_t kNoPixel = 0xffffffffU;

    /// The two pixels that a thread compares, or their parents as last read: `low` has the lower level.
    struct Sides {
        std::uint32_t low = kNoPixel, high = kNoPixel;

        bool operator==(const Sides&) const = default;
    };

    /// The arguments must outlive this. The trace has the layers parent, mark, edge, thread and partner.
    ConnectRecorder(TraceRecorder& trace, VirtualThreads& threads, const std::vector<GridEdge>& edges,
                    const ConnectTexts& texts);

    void onStart(std::uint32_t one, std::uint32_t other);
    void beforeStep(const Sides& sides, const Sides& parents);
    /// The thread tried to change the link of @p pixel from @p before to @p parent.
    /// @param linked whether the link changed
    void onRaise(std::uint32_t pixel, std::uint32_t parent, std::uint32_t before, bool linked);
    void onMeeting(std::uint32_t pixel);
    /// Called when a link is written that other threads cannot see yet.
    virtual void onSet(std::uint32_t /*pixel*/, std::uint32_t /*parent*/) {}

    /// Removes the threads from the image, as part of the current step.
    void leave();

    ConnectRecorder(const ConnectRecorder&) = delete;
    ConnectRecorder& operator=(const ConnectRecorder&) = delete;
    virtual ~ConnectRecorder() = default;

private:
    /// State of a thread's call of connect().
    struct Join {
        std::size_t edge = 0;
        Sides sides, parents;
        bool climbs = false; ///< whether the thread may have climbed since its sides were last shown
        bool linked = false; ///< whether the thread has linked a pixel
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

/// Maps an index of links to a pixel: rows of `width` in an image with rows of `stride` px.
struct LinkPlace {
    std::uint32_t corner, width, stride;

    [[nodiscard]] std::uint32_t pixel(std::uint32_t index) const noexcept {
        return corner + index / width * stride + index % width;
    }
};

/// Links of a GPU algorithm that report their changes to a ConnectRecorder.
template <class RecordType> struct ObservedLinks : cuda::LinkArray<RecordType, false> {
    using Base = cuda::LinkArray<RecordType, false>;
    using Record = RecordType;
    using Word = typename Record::Word;

    ConnectRecorder* recorder = nullptr;
    LinkPlace place{};

    ObservedLinks(Word* words, ConnectRecorder& observer, LinkPlace of) : Base{words}, recorder(&observer), place(of) {}

    void set(std::uint32_t index, Word parent) const noexcept {
        recorder->onSet(place.pixel(index), pixelOf(parent));
        Base::set(index, parent);
    }
    Word raise(std::uint32_t index, Word parent) const noexcept {
        const Word before = Base::raise(index, parent);
        recorder->onRaise(place.pixel(index), pixelOf(parent), pixelOf(before), before < parent);
        return before;
    }
    void onStart(Word one, Word other) const noexcept { recorder->onStart(pixelOf(one), pixelOf(other)); }
    void beforeStep(Word low, Word high, Word lowParent, Word highParent) const noexcept {
        recorder->beforeStep({pixelOf(low), pixelOf(high)}, {pixelOf(lowParent), pixelOf(highParent)});
    }
    void onMeeting(Word node) const noexcept { recorder->onMeeting(pixelOf(node)); }

private:
    [[nodiscard]] std::uint32_t pixelOf(Word word) const noexcept {
        return word == Record::kNone ? ConnectRecorder::kNoPixel : place.pixel(Record::index(word));
    }
};

/// A BorderForest that reports its changes to a ConnectRecorder.
struct ObservedForest : cuda::BorderForest {
    ConnectRecorder* recorder = nullptr;

    ObservedForest(const cuda::BorderForest& forest, ConnectRecorder& observer)
        : BorderForest(forest), recorder(&observer) {}

    std::uint32_t exchange(std::uint32_t slot, std::uint32_t expected, std::uint32_t desired) const noexcept {
        const std::uint32_t before = BorderForest::exchange(slot, expected, desired);
        recorder->onRaise(pixels[slot], pixels[desired], pixelOf(before), before == expected);
        return before;
    }
    void onStart(std::uint32_t one, std::uint32_t other) const noexcept {
        recorder->onStart(pixels[one], pixels[other]);
    }
    void beforeStep(std::uint32_t low, std::uint32_t high, std::uint32_t lowParent,
                    std::uint32_t highParent) const noexcept {
        recorder->beforeStep({pixels[low], pixels[high]}, {pixelOf(lowParent), pixelOf(highParent)});
    }
    void onMeeting(std::uint32_t slot) const noexcept { recorder->onMeeting(pixels[slot]); }

private:
    [[nodiscard]] std::uint32_t pixelOf(std::uint32_t slot) const noexcept {
        return slot == kNone ? ConnectRecorder::kNoPixel : pixels[slot];
    }
};

} // namespace pollard::teach
