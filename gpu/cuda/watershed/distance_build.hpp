#pragma once

#include "cuda/components/device_mask.hpp"
#include "cuda/watershed/distance_steps.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The exact squared Euclidean distance transform, as squaredDistances() of core/image. The machine is the GPU or an
/// emulator and has Buffer<T>, make(), blocks(), each() and finish().
template <class Machine> class DistanceBuild {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    DistanceBuild(Machine& machine, const DeviceMask& mask, const Extent& extent)
        : machine_(machine), mask_(mask), extent_(extent) {}

    /// Runs the stages "rows", "columns" and, in volumes, "slices".
    [[nodiscard]] Buffer<std::uint32_t> run() {
        auto distances = make<std::uint16_t>(extent_.pixelCount());
        {
            auto after = make<std::uint16_t>(mask_.wordsOfRow() * extent_.rows());
            machine_.blocks(MeasureRows{mask_, after.data(), distances.data()},
                            (mask_.height - 1) / MeasureRows::kRows + 1);
        }
        machine_.finish("rows");
        auto squares = alongAxis(distances, {extent_.height, extent_.width, extent_.width, extent_.slicePixels(),
                                             std::uint64_t{extent_.width} * extent_.slices});
        machine_.finish("columns");
        if (extent_.slices > 1) {
            distances.reset();
            squares = alongAxis(
                squares, {extent_.slices, extent_.width, extent_.slicePixels(), extent_.width, extent_.slicePixels()});
            machine_.finish("slices");
        }
        return squares;
    }

private:
    template <class T> [[nodiscard]] Buffer<T> make(std::uint64_t count) {
        return machine_.template make<T>(count, "distances");
    }

    template <class Value>
    [[nodiscard]] Buffer<std::uint32_t> alongAxis(Buffer<Value>& values, const DeviceLines& lines) {
        auto out = make<std::uint32_t>(extent_.pixelCount());
        auto nearest = make<std::uint16_t>((lines.lastSlot() + 1) * lines.count);
        constexpr std::uint32_t kCoarse = kDistanceStep * kDistanceStep;
        const bool isLong = lines.length > kDistanceStep;
        if (isLong) {
            const FindCoarse<Value> coarse{lines, values.data(), kCoarse, nearest.data()};
            machine_.each(coarse, coarse.count());
            const FindBetween<Value, false> between{lines, values.data(),  kDistanceStep,
                                                    false, nearest.data(), nullptr};
            machine_.each(between, between.count());
        }
        const FindBetween<Value, true> last{lines, values.data(), 1, !isLong, nearest.data(), out.data()};
        machine_.each(last, last.count());
        return out;
    }

    Machine& machine_;
    DeviceMask mask_;
    Extent extent_;
};

} // namespace pollard::cuda
