#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "snake/snake_job.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::python {

namespace {

using Corners = py::array_t<double, py::array::c_style | py::array::forcecast>;

Contour contourOf(const Corners& corners) {
    if (corners.ndim() != 2 || corners.shape(1) != 2) {
        throw Error(ErrorCode::invalidArgument, "snake: a contour is an array of shape (nodes, 2) of rows and columns");
    }
    const auto coordinate = [](double value) {
        constexpr double kMost = std::numeric_limits<std::int32_t>::max();
        if (!(value >= 0 && value <= kMost)) {
            throw Error(ErrorCode::invalidArgument,
                        "snake: the coordinate " + std::to_string(value) + " of a contour lies outside of the image");
        }
        return static_cast<std::int32_t>(std::lround(value));
    };
    Contour contour;
    for (py::ssize_t i = 0; i < corners.shape(0); ++i) {
        contour.push_back({coordinate(corners.at(i, 1)), coordinate(corners.at(i, 0))});
    }
    return contour;
}

/// Dict of every contour's last state, and with `states` a list of all states of each.
py::dict snake(const py::array& levels, const std::optional<py::array>& mask, const std::vector<Corners>& starts,
               const std::string& law, const std::string& moves, std::uint32_t maxStep, std::uint32_t minLength,
               std::uint32_t maxNodes, std::uint32_t maxRounds, const std::optional<py::array>& forbidden,
               std::optional<std::uint32_t> apart, double lengthPrice, bool states, const std::string& device) {
    SnakeJob job;
    job.image = imageOf(levels, "image");
    requireImage(job.image->extent(), "snake");
    job.valid = mask ? maskOf(*mask, "mask") : nullptr;
    job.forbidden = forbidden ? maskOf(*forbidden, "forbidden") : nullptr;
    for (const Corners& corners : starts) {
        job.starts.push_back(contourOf(corners));
    }
    job.spec.law = named(kRegionLaws, law, "law");
    job.spec.moves = named(kSnakeMoves, moves, "moves");
    job.spec.maxStep = maxStep;
    job.spec.minLength = minLength;
    job.spec.maxNodes = maxNodes;
    job.spec.maxRounds = maxRounds;
    job.spec.lengthPrice = lengthPrice;
    if (apart) {
        job.parts = partsAround(job.starts, *apart, *job.image);
    }

    SnakeResult evolved;
    std::vector<std::vector<SnakeState>> accepted(starts.size());
    runJob(kLongJob, [&](const JobControl& control) {
        onDevice(device, [&](Engine& engine) {
            for (std::vector<SnakeState>& each : accepted) {
                each.clear();
            }
            const SnakeListener listener = [&](std::size_t contour, const SnakeState& state) {
                accepted[contour].push_back(state);
                return true;
            };
            evolved = engine.runSnake(job, states ? listener : SnakeListener{}, control);
        });
    });
    py::dict result = resultOf(evolved);
    if (states) {
        py::list all;
        for (const std::vector<SnakeState>& each : accepted) {
            py::list one;
            for (const SnakeState& state : each) {
                one.append(dictOf(state));
            }
            all.append(one);
        }
        result["states"] = all;
    }
    return result;
}

} // namespace

void bindSnake(py::module_& module) {
    module.def("snake", &snake, py::arg("levels"), py::arg("mask"), py::arg("starts"), py::arg("law"), py::arg("moves"),
               py::arg("max_step"), py::arg("min_length"), py::arg("max_nodes"), py::arg("max_rounds"),
               py::arg("forbidden"), py::arg("apart"), py::arg("length_price"), py::arg("states"), py::arg("device"));
}

} // namespace pollard::python
