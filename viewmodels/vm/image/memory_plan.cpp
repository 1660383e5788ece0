#include "vm/image/memory_plan.hpp"

#include "io/reduce.hpp"
#include "io/volumes/read_volume.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

/// Peak of the CPU engine's build per pixel without the image, bytes: 4 for the run, 4 for the node, 32 per node, 32
/// per branch of two pixels, as in cpu::estimateTreeBytes().
constexpr std::uint64_t kHostTreeBytes = 56;
/// The bytes that every pixel needs: run and node.
constexpr std::uint64_t kLeastHostTreeBytes = 8;
/// Result of the CUDA engine per pixel: its node and 14 bytes per node.
constexpr std::uint64_t kHostTreeBytesBesideDevice = 18;
constexpr std::uint64_t kLeastHostTreeBytesBesideDevice = 4;
/// Peak of the CUDA engine per pixel: tables of as many nodes as pixels while they are sorted.
constexpr std::uint64_t kDeviceTreeBytes = 34;
constexpr std::uint64_t kDeviceVolumeBytes = 49; ///< per voxel of a volume, as its session estimates
constexpr std::uint64_t kImagesHeld = 3;         ///< the image, the filtered image and the next one
constexpr std::uint64_t kVolumesHeld = 2;        ///< the volume, and its result while it is saved
constexpr int kWideBits = 16;
constexpr int kUsualShrink = 8;
constexpr int kMostShrink = 4096;
constexpr std::uint64_t kBandBytes = std::uint64_t{1} << 30; ///< of a page that is shrunk in bands, at most

std::uint64_t shrunkSide(std::uint64_t side, int factor) {
    const auto divisor = static_cast<std::uint64_t>(std::max(factor, 1));
    return (side + divisor - 1) / divisor;
}

bool isOver(std::uint64_t need, std::uint64_t there) { return there != 0 && need > there / 2; }

/// Facts of the page at a level.
ImageInfo atLevel(const ImageInfo& info, int level) {
    ImageInfo other = info;
    const auto& size = info.levels[static_cast<std::size_t>(level)];
    other.width = size.width;
    other.height = size.height;
    return other;
}

} // namespace

MemoryNeed memoryNeed(const ImageInfo& info, const OpenRequest& request, bool onDevice, bool filteredBefore,
                      bool inBands) {
    MemoryNeed need;
    const std::uint64_t pagePixels = std::uint64_t{info.width} * info.height;
    const auto samples = static_cast<std::uint64_t>(std::max(info.samples, 1));
    const auto bits = static_cast<std::uint64_t>(std::max(info.bits, 1));
    const bool isVolume = request.slices == Slices::volume;
    const auto slices = isVolume ? static_cast<std::uint64_t>(slicePages(info).count) : 1;
    const std::uint64_t read = request.sliceRange && isVolume ? request.sliceRange->count : slices;
    need.slices = static_cast<std::uint32_t>(isVolume ? shrunkSide(read, request.shrink) : 1);
    need.decoded = static_cast<std::uint64_t>(
        std::ceil(static_cast<double>(pagePixels * slices) * static_cast<double>(samples * bits) / 8.0));

    const std::uint32_t width = request.region ? request.region->width : info.width;
    const std::uint32_t height = request.region ? request.region->height : info.height;
    need.width = static_cast<std::uint32_t>(shrunkSide(width, request.shrink));
    need.height = static_cast<std::uint32_t>(shrunkSide(height, request.shrink));
    const std::uint64_t pixels = std::uint64_t{need.width} * need.height * need.slices;
    const std::uint64_t pixelBytes = info.bits <= 8 && info.sampleFormat != "float" ? 1 : 2;
    // In a volume only the seen slice is filtered until the result is saved.
    need.image = pixels * pixelBytes * ((isVolume ? kVolumesHeld : kImagesHeld) + (filteredBefore ? 1 : 0));
    need.tree = pixels * (onDevice ? kHostTreeBytesBesideDevice : kHostTreeBytes);
    need.device = onDevice ? pixels * ((isVolume ? kDeviceVolumeBytes : kDeviceTreeBytes) + pixelBytes) : 0;

    // During the read the page, or a slice of a volume, is held at its full size; values to be mapped are also held
    // unmapped.
    const bool mapped = info.bits > kWideBits || info.sampleFormat != "unsigned";
    const bool banded = inBands && request.shrink > 1 && !isVolume && pagePixels >= kShrunkInBandsFrom;
    const std::uint64_t reading = banded ? kBandBytes : pagePixels * pixelBytes + (mapped ? need.decoded : 0);
    need.host = std::max(need.image + need.tree, reading);
    const std::uint64_t leastTree = pixels * (onDevice ? kLeastHostTreeBytesBesideDevice : kLeastHostTreeBytes);
    need.least = std::max(need.image + leastTree, reading);
    return need;
}

