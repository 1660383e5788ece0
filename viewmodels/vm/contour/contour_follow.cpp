#include "vm/contour/contour_follow.hpp"

#include "vm/contour/contour_texts.hpp"
#include "vm/contour/engine_run.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"

#include <QFileInfo>
#include <QLocale>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

struct DonePage {
    ContourRun run;
    std::string notice;
};

LoadedImage readPage(const FollowTask& task, int page, const JobControl& control) {
    OpenRequest request = task.request;
    request.page = page;
    LoadedImage loaded =
        readImage(QFileInfo(request.path).filesystemAbsoluteFilePath(), request.options(task.limits), control);
    const Image& image = *loaded.image;
    if (image.width() != task.width || image.height() != task.height) {
        throw Error(ErrorCode::invalidArgument, "it has " + std::to_string(image.width()) + " x " +
                                                    std::to_string(image.height()) + " px, the page before " +
                                                    std::to_string(task.width) + " x " + std::to_string(task.height));
    }
    return loaded;
}

void evolve(DonePage& done, const FollowTask& task, const ContourGround& ground, const std::stop_token& stop) {
    ContourRun& run = done.run;
    if (task.device != nullptr && run.engine.isWhole && (run.record.contours() == 1 || run.engine.apart)) {
        constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
        ArrivingStates arriving(kAny, kAny); // all are read at the end
        const EngineTask engineTask{ground, run.record.allNodes(0), run.spec, run.engine, run.forbidden};
        EngineRunEnd end = runOnEngine(*task.device, engineTask, 1, arriving, stop);
        for (const ContourStep& step : arriving.take()) {
            run.record.add(step.contour, step.state);
        }
        run.spec.moves = end.moves;
        done.notice = std::move(end.notice);
    } else {
        while (run.snake->advance(JobControl(stop))) {
            run.record.add(run.snake->last(), run.snake->state(run.snake->last()));
        }
    }
    run.snake.reset();
    run.finished = true;
    run.shown = run.record.count() - 1;
}

} // namespace

void ContourFollow::start(FollowTask task) {
    stop();
    task_ = std::move(task);
    first_ = task_.request.page + 1;
    page_ = first_;
    recorded_ = 0;
    running_ = page_ < task_.pageCount;
    if (running_) {
        next();
    }
    emit changed();
}

void ContourFollow::cancel() { worker_.cancel(Lane::build); }

void ContourFollow::stop() {
    worker_.cancel(Lane::build);
    worker_.forget(Lane::build);
    if (std::exchange(running_, false)) {
        emit changed();
    }
}

void ContourFollow::next() {
    auto done = std::make_shared<DonePage>();
    worker_.post(
        Lane::build,
        [task = task_, page = page_, done](const std::stop_token& stop) {
            const JobControl control(stop);
            const LoadedImage loaded = readPage(task, page, control);
            const ContourGround ground{loaded.image, loaded.valid, std::make_shared<KeptSums>()};
            const ContourStart start{[&](const JobControl&) { return task.starts; },
                                     task.spec,
                                     task.engine,
                                     task.forbidden,
                                     task.origin,
                                     0,
                                     0,
                                     0};
            done->run = madeRun(start, ground, control);
            evolve(*done, task, ground, stop);
        },
        [this, done](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            const int page = page_;
            recorded_ += outcome.ok() ? done->run.record.bytes() : 0;
            const bool full = recorded_ > task_.mostBytes;
            const bool goesOn = outcome.ok() && page + 1 < task_.pageCount && !full;
            if (goesOn) {
                task_.starts = done->run.record.allNodes(done->run.record.count() - 1);
                ++page_;
                next();
            } else {
                running_ = false;
            }
            if (outcome.ok()) {
                emit pageDone(page, done->run);
            }
            if (!done->notice.empty()) {
                emit noticed(takenOverText(done->notice));
            }
            if (outcome.kind == JobOutcome::Kind::failed) {
                emit failed(tr("Page %1: %2").arg(page + 1).arg(sentenceOf(outcome.message)));
            } else if (full && page + 1 < task_.pageCount) {
                emit failed(tr("The recorded states fill %1: page %2 and those after it are left out.")
                                .arg(QLocale().formattedDataSize(static_cast<qint64>(task_.mostBytes)))
                                .arg(page + 2));
            }
            emit changed();
        });
}

} // namespace pollard::vm
