#pragma once

#include "core/io/io_support.hpp"

#include "formats/tiff/tiff_decode.hpp"
#include "formats/tiff/tiff_pixels.hpp"

#include <cstring>

namespace pollard::test {

inline SourceFile sourceOf(const std::filesystem::path& path) {
    SourceFile source{path, std::filesystem::file_size(path), {}};
    const std::string bytes = readBytes(path).substr(0, SourceFile::kHeadBytes);
    source.head.resize(bytes.size());
    std::memcpy(source.head.data(), bytes.data(), bytes.size());
    return source;
}

/// Values of the first page before the mapping.
inline ValueBuffer storedValues(const SourceFile& source, const TiffPage& page, const ValuePlan& plan) {
    const PixelRegion all{0, 0, page.facts.width, page.facts.height};
    ValueBuffer values(plan.type(), all.width, all.height);
    GapMap gaps(all.width, all.height);
    decodeTiff(source, page, locatePixels(source, page, TiffBlocks::of(page.facts, all)),
               {all, [&] { return std::make_unique<ValueRows>(plan, values, gaps); }}, {});
    return values;
}

/// One sample of all pixels of the first page as stored, in host byte order: widened to whole bytes, not rotated,
/// inverted or mapped.
inline std::string storedSample(const std::filesystem::path& path, int sample) {
    const SourceFile source = sourceOf(path);
    TiffPage page = openTiffPage(source, {});
    const TiffFacts& facts = page.facts;
    const PixelRegion all{0, 0, facts.width, facts.height};
    if (!facts.hasLevels()) {
        const ValuePlan plan{{sample}, facts.kind, facts.decodedBits, -1, std::nullopt};
        const ValueBuffer values = storedValues(source, page, plan);
        return {static_cast<const char*>(values.grid().data), values.bytes()};
    }
    GreyPlan plan;
    plan.samples = {sample};
    plan.bits = facts.decodedBits;
    plan.type = plan.bits > 8 ? PixelType::u16 : PixelType::u8;
    Image image(plan.type, facts.width, facts.height);
    const TiffStorage storage = locatePixels(source, page, TiffBlocks::of(facts, all));
    decodeTiff(source, page, storage, {all, [&] { return std::make_unique<GreyRows>(source, plan, image); }}, {});
    return {reinterpret_cast<const char*>(image.data()), image.bytes()};
}

/// All samples, interleaved.
inline std::string storedSamples(const std::filesystem::path& path, int samples) {
    std::vector<std::string> planes;
    for (int sample = 0; sample < samples; ++sample) {
        planes.push_back(storedSample(path, sample));
    }
    const LoadedImage loaded = readImage(path);
    const std::size_t pixels = loaded.image->pixelCount();
    const std::size_t bytes = planes[0].size() / pixels;
    std::string out;
    for (std::size_t i = 0; i < pixels; ++i) {
        for (const std::string& plane : planes) {
            out.append(plane, i * bytes, bytes);
        }
    }
    return out;
}

} // namespace pollard::test
