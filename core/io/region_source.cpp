#include "io/region_source.hpp"

#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/value_image.hpp"
#include "io/samples/value_statistics.hpp"
#include "json/json_members.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

namespace pollard {

namespace {

using Range = MappingChoice::Range;

/// FNV-1a, finished by a mixing of bits.
class Hash {
public:
    void add(std::string_view bytes) noexcept {
        for (const char byte : bytes) {
            value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100'0000'01b3ULL;
        }
        addNumber(bytes.size());
    }
    template <class Number> void addNumber(Number number) noexcept {
        for (auto bits = static_cast<std::uint64_t>(number), i = std::uint64_t{0}; i < 8; ++i, bits >>= 8) {
            value_ = (value_ ^ (bits & 0xff)) * 0x100'0000'01b3ULL;
        }
    }
    void addReal(double number) noexcept { addNumber(std::bit_cast<std::uint64_t>(number)); }
    [[nodiscard]] std::uint64_t value() const noexcept {
        std::uint64_t mixed = value_ ^ value_ >> 32;
        mixed *= 0xd6e8'feb8'6659'fd93ULL;
        return mixed ^ mixed >> 32;
    }

private:
    std::uint64_t value_ = 0xcbf2'9ce4'8422'2325ULL;
};

void addOptions(const ReadOptions& options, Hash& hash) {
    hash.addNumber(options.page);
    hash.addNumber(options.level);
    hash.add(options.channel.text());
    hash.addNumber(options.channel.kind);
    hash.addNumber(options.mapping.range);
    const bool hasEnds = options.mapping.range == Range::percentile || options.mapping.range == Range::fixed;
    hash.addReal(hasEnds ? options.mapping.low : 0);
    hash.addReal(hasEnds ? options.mapping.high : 0);
    if (options.mapping.proportional) {
        hash.add("proportional");
    }
    const PixelRegion region = options.region.value_or(PixelRegion{});
    for (const std::uint32_t number : {region.x, region.y, region.width, region.height}) {
        hash.addNumber(number);
    }
    if (options.ignoreAlpha) {
        hash.add("without alpha");
    }
    hash.addNumber(options.raw.has_value());
    const RawLayout raw = options.raw.value_or(RawLayout{});
    hash.addNumber(raw.width);
    hash.addNumber(raw.height);
    hash.addNumber(raw.type);
    hash.addNumber(raw.bigEndian);
    hash.addNumber(raw.samples);
    hash.addNumber(raw.offset);
    if (options.slices) {
        hash.addNumber(options.slices->first);
        hash.addNumber(options.slices->count);
    }
}

void addFile(const std::filesystem::path& path, Hash& hash) {
    const SourceFile source = openSource(path);
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    if (error) {
        throw readError(ErrorCode::fileUnreadable, path, error.message());
    }
    hash.addNumber(source.size);
    hash.addNumber(std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
    hash.add({reinterpret_cast<const char*>(source.head.data()), source.head.size()});
}

} // namespace

std::uint64_t identityOf(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    Hash hash;
    for (const std::filesystem::path& file : files) {
        addFile(file, hash);
    }
    addOptions(options, hash);
    return hash.value();
}

namespace {

using Range = MappingChoice::Range;

/// Pixels that a pass reads at once.
std::uint64_t partPixelsOf(const ReadLimits& limits) {
    constexpr std::uint64_t kMost = 1U << 24;
    constexpr std::uint64_t kPixelBytes = 16; // of values and levels
    const std::uint64_t byMemory = limits.maxDecodedBytes != 0 ? limits.maxDecodedBytes / kPixelBytes : kMost;
    return std::max<std::uint64_t>(1, std::min({kMost, limits.maxPixels, byMemory}));
}

/// The grid seen from a place of the page.
BlockGrid seenFrom(const BlockGrid& grid, const PixelRegion& area) {
    const auto shifted = [](std::uint32_t before, std::uint32_t offset, std::uint32_t side) {
        return static_cast<std::uint32_t>((std::uint64_t{before} + offset) % side);
    };
    return {grid.width, grid.height, shifted(grid.left, area.x, grid.width), shifted(grid.top, area.y, grid.height)};
}

/// Length of the parts of a side: whole blocks if any fit @p most.
std::uint32_t partOf(std::uint32_t block, std::uint64_t most) {
    const std::uint64_t part = most < block ? most : most / block * block;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(part, 1, UINT32_MAX));
}

/// The end of the part that begins at @p first; only the first part can be shorter than @p part, so that the others
/// begin with a block.
std::uint32_t endOfPart(std::uint32_t first, std::uint32_t before, std::uint32_t part, std::uint32_t side) {
    const std::uint64_t end = std::uint64_t{first} + part - (first == 0 ? before % part : 0);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(end, side));
}

/// An image of a file.
class ImageRegions final : public RegionSource {
public:
    ImageRegions(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control);

