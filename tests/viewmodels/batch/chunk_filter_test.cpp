// The filter of a shown level or part on the whole page, in the background.
#include "vm/batch/chunk_filter_view_model.hpp"

#include "chunks/chunk_job.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "viewmodels/support/held_engine.hpp"
#include "viewmodels/support/recipe_window.hpp"
#include "viewmodels/support/wait.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include <memory>
#include <random>
#include <string_view>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::Gate;
using ::testing::HasSubstr;
using testing::HeldEngine;

constexpr std::uint32_t kWidth = 1100;
constexpr std::uint32_t kHeight = 700;
constexpr std::uint64_t kLittleMemory = std::uint64_t{64} << 20U; ///< for chunks of 512 px

/// Blocks of 4 x 4 px and noise, so that the levels have components of several sizes.
std::shared_ptr<const Image> makeImage() {
    auto image = std::make_shared<Image>(PixelType::u8, kWidth, kHeight);
    std::mt19937 random(3);
    std::vector<std::uint8_t> blocks((kWidth / 4 + 1) * (kHeight / 4 + 1));
    for (std::uint8_t& block : blocks) {
        block = static_cast<std::uint8_t>(random() % 6 * 40);
    }
    const auto pixels = image->pixels<std::uint8_t>();
    for (std::uint32_t y = 0; y < kHeight; ++y) {
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            pixels[std::size_t{y} * kWidth + x] =
                static_cast<std::uint8_t>(blocks[y / 4 * (kWidth / 4 + 1) + x / 4] + random() % 8);
        }
    }
    return image;
}

class ChunkFilters : public ::testing::Test {
protected:
    QTemporaryDir folder;
    std::shared_ptr<Gate> gate = std::make_shared<Gate>();
    EngineRegistry registry = registryWith(gate);
    std::uint64_t free = kLittleMemory;
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    std::unique_ptr<ChunkFilterViewModel> whole = std::make_unique<ChunkFilterViewModel>(document, filter);
    const std::shared_ptr<const Image> image = makeImage();

    void SetUp() override {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        writeTiff(pathOf("flat.tif").toStdString(), *image);
        ChunkRequest copy; // with reduced versions
        copy.source = pathOf("flat.tif").toStdString();
        copy.target = pathOf("slide.tif").toStdString();
        copy.engines = registry.engines();
        (void)filterImage(copy);
        filter.setCriterion({AttributeId::area, 5});
    }
    void TearDown() override { gate->release(); }

    static EngineRegistry registryWith(const std::shared_ptr<Gate>& gate) {
        EngineRegistry registry{makeCpuEngine()};
        registry.add(std::make_unique<HeldEngine>(gate));
        return registry;
    }
    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.availableMemory = [this] { return free; };
        return services;
    }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString target() const { return pathOf("out.tif"); }
    [[nodiscard]] QStringList files() const {
        return QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }
    [[nodiscard]] bool rests() {
        return eventually([this] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.result() != nullptr;
        });
    }
    [[nodiscard]] bool opens(const OpenRequest& request) {
        document.openAs(request);
        return rests();
    }
    [[nodiscard]] OpenRequest levelOne() const {
        OpenRequest request;
        request.path = pathOf("slide.tif");
        request.level = 1;
        return request;
    }
    [[nodiscard]] std::optional<ChunkFilterPlan> planned() {
        std::optional<ChunkFilterPlan> found;
        const auto connection = QObject::connect(whole.get(), &ChunkFilterViewModel::planned, whole.get(),
                                                 [&](const ChunkFilterPlan& plan) { found = plan; });
        whole->plan();
        EXPECT_TRUE(eventually([&] { return found.has_value(); }));
        QObject::disconnect(connection);
        return found;
    }
    /// Starts, and waits for the first progress of a job that is held at its first tree.
    [[nodiscard]] bool startsAndIsHeld() {
        const auto plan = planned();
        gate->hold();
        QSignalSpy progress(whole.get(), &ChunkFilterViewModel::jobChanged);
        whole->start(plan.value(), target(), false);
        return eventually([&] { return !whole->stage().isEmpty(); }) && whole->isRunning();
    }
    [[nodiscard]] bool ends() {
        gate->release();
        return eventually([this] { return !whole->isRunning(); });
    }
    /// The target has the pixels that the filter gives in memory at full resolution.
    void expectExact(const FilterSpec& spec) const {
        const auto session = registry.select("cpu").openSession({});
        session->open(image);
        session->buildTree(document.choices().treeSpec());
        Image expected(image->type(), kWidth, kHeight);
        (void)session->filter(spec, expected);
        const LoadedImage written = readImage(target().toStdString());
        EXPECT_TRUE(testing::samePixels(*written.image, expected));
        EXPECT_FALSE(testing::samePixels(*written.image, *image)) << "the filter removes something";
        EXPECT_GT(written.info.levels.size(), 1U);
    }
};

