#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "image/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// A number for every level of a channel.
using LevelTable = std::vector<double>;

/// `function(channel, value)` for the values of all levels of the channels.
template <class Function> std::vector<LevelTable> tablesOf(std::span<const ChannelPlane> planes, Function&& function) {
    std::vector<LevelTable> tables;
    for (std::size_t channel = 0; channel < planes.size(); ++channel) {
        const ChannelPlane& plane = planes[channel];
        LevelTable& table = tables.emplace_back(std::size_t{maxLevelOf(plane.image->type())} + 1);
        for (std::size_t level = 0; level < table.size(); ++level) {
            const auto number = static_cast<double>(level);
            table[level] = function(channel, plane.mapping ? plane.mapping->valueOf(number) : number);
        }
    }
    return tables;
}

/// Optical densities -log10(value / white), with values below 1, where white is 1 below 1e-6, as these.
[[nodiscard]] std::vector<LevelTable> densityTables(std::span<const ChannelPlane> planes, double white);

/// Sets pixels without data in one of the channels to NaN.
void removeGaps(std::span<const ChannelPlane> planes, Buffer<double>& values, const JobControl& control);

/// For every pixel: the numbers of its levels joined by `join(sum, number)`, channel by channel, then `finish(sum)`.
/// Not a number for pixels without data in one of the channels.
template <class Join, class Finish> Buffer<double> joined(std::span<const ChannelPlane> planes,
                                                          const std::vector<LevelTable>& tables, const Join& join,
                                                          const Finish& finish, const JobControl& control) {
    Buffer<double> values(planes.front().image->pixelCount());
    forEachRange(values.size(), control, [&](std::size_t begin, std::size_t end) {
        for (std::size_t channel = 0; channel < planes.size(); ++channel) {
            dispatch(planes[channel].image->type(), [&]<class T>(T) {
                const T* const levels = planes[channel].image->pixels<T>().data();
                const double* const table = tables[channel].data();
                for (std::size_t i = begin; i != end; ++i) {
                    values[i] = channel == 0 ? table[levels[i]] : join(values[i], table[levels[i]]);
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

/// Of the numbers of the pixels that are not NaN in @p included. Independent of the number of threads.
[[nodiscard]] Moments momentsOf(std::span<const ChannelPlane> planes, const std::vector<LevelTable>& tables,
                                const Buffer<double>& included, const JobControl& control);

/// Eigenvectors of a symmetric matrix of finite numbers, of unit length, by descending eigenvalue. The component of the
/// largest magnitude is positive. Jacobi's cyclic method.
[[nodiscard]] std::vector<std::vector<double>> eigenvectorsOf(std::vector<std::vector<double>> matrix);

} // namespace pollard
