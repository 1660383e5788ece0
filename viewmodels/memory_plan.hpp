#pragma once

#include "open_request.hpp"

#include "io/image_file.hpp"

#include <cstdint>
#include <vector>

namespace pollard::vm {

/// What there is to work with, bytes; 0 = unknown, and then nothing is held against it.
struct MemoryThere {
    std::uint64_t host = 0;   ///< main memory that a job can get
    std::uint64_t device = 0; ///< of the engine's GPU; 0 if the engine has none
};

/// What a picture of some size needs, bytes. Bounds: the tree of a photograph takes less than half of it.
struct MemoryNeed {
    std::uint32_t width = 0;   ///< px that are analysed
    std::uint32_t height = 0;  ///< px
    std::uint64_t decoded = 0; ///< all samples of the page, as they are in the file
    std::uint64_t picture = 0; ///< the grey image and the filtered pictures
    std::uint64_t tree = 0;
    std::uint64_t host = 0;   ///< the peak in main memory
    std::uint64_t device = 0; ///< the peak on the GPU; 0 without one

    bool operator==(const MemoryNeed&) const = default;
};

/// Whether opening a picture should be asked about first, and what else could be done.
struct MemoryPlan {
    MemoryThere there;
    std::uint64_t fileBytes = 0;
    MemoryNeed need;         ///< of what was asked for
    bool overHost = false;   ///< more than half of the main memory that is there
    bool overDevice = false; ///< more than half of the GPU's memory
    /// A smaller picture instead.
    struct Smaller {
        int shrink = 1;
        int level = 0; ///< of ImageInfo::levels
        MemoryNeed need;
        bool fits = false; ///< less than half of what is there
    };
    std::vector<Smaller> smaller; ///< levels first, then shrinking by 2, 4 and 8
    /// The engine without a GPU would do.
    bool cpuFits = false;

    [[nodiscard]] bool mustAsk() const noexcept { return overHost || overDevice; }
};

/// Memory for a picture that @p request makes of the page that @p info describes (of the request's level, whole and
/// not shrunk).
/// @param filteredBefore what earlier filters leave is held beside the picture
[[nodiscard]] MemoryNeed memoryNeed(const ImageInfo& info, const OpenRequest& request, bool onDevice,
                                    bool filteredBefore = false);

/// @param info of the page at the request's level, as readImageInfo() gives it without region and shrinking
[[nodiscard]] MemoryPlan planMemory(const ImageInfo& info, const OpenRequest& request, std::uint64_t fileBytes,
                                    const MemoryThere& there, bool filteredBefore = false);

} // namespace pollard::vm
