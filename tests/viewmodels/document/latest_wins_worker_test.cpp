#include "vm/base/latest_wins_worker.hpp"

#include "viewmodels/support/gate.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::Gate;
using testing::settle;
using Kind = JobOutcome::Kind;

LatestWinsWorker::Job gated(Gate& gate) {
    return [&gate](const std::stop_token& stop) { gate.pass(JobControl(stop)); };
}

TEST(LatestWinsWorker, RunsOnAnotherThreadAndReportsOnTheHomeThread) {
    LatestWinsWorker worker;
    std::thread::id jobThread;
    std::thread::id doneThread;
    worker.post(
        Lane::filter, [&](const std::stop_token&) { jobThread = std::this_thread::get_id(); },
        [&](LatestWinsWorker::Generation, const JobOutcome&) { doneThread = std::this_thread::get_id(); });
    ASSERT_TRUE(eventually([&] { return doneThread != std::thread::id(); }));
    EXPECT_EQ(doneThread, std::this_thread::get_id());
    EXPECT_NE(jobThread, doneThread);
}

TEST(LatestWinsWorker, ABurstKeepsAtMostTwoJobsInFlightAndEndsWithTheLast) {
    Gate gate;
    std::vector<int> delivered;
    std::vector<LatestWinsWorker::Generation> generations;
    LatestWinsWorker worker;
    gate.hold();
    for (int i = 0; i < 200; ++i) {
        worker.post(Lane::filter, gated(gate), [&, i](LatestWinsWorker::Generation generation, const JobOutcome& o) {
            EXPECT_TRUE(o.ok());
            delivered.push_back(i);
            generations.push_back(generation);
        });
        if (i == 0) {
            ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
        }
    }
    gate.release();
    ASSERT_TRUE(eventually([&] { return !worker.isBusy(Lane::filter); }));
    EXPECT_THAT(delivered, ::testing::ElementsAre(0, 199));
    EXPECT_THAT(generations, ::testing::ElementsAre(1, 200));
    const auto statistics = worker.statistics(Lane::filter);
    EXPECT_EQ(statistics.posted, 200U);
    EXPECT_EQ(statistics.started, 2U);
    EXPECT_EQ(statistics.replaced, 198U);
    EXPECT_EQ(statistics.maxInFlight, 2);
}

TEST(LatestWinsWorker, AFreeRunningBurstDeliversInOrderAndTheLastOne) {
    LatestWinsWorker worker;
    std::vector<LatestWinsWorker::Generation> generations;
    LatestWinsWorker::Generation last = 0;
    std::atomic<int> running = 0;
    std::atomic<bool> together = false;
    for (int i = 0; i < 2000; ++i) {
        last = worker.post(
            Lane::filter,
            [&](const std::stop_token&) {
                together = ++running > 1 || together;
                --running;
            },
            [&](LatestWinsWorker::Generation generation, const JobOutcome&) { generations.push_back(generation); });
    }
    ASSERT_TRUE(eventually([&] { return !worker.isBusy(Lane::filter); }));
    EXPECT_FALSE(together);
    EXPECT_TRUE(std::is_sorted(generations.begin(), generations.end()));
    EXPECT_EQ(generations.back(), last);
    EXPECT_LE(worker.statistics(Lane::filter).maxInFlight, 2);
    EXPECT_EQ(worker.statistics(Lane::filter).started + worker.statistics(Lane::filter).replaced, 2000U);
}

TEST(LatestWinsWorker, TheFirstLaneGoesFirst) {
    Gate gate;
    std::vector<Lane> order;
    LatestWinsWorker worker;
    const auto note = [&](Lane lane) {
        return [&order, lane](LatestWinsWorker::Generation, const JobOutcome&) { order.push_back(lane); };
    };
    gate.hold();
    worker.post(Lane::save, gated(gate), note(Lane::save));
    ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
    for (const Lane lane : {Lane::filter, Lane::build, Lane::measure, Lane::load}) {
        worker.post(lane, gated(gate), note(lane));
    }
    gate.release();
    ASSERT_TRUE(eventually([&] { return order.size() == 5; }));
    EXPECT_THAT(order, ::testing::ElementsAre(Lane::save, Lane::load, Lane::build, Lane::measure, Lane::filter));
}

TEST(LatestWinsWorker, CancelStopsTheRunningJob) {
    Gate gate;
    std::optional<Kind> kind;
    LatestWinsWorker worker;
    gate.hold();
    worker.post(Lane::build, gated(gate), [&](LatestWinsWorker::Generation, const JobOutcome& o) { kind = o.kind; });
    ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
    worker.cancelRunning();
    ASSERT_TRUE(eventually([&] { return kind.has_value(); }));
    EXPECT_EQ(kind, Kind::cancelled);
}

