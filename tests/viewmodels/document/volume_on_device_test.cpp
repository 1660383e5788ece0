// A volume in the window on the engine of a GPU: its choice, its memory, slices that stay on the device, one decision
// for all views, and the CPU engine after a failure.
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/fake_device.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include <cstring>
#include <memory>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;

constexpr Extent kExtent{13, 11, 6};
constexpr std::uint64_t kMuch = std::uint64_t{1} << 40U;

FilterSpec keeping(const char* criterion, Output output = Output::filtered) {
    FilterSpec spec;
    spec.criteria = {parseCriterion(criterion)};
    spec.output = output;
    return spec;
}

::testing::AssertionResult areEqual(const Image& a, const Image& b) {
    if (a.type() != b.type() || a.extent() != b.extent()) {
        return ::testing::AssertionFailure() << text(a.extent()) << " and " << text(b.extent());
    }
    return std::memcmp(a.data(), b.data(), a.bytes()) == 0 ? ::testing::AssertionSuccess()
                                                           : ::testing::AssertionFailure() << "other pixels";
}

class VolumeOnDevice : public ::testing::Test {
protected:
    QTemporaryDir directory;
    testing::FakeDeviceState device;
    EngineRegistry registry = testing::registryOf(testing::TestEngines::device, device);
    std::uint64_t freeMemory = kMuch;
    DocumentViewModel document{services()};
    OrthogonalViewModel views{document};
    QSignalSpy notices{&document, &DocumentViewModel::noticeRaised};
    std::shared_ptr<const Image> volume = makeVolume();

    VolumeOnDevice() {
        device.memory = kMuch;
        document.setResultPyramidWanted(false);
    }
    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.availableMemory = [this] { return freeMemory; };
        return services;
    }
    static std::shared_ptr<const Image> makeVolume() {
        testing::Random random(61);
        auto volume = std::make_shared<Image>(PixelType::u8, kExtent);
        for (std::uint8_t& level : volume->pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(random() % 7 * 30);
        }
        return volume;
    }
    [[nodiscard]] bool isCalm() const {
        return !document.activity().isBusy() && !document.activity().isFiltering() && views.isIdle() &&
               document.slice() == static_cast<int>(document.shown().slice);
    }
    [[nodiscard]] bool rests() {
        return eventually([&] { return isCalm() && (!document.hasResult() || document.result()); });
    }
    void open() {
        const QString path = directory.filePath("volume.nii");
        writeVoxels(path.toStdString(), *volume);
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready);
    }
    void filter(const FilterSpec& spec) {
        document.requestFilter(spec);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] std::string engine() const { return document.choices().engineName().toStdString(); }
    [[nodiscard]] std::string notice() const {
        return notices.isEmpty() ? std::string() : notices.back().front().toString().toStdString();
    }
    /// All voxels of the result, by the CPU engine.
    [[nodiscard]] Image filtered() const {
        const auto session = makeCpuEngine()->openSession();
        session->open(volume);
        (void)session->buildTree(document.shown().treeSpec);
        Image out(volume->type(), volume->extent());
        (void)session->filter(document.resultSpec(), out);
        return out;
    }
    void expectAllViews() {
        const Image all = filtered();
        EXPECT_TRUE(areEqual(*document.result(), sliceOf(all, document.shown().slice)));
        for (const VolumeAxis across : {VolumeAxis::y, VolumeAxis::x}) {
            ASSERT_NE(views.section(across), nullptr) << views.problem().toStdString();
            EXPECT_TRUE(areEqual(*views.section(across)->frame.image, imageOf(views.section(across)->plane(), all)));
        }
    }
    void expectTakenOver(const char* reason) {
        EXPECT_EQ(engine(), "cpu");
        EXPECT_EQ(notices.count(), 1);
        EXPECT_THAT(notice(), ::testing::AllOf(HasSubstr("cpu engine took over"), HasSubstr(reason)));
        EXPECT_EQ(document.shown().frame.deviceFrame, nullptr);
        EXPECT_EQ(document.shown().frame.engine->name(), "cpu");
        EXPECT_EQ(document.shown().deviceNodes, nullptr);
        EXPECT_EQ(document.activity().lastError(), QString());
        EXPECT_TRUE(eventually([&] { return device.frames() == 0; }));
    }
};

