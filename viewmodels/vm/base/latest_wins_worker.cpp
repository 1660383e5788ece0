#include "vm/base/latest_wins_worker.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace pollard::vm {

std::shared_ptr<JobThreads> JobThreads::shared() {
    static std::mutex mutex;
    static std::weak_ptr<JobThreads> present;
    const std::scoped_lock lock(mutex);
    std::shared_ptr<JobThreads> threads = present.lock();
    if (!threads) {
        present = threads = std::make_shared<JobThreads>();
    }
    return threads;
}

void JobThreads::start(std::function<void()> task) {
    {
        const std::scoped_lock lock(mutex_);
        if (tasks_.size() == free_) {
            threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
            ++free_;
        }
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
}

std::size_t JobThreads::threadCount() const {
    const std::scoped_lock lock(mutex_);
    return threads_.size();
}

void JobThreads::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        --free_;
        lock.unlock();
        task();
        task = {};
        lock.lock();
        ++free_;
    }
}

ProgressRelay::ProgressRelay(QObject* parent) : QObject(parent) {}

ProgressRelay::Function ProgressRelay::forJob(const QString& what) {
    return [this, what](double fraction, std::string_view stage) { report(what, fraction, stage); };
}

void ProgressRelay::report(const QString& what, double fraction, std::string_view stage) {
    {
        const std::scoped_lock lock(mutex_);
        fraction_ = fraction;
        stage_ = stage;
        what_ = what;
        if (queued_) {
            return;
        }
        queued_ = true;
    }
    QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void ProgressRelay::deliver() {
    double fraction = 0;
    QString what;
    QString stage;
    {
        const std::scoped_lock lock(mutex_);
        queued_ = false;
        fraction = fraction_;
        what = what_;
        stage = QString::fromStdString(stage_);
    }
    emit progressed(fraction, what, stage);
}

LatestWinsWorker::LatestWinsWorker(std::function<void()> atExit, QObject* parent)
    : QObject(parent), atExit_(std::move(atExit)) {}

LatestWinsWorker::~LatestWinsWorker() {
    std::unique_lock lock(mutex_);
    ends_ = true;
    runningStop_.request_stop();
    const auto isIdle = [this] { return !isActive_; };
    idle_.wait(lock, isIdle);
    if (atExit_) {
        isActive_ = true;
        threads_->start([this] {
            atExit_();
            const std::scoped_lock exitLock(mutex_);
            becomeIdle();
        });
        idle_.wait(lock, isIdle);
    }
}

void LatestWinsWorker::becomeIdle() {
    isActive_ = false;
    idle_.notify_all(); // within the lock: after it the destructor may end
}

LatestWinsWorker::Generation LatestWinsWorker::post(Lane lane, Job job, Done done) {
    std::optional<Entry> replaced; // its captures may be large: freed outside the lock
    Generation generation = 0;
    {
        const std::scoped_lock lock(mutex_);
        LaneState& l = state(lane);
        generation = ++lastGeneration_;
        replaced = std::exchange(l.waiting, Entry{generation, lane, std::move(job), std::move(done)});
        ++l.statistics.posted;
        l.statistics.replaced += replaced ? 1 : 0;
        l.statistics.maxInFlight = std::max(l.statistics.maxInFlight, running_ == lane ? 2 : 1);
        if (std::exchange(isActive_, true)) {
            return generation;
        }
    }
    try {
        threads_->start([this] { runWaiting(); });
    } catch (...) { // the system has no thread left
        const std::scoped_lock lock(mutex_);
        state(lane).waiting.reset();
        becomeIdle();
        throw;
    }
    return generation;
}

void LatestWinsWorker::cancelRunning() {
    const std::scoped_lock lock(mutex_);
    runningStop_.request_stop();
}

void LatestWinsWorker::cancel(Lane lane) {
    std::optional<Entry> taken;
    {
        const std::scoped_lock lock(mutex_);
        if (running_ == lane) {
            runningStop_.request_stop();
        }
        taken = std::exchange(state(lane).waiting, std::nullopt);
    }
    if (taken) {
        queueReport({taken->generation, lane, std::move(taken->done), {JobOutcome::Kind::cancelled, {}, {}}},
                    FromThread::no);
    }
}

void LatestWinsWorker::forget(Lane lane) {
    const std::scoped_lock lock(mutex_);
    state(lane).forgottenUpTo = lastGeneration_;
}

bool LatestWinsWorker::isBusy(Lane lane) const {
    const std::scoped_lock lock(mutex_);
    const LaneState& l = state(lane);
    return l.waiting.has_value() || running_ == lane || l.reports > 0;
}

LatestWinsWorker::Statistics LatestWinsWorker::statistics(Lane lane) const {
    const std::scoped_lock lock(mutex_);
    return state(lane).statistics;
}

bool LatestWinsWorker::hasWaiting() const {
    return std::any_of(lanes_.begin(), lanes_.end(), [](const LaneState& l) { return l.waiting.has_value(); });
}

LatestWinsWorker::Entry LatestWinsWorker::takeNext() {
    const auto first =
        std::find_if(lanes_.begin(), lanes_.end(), [](const LaneState& l) { return l.waiting.has_value(); });
    Entry entry = std::move(*first->waiting);
    first->waiting.reset();
    ++first->statistics.started;
    running_ = entry.lane;
    runningStop_ = std::stop_source();
    return entry;
}

void LatestWinsWorker::runWaiting() {
    while (true) {
        Entry entry;
        std::stop_token jobStop;
        {
            const std::scoped_lock lock(mutex_);
            if (ends_ || !hasWaiting()) {
                becomeIdle();
                return;
            }
            entry = takeNext();
            jobStop = runningStop_.get_token();
        }
        JobOutcome outcome = runGuarded(entry.job, jobStop);
        entry.job = {};
        queueReport({entry.generation, entry.lane, std::move(entry.done), std::move(outcome)}, FromThread::yes);
    }
}

JobOutcome LatestWinsWorker::runGuarded(const Job& job, const std::stop_token& stop) {
    using Kind = JobOutcome::Kind;
    try {
        if (stop.stop_requested()) {
            throw Cancelled{};
        }
        job(stop);
        return {};
    } catch (const Cancelled&) {
        return {Kind::cancelled, {}, {}};
    } catch (const Error& error) {
        return {Kind::failed, error.code(), error.what()};
    } catch (const std::bad_alloc&) {
        return {Kind::failed, ErrorCode::outOfMemory, {}};
    } catch (const std::exception& error) {
        return {Kind::failed, {}, error.what()};
    } catch (...) {
        return {Kind::failed, {}, {}};
    }
}

void LatestWinsWorker::queueReport(Report report, FromThread fromThread) {
    {
        const std::scoped_lock lock(mutex_);
        if (fromThread == FromThread::yes) {
            running_.reset();
        }
        ++state(report.lane).reports;
        outbox_.push_back(std::move(report));
    }
    QMetaObject::invokeMethod(this, "deliverNext", Qt::QueuedConnection);
}

void LatestWinsWorker::deliverNext() {
    Report report;
    {
        const std::scoped_lock lock(mutex_);
        report = std::move(outbox_.front());
        outbox_.pop_front();
        LaneState& l = state(report.lane);
        --l.reports;
        if (report.generation <= l.forgottenUpTo) {
            report.done = {};
        }
    }
    if (report.done) {
        report.done(report.generation, report.outcome);
    }
}

} // namespace pollard::vm
