#include "window_times/timed_engine.hpp"

#include "components/objects/object_stream.hpp"
#include "snake/snake_job.hpp"

#include <utility>

namespace pollard::app {

TimedEngine::TimedEngine(std::unique_ptr<Engine> engine, std::string name)
    : engine_(std::move(engine)), name_(name.empty() ? engine_->name() : std::move(name)) {}

SnakeResult TimedEngine::runSnake(const SnakeJob& job,
                                  const std::function<bool(std::size_t, const SnakeState&)>& listener,
                                  const JobControl& control) {
    SnakeResult result = engine_->runSnake(job, listener, control);
    for (const StageTime& stage : result.stages) {
        if (stage.name == "evolution") {
            const std::scoped_lock lock(mutex_);
            evolutions_.push_back(stage.milliseconds);
        }
    }
    return result;
}

std::unique_ptr<ObjectStream> TimedEngine::streamObjects(const ComponentsSpec& spec, int inFlight,
                                                         const SessionOptions& options) {
    return engine_->streamObjects(spec, inFlight, options);
}

std::vector<double> TimedEngine::takeEvolutions() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(evolutions_, {});
}

} // namespace pollard::app
