#include "io/image_file.hpp"

#include "channels/derivation.hpp"
#include "io/channels.hpp"
#include "io/derived_image.hpp"
#include "io/foreign_content.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/stated_size.hpp"
#include "io/read_shrunk.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/read_volume.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

namespace pollard {

namespace {

constexpr std::array kColours{"red", "green", "blue"};

/// All formats, in the order of the open dialog.
std::vector<const ImageReader*> readers() {
    return {
        &tiffReader(),  &pngReader(),   &jpegReader(), &jp2Reader(),       &webpReader(),  &pnmReader(),
        &pfmReader(),   &niftiReader(), &nrrdReader(), &metaImageReader(), &dicomReader(),
#ifdef POLLARD_WITH_FITS
        &fitsReader(),
#endif
#ifdef POLLARD_WITH_ZARR
        &zarrReader(),
#endif
#ifdef POLLARD_WITH_OPENSLIDE
        &slideReader(),
#endif
#ifdef POLLARD_WITH_GDAL
        &gdalReader(),
#endif
    };
}

const ImageReader& readerFor(const SourceFile& source, const ReadOptions& options) {
    if (options.raw) {
        return rawReader();
    }
    const std::vector<const ImageReader*> all = readers();
    // From last to first, because slides look like TIFF or JPEG; those that recognise many formats after the others.
    for (const bool isLastResort : {false, true}) {
        const auto found = std::find_if(all.rbegin(), all.rend(), [&](const ImageReader* reader) {
            return reader->isLastResort() == isLastResort && reader->recognisesFile(source);
        });
        if (found != all.rend()) {
            return **found;
        }
    }
    if (const std::string kind = foreignContent(source); !kind.empty()) {
        throw readError(ErrorCode::formatUnknown, source.path, kind);
    }
    std::string names;
    for (const ImageReader* reader : all) {
        names += (names.empty() ? "" : ", ") + reader->filter().name;
    }
    throw readError(ErrorCode::formatUnknown, source.path, "the content is none of " + names);
}

void requireSensible(const SourceFile& source, const ReadOptions& options) {
    if (options.page < 0) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "page " + std::to_string(options.page) + " does not exist, pages count from 0");
    }
    if (options.channel.kind == ChannelChoice::Kind::sample && options.channel.sample < 0) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "channel " + std::to_string(options.channel.sample) + " does not exist, channels count from 0");
    }
    try {
        checkMapping(options.mapping);
    } catch (const Error& error) {
        throw readError(error.code(), source.path, error.what());
    }
    if (options.shrink < 1) {
        throw readError(ErrorCode::invalidArgument, source.path,
                        "shrink by " + std::to_string(options.shrink) + ": must be at least 1");
    }
    if (options.pixelSize) {
        const auto usable = [](double side) { return side > 0 && std::isfinite(side); };
        if (!usable(options.pixelSize->x) || !usable(options.pixelSize->y)) {
            throw readError(ErrorCode::invalidArgument, source.path, "pixel size: must be above 0");
        }
    }
}

/// Applies the region and the shrink factor of the options.
LoadedImage reduced(LoadedImage loaded, bool isRegion, const SourceFile& source, const ReadOptions& options,
                    const JobControl& control) {
    if (options.region && !isRegion) {
        try {
            loaded = cropped(loaded, *options.region, control);
        } catch (const Error& error) {
            throw readError(error.code(), source.path, error.what());
        }
    }
    return options.shrink > 1 ? shrunk(loaded, options.shrink, control) : loaded;
}

/// The options with the page and sample of the named channel. Without one that the file names so, red, green and blue
/// are samples of the page.
ReadOptions samplesOf(const ImageReader& reader, const SourceFile& source, const ReadOptions& options) {
    if (options.channel.name.empty()) {
        return options;
    }
    ReadOptions found = options;
    found.channel = {ChannelChoice::Kind::sample, 0}; // samples of different kinds have no luminance
    const ImageInfo info = reader.info(source, found);
    if (options.channel.kind == ChannelChoice::Kind::sample &&
        std::ranges::find(info.channels, options.channel.name, &Channel::name) == info.channels.end()) {
        found.channel.sample = options.channel.sample;
        return found;
    }
    const std::vector<Channel> channels = channelsOf(info);
    try {
        const Channel& channel = channels[channelNamed(channels, options.channel.name)];
        found.page = channel.page;
        found.channel = {ChannelChoice::Kind::sample, channel.sample};
    } catch (const Error& error) {
        throw readError(error.code(), source.path, error.what());
    }
    return found;
}

