#include "snake_pages.hpp"

#include "progress_line.hpp"
#include "snake_frames.hpp"
#include "start_contours.hpp"
#include "thread_arena.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "io/result_tags.hpp"
#include "io/tiff_writer.hpp"
#include "snake/contour_mask.hpp"
#include "snake/snake_group.hpp"
#include "snake/trace_file.hpp"

#include <memory>
#include <optional>
#include <string>

namespace pollard::cli {

namespace {

/// The pixels of an image that are not 0.
Mask maskIn(const LoadedImage& loaded) {
    const Image& image = *loaded.image;
    Mask mask(image.width(), image.height(), false);
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            mask.set(x, y, image.level(std::size_t{y} * image.width() + x) != 0);
        }
    }
    return mask;
}

std::vector<Contour> nodesOf(const SnakePage& page) {
    std::vector<Contour> nodes;
    for (const SnakeState& state : page.contours) {
        nodes.push_back(state.nodes);
    }
    return nodes;
}

class SnakeJob {
public:
    SnakeJob(const SnakeOptions& options, const Context& context, ProgressLine& progress)
        : options_(options), context_(context), progress_(progress), spec_(options.spec()),
          arena_(context.common.threads) {
        for (const std::string& start : options.starts) {
            for (Contour& contour : parseStart(start)) {
                starts_.push_back(std::move(contour));
            }
        }
        checkRegions();
    }

    [[nodiscard]] SnakeOutcome run() {
        if (!options_.forbidden.empty()) {
            ImageOptions mask = options_.image;
            mask.image = options_.forbidden;
            forbidden_ = maskIn(loadImage(mask, context_, progress_));
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
        StageTimer timer;
        SnakePage found;
        found.page = page;
        arena_.execute([&] {
            SnakeGroup group(std::make_shared<const RowSums>(loaded.image, loaded.valid.get(), control), starts_, spec_,
                             forbidden_ ? &*forbidden_ : nullptr);
            if (frames_) {
                frames_->start(*loaded.image, loaded.valid.get());
                frames_->add(group);
            }
            for (std::size_t i = 0; trace_ && i < group.size(); ++i) {
                trace_->add(group.state(i), keyOf(page, i), control);
            }
            while (group.advance(control)) {
                if (trace_) {
                    trace_->add(group.state(group.last()), keyOf(page, group.last()), control);
                }
                if (frames_) {
                    frames_->add(group);
                }
            }
            if (frames_) {
                frames_->finish(group);
            }
            for (std::size_t i = 0; i < group.size(); ++i) {
                found.contours.push_back(group.state(i));
            }
            found.background = group.background();
            found.energy = group.energy();
        });
        timer.finish("snake");
        found.milliseconds = timer.totalMilliseconds();
        starts_ = nodesOf(found);
        outcome_.pages.push_back(std::move(found));
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
    std::optional<Mask> forbidden_;
    std::optional<TraceFile> trace_;
    std::optional<SnakeFrames> frames_;
    std::vector<CarriedTag> tags_;
    SnakeOutcome outcome_;
};

} // namespace

SnakeOutcome runSnake(const SnakeOptions& options, const Context& context, ProgressLine& progress) {
    return SnakeJob(options, context, progress).run();
}

} // namespace pollard::cli
