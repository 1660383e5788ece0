#include "snake/snake_start.hpp"

#include "base/error.hpp"
#include "snake/contour/contour_starts.hpp"

#include <algorithm>
#include <string>

namespace pollard {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalidArgument, "region snake: " + why); }

} // namespace

SnakeSpec usedSpec(const SnakeSpec& spec, std::uint32_t width, std::uint32_t height) noexcept {
    SnakeSpec used = spec;
    used.maxStep = usedMaxStep(spec, width, height);
    used.minPixels = std::max(spec.minPixels, 1U);
    return used;
}

SnakeRules rulesFor(const SnakeSpec& spec, const RegionSums& all, const PixelRegion& bounds,
                    const TableLog::Entry* table) noexcept {
    const std::int64_t mean = all.levels / std::max(all.pixels, std::int64_t{1});
    const ContourNode corner{static_cast<std::int32_t>(bounds.x), static_cast<std::int32_t>(bounds.y)};
    return {{spec.law, mean, table},
            all,
            0,
            spec.minPixels,
            corner,
            {corner.x + static_cast<std::int32_t>(bounds.width), corner.y + static_cast<std::int32_t>(bounds.height)},
            spec.lengthPrice};
}

void requireSize(const std::string& what, const Mask* mask, const Image& image) {
    if (mask != nullptr && !fits(*mask, image)) {
        refuse(what + " a mask of " + std::to_string(mask->width()) + " x " + std::to_string(mask->height()) +
               " px, the image has " + std::to_string(image.width()) + " x " + std::to_string(image.height()));
    }
}

Contour usedStart(Contour start, const SnakeSpec& spec, const PixelRegion& part) {
    const auto isInPart = [&](ContourNode node) {
        const std::int64_t right = std::int64_t{part.x} + part.width;
        const std::int64_t bottom = std::int64_t{part.y} + part.height;
        return node.x >= std::int64_t{part.x} && node.y >= std::int64_t{part.y} && node.x <= right && node.y <= bottom;
    };
    if (!(spec.lengthPrice >= 0 && spec.lengthPrice <= kMostLengthPrice)) {
        refuse("a price on length of " + std::to_string(spec.lengthPrice) + ", where 0 to 1e9 are possible");
    }
    if (!std::ranges::all_of(start, isInPart)) {
        refuse("the start reaches beyond the image");
    }
    if (start.size() > spec.maxNodes) {
        refuse("a start of " + std::to_string(start.size()) + " corners, where " + std::to_string(spec.maxNodes) +
               " are the most");
    }
    if (!isSimple(start)) {
        refuse("the start is no simple polygon: it has less than 3 corners, or crosses or touches itself");
    }
    if (twiceSignedArea(start) < 0) {
        std::reverse(start.begin() + 1, start.end());
    }
    return start;
}

void requireRoom(const Contour& start, const RegionSums& inside, const RegionSums& outside, const SnakeSpec& spec,
                 const RowCounts* forbidden) {
    if (inside.pixels < spec.minPixels || outside.pixels < spec.minPixels) {
        refuse("the start holds " + std::to_string(inside.pixels) + " px and leaves " + std::to_string(outside.pixels) +
               "; both must have at least " + std::to_string(spec.minPixels));
    }
    if (forbidden != nullptr && forbidden->inside(start) != 0) {
        refuseOverlap();
    }
}

} // namespace pollard
