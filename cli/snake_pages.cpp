#include "snake_pages.hpp"

#include "progress_line.hpp"
#include "snake_frames.hpp"
#include "start_contours.hpp"
#include "thread_arena.hpp"
#include "tree_job.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "image/levels_mask.hpp"
#include "io/result_tags.hpp"
#include "io/tiff_writer.hpp"
#include "snake/apart_snakes.hpp"
#include "snake/contour_mask.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_job.hpp"
#include "snake/trace_file.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

std::vector<Contour> nodesOf(const SnakeGroup& group) {
    std::vector<Contour> nodes;
    for (std::size_t i = 0; i < group.size(); ++i) {
        nodes.push_back(group.state(i).nodes);
    }
    return nodes;
}

std::vector<Contour> nodesOf(const SnakePage& page) {
    std::vector<Contour> nodes;
    for (const SnakeState& state : page.contours) {
        nodes.push_back(state.nodes);
    }
    return nodes;
}

class SnakePages {
public:
    SnakePages(const SnakeOptions& options, const Context& context, ProgressLine& progress)
        : options_(options), context_(context), progress_(progress), spec_(options.spec()),
          arena_(context.common.threads) {
        for (const std::string& start : options.starts) {
            for (Contour& contour : parseStart(start)) {
                starts_.push_back(std::move(contour));
            }
        }
        checkRegions();
        // No other engine has a name for its moves that the CPU has, and none moves one node after another.
        const bool isSequential = spec_.moves == SnakeMoves::sequential && options.algorithm.empty();
        algorithm_ = isSequential ? std::string(nameOf(spec_.moves)) : options.algorithm;
        engines_ = enginesWith(context, algorithm_, kSnakeJob);
        if (starts_.size() > 1 && !options.apart) {
            engines_ = {requireGroupEngine()};
        }
    }

    [[nodiscard]] SnakeOutcome run() {
        if (!options_.forbidden.empty()) {
            ImageOptions mask = options_.image;
            mask.image = options_.forbidden;
            forbidden_ = std::make_shared<const Mask>(maskOfOthers(*loadImage(mask, context_, progress_).image, 0));
        }
        if (!options_.trace.empty()) {
            trace_.emplace(options_.trace, keyOf(0, 0));
        }
        if (!options_.frames.empty()) {
            frames_.emplace(options_.frames, options_.frameStep);
        }
        const ImageArgument first = parseImageArgument(options_.image.image);
        for (int page = first.page, end = first.page + 1; page < end; ++page) {
            ImageOptions image = options_.image;
            if (page > first.page) {
                image.image = first.path.string() + '[' + std::to_string(page) + ']';
            }
            LoadedImage loaded = loadImage(image, context_, progress_);
            if (page == first.page) {
                outcome_ = {loaded.image->width(),
                            loaded.image->height(),
                            bitsOf(loaded.image->type()),
                            usedMaxStep(spec_, loaded.image->width(), loaded.image->height()),
                            {},
                            {},
                            {},
                            {}};
                tags_ = resultTags(loaded.info, ResultValues::others);
            } else if (loaded.image->width() != outcome_.width || loaded.image->height() != outcome_.height) {
                throw Error(ErrorCode::invalidArgument,
                            image.image + ": it has " + std::to_string(loaded.image->width()) + " x " +
                                std::to_string(loaded.image->height()) + " px, the page before " +
                                std::to_string(outcome_.width) + " x " + std::to_string(outcome_.height));
            }
            end = options_.follow ? loaded.info.pages : end;
            try {
                evolve(loaded, page);
            } catch (const Error& error) {
                throw Error(error.code(), image.image + ": " + error.what());
            }
        }
        arena_.execute([&] { writeFiles(progress_.control("writing", context_.stop)); });
        return std::move(outcome_);
    }

private:
    void checkRegions() const {
        if (!options_.roi.empty() && !namesRoiSet(options_.roi) && (options_.follow || starts_.size() > 1)) {
            throw UsageError("--roi: '" + options_.roi + "': several contours need a name that ends in .zip");
        }
    }
    /// The engine that moves several contours on one image; it is made of the moves alone.
    [[nodiscard]] Engine* requireGroupEngine() {
        const auto found = std::ranges::find_if(engines_, [](const Engine* engine) { return engine->name() == "cpu"; });
        if (found == engines_.end()) {
            throw UsageError("--init: several contours evolve on the engine cpu alone");
        }
        if (!algorithm_.empty()) {
            spec_.moves =
                *std::ranges::find_if(kSnakeMoves, [&](SnakeMoves moves) { return nameOf(moves) == algorithm_; });
        }
        return *found;
    }
    [[nodiscard]] TraceKey keyOf(int page, std::size_t contour) const {
        TraceKey key;
        if (options_.follow) {
            key.page = page;
        }
        if (starts_.size() > 1) {
            key.contour = static_cast<std::uint32_t>(contour + 1);
        }
        return key;
    }

