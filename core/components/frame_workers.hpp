#pragma once

#include "components/objects/object_stream.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pollard {

/// Labels a mask and measures its objects on an image, as Engine::labelComponents().
using LabelMask =
    std::function<Components(const Mask& mask, const Image& grey, const ComponentsSpec& spec, const JobControl&)>;

/// Workers that threshold on the host and pass the mask to @p label. The threads are divided evenly among the frames in
/// flight, at least one each.
/// @param inFlight concurrent frames, at least 1; limited to the number of threads
/// @param threads in total; 0 = all cores
[[nodiscard]] std::vector<std::unique_ptr<FrameWorker>>
makeFrameWorkers(const LabelMask& label, const ComponentsSpec& spec, int inFlight, int threads);

} // namespace pollard
