// A volume in the window, with and without a GPU: slices, the filter, picks, hovering, saving, and the switch between a
// volume and its pages.
#include "vm/document/document_view_model.hpp"
#include "vm/document/stack_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/tree_export.hpp"

#include "core/io/volumes/dicom_files.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "filter/analysis_image.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/run_recipe.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/fake_device.hpp"
#include "viewmodels/support/wait.hpp"
#include "vm/recipe/window_recipe.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr Extent kExtent{13, 11, 6};

/// Few levels, so that components have many shapes.
std::shared_ptr<const Image> randomVolume(const Extent& extent, unsigned seed, PixelType type = PixelType::u8) {
    testing::Random random(seed);
    auto volume = std::make_shared<Image>(type, extent);
    dispatch(type, [&]<class T>(T) {
        for (T& level : volume->pixels<T>()) {
            level = static_cast<T>(random() % 7 * (sizeof(T) == 1 ? 30 : 7000));
        }
    });
    return volume;
}

FilterSpec keeping(const char* criterion, Rule rule = Rule::direct, Output output = Output::filtered) {
    FilterSpec spec;
    spec.criteria = {parseCriterion(criterion)};
    spec.rule = rule;
    spec.output = output;
    return spec;
}

/// The result for all voxels.
Image filtered(const std::shared_ptr<const Image>& volume, const TreeSpec& tree, const FilterSpec& spec) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(volume);
    (void)session->buildTree(tree);
    Image out(volume->type(), volume->extent());
    (void)session->filter(spec, out);
    return out;
}

::testing::AssertionResult areEqual(const Image& a, const Image& b) {
    if (a.type() != b.type() || a.extent() != b.extent()) {
        return ::testing::AssertionFailure() << text(a.extent()) << " and " << text(b.extent());
    }
    for (std::size_t i = 0; i < a.pixelCount(); ++i) {
        if (a.level(i) != b.level(i)) {
            return ::testing::AssertionFailure() << "voxel " << i << ": " << a.level(i) << " and " << b.level(i);
        }
    }
    return ::testing::AssertionSuccess();
}

/// The window's document with the real readers and the CPU engine.
class VolumeDocument : public ::testing::TestWithParam<testing::TestEngines> {
protected:
    QTemporaryDir directory;
    testing::FakeDeviceState device;
    EngineRegistry registry = testing::registryOf(GetParam(), device);
    std::uint64_t freeMemory = std::uint64_t{1} << 40;
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    StackViewModel stack{document};
    std::shared_ptr<const Image> volume = randomVolume(kExtent, 1);

    VolumeDocument() { document.setResultPyramidWanted(GetParam() != testing::TestEngines::deviceKeeping); }

    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.availableMemory = [this] { return freeMemory; };
        return services;
    }
    [[nodiscard]] QString path(const QString& name) const { return directory.filePath(name); }
    void settle() {
        ASSERT_TRUE(eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() &&
                   document.slice() == static_cast<int>(document.shown().slice) &&
                   (!document.hasResult() || document.result());
        }));
    }
    void open(const QString& name = "volume.nii") {
        if (name == "volume.nii") {
            writeVoxels(path(name).toStdString(), *volume);
        }
        document.open(path(name));
        ASSERT_NO_FATAL_FAILURE(settle());
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready)
            << document.activity().lastError().toStdString();
    }
    void show(int slice) {
        document.setSlice(slice);
        ASSERT_NO_FATAL_FAILURE(settle());
        ASSERT_EQ(document.slice(), slice);
    }
};

TEST_P(VolumeDocument, OpensInTheMiddleWithATreeOfAllVoxels) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(document.sliceCount(), 6);
    EXPECT_EQ(document.slice(), 3);
    EXPECT_EQ(document.page(), 3);
    EXPECT_EQ(document.title(), "volume.nii (slice 4 of 6)");
    EXPECT_TRUE(areEqual(*document.image(), sliceOf(*volume, 3)));
    EXPECT_EQ(document.tree()->extent(), kExtent);
    EXPECT_EQ(document.choices().connectivity(), Connectivity::six);
    EXPECT_EQ(document.choices().engineName(), GetParam() == testing::TestEngines::cpu ? "cpu" : "cuda");
    EXPECT_EQ(document.shown().histogram->pixels, kExtent.pixelCount()) << "the levels of all slices";
}

