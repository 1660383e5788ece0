#include "forbidden_runs.hpp"

#include "recipe/forbidden_pixels.hpp"

#include <utility>

namespace pollard::vm {

ForbiddenRuns::ForbiddenRuns(QObject* parent) : QObject(parent) {}

bool ForbiddenRuns::follow(const std::shared_ptr<const Mask>& mask) {
    if (mask == mask_ || mask == nullptr) {
        if (mask == nullptr) {
            mask_.reset();
            stored_.reset();
        }
        following_.reset();
        return true;
    }
    if (mask != following_) {
        following_ = mask;
        auto made = std::make_shared<StoredMask>();
        worker_.post(
            Lane::measure, [mask, made](const std::stop_token&) { *made = StoredMask::of(*mask); },
            [this, mask, made](LatestWinsWorker::Generation, const JobOutcome& outcome) {
                if (following_ == mask) {
                    following_.reset();
                    mask_ = mask;
                    stored_ = outcome.ok() ? std::optional(std::move(*made)) : std::nullopt;
                    emit followed();
                }
            });
    }
    return false;
}

void ForbiddenRuns::expand(const ContoursStep& step, std::uint32_t width, std::uint32_t height) {
    drop();
    auto made = std::make_shared<std::shared_ptr<const Mask>>();
    expanding_ = worker_.post(
        Lane::load,
        [step, width, height, made](const std::stop_token& stop) {
            *made = forbiddenPixelsOf(step, width, height, JobControl(stop));
        },
        [this, made](LatestWinsWorker::Generation generation, const JobOutcome& outcome) {
            if (generation != expanding_) {
                return;
            }
            expanding_ = 0;
            if (outcome.ok()) {
                emit expanded(*made);
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
