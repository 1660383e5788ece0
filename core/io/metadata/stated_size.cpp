#include "io/metadata/stated_size.hpp"

#include "io/metadata/length_units.hpp"

#include <algorithm>
#include <cstddef>

namespace pollard {

namespace {

/// Slice distance of the file converted to another unit; 0 if unknown or not a length.
double sliceDistance(const std::optional<PixelSize>& file, const std::string& unit) {
    if (!file || file->print || !(file->z > 0)) {
        return 0;
    }
    const std::optional<double> from = micrometresOf(file->unit);
    const std::optional<double> to = micrometresOf(unit);
    return from && to ? file->z * (*from / *to) : 0;
}

} // namespace

std::optional<std::string_view> statedUnit(std::string_view text) noexcept {
    constexpr std::string_view kMicro = "µm";
    if (text == "um" || text == "μm") { // Greek letter mu, which looks like the micro sign
        return kMicro;
    }
    const auto found = std::find(kStatedUnits.begin(), kStatedUnits.end(), text);
    return found == kStatedUnits.end() ? std::nullopt : std::optional(*found);
}

bool isStatedSide(double side) noexcept { return side >= kSmallestSide && side <= kLargestSide; }

std::pair<double, double> pixelScale(const ImageInfo& info, int shrink) noexcept {
    const double blocks = std::max(shrink, 1);
    std::pair<double, double> scale{blocks, blocks};
    if (info.level > 0 && static_cast<std::size_t>(info.level) < info.levels.size()) {
        const ResolutionLevel& full = info.levels.front();
        const ResolutionLevel& level = info.levels[static_cast<std::size_t>(info.level)];
        if (level.width > 0 && level.height > 0) {
            scale.first *= static_cast<double>(full.width) / level.width;
            scale.second *= static_cast<double>(full.height) / level.height;
        }
    }
    return scale;
}

void statePixelSize(ImageInfo& info, const PixelSize& size, int shrink, int slices) {
    const auto [x, y] = pixelScale(info, shrink);
    const double distance = size.z > 0 ? size.z * slices : sliceDistance(info.pixelSize, size.unit);
    info.pixelSize = size;
    info.pixelSize->x *= x;
    info.pixelSize->y *= y;
    info.pixelSize->z = distance;
}

} // namespace pollard
