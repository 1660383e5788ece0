#include "vm/document/document_view_model.hpp"

#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include <limits>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeDeviceFrame;
using testing::FakeWorld;

FilterSpec areaAtLeast(double minimum) {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, minimum, std::numeric_limits<double>::infinity()});
    return spec;
}

/// A document with the engine "cuda", which keeps its images on a device.
class DeviceFrames : public ::testing::Test {
protected:
    FakeWorld world;
    DocumentViewModel document{testing::fakeServices(world)};

    void SetUp() override {
        world.files["b.tif"] = {PixelType::u16, 6, 5, 300, 1, 50};
        world.deviceEngine = "cuda";
        document.choices().setEngine("cuda");
    }
    void settleJobs() {
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); }));
    }
    void open(const QString& name) {
        document.open(name);
        settleJobs();
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready);
    }
    void filter(double minimum) {
        document.requestFilter(areaAtLeast(minimum));
        settleJobs();
    }
    [[nodiscard]] const FakeDeviceFrame* frame() const {
        return dynamic_cast<const FakeDeviceFrame*>(document.shown().frame.deviceFrame.get());
    }
    [[nodiscard]] int alive() const { return world.deviceFrames()->load(); }
};

TEST_F(DeviceFrames, ComeBesideTheSameImageInMainMemory) {
    EXPECT_EQ(document.shown().frame.deviceFrame, nullptr);
    EXPECT_EQ(document.shown().frame.engine, nullptr);
    open("b.tif");
    ASSERT_NE(frame(), nullptr);
    EXPECT_EQ(frame()->width(), document.result()->width());
    filter(7);
    ASSERT_NE(frame(), nullptr);
    EXPECT_EQ(frame()->level(), 7);
    EXPECT_EQ(document.result()->level(0), 7);
    ASSERT_NE(document.shown().frame.engine, nullptr);
    EXPECT_EQ(document.shown().frame.engine->name(), "cuda");
}

TEST_F(DeviceFrames, AreLetGoWhenTheNextIsThere) {
    open("a.tif");
    for (const double minimum : {2.0, 3.0, 4.0}) {
        filter(minimum);
        EXPECT_TRUE(eventually([&] { return alive() == 1; })) << alive() << " frames after " << minimum;
    }
    open("b.tif");
    EXPECT_TRUE(eventually([&] { return alive() == 1; }));
}

TEST_F(DeviceFrames, AreLetGoWhenTheDocumentCloses) {
    open("a.tif");
    document.close();
    EXPECT_EQ(document.shown().frame.deviceFrame, nullptr);
    EXPECT_EQ(document.shown().frame.engine, nullptr);
    EXPECT_TRUE(eventually([&] { return alive() == 0; }));
}

TEST_F(DeviceFrames, OutliveTheSessionForWhoeverShowsThem) {
    open("a.tif");
    filter(5);
    const auto held = document.shown().frame.deviceFrame;
    document.close();
    ASSERT_TRUE(eventually([&] { return world.sessions() == 0; }));
    EXPECT_EQ(alive(), 1);
    EXPECT_EQ(dynamic_cast<const FakeDeviceFrame&>(*held).level(), 5);
}

TEST_F(DeviceFrames, StayUnchangedWhenAFilterFailsOrIsSuperseded) {
    open("a.tif");
    filter(5);
    const auto before = document.shown().frame.deviceFrame;
    world.filterFailure = Error(ErrorCode::invalidArgument, "not this one");
    filter(6);
    EXPECT_EQ(document.shown().frame.deviceFrame, before);
}

TEST_F(DeviceFrames, AreReplacedByNothingWhenTheProcessorTakesOver) {
    open("a.tif");
    ASSERT_NE(frame(), nullptr);
    world.failingEngine = "cuda";
    world.filterFailure = Error(ErrorCode::deviceFailed, "the card is gone");
    QSignalSpy notices(&document, &DocumentViewModel::noticeRaised);
    filter(9);
    EXPECT_EQ(notices.size(), 1);
    EXPECT_EQ(document.choices().engineName(), "cpu");
    EXPECT_EQ(document.shown().frame.deviceFrame, nullptr);
    ASSERT_NE(document.shown().frame.engine, nullptr);
    EXPECT_EQ(document.shown().frame.engine->name(), "cpu");
    EXPECT_EQ(document.result()->level(0), 9);
    EXPECT_TRUE(eventually([&] { return alive() == 0; }));
    filter(10);
    EXPECT_EQ(document.shown().frame.engine->name(), "cpu");
}

