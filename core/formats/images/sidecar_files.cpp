#include "base/error.hpp"
#include "image/mask.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/no_data.hpp"
#include "io/samples/row_sink.hpp"

#ifdef POLLARD_WITH_GDAL
#include "formats/gdal/gdal_dataset.hpp"
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

namespace fs = std::filesystem;

std::string upperCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

/// The first of the files that there is; empty without one.
fs::path firstOf(const std::vector<fs::path>& files) {
    const auto exists = [](const fs::path& file) {
        std::error_code failed;
        return fs::is_regular_file(file, failed) && fs::file_size(file, failed) > 0;
    };
    const auto found = std::ranges::find_if(files, exists);
    return found == files.end() ? fs::path() : *found;
}

/// A sidecar file whose ending, in small or capital letters, replaces or follows the ending of the image.
fs::path inPlace(const fs::path& image, const std::vector<std::string>& endings) {
    std::vector<fs::path> files;
    for (const std::string& ending : endings) {
        for (const std::string& written : {ending, upperCase(ending)}) {
            files.push_back(fs::path(image).replace_extension(written));
        }
    }
    return firstOf(files);
}

fs::path after(const fs::path& image, const char* ending) {
    return firstOf({fs::path(image) += ending, fs::path(image) += upperCase(ending)});
}

std::string contentOf(const fs::path& file) {
    constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
    std::error_code failed;
    std::string text(std::min<std::uintmax_t>(fs::file_size(file, failed), kMostBytes), '\0');
    const FilePointer stream = openForReading(file);
    text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
    return text;
}

/// The sidecar files of an image.
struct SidecarFiles {
    fs::path world;   ///< six numbers: the map from pixels
    fs::path system;  ///< of its coordinates
    fs::path aux;     ///< of GDAL, if it states a place or a no-data value
    fs::path mask;    ///< a TIFF: 0 marks pixels without data
    fs::path reduced; ///< a TIFF of reduced versions

    explicit SidecarFiles(const fs::path& image)
        : aux(after(image, ".aux.xml")), mask(after(image, ".msk")), reduced(after(image, ".ovr")) {
        const std::string ending = image.extension().string();
        std::vector<std::string> endings{".wld"};
        if (ending.size() > 2) {
            endings.insert(endings.begin(), {std::string{'.', ending[1], ending.back(), 'w'}, ending + 'w'});
        }
        world = inPlace(image, endings);
        system = inPlace(image, {".prj"});
        if (!aux.empty()) {
            const std::string text = contentOf(aux);
            const auto states = [&](const char* element) { return text.find(element) != std::string::npos; };
            statesPlace = states("<GeoTransform") || states("<SRS") || states("<GCPList");
            statesNoData = states("<NoDataValue");
            statesScale = states("<Scale>") || states("<Offset>") || states("<UnitType>");
        }
    }

    [[nodiscard]] bool any() const { return !world.empty() || isAuxRead() || !mask.empty() || !reduced.empty(); }

    /// Whether aux states anything that is read.
    [[nodiscard]] bool isAuxRead() const noexcept { return statesPlace || statesNoData || statesScale; }

    bool statesPlace = false; ///< aux does
    bool statesNoData = false;
    bool statesScale = false; ///< or an offset, or a unit of values
};

bool isGeoTag(const CopiedTag& tag) {
    constexpr std::array<std::uint16_t, 6> kPlace{kModelPixelScaleTag, kModelTiepointTag,   kModelTransformationTag,
                                                  kGeoKeyDirectoryTag, kGeoDoubleParamsTag, kGeoAsciiParamsTag};
    return std::ranges::find(kPlace, tag.tag) != kPlace.end();
}

ImageInfo tiffFacts(const SourceFile& file, int page) {
    ReadOptions options;
    options.page = page;
    return tiffReader().open(file, options, PageUse::facts)->info();
}

