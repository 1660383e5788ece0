#pragma once

#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::teach {

/// A place in a trace, and all layers as they are there. Moving costs the changes between the two places.
class TraceCursor {
public:
    explicit TraceCursor(std::shared_ptr<const Trace> trace);

    /// How many steps have been done: 0 to trace().steps.size().
    [[nodiscard]] std::size_t done() const noexcept { return done_; }
    [[nodiscard]] bool atEnd() const noexcept { return done_ == trace_->steps.size(); }
    /// Beyond the last step means after it.
    void moveTo(std::size_t done);

    [[nodiscard]] const Trace& trace() const noexcept { return *trace_; }
    /// Empty if the algorithm has no such layer.
    [[nodiscard]] const std::vector<std::int64_t>& layer(Layer layer) const noexcept {
        return layers_[static_cast<std::size_t>(layer)];
    }

private:
    std::shared_ptr<const Trace> trace_;
    std::array<std::vector<std::int64_t>, kLayers> layers_;
    std::size_t done_ = 0;
};

} // namespace pollard::teach