    void prepare(const JobControl& control) override;
    std::string facts() const override;
    void prepareBy(const std::string& facts) override;
    LoadedImage readBox(const PixelRegion& region, const SliceRange& slices, const JobControl& control) override;

private:
    using Take = std::function<void(const LoadedImage& region)>;

    [[nodiscard]] LoadedImage readCorner(const JobControl& control) {
        return page_->readRegion({area_.x, area_.y, 1, 1}, control);
    }
    [[nodiscard]] int passesNeeded() const;
    [[nodiscard]] PixelRegion inPage(const PixelRegion& region) const;
    void readAll(int pass, const JobControl& control, const Take& take);
    void findValues(const JobControl& control);
    void findLevels(const JobControl& control);
    void takeLevels(const ValidLevels& all);
    void findPixels(const JobControl& control);
    void ignoreAlpha();
    void finishPasses(const JobControl& control);

    std::filesystem::path path_;
    ReadOptions options_;
    std::shared_ptr<ValueStatistics> statistics_ = std::make_shared<ValueStatistics>();
    std::unique_ptr<FilePage> page_;
    PixelRegion area_; ///< of the page
    std::uint64_t partPixels_ = 1;
    bool hasValues_ = false;            ///< mapped to levels
    bool isHidden_ = false;             ///< by alpha, which is ignored then
    std::optional<ValidLevels> levels_; ///< that a pass found
};

ImageRegions::ImageRegions(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control)
    : path_(path), partPixels_(partPixelsOf(options.limits)) {
    control.throwIfStopped();
    if (options.shrink != 1) {
        throw readError(ErrorCode::invalidArgument, path, "an image that is read in regions cannot be shrunk");
    }
    identity_ = identityOf({&path, 1}, options);
    options_ = options;
    options_.statistics = statistics_;
    page_ = openPage(path, options_, PageUse::regions);
    info_ = page_->info();
    area_ = wantedRegion(path, options.region, info_.width, info_.height);
    extent_ = {area_.width, area_.height, 1};
    placeRegion(info_, area_);
    blocks_ = seenFrom(page_->blocks(), area_);
    statistics_->beginPass(true);
    const LoadedImage corner = readCorner(control);
    type_ = corner.image->type();
    hasValues_ = statistics_->type().has_value();
    passes_ = passesNeeded();
    statistics_->clear();
    if (passes_ == 0) {
        info_.mapping = hasValues_ ? readCorner(control).info.mapping : corner.info.mapping;
    }
}

int ImageRegions::passesNeeded() const {
    if (!hasValues_) {
        return page_->mayHaveGaps() ? 1 : 0;
    }
    const MappingChoice& choice = statistics_->choice();
    const ValueType type = *statistics_->type();
    const ValueType stored = statistics_->stored().value_or(type);
    const bool isReal = type == ValueType::f32 || type == ValueType::f64;
    const bool dependsOnAll = !(choice.range == Range::fixed || keepsType(choice, stored));
    return isReal || page_->mayHaveGaps() || dependsOnAll ? passesOver(type, choice) : 0;
}

PixelRegion ImageRegions::inPage(const PixelRegion& region) const {
    const PixelRegion checked = wantedRegion(path_, region, area_.width, area_.height);
    return {area_.x + checked.x, area_.y + checked.y, checked.width, checked.height};
}

LoadedImage ImageRegions::readBox(const PixelRegion& region, const SliceRange& /*slices*/, const JobControl& control) {
    if (!isPrepared()) {
        throw readError(ErrorCode::invalidArgument, path_,
                        "a region cannot be read before the passes over the whole image");
    }
    control.throwIfStopped();
    LoadedImage box = page_->readRegion(inPage(region), control);
    if (passes_ > 0 && !hasValues_) {
        box.info.mapping = info_.mapping; // with the counts and the range of all
    }
    return box;
}

void ImageRegions::readAll(int pass, const JobControl& control, const Take& take) {
    const std::uint64_t blockHeight = std::min(blocks_.height, area_.height);
    const std::uint32_t width =
        partOf(blocks_.width, std::max<std::uint64_t>(partPixels_ / blockHeight, blocks_.width));
    const std::uint32_t partWidth = static_cast<std::uint32_t>(std::min<std::uint64_t>(width, partPixels_));
    std::uint32_t partHeight = partOf(blocks_.height, partPixels_ / std::min(partWidth, area_.width));
    if (blocks_.width < area_.width) {
        partHeight = std::max(partHeight, blocks_.height); // rows of a tile cannot be decoded apart
    }
    const double all = static_cast<double>(area_.width) * area_.height;
    double done = 0;
    for (std::uint32_t y = 0; y < area_.height;) {
        const std::uint32_t bottom = endOfPart(y, blocks_.top, partHeight, area_.height);
        for (std::uint32_t x = 0; x < area_.width;) {
            const std::uint32_t right = endOfPart(x, blocks_.left, partWidth, area_.width);
            control.throwIfStopped();
            take(page_->readRegion(inPage({x, y, right - x, bottom - y}), control.withoutProgress()));
            done += static_cast<double>(right - x) * (bottom - y);
            control.report(std::min(1.0, (pass + done / all) / passes_), kPassStage);
            x = right;
        }
        y = bottom;
    }
}

void ImageRegions::findValues(const JobControl& control) {
    passes_ = collectValues(
        *statistics_, [&] { (void)readCorner(control.withoutProgress()); },
        [&](int pass) { readAll(pass, control, [](const LoadedImage&) {}); });
    const std::uint64_t invalid = invalidValues(*statistics_);
    if (invalid > 0) {
        auto levels = levelEndsOf(*statistics_);
        if (levels && turnsLevels(info_.calibration)) {
            const auto mapping = readCorner(control.withoutProgress()).info.mapping;
            const std::uint16_t last = lastLevelOf(mapping.value_or(ValueMapping{}), type_);
            levels = LevelEnds{static_cast<std::uint16_t>(last - levels->largest),
                               static_cast<std::uint16_t>(last - levels->smallest)};
        }
        validLevels_ = ValidLevels{invalid, !levels, levels ? levels->smallest : std::uint16_t{0},
                                   levels ? levels->largest : std::uint16_t{0}};
    }
}

void ImageRegions::findLevels(const JobControl& control) {
    ValidLevels all;
    info_.mapping.reset();
    readAll(0, control, [&](const LoadedImage& region) {
        all.join(validLevelsOf(region));
        addValues(info_.mapping, region.info.mapping);
    });
    takeLevels(all);
}

/// The levels of all pixels that have data.
void ImageRegions::takeLevels(const ValidLevels& all) {
    levels_ = all;
    if (all.invalid > 0) {
        validLevels_ = all;
    }
}

void ImageRegions::findPixels(const JobControl& control) {
    validLevels_.reset();
    if (hasValues_) {
        findValues(control);
    } else {
        findLevels(control);
    }
    const bool isPage = area_.width == page_->info().width && area_.height == page_->info().height;
    isHidden_ = isPage && validLevels_ && validLevels_->none && page_->info().masksByAlpha;
}

/// Alpha that is 0 everywhere is not used.
void ImageRegions::ignoreAlpha() {
    statistics_->clear();
    options_.ignoreAlpha = true;
    page_ = openPage(path_, options_, PageUse::regions);
    info_.notes = page_->info().notes;
    noteUnusedAlpha(info_);
}

void ImageRegions::prepare(const JobControl& control) {
    if (isPrepared()) {
        return;
    }
    try {
        findPixels(control);
        if (isHidden_) {
            ignoreAlpha();
            findPixels(control);
            isHidden_ = true;
        }
    } catch (...) {
        statistics_->clear();
        throw;
    }
    finishPasses(control);
    control.report(1.0, kPassStage);
}

void ImageRegions::finishPasses(const JobControl& control) {
    isPrepared_ = true;
    if (hasValues_ || !info_.mapping) {
        info_.mapping = readCorner(control.withoutProgress()).info.mapping;
    }
    if (hasValues_) {
        noteLostValues(statistics_->choice(), info_);
    }
    info_.invalidPixels = validLevels_ ? validLevels_->invalid : 0;
}

std::string ImageRegions::facts() const {
    if (passes_ == 0 || !isPrepared_) {
        return {};
    }
    nlohmann::ordered_json json;
    if (hasValues_) {
        json["values"] = jsonOf(*statistics_);
    }
    if (const auto& all = info_.mapping; all && !hasValues_) {
        json["counts"] = {all->nan, all->infinite, all->clipped};
        json["ends"] = {all->minimum, all->maximum};
        json["exact"] = all->exact;
    }
    if (const auto& levels = !hasValues_ && info_.mapping && levels_ ? levels_ : validLevels_) {
        json["levels"] = {levels->invalid, levels->none, levels->smallest, levels->largest};
    }
    if (isHidden_) {
        json["alpha"] = "unused";
    }
    return json.is_null() ? "{}" : json.dump();
}

void ImageRegions::prepareBy(const std::string& facts) {
    if (isPrepared()) {
        return;
    }
    try {
        const nlohmann::json json = parseJson(facts, "facts of an image", {});
        if (json.contains("alpha")) {
            isHidden_ = true;
            ignoreAlpha();
        }
        if (hasValues_) {
            statistics_->beginPass(true);
            (void)readCorner({});
            const auto type = statistics_->type();
            const MappingChoice choice = statistics_->choice();
            setStatistics(json.at("values"), *statistics_);
            if (statistics_->type() != type || statistics_->choice() != choice) {
                throw readError(ErrorCode::invalidArgument, path_, "the facts are of another image");
            }
        }
        if (const auto counts = json.find("counts"); counts != json.end()) {
            info_.mapping = readCorner({}).info.mapping.value_or(ValueMapping{});
            info_.mapping->nan = counts->at(0).get<std::uint64_t>();
            info_.mapping->infinite = counts->at(1).get<std::uint64_t>();
            info_.mapping->clipped = counts->at(2).get<std::uint64_t>();
            info_.mapping->minimum = json.at("ends").at(0).get<double>();
            info_.mapping->maximum = json.at("ends").at(1).get<double>();
            info_.mapping->exact = json.at("exact").get<bool>();
        }
        if (const auto levels = json.find("levels"); levels != json.end()) {
            takeLevels({levels->at(0).get<std::uint64_t>(), levels->at(1).get<bool>(),
                        levels->at(2).get<std::uint16_t>(), levels->at(3).get<std::uint16_t>()});
        }
    } catch (const nlohmann::json::exception&) {
        statistics_->clear();
        throw readError(ErrorCode::invalidArgument, path_, "the facts are of another image");
    } catch (...) {
        statistics_->clear();
        throw;
    }
    finishPasses({});
}

} // namespace

std::unique_ptr<RegionSource> openRegions(const std::filesystem::path& path, const ReadOptions& options,
                                          const JobControl& control) {
    return std::make_unique<ImageRegions>(path, options, control);
}

} // namespace pollard