TEST_F(ChunkFilters, WritesTheExactResultOfTheWholePage) {
    ASSERT_TRUE(opens(levelOne()));
    ASSERT_EQ(document.image()->width(), kWidth / 2);
    EXPECT_EQ(whole->problem(), QString());
    const auto plan = planned();
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->width, kWidth);
    EXPECT_EQ(plan->height, kHeight);
    EXPECT_EQ(plan->job.memory, kLittleMemory / 4 * 3);
    EXPECT_EQ(plan->criteria, QStringList{"Area >= 20 px (5 px on the shown level)"});
    QSignalSpy written(whole.get(), &ChunkFilterViewModel::written);
    whole->start(*plan, target(), false);
    EXPECT_TRUE(whole->isRunning());
    EXPECT_FALSE(whole->problem().isEmpty()) << "one at a time";
    ASSERT_TRUE(ends());
    EXPECT_EQ(written.size(), 1);
    EXPECT_TRUE(whole->hasResult());
    EXPECT_EQ(files(), (QStringList{"flat.tif", "out.tif", "slide.tif"})) << "and no working folder";
    FilterSpec spec = filter.spec();
    spec.criteria = {{AttributeId::area, 20}};
    expectExact(spec);
    whole->dismissResult();
    EXPECT_FALSE(whole->hasResult());
}

TEST_F(ChunkFilters, AppliesTreeRuleMatchAndOutputOfAPart) {
    OpenRequest part;
    part.path = pathOf("slide.tif");
    part.region = PixelRegion{100, 50, 200, 150};
    document.choices().setTreeKind(TreeKind::min);
    document.choices().setConnectivity(Connectivity::eight);
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 12}, {AttributeId::contrast, 30}};
    spec.match = Match::any;
    spec.rule = Rule::subtractive;
    spec.output = Output::residue;
    filter.setSpec(spec);
    ASSERT_TRUE(opens(part));
    const auto plan = planned();
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->criteria, (QStringList{"Area >= 12 px", "Contrast >= 30"}));
    whole->start(*plan, target(), false);
    ASSERT_TRUE(ends());
    expectExact(spec);
}

TEST_F(ChunkFilters, HaveReasonsWhyTheyCannotRun) {
    const auto why = [this] { return whole->problem().toStdString(); };
    EXPECT_THAT(why(), HasSubstr("No image"));
    OpenRequest all = levelOne();
    all.level = 0;
    ASSERT_TRUE(opens(all));
    EXPECT_THAT(why(), HasSubstr("whole image is open"));
    ASSERT_TRUE(opens(levelOne()));
    ASSERT_EQ(why(), "");
    const FilterSpec plain = filter.spec();
    FilterSpec other = plain;
    other.criteria = {{AttributeId::entropy, 1}};
    filter.setSpec(other);
    EXPECT_THAT(why(), HasSubstr("Entropy"));
    other = plain;
    other.prominent = Prominent{};
    filter.setSpec(other);
    EXPECT_EQ(why(), "");
    other = plain;
    other.removed = {1};
    filter.setSpec(other);
    EXPECT_THAT(why(), HasSubstr("by hand"));
    filter.setSpec({});
    EXPECT_THAT(why(), HasSubstr("every component"));
    other = plain;
    other.criteria = {parseCriterion("area>=4um2")};
    filter.setSpec(other);
    EXPECT_THAT(why(), HasSubstr("every component")) << "the size of a pixel is unknown";
    document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "test"});
    EXPECT_EQ(why(), "");
    filter.setSpec(plain);
    EXPECT_EQ(why(), "");
    document.choices().setDomain(std::make_shared<const Mask>(kWidth / 2, kHeight / 2, true));
    EXPECT_THAT(why(), HasSubstr("region"));
}