TEST(LatestWinsWorker, CancelOfALaneTakesTheWaitingJobOutAndLeavesOtherLanesAlone) {
    Gate gate;
    std::vector<std::pair<Lane, Kind>> ends;
    const auto note = [&](Lane lane) {
        return [&ends, lane](LatestWinsWorker::Generation, const JobOutcome& o) { ends.emplace_back(lane, o.kind); };
    };
    LatestWinsWorker worker;
    gate.hold();
    worker.post(Lane::filter, gated(gate), note(Lane::filter));
    ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
    worker.post(Lane::build, gated(gate), note(Lane::build));
    worker.cancel(Lane::build);
    ASSERT_TRUE(eventually([&] { return ends.size() == 1; }));
    EXPECT_EQ(ends[0], std::pair(Lane::build, Kind::cancelled));
    EXPECT_TRUE(worker.isBusy(Lane::filter));
    gate.release();
    ASSERT_TRUE(eventually([&] { return ends.size() == 2; }));
    EXPECT_EQ(ends[1], std::pair(Lane::filter, Kind::done));
    EXPECT_EQ(gate.arrivals(), 1);
}

TEST(LatestWinsWorker, ForgottenJobsDoNotReportAndLaterOnesDo) {
    Gate gate;
    std::vector<int> delivered;
    LatestWinsWorker worker;
    gate.hold();
    worker.post(Lane::filter, gated(gate), [&](auto, const JobOutcome&) { delivered.push_back(1); });
    ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
    worker.post(Lane::filter, gated(gate), [&](auto, const JobOutcome&) { delivered.push_back(2); });
    worker.forget(Lane::filter);
    worker.post(Lane::filter, gated(gate), [&](auto, const JobOutcome&) { delivered.push_back(3); });
    gate.release();
    ASSERT_TRUE(eventually([&] { return !worker.isBusy(Lane::filter); }));
    EXPECT_THAT(delivered, ::testing::ElementsAre(3));
}

TEST(LatestWinsWorker, HandsTheResultOfAJobOver) {
    LatestWinsWorker worker;
    std::vector<std::pair<LatestWinsWorker::Generation, int>> results;
    worker.post(
        Lane::load, [](const std::stop_token&) { return 7; },
        [&](const JobOutcome& outcome, int result) { results.emplace_back(outcome.ok() ? 0 : 100, result); });
    const auto second = worker.post(
        Lane::build, [](const std::stop_token&) { return 8; },
        [&](LatestWinsWorker::Generation generation, const JobOutcome&, int& result) {
            results.emplace_back(generation, result);
        });
    worker.post(
        Lane::measure, [](const std::stop_token&) -> int { throw std::bad_alloc(); },
        [&](const JobOutcome& outcome, int result) { results.emplace_back(outcome.ok() ? 0 : 100, result); });
    ASSERT_TRUE(eventually([&] { return results.size() == 3; }));
    EXPECT_THAT(results, ::testing::ElementsAre(std::pair(0, 7), std::pair(second, 8), std::pair(100, 0)));
}

TEST(LatestWinsWorker, StoppedJobsDoNotReport) {
    Gate gate;
    gate.hold();
    int reports = 0;
    LatestWinsWorker worker;
    const auto report = [&](auto, const JobOutcome&) { ++reports; };
    worker.post(Lane::filter, gated(gate), report);
    ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
    worker.post(Lane::filter, gated(gate), report);
    worker.stop(Lane::filter);
    ASSERT_TRUE(eventually([&] { return !worker.isBusy(Lane::filter); })) << "the gate is still held";
    EXPECT_EQ(reports, 0);
}

struct Throwing {
    const char* name;
    void (*job)();
    Kind kind;
    std::optional<ErrorCode> code;
    const char* message;
};

class LatestWinsWorkerErrors : public ::testing::TestWithParam<Throwing> {};

