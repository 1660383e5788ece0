#include "vm/contour/forbidden_runs.hpp"

#include "recipe/forbidden_pixels.hpp"

#include <utility>

namespace pollard::vm {

ForbiddenRuns::ForbiddenRuns(Store store, QObject* parent) : QObject(parent), store_(std::move(store)) {}

bool ForbiddenRuns::follow(const std::shared_ptr<const Mask>& mask) {
    if (mask == mask_ || mask == nullptr) {
        if (mask == nullptr) {
            mask_.reset();
            stored_.reset();
        }
        following_.reset();
        refused_.reset();
        return true;
    }
    if (mask != following_ && mask != refused_) {
        following_ = mask;
        refused_.reset();
        worker_.post(
            Lane::measure, [mask, store = store_](const std::stop_token&) { return store(*mask); },
            [this, mask](const JobOutcome& outcome, StoredMask& made) {
                if (following_ != mask) {
                    return;
                }
                following_.reset();
                if (outcome.ok()) {
                    mask_ = mask;
                    stored_ = std::move(made);
                    emit followed();
                } else {
                    refused_ = mask;
                    emit notFollowed(outcome.code == ErrorCode::outOfMemory ? tr("no memory")
                                                                            : QString::fromStdString(outcome.message));
                }
            });
    }
    return false;
}

void ForbiddenRuns::expand(const ContoursStep& step, std::uint32_t width, std::uint32_t height) {
    drop();
    expanding_ = worker_.post(
        Lane::load,
        [step, width, height](const std::stop_token& stop) {
            return forbiddenPixelsOf(step, width, height, JobControl(stop));
        },
        [this](LatestWinsWorker::Generation generation, const JobOutcome& outcome,
               const std::shared_ptr<const Mask>& made) {
            if (generation != expanding_) {
                return;
            }
            expanding_ = 0;
            if (outcome.ok()) {
                emit expanded(made);
            } else {
                emit failed(QString::fromStdString(outcome.message));
            }
        });
}

void ForbiddenRuns::drop() {
    expanding_ = 0;
    worker_.cancel(Lane::load);
}

} // namespace pollard::vm