TEST_P(VolumeDocument, ShowsSlicesOfTheFilteredVolume) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        volume = randomVolume(kExtent, 5, type);
        ASSERT_NO_FATAL_FAILURE(open());
        const auto tree = document.tree();
        for (const Rule rule : kAllRules) {
            for (const Output output : kAllOutputs) {
                const FilterSpec spec = keeping("area>=4", rule, output);
                document.requestFilter(spec);
                const Image all = filtered(volume, document.shown().treeSpec, spec);
                for (const int z : {3, 0, 5, 2}) {
                    ASSERT_NO_FATAL_FAILURE(show(z));
                    const auto slice = static_cast<std::uint32_t>(z);
                    ASSERT_TRUE(areEqual(*document.image(), sliceOf(*volume, slice)));
                    ASSERT_TRUE(areEqual(*document.result(), sliceOf(all, slice)))
                        << nameOf(rule) << ' ' << nameOf(output) << " slice " << z;
                    ASSERT_EQ(document.imageInfo()->page, z);
                }
            }
        }
        EXPECT_EQ(document.tree(), tree) << "slices have one tree";
        document.close();
    }
}

TEST_P(VolumeDocument, CountsChangedVoxelsOfAllSlices) {
    ASSERT_NO_FATAL_FAILURE(open());
    for (const char* criterion : {"area>=4", "area<=9", "level>=90", "10<=area<=40"}) {
        for (const Rule rule : kAllRules) {
            const FilterSpec spec = keeping(criterion, rule);
            document.requestFilter(spec);
            ASSERT_NO_FATAL_FAILURE(settle());
            const Image all = filtered(volume, document.shown().treeSpec, spec);
            std::uint64_t changed = 0;
            for (std::size_t i = 0; i < all.pixelCount(); ++i) {
                changed += all.level(i) != volume->level(i) ? 1 : 0;
            }
            EXPECT_EQ(document.shown().frame.report.changedPixels, changed) << criterion << ' ' << nameOf(rule);
        }
    }
}

TEST_P(VolumeDocument, MovesAlongSlicesByTheStack) {
    ASSERT_NO_FATAL_FAILURE(open());
    QSignalSpy images(&document, &DocumentViewModel::imageChanged);
    QSignalSpy trees(&document, &DocumentViewModel::treeChanged);
    QSignalSpy slices(&document, &DocumentViewModel::sliceChanged);
    ASSERT_EQ(stack.axisCount(), 1);
    EXPECT_EQ(stack.axisTitle(0), "Z");
    EXPECT_EQ(stack.size(0), 6);
    EXPECT_EQ(stack.position(0), 3);
    stack.stepPage(1);
    EXPECT_EQ(stack.position(0), 4) << "at once";
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_TRUE(areEqual(*document.image(), sliceOf(*volume, 4)));
    stack.step(0, 9);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.slice(), 5) << "not beyond the last one";
    stack.showFirst();
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.slice(), 0);
    stack.showLast();
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.slice(), 5);
    EXPECT_EQ(images.count() + trees.count(), 0);
    EXPECT_GE(slices.count(), 4);
}

TEST_P(VolumeDocument, ShowsTheLastOfManyRequestedSlices) {
    ASSERT_NO_FATAL_FAILURE(open());
    for (int round = 0; round < 40; ++round) {
        document.setSlice(round % 6);
        document.requestFilter(keeping(round % 2 == 0 ? "area>=3" : "area>=6"));
    }
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.slice(), 39 % 6);
    const Image all = filtered(volume, document.shown().treeSpec, keeping("area>=6"));
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, 3)));
}

TEST_P(VolumeDocument, OpensTheSeriesOfADicomFile) {
    for (int i = 0; i < 5; ++i) {
        QFile file(path(QStringLiteral("IM%1").arg(i)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(pollard::test::dicomSlice(10 - 2 * i, 100 + i).bytes()));
    }
    ASSERT_NO_FATAL_FAILURE(open("IM3"));
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(document.sliceCount(), 5);
    const QString folder = QFileInfo(directory.path()).fileName();
    EXPECT_EQ(document.name(), folder) << "the files of a series have no names of their own";
    EXPECT_EQ(document.title(), folder + " (slice 3 of 5)");
    EXPECT_EQ(document.tree()->extent(), (Extent{4, 3, 5}));
    EXPECT_EQ(document.image()->level(0), 102);
    ASSERT_NO_FATAL_FAILURE(show(4));
    EXPECT_EQ(document.image()->level(0), 100);
    ASSERT_TRUE(document.canBeVolume());
    document.setVolume(false);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_FALSE(document.isVolume());
    EXPECT_EQ(document.title(), folder + " (page 5 of 5)") << "the seen slice stays";
    EXPECT_EQ(document.image()->level(0), 100);
    stack.stepPage(-1);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.image()->level(0), 101);
    ASSERT_TRUE(document.canBeVolume());
    document.setVolume(true);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.slice(), 3);
    EXPECT_EQ(document.tree()->extent(), (Extent{4, 3, 5}));
}

