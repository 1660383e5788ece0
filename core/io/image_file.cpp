#include "io/image_file.hpp"

#include "channels/derivation.hpp"
#include "io/channels.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_image.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/projection.hpp"
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
        &tiffReader(),  &pngReader(),   &jpegReader(), &jp2Reader(),       &webpReader(), &pnmReader(),
        &pfmReader(),   &niftiReader(), &nrrdReader(), &metaImageReader(), &npyReader(),  &dicomReader(),
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
    // From last to first, because slides look like TIFF or JPEG; readers of many formats after the others.
    for (const bool isLastResort : {false, true}) {
        const auto found = std::find_if(all.rbegin(), all.rend(), [&](const ImageReader* reader) {
            return reader->isLastResort == isLastResort && reader->recognises(source);
        });
        if (found != all.rend()) {
            return withSidecarFiles(**found, source);
        }
    }
    if (const std::string kind = foreignContent(source); !kind.empty()) {
        throw readError(ErrorCode::formatUnknown, source.path, kind);
    }
    std::string names;
    for (const ImageReader* reader : all) {
        names += (names.empty() ? "" : ", ") + reader->filter.name;
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
    namingFile(source.path, [&] { checkMapping(options.mapping); });
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

/// Sets the axes that the options state.
void takeAxes(const SourceFile& source, const ReadOptions& options, ImageInfo& info) {
    if (!options.axes.empty()) {
        namingFile(source.path, [&] { stateAxes(options.axes, info); });
    }
}

/// The options with the page and sample of the named channel. Without one that the file names so, red, green and blue
/// are samples of the page.
ReadOptions samplesOf(const ImageReader& reader, const SourceFile& source, const ReadOptions& options) {
    if (options.channel.name.empty()) {
        return options;
    }
    ReadOptions found = options;
    found.channel = {ChannelChoice::Kind::sample, 0}; // samples of different kinds have no luminance
    ImageInfo info = reader.open(source, found, PageUse::facts)->info();
    takeAxes(source, options, info);
    if (options.channel.kind == ChannelChoice::Kind::sample &&
        std::ranges::find(info.channels, options.channel.name, &Channel::name) == info.channels.end()) {
        found.channel.sample = options.channel.sample;
        return found;
    }
    const std::vector<Channel> channels = channelsOf(info);
    if (options.channel.name == kPaletteIndexName && info.samples == 1 &&
        std::ranges::find(channels, kPaletteIndexName, &Channel::name) == channels.end()) {
        found.channel.sample = info.photometric == "Palette" ? kPaletteIndex : 0;
        return found;
    }
    const std::size_t named = namingFile(source.path, [&] { return channelNamed(channels, options.channel.name); });
    found.page = channels[named].page;
    found.channel = {ChannelChoice::Kind::sample, channels[named].sample};
    return found;
}

/// Adds a note with the name of the channel if the choice of a sample does not state it.
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

/// Whether an image is shrunk in bands.
bool isLarge(const ImageInfo& info, const ReadOptions& options) {
    const std::uint64_t width = options.region ? options.region->width : info.width;
    const std::uint64_t height = options.region ? options.region->height : info.height;
    return width * height >= kShrunkInBandsFrom;
}

/// The file of a page: the file at the path, or the file of a slice in a series.
struct PageFile {
    /// @throws Error
    PageFile(const std::filesystem::path& path, const ReadOptions& wanted)
        : series(seriesOf(path, wanted)), whole(wanted), options(wanted) {
        if (!series) {
            file = openSource(path);
            return;
        }
        const std::size_t count = series->files.size();
        if (wanted.page < 0 || static_cast<std::size_t>(wanted.page) >= count) {
            throw readError(ErrorCode::invalidArgument, path,
                            "page " + std::to_string(wanted.page) + " does not exist, the series has " +
                                std::to_string(count) + " pages");
        }
        file = openSource(series->files[static_cast<std::size_t>(wanted.page)]);
        options.series = false;
        options.axes.clear(); // z is stated
        options.page = 0;
    }

    void describe(ImageInfo& info) const {
        if (series) {
            describeSlices(*series, series->files.size(), whole.page, whole, info);
        }
    }

    std::optional<SliceFiles> series;
    ReadOptions whole;   ///< of the page in the series
    ReadOptions options; ///< of the page in its file
    SourceFile file;
};

/// Turns a lack of memory into an error about the file.
template <class Work> auto guarded(const SourceFile& file, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw readError(ErrorCode::outOfMemory, file.path, "not enough memory to decode the image");
    }
}

