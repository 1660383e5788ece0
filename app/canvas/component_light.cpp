#include "canvas/component_light.hpp"

#include <utility>

namespace pollard::app {
namespace {

/// Bytes copied per paint, about a millisecond on a graphics card; the rest follows with the next paints.
constexpr std::uint64_t kUploadsPerPaint = std::uint64_t{8} << 20;
constexpr std::int64_t kUploadMillisecondsPerPaint = 3;

} // namespace

bool ComponentLight::setComponent(std::optional<std::uint32_t> node) { return std::exchange(node_, node) != node; }

void ComponentLight::setSelection(NodeBitsTexture::Bits bits, const Colours& colours) {
    selection_.setBits(std::move(bits));
    selectionColours_ = colours;
}

void ComponentLight::load(const QRectF& seen) {
    if (!numbers_.isPossible()) {
        numbers_.destroy();
        selection_.destroy();
        picture_.destroy();
        return;
    }
    UploadAllowance allowance(kUploadsPerPaint, kUploadMillisecondsPerPaint);
    numbers_.load(seen, allowance);
}

bool ComponentLight::renderSelection(const PicturePart& part) {
    if (!selection_.load()) {
        return !selection_.bits();
    }
    painter_.render(numbers_.layers(), selection_, static_cast<std::uint32_t>(numbers_.tree()->nodeCount()),
                    selectionColours_, part);
    return true;
}

void ComponentLight::render(const PicturePart& part) {
    const auto& tree = numbers_.tree();
    if (!node_ || !tree || *node_ >= tree->nodeCount()) {
        return;
    }
    const QRgb fill = qPremultiply(qRgba(qRed(kColour), qGreen(kColour), qBlue(kColour), kOpacity));
    painter_.render(numbers_.layers(), {*node_, tree->subtreeEnd[*node_]}, {fill, kColour}, part);
}

void ComponentLight::destroy() {
    numbers_.leaveContext();
    selection_.destroy();
    painter_.destroy();
    picture_.destroy();
}

} // namespace pollard::app
