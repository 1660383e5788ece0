#pragma once

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <vector>

namespace pollard::testing {

/// A bright disc.
struct Disc {
    double x = 0;
    double y = 0;
    double radius = 0;
};
inline std::shared_ptr<Image> discs(std::uint32_t width, std::uint32_t height, const std::vector<Disc>& all,
                                    std::uint32_t seed = 1) {
    Random random(seed);
    return makeImage(PixelType::u8, width, height, [&](auto x, auto y) -> std::uint32_t {
        std::uint32_t level = 70;
        for (const Disc& disc : all) {
            const double dx = x + 0.5 - disc.x;
            const double dy = y + 0.5 - disc.y;
            level = dx * dx + dy * dy < disc.radius * disc.radius ? 130 : level;
        }
        return level + random() % 50;
    });
}

/// A square with sides of 2 * @p half px.
inline Contour squareAround(std::int32_t x, std::int32_t y, std::int32_t half) {
    return {{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}};
}

/// Contours on a document opened by a test; all share the whole image.
class OpenContours : public ::testing::Test {
protected:
    OpenContours() { contours.settings().setReach(std::nullopt); }

    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    vm::DocumentViewModel document{vm::DocumentServices::standard(registry)};
    vm::ContourViewModel contours{document};

    [[nodiscard]] QString pathOf(const char* name) const { return directory.filePath(QLatin1String(name)); }
    void open(const QString& path, int page = 0) {
        document.open(path, page);
        ASSERT_TRUE(eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.hasImage();
        }));
        contours.setActive(true);
    }
    void open(const Image& image) {
        writeTiff(pathOf("p.tif").toStdString(), image, {.compression = TiffCompression::none});
        open(pathOf("p.tif"));
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !contours.isComputing() && !contours.playback().isPlaying() && !contours.follow().isRunning() &&
                   !contours.settings().forbidden().isBusy();
        });
    }
    void finish() {
        contours.playback().toEnd();
        ASSERT_TRUE(rests());
        ASSERT_TRUE(contours.runs().isFinished());
    }
};

} // namespace pollard::testing
