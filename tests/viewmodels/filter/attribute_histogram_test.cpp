#include "vm/document/document_view_model.hpp"
#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/recipe/chart_tables.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include <cmath>
#include <optional>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::makeImage;
using testing::Random;

/// The real engine with synthetic images.
class AttributeBars : public ::testing::Test {
protected:
    EngineRegistry registry{makeCpuEngine()};
    std::shared_ptr<const Image> image; ///< content of all files
    std::optional<PixelSize> size;      ///< of their pixels
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    AttributeHistogramViewModel histogram{document, filter};

    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.read = [this](const std::filesystem::path&, const ReadOptions&, const JobControl&) {
            LoadedImage loaded{image, nullptr, {}};
            loaded.info.width = image->width();
            loaded.info.height = image->height();
            loaded.info.bits = bitsOf(image->type());
            loaded.info.samples = 1;
            loaded.info.pixelSize = size;
            return loaded;
        };
        return services;
    }
    void open(const QString& name, PixelType type, std::uint32_t width, std::uint32_t height, std::uint32_t levels) {
        Random random(11);
        image = makeImage(type, width, height, [&](auto, auto) { return random() % levels; });
        document.open(name);
        ASSERT_TRUE(eventually([&] { return rests(); })) << document.activity().lastError().toStdString();
    }
    [[nodiscard]] bool rests() const {
        return document.hasImage() && !document.activity().isBusy() && !document.activity().isFiltering() &&
               filter.isAvailable() && !histogram.isCounting();
    }
    void choose(AttributeId id) {
        filter.setAttribute(id);
        ASSERT_TRUE(eventually([&] { return rests(); }));
    }
    /// Every node is in the bar of its value, and bars are adjacent from 0 to 1.
    void expectExact() const {
        const auto column = document.attribute(filter.attribute());
        ASSERT_TRUE(column);
        const bool integral = attributeInfo(filter.attribute()).integral;
        const auto& bars = histogram.bars();
        ASSERT_FALSE(bars.empty());
        EXPECT_EQ(bars.front().start, 0);
        EXPECT_EQ(bars.back().end, 1);
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const auto& bar = bars[i];
            if (i > 0) {
                EXPECT_DOUBLE_EQ(bar.start, bars[i - 1].end);
            }
            std::uint64_t inside = 0;
            for (std::size_t n = 0; n < column->size(); ++n) {
                const double value = column->at(n);
                const bool last = integral || i + 1 == bars.size();
                inside += value >= bar.lowest && (last ? value <= bar.highest : value < bar.highest) ? 1U : 0U;
            }
            EXPECT_EQ(bar.nodes, inside) << bar.lowest << " to " << bar.highest;
            all += bar.nodes;
        }
        EXPECT_EQ(all + histogram.nodesWithoutValue(), column->size());
        EXPECT_EQ(all, histogram.nodes());
    }
};

TEST_F(AttributeBars, AreNoneWithoutAnImage) {
    EXPECT_TRUE(histogram.isEmpty());
    EXPECT_TRUE(histogram.outline().isEmpty());
    EXPECT_EQ(histogram.barAt(0.5), -1);
    EXPECT_EQ(histogram.text(), QString());
    EXPECT_EQ(histogram.height(3), 0);
}

TEST_F(AttributeBars, CountEveryNodeOfAWideAndOfANarrowDomain) {
    ASSERT_NO_FATAL_FAILURE(open("a", PixelType::u16, 70, 50, 4000));
    EXPECT_TRUE(filter.domain().logarithmic);
    expectExact();
    for (const AttributeId id :
         {AttributeId::level, AttributeId::mean, AttributeId::volume, AttributeId::depth, AttributeId::bboxDiagonal}) {
        ASSERT_NO_FATAL_FAILURE(choose(id));
        SCOPED_TRACE(attributeInfo(id).name);
        expectExact();
    }
}

