#pragma once

#include "components/components.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "kernels/emulated_machine.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda::testing {

/// The machine with the functions required by the passes of strips.
class StripTestMachine : public emulation::EmulatedMachine {
public:
    using BasicEmulatedMachine::BasicEmulatedMachine;

    [[nodiscard]] auto makeRecords(std::size_t count, const char* what) { return make<ComponentRecord>(count, what); }
    template <class Pass> void together(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        blocks(pass, count, bytes, true);
    }
    [[nodiscard]] StripTotals* totals() noexcept { return &totals_; }
    void markTotals() { written_ = totals_; }
    [[nodiscard]] StripTotals takeTotals() const noexcept { return written_; }

private:
    StripTotals totals_{};
    StripTotals written_{};
};

} // namespace pollard::cuda::testing
