// The copies of a volume and its result for the 3D view, and the voxels under the pointer.
#include "vm/display/display_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr Extent kExtent{13, 11, 6};

class Renderings : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    std::atomic<std::uint64_t> memory = std::uint64_t{1} << 40U; ///< bytes for new jobs
    DocumentViewModel document{services()};
    DisplayViewModel display{document, nullptr};
    FilterViewModel filter{document};
    RenderingViewModel view{document, display};
    std::shared_ptr<Image> volume;

    [[nodiscard]] DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.availableMemory = [this] { return memory.load(); };
        return services;
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && view.rests() &&
                   document.slice() == static_cast<int>(document.shown().slice);
        });
    }
    void open(const Extent& extent = kExtent) {
        testing::Random random(43);
        volume = std::make_shared<Image>(PixelType::u8, extent);
        for (std::uint8_t& level : volume->pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(random() % 7 * 30);
        }
        const QString path = directory.filePath(QStringLiteral("v%1.nii").arg(extent.width));
        writeVoxels(path.toStdString(), *volume);
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(document.isVolume());
    }
    void filterBy(const char* criterion) {
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        document.requestFilter(spec);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] std::shared_ptr<const Image> filtered() const {
        const auto engine = makeCpuEngine();
        const auto session = engine->openSession();
        session->open(volume);
        (void)session->buildTree(document.shown().treeSpec);
        auto out = std::make_shared<Image>(volume->type(), volume->extent());
        (void)session->filter(document.shown().frame.spec, *out);
        return out;
    }
    static void expectEqual(const std::shared_ptr<const Image>& a, const std::shared_ptr<const Image>& b) {
        ASSERT_NE(a, nullptr);
        ASSERT_EQ(a->extent(), b->extent());
        for (std::size_t i = 0; i < a->pixelCount(); ++i) {
            ASSERT_EQ(a->level(i), b->level(i)) << "voxel " << i;
        }
    }
    void expectCopies(const BlockSides& blocks, Extremum extremum = Extremum::largest) {
        const RenderedVolume& copy = view.volume();
        ASSERT_EQ(copy.blocks, blocks);
        ASSERT_NO_FATAL_FAILURE(expectEqual(copy.before, extremaOf(volume, blocks, extremum)));
        ASSERT_NO_FATAL_FAILURE(expectEqual(copy.after, extremaOf(filtered(), blocks, extremum)));
        ASSERT_EQ(copy.tree, document.tree());
        const auto nodes =
            numbersAtExtrema(*volume, {document.tree()->pixelNode.data(), volume->pixelCount()}, blocks, extremum);
        for (std::size_t i = 0; i < copy.before->pixelCount(); ++i) {
            ASSERT_EQ(copy.nodes.get()[i], nodes.data()[i]);
        }
    }
};

TEST_F(Renderings, AreMadeOnlyWhileTheyAreSeen) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(view.isAvailable());
    EXPECT_EQ(view.volume().before, nullptr);
    view.setActive(true);
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(expectCopies({}));
    EXPECT_EQ(view.volume().before, document.shown().volume) << "no copy where none is needed";
    view.setActive(false);
    EXPECT_EQ(view.volume().before, nullptr);
    EXPECT_EQ(view.volume().after, nullptr);
    ASSERT_NO_FATAL_FAILURE(filterBy("area>=4"));
    EXPECT_EQ(view.volume().after, nullptr);
}

TEST_F(Renderings, FollowTheFilterAndTheTree) {
    view.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(expectCopies({}));
    ASSERT_NO_FATAL_FAILURE(filterBy("area>=4"));
    ASSERT_NO_FATAL_FAILURE(expectCopies({}));
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(view.isDarkOpaque());
    ASSERT_NO_FATAL_FAILURE(expectCopies({}, Extremum::smallest));
    const auto before = view.volume().after;
    document.setSlice(1);
    ASSERT_TRUE(rests());
    EXPECT_EQ(view.volume().after, before) << "another slice of the same result";
    ASSERT_NO_FATAL_FAILURE(open({9, 14, 5}));
    ASSERT_NO_FATAL_FAILURE(expectCopies({}, Extremum::smallest));
    document.close();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(view.isAvailable());
    EXPECT_EQ(view.volume().before, nullptr);
}

TEST_F(Renderings, FitTheGraphicsCard) {
    view.setActive(true);
    view.setCapacity({200, 2048});
    ASSERT_NO_FATAL_FAILURE(open());
    const BlockSides blocks = blockSidesFor(kExtent, {}, 200, 2048);
    ASSERT_FALSE(blocks.areVoxels());
    ASSERT_NO_FATAL_FAILURE(expectCopies(blocks));
    ASSERT_NO_FATAL_FAILURE(filterBy("area>=4"));
    ASSERT_NO_FATAL_FAILURE(expectCopies(blocks));
    view.setCapacity({1000, 5});
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(expectCopies({3, 3, 2}));
}