LoadedImage readTiff(const SourceFile& file, const ReadOptions& options, const JobControl& control) {
    return tiffReader().open(file, options, PageUse::pixels)->read(control);
}

/// A page with the facts of its sidecar files.
class SidecarPage final : public FilePage {
public:
    SidecarPage(const ImageReader& reader, const SourceFile& source, const ReadOptions& options, PageUse use)
        : FilePage(source, options), reader_(reader), use_(use), files_(source.path) {
        ReadOptions full = options;
        full.level = 0;
        own_ = factsOf(files_.reduced.empty() ? options : full);
        if (options.level > 0 && !own_.levels.empty()) {
            own_ = factsOf(options);
        }
        info_ = own_;
        if (own_.orientation != 1) {
            notRead("the image is turned");
        } else {
            findPlace();
            findLevels();
            findMask();
        }
        if (use == PageUse::regions && !isReduced()) {
            page_ = reader.open(source, options_, use);
            blocks_ = page_->blocks();
            mayHaveGaps_ = page_->mayHaveGaps();
            if (!reader.keepsOpen) {
                page_.reset();
            }
        }
    }

    BlockGrid blocks() const override { return blocks_ ? *blocks_ : FilePage::blocks(); }
    bool mayHaveGaps() const override { return mask_ || noData_ || options_.noData || mayHaveGaps_; }

    LoadedImage read(const JobControl& control) override {
        LoadedImage loaded = pixels(control);
        complete(loaded, control);
        return loaded;
    }

    std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels, const JobControl& control) override {
        std::vector<LoadedImage> images;
        if (!isReduced()) {
            images = reader_.open(source_, options_, use_)->readEach(channels, control);
        }
        const bool isOneByOne = images.empty();
        for (std::size_t i = 0; i < channels.size(); ++i) {
            options_.channel = channels[i];
            if (isOneByOne) {
                images.push_back(pixels(control));
            }
            complete(images[i], control);
        }
        return images;
    }

