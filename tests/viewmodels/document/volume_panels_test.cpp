// The panels of the window on a volume: results of all voxels, or of the seen slice where they show images.
#include "vm/contour/contour_series.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/recipe/report.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "vm/tree/rules_view_model.hpp"
#include "vm/tree/tree_export.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/fake_device.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr Extent kExtent{14, 9, 2};

class VolumePanels : public ::testing::TestWithParam<testing::TestEngines> {
protected:
    VolumePanels() { document.setResultPyramidWanted(GetParam() != testing::TestEngines::deviceKeeping); }

    QTemporaryDir directory;
    testing::FakeDeviceState device;
    EngineRegistry registry = testing::registryOf(GetParam(), device);
    DocumentViewModel document{DocumentServices::standard(registry)};
    DisplayViewModel display{document};
    FilterViewModel filter{document};
    ChainViewModel chain{document, filter};
    NodeSelection selection{document};
    Image volume{PixelType::u8, kExtent};

    void SetUp() override {
        testing::Random random(23);
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(20 + random() % 8 * 25);
        }
        for (std::size_t y = 3; y < 7; ++y) { // a component of one slice
            for (std::size_t x = 5; x < 10; ++x) {
                volume.pixels<std::uint8_t>()[y * kExtent.width + x] = 250;
                volume.pixels<std::uint8_t>()[(kExtent.height + y) * kExtent.width + x] = 20;
            }
        }
        writeVoxels(path("volume.nii").toStdString(), volume);
        document.open(path("volume.nii"));
        ASSERT_TRUE(rests());
        ASSERT_TRUE(document.isVolume());
        filter.setCriterion({AttributeId::area, 4, 60});
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] QString path(const char* name) const { return directory.filePath(name); }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() &&
                   document.slice() == static_cast<int>(document.shown().slice) &&
                   (!document.hasResult() || document.result());
        });
    }
    void show(int slice) {
        document.setSlice(slice);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] std::size_t nodes() const { return document.tree()->nodeCount(); }
    /// The filtered voxels.
    [[nodiscard]] Image filtered(Rule rule) const {
        const auto engine = makeCpuEngine();
        const auto session = engine->openSession();
        session->open(std::make_shared<const Image>(sameAsFile()));
        (void)session->buildTree(document.shown().treeSpec);
        FilterSpec spec = filter.spec();
        spec.rule = rule;
        Image out(PixelType::u8, kExtent);
        (void)session->filter(spec, out);
        return out;
    }
    [[nodiscard]] Image sameAsFile() const {
        Image copy(PixelType::u8, kExtent);
        std::ranges::copy(volume.pixels<std::uint8_t>(), copy.pixels<std::uint8_t>().begin());
        return copy;
    }
};

TEST_P(VolumePanels, SpectrumAndPlaneCountTheComponentsOfAllVoxels) {
    SpectrumViewModel spectrum(document, filter);
    AttributePlaneViewModel plane(document, filter, chain);
    spectrum.setActive(true);
    plane.setActive(true);
    plane.setLogarithmic(AttributePlaneViewModel::Side::x, false);
    plane.setLogarithmic(AttributePlaneViewModel::Side::y, false);
    ASSERT_TRUE(
        eventually([&] { return spectrum.spectrum() && plane.counted() && plane.isIdle() && spectrum.isIdle(); }));
    const std::uint64_t mass =
        std::accumulate(volume.pixels<std::uint8_t>().begin(), volume.pixels<std::uint8_t>().end(), std::uint64_t{0}) -
        kExtent.pixelCount() * document.tree()->level[0];
    EXPECT_EQ(spectrum.spectrum()->total, mass) << "of all voxels above the root";
    EXPECT_THAT(plane.summary().toStdString(), ::testing::HasSubstr(std::to_string(nodes())));
}