MemoryPlan planMemory(const ImageInfo& info, const OpenRequest& request, std::uint64_t fileBytes,
                      const MemoryThere& there, bool filteredBefore, bool inBands) {
    const bool onDevice = there.device != 0;
    MemoryPlan plan;
    plan.page = info;
    plan.there = there;
    plan.filteredBefore = filteredBefore;
    plan.inBands = inBands;
    plan.fileBytes = fileBytes;
    plan.need = memoryNeed(info, request, onDevice, filteredBefore, inBands);
    plan.overHost = isOver(plan.need.host, there.host);
    plan.overDevice = isOver(plan.need.device, there.device);
    const auto propose = [&](const ImageInfo& page, const OpenRequest& other) {
        const MemoryNeed need = memoryNeed(page, other, onDevice, filteredBefore, inBands);
        if (other.slices == Slices::volume && need.slices < 2) {
            return;
        }
        plan.smaller.push_back(
            {other.shrink, other.level, need, !isOver(need.host, there.host) && !isOver(need.device, there.device)});
    };
    for (std::size_t i = static_cast<std::size_t>(request.level) + 1; i < info.levels.size(); ++i) {
        OpenRequest other = request;
        other.level = static_cast<int>(i);
        other.region.reset();
        other.shrink = 1;
        propose(atLevel(info, other.level), other);
    }
    const auto fits = [&] { return !plan.smaller.empty() && plan.smaller.back().fits; };
    for (int factor = 2; factor <= kUsualShrink || (inBands && factor <= kMostShrink && !fits()); factor *= 2) {
        OpenRequest other = request;
        other.shrink = request.shrink * factor;
        propose(info, other);
    }
    if (onDevice) {
        plan.cpuNeed = memoryNeed(info, request, false, filteredBefore, inBands);
        plan.cpuFits = plan.overDevice && !isOver(plan.cpuNeed->host, there.host);
    }
    return plan;
}

MemoryRoom MemoryPlan::roomFor(const MemoryNeed& wanted) const noexcept {
    const auto exceeds = [](std::uint64_t bytes, std::uint64_t limit) { return limit != 0 && bytes > limit; };
    if (exceeds(wanted.least, there.host) || exceeds(wanted.device, there.device)) {
        return MemoryRoom::tooLittle;
    }
    return exceeds(wanted.host, there.host) ? MemoryRoom::unsure : MemoryRoom::enough;
}

MemoryNeed MemoryPlan::needOfPart(const OpenRequest& request) const {
    return memoryNeed(page, request, there.device != 0, filteredBefore, inBands);
}

std::optional<PixelRegion> MemoryPlan::middlePart(const OpenRequest& request) const {
    const PixelRegion whole = request.region.value_or(PixelRegion{0, 0, page.width, page.height});
    OpenRequest part = request;
    for (std::uint32_t divisor = 2;; divisor *= 2) {
        const std::uint32_t width = std::max(1U, whole.width / divisor);
        const std::uint32_t height = std::max(1U, whole.height / divisor);
        part.region =
            PixelRegion{whole.x + (whole.width - width) / 2, whole.y + (whole.height - height) / 2, width, height};
        if (roomFor(needOfPart(part)) == MemoryRoom::enough) {
            return part.region;
        }
        if (width == 1 && height == 1) {
            return std::nullopt;
        }
    }
}

std::optional<OpenRequest> MemoryPlan::overview(const OpenRequest& request) const {
    if (need.slices > 1 || request.isReduced()) {
        return std::nullopt;
    }
    const auto pixels = [](const MemoryNeed& of) { return std::uint64_t{of.width} * of.height; };
    OpenRequest reduced = request;
    for (const Reduction& level : smaller) { // the largest first
        if (level.level > 0 && level.fits && pixels(level.need) <= kOverviewPixels) {
            reduced.level = level.level;
            return reduced;
        }
    }
    reduced.level = page.levels.empty() ? 0 : static_cast<int>(page.levels.size()) - 1;
    const ImageInfo smallest = page.levels.empty() ? page : atLevel(page, reduced.level);
    if (!inBands || std::uint64_t{smallest.width} * smallest.height > kStreamedPixels) {
        return std::nullopt;
    }
    for (reduced.shrink = 2; reduced.shrink <= kMostShrink; reduced.shrink *= 2) {
        const MemoryNeed less = memoryNeed(smallest, reduced, there.device != 0, filteredBefore, inBands);
        if (pixels(less) <= kOverviewPixels) {
            return isOver(less.host, there.host) || isOver(less.device, there.device) ? std::nullopt
                                                                                      : std::optional(reduced);
        }
    }
    return std::nullopt;
}

} // namespace pollard::vm
