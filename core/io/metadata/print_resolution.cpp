#include "io/metadata/print_resolution.hpp"

#include <cmath>

namespace pollard {

std::optional<PixelSize> pixelSizeOfResolution(double xPerUnit, double yPerUnit, double unitMicrometres,
                                               const std::string& source) {
    constexpr double kInch = 25400;
    const PixelSize size{unitMicrometres / xPerUnit, unitMicrometres / yPerUnit, "µm", source, false};
    const auto usable = [](double v) { return v > 0 && std::isfinite(v); };
    if (!usable(size.x) || !usable(size.y)) {
        return std::nullopt;
    }
    // Files with centimetres or metres round 72 dpi down.
    const auto forPrint = [](double micrometres) {
        const double dots = kInch / micrometres;
        return dots >= 71.9 && dots <= 1200.1;
    };
    PixelSize result = size;
    result.print = forPrint(size.x) && forPrint(size.y);
    return result;
}

} // namespace pollard
