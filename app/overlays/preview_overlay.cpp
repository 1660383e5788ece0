#include "overlays/preview_overlay.hpp"

#include "gl/tone.hpp"
#include "overlays/level_colours.hpp"

#include "base/parallel.hpp"
#include "image/image.hpp"
#include "image/volume_plane.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/recipe/operator_preview.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pollard::app {

std::shared_ptr<const vm::PreviewedImage> PreviewOverlay::shown() const {
    return preview_ != nullptr ? preview_->shown() : nullptr;
}

QRegion PreviewOverlay::area(const OverlayScene& scene) const {
    const auto preview = shown();
    return preview && !scene.image.isEmpty() && scene.showsPlaneOf(preview->image->extent()) ? SurfaceImage::area(scene)
                                                                                             : QRegion();
}

void PreviewOverlay::outdate() {
    if (shown()) {
        image_.outdate();
    } else {
        image_.forget(); // the next preview is of another operator
    }
}

void PreviewOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!area(scene).isEmpty()) {
        image_.paintLater(
            painter, scene, [&] { return drawing(scene); }, ready_);
    }
}

SurfaceImage::Fill PreviewOverlay::drawing(const OverlayScene& scene) const {
    const auto preview = shown();
    Tone tone = toneOf(display_, Output::filtered, false);
    tone.difference = Tone::Difference::none;
    if (preview->bright != 0) {
        tone.before = {0, static_cast<double>(preview->bright)};
        tone.evenBefore = nullptr;
        tone.marksBefore = false;
    }
    return [preview, plane = scene.plane, valid = document_.shown().wholeValid(),
            shades = LevelColours(tone, display_.colourMap())](const SurfaceGrid& grid, std::span<QRgb> out) {
        const Image& image = *preview->image;
        std::vector<QRgb> colours(std::size_t{maxLevelOf(image.type())} + 1);
        forEachIndex(colours.size(), {}, [&](std::size_t level) {
            const auto place = static_cast<double>(level);
            colours[level] = shades.shade(place, place, false);
        });
        const PlaneVoxels voxels = voxelsOf(plane, image.extent());
        const std::size_t width = image.width();
        forEachIndex(
            grid.rows.size(), {},
            [&](std::size_t y) {
                QRgb* next = out.data() + y * grid.columns.size();
                for (const std::size_t column : grid.columns) {
                    const std::size_t pixel = voxels.voxelAt(column, grid.rows[y]);
                    const bool hasData = valid == nullptr || valid->test(static_cast<std::uint32_t>(pixel % width),
                                                                         static_cast<std::uint32_t>(pixel / width));
                    *next++ = hasData ? colours[image.level(pixel)] : 0;
                }
            },
            16);
    };
}

} // namespace pollard::app