TEST_F(ChunkFilters, StateThatTheFilterWorksOnASmallerVersion) {
    ASSERT_TRUE(opens(levelOne()));
    const QString preview = "Preview at 1/2 size. For exact results:";
    EXPECT_EQ(whole->previewText(), preview);
    const FilterSpec spec = filter.spec();
    filter.setSpec({});
    EXPECT_EQ(whole->previewText(), preview) << "before there is a filter";
    filter.setSpec(spec);
    whole->dismissPreview();
    EXPECT_EQ(whole->previewText(), QString());
    EXPECT_TRUE(whole->isPreviewDismissed());
    OpenRequest shrunk = levelOne();
    shrunk.level = 0;
    shrunk.shrink = 3;
    ASSERT_TRUE(opens(shrunk));
    EXPECT_EQ(whole->previewText(), "Preview at 1/3 size. For exact results:");
    OpenRequest part = levelOne();
    part.region = PixelRegion{0, 0, 50, 40};
    ASSERT_TRUE(opens(part));
    EXPECT_THAT(whole->previewText().toStdString(), HasSubstr("Preview (resolution level 1, region"));
    part.level = 0;
    ASSERT_TRUE(opens(part));
    EXPECT_FALSE(whole->isPreviewDismissed());
    EXPECT_THAT(whole->previewText().toStdString(), HasSubstr("a part of the image"));
    filter.setSpec({});
    EXPECT_EQ(whole->previewText(), QString()) << "no filter";
}

TEST_F(ChunkFilters, AreCancelledWithoutATrace) {
    ASSERT_TRUE(opens(levelOne()));
    const QStringList before = files();
    ASSERT_TRUE(startsAndIsHeld());
    EXPECT_TRUE(eventually([this] { return QFileInfo::exists(target() + QStringLiteral(".parts")); }))
        << "before the first tree";
    QSignalSpy failed(whole.get(), &ChunkFilterViewModel::failed);
    whole->cancel();
    EXPECT_TRUE(whole->isStopping());
    ASSERT_TRUE(ends());
    EXPECT_EQ(files(), before);
    EXPECT_FALSE(whole->hasResult());
    EXPECT_TRUE(failed.isEmpty());
    EXPECT_EQ(whole->problem(), QString()) << "can be started again";
}

TEST_F(ChunkFilters, ContinueInterruptedWorkWithOtherMemory) {
    ASSERT_TRUE(opens(levelOne()));
    EXPECT_FALSE(ChunkFilterViewModel::canResume(target()));
    ASSERT_TRUE(startsAndIsHeld());
    whole->interrupt();
    ASSERT_TRUE(ends());
    ASSERT_TRUE(ChunkFilterViewModel::canResume(target()));
    free = kLittleMemory * 64; // for chunks of another size
    const auto plan = planned();
    whole->start(plan.value(), target(), true);
    ASSERT_TRUE(ends());
    EXPECT_TRUE(whole->hasResult());
    EXPECT_FALSE(ChunkFilterViewModel::canResume(target())) << "the working folder is removed";
    FilterSpec spec = filter.spec();
    spec.criteria = {{AttributeId::area, 20}};
    expectExact(spec);
}