ReadOptions withoutAlpha(ReadOptions options) {
    options.ignoreAlpha = true;
    return options;
}

/// A page of a format with all that the options ask for: its file in a series, named and computed channels, the pixel
/// size, the region and shrinking.
class ImagePage final : private PageFile, public FilePage {
public:
    ImagePage(const std::filesystem::path& path, const ReadOptions& wanted, PageUse use)
        : PageFile(path, wanted), FilePage(file, options), use_(use) {
        requireSensible(file, options_);
        if (options_.shrink > 1) { // levels are averaged
            options_.mapping.proportional = true;
            options_.keepSamples = false;
        }
        reader_ = &readerFor(file, options_);
        isDerived_ = options_.channel.kind == ChannelChoice::Kind::derived;
        if (use == PageUse::regions) {
            options_.shrink = 1;
            requireRegions();
        }
        guarded(file, [&] { open(); });
    }

    BlockGrid blocks() const override { return blocks_ ? *blocks_ : FilePage::blocks(); }
    bool mayHaveGaps() const override { return mayHaveGaps_; }

    LoadedImage read(const JobControl& control) override {
        if (!options_.keepSamples) {
            return readPage(control);
        }
        const KeptValues kept;
        LoadedImage loaded = readPage(control);
        loaded.samples = kept.samplesOf(loaded.image);
        return loaded;
    }

    [[nodiscard]] LoadedImage readPage(const JobControl& control) {
        return guarded(file, [&] {
            LoadedImage loaded;
            if (isDerived_) {
                loaded = readDerived(file.path, options_, control);
            } else if (isBanded_) {
                loaded = readShrunk(file.path, options_, control);
                if (!options_.region && isHidden(loaded)) {
                    loaded = readShrunk(file.path, withoutAlpha(options_), control);
                    noteUnusedAlpha(loaded.info);
                }
            } else {
                loaded = finished(readSamples(control), control);
                noteName(loaded.info);
            }
            if (use_ != PageUse::regions) {
                describe(loaded.info);
            }
            return loaded;
        });
    }

    std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels, const JobControl& control) override {
        return guarded(file, [&] {
            std::optional<KeptValues> kept;
            if (options_.keepSamples) {
                kept.emplace();
            }
            std::vector<LoadedImage> images = imagesOf(channels, control);
            if (!options_.region && std::ranges::any_of(images, isHidden)) {
                samples_.ignoreAlpha = options_.ignoreAlpha = true;
                images = imagesOf(channels, control);
                std::ranges::for_each(images, [](LoadedImage& image) { noteUnusedAlpha(image.info); });
            }
            for (LoadedImage& image : images) {
                image.samples = kept ? kept->samplesOf(image.image) : nullptr;
            }
            return images;
        });
    }

    bool readSlices(int count, const TakeSlice& take, const JobControl& control) override {
        std::optional<KeptValues> kept;
        const auto takeFinished = [&](LoadedImage slice) {
            slice = finished(std::move(slice), control);
            noteName(slice.info);
            slice.samples = kept ? kept->samplesOf(slice.image) : nullptr;
            if (kept) {
                kept.reset();
                kept.emplace();
            }
            take(std::move(slice));
        };
        if (options_.keepSamples) {
            kept.emplace();
        }
        return !isDerived_ && guarded(file, [&] {
            return reader_->open(file, samples_, use_)->readSlices(count, takeFinished, control);
        });
    }