TEST_F(Renderings, ShowTheLastOfManyResults) {
    view.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    for (int area = 1; area < 40; ++area) {
        FilterSpec spec;
        spec.criteria = {parseCriterion("area>=" + std::to_string(area))};
        document.requestFilter(spec);
        if (area % 5 == 0) {
            QCoreApplication::processEvents();
        }
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(view.volume().spec, document.resultSpec());
    ASSERT_NO_FATAL_FAILURE(expectCopies({}));
}

TEST_F(Renderings, FindTheVoxelUnderThePointer) {
    ASSERT_NO_FATAL_FAILURE(open());
    view.setActive(true);
    ASSERT_TRUE(rests());
    view.lookAlong(VolumeAxis::z);
    const QSizeF size(200, 200);
    const auto placeOf = [&](std::uint32_t x, std::uint32_t y) {
        return view.camera().toView({static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, 0}, size);
    };
    for (const Rendering rendering : {Rendering::maximum, Rendering::minimum}) {
        view.setRendering(rendering);
        for (std::uint32_t y = 0; y < kExtent.height; ++y) {
            for (std::uint32_t x = 0; x < kExtent.width; ++x) {
                const auto level = [&](std::uint32_t z) {
                    return volume->level((std::size_t{z} * kExtent.height + y) * kExtent.width + x);
                };
                std::uint32_t best = 0;
                for (std::uint32_t z = 1; z < kExtent.slices; ++z) {
                    const bool isBetter =
                        rendering == Rendering::maximum ? level(z) > level(best) : level(z) < level(best);
                    best = isBetter ? z : best;
                }
                const auto found = view.voxelAt(placeOf(x, y), size);
                ASSERT_TRUE(found);
                ASSERT_EQ(found->x, x);
                ASSERT_EQ(found->y, y);
                ASSERT_EQ(found->z, best) << "the first of the extreme voxels";
                const std::size_t voxel = (std::size_t{best} * kExtent.height + y) * kExtent.width + x;
                ASSERT_EQ(view.nodeAt(placeOf(x, y), size), document.tree()->pixelNode[voxel]);
            }
        }
    }
    EXPECT_FALSE(view.voxelAt({1, 1}, size)) << "beside the volume";
}

TEST_F(Renderings, FindTheFirstOpaqueVoxel) {
    ASSERT_NO_FATAL_FAILURE(open());
    view.setActive(true);
    ASSERT_TRUE(rests());
    view.lookAlong(VolumeAxis::z);
    view.setRendering(Rendering::shaded);
    view.setOpacity(1);
    display.setWindow(0, 100); // 120 and more are opaque, 0 transparent
    const QSizeF size(200, 200);
    int opaque = 0;
    for (std::uint32_t x = 0; x < kExtent.width; ++x) {
        std::uint32_t first = 0;
        double passing = 1;
        for (std::uint32_t z = 0; z < kExtent.slices && passing > 0.5; ++z) {
            first = z;
            passing *=
                1 - std::min(1.0, volume->level((std::size_t{z} * kExtent.height + 3) * kExtent.width + x) / 100.0);
        }
        const auto found = view.voxelAt(view.camera().toView({static_cast<float>(x) + 0.5F, 3.5F, 0}, size), size);
        ASSERT_TRUE(found);
        if (passing < 1e-9) {
            ++opaque;
            EXPECT_EQ(found->z, first);
        }
    }
    EXPECT_GT(opaque, 3);
}

TEST_F(Renderings, TellThatMemoryIsMissing) {
    ASSERT_NO_FATAL_FAILURE(open());
    memory = kExtent.pixelCount() - 1;
    view.setActive(true);
    ASSERT_TRUE(rests());
    EXPECT_EQ(view.problem(), QStringLiteral("filter all slices: 0 MiB of memory needed, 0 MiB free"));
    memory = kExtent.pixelCount();
    ASSERT_NO_FATAL_FAILURE(filterBy("area>=4"));
    EXPECT_EQ(view.problem(), QString());
    ASSERT_NO_FATAL_FAILURE(expectCopies({}));
}

TEST_F(Renderings, LookFromDirections) {
    QSignalSpy moved(&view, &RenderingViewModel::viewChanged);
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(view.camera().extent, kExtent);
    const VolumeCamera first = view.camera();
    view.lookAlong(VolumeAxis::x);
    EXPECT_EQ(view.camera(), first.along(VolumeAxis::x, false));
    view.lookFromTheFront();
    EXPECT_EQ(view.camera(), first);
    view.setCamera(first.turned({40, 3}, {200, 200}));
    const auto direction = view.camera().rotation;
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(rests());
    EXPECT_EQ(view.camera().rotation, direction) << "the same volume";
    moved.clear();
    view.setOpacity(7);
    EXPECT_EQ(view.opacity(), 1);
    view.setOpacity(1);
    EXPECT_EQ(moved.count(), 1);
}

} // namespace
} // namespace pollard::vm
