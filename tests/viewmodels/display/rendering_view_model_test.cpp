// The copies of a volume and its result for the 3D view, and the voxels under the pointer.
#include "vm/display/display_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/write/volume_writer.hpp"
#include "session/session.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <cmath>

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
            return !document.activity().isBusy() && !document.activity().isFiltering() && view.isIdle() &&
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
    EXPECT_EQ(view.camera(), first.along(VolumeAxis::x));
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

TEST_F(Renderings, HaveTheCurveOfAPreset) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_FALSE(view.curveLevels());
    QSignalSpy changes(&view, &RenderingViewModel::lookChanged);
    view.setPreset("mri");
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(view.rendering(), Rendering::shaded);
    std::vector<std::uint8_t> sorted(volume->pixels<std::uint8_t>().begin(), volume->pixels<std::uint8_t>().end());
    std::ranges::sort(sorted);
    const auto valueOf = [&sorted](double percent) {
        const double count = std::ceil(static_cast<double>(sorted.size()) * percent / 100);
        return static_cast<double>(sorted[static_cast<std::size_t>(count) - 1]);
    };
    const std::vector<OpacityPoint> expected{
        {valueOf(50), 0}, {valueOf(75), 0.03}, {valueOf(90), 0.15}, {valueOf(99), 0.45}, {valueOf(99.9), 0.7}};
    ASSERT_LT(expected.front().value, expected.back().value);
    EXPECT_EQ(view.curve().points(), expected);
    const LevelWindow levels{valueOf(50), valueOf(99.9)};
    EXPECT_EQ(view.curveLevels(), levels);
    EXPECT_EQ(view.curveWindow(), (LevelWindow{levels.low - (levels.high - levels.low) / 2, levels.high}));
    view.setRendering(Rendering::maximum);
    EXPECT_FALSE(view.curveLevels()) << "a projection has no opacity";
    EXPECT_EQ(view.preset(), "mri");
    view.setPreset("ctBone");
    EXPECT_EQ(view.preset(), "") << "without Hounsfield units";
    EXPECT_TRUE(view.curve().isEmpty());
    view.setCurve(OpacityCurve({{10, 0}, {20, 1}}));
    EXPECT_EQ(view.preset(), "own");
    view.setPreset("");
    EXPECT_TRUE(view.curve().isEmpty());
}

TEST_F(Renderings, FindTheVoxelThatTheCurveMakesOpaque) {
    ASSERT_NO_FATAL_FAILURE(open({3, 3, 8}));
    for (std::uint32_t z = 0; z < 8; ++z) {
        for (std::size_t i = 0; i < 9; ++i) {
            volume->pixels<std::uint8_t>()[z * 9 + i] = static_cast<std::uint8_t>(z == 5 ? 100 : 200);
        }
    }
    const QString path = directory.filePath(QStringLiteral("layers.nii"));
    writeVoxels(path.toStdString(), *volume);
    document.open(path);
    view.setActive(true);
    ASSERT_TRUE(rests());
    view.lookAlong(VolumeAxis::z);
    view.setRendering(Rendering::shaded);
    view.setCurve(OpacityCurve({{80, 0}, {100, 0.9}, {120, 0}}));
    const auto voxel = view.voxelAt({50, 50}, {100, 100});
    ASSERT_TRUE(voxel);
    EXPECT_EQ(voxel->z, 5U) << "the brighter layers are clear";
}

