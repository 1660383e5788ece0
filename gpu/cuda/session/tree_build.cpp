#include "cuda/session/tree_build.hpp"

#include "cuda/session/parent_image.hpp"

#include <algorithm>
#include <utility>

namespace pollard::cuda {

namespace {

// Progress of a build when the parent image is complete and numbering starts.
constexpr double kParentsDone = 0.7;

} // namespace

DeviceTree buildDeviceTree(const DeviceImage& image, const TreeSpec& spec, const std::shared_ptr<DeviceMemory>& memory,
                           StageClock& clock, const JobControl& control) {
    if (const auto tree = maxTreeOf(spec, image.type).tree; tree != nullptr) {
        return tree(image, spec, memory, clock, control);
    }
    auto parents = buildParentImage(image, spec, memory, clock, control);
    control.report(kParentsDone, "numbering");
    return numberNodes(image, spec, std::move(parents), memory, clock, control);
}

std::uint64_t estimateDeviceTreeBytes(PixelType type, std::uint32_t width, std::uint32_t height, const TreeSpec& spec) {
    if (const auto treeBytes = maxTreeOf(spec, type).treeBytes; treeBytes != nullptr) {
        return treeBytes(type, width, height, spec);
    }
    return std::max(estimateParentImageBytes(type, width, height, spec), estimateNumberingBytes(width, height));
}

} // namespace pollard::cuda
