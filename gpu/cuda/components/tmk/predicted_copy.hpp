#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pollard::cuda {

/// Copies lists to the host whose lengths only the device knows, one list after another of about the same length, as
/// the paper of TMK does for frames of a stream: as many elements as the last list had and a margin go at once,
/// together with the length, so that nobody waits for the length first. Only a list that has grown beyond the margin
/// takes a second copy.
template <class T> class PredictedCopy {
public:
    /// @param atFirst elements that the first list is expected to have
    explicit PredictedCopy(std::uint32_t atFirst) : expected_(atFirst) {}

    /// @param machine has copyOut(to, from, count), which queues a copy to the host, and wait() for these
    /// @param most elements behind @p list; the list has not more
    /// @param count its length, in device memory
    /// @return the list, until the next call
    template <class Machine> [[nodiscard]] const std::vector<T>& fetch(Machine& machine, const T* list,
                                                                       std::uint32_t most, const std::uint32_t* count) {
        const std::uint32_t first = std::min(expected_, most);
        std::uint32_t length = 0;
        list_.resize(first);
        machine.copyOut(&length, count, 1);
        machine.copyOut(list_.data(), list, first);
        machine.wait();
        copies_ = 1;
        list_.resize(length);
        if (length > first) {
            machine.copyOut(list_.data() + first, list + first, length - first);
            machine.wait();
            copies_ = 2;
        }
        expected_ = length + length / kMarginPart + kLeastMargin;
        return list_;
    }

    /// Copies of elements that the last list took.
    [[nodiscard]] int copies() const noexcept { return copies_; }

private:
    static constexpr std::uint32_t kMarginPart = 8;
    static constexpr std::uint32_t kLeastMargin = 64;

    std::uint32_t expected_;
    int copies_ = 0;
    std::vector<T> list_;
};

} // namespace pollard::cuda
