#pragma once

#include "cuda/boruvka/emulated_machine.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/emulation/schedule.hpp"
#include "image/mask.hpp"
#include "player/player.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::teach {

/// Array in the memory of an emulated device. Set to zero, so that traces are reproducible.
template <class T> class PlainBuffer {
public:
    PlainBuffer() = default;
    PlainBuffer(std::size_t count, cuda::emulation::Random&)
        : words_(std::make_unique<std::max_align_t[]>(count * sizeof(T) / sizeof(std::max_align_t) + 1)), size_(count) {
    }
    PlainBuffer(PlainBuffer&& other) noexcept : words_(std::move(other.words_)), size_(std::exchange(other.size_, 0)) {}
    PlainBuffer& operator=(PlainBuffer&& other) noexcept {
        std::swap(words_, other.words_);
        std::swap(size_, other.size_);
        return *this;
    }
    PlainBuffer(const PlainBuffer&) = delete;
    PlainBuffer& operator=(const PlainBuffer&) = delete;
    ~PlainBuffer() = default;

    [[nodiscard]] T* data() noexcept { return static_cast<T*>(static_cast<void*>(words_.get())); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    void reset() noexcept {
        words_.reset();
        size_ = 0;
    }

private:
    std::unique_ptr<std::max_align_t[]> words_;
    std::size_t size_ = 0;
};

/// An emulator whose threads take turns as in a spec: in order, or drawn from the seed.
class TurnsEmulator {
protected:
    explicit TurnsEmulator(const PlayerSpec& spec) : turns_(spec.seed) {
        if (spec.turns != Turns::random) {
            turns_.takeTurnsInOrder();
        }
    }

    cuda::emulation::Emulator turns_;
};

/// Runs the passes of Ha4Build, TmkBuild and StripBuild in the emulator, with an observer for players.
class KernelMachine : private TurnsEmulator, public cuda::emulation::BasicEmulatedMachine<PlainBuffer> {
public:
    explicit KernelMachine(const PlayerSpec& spec)
        : TurnsEmulator(spec), BasicEmulatedMachine<PlainBuffer>(turns_, spec.seed) {}

protected:
    using BasicEmulatedMachine<PlainBuffer>::kStepThreads;
    using Moment = cuda::emulation::Emulator::Moment;

    /// Sets the observer of the next launches; null: none.
    void watch(std::function<void(Moment)> look) { turns_.watch(std::move(look)); }
    /// The running thread's index in its block, and the block.
    [[nodiscard]] std::uint32_t thread() const noexcept { return turns_.thread(); }
    [[nodiscard]] std::uint32_t block() const noexcept { return turns_.block(); }
    [[nodiscard]] void* sharedMemory() const noexcept { return turns_.sharedMemory(); }
};

/// The objects of a small image, as a mask of the emulated device.
class LabMask {
public:
    /// @param kind max: pixels of at least the threshold; min: pixels of at most the threshold
    LabMask(const LabImage& image, const PlayerSpec& spec, TreeKind kind = TreeKind::max);
    LabMask(const LabMask&) = delete;
    LabMask& operator=(const LabMask&) = delete;

    [[nodiscard]] const cuda::DeviceMask& view() const noexcept { return view_; }
    [[nodiscard]] bool isSet(std::uint32_t pixel) const {
        return view_.isSet(pixel % view_.width, pixel / view_.width);
    }
    /// A row as one word, because rows of the lab have at most kLabSide pixels.
    [[nodiscard]] std::uint32_t row(std::uint32_t y) const { return view_.word(0, y); }

private:
    std::vector<std::uint32_t> words_;
    cuda::DeviceMask view_{};
};

} // namespace pollard::teach