/// Notes the name of the channel where a choice of a sample does not tell it.
void noteChannel(const ReadOptions& options, const ReadOptions& samples, ImageInfo& info) {
    const std::vector<Channel> channels = channelsOf(info);
    const std::string& name = options.channel.name;
    const bool isStated =
        !name.empty() && std::ranges::find(info.channels, name, &Channel::name) != info.channels.end();
    const bool isNamed = isStated || options.channel.kind == ChannelChoice::Kind::named;
    const bool onPages = channels.front().page != channels.back().page;
    if (!isNamed && !onPages) {
        return;
    }
    for (const Channel& channel : channels) {
        if (channel.page == info.page && channel.sample == samples.channel.sample) {
            std::erase_if(info.notes, [](const std::string& note) { return note.starts_with("shown: "); });
            info.notes.push_back("shown: " + channel.name + " of " + std::to_string(channels.size()) +
                                 (channels.size() == 1 ? " channel" : " channels"));
        }
    }
}

LoadedImage finished(LoadedImage loaded, const ImageReader& reader, const SourceFile& source,
                     const ReadOptions& options, const JobControl& control) {
    if (options.pixelSize) {
        statePixelSize(loaded.info, *options.pixelSize, 1);
    }
    return reduced(std::move(loaded), reader.readsRegions(), source, options, control);
}

/// As the other one, for an image that the reader made of the samples that stand for the channel of the options.
LoadedImage finished(LoadedImage loaded, const ImageReader& reader, const SourceFile& source,
                     const ReadOptions& options, const ReadOptions& samples, const JobControl& control) {
    loaded = finished(std::move(loaded), reader, source, samples, control);
    if (samples.channel.kind == ChannelChoice::Kind::sample) {
        noteChannel(options, samples, loaded.info);
    }
    return loaded;
}

/// Calls @p read with the reader of the checked file, and turns a lack of memory into an error.
template <class Read> auto withReader(const std::filesystem::path& path, const ReadOptions& options,
                                      const JobControl& control, const Read& read) {
    control.throwIfStopped();
    const SourceFile source = openSource(path);
    requireSensible(source, options);
    try {
        return read(readerFor(source, options), source);
    } catch (const std::bad_alloc&) {
        throw readError(ErrorCode::outOfMemory, path, "not enough memory to decode the image");
    }
}

/// Whether a picture is shrunk in bands.
bool isLarge(const ImageInfo& info, const ReadOptions& options) {
    const std::uint64_t width = options.region ? options.region->width : info.width;
    const std::uint64_t height = options.region ? options.region->height : info.height;
    return width * height >= kShrunkInBandsFrom;
}

/// Regions of a page by a reader that opens the file for each.
class ReopenedRegions final : public RegionReader {
public:
    ReopenedRegions(const ImageReader& reader, const SourceFile& source, const ReadOptions& options)
        : reader_(reader), source_(source), options_(options), info_(reader.info(source, options)) {}

    const ImageInfo& info() const noexcept override { return info_; }
    BlockGrid blocks() const noexcept override { return rowsOf(info_); }
    bool mayHaveGaps() const noexcept override { return reader_.mayHaveGaps(info_); }
    LoadedImage read(const PixelRegion& region, const JobControl& control) override {
        options_.region = region;
        return reader_.read(source_, options_, control);
    }

    /// Rows of about a million pixels.
    static BlockGrid rowsOf(const ImageInfo& info) noexcept {
        constexpr std::uint32_t kPixels = 1U << 20;
        return {info.width, std::clamp(kPixels / info.width, 1U, info.height), 0, 0};
    }

private:
    const ImageReader& reader_;
    const SourceFile& source_;
    ReadOptions options_;
    ImageInfo info_;
};

