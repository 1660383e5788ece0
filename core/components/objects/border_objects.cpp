#include "components/objects/border_objects.hpp"

#include "base/error.hpp"
#include "components/objects/object_list.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kPixelsPerTask = std::size_t{1} << 18U;

} // namespace

std::uint32_t removeBorderObjects(Components& components, const JobControl& control) {
    if (components.labels.size() != std::size_t{components.width} * components.height ||
        components.objects.size() != components.count) {
        throw Error(ErrorCode::invalidArgument,
                    "objects at the border: the components have no label image or no records");
    }
    try {
        std::vector<std::uint32_t> numbers(std::size_t{components.count} + 1, 0); // new label by old label
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < components.count; ++i) {
            const ComponentRecord& object = components.objects[i];
            if (touchesBorder(components, object)) {
                components.foreground -= object.area;
            } else {
                components.objects[kept] = object;
                numbers[i + 1] = ++kept;
            }
        }
        const std::uint32_t removed = components.count - kept;
        components.count = kept;
        components.objects.resize(kept);
        if (removed > 0) {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, components.labels.size(), kPixelsPerTask),
                              [&](const auto& range) {
                                  control.throwIfStopped();
                                  for (std::size_t i = range.begin(); i != range.end(); ++i) {
                                      components.labels[i] = numbers[components.labels[i]];
                                  }
                              });
        }
        return removed;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "objects at the border: no memory for the numbers of " +
                                                std::to_string(components.count) + " objects");
    }
}

} // namespace pollard