TEST_F(AttributeBars, OfFewWholeNumbersStandOnePerNumber) {
    ASSERT_NO_FATAL_FAILURE(open("a", PixelType::u8, 30, 30, 6));
    ASSERT_NO_FATAL_FAILURE(choose(AttributeId::level));
    ASSERT_EQ(histogram.bars().size(), 6U);
    for (int level = 0; level < 6; ++level) {
        const auto& bar = histogram.bars()[static_cast<std::size_t>(level)];
        EXPECT_EQ(bar.lowest, level);
        EXPECT_EQ(bar.highest, level);
        const double place = filter.domain().positionOf(level);
        EXPECT_LE(bar.start, place);
        EXPECT_GE(bar.end, place);
    }
    filter.setRange(2, 3);
    EXPECT_NEAR(histogram.keptStart(), histogram.bars()[2].start, 1e-12) << "kept bars lie inside as a whole";
    EXPECT_NEAR(histogram.keptEnd(), histogram.bars()[3].end, 1e-12);
}

TEST_F(AttributeBars, FollowAttributeAndTreeAndAreNeverThoseOfAnother) {
    ASSERT_NO_FATAL_FAILURE(open("a", PixelType::u8, 40, 40, 200));
    QSignalSpy changes(&histogram, &AttributeHistogramViewModel::changed);
    const auto nodes = histogram.nodes();
    filter.setMinimum(3);
    EXPECT_EQ(changes.size(), 0) << "a bound counts nothing again";
    filter.setAttribute(AttributeId::level);
    EXPECT_TRUE(histogram.isEmpty());
    ASSERT_TRUE(eventually([&] { return rests(); }));
    EXPECT_EQ(histogram.nodes(), nodes);
    EXPECT_EQ(histogram.bars().back().highest, 199);
    ASSERT_NO_FATAL_FAILURE(open("b", PixelType::u8, 20, 20, 50));
    EXPECT_EQ(histogram.bars().back().highest, 49);
    expectExact();
    document.close();
    EXPECT_TRUE(histogram.isEmpty());
}

TEST_F(AttributeBars, TellTheBarUnderAPlace) {
    ASSERT_NO_FATAL_FAILURE(open("a", PixelType::u16, 60, 60, 65536));
    const auto& bars = histogram.bars();
    for (std::size_t i = 0; i < bars.size(); ++i) {
        EXPECT_EQ(histogram.barAt((bars[i].start + bars[i].end) / 2), static_cast<int>(i));
    }
    EXPECT_EQ(histogram.barAt(1.0), static_cast<int>(bars.size()) - 1);
    EXPECT_EQ(histogram.barAt(-0.1), -1);
    EXPECT_TRUE(histogram.barText(0).startsWith("1 px: "));
    EXPECT_EQ(histogram.barText(bars.size()), QString());
    double highest = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        highest = std::max(highest, histogram.height(i));
    }
    EXPECT_DOUBLE_EQ(highest, 1);
    EXPECT_EQ(histogram.outline().size(), static_cast<qsizetype>(2 * bars.size() + 2));
}

TEST_F(AttributeBars, AreInPixelsWhateverTheUnitOfBounds) {
    size = PixelSize{0.5, 0.5, "µm", "test"};
    ASSERT_NO_FATAL_FAILURE(open("a", PixelType::u8, 40, 40, 40));
    filter.setBoundUnit(LengthUnit::micrometre);
    ASSERT_EQ(filter.unit(), QStringLiteral("µm²"));
    EXPECT_TRUE(histogram.barText(0).startsWith("1 px: ")) << histogram.barText(0).toStdString();
    const DataTable table = tableOf(histogram);
    EXPECT_EQ(table.names, (QStringList{"area from", "area to", "components"}));
    EXPECT_EQ(table.units, (QStringList{"px", "px", ""}));
    EXPECT_EQ(table.rows.front().front(), QStringLiteral("1"));
    choose(AttributeId::level);
    EXPECT_EQ(tableOf(histogram).units.front(), QStringLiteral("grey"));
}

TEST_F(AttributeBars, OfOneValueAreNone) {
    ASSERT_NO_FATAL_FAILURE(open("flat", PixelType::u8, 9, 9, 1));
    EXPECT_TRUE(filter.domain().isSinglePoint());
    EXPECT_TRUE(histogram.isEmpty());
    EXPECT_FALSE(histogram.isCounting());
}

} // namespace
} // namespace pollard::vm