TEST_F(ChunkFilters, DoNotContinueTheWorkOfAnotherFilter) {
    ASSERT_TRUE(opens(levelOne()));
    ASSERT_TRUE(startsAndIsHeld());
    whole->interrupt();
    ASSERT_TRUE(ends());
    filter.setCriterion({AttributeId::area, 7});
    ASSERT_TRUE(rests());
    QSignalSpy failed(whole.get(), &ChunkFilterViewModel::failed);
    const auto plan = planned();
    whole->start(plan.value(), target(), true);
    ASSERT_TRUE(ends());
    ASSERT_EQ(failed.size(), 1);
    EXPECT_THAT(failed.front().at(1).toString().toStdString(), HasSubstr("another job"));
    whole->start(plan.value(), target(), false); // from the start
    ASSERT_TRUE(ends());
    EXPECT_TRUE(whole->hasResult());
}

TEST_F(ChunkFilters, ReportAFailureInOneLine) {
    ASSERT_TRUE(opens(levelOne()));
    const auto plan = planned();
    QFile::remove(pathOf("slide.tif"));
    QSignalSpy failed(whole.get(), &ChunkFilterViewModel::failed);
    whole->start(plan.value(), target(), false);
    ASSERT_TRUE(ends());
    ASSERT_EQ(failed.size(), 1);
    const QString why = failed.front().at(1).toString();
    EXPECT_THAT(why.toStdString(), HasSubstr("slide.tif"));
    EXPECT_FALSE(why.contains(u'\n'));
    EXPECT_EQ(files(), QStringList{"flat.tif"});
    EXPECT_EQ(whole->problem(), QString());
}

TEST_F(ChunkFilters, HaveSmallerChunksAfterALackOfMemory) {
    free = std::uint64_t{1} << 33U;
    ASSERT_TRUE(opens(levelOne()));
    const auto plan = planned();
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->available, free);
    EXPECT_EQ(plan->job.memory, free / 4 * 3);
    EXPECT_FALSE(plan->wasTooLarge);
    ChunkFilterPlan failing = *plan;
    failing.services.selectEngine = [](std::string_view) -> Engine& {
        throw Error(ErrorCode::outOfMemory, "tree of 1100 x 700 px: not available");
    };
    QSignalSpy failed(whole.get(), &ChunkFilterViewModel::failed);
    whole->start(failing, target(), false);
    ASSERT_TRUE(ends());
    ASSERT_EQ(failed.size(), 1);
    // 1100 x 700 px of 56 bytes, 8 GiB
    EXPECT_THAT(failed.front().at(1).toString().toStdString(),
                HasSubstr("Each chunk needs 41.1 MiB; this program may use 8.0 GiB. Choose a smaller memory."));
    const auto next = planned();
    ASSERT_TRUE(next);
    EXPECT_TRUE(next->wasTooLarge);
    EXPECT_EQ(next->job.memory, 1100U * 700U * 48U) << "half of the least that gives the same chunks";
    whole->start(*next, target(), false);
    ASSERT_TRUE(ends());
    EXPECT_TRUE(whole->hasResult());
    EXPECT_FALSE(planned()->wasTooLarge);
}

TEST_F(ChunkFilters, RefuseTargetsThatCannotBeWritten) {
    ChunkFilterPlan plan;
    plan.job.source = pathOf("slide.tif").toStdString();
    const auto why = [&](const QString& target) {
        return ChunkFilterViewModel::targetProblem(plan, target).toStdString();
    };
    EXPECT_EQ(why(target()), "");
    EXPECT_EQ(why(pathOf("flat.tif")), "") << "is replaced";
    EXPECT_THAT(why(QString()), HasSubstr("Name a file"));
    EXPECT_THAT(why(pathOf("slide.tif")), HasSubstr("own result"));
    EXPECT_THAT(why(pathOf("none/out.tif")), HasSubstr("no folder"));
    EXPECT_THAT(why(folder.path()), HasSubstr("is a folder"));
}

} // namespace
} // namespace pollard::vm