private:
    /// The image of each channel.
    [[nodiscard]] std::vector<LoadedImage> imagesOf(std::span<const ChannelChoice> channels,
                                                    const JobControl& control) const {
        std::vector<LoadedImage> images;
        std::unique_ptr<FilePage> page;
        if (!isBanded_) {
            page = reader_->open(file, samples_, use_);
            if (samples_.mapping == options_.mapping) { // else each channel may have its own range
                images = page->readEach(channels, control);
            }
        }
        const bool isOneByOne = images.empty();
        for (std::size_t i = 0; i < channels.size(); ++i) {
            ReadOptions one = options_;
            one.channel = channels[i];
            if (isBanded_) {
                const double share = 1.0 / static_cast<double>(channels.size());
                images.push_back(readShrunk(file.path, one, control.part(static_cast<double>(i) * share, share)));
            } else if (isOneByOne) {
                if (i > 0) {
                    page.reset(); // a format may have one file open at a time
                    page = reader_->open(file, withSampleRange(std::move(one)), use_);
                }
                images.push_back(finished(page->read(control), control));
            } else {
                images[i] = finished(std::move(images[i]), control);
            }
            describe(images[i].info);
        }
        return images;
    }

    /// The samples of the page. Alpha that is 0 everywhere is ignored, if all of the page was looked at.
    [[nodiscard]] LoadedImage readSamples(const JobControl& control) const {
        const auto readFrom = [&](FilePage& page) {
            return options_.region ? page.readRegion(*options_.region, control) : page.read(control);
        };
        LoadedImage loaded = readFrom(page_ ? *page_ : *reader_->open(file, samples_, use_));
        const bool isPage = loaded.image->width() == loaded.info.width && loaded.image->height() == loaded.info.height;
        if (use_ == PageUse::pixels && isPage && isHidden(loaded)) {
            LoadedImage shown = readFrom(*reader_->open(file, withoutAlpha(samples_), use_));
            if (!shown.valid || shown.valid->count() > 0) {
                loaded = std::move(shown);
                noteUnusedAlpha(loaded.info);
            }
        }
        return loaded;
    }

    void requireRegions() const {
        if (!reader_->readsRegions) {
            throw readError(ErrorCode::formatUnsupported, file.path,
                            reader_->filter.name + " files can only be read as a whole; convert it to a tiled TIFF");
        }
        if (isDerived_) {
            if (const Derivation derivation = Derivation::parse(options_.channel.name); derivation.usesAllPixels()) {
                throw readError(ErrorCode::formatUnsupported, file.path,
                                derivation.text() + " follows from all pixels, and can only be read as a whole");
            }
        }
    }

    void open() {
        if (isDerived_) {
            if (use_ != PageUse::pixels) {
                info_ = readDerivedInfo(file.path, options_);
            }
        } else {
            openSamples();
        }
        if (use_ == PageUse::facts) {
            describe(info_);
        }
    }

    /// Replaces a range of values in options by the range of samples with these values.
    [[nodiscard]] ReadOptions withSampleRange(ReadOptions wanted) const {
        using Range = MappingChoice::Range;
        const Range range = wanted.mapping.range;
        if (use_ != PageUse::facts && (range == Range::fixed || range == Range::percentile)) {
            if (const auto calibration = reader_->open(file, wanted, PageUse::facts)->info().calibration) {
                wanted.mapping = inSamples(wanted.mapping, *calibration);
            }
        }
        return wanted;
    }

    void openSamples() {
        samples_ = withSampleRange(samplesOf(*reader_, file, options_));
        if (use_ == PageUse::pixels) {
            isBanded_ = options_.shrink > 1 && reader_->readsRegions &&
                        isLarge(reader_->open(file, samples_, PageUse::facts)->info(), options_);
            return;
        }
        page_ = reader_->open(file, samples_, use_);
        info_ = page_->info();
        takeAxes(file, options_, info_);
        if (constexpr int kByte = 8;
            info_.calibration && !info_.mapping && info_.sampleFormat == "unsigned" && info_.bits <= 2 * kByte) {
            info_.mapping = storedMapping(info_.bits > kByte ? PixelType::u16 : PixelType::u8, *info_.calibration);
        }
        if (options_.pixelSize) {
            statePixelSize(info_, *options_.pixelSize, 1);
        }
        if (use_ == PageUse::regions) {
            noteName(info_);
            blocks_ = page_->blocks();
            mayHaveGaps_ = page_->mayHaveGaps();
        }
        if (use_ == PageUse::facts || !reader_->keepsOpen) {
            page_.reset();
        }
    }

    /// Applies the calibration, and the pixel size, the region and the shrink factor of the options.
    [[nodiscard]] LoadedImage finished(LoadedImage loaded, const JobControl& control) const {
        takeAxes(file, options_, loaded.info);
        calibrate(loaded);
        if (options_.pixelSize) {
            statePixelSize(loaded.info, *options_.pixelSize, 1);
        }
        if (options_.region && !reader_->readsRegions) {
            loaded = namingFile(file.path, [&] { return cropped(loaded, *options_.region, control); });
        }
        return options_.shrink > 1 ? shrunk(loaded, options_.shrink, control) : loaded;
    }

    void noteName(ImageInfo& info) const {
        if (samples_.channel.kind == ChannelChoice::Kind::sample) {
            noteChannel(options_, samples_, info);
        }
    }

    PageUse use_;
    const ImageReader* reader_ = nullptr;
    bool isDerived_ = false;          ///< the channel is computed
    bool isBanded_ = false;           ///< shrunk in bands
    ReadOptions samples_;             ///< with the page and sample of the channel; unset if it is computed
    std::unique_ptr<FilePage> page_;  ///< kept for regions if the reader keeps pages open
    std::optional<BlockGrid> blocks_; ///< unset for computed channels
    bool mayHaveGaps_ = true;
};

