#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pollard::cuda {

/// Copies lists of unknown length from the device, one after another and of similar length, as the TMK paper does for
/// the frames of a stream: copies as many elements as the last list had and a margin together with the length, so the
/// host does not wait for the length first. Only a list beyond the margin takes a second copy.
template <class T> class PredictedCopy {
public:
    /// @param atFirst predicted length of the first list
    explicit PredictedCopy(std::uint32_t atFirst) : expected_(atFirst) {}

    /// @param machine has copyOut(to, from, count), which queues a copy to the host, and wait() for these
    /// @param most capacity of @p list
    /// @param count its length, in device memory
    /// @return the list, valid until the next call
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

    /// Number of copies that the last list took.
    [[nodiscard]] int copies() const noexcept { return copies_; }

private:
    static constexpr std::uint32_t kMarginPart = 8;
    static constexpr std::uint32_t kLeastMargin = 64;

    std::uint32_t expected_;
    int copies_ = 0;
    std::vector<T> list_;
};

} // namespace pollard::cuda
