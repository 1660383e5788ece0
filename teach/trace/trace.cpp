#include "trace/trace.hpp"

#include <algorithm>
#include <utility>

namespace pollard::teach {

TraceCursor::TraceCursor(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)), layers_(trace_->start) {}

void TraceCursor::moveTo(std::size_t done) {
    done = std::min(done, trace_->steps.size());
    while (done_ < done) {
        for (std::size_t c = trace_->steps[done_].firstChange; c < trace_->changesEnd(done_); ++c) {
            const Change& change = trace_->changes[c];
            layers_[static_cast<std::size_t>(change.layer)][change.at] = change.after;
        }
        ++done_;
    }
    while (done_ > done) {
        --done_;
        for (std::size_t c = trace_->changesEnd(done_); c-- > trace_->steps[done_].firstChange;) {
            const Change& change = trace_->changes[c];
            layers_[static_cast<std::size_t>(change.layer)][change.at] = change.before;
        }
    }
}

} // namespace pollard::teach