TEST_F(Renderings, AreRememberedByTheKindOfVolume) {
    QSettings settings(directory.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    RenderingLook look;
    {
        RenderingViewModel first(document, display, &settings);
        ASSERT_NO_FATAL_FAILURE(open());
        first.setPreset("fluorescence");
        first.setShading(false);
        first.setOpacity(0.5);
        look = first.look();
    }
    RenderingViewModel second(document, display, &settings);
    EXPECT_EQ(second.look(), look);
    ASSERT_NO_FATAL_FAILURE(open({14, 9, 5}));
    EXPECT_EQ(second.preset(), "fluorescence") << "of another volume without a unit";
    second.setCurve(OpacityCurve({{10, 0}, {20, 1}}));
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(second.curve().isEmpty()) << "values without a unit mean something else in another file";
    EXPECT_FALSE(second.hasShading());
}

TEST(RenderingLooks, AreReadFromSettings) {
    RenderingLook look;
    look.rendering = Rendering::shaded;
    look.preset = RenderingLook::kOwnCurve;
    look.curve = OpacityCurve({{10, 0.25}, {20.5, 1}});
    look.opacity = 0.5;
    look.hasShading = false;
    EXPECT_EQ(storedLook(QString::fromStdString(toJson(sessionOf(look)))), look);
    EXPECT_EQ(storedLook(R"({"curve":[[10,0.25],[20.5,1]],"opacity":0.5,"preset":"own","rendering":"shaded",)"
                         R"("shading":false})"),
              look)
        << "of an older version";
    EXPECT_EQ(storedLook(R"({"curve":[],"opacity":0.25,"preset":"","rendering":"maximum","shading":true})"),
              RenderingLook());
    for (const char* other : {"", "fog", "[1]", R"({"rendering":"fog","opacity":0.5,"shading":false})",
                              R"({"rendering":"shaded","opacity":0.5,"shading":false,"curve":[1]})"}) {
        EXPECT_EQ(storedLook(other), RenderingLook()) << other;
    }
    look.opacity = 7;
    EXPECT_EQ(lookOf(sessionOf(look)).opacity, 1);
}

TEST(OpacityCurves, AreStraightBetweenTheirPoints) {
    const OpacityCurve curve({{300, 0.8}, {100, 0.2}, {std::nan(""), 1}, {200, 3}});
    const std::vector<OpacityPoint> expected{{100, 0.2}, {200, 1}, {300, 0.8}};
    EXPECT_EQ(curve.points(), expected) << "sorted, limited, finite";
    EXPECT_EQ(curve.at(-1000), 0.2);
    EXPECT_DOUBLE_EQ(curve.at(150), 0.6);
    EXPECT_DOUBLE_EQ(curve.at(250), 0.9);
    EXPECT_EQ(curve.at(1000), 0.8);
    const OpacityCurve::Table table = curve.table();
    EXPECT_FLOAT_EQ(table.front(), 0.2F);
    EXPECT_FLOAT_EQ(table.back(), 0.8F);
    for (std::size_t i = 0; i < table.size(); ++i) {
        EXPECT_NEAR(table[i], curve.at(100 + 200.0 * static_cast<double>(i) / 255), 1e-6);
        if (i > 0 && i <= 127) {
            EXPECT_GT(table[i], table[i - 1]) << "no dip between two ascending points";
        } else if (i > 128) {
            EXPECT_LT(table[i], table[i - 1]);
        }
    }
    EXPECT_TRUE(OpacityCurve({{1, 0.5}}).isEmpty()) << "of one point";
    EXPECT_EQ(OpacityCurve().at(5), 0);
    const OpacityCurve step({{5, 0}, {5, 1}});
    EXPECT_EQ(step.at(4.9), 0);
    EXPECT_EQ(step.at(5), 1);
}

TEST(OpacityCurves, KeepTheOrderOfTheirPoints) {
    const OpacityCurve curve({{0, 0}, {10, 0.5}, {20, 1}});
    EXPECT_EQ(curve.moved(1, {15, 0.25}).points()[1], (OpacityPoint{15, 0.25}));
    EXPECT_EQ(curve.moved(1, {50, 2}).points()[1], (OpacityPoint{20, 1})) << "at most to the next point";
    EXPECT_EQ(curve.moved(0, {-30, -1}).points()[0], (OpacityPoint{-30, 0}));
    EXPECT_EQ(curve.with({5, 0.1}).points()[1], (OpacityPoint{5, 0.1}));
    EXPECT_EQ(curve.without(1).points().size(), 2U);
    EXPECT_EQ(curve.without(1).without(0).points().size(), 2U) << "two points at least";
    OpacityCurve full = curve;
    for (int i = 0; i < 100; ++i) {
        full = full.with({i / 10.0, 0});
    }
    EXPECT_EQ(full.points().size(), OpacityCurve::kMostPoints);
}

TEST(OpacityCurves, ArePresetsInHounsfieldUnitsOrPercentiles) {
    ImageInfo info;
    info.mapping.emplace();
    info.mapping->offset = -1024;
    info.mapping->unit = "HU";
    LevelHistogram histogram;
    histogram.counts.assign(65536, 0);
    histogram.counts[10] = 850;
    histogram.counts[50] = 145;
    histogram.counts[1000] = 5;
    histogram.pixels = 1000;
    const auto idsOf = [](const QList<RenderingPreset>& presets) {
        QStringList ids;
        for (const RenderingPreset& each : presets) {
            ids << each.id;
        }
        return ids;
    };
    const auto ct = renderingPresets(&info, &histogram, info.mapping);
    EXPECT_EQ(idsOf(ct), (QStringList{"ctBone", "ctSoftTissue", "ctLung"}));
    EXPECT_GT(ct[0].curve.at(300), 0) << "bone begins";
    EXPECT_EQ(ct[0].curve.at(60), 0) << "no soft tissue";
    EXPECT_GT(ct[2].curve.at(-700), 0);
    EXPECT_EQ(ct[2].curve.at(0), 0);
    EXPECT_TRUE(ct[0].toolTip.contains("300"));
    info.mapping->unit = "m";
    const auto others = renderingPresets(&info, &histogram, info.mapping);
    EXPECT_EQ(idsOf(others), (QStringList{"mri", "fluorescence"}));
    const std::vector<OpacityPoint> expected{{-1014, 0}, {-974, 0.1}, {-974, 0.35}, {-24, 0.65}, {-24, 0.85}};
    EXPECT_EQ(others[1].curve.points(), expected) << "values at the percentiles 80, 95, 99, 99.7 and 99.9";
    EXPECT_TRUE(renderingPresets(nullptr, &histogram, {}).isEmpty());
    EXPECT_TRUE(renderingPresets(&info, nullptr, {}).isEmpty());
}

} // namespace
} // namespace pollard::vm