TEST_P(LatestWinsWorkerErrors, BecomeValues) {
    LatestWinsWorker worker;
    std::optional<JobOutcome> outcome;
    worker.post(
        Lane::load, [](const std::stop_token&) { GetParam().job(); },
        [&](LatestWinsWorker::Generation, const JobOutcome& o) { outcome = o; });
    ASSERT_TRUE(eventually([&] { return outcome.has_value(); }));
    EXPECT_EQ(outcome->kind, GetParam().kind);
    EXPECT_EQ(outcome->code, GetParam().code);
    EXPECT_EQ(outcome->message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LatestWinsWorkerErrors,
    ::testing::Values(Throwing{"Error", [] { throw Error(ErrorCode::fileDamaged, "read: damaged"); }, Kind::failed,
                               ErrorCode::fileDamaged, "read: damaged"},
                      Throwing{"Cancelled", [] { throw Cancelled{}; }, Kind::cancelled, std::nullopt, ""},
                      Throwing{"BadAlloc", [] { throw std::bad_alloc(); }, Kind::failed, ErrorCode::outOfMemory, ""},
                      Throwing{"StdException", [] { throw std::out_of_range("index 7"); }, Kind::failed, std::nullopt,
                               "index 7"},
                      Throwing{"Anything", [] { throw 42; }, Kind::failed, std::nullopt, ""}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(LatestWinsWorker, GoesOnAfterAJobThatFailed) {
    LatestWinsWorker worker;
    bool done = false;
    worker.post(Lane::load, [](const std::stop_token&) { throw std::bad_alloc(); }, {});
    worker.post(
        Lane::filter, [](const std::stop_token&) {},
        [&](LatestWinsWorker::Generation, const JobOutcome& o) { done = o.ok(); });
    EXPECT_TRUE(eventually([&] { return done; }));
}

TEST(LatestWinsWorker, DoesNotWaitForTheJobsOfOthers) {
    constexpr int kWorkers = 40;
    Gate gate;
    gate.hold();
    int reports = 0;
    std::vector<std::unique_ptr<LatestWinsWorker>> workers;
    for (int i = 0; i < kWorkers; ++i) {
        workers.push_back(std::make_unique<LatestWinsWorker>());
        workers.back()->post(Lane::count, gated(gate), [&](auto, const JobOutcome& o) { reports += o.ok() ? 1 : 0; });
    }
    EXPECT_TRUE(eventually([&] { return gate.arrivals() == kWorkers; }));
    gate.release();
    EXPECT_TRUE(eventually([&] { return reports == kWorkers; }));
}

/// Sets a flag at the end of its thread.
struct EndOfThread {
    std::atomic<bool>* ended = nullptr;
    ~EndOfThread() {
        if (ended != nullptr) {
            *ended = true;
        }
    }
};

thread_local EndOfThread endOfThread;

TEST(LatestWinsWorker, TheLastOneJoinsTheThreads) {
    std::atomic<bool> ended = false;
    int reports = 0;
    auto first = std::make_unique<LatestWinsWorker>();
    const auto report = [&](auto, const JobOutcome&) { ++reports; };
    first->post(
        Lane::count, [&](const std::stop_token&) { endOfThread.ended = &ended; }, report);
    ASSERT_TRUE(eventually([&] { return reports == 1; }));
    auto second = std::make_unique<LatestWinsWorker>();
    first.reset();
    second->post(
        Lane::count, [](const std::stop_token&) {}, report);
    ASSERT_TRUE(eventually([&] { return reports == 2; }));
    EXPECT_FALSE(ended);
    second.reset();
    EXPECT_TRUE(ended);
}

TEST(JobThreads, GrowByNeedAndTakeFreeThreadsAgain) {
    Gate gate;
    gate.hold();
    JobThreads threads; // ends before the data of its tasks
    const auto pass = [&] { gate.pass({}); };
    for (int i = 0; i < 3; ++i) {
        threads.start(pass);
    }
    EXPECT_EQ(threads.threadCount(), 3U);
    EXPECT_TRUE(eventually([&] { return gate.arrivals() == 3; }));
    gate.release();
    EXPECT_TRUE(eventually([&] {
        const std::size_t before = threads.threadCount();
        threads.start(pass);
        return threads.threadCount() == before;
    }));
}

TEST(LatestWinsWorker, EndsQuicklyWithJobsRunningAndWaitingAndReportsNothingMore) {
    Gate gate;
    gate.hold();
    int reports = 0;
    bool exitRan = false;
    std::thread::id exitThread;
    {
        LatestWinsWorker worker([&] {
            exitRan = true;
            exitThread = std::this_thread::get_id();
        });
        worker.post(Lane::build, gated(gate), [&](auto, const JobOutcome&) { ++reports; });
        ASSERT_TRUE(eventually([&] { return gate.arrivals() == 1; }));
        worker.post(Lane::filter, gated(gate), [&](auto, const JobOutcome&) { ++reports; });
    }
    settle();
    EXPECT_EQ(reports, 0);
    EXPECT_EQ(gate.arrivals(), 1);
    EXPECT_TRUE(exitRan);
    EXPECT_NE(exitThread, std::this_thread::get_id());
}

} // namespace
} // namespace pollard::vm