TEST_P(VolumePanels, BoundsOfVolumesHaveUnits) {
    PixelSize voxel{0.5, 0.5, "mm", "test"};
    voxel.z = 2;
    document.pixelSizes().set(voxel);
    ASSERT_TRUE(rests());
    const std::vector<LengthUnit> units = filter.boundUnits();
    ASSERT_NE(std::ranges::find(units, LengthUnit::millimetre), units.end());
    filter.setBoundUnit(LengthUnit::millimetre);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.unit(), QString::fromUtf8("mm³"));
    EXPECT_EQ(filter.typedMinimum(), 2) << "4 voxels of 0.5 mm³";
    EXPECT_EQ(filter.typedMaximum(), 30);
    EXPECT_EQ(filter.minimum(), 4);
    EXPECT_EQ(filter.problem(), QString());
    EXPECT_EQ(toString(filter.spec().criteria.front()), "2mm3<=area<=30mm3");
    filter.setTypedMinimum(2.5);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.minimum(), 5);
    filter.setAttribute(AttributeId::slicesPx);
    filter.setBoundUnit(LengthUnit::millimetre);
    EXPECT_EQ(filter.unit(), QStringLiteral("mm"));
    filter.setAttribute(AttributeId::mean);
    EXPECT_EQ(filter.boundUnits(), std::vector{LengthUnit::pixel});
}

TEST_P(VolumePanels, RulesAndProfilesShowTheSeenSlice) {
    RulesViewModel rules(document, filter);
    rules.setLook({{0, 0, double{kExtent.width}, double{kExtent.height}},
                   {static_cast<int>(kExtent.width), static_cast<int>(kExtent.height)},
                   [](std::uint16_t level) { return qRgb(1, 2, level); }});
    rules.setActive(true);
    ProfileViewModel profile(document, filter);
    profile.setActive(true);
    for (const int z : {1, 0}) {
        ASSERT_NO_FATAL_FAILURE(show(z));
        ASSERT_TRUE(eventually([&] {
            return rules.isIdle() && rules.state() == RulesViewModel::State::ready && profile.isIdle() &&
                   profile.original();
        }));
        for (std::size_t i = 0; i < kAllRules.size(); ++i) {
            const Image all = filtered(kAllRules[i]);
            const QImage image = rules.image(static_cast<int>(i));
            std::uint64_t changed = 0;
            for (std::size_t p = 0; p < all.pixelCount(); ++p) {
                changed += all.level(p) != volume.level(p) ? 1 : 0;
            }
            EXPECT_EQ(rules.results()[i].changedPixels, changed);
            for (std::uint32_t y = 0; y < kExtent.height; ++y) {
                for (std::uint32_t x = 0; x < kExtent.width; ++x) {
                    const std::size_t place = (static_cast<std::size_t>(z) * kExtent.height + y) * kExtent.width + x;
                    ASSERT_EQ(qBlue(image.pixel(static_cast<int>(x), static_cast<int>(y))), all.level(place))
                        << nameOf(kAllRules[i]) << " slice " << z;
                }
            }
        }
        const Image seen = sliceOf(volume, static_cast<std::uint32_t>(z));
        ASSERT_EQ(profile.original()->pixelCount(), seen.pixelCount()) << "a small image is not shrunk";
        EXPECT_TRUE(std::ranges::equal(profile.original()->pixels<std::uint8_t>(), seen.pixels<std::uint8_t>()));
    }
}

TEST_P(VolumePanels, TheSelectionHasVoxels) {
    selection.select(NodeSet{1, 3}, SetChange::replace);
    ASSERT_TRUE(eventually([&] { return selection.extent() != nullptr; }));
    std::uint64_t voxels = 0;
    for (std::size_t i = 0; i < kExtent.pixelCount(); ++i) {
        const std::uint32_t node = document.tree()->pixelNode[i];
        voxels += document.tree()->contains(1, node) || document.tree()->contains(3, node) ? 1 : 0;
    }
    EXPECT_EQ(selection.extent()->pixels, voxels);
}

TEST_P(VolumePanels, TheComponentHasSlicesAndAttributesOfVolumes) {
    InspectorViewModel inspector(document, chain);
    chain.setWatched(&inspector, true);
    inspector.setActive(true);
    std::set<QString> names;
    for (int group = 0; group < inspector.rowCount(); ++group) {
        const QModelIndex parent = inspector.index(group, 0);
        for (int row = 0; row < inspector.rowCount(parent); ++row) {
            names.insert(inspector.index(row, 0, parent).data().toString());
        }
    }
    EXPECT_TRUE(names.contains("Sphericity"));
    EXPECT_TRUE(names.contains("Volume (voxels)"));
    EXPECT_FALSE(names.contains("Circularity"));
    chain.holdNode(0);
    ASSERT_TRUE(eventually([&] { return inspector.cutout() != nullptr; }));
    EXPECT_EQ(inspector.cutout()->component.pixels, kExtent.pixelCount());
    EXPECT_EQ(inspector.cutout()->component.slices, 2U);
    ASSERT_EQ(inspector.strip().size(), 2U);
    inspector.showSlice(inspector.strip()[0].slice);
    ASSERT_TRUE(rests());
    EXPECT_EQ(document.slice(), 0);
    ASSERT_TRUE(eventually([&] { return inspector.cutout() && inspector.cutout()->slice == 0; }));
    EXPECT_THAT(inspector.summary().toStdString(), ::testing::HasSubstr("slices 1 to 2"));
    document.setVolume(false);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(inspector.strip().empty());
}

