#pragma once

#include "base/error.hpp"
#include "chunks/part_job.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace pollard::testing {

/// The result of a filter in both ways.
struct Outcome {
    std::vector<std::uint16_t> pixels;
    std::vector<std::uint64_t> labels;
    std::uint64_t kept = 0;
    std::uint64_t nodes = 0;   ///< not compared
    std::uint64_t changed = 0; ///< not compared

    bool operator==(const Outcome& other) const {
        return pixels == other.pixels && labels == other.labels && kept == other.kept;
    }
};

inline std::vector<std::uint16_t> levelsOf(const Image& image) {
    std::vector<std::uint16_t> levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    return levels;
}

inline void setLevel(Image& image, std::size_t pixel, std::uint16_t level) {
    dispatch(image.type(), [&]<class T>(T) { image.pixels<T>()[pixel] = static_cast<T>(level); });
}

/// The chunk with some pixels around it, within the image.
inline std::shared_ptr<const Image> cut(const Image& whole, const ChunkBox& box, std::uint32_t around) {
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

inline Outcome inOnePiece(const std::shared_ptr<const Image>& image, const PartJob& job) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(image);
    (void)session->buildTree({job.kind, job.connectivity, "", {}});
    Image out(image->type(), image->extent());
    Outcome outcome;
    const FilterReport report = session->filter(job.filter, out);
    outcome.kept = report.keptNodes;
    outcome.nodes = report.keptNodes + report.removedNodes;
    outcome.changed = report.changedPixels;
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
        static constexpr std::array kImage{Connectivity::four, Connectivity::eight};
        static constexpr std::array kVolume{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
        const Extent& e = image.extent();
        const Extent chunk{1 + below(e.width), 1 + below(e.height), 1 + below(e.slices)};
        return partJob(ChunkGrid(e, chunk), image.type(), below(2) == 0 ? TreeKind::max : TreeKind::min,
                       isVolume ? kVolume[below(3)] : kImage[below(2)], filter(isVolume));
    }

    FilterSpec filter(bool isVolume) {
        std::vector<AttributeId> measured;
        const bool ofAncestors = below(3) == 0; // few attributes depend on ancestors
        for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
            if (isMeasuredInChunks(info.id, isVolume) &&
                (!ofAncestors || dependsOnAncestors(info.id) || below(10) == 0)) {
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
        if (below(4) == 0) {
            spec.prominent = Prominent{kAllProminences[below(3)], 1 + (below(2) == 0 ? below(4) : below(40))};
        }
        spec.match = kAllMatches[below(2)];
        spec.rule = kAllRules[below(5)];
        spec.output = kAllOutputs[below(4)];
        return spec;
    }

private:
    std::mt19937 random_;
};

inline std::string describe(const PartJob& job) {
    std::string out = std::string(nameOf(job.filter.rule)) + ", " + std::string(nameOf(job.filter.output)) + ", " +
                      text(job.grid.whole()) + " in " + text(job.grid.chunkExtent()) + ", " +
                      std::to_string(static_cast<int>(job.connectivity)) + " neighbours, " +
                      std::string(nameOf(job.filter.match));
    if (job.filter.prominent) {
        out += ", the " + std::to_string(job.filter.prominent->count) + " of largest " +
               std::string(nameOf(job.filter.prominent->measure));
    }
    for (const Criterion& criterion : job.filter.criteria) {
        out += ", " + toString(criterion);
    }
    return out;
}

} // namespace pollard::testing
