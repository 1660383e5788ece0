#pragma once

#include "components/objects/object_stream.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pollard {

/// Labels a mask and measures its objects with the levels of an image, as Engine::labelComponents().
using LabelMask =
    std::function<Components(const Mask& mask, const Image& grey, const ComponentsSpec& spec, const JobControl&)>;

/// Workers that find masks on the host and leave the objects to @p label. Frames share the threads: so many frames at a
/// time have as many each as fit, at least one.
/// @param inFlight frames at a time, at least 1; no more than threads
/// @param threads of all of them; 0 = all cores
[[nodiscard]] std::vector<std::unique_ptr<FrameWorker>>
makeFrameWorkers(const LabelMask& label, const ComponentsSpec& spec, int inFlight, int threads);

} // namespace pollard
