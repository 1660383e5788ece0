#pragma once

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "components/objects/object_stream.hpp"
#include "engine/engine.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

/// The engines of a program, the most preferred first. The main functions of window and command line create it with the
/// CPU engine, which is always usable, and add the engines linked in.
class EngineRegistry {
public:
    /// @param last the least preferred engine, which must always be usable
    explicit EngineRegistry(std::unique_ptr<Engine> last);

    /// Adds an engine that is preferred over earlier ones if usable.
    void add(std::unique_ptr<Engine> engine);

    [[nodiscard]] std::vector<Engine*> engines() const;
    [[nodiscard]] Engine* find(std::string_view name) const noexcept;

    /// Engine by name; "auto" is the most preferred usable one.
    /// @throws Error(invalidArgument) for an unknown name, Error(engineUnavailable) with the reason if it cannot run
    [[nodiscard]] Engine& select(std::string_view name) const;

private:
    std::vector<std::unique_ptr<Engine>> engines_;
};

/// The engines that can run here, the most preferred first.
[[nodiscard]] std::vector<Engine*> usableEngines(const EngineRegistry& registry);

/// Whether another engine may succeed after this error: a device failed, is missing or has too little memory.
[[nodiscard]] bool isDeviceTrouble(ErrorCode code) noexcept;

/// @throws Error(outOfMemory) if a tree needs more bytes than the memory of the engine's device
void requireMemory(const Engine& engine, std::uint64_t bytes, const Extent& image);

/// Called when an engine fails, with the error and the engine that runs the job next.
using FallbackListener = std::function<void(const Error& error, const Engine& next)>;

/// Runs @p job on the first of @p engines. If its device fails or has too little memory, continues with the next one.
/// @param failed may be empty
/// @throws the error of the last engine, and immediately any error unrelated to a device
void onFirstThatWorks(const std::vector<Engine*>& engines, const std::function<void(Engine&)>& job,
                      const FallbackListener& failed = {});

/// A listener that passes "engine NAME takes over: REASON" to @p note, unless @p note is empty.
[[nodiscard]] FallbackListener noting(std::function<void(const std::string&)> note);

/// An ObjectStream of the first of several engines that works. If a device fails, the next engine continues with the
/// oldest frame in flight. For use from one thread.
class FallbackStream {
public:
    /// @param mostUnderWay see Engine::streamObjects() @param failed may be empty
    FallbackStream(std::vector<Engine*> engines, ComponentsSpec spec, int mostUnderWay, SessionOptions options,
                   FallbackListener failed = {})
        : engines_(std::move(engines)), spec_(std::move(spec)), mostUnderWay_(mostUnderWay), options_(options),
          failed_(std::move(failed)) {}

    [[nodiscard]] bool isFull() const { return stream_ && stream_->underWay() == stream_->capacity(); }
    [[nodiscard]] bool isEmpty() const noexcept { return frames_.empty(); }
    /// Frames that the stream can hold; to be called after push().
    [[nodiscard]] std::size_t capacity() const { return stream_->capacity(); }
    /// Engine of the last call.
    [[nodiscard]] const Engine& engine() const { return *engine_; }

    /// Like ObjectStream::push() and pop(). @throws exceptions of the last engine
    void push(StreamFrame frame);
    [[nodiscard]] StreamedObjects pop(const JobControl& control);
    /// Runs @p job like onFirstThatWorks(), without the engines that failed before.
    void run(const std::function<void(Engine&)>& job);

private:
    /// Opens a stream of the engine and pushes all frames in flight.
    void start(Engine& engine);

    std::vector<Engine*> engines_;
    ComponentsSpec spec_;
    int mostUnderWay_;
    SessionOptions options_;
    FallbackListener failed_;
    Engine* engine_ = nullptr;
    std::deque<StreamFrame> frames_; ///< in flight
    std::unique_ptr<ObjectStream> stream_;
};

} // namespace pollard