/// Regions of a computed channel.
class DerivedRegions final : public RegionReader {
public:
    DerivedRegions(std::filesystem::path path, const ReadOptions& options)
        : path_(std::move(path)), options_(options), info_(readDerivedInfo(path_, options)) {}

    const ImageInfo& info() const noexcept override { return info_; }
    BlockGrid blocks() const noexcept override { return ReopenedRegions::rowsOf(info_); }
    bool mayHaveGaps() const noexcept override { return true; }
    LoadedImage read(const PixelRegion& region, const JobControl& control) override {
        options_.region = region;
        return readDerived(path_, options_, control);
    }

private:
    std::filesystem::path path_;
    ReadOptions options_;
    ImageInfo info_;
};

/// Regions of a page with the facts that readImage() adds to those of a reader.
class FinishedRegions final : public RegionReader {
public:
    FinishedRegions(SourceFile source, const ImageReader& reader, const ReadOptions& options)
        : source_(std::move(source)), options_(options), samples_(samplesOf(reader, source_, options)),
          page_(reader.openRegions(source_, samples_)), info_(page_->info()) {
        describe(info_);
    }

    const ImageInfo& info() const noexcept override { return info_; }
    BlockGrid blocks() const noexcept override { return page_->blocks(); }
    bool mayHaveGaps() const noexcept override { return page_->mayHaveGaps(); }
    LoadedImage read(const PixelRegion& region, const JobControl& control) override {
        try {
            LoadedImage loaded = page_->read(region, control);
            describe(loaded.info);
            return loaded;
        } catch (const std::bad_alloc&) {
            throw readError(ErrorCode::outOfMemory, source_.path, "not enough memory to decode the image");
        }
    }

private:
    void describe(ImageInfo& info) const {
        if (options_.pixelSize) {
            statePixelSize(info, *options_.pixelSize, 1);
        }
        if (samples_.channel.kind == ChannelChoice::Kind::sample) {
            noteChannel(options_, samples_, info);
        }
    }

    SourceFile source_;
    ReadOptions options_;
    ReadOptions samples_;
    std::unique_ptr<RegionReader> page_;
    ImageInfo info_;
};

/// A page that is a file of a series.
class PageOfSeries {
public:
    /// Nothing where pages are those of the file. @throws Error
    static std::optional<PageOfSeries> find(const std::filesystem::path& path, const ReadOptions& options) {
        auto series = seriesOf(path, options);
        if (!series) {
            return std::nullopt;
        }
        const std::size_t count = series->files.size();
        if (options.page < 0 || static_cast<std::size_t>(options.page) >= count) {
            throw readError(ErrorCode::invalidArgument, path,
                            "page " + std::to_string(options.page) + " does not exist, the series has " +
                                std::to_string(count) + " pages");
        }
        return PageOfSeries(std::move(*series), options);
    }

    [[nodiscard]] const std::filesystem::path& file() const {
        return series_.files[static_cast<std::size_t>(options_.page)];
    }
    [[nodiscard]] ReadOptions options() const {
        ReadOptions one = options_;
        one.series = false;
        one.page = 0;
        return one;
    }
    void describe(ImageInfo& info) const {
        describeSlices(series_, series_.files.size(), options_.page, options_, info);
    }

private:
    PageOfSeries(SliceFiles series, const ReadOptions& options) : series_(std::move(series)), options_(options) {}

    SliceFiles series_;
    ReadOptions options_;
};

} // namespace

std::vector<LoadedImage> ImageReader::readEach(const SourceFile& source, const ReadOptions& options,
                                               std::span<const ChannelChoice> choices,
                                               const JobControl& control) const {
    std::vector<LoadedImage> images;
    ReadOptions one = options;
    for (const ChannelChoice& choice : choices) {
        one.channel = choice;
        images.push_back(read(source, one, control));
    }
    return images;
}

bool ImageReader::readSlices(const SourceFile&, const ReadOptions&, int, const TakeSlice&, const JobControl&) const {
    return false;
}

