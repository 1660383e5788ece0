#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "image/channel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

/// A function of the values of a channel's pixels: a table of its levels, or computed from exact values.
class ChannelNumbers {
public:
    using Function = std::function<double(double value)>;

    /// @p plane must outlive this.
    ChannelNumbers(const ChannelPlane& plane, ExactValues exact, Function function);

    [[nodiscard]] double at(std::size_t pixel) const {
        return exact_ ? std::visit([&](const auto& values) { return function_(values[pixel]); }, *exact_)
                      : table_[plane_->image->level(pixel)];
    }
    /// Calls @p visitor with a function of a pixel that is faster than at().
    template <class Visitor> void visit(Visitor&& visitor) const {
        if (exact_) {
            std::visit(
                [&](const auto& values) {
                    visitor([this, numbers = values.data()](std::size_t pixel) { return function_(numbers[pixel]); });
                },
                *exact_);
            return;
        }
        dispatch(plane_->image->type(), [&]<class T>(T) {
            visitor([levels = plane_->image->template pixels<T>().data(), table = table_.data()](std::size_t pixel) {
                return table[levels[pixel]];
            });
        });
    }

private:
    const ChannelPlane* plane_;
    ExactValues exact_;
    Function function_;
    std::vector<double> table_; ///< of the levels; empty with exact values
};

/// Channels with their exact values: none, or one per plane.
struct ChannelValues {
    std::span<const ChannelPlane> planes;
    std::span<const ExactValues> exact = {};

    /// `function(channel, value)` of all channels.
    template <class Function> [[nodiscard]] std::vector<ChannelNumbers> numbers(const Function& function) const {
        std::vector<ChannelNumbers> all;
        for (std::size_t channel = 0; channel < planes.size(); ++channel) {
            all.emplace_back(planes[channel], exact.empty() ? nullptr : exact[channel],
                             [function, channel](double value) { return function(channel, value); });
        }
        return all;
    }
    /// Optical densities -log10(value / white), times a factor for each of the three channels. Values below 1 count as
    /// 1; if white is 1, values below 1e-6 count as 1e-6.
    [[nodiscard]] std::vector<ChannelNumbers> densities(double white, std::array<double, 3> factors = {1, 1, 1}) const;
};

/// Sets pixels without data in one of the channels to NaN.
void removeGaps(std::span<const ChannelPlane> planes, Buffer<double>& values, const JobControl& control);

/// For every pixel: its numbers joined by `join(sum, number)`, channel by channel, then `finish(sum)`. Not a number for
/// pixels without data in one of the channels.
template <class Join, class Finish> Buffer<double> joined(std::span<const ChannelPlane> planes,
                                                          const std::vector<ChannelNumbers>& numbers, const Join& join,
                                                          const Finish& finish, const JobControl& control) {
    Buffer<double> values(planes.front().image->pixelCount());
    forEachRange(values.size(), control, [&](std::size_t begin, std::size_t end) {
        for (std::size_t channel = 0; channel < numbers.size(); ++channel) {
            numbers[channel].visit([&](const auto& numberAt) {
                for (std::size_t i = begin; i != end; ++i) {
                    values[i] = channel == 0 ? numberAt(i) : join(values[i], numberAt(i));
                }
            });
        }
        for (std::size_t i = begin; i != end; ++i) {
            values[i] = finish(values[i]);
        }
    });
    removeGaps(planes, values, control);
    return values;
}

/// Means and covariances of channels.
struct Moments {
    std::uint64_t count = 0; ///< pixels
    std::vector<double> means;
    std::vector<std::vector<double>> covariances; ///< symmetric, divided by the number of pixels
};

/// Moments of the numbers of all pixels that are not NaN in @p included. Independent of the number of threads.
[[nodiscard]] Moments momentsOf(const std::vector<ChannelNumbers>& numbers, const Buffer<double>& included,
                                const JobControl& control);

/// Eigenvectors of a symmetric matrix of finite numbers, of unit length, by descending eigenvalue. The component of the
/// largest magnitude is positive. Jacobi's cyclic method.
[[nodiscard]] std::vector<std::vector<double>> eigenvectorsOf(std::vector<std::vector<double>> matrix);

} // namespace pollard
