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

/// A picture of a sequence, and the levels that make objects of it.
struct StreamFrame {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count, of the image's size; null: all
    std::uint16_t low = 1;
    std::uint16_t high = 0xffff; ///< the last level that counts
};

/// What became of it.
struct StreamedObjects {
    Components components;   ///< with the levels of the picture as grey levels
    double milliseconds = 0; ///< latency: from push() to the results in host memory
};

/// Does the work on frames, one at a time and on one thread.
class FrameWorker {
public:
    FrameWorker() = default;
    virtual ~FrameWorker() = default;
    FrameWorker(const FrameWorker&) = delete;
    FrameWorker& operator=(const FrameWorker&) = delete;

    /// The objects of thresholdMask(), as labelComponents() gives them.
    /// @throws as these; Error(deviceFailed)
    [[nodiscard]] virtual Components find(const StreamFrame& frame, const JobControl& control) = 0;
};

/// Finds the objects of one picture after another, several at a time: each of its workers has a thread of its own, so
/// that copies to and from a device, or work on few threads, of one frame overlap the work on others. Results come in
/// the order of the frames. Used from one thread.
class ObjectStream {
public:
    /// @param workers at least one
    explicit ObjectStream(std::vector<std::unique_ptr<FrameWorker>> workers);
    /// Asks running work to stop, and waits for it.
    ~ObjectStream();
    ObjectStream(const ObjectStream&) = delete;
    ObjectStream& operator=(const ObjectStream&) = delete;

    /// Frames that can be under way.
    [[nodiscard]] std::size_t capacity() const noexcept { return lines_.size(); }
    /// Frames pushed and not popped.
    [[nodiscard]] std::size_t underWay() const noexcept { return pushed_ - popped_; }

    /// Starts on a frame.
    /// @throws Error(invalidArgument) without an image, or if capacity() frames are under way
    void push(StreamFrame frame);
    /// Waits for the oldest frame under way.
    /// @throws what the work threw (the frame is popped then), Error(invalidArgument) if none is under way; Cancelled,
    ///         after which all frames under way end as cancelled
    [[nodiscard]] StreamedObjects pop(const JobControl& control = {});

private:
    class Line;

    std::vector<std::unique_ptr<Line>> lines_;
    std::size_t pushed_ = 0;
    std::size_t popped_ = 0;
};

} // namespace pollard