/// A page that is made of slices.
class ProjectedPage final : private PageFile, public FilePage {
public:
    ProjectedPage(const std::filesystem::path& path, const ReadOptions& wanted)
        : PageFile(path, wanted), FilePage(file, wanted), path_(path) {}

    LoadedImage read(const JobControl& control) override { return readProjection(path_, options_, control); }

    std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels, const JobControl& control) override {
        std::vector<LoadedImage> images;
        const double share = 1.0 / static_cast<double>(channels.size());
        for (const ChannelChoice& channel : channels) {
            ReadOptions one = options_;
            one.channel = channel;
            const auto done = static_cast<double>(images.size());
            images.push_back(readProjection(path_, one, control.part(done * share, share)));
        }
        return images;
    }

private:
    std::filesystem::path path_;
};

} // namespace

PixelRegion FilePage::part() const { return wantedRegion(source_.path, options_.region, info_.width, info_.height); }

BlockGrid FilePage::blocks() const {
    constexpr std::uint32_t kPixels = 1U << 20;
    return {info_.width, std::clamp(kPixels / info_.width, 1U, info_.height), 0, 0};
}

bool isHidden(const LoadedImage& loaded) {
    return loaded.info.masksByAlpha && loaded.valid && loaded.valid->count() == 0;
}

void noteUnusedAlpha(ImageInfo& info) {
    std::erase(info.notes, "alpha ignored");
    info.notes.emplace_back("alpha is 0 everywhere, and is ignored");
}

std::vector<LoadedImage> FilePage::readEach(std::span<const ChannelChoice>, const JobControl&) { return {}; }

bool FilePage::readSlices(int, const TakeSlice&, const JobControl&) { return false; }

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

std::unique_ptr<FilePage> openPage(const std::filesystem::path& path, const ReadOptions& options, PageUse use) {
    if (options.projection && use == PageUse::pixels) {
        return std::make_unique<ProjectedPage>(path, options);
    }
    if (options.projection && use == PageUse::regions) {
        throw readError(ErrorCode::formatUnsupported, path, "a projection can only be read as a whole");
    }
    return std::make_unique<ImagePage>(path, options, use);
}

LoadedImage readImage(const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
    control.throwIfStopped();
    return openPage(path, options, PageUse::pixels)->read(control);
}

ImageInfo readImageInfo(const std::filesystem::path& path, const ReadOptions& options) {
    return openPage(path, options, PageUse::facts)->info();
}

bool readsRegions(const std::filesystem::path& path, const ReadOptions& options) {
    const PageFile place(path, options);
    return options.channel.kind != ChannelChoice::Kind::derived && !options.projection &&
           readerFor(place.file, place.options).readsRegions;
}

std::optional<SliceFiles> arrangedSlices(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    const ImageReader& reader = readerFor(openSource(files.front()), options);
    return reader.arranged != nullptr ? reader.arranged(files) : std::nullopt;
}

std::optional<SliceFiles> seriesOf(const std::filesystem::path& path, const ReadOptions& options) {
    if (!options.series || options.raw) {
        return std::nullopt;
    }
    const SourceFile source = openSource(path);
    const ImageReader& reader = readerFor(source, options);
    return reader.seriesOf != nullptr ? reader.seriesOf(source) : std::nullopt;
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
    if (files.step && info.place) {
        VoxelMap across{{*files.step}, {}};
        turnSpace(across, "LPS");
        info.place->map.steps[2] = across.steps[0];
    }
    info.isSeries = files.isSeries;
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

std::vector<FormatFilter> readableFormats() {
    std::vector<FormatFilter> filters;
    for (const ImageReader* reader : readers()) {
        filters.push_back(reader->filter);
    }
    return filters;
}

} // namespace pollard