std::unique_ptr<RegionReader> ImageReader::openRegions(const SourceFile& source, const ReadOptions& options) const {
    return std::make_unique<ReopenedRegions>(*this, source, options);
}

bool ImageReader::mayHaveGaps(const ImageInfo&) const { return true; }

std::optional<SliceFiles> ImageReader::arranged(std::span<const std::filesystem::path>) const { return std::nullopt; }

std::optional<SliceFiles> ImageReader::seriesOf(const SourceFile&) const { return std::nullopt; }

ChannelChoice ChannelChoice::parse(const std::string& text) {
    if (text == "luminance") {
        return {};
    }
    if (const auto* colour = std::ranges::find(kColours, text); colour != kColours.end()) {
        return {Kind::sample, static_cast<int>(colour - kColours.begin()), text};
    }
    int sample = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, sample);
    if (!text.empty() && error == std::errc{} && stop == end && sample >= 0) {
        return {Kind::sample, sample};
    }
    if (Derivation::isExpression(text)) {
        return {Kind::derived, 0, Derivation::parse(text).text()};
    }
    if (const auto first = static_cast<unsigned char>(text[0]); std::isalpha(first) != 0 || first >= 0x80) {
        return {Kind::named, 0, text};
    }
    throw Error(ErrorCode::invalidArgument, "channel: " + text +
                                                ": must be luminance, red, green, blue, a sample number from 0, the "
                                                "name of a channel or an expression such as nd(3,0)");
}

std::string ChannelChoice::text() const {
    if (kind == Kind::luminance) {
        return "luminance";
    }
    return name.empty() ? std::to_string(sample) : name;
}

LoadedImage readImage(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    if (const auto page = PageOfSeries::find(path, options)) {
        LoadedImage loaded = readImage(page->file(), page->options(), control);
        page->describe(loaded.info);
        return loaded;
    }
    if (options.channel.kind == ChannelChoice::Kind::derived) {
        return readDerived(path, options, control);
    }
    return withReader(path, options, control, [&](const ImageReader& reader, const SourceFile& source) {
        const ReadOptions samples = samplesOf(reader, source, options);
        if (options.shrink > 1 && reader.readsRegions() && isLarge(reader.info(source, samples), options)) {
            return readShrunk(path, options, control);
        }
        return finished(reader.read(source, samples, control), reader, source, options, samples, control);
    });
}

std::unique_ptr<RegionReader> openRegions(const std::filesystem::path& path, const ReadOptions& options) {
    if (const auto page = PageOfSeries::find(path, options)) {
        return openRegions(page->file(), page->options());
    }
    SourceFile source = openSource(path);
    requireSensible(source, options);
    const ImageReader& reader = readerFor(source, options);
    if (!reader.readsRegions()) {
        throw readError(ErrorCode::formatUnsupported, path,
                        reader.filter().name + " files can only be read as a whole; convert it to a tiled TIFF");
    }
    ReadOptions unshrunk = options;
    unshrunk.shrink = 1;
    if (options.channel.kind == ChannelChoice::Kind::derived) {
        if (const Derivation derivation = Derivation::parse(options.channel.name); derivation.usesAllPixels()) {
            throw readError(ErrorCode::formatUnsupported, path,
                            derivation.text() + " follows from all pixels, and can only be read as a whole");
        }
        return std::make_unique<DerivedRegions>(path, unshrunk);
    }
    return std::make_unique<FinishedRegions>(std::move(source), reader, unshrunk);
}

bool readsRegions(const std::filesystem::path& path, const ReadOptions& options) {
    if (const auto page = PageOfSeries::find(path, options)) {
        return readsRegions(page->file(), page->options());
    }
    return options.channel.kind != ChannelChoice::Kind::derived && readerFor(openSource(path), options).readsRegions();
}

bool readSlicesAtOnce(const std::filesystem::path& path, const ReadOptions& options, int count,
                      const ImageReader::TakeSlice& take, const JobControl& control) {
    if (options.channel.kind == ChannelChoice::Kind::derived) {
        return false;
    }
    return withReader(path, options, control, [&](const ImageReader& reader, const SourceFile& source) {
        const ReadOptions samples = samplesOf(reader, source, options);
        return reader.readSlices(
            source, samples, count,
            [&](LoadedImage slice) { take(finished(std::move(slice), reader, source, options, samples, control)); },
            control);
    });
}

