// The race of algorithms: the builds, and the reset of its times.
#include "vm/document/document_view_model.hpp"
#include "vm/lab/race_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "support/wait.hpp"

#include <gtest/gtest.h>

#include <QTemporaryDir>

#include <memory>
#include <mutex>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;

/// Records its builds without making them.
class ListeningEngine : public Engine {
public:
    [[nodiscard]] std::string name() const override { return "listening"; }
    [[nodiscard]] std::string device() const override { return "none"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        return {{"one", "max-tree", "listening", ""}, {"other job", kLabellingJob, "listening", ""}};
    }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions&) override {
        return std::make_unique<Listener>(*this);
    }
    [[nodiscard]] std::vector<std::shared_ptr<const Image>> heard() const {
        const std::scoped_lock lock(mutex_);
        return heard_;
    }

private:
    class Listener : public Session {
    public:
        explicit Listener(ListeningEngine& engine) : engine_(engine) {}
        void setImage(std::shared_ptr<const Image> image) override {
            const std::scoped_lock lock(engine_.mutex_);
            engine_.heard_.push_back(std::move(image));
        }
        TreeReport build(const TreeSpec&, const JobControl&) override {
            TreeReport report;
            report.milliseconds = 3;
            return report;
        }
        [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return nullptr; }
        [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId, const JobControl&) override {
            return nullptr;
        }
        FilterReport runFilter(const FilterSpec&, Image&, const JobControl&) override { return {}; }
        [[nodiscard]] std::uint64_t estimateTreeBytes(const Image&) const override { return 0; }

    private:
        ListeningEngine& engine_;
    };

    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<const Image>> heard_;
};

class Race : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    ListeningEngine engine;
    RaceViewModel race{{&engine}, document};

    void SetUp() override {
        testing::Random random(3);
        const QString path = directory.filePath(QStringLiteral("a.tif"));
        writeTiff(path.toStdString(), *testing::randomImage(random, 40, 30), {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return eventually(
            [&] { return document.hasImage() && !document.activity().isBusy() && !document.activity().isFiltering(); });
    }
    void run() {
        race.start();
        ASSERT_TRUE(eventually([&] { return !race.isRunning() && race.runners().front().milliseconds; }));
    }
};

TEST_F(Race, BuildsTheTreeThatTheFilterAtHandWorksOn) {
    ASSERT_EQ(race.runners().size(), 1U);
    ASSERT_NO_FATAL_FAILURE(run());
    EXPECT_EQ(engine.heard().back(), document.image());
    FilterStage opening;
    opening.filter.criteria.push_back({AttributeId::area, 9});
    document.choices().setEarlierFilters({opening});
    ASSERT_TRUE(rests());
    EXPECT_FALSE(race.runners().front().milliseconds) << "of another image";
    ASSERT_NE(document.input(), document.image());
    ASSERT_NO_FATAL_FAILURE(run());
    EXPECT_EQ(engine.heard().back(), document.input());
}

TEST_F(Race, BeginsWithTheTextbooksAndComparesWithThem) {
    RaceViewModel all({&registry.select("cpu"), &engine}, document);
    std::vector<std::string> names;
    for (const auto& runner : all.runners()) {
        names.push_back(runner.name.toStdString());
        EXPECT_EQ(runner.engine == QStringLiteral("cpu: 1 thread"),
                  runner.engine.startsWith(QStringLiteral("cpu")) &&
                      runner.name != QStringLiteral("branches, all threads"))
            << names.back();
    }
    EXPECT_EQ(names, (std::vector<std::string>{"union-find", "flooding", "branches, 1 thread", "branches, all threads",
                                               "one"}));
    EXPECT_TRUE(all.absent().contains(QStringLiteral("cuda")));
    EXPECT_FALSE(all.speedUp(all.runners().back()));
    all.start();
    ASSERT_TRUE(eventually([&] { return !all.isRunning() && all.runners().back().milliseconds; }));
    EXPECT_EQ(all.speedUp(all.runners().front()), 1);
    EXPECT_DOUBLE_EQ(*all.speedUp(all.runners().back()), *all.runners().front().milliseconds / 3);
}

TEST_F(Race, ForgetsItsTimesWithTheTreeAlone) {
    ASSERT_NO_FATAL_FAILURE(run());
    EXPECT_EQ(race.runners().front().milliseconds, 3);
    auto half = std::make_shared<Mask>(40, 30, false);
    half->setRun(0, 20, 4, true);
    document.choices().setDomain(half);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(race.runners().front().milliseconds) << "all of the image races";
    document.choices().setTreeKind(TreeKind::min);
    EXPECT_FALSE(race.runners().front().milliseconds);
}

} // namespace
} // namespace pollard::vm