TEST_P(VolumeDocument, BecomesPagesAndAVolumeAgain) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(show(4));
    document.choices().setConnectivity(Connectivity::twentySix);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.tree()->connectivity, Connectivity::twentySix);
    ASSERT_TRUE(document.canBeVolume());
    document.setVolume(false);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_FALSE(document.isVolume());
    EXPECT_EQ(document.page(), 4) << "the seen slice stays";
    EXPECT_EQ(document.title(), "volume.nii (page 5 of 6)");
    EXPECT_EQ(document.tree()->extent(), (Extent{kExtent.width, kExtent.height, 1}));
    EXPECT_EQ(document.tree()->connectivity, Connectivity::eight);
    EXPECT_EQ(document.choices().connectivity(), Connectivity::eight);
    stack.stepPage(-1);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.page(), 3);
    EXPECT_FALSE(document.isVolume());
    document.setVolume(true);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_TRUE(document.isVolume());
    EXPECT_EQ(document.slice(), 3);
    EXPECT_EQ(document.tree()->connectivity, Connectivity::twentySix);
}

TEST_P(VolumeDocument, KeepsItsSliceWhenItIsReadAgain) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(show(5));
    document.reading().setReadRegion(PixelRegion{2, 1, 8, 7});
    ASSERT_NO_FATAL_FAILURE(settle());
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(document.slice(), 5);
    EXPECT_EQ(document.tree()->extent(), (Extent{8, 7, 6}));
    EXPECT_EQ(document.image()->level(0), volume->level((5 * std::size_t{kExtent.height} + 1) * kExtent.width + 2));
}

TEST_P(VolumeDocument, OpensOtherFilesAsPages) {
    const auto image = testing::makeImage(PixelType::u8, 9, 8, [](auto x, auto y) { return x * y; });
    writeTiff(path("picture.tif").toStdString(), *image);
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(open("picture.tif"));
    EXPECT_FALSE(document.isVolume());
    EXPECT_EQ(document.sliceCount(), 1);
    EXPECT_FALSE(document.canBeVolume());
    EXPECT_EQ(document.choices().connectivity(), Connectivity::four);
    EXPECT_EQ(document.tree()->extent().slices, 1U);
    document.setSlice(3);
    EXPECT_EQ(document.slice(), 0);
}

TEST_P(VolumeDocument, OpensAsPagesWhereMemoryIsShort) {
    freeMemory = 8000;
    QSignalSpy notices(&document, &DocumentViewModel::noticeRaised);
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_FALSE(document.isVolume());
    ASSERT_EQ(notices.count(), 1);
    EXPECT_THAT(notices.front().front().toString().toStdString(),
                ::testing::AllOf(::testing::HasSubstr("pages"), ::testing::HasSubstr("memory")));
    EXPECT_TRUE(document.canBeVolume()) << "the user may decide otherwise";
    QSignalSpy questions(&document, &DocumentViewModel::decisionNeeded);
    document.reading().setAskAboutMemory(true);
    document.setVolume(true);
    ASSERT_TRUE(eventually([&] { return questions.count() == 1; }));
    const auto plan = questions.front().at(0).value<MemoryPlan>();
    EXPECT_EQ(plan.need.slices, 6U);
    document.openAnyway(questions.front().at(1).value<OpenRequest>());
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_TRUE(document.isVolume());
}

