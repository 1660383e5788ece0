#include "engine/engine_registry.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pollard {

EngineRegistry::EngineRegistry(std::unique_ptr<Engine> last) { add(std::move(last)); }

void EngineRegistry::add(std::unique_ptr<Engine> engine) { engines_.insert(engines_.begin(), std::move(engine)); }

std::vector<Engine*> EngineRegistry::engines() const {
    std::vector<Engine*> all;
    all.reserve(engines_.size());
    for (const auto& engine : engines_) {
        all.push_back(engine.get());
    }
    return all;
}

Engine* EngineRegistry::find(std::string_view name) const noexcept {
    for (const auto& engine : engines_) {
        if (engine->name() == name) {
            return engine.get();
        }
    }
    return nullptr;
}

Engine& EngineRegistry::select(std::string_view name) const {
    if (name == "auto") {
        for (const auto& engine : engines_) {
            if (engine->unusableReason().empty()) {
                return *engine;
            }
        }
    }
    Engine* engine = find(name);
    if (engine == nullptr) {
        std::string known = "auto";
        for (const auto& each : engines_) {
            known += ", " + each->name();
        }
        throw Error(ErrorCode::invalidArgument,
                    "engine '" + std::string(name) + "': unknown (this build has " + known + ")");
    }
    if (const std::string reason = engine->unusableReason(); !reason.empty()) {
        throw Error(ErrorCode::engineUnavailable, "engine '" + std::string(name) + "': " + reason);
    }
    return *engine;
}

std::vector<Engine*> usableEngines(const EngineRegistry& registry) {
    std::vector<Engine*> able = registry.engines();
    std::erase_if(able, [](const Engine* engine) { return !engine->unusableReason().empty(); });
    return able;
}

bool isDeviceTrouble(ErrorCode code) noexcept {
    return code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
}

void requireMemory(const Engine& engine, std::uint64_t bytes, const Extent& image) {
    const std::uint64_t present = engine.memoryBytes();
    if (present != 0 && bytes > present) {
        throw Error(ErrorCode::outOfMemory, "memory: image of " + text(image) + ": its tree needs " + bytesText(bytes) +
                                                ", engine " + engine.name() + " has " + bytesText(present));
    }
}

void onFirstThatWorks(const std::vector<Engine*>& engines, const std::function<void(Engine&)>& job,
                      const FallbackListener& failed) {
    for (std::size_t i = 0; i + 1 < engines.size(); ++i) {
        try {
            job(*engines[i]);
            return;
        } catch (const Error& error) {
            if (!isDeviceTrouble(error.code())) {
                throw;
            }
            if (failed) {
                failed(error, *engines[i + 1]);
            }
        }
    }
    job(*engines.back());
}

FallbackListener noting(std::function<void(const std::string&)> note) {
    if (!note) {
        return {};
    }
    return [note = std::move(note)](const Error& error, const Engine& next) {
        note("engine " + next.name() + " takes over: " + error.what());
    };
}

void FallbackStream::push(StreamFrame frame) {
    frames_.push_back(std::move(frame));
    run([this](Engine& engine) { start(engine); });
}

StreamedObjects FallbackStream::pop(const JobControl& control) {
    StreamedObjects found;
    run([&](Engine& engine) {
        start(engine);
        try {
            found = stream_->pop(control);
        } catch (...) {
            stream_.reset(); // the next engine starts with this frame
            throw;
        }
    });
    frames_.pop_front();
    return found;
}

void FallbackStream::run(const std::function<void(Engine&)>& job) {
    onFirstThatWorks(
        engines_,
        [&](Engine& engine) {
            if (engine_ != &engine) {
                stream_.reset();
                engine_ = &engine;
            }
            job(engine);
        },
        failed_);
    engines_.erase(engines_.begin(), std::ranges::find(engines_, engine_));
}

void FallbackStream::start(Engine& engine) {
    if (!stream_) {
        stream_ = engine.streamObjects(spec_, mostUnderWay_, options_);
    }
    for (std::size_t i = stream_->underWay(); i < frames_.size() && i < stream_->capacity(); ++i) {
        stream_->push(frames_[i]);
    }
}

} // namespace pollard
