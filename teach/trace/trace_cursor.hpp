#pragma once

#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::teach {

/// A position in a trace, with the state of all layers. Moving costs the changes between the two positions.
class TraceCursor {
public:
    explicit TraceCursor(std::shared_ptr<const Trace> trace);

    /// Number of steps done: 0 to trace().steps.size().
    [[nodiscard]] std::size_t done() const noexcept { return done_; }
    [[nodiscard]] bool atEnd() const noexcept { return done_ == trace_->steps.size(); }
    /// Positions after the last step are clamped.
    void moveTo(std::size_t done);

    [[nodiscard]] const Trace& trace() const noexcept { return *trace_; }
    /// Empty if the algorithm lacks the layer.
    [[nodiscard]] const std::vector<std::int64_t>& layer(Layer layer) const noexcept {
        return layers_[static_cast<std::size_t>(layer)];
    }

private:
    std::shared_ptr<const Trace> trace_;
    std::array<std::vector<std::int64_t>, kLayers> layers_;
    std::size_t done_ = 0;
};

} // namespace pollard::teach