TEST_P(VolumePanels, TheIcicleShowsTheTreeOfAllVoxels) {
    IcicleViewModel icicle(document, filter, chain);
    icicle.setActive(true);
    icicle.setSurface({400, 300});
    icicle.setPalette({{1, 2}, {3, 4}, 5, 6});
    ASSERT_TRUE(eventually([&] { return icicle.isIdle() && icicle.frame() != nullptr; }));
    EXPECT_EQ(icicle.frame()->layout->tree, document.tree());
}

TEST_P(VolumePanels, HistogramsAndTheProbe) {
    HistogramViewModel histogram(document, display);
    const auto counted = [&] {
        return std::accumulate(histogram.bins().begin(), histogram.bins().end(), std::uint64_t{0});
    };
    EXPECT_EQ(counted(), kExtent.pixelCount());
    ProbeViewModel probe(document);
    for (const int z : {1, 0}) {
        ASSERT_NO_FATAL_FAILURE(show(z));
        probe.setPosition({5.5, 4.5});
        const std::size_t place = (static_cast<std::size_t>(z) * kExtent.height + 4) * kExtent.width + 5;
        EXPECT_EQ(probe.original(), volume.level(place));
        EXPECT_EQ(probe.node(), document.tree()->pixelNode[place]);
        EXPECT_EQ(probe.filtered(), filtered(Rule::direct).level(place));
    }
    EXPECT_EQ(counted(), kExtent.pixelCount()) << "of all slices";
    display.setViewSize({14, 9});
    histogram.setSource(HistogramViewModel::Source::view);
    for (const int z : {1, 0}) {
        ASSERT_NO_FATAL_FAILURE(show(z));
        const LevelHistogram expected = countLevels(*document.image());
        EXPECT_TRUE(eventually([&] {
            return std::ranges::equal(histogram.bins(), expected.counts,
                                      [](auto one, auto other) { return std::cmp_equal(one, other); });
        })) << "of slice "
            << z;
    }
}

