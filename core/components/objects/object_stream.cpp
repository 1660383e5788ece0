#include "components/objects/object_stream.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace pollard {

namespace {

// Interval between checks for a stop request of the caller.
constexpr std::chrono::milliseconds kLook{5};

} // namespace

/// A worker, its thread, and its current frame or its result.
class ObjectStream::Line {
public:
    explicit Line(std::unique_ptr<FrameWorker> worker)
        : worker_(std::move(worker)), thread_([this](const std::stop_token& end) { serve(end); }) {}
    ~Line() {
        stop();
        thread_.request_stop();
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    void start(StreamFrame frame) {
        const std::lock_guard lock(mutex_);
        frame_ = std::move(frame);
        timer_ = {};
        done_ = false;
        changed_.notify_all();
    }
    void stop() { stop_.request_stop(); }

    /// @return whether there is a result or an error
    [[nodiscard]] bool waitShortly() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kLook, [this] { return done_; });
    }
    [[nodiscard]] StreamedObjects take() {
        const std::lock_guard lock(mutex_);
        if (error_) {
            std::rethrow_exception(std::exchange(error_, nullptr));
        }
        return std::move(result_);
    }

private:
    void serve(const std::stop_token& end) {
        const JobControl control(stop_.get_token());
        std::unique_lock lock(mutex_);
        while (changed_.wait(lock, end, [this] { return frame_.has_value(); })) {
            const StreamFrame frame = std::move(*frame_);
            frame_.reset();
            lock.unlock();
            StreamedObjects result;
            std::exception_ptr error;
            try {
                control.throwIfStopped();
                result.components = worker_->find(frame, control);
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            timer_.finish("frame");
            result.milliseconds = timer_.totalMilliseconds();
            result_ = std::move(result);
            error_ = error;
            done_ = true;
            changed_.notify_all();
        }
    }

    std::unique_ptr<FrameWorker> worker_;
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<StreamFrame> frame_;
    StageTimer timer_;
    StreamedObjects result_;
    std::exception_ptr error_;
    bool done_ = false;
    std::jthread thread_; // last: joined before other members are destroyed
};

ObjectStream::ObjectStream(std::vector<std::unique_ptr<FrameWorker>> workers) {
    if (workers.empty()) {
        throw Error(ErrorCode::invalidArgument, "stream of objects: there is no worker");
    }
    lines_.reserve(workers.size());
    for (auto& worker : workers) {
        lines_.push_back(std::make_unique<Line>(std::move(worker)));
    }
}

ObjectStream::~ObjectStream() {
    for (const auto& line : lines_) { // stop all before joining any
        line->stop();
    }
}

void ObjectStream::push(StreamFrame frame) {
    if (frame.image == nullptr) {
        throw Error(ErrorCode::invalidArgument, "stream of objects: there is no image");
    }
    if (underWay() == capacity()) {
        throw Error(ErrorCode::invalidArgument,
                    "stream of objects: more than " + std::to_string(capacity()) + " frames at once");
    }
    lines_[pushed_ % lines_.size()]->start(std::move(frame));
    ++pushed_;
}

StreamedObjects ObjectStream::pop(const JobControl& control) {
    if (underWay() == 0) {
        throw Error(ErrorCode::invalidArgument, "stream of objects: no frame is under way");
    }
    Line& line = *lines_[popped_ % lines_.size()];
    while (!line.waitShortly()) {
        if (control.stopRequested()) {
            for (const auto& each : lines_) {
                each->stop();
            }
        }
    }
    ++popped_;
    return line.take();
}

} // namespace pollard