    void evolve(const LoadedImage& loaded, int page) {
        const JobControl control = progress_.control("evolving the contour", context_.stop);
        SnakePage found;
        found.page = page;
        arena_.execute([&] {
            if (frames_) {
                frames_->start(*loaded.image, loaded.valid.get());
            }
        });
        if (options_.apart) {
            evolveApart(loaded, found, control);
        } else if (starts_.size() == 1) {
            evolveOne(loaded, found, control);
        } else {
            evolveGroup(loaded, found, control);
        }
        starts_ = nodesOf(found);
        outcome_.pages.push_back(std::move(found));
    }

    /// By the first engine that can. One that takes over takes the same states from the start again.
    void evolveOne(const LoadedImage& loaded, SnakePage& found, const JobControl& control) {
        const SnakeJob job{loaded.image, loaded.valid, starts_.front(), spec_, forbidden_, algorithm_};
        std::size_t written = 0;
        SnakeResult result;
        onFirstThatWorks(engines_, context_, [&](Engine& engine) {
            std::size_t told = 0;
            const auto listener = [&](const SnakeState& state) {
                if (++told > written) {
                    written = told;
                    write(state, found.page, 0, control, {&state.nodes, 1});
                }
                return true;
            };
            outcome_.engine = engine.name();
            result = arena_.execute([&] { return engine.runSnake(job, listener, control); });
        });
        outcome_.algorithm = result.algorithm;
        outcome_.moves = nameOf(result.moves);
        if (frames_) {
            frames_->finish({&result.state.nodes, 1});
        }
        found.background = result.state.outside;
        found.energy = result.state.energy;
        found.milliseconds = result.milliseconds;
        found.contours.push_back(std::move(result.state));
    }

    /// By the first engine that can. What is written is in the order of the contours, whoever came first.
    void evolveApart(const LoadedImage& loaded, SnakePage& found, const JobControl& control) {
        ApartSnakesJob job{loaded.image, loaded.valid, {}, spec_, forbidden_, algorithm_};
        for (const Contour& start : starts_) {
            job.snakes.push_back({partAround(start, *options_.apart, outcome_.width, outcome_.height), start});
        }
        std::vector<std::vector<SnakeState>> states(starts_.size());
        ApartSnakesResult result;
        onFirstThatWorks(engines_, context_, [&](Engine& engine) {
            ApartSnakesListener listener;
            if (trace_ || frames_) {
                std::ranges::for_each(states, [](auto& each) { each.clear(); });
                listener = [&](std::size_t snake, const SnakeState& state) { states[snake].push_back(state); };
            }
            outcome_.engine = engine.name();
            result = arena_.execute([&] { return engine.runApartSnakes(job, listener, control); });
        });
        outcome_.algorithm = result.algorithm;
        outcome_.moves = nameOf(result.moves);
        writeApart(states, found.page, control);
        for (SnakeState& state : result.states) {
            found.background += state.outside;
            found.energy += state.energy;
            found.contours.push_back(std::move(state));
        }
        found.milliseconds = result.milliseconds;
    }

