#pragma once

#include "vm/image/open_request.hpp"

#include "io/image_file.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Available memory, bytes; 0 = unknown: then no limit applies.
struct MemoryThere {
    std::uint64_t host = 0;   ///< main memory available to a job
    std::uint64_t device = 0; ///< of the engine's GPU; 0 if the engine has none
};

/// Memory needed for an image of some size, bytes. Upper bounds: the tree of a photograph takes less than half.
/// `least` is a lower bound for all images of the size.
struct MemoryNeed {
    std::uint32_t width = 0;   ///< analysed, px
    std::uint32_t height = 0;  ///< px
    std::uint32_t slices = 1;  ///< of a volume
    std::uint64_t decoded = 0; ///< all samples of the page, as in the file
    std::uint64_t image = 0;   ///< the grey image and the filtered images
    std::uint64_t tree = 0;
    std::uint64_t host = 0;   ///< peak in main memory
    std::uint64_t least = 0;  ///< the same for an image with the fewest components
    std::uint64_t device = 0; ///< peak on the GPU; 0 without one

    bool operator==(const MemoryNeed&) const = default;
};

/// Whether memory is sufficient.
enum class MemoryRoom {
    enough, ///< for every image
    unsure, ///< for some: it depends on the number of components
    tooLittle,
};

/// Whether opening an image needs a confirmation, and the alternatives.
struct MemoryPlan {
    ImageInfo page; ///< at the level of the request
    MemoryThere there;
    bool filteredBefore = false;
    bool inBands = false; ///< a shrunk image is read in bands, not as a whole
    std::uint64_t fileBytes = 0;
    MemoryNeed need;         ///< of the request
    bool overHost = false;   ///< more than half of the available main memory
    bool overDevice = false; ///< more than half of the GPU's memory
    /// A smaller image instead.
    struct Reduction {
        int shrink = 1;
        int level = 0; ///< of ImageInfo::levels
        MemoryNeed need;
        bool fits = false; ///< less than half of the available memory
    };
    std::vector<Reduction> smaller; ///< levels first, then shrinking by 2, 4 and 8, and further until it fits
    /// The engine without a GPU has enough memory.
    bool cpuFits = false;
    std::optional<MemoryNeed> cpuNeed; ///< of the request on that engine; empty without a GPU

    [[nodiscard]] bool mustAsk() const noexcept { return overHost || overDevice; }
    /// Whether the available memory is sufficient for an alternative.
    [[nodiscard]] MemoryRoom roomFor(const MemoryNeed& wanted) const noexcept;
    /// Memory for another part of the same level, with the shrinking of the request.
    [[nodiscard]] MemoryNeed needOfPart(const OpenRequest& request) const;
    /// The largest part around the middle with sufficient memory, at most half of each side; empty if none has.
    [[nodiscard]] std::optional<PixelRegion> middlePart(const OpenRequest& request) const;
    /// The largest reduced version of the whole page that is opened in a fraction of a second: the largest level of at
    /// most kOverviewPixels that fits; without one, the smallest level shrunk to as many pixels, if it has at most
    /// kStreamedPixels and is read in bands. Empty if there is none.
    [[nodiscard]] std::optional<OpenRequest> overview(const OpenRequest& request) const;

    static constexpr std::uint64_t kOverviewPixels = 8'000'000;
    static constexpr std::uint64_t kStreamedPixels = 2'000'000'000; ///< a few seconds of decoding
};

/// Memory for the image of @p request from the page with @p info (of the request's level, whole and not shrunk).
/// @param filteredBefore the result of earlier filters is held in addition to the image
/// @param inBands see MemoryPlan
[[nodiscard]] MemoryNeed memoryNeed(const ImageInfo& info, const OpenRequest& request, bool onDevice,
                                    bool filteredBefore = false, bool inBands = false);

/// @param info of the page at the request's level, from readImageInfo() without region and shrinking
[[nodiscard]] MemoryPlan planMemory(const ImageInfo& info, const OpenRequest& request, std::uint64_t fileBytes,
                                    const MemoryThere& there, bool filteredBefore = false, bool inBands = false);

} // namespace pollard::vm
