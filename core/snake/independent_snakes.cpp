#include "snake/independent_snakes.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"
#include "snake/snake_start.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>

namespace pollard {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalidArgument, "region snake: " + why); }

std::shared_ptr<const Image> partOf(const Image& image, const PixelRegion& part) {
    auto copy = std::make_shared<Image>(image.type(), part.width, part.height);
    const std::size_t pixel = image.bytes() / image.pixelCount();
    for (std::uint32_t y = 0; y < part.height; ++y) {
        const std::size_t from = (std::size_t{part.y} + y) * image.width() + part.x;
        std::memcpy(copy->data() + std::size_t{y} * part.width * pixel, image.data() + from * pixel,
                    part.width * pixel);
    }
    return copy;
}

std::shared_ptr<const Mask> partOf(const std::shared_ptr<const Mask>& mask, const PixelRegion& part) {
    if (!mask) {
        return nullptr;
    }
    auto copy = std::make_shared<Mask>(part.width, part.height, false);
    for (std::uint32_t y = 0; y < part.height; ++y) {
        for (std::uint32_t x = 0; x < part.width; ++x) {
            copy->set(x, y, mask->test(part.x + x, part.y + y));
        }
    }
    return copy;
}

/// @param what subject and verb of the message
void requireSize(const std::string& what, const std::shared_ptr<const Mask>& mask, const Image& image) {
    if (mask && !fits(*mask, image)) {
        refuse(what + " a mask of " + std::to_string(mask->width()) + " x " + std::to_string(mask->height()) +
               " px, the image has " + std::to_string(image.width()) + " x " + std::to_string(image.height()));
    }
}

void requireInImage(const Contour& start, const Image& image) {
    const auto isOutside = [&](const ContourNode& node) {
        return node.x < 0 || node.y < 0 || static_cast<std::uint32_t>(node.x) > image.width() ||
               static_cast<std::uint32_t>(node.y) > image.height();
    };
    if (std::ranges::any_of(start, isOutside)) {
        refuse("the start reaches beyond the image");
    }
}

ContourNode cornerOf(const PixelRegion& part) {
    return {static_cast<std::int32_t>(part.x), static_cast<std::int32_t>(part.y)};
}

Contour moved(Contour nodes, ContourNode by) {
    for (ContourNode& node : nodes) {
        node = {node.x + by.x, node.y + by.y};
    }
    return nodes;
}

void requireSeparateParts(const std::vector<IndependentSnake>& snakes, std::uint32_t width, std::uint32_t height) {
    if (snakes.empty()) {
        refuse("there is no start");
    }
    for (std::size_t i = 0; i < snakes.size(); ++i) {
        const PixelRegion& part = snakes[i].part;
        if (part.width == 0 || part.height == 0 || part.x > width || part.y > height || part.width > width - part.x ||
            part.height > height - part.y) {
            refuse("the part of contour " + std::to_string(i + 1) + " is empty or reaches beyond the image");
        }
    }
    std::vector<std::size_t> byRow(snakes.size());
    std::iota(byRow.begin(), byRow.end(), std::size_t{0});
    std::ranges::sort(byRow, {}, [&](std::size_t i) { return snakes[i].part.y; });
    for (std::size_t k = 0; k < byRow.size(); ++k) {
        const PixelRegion& one = snakes[byRow[k]].part;
        for (std::size_t next = k + 1; next < byRow.size(); ++next) {
            const PixelRegion& other = snakes[byRow[next]].part;
            if (other.y >= one.y + one.height) {
                break;
            }
            if (other.x < one.x + one.width && one.x < other.x + other.width) {
                const auto [first, second] = std::minmax(byRow[k], byRow[next]);
                refuse("the parts of the contours " + std::to_string(first + 1) + " and " + std::to_string(second + 1) +
                       " overlap");
            }
        }
    }
}

} // namespace

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

std::vector<Contour> usedStarts(const IndependentSnakesJob& job) {
    const Image& image = *job.image;
    requireSeparateParts(job.snakes, image.width(), image.height());
    requireSize("the forbidden area is", job.forbidden, image);
    requireSize("the pixels that count are", job.valid, image);
    std::vector<Contour> starts;
    for (const auto& [part, start] : job.snakes) {
        const ContourNode corner = cornerOf(part);
        try {
            requireInImage(start, image); // before the move to the part's coordinates
            starts.push_back(
                moved(usedStart(moved(start, {-corner.x, -corner.y}), usedSpec(job.spec, part.width, part.height),
                                part.width, part.height, nullptr),
                      corner));
        } catch (const Error& error) {
            throw errorOfSnake(error, starts.size(), job.snakes.size());
        }
    }
    return starts;
}

SnakeJob partJob(const IndependentSnakesJob& job, std::size_t snake, const Contour& start) {
    const PixelRegion& part = job.snakes[snake].part;
    const ContourNode corner = cornerOf(part);
    return {partOf(*job.image, part),
            partOf(job.valid, part),
            moved(start, {-corner.x, -corner.y}),
            job.spec,
            partOf(job.forbidden, part),
            job.algorithm};
}

SnakeState inImage(SnakeState state, const PixelRegion& part) {
    state.nodes = moved(std::move(state.nodes), cornerOf(part));
    return state;
}

Error errorOfSnake(const Error& error, std::size_t snake, std::size_t count) {
    return {error.code(), std::string(error.what()) + " (contour " + std::to_string(snake + 1) + " of " +
                              std::to_string(count) + ")"};
}

IndependentSnakesResult runIndependentSnakes(const IndependentSnakesJob& job, const IndependentSnakesListener& listener,
                                             const JobControl& control) {
    const std::vector<Contour> starts = usedStarts(job);
    StageTimer timer;
    IndependentSnakesResult result;
    result.states.resize(job.snakes.size());
    std::mutex telling;
    std::atomic<std::size_t> finished = 0;
    const std::size_t none = job.snakes.size();
    std::atomic<std::size_t> failed = none; // the first contour that failed
    std::vector<std::unique_ptr<Error>> errors(job.snakes.size());
    tbb::parallel_for(std::size_t{0}, job.snakes.size(), [&](std::size_t i) {
        if (failed < i) {
            return; // earlier contours are all started, so the reported error is deterministic
        }
        const PixelRegion& part = job.snakes[i].part;
        const auto tell = [&](const SnakeState& state) {
            if (listener && failed == none) {
                const std::scoped_lock lock(telling);
                listener(i, inImage(state, part));
            }
            return failed == none;
        };
        try {
            SnakeResult found = runSnake(partJob(job, i, starts[i]), tell, control);
            result.states[i] = inImage(std::move(found.state), part);
            if (i == 0) {
                result.algorithm = std::move(found.algorithm);
                result.moves = found.moves;
            }
        } catch (const Error& error) {
            errors[i] = std::make_unique<Error>(errorOfSnake(error, i, job.snakes.size()));
            for (std::size_t first = failed; i < first && !failed.compare_exchange_weak(first, i);) {
            }
        }
        control.report(static_cast<double>(++finished) / static_cast<double>(job.snakes.size()), "evolution");
    });
    for (const auto& error : errors) {
        if (error) {
            throw Error(*error);
        }
    }
    timer.finish("evolution");
    result.milliseconds = timer.totalMilliseconds();
    result.stages = timer.take();
    return result;
}

} // namespace pollard