TEST_P(VolumeDocument, SavesAllVoxels) {
    ASSERT_NO_FATAL_FAILURE(open());
    document.choices().setTreeKind(TreeKind::min);
    const FilterSpec spec = keeping("area>=5");
    document.requestFilter(spec);
    ASSERT_NO_FATAL_FAILURE(show(1));
    const Image all = filtered(volume, document.shown().treeSpec, spec);
    for (const QString name : {"result.tif", "result.nii.gz", "result.nrrd", "result.zarr"}) {
        if (name.endsWith(u"zarr") && !isZarrResult(name.toStdString())) {
            continue; // a build without Zarr
        }
        QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
        document.saving().saveFiltered(path(name));
        ASSERT_TRUE(eventually([&] { return saved.count() == 1; })) << document.activity().lastError().toStdString();
        const LoadedImage read = readVolume(path(name).toStdString());
        EXPECT_TRUE(areEqual(*read.image, all)) << name.toStdString();
    }
    NodeExport nodes(document);
    QSignalSpy written(&nodes, &NodeExport::saved);
    const std::uint32_t node = document.tree()->pixelNode[kExtent.pixelCount() / 2];
    nodes.save(NodeFile::mask, {node}, path("mask.tif"));
    ASSERT_TRUE(eventually([&] { return written.count() == 1; }));
    const LoadedImage mask = readVolume(path("mask.tif").toStdString());
    for (std::size_t i = 0; i < kExtent.pixelCount(); ++i) {
        const bool inside = document.tree()->contains(node, document.tree()->pixelNode[i]);
        ASSERT_EQ(mask.image->level(i), inside ? 255 : 0) << i;
    }
}

TEST_P(VolumeDocument, FollowsThePointerOnTheSeenSlice) {
    ASSERT_NO_FATAL_FAILURE(open());
    ChainViewModel chain(document, filter);
    chain.setActive(true);
    for (const int z : {0, 2, 5}) {
        ASSERT_NO_FATAL_FAILURE(show(z));
        for (int y = 0; y < static_cast<int>(kExtent.height); ++y) {
            const std::size_t row = static_cast<std::size_t>(z) * kExtent.height + static_cast<std::size_t>(y);
            chain.hover(QPointF(4.5, y + 0.5));
            ASSERT_EQ(chain.node(), document.tree()->pixelNode[row * kExtent.width + 4]) << z << ' ' << y;
        }
    }
}

TEST_P(VolumeDocument, PicksComponentsByVoxels) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(show(2));
    filter.picks().setMinimumArea(1);
    const std::size_t voxel = (2 * std::size_t{kExtent.height} + 6) * kExtent.width + 5;
    const std::uint32_t node = document.tree()->pixelNode[voxel];
    ASSERT_NE(node, 0U);
    ASSERT_TRUE(filter.picks().pickAt(QPointF(5.5, 6.5), PicksModel::PickEffect::removed, document.shown()));
    ASSERT_NO_FATAL_FAILURE(settle());
    FilterSpec spec;
    spec.removed = {document.tree()->canonical[node]};
    EXPECT_EQ(document.resultSpec().removed, spec.removed);
    const Image all = filtered(volume, document.shown().treeSpec, spec);
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, 2)));
    ASSERT_NO_FATAL_FAILURE(show(4));
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, 4))) << "picks stay while slices change";
    EXPECT_THAT(filter.picks().data(filter.picks().index(0), Qt::DisplayRole).toString().toStdString(),
                ::testing::HasSubstr("slice"));
}

TEST_P(VolumeDocument, FiltersAfterEarlierFilters) {
    ASSERT_NO_FATAL_FAILURE(open());
    FilterStage stage;
    stage.filter = keeping("area>=3");
    document.choices().setEarlierFilters({stage});
    document.requestFilter(keeping("area<=30"));
    ASSERT_NO_FATAL_FAILURE(show(4));
    const auto first = std::make_shared<const Image>(filtered(volume, document.shown().treeSpec, stage.filter));
    EXPECT_TRUE(areEqual(*document.input(), sliceOf(*first, 4)));
    EXPECT_TRUE(areEqual(*document.shown().analysed(), *first));
    const Image all = filtered(first, document.shown().treeSpec, keeping("area<=30"));
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, 4)));
}

TEST_P(VolumeDocument, AnalysesARegionInEverySlice) {
    ASSERT_NO_FATAL_FAILURE(open());
    auto region = std::make_shared<Mask>(kExtent.width, kExtent.height, false);
    for (std::uint32_t y = 2; y < 9; ++y) {
        region->setRun(3, 11, y, true);
    }
    document.choices().setDomain(region);
    const FilterSpec spec = keeping("area>=4");
    document.requestFilter(spec);
    ASSERT_NO_FATAL_FAILURE(settle());
    const Mask inside = region->repeated(kExtent.slices);
    const auto analysed = analysisImage(volume, &inside, TreeKind::max);
    Image all = filtered(analysed, document.shown().treeSpec, spec);
    restoreOutside(*volume, inside, spec.output, all);
    for (int z = 0; z < static_cast<int>(kExtent.slices); ++z) {
        ASSERT_NO_FATAL_FAILURE(show(z));
        EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, static_cast<std::uint32_t>(z)))) << z;
    }
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveFiltered(path("region.nrrd"));
    ASSERT_TRUE(eventually([&] { return saved.count() == 1; }));
    EXPECT_TRUE(areEqual(*readVolume(path("region.nrrd").toStdString()).image, all));
}

