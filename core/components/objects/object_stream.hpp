#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {

/// An image of a sequence, and the level range of its objects.
struct StreamFrame {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count, of the image's size; null: all
    std::uint16_t low = 1;
    std::uint16_t high = 0xffff; ///< last level of the range
};

/// Result of a frame.
struct StreamedObjects {
    Components components;   ///< with grey values of the image
    double milliseconds = 0; ///< latency from push() until the results are in host memory
};

/// Processes frames on one thread, one at a time.
class FrameWorker {
public:
    FrameWorker() = default;
    virtual ~FrameWorker() = default;
    FrameWorker(const FrameWorker&) = delete;
    FrameWorker& operator=(const FrameWorker&) = delete;

    /// Objects of thresholdMask(), as found by labelComponents().
    /// @throws as both; Error(deviceFailed)
    [[nodiscard]] virtual Components find(const StreamFrame& frame, const JobControl& control) = 0;
};

/// Finds the objects of a sequence of images, several at a time: each worker has a thread, so that a frame's copies
/// to and from a device, or its work on few threads, overlap with other frames. Results are in the order of the frames.
/// For use from one thread.
class ObjectStream {
public:
    /// @param workers at least one
    explicit ObjectStream(std::vector<std::unique_ptr<FrameWorker>> workers);
    /// Stops running work and waits for it.
    ~ObjectStream();
    ObjectStream(const ObjectStream&) = delete;
    ObjectStream& operator=(const ObjectStream&) = delete;

    /// Largest number of frames in flight.
    [[nodiscard]] std::size_t capacity() const noexcept { return lines_.size(); }
    /// Frames in flight: pushed but not popped.
    [[nodiscard]] std::size_t underWay() const noexcept { return pushed_ - popped_; }

    /// Starts work on a frame.
    /// @throws Error(invalidArgument) without an image, or if capacity() frames are in flight
    void push(StreamFrame frame);
    /// Waits for the oldest frame in flight.
    /// @throws the exception of the work (the frame counts as popped), Error(invalidArgument) if no frame is in flight;
    /// Cancelled, after which all frames in flight end as cancelled
    [[nodiscard]] StreamedObjects pop(const JobControl& control = {});

private:
    class Line;

    std::vector<std::unique_ptr<Line>> lines_;
    std::size_t pushed_ = 0;
    std::size_t popped_ = 0;
};

} // namespace pollard
