#include "parts/chunk_trees.hpp"

#include "base/error.hpp"
#include "engine/engine_fallback.hpp"
#include "image/mask_runs.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pollard {

namespace {

/// A copy with the pixels outside a mask at one level.
std::shared_ptr<const Image> withOutside(const Image& image, const Mask& inside, std::uint16_t level) {
    auto out = std::make_shared<Image>(image.type(), image.extent());
    std::memcpy(out->data(), image.data(), image.bytes());
    dispatch(image.type(), [&]<class T>(T) {
        for (std::uint32_t y = 0; y < inside.height(); ++y) {
            T* row = out->pixels<T>().data() + std::size_t{y} * image.width();
            forEachRun(inside, y, false, [&](std::uint32_t first, std::uint32_t last) {
                std::fill(row + first, row + last, static_cast<T>(level));
            });
        }
    });
    return out;
}

/// The box with the pixels around it, within the picture.
ChunkBox surroundingsOf(const ChunkBox& box, const Extent& whole) {
    const std::uint32_t x = box.x - std::min(box.x, 1U);
    const std::uint32_t y = box.y - std::min(box.y, 1U);
    return {x,
            y,
            box.z,
            {std::min(whole.width, box.x + box.extent.width + 1) - x,
             std::min(whole.height, box.y + box.extent.height + 1) - y, box.extent.slices}};
}

std::size_t bytesOf(const LoadedChunk& chunk) noexcept {
    const bool hasMask = chunk.loaded.valid != nullptr;
    return chunk.tree->bytes() + (hasMask ? chunk.loaded.image->bytes() + chunk.loaded.valid->bytes() : 0);
}

} // namespace

ChunkTrees::ChunkTrees(const PartJob& job, ChunkReader reader, ChunkTreeOptions options)
    : job_(job), reader_(std::move(reader)), options_(std::move(options)), reserve_(options_.reserveBytes) {
    if (options_.engines.empty()) {
        throw Error(ErrorCode::engineUnavailable, "filter in chunks: there is no engine");
    }
}

std::string ChunkTrees::engine() const { return built_ == 0 ? std::string() : options_.engines.front()->name(); }

LoadedChunk ChunkTrees::take(std::uint64_t chunk, std::optional<std::uint64_t> next, const JobControl& control) {
    control.throwIfStopped();
    const auto found =
        std::ranges::find_if(kept_, [&](const LoadedChunk& each) { return each.tree->chunk() == chunk; });
    if (found != kept_.end()) {
        LoadedChunk kept = std::move(*found);
        kept_.erase(found);
        keptBytes_ -= bytesOf(kept);
        return kept;
    }
    LoadedChunk taken;
    if (ahead_ == chunk) {
        ahead_.reset();
        taken.loaded = reading_.get();
    } else {
        if (std::exchange(ahead_, std::nullopt)) {
            (void)reading_.get();
        }
        taken.loaded = read(chunk, control);
    }
    const ChunkImage image = imageOf(chunk, taken.loaded, control); // may read, and so precedes readAhead()
    if (next && !isKept(*next)) {
        readAhead(*next, control);
    }
    taken.tree = build(image, control);
    return taken;
}

void ChunkTrees::keep(LoadedChunk chunk) {
    keptBytes_ += bytesOf(chunk);
    kept_.push_back(std::move(chunk));
    while (!kept_.empty() && keptBytes_ > options_.keptBytes) {
        keptBytes_ -= bytesOf(kept_.front());
        kept_.pop_front();
    }
}

bool ChunkTrees::isKept(std::uint64_t chunk) const {
    return std::ranges::any_of(kept_, [&](const LoadedChunk& each) { return each.tree->chunk() == chunk; });
}

LoadedImage ChunkTrees::read(std::uint64_t chunk, const JobControl& control) const {
    return reader_.read(job_.grid.boxOf(chunk), control.withoutProgress());
}

void ChunkTrees::readAhead(std::uint64_t chunk, const JobControl& control) {
    ahead_ = chunk;
    reading_ =
        std::async(std::launch::async, [this, chunk, quiet = control.withoutProgress()] { return read(chunk, quiet); });
}

ChunkImage ChunkTrees::imageOf(std::uint64_t chunk, const LoadedImage& loaded, const JobControl& control) const {
    const auto inside = [&](const LoadedImage& from) {
        return from.valid ? withOutside(*from.image, *from.valid, reader_.outsideLevel) : from.image;
    };
    ChunkImage image{chunk, inside(loaded), nullptr};
    if (job_.needs.has<OutlineTotals>()) {
        image.surroundings =
            inside(reader_.read(surroundingsOf(job_.grid.boxOf(chunk), job_.grid.whole()), control.withoutProgress()));
    }
    return image;
}

std::unique_ptr<ChunkTree> ChunkTrees::build(const ChunkImage& image, const JobControl& control) {
    std::unique_ptr<ChunkTree> tree;
    Engine* built = nullptr;
    onFirstThatWorks(
        options_.engines,
        [&](Engine& engine) {
            if (&engine != options_.engines.front() || session_ == nullptr) {
                session_ = engine.openSession(options_.session);
            }
            tree = std::make_unique<ChunkTree>(job_, image, *session_, options_.algorithm, control);
            built = &engine;
        },
        noting(options_.note));
    while (options_.engines.front() != built) { // engines that failed are not asked again
        options_.engines.erase(options_.engines.begin());
    }
    ++built_;
    return tree;
}

} // namespace pollard