TEST_F(VolumeOnDevice, HasTheChosenEngine) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_TRUE(document.isVolume());
    EXPECT_EQ(engine(), "cuda");
    const auto frame = document.shown().frame.deviceFrame;
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->slices(), kExtent.slices);
    EXPECT_EQ(frame->height(), kExtent.height);
    ASSERT_NE(document.shown().deviceNodes, nullptr);
    EXPECT_EQ(document.shown().deviceNodes->slices(), kExtent.slices);
    EXPECT_EQ(document.tree()->extent(), kExtent) << "in main memory, too";
    document.choices().setEngine("cpu");
    ASSERT_TRUE(rests());
    EXPECT_EQ(engine(), "cpu");
    EXPECT_EQ(document.shown().frame.deviceFrame, nullptr);
    EXPECT_EQ(document.shown().deviceNodes, nullptr);
    document.choices().setEngine("cuda");
    ASSERT_TRUE(rests());
    EXPECT_EQ(engine(), "cuda");
    EXPECT_NE(document.shown().frame.deviceFrame, nullptr);
    EXPECT_EQ(notices.count(), 0);
}

TEST_F(VolumeOnDevice, MovesAlongSlicesOfOneFrame) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    const auto frame = document.shown().frame.deviceFrame;
    const int decisions = device.decisions;
    QSignalSpy slices(&document, &DocumentViewModel::sliceChanged);
    QSignalSpy images(&document, &DocumentViewModel::resultFetched);
    for (const int z : {4, 0, 5, 2}) {
        const int copied = device.slicesCopied;
        document.setSlice(z);
        ASSERT_TRUE(eventually([&] { return static_cast<int>(document.shown().slice) == z; }));
        EXPECT_EQ(document.shown().frame.deviceFrame, frame);
        EXPECT_TRUE(document.hasResult());
        if (images.isEmpty()) { // else there was a pause
            EXPECT_EQ(device.slicesCopied, copied) << "nothing of it is in main memory";
        }
        ASSERT_TRUE(rests());
        EXPECT_TRUE(areEqual(*document.result(), sliceOf(filtered(), document.shown().slice))) << z;
        images.clear();
    }
    EXPECT_EQ(slices.count(), 4);
    EXPECT_EQ(device.decisions, decisions);
    EXPECT_TRUE(eventually([&] { return device.frames() == 1; }));
}

TEST_F(VolumeOnDevice, FetchesTheLastOfManySlices) {
    ASSERT_NO_FATAL_FAILURE(open());
    for (int round = 0; round < 40; ++round) {
        document.setSlice(round % 6);
        document.requestFilter(keeping(round % 2 == 0 ? "area>=3" : "area>=6"));
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(document.slice(), 39 % 6);
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(filtered(), 39 % 6)));
}

TEST_F(VolumeOnDevice, DecidesOnceForAllViews) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    int decisions = device.decisions;
    for (const char* criterion : {"area>=3", "area>=7", "level>=90"}) {
        ASSERT_NO_FATAL_FAILURE(filter(keeping(criterion)));
        EXPECT_EQ(device.decisions, ++decisions) << criterion;
        ASSERT_NO_FATAL_FAILURE(expectAllViews());
        views.setPosition({2, 9, static_cast<std::uint32_t>(decisions % 6)});
        ASSERT_TRUE(rests());
        views.setPosition({10, 1, static_cast<std::uint32_t>(decisions % 5)});
        ASSERT_TRUE(rests());
        EXPECT_EQ(device.decisions, decisions) << "the cross hair changes no decision";
        ASSERT_NO_FATAL_FAILURE(expectAllViews());
    }
    for (const Output output : {Output::residue, Output::mask, Output::labels}) {
        ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=5", output)));
        EXPECT_EQ(device.decisions, ++decisions);
        ASSERT_NO_FATAL_FAILURE(expectAllViews());
    }
}

TEST_F(VolumeOnDevice, FiltersAllVoxelsBesideTheFetchOfTheSlice) {
    ASSERT_NO_FATAL_FAILURE(open());
    std::shared_ptr<const Image> made;
    QObject::connect(&document.volumeFetch(), &VolumeFetch::made, &document,
                     [&](const std::shared_ptr<const Image>& all) { made = all; });
    for (const char* criterion : {"area>=3", "area>=5"}) {
        document.requestFilter(keeping(criterion));
        ASSERT_TRUE(eventually([&] { return isCalm(); }));
        made.reset();
        document.volumeFetch().request();
        ASSERT_TRUE(eventually([&] { return made != nullptr; }));
        EXPECT_TRUE(areEqual(*made, filtered())) << criterion;
        ASSERT_TRUE(rests());
        EXPECT_TRUE(areEqual(*document.result(), sliceOf(filtered(), document.shown().slice)));
        document.setSlice(document.slice() == 0 ? 4 : 0); // of the frame that is shown, not of a later one
        ASSERT_TRUE(rests());
        EXPECT_TRUE(areEqual(*document.result(), sliceOf(filtered(), document.shown().slice)));
    }
}

