#include "cuda/session/tree_stream.hpp"

#include "base/error.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/session/parent_image.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace pollard::cuda {

namespace {

// One image being uploaded, one being built, one being downloaded.
constexpr std::uint64_t kMaxSlots = 3;
/// Rounding of blocks.
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20U;
// Interval of checks for a stop request; builds react at once.
constexpr std::chrono::milliseconds kLook{5};

std::string describe(const Image& image) { return "stream of " + text(image.extent()) + " images"; }

/// Memory and stream of one image in progress.
class Slot {
public:
    explicit Slot(const Image& like, std::uint64_t workBytes)
        : memory_(DeviceMemory::create()), in_(like.bytes(), "an image of the stream"),
          out_(like.pixelCount(), "a parent image of the stream"), pixels_(memory_, like.bytes(), "the image") {
        // Grows the pool, so that no build waits for driver allocations.
        const DeviceBuffer<std::byte> grown(memory_, workBytes, "the parent image");
    }

    void build(const Image& image, const TreeSpec& spec, const JobControl& control) {
        const std::string operation = describe(image);
        try {
            std::memcpy(in_.data(), image.data(), image.bytes());
            check(cudaMemcpyAsync(pixels_.data(), in_.data(), in_.bytes(), cudaMemcpyHostToDevice, memory_->stream()),
                  operation);
            StageClock clock(memory_->stream());
            const auto parents =
                buildParentImage({pixels_.data(), image.type(), image.width(), image.height(), image.extent().slices},
                                 spec, memory_, clock, control);
            check(cudaMemcpyAsync(out_.data(), parents.data(), out_.bytes(), cudaMemcpyDeviceToHost, memory_->stream()),
                  operation);
            waitFor(*memory_, control, operation);
        } catch (...) {
            if (cudaStreamSynchronize(memory_->stream()) != cudaSuccess) { // pinned memory may be in use
                cudaGetLastError();
            }
            throw;
        }
    }

    [[nodiscard]] std::span<const std::uint32_t> parents() const noexcept { return {out_.data(), out_.size()}; }

private:
    std::shared_ptr<DeviceMemory> memory_;
    PinnedBuffer<std::byte> in_;
    PinnedBuffer<std::uint32_t> out_;
    DeviceBuffer<std::byte> pixels_;
};

std::vector<Slot> makeSlots(const Image& like, const TreeSpec& spec, int count) {
    const std::uint64_t work = estimateParentImageBytes(like.type(), like.extent(), spec) + kSlack;
    const std::uint64_t each = work + blockBytes<std::byte>(like.bytes());
    const std::uint64_t available = DeviceMemory::create()->available();
    if (each > available) {
        throw Error(ErrorCode::outOfMemory, describe(like) + ": " + mebibytes(each) + " of GPU memory needed, " +
                                                mebibytes(available) + " free");
    }
    const std::uint64_t slotCount = std::min({kMaxSlots, available / each, static_cast<std::uint64_t>(count)});
    std::vector<Slot> slots;
    slots.reserve(slotCount);
    for (std::uint64_t i = 0; i < slotCount; ++i) {
        slots.emplace_back(like, work);
    }
    return slots;
}

/// Distributes images over the slots and collects the outcome.
class StreamRun {
public:
    StreamRun(std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
              const ParentImageSink& sink)
        : images_(images), spec_(spec), count_(count), sink_(sink) {}

    void run(std::vector<Slot>& slots, const JobControl& control) {
        running_ = slots.size();
        {
            std::vector<std::jthread> threads;
            threads.reserve(slots.size());
            try {
                for (Slot& slot : slots) {
                    threads.emplace_back([this, &slot] { serve(slot); });
                }
            } catch (...) {
                stop_.request_stop(); // threads end before the slots are destroyed
                throw;
            }
            std::unique_lock lock(mutex_);
            while (!ended_.wait_for(lock, kLook, [this] { return running_ == 0; })) {
                if (control.stopRequested()) {
                    stop_.request_stop();
                }
                control.report(std::min(1.0, static_cast<double>(next_) / count_), "stream");
            }
        }
        if (error_) {
            std::rethrow_exception(error_);
        }
        if (stop_.stop_requested()) {
            throw Cancelled{};
        }
    }

private:
    void serve(Slot& slot) noexcept {
        const JobControl control(stop_.get_token());
        try {
            for (int i = next_++; i < count_ && !control.stopRequested(); i = next_++) {
                slot.build(*images_[static_cast<std::size_t>(i) % images_.size()], spec_, control);
                if (sink_) {
                    sink_(i, slot.parents());
                }
            }
        } catch (const Cancelled&) { // by a stop request
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!error_) {
                error_ = std::current_exception();
            }
            stop_.request_stop();
        }
        const std::lock_guard lock(mutex_);
        --running_;
        ended_.notify_one();
    }

    std::span<const std::shared_ptr<const Image>> images_;
    const TreeSpec& spec_;
    int count_;
    const ParentImageSink& sink_;
    std::atomic<int> next_{0};
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t running_ = 0;
    std::exception_ptr error_;
};

void requireAlike(std::span<const std::shared_ptr<const Image>> images, int count) {
    if (images.empty() || count < 1 || std::ranges::find(images, nullptr) != images.end()) {
        throw Error(ErrorCode::invalidArgument, "stream of trees: there is no image");
    }
    const Image& first = *images.front();
    for (const auto& image : images) {
        if (image->type() != first.type() || image->extent() != first.extent()) {
            throw Error(ErrorCode::invalidArgument, "stream of trees: the images differ in type or size");
        }
    }
}

} // namespace

StreamReport streamParentImages(std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
                                const JobControl& control, const ParentImageSink& sink) {
    requireAlike(images, count);
    control.throwIfStopped();
    TreeSpec used = spec;
    used.connectivity = connectivityIn(images.front()->extent(), spec.connectivity);
    auto slots = makeSlots(*images.front(), used, count);
    const auto start = std::chrono::steady_clock::now();
    StreamRun(images, used, count, sink).run(slots, control);
    StreamReport report;
    report.algorithm = maxTreeOf(used, images.front()->type(), images.front()->extent()).name;
    report.images = count;
    report.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return report;
}

} // namespace pollard::cuda
