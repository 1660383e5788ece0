#include "engine/engine.hpp"

#include "base/error.hpp"
#include "components/frame_workers.hpp"
#include "components/objects/object_stream.hpp"
#include "filter/component_labels.hpp"
#include "snake/independent_snakes.hpp"

#include <cstddef>
#include <new>
#include <string>

namespace pollard {

LabelImage Session::labels(const FilterSpec& spec, const JobControl& control) {
    const auto tree = this->tree();
    if (tree == nullptr) {
        throw Error(ErrorCode::invalidArgument, "label components: build a tree first");
    }
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return attribute(id, control); });
    try {
        return labelKept(*tree, spec, columns, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "label components: no memory for " + std::to_string(tree->pixelCount()) + " pixels");
    }
}

std::optional<FilterReport> Session::filterOnDevice(const FilterSpec& /*spec*/, const JobControl& /*control*/) {
    return std::nullopt;
}

void Session::fetchFrame(const DeviceFrame& /*frame*/, Image& /*out*/, const JobControl& /*control*/) {
    throw Error(ErrorCode::invalidArgument, "fetch a picture: it was made by another session");
}

AttributePlane Session::plane(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                              const JobControl& control) {
    const auto columnX = attribute(idX, control);
    const auto columnY = attribute(idY, control);
    return attributePlane(*columnX, specX, *columnY, specY, control);
}

PatternSpectrum Session::spectrum(AttributeId id, const BinSpec& spec, const JobControl& control) {
    const auto area = attribute(AttributeId::area, control);
    const auto column = attribute(id, control);
    return patternSpectrum(*tree(), *area, *column, spec, control);
}

PatternSpectrum2d Session::spectrum2d(AttributeId idX, const BinSpec& specX, AttributeId idY, const BinSpec& specY,
                                      const JobControl& control) {
    const auto area = attribute(AttributeId::area, control);
    const auto columnX = attribute(idX, control);
    const auto columnY = attribute(idY, control);
    return patternSpectrum2d(*tree(), *area, *columnX, specX, *columnY, specY, control);
}

Components Engine::labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                   const JobControl& control) {
    return pollard::labelComponents(mask, grey, spec, control);
}

std::unique_ptr<ObjectStream> Engine::streamObjects(const ComponentsSpec& spec, int inFlight,
                                                    const SessionOptions& options) {
    const auto label = [this](const Mask& mask, const Image& grey, const ComponentsSpec& each,
                              const JobControl& control) { return labelComponents(mask, &grey, each, control); };
    return std::make_unique<ObjectStream>(makeFrameWorkers(label, spec, inFlight, options.threads));
}

SnakeResult Engine::runSnake(const SnakeJob& job, const std::function<bool(const SnakeState&)>& listener,
                             const JobControl& control) {
    return pollard::runSnake(job, listener, control);
}

IndependentSnakesResult
Engine::runIndependentSnakes(const IndependentSnakesJob& job,
                             const std::function<void(std::size_t, const SnakeState&)>& listener,
                             const JobControl& control) {
    return pollard::runIndependentSnakes(job, listener, control);
}

} // namespace pollard