std::optional<SliceFiles> arrangedSlices(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    return readerFor(openSource(files.front()), options).arranged(files);
}

std::optional<SliceFiles> seriesOf(const std::filesystem::path& path, const ReadOptions& options) {
    if (!options.series || options.raw) {
        return std::nullopt;
    }
    const SourceFile source = openSource(path);
    return readerFor(source, options).seriesOf(source);
}

std::vector<std::filesystem::path> seriesOf(const std::filesystem::path& path) {
    ReadOptions options;
    options.series = true;
    const auto series = seriesOf(path, options);
    return series ? series->files : std::vector<std::filesystem::path>();
}

void describeSlices(const SliceFiles& files, std::size_t count, int page, const ReadOptions& options, ImageInfo& info) {
    if (files.distance > 0 && info.pixelSize && !(options.pixelSize && options.pixelSize->z > 0)) {
        constexpr double kMillimetre = 1000;
        info.pixelSize->z = files.distance * kMillimetre / micrometresOf(info.pixelSize->unit).value_or(kMillimetre);
    }
    if (files.isSeries) {
        info.pages = static_cast<int>(count);
        info.page = page;
        info.axes = {{'z', info.pages, {}}};
    }
    for (const auto& [name, text] : files.facts) {
        std::erase_if(info.facts, [&name = name](const auto& fact) { return fact.first == name; });
        info.facts.emplace_back(name, text);
    }
    info.notes.insert(info.notes.end(), files.notes.begin(), files.notes.end());
}

std::vector<LoadedImage> readSamples(const std::filesystem::path& path, const ReadOptions& options,
                                     std::span<const int> samples, const JobControl& control) {
    if (const auto page = PageOfSeries::find(path, options)) {
        std::vector<LoadedImage> images = readSamples(page->file(), page->options(), samples, control);
        for (LoadedImage& image : images) {
            page->describe(image.info);
        }
        return images;
    }
    return withReader(path, options, control, [&](const ImageReader& reader, const SourceFile& source) {
        std::vector<ChannelChoice> choices;
        for (const int sample : samples) {
            choices.push_back({ChannelChoice::Kind::sample, sample});
        }
        std::vector<LoadedImage> images;
        ReadOptions one = options;
        one.channel = {ChannelChoice::Kind::sample, samples.empty() ? 0 : samples.front()};
        if (options.shrink > 1 && reader.readsRegions() && isLarge(reader.info(source, one), options)) {
            for (std::size_t i = 0; i < choices.size(); ++i) {
                one.channel = choices[i];
                const double share = 1.0 / static_cast<double>(choices.size());
                images.push_back(readShrunk(path, one, control.part(static_cast<double>(i) * share, share)));
            }
            return images;
        }
        images = reader.readEach(source, options, choices, control);
        for (LoadedImage& image : images) {
            image = finished(std::move(image), reader, source, options, control);
        }
        return images;
    });
}

ImageInfo readImageInfo(const std::filesystem::path& path, const ReadOptions& options) {
    if (const auto page = PageOfSeries::find(path, options)) {
        ImageInfo info = readImageInfo(page->file(), page->options());
        page->describe(info);
        return info;
    }
    const SourceFile source = openSource(path);
    requireSensible(source, options);
    if (options.channel.kind == ChannelChoice::Kind::derived) {
        return readDerivedInfo(path, options);
    }
    const ImageReader& reader = readerFor(source, options);
    ImageInfo info = reader.info(source, samplesOf(reader, source, options));
    if (options.pixelSize) {
        statePixelSize(info, *options.pixelSize, 1);
    }
    return info;
}

std::vector<FormatFilter> readableFormats() {
    std::vector<FormatFilter> filters;
    for (const ImageReader* reader : readers()) {
        filters.push_back(reader->filter());
    }
    return filters;
}

} // namespace pollard