/// If the window needs no images in main memory, they are copied there only after the last event of a drag.
class ImagesThatStay : public DeviceFrames {
protected:
    void SetUp() override {
        DeviceFrames::SetUp();
        document.setResultPyramidWanted(false);
        open("a.tif");
        world.fetch.hold();
    }
    [[nodiscard]] bool fetched() {
        return eventually([&] { return document.result() != nullptr; });
    }
};

TEST_F(ImagesThatStay, AreShownBeforeTheyAreFetched) {
    QSignalSpy frames(&document, &DocumentViewModel::frameReady);
    QSignalSpy images(&document, &DocumentViewModel::resultFetched);
    filter(7);
    ASSERT_NE(frame(), nullptr);
    EXPECT_EQ(frame()->level(), 7);
    EXPECT_TRUE(document.hasResult());
    EXPECT_EQ(document.result(), nullptr);
    EXPECT_EQ(frames.size(), 1);
    ASSERT_TRUE(eventually([&] { return world.fetch.arrivals() > 0; }));
    EXPECT_EQ(document.result(), nullptr);
    world.fetch.release();
    ASSERT_TRUE(fetched());
    EXPECT_EQ(document.result()->level(0), 7);
    EXPECT_EQ(images.size(), 1);
    EXPECT_EQ(frames.size(), 1);
}

TEST_F(ImagesThatStay, AreNotFetchedWhenTheNextIsAskedFor) {
    filter(7);
    ASSERT_TRUE(eventually([&] { return world.fetch.arrivals() > 0; }));
    document.requestFilter(areaAtLeast(8)); // stops the copy
    settleJobs();
    EXPECT_EQ(frame()->level(), 8);
    EXPECT_EQ(document.result(), nullptr);
    world.fetch.release();
    ASSERT_TRUE(fetched());
    EXPECT_EQ(document.result()->level(0), 8);
}

TEST_F(ImagesThatStay, AreSavedAsSoonAsTheyAreThere) {
    filter(7);
    QSignalSpy saved(&document.saving(), &DocumentSaving::saved);
    document.saving().saveFiltered("out.tif");
    EXPECT_EQ(saved.size(), 0);
    world.fetch.release();
    ASSERT_TRUE(eventually([&] { return saved.size() == 1; }));
    EXPECT_EQ(world.written().at(0).level, 7);
}

TEST_F(ImagesThatStay, AreMadeByTheProcessorWhenTheDeviceLosesThem) {
    world.failingEngine = "cuda";
    world.fetchFailure = Error(ErrorCode::deviceFailed, "the card is gone");
    world.fetch.release();
    filter(7);
    world.filterFailure = world.fetchFailure;
    ASSERT_TRUE(fetched());
    EXPECT_EQ(document.result()->level(0), 7);
    EXPECT_EQ(document.choices().engineName(), "cpu");
}

TEST_F(ImagesThatStay, ComeAtOnceAfterACopyFailed) {
    world.failingEngine = "cuda";
    world.fetchFailure = Error(ErrorCode::outOfMemory, "no room for a copy");
    world.fetch.release();
    filter(7);
    ASSERT_TRUE(fetched());
    EXPECT_EQ(document.result()->level(0), 7);
    EXPECT_EQ(document.choices().engineName(), "cuda");
    filter(8);
    EXPECT_EQ(document.result()->level(0), 8);
}

TEST_F(ImagesThatStay, AreForgottenWithTheDocument) {
    filter(7);
    ASSERT_TRUE(eventually([&] { return world.fetch.arrivals() > 0; }));
    document.close();
    EXPECT_FALSE(document.hasResult());
    world.fetch.release();
    EXPECT_TRUE(eventually([&] { return alive() == 0; }));
    EXPECT_EQ(document.result(), nullptr);
}

TEST_F(ImagesThatStay, ComeAtOnceWhereMainMemoryNeedsThem) {
    FilterSpec residue = areaAtLeast(7);
    residue.output = Output::residue;
    document.requestFilter(residue);
    settleJobs();
    EXPECT_NE(document.result(), nullptr) << "its brightness is found there";
    document.setResultPyramidWanted(true);
    filter(9);
    EXPECT_NE(document.result(), nullptr);
}

TEST_F(DeviceFrames, AreGoneOnTheProcessorAndBackOnTheDevice) {
    open("a.tif");
    document.choices().setEngine("cpu");
    settleJobs();
    EXPECT_EQ(document.shown().frame.deviceFrame, nullptr);
    document.choices().setEngine("cuda");
    settleJobs();
    EXPECT_NE(document.shown().frame.deviceFrame, nullptr);
}

} // namespace
} // namespace pollard::vm