TEST_P(VolumePanels, ACompositeHasTheChannelsOfTheSeenSlice) {
    const auto levelOf = [](int page, std::uint32_t x) { return static_cast<std::uint16_t>(100 * page + 10 * x); };
    PlaneFacts facts;
    facts.scene.axes = {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}};
    writeTiff(path("cells.ome.tif").toStdString(),
              {6,
               [&](int page, const JobControl&) {
                   auto image =
                       testing::makeImage(PixelType::u16, 8, 6, [&](auto x, auto) { return levelOf(page, x); });
                   return Plane{ownedRows(std::move(image)), facts};
               }},
              {.arePages = true});
    document.open(path("cells.ome.tif"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(document.sliceCount(), 3);
    CompositeViewModel& composite = display.composite();
    composite.setOn(true);
    ASSERT_EQ(composite.count(), 2) << "the two channels";
    EXPECT_EQ(composite.sourceRow(), 0);
    const auto showsSlice = [&](int z) {
        const QString expected =
            QStringLiteral("DAPI %1, GFP %2")
                .arg(QLocale().toString(levelOf(2 * z, 3)), QLocale().toString(levelOf(2 * z + 1, 3)));
        return eventually([&] { return composite.isShown() && composite.valuesAt(3, 2) == expected; });
    };
    EXPECT_TRUE(showsSlice(1));
    ASSERT_NO_FATAL_FAILURE(show(2));
    EXPECT_TRUE(showsSlice(2));
    EXPECT_EQ(composite.sourceRow(), 0);
    composite.filterOn(1);
    ASSERT_TRUE(rests());
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(document.slice(), 2) << "stays";
    EXPECT_EQ(document.image()->level(3), levelOf(5, 3));
    EXPECT_EQ(composite.sourceRow(), 1);
    EXPECT_TRUE(showsSlice(2));
}

TEST_P(VolumePanels, FilesHoldAllComponentsAndVoxels) {
    TreeExport tree(document);
    QSignalSpy saved(&tree, &TreeExport::saved);
    int files = 0;
    for (const auto& [file, name] :
         {std::pair{TreeFile::table, "nodes.csv"}, std::pair{TreeFile::array, "nodes.npy"},
          std::pair{TreeFile::parents, "parents.tif"}, std::pair{TreeFile::parentArray, "parents.npy"},
          std::pair{TreeFile::graph, "tree.dot"}}) {
        tree.save(file, path(name));
        ++files;
        ASSERT_TRUE(eventually([&] { return saved.count() == files; })) << name;
    }
    QFile table(path("nodes.csv"));
    ASSERT_TRUE(table.open(QIODevice::ReadOnly));
    const QByteArray lines = table.readAll();
    EXPECT_EQ(static_cast<std::size_t>(lines.count('\n')), nodes() + 1);
    EXPECT_TRUE(lines.startsWith("id,parent,level,canonical_x,canonical_y,canonical_z"));
    QFile parents(path("parents.npy"));
    ASSERT_TRUE(parents.open(QIODevice::ReadOnly));
    const QByteArray array = parents.readAll();
    EXPECT_TRUE(array.contains("(2, 9, 14")) << array.left(128).toStdString();
    const Buffer<std::uint32_t> expected = canonicalParentImage(*document.tree());
    EXPECT_TRUE(array.endsWith(QByteArray::fromRawData(reinterpret_cast<const char*>(expected.data()),
                                                       static_cast<qsizetype>(expected.bytes()))));
    EXPECT_EQ(readImageInfo(path("parents.tif").toStdString()).pages, 2);
    EXPECT_THAT(htmlOf(reportOf(document, "1", "pollard")).toStdString(), ::testing::HasSubstr("14 × 9 × 2"));
}

TEST_P(VolumePanels, ContoursStartFromTheSeenSliceOfAComponent) {
    ContourViewModel contours(document);
    contours.settings().setReach(std::nullopt);
    ContourHistograms histograms(contours);
    contours.setActive(true);
    const auto voxelsIn = [&](std::uint32_t node, std::size_t z) {
        const auto* const first = document.tree()->pixelNode.data() + z * kExtent.slicePixels();
        return std::count_if(first, first + kExtent.slicePixels(),
                             [&](std::uint32_t each) { return document.tree()->contains(node, each); });
    };
    std::uint32_t inFirstOnly = 0;
    for (std::uint32_t node = 1; node < nodes() && inFirstOnly == 0; ++node) {
        inFirstOnly = voxelsIn(node, 0) > 3 && voxelsIn(node, 1) == 0 ? node : 0;
    }
    ASSERT_NE(inFirstOnly, 0U);
    ASSERT_NO_FATAL_FAILURE(show(1));
    contours.startFromComponent(document.tree()->canonical[inFirstOnly]);
    ASSERT_TRUE(eventually([&] { return !contours.isComputing() && !contours.runs().problem().isEmpty(); }));
    EXPECT_THAT(contours.runs().problem().toStdString(), ::testing::HasSubstr("slice"));
    ASSERT_NO_FATAL_FAILURE(show(0));
    contours.startFromComponent(document.tree()->canonical[inFirstOnly]);
    ASSERT_TRUE(eventually([&] { return !contours.isComputing() && contours.runs().currentRun() != nullptr; }))
        << contours.runs().problem().toStdString();
    ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
    const auto& shares = histograms.levels()->outside.shares;
    EXPECT_LE(std::accumulate(shares.begin(), shares.end(), 0.0), 1 + 1e-9) << "of the seen slice alone";
    EXPECT_GT(std::accumulate(shares.begin(), shares.end(), 0.0), 0.9);
    ASSERT_NO_FATAL_FAILURE(show(1));
    EXPECT_EQ(contours.runs().currentRun(), nullptr) << "it is a contour of the other slice";
    ASSERT_NO_FATAL_FAILURE(show(0));
    EXPECT_NE(contours.runs().currentRun(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Engines, VolumePanels, ::testing::ValuesIn(testing::kTestEngines),
                         [](const auto& instance) { return testing::nameOf(instance.param); });

} // namespace
} // namespace pollard::vm
