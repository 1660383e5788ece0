#pragma once

#include "vm/picture/open_request.hpp"

#include "io/image_file.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::vm {

/// What there is to work with, bytes; 0 = unknown, and then nothing is held against it.
struct MemoryThere {
    std::uint64_t host = 0;   ///< main memory that a job can get
    std::uint64_t device = 0; ///< of the engine's GPU; 0 if the engine has none
};

/// What a picture of some size needs, bytes. Bounds: the tree of a photograph takes less than half of it.
/// `least` holds for every picture of the size.
struct MemoryNeed {
    std::uint32_t width = 0;   ///< px that are analysed
    std::uint32_t height = 0;  ///< px
    std::uint64_t decoded = 0; ///< all samples of the page, as they are in the file
    std::uint64_t picture = 0; ///< the grey image and the filtered pictures
    std::uint64_t tree = 0;
    std::uint64_t host = 0;   ///< the peak in main memory
    std::uint64_t least = 0;  ///< the same for a picture with the fewest components
    std::uint64_t device = 0; ///< the peak on the GPU; 0 without one

    bool operator==(const MemoryNeed&) const = default;
};

/// Whether memory suffices.
enum class MemoryRoom {
    enough, ///< for every picture
    unsure, ///< for some: it depends on the number of components
    tooLittle,
};

/// Whether opening a picture should be asked about first, and what else could be done.
struct MemoryPlan {
    ImageInfo page; ///< at the level of the request
    MemoryThere there;
    bool filteredBefore = false;
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
    std::optional<MemoryNeed> cpuNeed; ///< of the request, on that engine; empty where there is no GPU

    [[nodiscard]] bool mustAsk() const noexcept { return overHost || overDevice; }
    /// Of what else could be done with the memory that is there.
    [[nodiscard]] MemoryRoom roomFor(const MemoryNeed& wanted) const noexcept;
    /// What another part of the same level needs, shrunk as was asked for.
    [[nodiscard]] MemoryNeed needOfPart(const OpenRequest& request) const;
    /// The largest part about the middle for which there is enough room, half of each side at most; nothing if there is
    /// not enough for any.
    [[nodiscard]] std::optional<PixelRegion> middlePart(const OpenRequest& request) const;
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
