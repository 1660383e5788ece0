#include "parts/chunk_part.hpp"
#include "parts/merge_parts.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace pollard {
namespace {

/// The result of a filter in both ways.
struct Outcome {
    std::vector<std::uint16_t> pixels;
    std::vector<std::uint64_t> labels;
    std::uint64_t kept = 0;

    bool operator==(const Outcome&) const = default;
};

std::vector<std::uint16_t> levelsOf(const Image& image) {
    std::vector<std::uint16_t> levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    return levels;
}

void setLevel(Image& image, std::size_t pixel, std::uint16_t level) {
    dispatch(image.type(), [&]<class T>(T) { image.pixels<T>()[pixel] = static_cast<T>(level); });
}

/// The chunk with some pixels around it, within the picture.
std::shared_ptr<const Image> cut(const Image& whole, const ChunkBox& box, std::uint32_t around) {
    const auto first = [&](std::uint32_t at) { return at - std::min(at, around); };
    const std::uint32_t x = first(box.x);
    const std::uint32_t y = first(box.y);
    const std::uint32_t right = std::min(whole.width(), box.x + box.extent.width + around);
    const std::uint32_t bottom = std::min(whole.height(), box.y + box.extent.height + around);
    auto image = std::make_shared<Image>(whole.type(), Extent{right - x, bottom - y, box.extent.slices});
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        const Voxel at = voxelAt(static_cast<std::uint32_t>(p), image->extent());
        setLevel(*image, p,
                 whole.level((std::size_t{box.z + at.z} * whole.height() + y + at.y) * whole.width() + x + at.x));
    }
    return image;
}

/// Filters an image in parts that are merged in a random order.
class PartsFilter {
public:
    PartsFilter(const Image& image, const PartJob& job, std::mt19937& random)
        : image_(image), job_(job), random_(random), session_(engine_->openSession()) {}

    Outcome run() {
        for (std::uint64_t chunk = 0; chunk < job_.grid.count(); ++chunk) {
            const ChunkBox box = job_.grid.boxOf(chunk);
            chunks_.push_back(std::make_unique<ChunkTree>(
                job_, ChunkImage{chunk, cut(image_, box, 0), cut(image_, box, 1)}, *session_, "", JobControl{}));
            outcome_.kept += 0;
            nodes_.push_back({chunks_.back()->part({}), {}, {}, {}});
        }
        std::vector<std::size_t> live(chunks_.size());
        std::iota(live.begin(), live.end(), std::size_t{0});
        while (live.size() > 1) {
            std::ranges::shuffle(live, random_);
            const std::size_t count = 2 + random_() % std::min<std::size_t>(live.size() - 1, 4);
            merge(live, count);
        }
        EXPECT_TRUE(nodes_[live.front()].part.isWhole());
        EXPECT_EQ(nodes_[live.front()].part.nodeCount(), 0U);
        outcome_.pixels.resize(image_.pixelCount());
        components_.resize(image_.pixelCount());
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            spread(i);
        }
        label();
        return std::move(outcome_);
    }

private:
    struct Node {
        Part part;
        MergeStep step;
        std::vector<std::size_t> inputs;
        PartResults results;
    };

    void merge(std::vector<std::size_t>& live, std::size_t count) {
        Node merged;
        std::vector<const Part*> parts;
        for (std::size_t i = 0; i < count; ++i) {
            merged.inputs.push_back(live.back());
            parts.push_back(&nodes_[live.back()].part);
            live.pop_back();
        }
        merged.part = mergeParts(job_, parts, merged.step);
        live.push_back(nodes_.size());
        nodes_.push_back(std::move(merged));
    }

    void spread(std::size_t i) {
        Node& node = nodes_[i];
        if (i < chunks_.size()) {
            write(*chunks_[i], chunks_[i]->resultsOf(node.results, outcome_.kept));
            return;
        }
        std::vector<PartResults> results = resultsOf(job_, node.step, node.results, outcome_.kept);
        for (std::size_t k = 0; k < results.size(); ++k) {
            nodes_[node.inputs[k]].results = std::move(results[k]);
        }
    }

    void write(const ChunkTree& chunk, const PartResults& results) {
        const ChunkBox box = job_.grid.boxOf(chunk.chunk());
        for (std::uint32_t p = 0; p < chunk.tree().pixelCount(); ++p) {
            const Voxel at = voxelAt(p, box.extent);
            const std::uint64_t whole = job_.grid.pixel(box.x + at.x, box.y + at.y, box.z + at.z);
            const NodeResult result = results.at(chunk.tree().pixelNode[p]);
            const std::uint16_t filtered = job_.levelAt(result.height);
            switch (job_.filter.output) {
            case Output::filtered:
                outcome_.pixels[whole] = filtered;
                break;
            case Output::residue:
                outcome_.pixels[whole] = static_cast<std::uint16_t>(std::abs(image_.level(whole) - filtered));
                break;
            case Output::mask:
                outcome_.pixels[whole] = (result.flags & NodeResult::kMarked) != 0 ? maxLevelOf(image_.type()) : 0;
                break;
            case Output::labels:
                components_[whole] = result.component;
                break;
            }
        }
    }

    void label() {
        if (job_.filter.output != Output::labels) {
            return;
        }
        std::vector<std::uint64_t> firsts = components_;
        std::ranges::sort(firsts);
        firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
        for (const std::uint64_t component : components_) {
            const auto at = std::ranges::lower_bound(firsts, component) - firsts.begin();
            outcome_.labels.push_back(component == NodeResult::kNone ? 0 : static_cast<std::uint64_t>(at) + 1);
        }
    }

    const Image& image_;
    const PartJob& job_;
    std::mt19937& random_;
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_;
    std::vector<std::unique_ptr<ChunkTree>> chunks_;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> components_;
    Outcome outcome_;
};

