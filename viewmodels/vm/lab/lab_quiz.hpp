#pragma once

#include "trace/trace.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

namespace pollard::vm {

/// A question to the student before a step is shown.
struct LabQuestion {
    teach::Layer layer = teach::Layer::parent; ///< parent: which pixel? kept: 0 or 1?
    std::uint32_t pixel = 0;                   ///< the pixel in question
    std::int64_t answer = 0;

    bool operator==(const LabQuestion&) const = default;
};

/// The question before a step; empty if there is none.
[[nodiscard]] std::optional<LabQuestion> questionBefore(const teach::Trace& trace, std::size_t step);
/// "Which pixel becomes the parent of (1, 2)?"
[[nodiscard]] QString questionText(const teach::Trace& trace, const LabQuestion& question);

/// Counts the first answer to each step.
class LabScore {
public:
    /// @return whether it is right
    bool answer(std::size_t step, const LabQuestion& question, std::int64_t answer);
    void clear();

    [[nodiscard]] std::size_t right() const noexcept { return right_; }
    [[nodiscard]] std::size_t asked() const noexcept { return answered_.size(); }

private:
    std::set<std::size_t> answered_;
    std::size_t right_ = 0;
};

} // namespace pollard::vm