TEST_F(VolumeOnDevice, TakesTheCpuEngineWhereTheDeviceIsTooSmall) {
    device.memory = 20'000; // 858 voxels of 50 bytes
    device.buildFailure = "build tree of 13 x 11 x 6 voxels: too little memory";
    document.reading().setAskAboutMemory(true);
    QSignalSpy questions(&document, &DocumentViewModel::decisionNeeded);
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(document.isVolume());
    EXPECT_TRUE(questions.isEmpty());
    expectTakenOver("too little memory");
    EXPECT_TRUE(areEqual(*document.result(), *document.image()));
    device.buildFailure.clear();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(rests());
    EXPECT_EQ(engine(), "cuda") << "the next tree fits";
}

TEST_F(VolumeOnDevice, PlansTheMemoryOfTheDevice) {
    device.memory = 20'000;
    document.reading().setAskAboutMemory(true);
    ASSERT_NO_FATAL_FAILURE(open());
    document.setVolume(false);
    ASSERT_TRUE(rests());
    QSignalSpy questions(&document, &DocumentViewModel::decisionNeeded);
    document.setVolume(true); // a choice of the user, so there is a question
    ASSERT_TRUE(eventually([&] { return questions.count() == 1; }));
    const auto plan = questions.front().at(0).value<MemoryPlan>();
    EXPECT_EQ(plan.there.device, device.memory);
    EXPECT_EQ(plan.need.device, kExtent.pixelCount() * 50);
    EXPECT_TRUE(plan.overDevice);
    EXPECT_TRUE(plan.cpuFits);
}

TEST_F(VolumeOnDevice, OpensAsPagesWhereBothMemoriesAreShort) {
    device.memory = 20'000;
    freeMemory = 60'000; // enough with the device, not for the CPU engine
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_FALSE(document.isVolume());
    EXPECT_THAT(notice(), ::testing::AllOf(HasSubstr("pages"), HasSubstr("memory")));
}

TEST_F(VolumeOnDevice, GivesWayAfterAFailureOfAFilter) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    device.filterFailure = "filter: the card is gone";
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    expectTakenOver("the card is gone");
    ASSERT_NO_FATAL_FAILURE(expectAllViews());
    document.setSlice(5);
    ASSERT_TRUE(rests());
    ASSERT_NO_FATAL_FAILURE(expectAllViews());
}

TEST_F(VolumeOnDevice, GivesWayAfterAFailureOfASlice) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    device.filterFailure = "filter: the card is gone";
    document.setSlice(5);
    ASSERT_TRUE(rests());
    EXPECT_EQ(document.shown().slice, 5U);
    EXPECT_TRUE(areEqual(*document.image(), sliceOf(*volume, 5)));
    expectTakenOver("the card is gone");
    ASSERT_NO_FATAL_FAILURE(expectAllViews());
}

TEST_F(VolumeOnDevice, GivesWayAfterAFailureOfASection) {
    views.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    device.planeFailure = "plane: the card is gone";
    views.setPosition({1, 2, 3});
    ASSERT_TRUE(rests());
    expectTakenOver("the card is gone");
    ASSERT_NO_FATAL_FAILURE(expectAllViews());
}

TEST_F(VolumeOnDevice, GivesWayAfterAFailureOfACopy) {
    ASSERT_NO_FATAL_FAILURE(open());
    device.planeFailure = "plane: the card is gone";
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    expectTakenOver("the card is gone");
    EXPECT_TRUE(areEqual(*document.result(), sliceOf(filtered(), document.shown().slice)));
}

TEST_F(VolumeOnDevice, IsSavedWithoutTheDevice) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    device.filterFailure = "filter: the card is gone";
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveFiltered(directory.filePath("result.nrrd"));
    ASSERT_TRUE(eventually([&] { return saved.count() == 1; })) << document.activity().lastError().toStdString();
    EXPECT_TRUE(areEqual(*readVolume(directory.filePath("result.nrrd").toStdString()).image, filtered()));
    EXPECT_EQ(engine(), "cuda");
    document.setSlice(1);
    ASSERT_TRUE(rests());
    expectTakenOver("the card is gone");
}

TEST_F(VolumeOnDevice, KeepsNoFrameWhenItIsClosed) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(filter(keeping("area>=4")));
    document.close();
    EXPECT_TRUE(eventually([&] { return device.frames() == 0; }));
    EXPECT_FALSE(document.hasResult());
}

} // namespace
} // namespace pollard::vm