Outcome inOnePiece(const std::shared_ptr<const Image>& image, const PartJob& job) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->openImage(image);
    (void)session->buildTree({job.kind, job.connectivity, "", {}});
    Image out(image->type(), image->extent());
    Outcome outcome;
    outcome.kept = session->filter(job.filter, out).keptNodes;
    if (job.filter.output == Output::labels) {
        const LabelImage labels = session->labels(job.filter);
        outcome.labels.assign(labels.labels.begin(), labels.labels.end());
        outcome.pixels.resize(image->pixelCount());
    } else {
        outcome.pixels = levelsOf(out);
    }
    return outcome;
}

class RandomJobs {
public:
    explicit RandomJobs(unsigned seed) : random_(seed) {}

    std::mt19937& random() { return random_; }
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

    std::shared_ptr<Image> image(const Extent& extent) {
        const PixelType type = below(2) == 0 ? PixelType::u8 : PixelType::u16;
        auto image = std::make_shared<Image>(type, extent);
        const std::uint32_t levels = std::vector<std::uint32_t>{2, 3, 6, 40, 256}[below(5)];
        const std::uint32_t step = type == PixelType::u16 ? 257 : 1;
        const bool smooth = below(2) == 0;
        for (std::size_t p = 0; p < image->pixelCount(); ++p) {
            std::uint32_t level = below(levels);
            if (smooth && p > 0 && below(3) != 0) {
                const std::size_t from = p >= extent.width && below(2) == 0 ? p - extent.width : p - 1;
                level = image->level(from) / step;
            }
            setLevel(*image, p, static_cast<std::uint16_t>(level * step));
        }
        return image;
    }

    PartJob job(const Image& image, bool isVolume) {
        static constexpr std::array kPicture{Connectivity::four, Connectivity::eight};
        static constexpr std::array kVolume{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
        const Extent& e = image.extent();
        const Extent chunk{1 + below(e.width), 1 + below(e.height), 1 + below(e.slices)};
        return partJob(ChunkGrid(e, chunk), image.type(), below(2) == 0 ? TreeKind::max : TreeKind::min,
                       isVolume ? kVolume[below(3)] : kPicture[below(2)], filter(isVolume));
    }

    FilterSpec filter(bool isVolume) {
        std::vector<AttributeId> measured;
        for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
            if (isMeasuredInParts(info.id, isVolume)) {
                measured.push_back(info.id);
            }
        }
        FilterSpec spec;
        const std::uint32_t count = below(4);
        for (std::uint32_t i = 0; i < count; ++i) {
            Criterion criterion{measured[below(static_cast<std::uint32_t>(measured.size()))], {}, {}, {}};
            // Powers of two around the usual values, from the smallest to the largest attributes.
            criterion.minimum = std::ldexp(1.0, static_cast<int>(below(14)) - 4);
            criterion.maximum = below(2) == 0 ? criterion.minimum * 8 : std::numeric_limits<double>::infinity();
            if (below(4) == 0) {
                std::swap(criterion.minimum, criterion.maximum);
                criterion.minimum = -criterion.minimum;
            }
            spec.criteria.push_back(criterion);
        }
        spec.match = kAllMatches[below(2)];
        spec.rule = kAllRules[below(5)];
        spec.output = kAllOutputs[below(4)];
        return spec;
    }

private:
    std::mt19937 random_;
};

std::string describe(const PartJob& job) {
    std::string out = std::string(nameOf(job.filter.rule)) + ", " + std::string(nameOf(job.filter.output)) + ", " +
                      text(job.grid.whole()) + " in " + text(job.grid.chunkExtent()) + ", " +
                      std::to_string(static_cast<int>(job.connectivity)) + " neighbours, " +
                      std::string(nameOf(job.filter.match));
    for (const Criterion& criterion : job.filter.criteria) {
        out += ", " + toString(criterion);
    }
    return out;
}

TEST(Parts, EqualTheWholeForRandomPicturesChunksAndOrders) {
    const int count = testing::repeats(3000);
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(24), 1 + jobs.below(24)});
        const PartJob job = jobs.job(*image, false);
        ASSERT_EQ(PartsFilter(*image, job, jobs.random()).run(), inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

TEST(Parts, EqualTheWholeForRandomVolumes) {
    const int count = testing::repeats(1500);
    for (int i = 0; i < count; ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(9), 1 + jobs.below(9), 2 + jobs.below(6)});
        const PartJob job = jobs.job(*image, true);
        ASSERT_EQ(PartsFilter(*image, job, jobs.random()).run(), inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

} // namespace
} // namespace pollard
