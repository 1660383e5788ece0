#include "vm/tree/component_cutout.hpp"

#include <algorithm>
#include <cstddef>

namespace pollard::vm {

namespace {

/// Source places of @p count places in a row, from first to end.
std::vector<std::size_t> placesOf(std::uint32_t first, std::uint32_t end, std::uint32_t count) {
    std::vector<std::size_t> places(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        places[i] = first + (std::uint64_t{2} * i + 1) * (end - first) / (2 * std::uint64_t{count});
    }
    return places;
}

} // namespace

ComponentCutout cutOut(const ComponentTree& tree, const Image& image, std::uint32_t node, const ComponentBox& component,
                       std::uint32_t slice, std::uint32_t longestSide) {
    ComponentCutout cutout;
    cutout.component = component;
    cutout.slice = slice;
    const PixelRegion& box = component.box;
    const std::uint32_t margin = std::max(2U, std::max(box.width, box.height) / 8);
    const std::uint32_t left = box.x - std::min(margin, box.x);
    const std::uint32_t top = box.y - std::min(margin, box.y);
    const std::uint32_t right = std::min(tree.width, box.x + box.width + margin);
    const std::uint32_t bottom = std::min(tree.height, box.y + box.height + margin);
    const double scale = std::min(1.0, static_cast<double>(longestSide) / std::max(right - left, bottom - top));
    const auto shrunk = [scale](std::uint32_t side) { return std::max(1U, static_cast<std::uint32_t>(side * scale)); };
    const auto columns = placesOf(left, right, shrunk(right - left));
    const auto rows = placesOf(top, bottom, shrunk(bottom - top));

    auto levels = std::make_shared<Image>(image.type(), static_cast<std::uint32_t>(columns.size()),
                                          static_cast<std::uint32_t>(rows.size()));
    dispatch(image.type(), [&]<class T>(T) {
        T* pixel = levels->pixels<T>().data();
        const T* const first = image.pixels<T>().data() + slice * image.extent().slicePixels();
        for (const std::size_t row : rows) {
            const T* const line = first + row * image.width();
            pixel = std::ranges::transform(columns, pixel, [line](std::size_t column) { return line[column]; }).out;
        }
    });
    cutout.levels = std::move(levels);
    cutout.marks.resize(columns.size() * rows.size());
    paintComponent({&tree, columns, rows, ComponentCutout::kInside, ComponentCutout::kOutline, slice}, node,
                   cutout.marks);
    return cutout;
}

std::vector<std::uint32_t> slicesOf(const ComponentBox& component, std::uint32_t most) {
    const std::uint32_t count = std::min(component.slices, most);
    std::vector<std::uint32_t> slices(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t steps = std::uint64_t{i} * (component.slices - 1);
        slices[i] = component.front + static_cast<std::uint32_t>(count > 1 ? steps / (count - 1) : 0);
    }
    return slices;
}

} // namespace pollard::vm