TEST_P(VolumeDocument, ShowsVoxelsWithoutDataAsGaps) {
    std::vector<float> values(kExtent.pixelCount());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 7 == 3 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(volume->level(i));
    }
    QFile file(path("gaps.nrrd"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("NRRD0004\ntype: float\ndimension: 3\nsizes: 13 11 6\nencoding: raw\nendian: little\n\n");
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<qint64>(values.size() * sizeof(float)));
    file.close();
    ASSERT_NO_FATAL_FAILURE(open("gaps.nrrd"));
    ASSERT_TRUE(document.isVolume());
    for (const int z : {3, 0, 5}) {
        ASSERT_NO_FATAL_FAILURE(show(z));
        ASSERT_TRUE(document.shown().valid);
        for (std::uint32_t y = 0; y < kExtent.height; ++y) {
            for (std::uint32_t x = 0; x < kExtent.width; ++x) {
                const std::size_t place = (static_cast<std::size_t>(z) * kExtent.height + y) * kExtent.width + x;
                ASSERT_EQ(document.shown().valid->test(x, y), place % 7 != 3) << x << ' ' << y << ' ' << z;
            }
        }
    }
    const std::uint64_t gaps = (kExtent.pixelCount() + 3) / 7;
    EXPECT_EQ(document.shown().histogram->pixels, kExtent.pixelCount() - gaps);
}

TEST_P(VolumeDocument, IsShrunkInAllDirections) {
    volume = randomVolume({12, 10, 8}, 4);
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(show(6));
    document.reading().setShrink(2);
    ASSERT_NO_FATAL_FAILURE(settle());
    ASSERT_TRUE(document.isVolume()) << document.activity().lastError().toStdString();
    EXPECT_EQ(document.tree()->extent(), (Extent{6, 5, 4}));
    EXPECT_EQ(document.slice(), 3) << "with the seen slice";
    EXPECT_EQ(document.page(), 6);
    ReadOptions options;
    options.shrink = 2;
    const LoadedImage read = readVolume(path("volume.nii").toStdString(), options);
    EXPECT_TRUE(areEqual(*document.image(), sliceOf(*read.image, 3)));
    ASSERT_NO_FATAL_FAILURE(show(1));
    EXPECT_EQ(document.page(), 2);
    document.reading().setShrink(1);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(document.slice(), 2);
}

TEST_P(VolumeDocument, LeavesOutCriteriaThatVolumesDoNotHave) {
    ASSERT_NO_FATAL_FAILURE(open());
    filter.setSpec(keeping("holes>=1"));
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_THAT(filter.problem().toStdString(), ::testing::HasSubstr("not measured in volumes"));
    EXPECT_TRUE(areEqual(*document.result(), *document.image()));
    EXPECT_EQ(document.activity().lastError(), QString());
    filter.setSpec(keeping("slices_px>=3"));
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_EQ(filter.problem(), QString());
    const Image all = filtered(volume, document.shown().treeSpec, keeping("slices_px>=3"));
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, 3)));
    document.setVolume(false);
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_THAT(filter.problem().toStdString(), ::testing::HasSubstr("measured in volumes only"));
    EXPECT_TRUE(areEqual(*document.result(), *document.image()));
}

TEST_P(VolumeDocument, CanBeCancelledWhileItIsRead) {
    volume = randomVolume({64, 64, 40}, 3, PixelType::u16);
    writeVoxels(path("large.nii").toStdString(), *volume);
    document.open(path("large.nii"));
    document.cancel();
    ASSERT_NO_FATAL_FAILURE(settle());
    EXPECT_FALSE(document.hasImage());
    ASSERT_NO_FATAL_FAILURE(open("large.nii"));
    EXPECT_TRUE(document.isVolume());
}

INSTANTIATE_TEST_SUITE_P(Engines, VolumeDocument, ::testing::ValuesIn(testing::kTestEngines),
                         [](const auto& instance) { return testing::nameOf(instance.param); });

} // namespace
} // namespace pollard::vm