    /// The trace contour by contour; in a picture all contours after as many changes each.
    void writeApart(const std::vector<std::vector<SnakeState>>& states, int page, const JobControl& control) {
        std::size_t most = 0;
        for (std::size_t i = 0; i < states.size(); ++i) {
            most = std::max(most, states[i].size());
            for (const SnakeState& state : states[i]) {
                if (trace_) {
                    trace_->add(state, keyOf(page, i), control);
                }
            }
        }
        std::vector<Contour> contours(states.size());
        for (std::size_t round = 0; frames_ && round < most; ++round) {
            control.throwIfStopped();
            for (std::size_t i = 0; i < states.size(); ++i) {
                contours[i] = states[i][std::min(round, states[i].size() - 1)].nodes;
            }
            frames_->add(contours);
        }
        if (frames_) {
            frames_->finish(contours);
        }
    }

    void write(const SnakeState& state, int page, std::size_t contour, const JobControl& control,
               std::span<const Contour> contours) {
        if (trace_) {
            trace_->add(state, keyOf(page, contour), control);
        }
        if (frames_) {
            frames_->add(contours);
        }
    }

    void evolveGroup(const LoadedImage& loaded, SnakePage& found, const JobControl& control) {
        StageTimer timer;
        arena_.execute([&] {
            SnakeGroup group(std::make_shared<const RowSums>(loaded.image, loaded.valid.get(), control), starts_, spec_,
                             forbidden_.get());
            if (frames_) {
                frames_->add(nodesOf(group));
            }
            for (std::size_t i = 0; trace_ && i < group.size(); ++i) {
                trace_->add(group.state(i), keyOf(found.page, i), control);
            }
            while (group.advance(control)) {
                write(group.state(group.last()), found.page, group.last(), control, nodesOf(group));
            }
            if (frames_) {
                frames_->finish(nodesOf(group));
            }
            for (std::size_t i = 0; i < group.size(); ++i) {
                found.contours.push_back(group.state(i));
            }
            found.background = group.background();
            found.energy = group.energy();
        });
        timer.finish("snake");
        found.milliseconds = timer.totalMilliseconds();
        outcome_.engine = engines_.front()->name();
        outcome_.algorithm = nameOf(spec_.moves);
        outcome_.moves = nameOf(spec_.moves);
    }

    [[nodiscard]] Image maskOf(const SnakePage& page, const JobControl& control) const {
        const std::vector<Contour> nodes = nodesOf(page);
        return nodes.size() == 1 ? contourMask(nodes.front(), outcome_.width, outcome_.height, control)
                                 : contourLabels(nodes, outcome_.width, outcome_.height);
    }

    void writeFiles(const JobControl& control) {
        std::vector<FiledContour> contours;
        for (const SnakePage& page : outcome_.pages) {
            for (std::size_t i = 0; i < page.contours.size(); ++i) {
                contours.push_back({page.contours[i].nodes, static_cast<std::uint32_t>(i + 1),
                                    options_.follow ? std::optional(page.page) : std::nullopt});
            }
        }
        if (!options_.mask.empty()) {
            const auto source = [&](int page, const JobControl& writing) {
                return WrittenPage{
                    std::make_shared<const Image>(maskOf(outcome_.pages[static_cast<std::size_t>(page)], writing)), {}};
            };
            writeTiffPages(options_.mask, static_cast<int>(outcome_.pages.size()), source,
                           {.deflate = true, .carried = tags_}, control);
        }
        if (!options_.geojson.empty()) {
            writeContourGeojson(options_.geojson, contours, control);
        }
        if (!options_.svg.empty()) {
            writeContourSvg(options_.svg, contours, outcome_.width, outcome_.height, options_.image.image, control);
        }
        if (!options_.roi.empty()) {
            writeContourRois(options_.roi, contours, control);
        }
        if (trace_) {
            trace_->commit();
        }
    }

    const SnakeOptions& options_;
    const Context& context_;
    ProgressLine& progress_;
    SnakeSpec spec_;
    ThreadArena arena_;
    std::vector<Contour> starts_; ///< of the next page
    std::string algorithm_;
    std::vector<Engine*> engines_; ///< the preferred one first
    std::shared_ptr<const Mask> forbidden_;
    std::optional<TraceFile> trace_;
    std::optional<SnakeFrames> frames_;
    std::vector<CarriedTag> tags_;
    SnakeOutcome outcome_;
};

} // namespace

SnakeOutcome runSnake(const SnakeOptions& options, const Context& context, ProgressLine& progress) {
    return SnakePages(options, context, progress).run();
}

} // namespace pollard::cli
