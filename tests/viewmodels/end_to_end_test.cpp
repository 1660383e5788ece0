#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/processor_time.hpp"
#include "support/random_images.hpp"
#include "support/wait.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cstring>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::makeImage;
using testing::Random;

/// The real readers and CPU engine with a generated file.
class EndToEnd : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};

    [[nodiscard]] QString path(const QString& name) const { return directory.filePath(name); }
    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    void write(const QString& name, const Image& image) { writeTiff(path(name).toStdString(), image); }
    void open(const QString& name) {
        document.open(path(name));
        ASSERT_TRUE(eventually([&] { return idle(); }));
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready)
            << document.activity().lastError().toStdString();
    }
};

/// Soft spots of many sizes and heights on a noisy background.
std::shared_ptr<Image> spots(std::uint32_t width, std::uint32_t height) {
    Random random(7);
    auto image = makeImage(PixelType::u16, width, height, [&](auto, auto) { return 300 + random() % 60; });
    auto pixels = image->pixels<std::uint16_t>();
    for (int i = 0; i < 120; ++i) {
        const int radius = 1 + static_cast<int>(random() % 14);
        const int top = 200 + static_cast<int>(random() % 5000);
        const int cx = static_cast<int>(random() % width);
        const int cy = static_cast<int>(random() % height);
        for (int y = std::max(0, cy - radius); y < std::min<int>(static_cast<int>(height), cy + radius); ++y) {
            for (int x = std::max(0, cx - radius); x < std::min<int>(static_cast<int>(width), cx + radius); ++x) {
                const int d2 = (x - cx) * (x - cx) + (y - cy) * (y - cy);
                if (d2 < radius * radius) {
                    const auto level = static_cast<std::uint16_t>(400 + top * (radius * radius - d2) / radius / radius);
                    auto& pixel = pixels[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
                    pixel = std::max(pixel, level);
                }
            }
        }
    }
    return image;
}

[[nodiscard]] bool same(const Image& a, const Image& b) {
    return a.type() == b.type() && a.width() == b.width() && a.height() == b.height() &&
           std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

TEST_F(EndToEnd, ABurstOf200RandomThresholdsEndsWithTheExactImage) {
    const auto image = spots(400, 300);
    write("spots.tif", *image);
    ASSERT_NO_FATAL_FAILURE(open("spots.tif"));
    ASSERT_TRUE(same(*document.image(), *image));
    EXPECT_EQ(document.shown().treeReport.nodes, document.tree()->nodeCount());

    Random random(11);
    const auto started = document.worker().statistics(Lane::filter).started;
    for (int i = 0; i < 200; ++i) {
        filter.setMinimum(2 + random() % 400);
        if (i % 7 == 0) {
            QCoreApplication::processEvents();
        }
    }
    ASSERT_TRUE(eventually([&] { return idle(); }));
    const auto statistics = document.worker().statistics(Lane::filter);
    EXPECT_LE(statistics.maxInFlight, 2);
    EXPECT_GE(statistics.started, started + 1);
    EXPECT_EQ(document.resultSpec(), filter.spec());

    const auto session = makeCpuEngine()->openSession();
    session->open(image);
    (void)session->buildTree(document.choices().treeSpec());
    Image expected(image->type(), image->width(), image->height());
    const FilterReport report = session->filter(filter.spec(), expected);
    EXPECT_TRUE(same(*document.result(), expected));
    EXPECT_EQ(filter.keptNodes(), report.keptNodes);
    EXPECT_EQ(filter.changedPixels(), report.changedPixels);
    EXPECT_GT(report.changedPixels, 0U);
}

TEST_F(EndToEnd, EveryTreeAndOutputIsWhatTheSessionComputes) {
    const auto image = spots(120, 90);
    write("spots.tif", *image);
    ASSERT_NO_FATAL_FAILURE(open("spots.tif"));
    const auto session = makeCpuEngine()->openSession();
    session->open(image);
    Image expected(image->type(), image->width(), image->height());
    for (const TreeKind kind : {TreeKind::min, TreeKind::max}) {
        document.choices().setTreeKind(kind);
        for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
            for (const AttributeId attribute : {AttributeId::area, AttributeId::level, AttributeId::mean}) {
                filter.setOutput(output);
                filter.setAttribute(attribute);
                ASSERT_TRUE(eventually([&] { return idle() && filter.isAvailable(); }));
                filter.setMinimumPosition(0.3);
                filter.setMaximumPosition(0.8);
                ASSERT_TRUE(eventually([&] { return idle(); }));
                (void)session->buildTree(document.choices().treeSpec());
                (void)session->filter(filter.spec(), expected);
                ASSERT_EQ(filter.spec().criteria.size(), 1U);
                ASSERT_TRUE(same(*document.result(), expected)) << filter.criterionText().toStdString();
            }
        }
    }
}

TEST_F(EndToEnd, WhatIsSavedIsWhatIsShown) {
    write("spots.tif", *spots(64, 48));
    ASSERT_NO_FATAL_FAILURE(open("spots.tif"));
    filter.setMinimum(30);
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveFiltered(path("out ü.tif"));
    ASSERT_TRUE(eventually([&] { return saved.size() == 1; }));
    EXPECT_EQ(document.resultSpec(), filter.spec());
    const LoadedImage back = readImage(QFile::encodeName(path("out ü.tif")).toStdString());
    EXPECT_TRUE(same(*back.image, *document.result()));
}

TEST_F(EndToEnd, SavingWhereNothingCanBeWrittenSaysSo) {
    write("spots.tif", *spots(16, 16));
    ASSERT_NO_FATAL_FAILURE(open("spots.tif"));
    QSignalSpy errors(&document.activity(), &DocumentActivity::errorOccurred);
    document.saving().saveFiltered(path("no/such/folder/out.tif"));
    ASSERT_TRUE(eventually([&] { return errors.size() == 1; }));
    EXPECT_EQ(errors[0][0].toString(), "out.tif was not saved");
}

TEST_F(EndToEnd, WrongFilesLeaveTheDocumentAlone) {
    write("spots.tif", *spots(32, 32));
    ASSERT_NO_FATAL_FAILURE(open("spots.tif"));
    const auto image = document.image();
    QFile empty(path("empty.tif"));
    ASSERT_TRUE(empty.open(QIODevice::WriteOnly));
    QFile text(path("text.tif"));
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write("This is not an image.\n");
    empty.close();
    text.close();
    QSignalSpy errors(&document.activity(), &DocumentActivity::errorOccurred);
    for (const QString& name : {QStringLiteral("missing.tif"), QStringLiteral("."), QStringLiteral("empty.tif"),
                                QStringLiteral("text.tif")}) {
        errors.clear();
        document.open(path(name));
        ASSERT_TRUE(eventually([&] { return idle(); }));
        ASSERT_EQ(errors.size(), 1) << name.toStdString();
        EXPECT_FALSE(errors[0][1].toString().isEmpty());
        EXPECT_FALSE(errors[0][1].toString().contains('\n'));
        EXPECT_EQ(document.image(), image);
        EXPECT_EQ(document.activity().state(), DocumentActivity::State::ready);
    }
}

TEST_F(EndToEnd, TheProbeAgreesWithTheTree) {
    write("spots.tif", *spots(64, 48));
    ASSERT_NO_FATAL_FAILURE(open("spots.tif"));
    ProbeViewModel probe(document);
    const auto area = document.attribute(AttributeId::area);
    ASSERT_TRUE(area);
    for (std::uint32_t y = 0; y < 48; y += 5) {
        for (std::uint32_t x = 0; x < 64; x += 3) {
            probe.setPosition(QPointF(x + 0.5, y + 0.5));
            const std::size_t index = std::size_t{y} * 64 + x;
            ASSERT_EQ(probe.original(), document.image()->level(index));
            ASSERT_EQ(probe.level(), document.image()->level(index)); // the smallest component has the pixel's level
            ASSERT_EQ(probe.node(), document.tree()->pixelNode[index]);
            ASSERT_EQ(probe.area(), static_cast<qint64>(area->at(document.tree()->pixelNode[index])));
        }
    }
}

TEST_F(EndToEnd, CancelStopsALongBuildSoon) {
    Random random(3);
    const auto large = makeImage(PixelType::u16, 3000, 3000, [&](auto, auto) { return random() & 0xffff; });
    writeTiff(path("large.tif").toStdString(), *large, {.compression = TiffCompression::none});
    bool building = false;
    QObject::connect(&document.activity(), &DocumentActivity::progressChanged, &document,
                     [&] { building = building || document.activity().progress() > 0.31; });
    document.open(path("large.tif"));
    ASSERT_TRUE(eventually([&] { return building; }));
    const double asked = testing::processorSeconds();
    document.cancel();
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.activity().state(), DocumentActivity::State::empty);
    // The engine promises 100 ms of each thread; sanitizers slow everything down.
    EXPECT_LT(testing::processorSeconds() - asked, 2);
}

} // namespace
} // namespace pollard::vm
