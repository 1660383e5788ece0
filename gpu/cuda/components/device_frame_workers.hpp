#pragma once

#include "components/objects/object_stream.hpp"

#include <memory>
#include <vector>

namespace pollard::cuda {

/// Workers for CudaEngine::streamObjects(). Each has its own stream, pinned chunks and device memory, kept between
/// frames: while the GPU processes one frame, the copies of others run. A frame is copied to pinned memory and to the
/// device, which thresholds, labels and measures it; then the label image, if requested, and exactly as many records as
/// there are objects are copied back. The number of objects is read before the work ends.
/// @param inFlight frames at a time, at most three, which keep both copy engines and the kernels busy
/// @param threads host threads that copy to and from pinned memory, over all workers; 0 = all cores
/// @throws Error(invalidArgument) for an unknown algorithm
[[nodiscard]] std::vector<std::unique_ptr<FrameWorker>> makeDeviceFrameWorkers(const ComponentsSpec& spec, int inFlight,
                                                                               int threads);

} // namespace pollard::cuda