private:
    [[nodiscard]] ImageInfo factsOf(const ReadOptions& options) const {
        return reader_.open(source_, options, PageUse::facts)->info();
    }
    /// Whether pixels come from the file of reduced versions.
    [[nodiscard]] bool isReduced() const noexcept { return options_.level > 0 && !levels_.empty(); }
    /// Whether an image is the region of the options.
    [[nodiscard]] bool isRegion() const noexcept { return options_.region && reader_.readsRegions; }

    /// The image of the reader, or of the file of reduced versions.
    [[nodiscard]] LoadedImage pixels(const JobControl& control) {
        if (isReduced()) {
            return readReduced(control);
        }
        const std::unique_ptr<FilePage> opened = page_ ? nullptr : reader_.open(source_, options_, use_);
        FilePage& page = page_ ? *page_ : *opened;
        return options_.region ? page.readRegion(*options_.region, control) : page.read(control);
    }

    /// Adds the facts and the mask of the files to an image.
    void complete(LoadedImage& loaded, const JobControl& control) const {
        ImageInfo info = info_;
        info.mapping = loaded.info.mapping;
        info.masksByAlpha = loaded.info.masksByAlpha;
        info.calibration = loaded.info.calibration ? loaded.info.calibration
                           : scaling_.empty()      ? info_.calibration
                                                   : calibrationBeside();
        if (info.mapping) { // the no-data value is a stored value, not a level
            std::erase_if(info.carried, [](const CopiedTag& tag) { return tag.tag == kGdalNoDataTag; });
        }
        if (isRegion()) {
            info.carried = cropTags(std::move(info.carried), *options_.region, 1);
        }
        // Notes of the reader are about the pixels, too, such as the channel that is shown.
        info.notes = isReduced() ? own_.notes : loaded.info.notes;
        std::ranges::copy_if(info_.notes, std::back_inserter(info.notes), [this](const std::string& note) {
            return std::ranges::find(own_.notes, note) == own_.notes.end();
        });
        loaded.info = std::move(info);
        markPixels(loaded, control);
    }

    void notRead(const std::string& why) {
        std::string names;
        for (const fs::path* file : {&files_.world, &files_.aux, &files_.mask, &files_.reduced}) {
            const bool counts = file != &files_.aux || files_.isAuxRead();
            if (!file->empty() && counts) {
                names += (names.empty() ? "" : ", ") + file->filename().string();
            }
        }
        info_.notes.push_back(names + " beside the image is not read: " + why);
    }
    void note(const fs::path& file, const std::string& text) {
        info_.notes.push_back(file.filename().string() + " beside the image " + text);
    }
    void takenFrom(const fs::path& file, const std::string& what) {
        info_.facts.emplace_back("From " + file.filename().string(), what);
    }

    void findPlace() {
        const bool takesWorld = !files_.world.empty() && !geoTransform(own_.carried);
        if (!takesWorld && !files_.isAuxRead()) {
            return;
        }
        const fs::path& file = files_.isAuxRead() ? files_.aux : files_.world;
#ifdef POLLARD_WITH_GDAL
        try {
            takePlace(gdalPlace(source_, takesWorld ? files_.system : fs::path()), file, takesWorld);
        } catch (const Error& error) {
            note(file, std::string("is not read: ") + error.what());
        }
#else
        note(file, "is not read: this build has no GDAL");
#endif
    }

    void takePlace(const std::vector<CopiedTag>& tags, const fs::path& file, bool takesWorld) {
        if ((takesWorld || files_.statesPlace) && std::ranges::any_of(tags, isGeoTag)) {
            std::erase_if(info_.carried, isGeoTag);
            std::ranges::copy_if(tags, std::back_inserter(info_.carried), isGeoTag);
            if (info_.pixelSize && (info_.pixelSize->source == "GeoTIFF" || info_.pixelSize->print)) {
                info_.pixelSize.reset();
            }
            describePlace();
            takenFrom(file, "place on the map");
        }
        const bool hasOwn =
            std::ranges::any_of(own_.carried, [](const CopiedTag& t) { return t.tag == kGdalNoDataTag; });
        if (files_.statesNoData && !hasOwn) {
            takeNoData(noDataOf(tags));
        }
        if (files_.statesScale && !own_.calibration) {
            scaling_ = tags;
            info_.calibration = calibrationBeside();
            if (info_.calibration) {
                takenFrom(files_.aux, "scale of values");
            }
        }
    }

    /// Scale and unit that a sidecar file states for the channel of the options.
    [[nodiscard]] std::optional<Calibration> calibrationBeside() const {
        const bool isSample = options_.channel.kind == ChannelChoice::Kind::sample;
        if (scaling_.empty() || own_.photometric == "Palette" || (own_.samples > 1 && !isSample)) {
            return std::nullopt;
        }
        return bandCalibration(scaling_, std::array{isSample ? options_.channel.sample : 0});
    }

    /// Replaces earlier facts by the facts of the geographic tags.
    void describePlace() {
        for (const char* const name : {"Coordinate system", "Upper left corner", "Map units per pixel"}) {
            std::erase_if(info_.facts, [&](const auto& fact) { return fact.first == name; });
        }
        ImageInfo geo;
        geo.carried = info_.carried;
        std::erase_if(geo.carried, [](const CopiedTag& tag) { return tag.tag == kGdalNoDataTag; });
        geo.pixelSize = info_.pixelSize;
        describeGeoTags(geo);
        std::ranges::move(geo.facts, std::back_inserter(info_.facts));
        info_.pixelSize = geo.pixelSize;
        info_.spacing = geo.pixelSize ? std::nullopt : geo.spacing;
    }

    void takeNoData(const std::optional<NoData>& value) {
        if (!value) {
            return;
        }
        const std::string text = factNumber(value->number);
        constexpr int kLevelBits = 16;
        if (own_.sampleFormat == "unsigned" && own_.bits <= kLevelBits && own_.photometric == "MinIsBlack") {
            noData_ = levelOfNoData(*value);
        } else if (own_.sampleFormat != "unsigned" || own_.bits > kLevelBits) {
            options_.noData = value;
        } else {
            note(files_.aux, "states the no-data value " + text + ", which is not applied: samples are no grey levels");
            return;
        }
        takenFrom(files_.aux, "no-data value " + text);
    }

    void findLevels() {
        if (files_.reduced.empty() || !own_.levels.empty()) {
            return;
        }
        try {
            const SourceFile file = openSource(files_.reduced);
            const ImageInfo first = tiffFacts(file, 0);
            levels_ = {{own_.width, own_.height}};
            if (first.pages > 1) {
                for (int page = 0; page < first.pages; ++page) {
                    const ImageInfo info = tiffFacts(file, page);
                    addLevel({info.width, info.height});
                }
            } else {
                const std::vector<ResolutionLevel> all{{first.width, first.height}};
                std::ranges::for_each(first.levels.empty() ? all : first.levels, [this](auto& l) { addLevel(l); });
            }
            pagesAreLevels_ = first.pages > 1;
        } catch (const Error& error) {
            levels_.clear();
            note(files_.reduced, std::string("is not read: ") + error.what());
            return;
        }
        info_.levels = levels_;
        requireIndex(source_.path, "level", options_.level, levels_.size(), "page");
        takeLevel();
    }

    void addLevel(const ResolutionLevel& level) {
        const ResolutionLevel& last = levels_.back();
        if (level.width > last.width || level.height > last.height || level == last) {
            throw Error(ErrorCode::formatUnsupported, "its images are no reduced versions");
        }
        levels_.push_back(level);
    }

    /// The facts of the level of the options.
    void takeLevel() {
        const ResolutionLevel& full = levels_.front();
        const ResolutionLevel& level = levels_[static_cast<std::size_t>(options_.level)];
        info_.level = options_.level;
        info_.width = level.width;
        info_.height = level.height;
        if (options_.level > 0) {
            scalePixels(info_, full.width, full.height, static_cast<double>(full.width) / level.width,
                        static_cast<double>(full.height) / level.height);
        }
    }

    [[nodiscard]] LoadedImage readReduced(const JobControl& control) const {
        ReadOptions level = options_;
        level.page = pagesAreLevels_ ? options_.level - 1 : 0;
        level.level = pagesAreLevels_ ? 0 : options_.level - 1;
        if (!isRegion()) {
            level.region.reset();
        }
        return readTiff(openSource(files_.reduced), level, control);
    }

    void findMask() {
        if (files_.mask.empty()) {
            return;
        }
        try {
            SourceFile file = openSource(files_.mask);
            const ImageInfo info = tiffFacts(file, 0);
            if (info.width != own_.width || info.height != own_.height || own_.pages != 1 ||
                (options_.level > 0 && !isReduced())) {
                throw Error(ErrorCode::formatUnsupported, "it has another size than the page");
            }
            mask_ = std::move(file);
            takenFrom(files_.mask, "pixels without data");
        } catch (const Error& error) {
            note(files_.mask, std::string("is not read: ") + error.what());
        }
    }

    /// The columns or rows of the full page that a range of columns or rows of a level covers.
    struct Span {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        double scale = 1;
        std::uint32_t begin = 0; ///< of the level

        Span(std::uint32_t at, std::uint32_t length, double scaling, std::uint32_t whole)
            : first(static_cast<std::uint32_t>(at * scaling)), scale(scaling), begin(at) {
            const auto end = static_cast<std::uint32_t>(std::ceil((at + length) * scaling));
            count = std::min(end, whole) - first;
        }
        [[nodiscard]] std::uint32_t at(std::uint32_t place) const {
            return std::min(static_cast<std::uint32_t>((begin + place) * scale) - first, count - 1);
        }
    };

    void markPixels(LoadedImage& loaded, const JobControl& control) const {
        const Image& image = *loaded.image;
        loaded.info.invalidPixels = loaded.valid ? image.pixelCount() - loaded.valid->count() : 0;
        if (!mask_ && !noData_) {
            return;
        }
        const auto scaleOf = [&](std::uint32_t ResolutionLevel::*side) {
            return isReduced() ? static_cast<double>(levels_.front().*side) /
                                     levels_[static_cast<std::size_t>(options_.level)].*side
                               : 1.0;
        };
        const Span columns(isRegion() ? options_.region->x : 0, image.width(), scaleOf(&ResolutionLevel::width),
                           own_.width);
        const Span rows(isRegion() ? options_.region->y : 0, image.height(), scaleOf(&ResolutionLevel::height),
                        own_.height);
        std::shared_ptr<const Image> mask;
        if (mask_) {
            ReadOptions part;
            part.region = PixelRegion{columns.first, rows.first, columns.count, rows.count};
            part.channel = {ChannelChoice::Kind::sample, 0};
            mask = readTiff(*mask_, part, control.withoutProgress()).image;
        }
        Mask valid(image.width(), image.height(), true);
        for (std::uint32_t y = 0; y < image.height(); ++y) {
            for (std::uint32_t x = 0; x < image.width(); ++x) {
                const std::size_t pixel = std::size_t{y} * image.width() + x;
                const bool isOut =
                    (mask && mask->level(std::size_t{rows.at(y)} * columns.count + columns.at(x)) == 0) ||
                    (noData_ && image.level(pixel) == *noData_) || (loaded.valid && !loaded.valid->test(x, y));
                if (isOut) {
                    valid.set(x, y, false);
                }
            }
        }
        const std::uint64_t marked = image.pixelCount() - valid.count();
        if (marked > 0) {
            loaded.valid = std::make_shared<const Mask>(std::move(valid));
            loaded.info.invalidPixels = marked;
        }
    }

    const ImageReader& reader_;
    PageUse use_;
    SidecarFiles files_;
    ImageInfo own_;                       ///< of the reader
    std::unique_ptr<FilePage> page_;      ///< of the reader, kept for regions if it keeps pages open
    std::optional<BlockGrid> blocks_;     ///< of the reader's page, for regions
    bool mayHaveGaps_ = true;             ///< the reader's page
    std::vector<ResolutionLevel> levels_; ///< empty: the levels of the reader
    bool pagesAreLevels_ = false;         ///< in the file of reduced versions
    std::optional<SourceFile> mask_;
    std::optional<std::uint16_t> noData_; ///< level
    std::vector<CopiedTag> scaling_;      ///< of the sidecar file
};

/// A reader, and a reader for its images with sidecar files.
struct SidecarReader {
    const ImageReader* own;
    ImageReader beside;
};

template <const ImageReader& (*reader)()> SidecarReader sidecarReader() {
    ImageReader beside = reader();
    beside.open = [](const SourceFile& source, const ReadOptions& options, PageUse use) -> std::unique_ptr<FilePage> {
        return std::make_unique<SidecarPage>(reader(), source, options, use);
    };
    beside.keepsOpen = true;
    return {&reader(), beside};
}

} // namespace

const ImageReader& withSidecarFiles(const ImageReader& reader, const SourceFile& source) {
    static const std::array known{sidecarReader<tiffReader>(), sidecarReader<pngReader>(),  sidecarReader<jpegReader>(),
                                  sidecarReader<jp2Reader>(),  sidecarReader<webpReader>(), sidecarReader<pnmReader>()};
    const auto* const found = std::ranges::find(known, &reader, &SidecarReader::own);
    const bool isFile = source.content.empty();
    return found != known.end() && isFile && SidecarFiles(source.path).any() ? found->beside : reader;
}

} // namespace pollard
