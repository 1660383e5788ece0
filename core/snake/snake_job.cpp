#include "snake/snake_job.hpp"

#include "snake/contour/contour.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_start.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pollard {

namespace {

[[noreturn]] void refuseJob(const std::string& why) { throw Error(ErrorCode::invalidArgument, "region snake: " + why); }

SnakeMoves movesNamed(const std::string& name) {
    const auto found = std::ranges::find_if(kSnakeMoves, [&](SnakeMoves moves) { return nameOf(moves) == name; });
    if (found == kSnakeMoves.end()) {
        refuseJob("algorithm '" + name + "': unknown (there are sequential, parity, local-best)");
    }
    return *found;
}

void requireSeparateParts(const std::vector<PixelRegion>& parts, std::uint32_t width, std::uint32_t height) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PixelRegion& part = parts[i];
        if (part.width == 0 || part.height == 0 || part.x > width || part.y > height || part.width > width - part.x ||
            part.height > height - part.y) {
            refuseJob("the part of contour " + std::to_string(i + 1) + " is empty or reaches beyond the image");
        }
    }
    std::vector<std::size_t> byRow(parts.size());
    std::iota(byRow.begin(), byRow.end(), std::size_t{0});
    std::ranges::sort(byRow, {}, [&](std::size_t i) { return parts[i].y; });
    for (std::size_t k = 0; k < byRow.size(); ++k) {
        const PixelRegion& one = parts[byRow[k]];
        for (std::size_t next = k + 1; next < byRow.size(); ++next) {
            const PixelRegion& other = parts[byRow[next]];
            if (other.y >= one.y + one.height) {
                break;
            }
            if (other.x < one.x + one.width && one.x < other.x + other.width) {
                const auto [first, second] = std::minmax(byRow[k], byRow[next]);
                refuseJob("the parts of the contours " + std::to_string(first + 1) + " and " +
                          std::to_string(second + 1) + " overlap");
            }
        }
    }
}

} // namespace

void trim(SnakeState& state, double lengthPrice) {
    Contour nodes = trimmed(state.nodes);
    const std::int64_t change = fineLength(nodes) - fineLength(state.nodes);
    state.energy += lengthPrice * (static_cast<double>(change) / kLengthParts);
    state.nodes = std::move(nodes);
}

void SnakeResult::setTrimmed(std::vector<SnakeState> ends, double lengthPrice) {
    states = std::move(ends);
    for (SnakeState& state : states) {
        const double before = state.energy;
        trim(state, lengthPrice);
        energy += state.energy - before;
    }
}

void SnakeResult::setStates(std::vector<SnakeState> separate, double lengthPrice) {
    setTrimmed(std::move(separate), lengthPrice);
    background = {};
    energy = 0;
    for (const SnakeState& state : states) {
        background += state.outside;
        energy += state.energy;
    }
}

PixelRegion partAround(const Contour& start, std::uint32_t margin, std::uint32_t width, std::uint32_t height) {
    std::int64_t left = width;
    std::int64_t top = height;
    std::int64_t right = 0;
    std::int64_t bottom = 0;
    for (const ContourNode& node : start) {
        left = std::min<std::int64_t>(left, node.x);
        top = std::min<std::int64_t>(top, node.y);
        right = std::max<std::int64_t>(right, node.x);
        bottom = std::max<std::int64_t>(bottom, node.y);
    }
    const auto within = [](std::int64_t place, std::uint32_t side) {
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(place, 0, side));
    };
    const std::uint32_t x = within(left - margin, width);
    const std::uint32_t y = within(top - margin, height);
    return {x, y, within(right + margin, width) - x, within(bottom + margin, height) - y};
}

std::vector<PixelRegion> partsAround(const std::vector<Contour>& starts, std::uint32_t margin, const Image& image) {
    std::vector<PixelRegion> parts;
    for (const Contour& start : starts) {
        parts.push_back(partAround(start, margin, image.width(), image.height()));
    }
    return parts;
}

std::vector<Contour> usedStarts(const SnakeJob& job) {
    const Image& image = *job.image;
    if (job.starts.empty()) {
        refuseJob("there is no start");
    }
    requireSeparateParts(job.parts, image.width(), image.height());
    requireSize("the forbidden area is", job.forbidden.get(), image);
    requireSize("the pixels that count are", job.valid.get(), image);
    const bool isApart = !job.parts.empty();
    std::vector<Contour> starts;
    for (const Contour& start : job.starts) {
        const PixelRegion part = isApart ? job.parts[starts.size()] : PixelRegion{0, 0, image.width(), image.height()};
        try {
            starts.push_back(usedStart(start, usedSpec(job.spec, part.width, part.height), part));
        } catch (const Error& error) {
            if (!isApart) {
                throw;
            }
            throw errorOfSnake(error, starts.size(), job.starts.size());
        }
    }
    return starts;
}

Error errorOfSnake(const Error& error, std::size_t contour, std::size_t count) {
    if (count == 1) {
        return error;
    }
    return {error.code(), std::string(error.what()) + " (contour " + std::to_string(contour + 1) + " of " +
                              std::to_string(count) + ")"};
}

SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener, const JobControl& control) {
    SnakeJob used = job;
    used.spec.moves = job.algorithm.empty() ? job.spec.moves : movesNamed(job.algorithm);
    StageTimer timer;
    SnakeResult result{std::string(nameOf(used.spec.moves)), used.spec.moves, {}, {}, 0, {}, 0};
    if (job.parts.empty()) {
        const auto sums = std::make_shared<const RowSums>(job.image, job.valid.get(), control);
        timer.finish("sums");
        SnakeGroup group(used, sums);
        group.finish(listener, control);
        std::vector<SnakeState> ends;
        for (std::size_t i = 0; i < group.size(); ++i) {
            ends.push_back(group.state(i));
        }
        result.background = group.background();
        result.energy = group.energy();
        result.setTrimmed(std::move(ends), used.spec.lengthPrice);
    } else {
        result.setStates(SnakeGroup(used, nullptr, control).finishIndependent(listener, control),
                         used.spec.lengthPrice);
    }
    timer.finish("evolution");
    result.milliseconds = timer.totalMilliseconds();
    result.stages = timer.take();
    return result;
}

} // namespace pollard
