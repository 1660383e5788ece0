#include "base/job_control.hpp"
#include "formats/images/jp2_siz.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/length_units.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <openjpeg.h>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace pollard {

namespace {

/// OpenJPEG's decoder on one file. Its messages are captured, not printed.
class Jp2Decoder {
public:
    /// Reads the header. @p reduce is the number of halvings of the size. @throws Error
    Jp2Decoder(const SourceFile& source, int reduce, int threads);
    ~Jp2Decoder() = default;
    Jp2Decoder(const Jp2Decoder&) = delete;
    Jp2Decoder& operator=(const Jp2Decoder&) = delete;

    [[nodiscard]] const opj_image_t& image() const noexcept { return *image_; }
    /// How often the size can be halved: the minimum over all components of the first tile.
    [[nodiscard]] int reductions() const;

    /// Decodes the part [left, right) x [top, bottom) of the reference grid. A stop request takes effect at the next
    /// read. @throws Error(fileDamaged) if data is missing; Cancelled
    void decode(std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom,
                const JobControl& control);

private:
    // Codec and stream are both void* in OpenJPEG.
    struct DeleteCodec {
        void operator()(opj_codec_t* codec) const noexcept { opj_destroy_codec(codec); }
    };
    struct DeleteStream {
        void operator()(opj_stream_t* stream) const noexcept { opj_stream_destroy(stream); }
    };
    struct DeleteImage {
        void operator()(opj_image_t* image) const noexcept { opj_image_destroy(image); }
    };
    /// State of the callbacks.
    struct State {
        FilePointer file;
        std::uint64_t size = 0;
        std::string firstError;
        const JobControl* control = nullptr;
    };

    void makeStream();
    [[noreturn]] void fail(const std::string& what) const;

    static OPJ_SIZE_T onRead(void* buffer, OPJ_SIZE_T bytes, void* state);
    static OPJ_OFF_T onSkip(OPJ_OFF_T bytes, void* state);
    static OPJ_BOOL onSeek(OPJ_OFF_T offset, void* state);
    static void onError(const char* message, void* state);
    static void onMessage(const char* message, void* state);

    const SourceFile& source_;
    std::unique_ptr<State> state_ = std::make_unique<State>();
    std::unique_ptr<opj_stream_t, DeleteStream> stream_;
    std::unique_ptr<opj_codec_t, DeleteCodec> codec_;
    std::unique_ptr<opj_image_t, DeleteImage> image_;
};

Jp2Decoder::Jp2Decoder(const SourceFile& source, int reduce, int threads) : source_(source) {
    state_->file = openForReading(source);
    state_->size = source.size;
    makeStream();
    codec_.reset(opj_create_decompress(isJp2Codestream(source.head) ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
    if (!codec_) {
        throw std::bad_alloc();
    }
    opj_set_error_handler(codec_.get(), onError, state_.get());
    opj_set_warning_handler(codec_.get(), onMessage, state_.get());
    opj_set_info_handler(codec_.get(), onMessage, state_.get());
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = static_cast<OPJ_UINT32>(reduce);
    if (opj_setup_decoder(codec_.get(), &parameters) == OPJ_FALSE ||
        opj_decoder_set_strict_mode(codec_.get(), OPJ_TRUE) == OPJ_FALSE) {
        fail("the decoder cannot be set up");
    }
    const int workers = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    if (opj_has_thread_support() != OPJ_FALSE && workers > 1) {
        opj_codec_set_threads(codec_.get(), workers);
    }
    opj_image_t* image = nullptr;
    const bool read = opj_read_header(stream_.get(), codec_.get(), &image) != OPJ_FALSE;
    image_.reset(image);
    if (!read || image == nullptr || image->numcomps == 0) {
        fail("the header cannot be read");
    }
}

void Jp2Decoder::makeStream() {
    stream_.reset(opj_stream_default_create(OPJ_TRUE));
    if (!stream_) {
        throw std::bad_alloc();
    }
    opj_stream_set_user_data(stream_.get(), state_.get(), nullptr);
    opj_stream_set_user_data_length(stream_.get(), state_->size);
    opj_stream_set_read_function(stream_.get(), onRead);
    opj_stream_set_skip_function(stream_.get(), onSkip);
    opj_stream_set_seek_function(stream_.get(), onSeek);
}

int Jp2Decoder::reductions() const {
    opj_codestream_info_v2_t* info = opj_get_cstr_info(codec_.get());
    if (info == nullptr || info->m_default_tile_info.tccp_info == nullptr) {
        opj_destroy_cstr_info(&info);
        return 0;
    }
    OPJ_UINT32 least = OPJ_J2K_MAXRLVLS;
    for (OPJ_UINT32 c = 0; c < info->nbcomps; ++c) {
        least = std::min(least, info->m_default_tile_info.tccp_info[c].numresolutions);
    }
    opj_destroy_cstr_info(&info);
    return least == 0 ? 0 : static_cast<int>(least) - 1;
}

void Jp2Decoder::decode(std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom,
                        const JobControl& control) {
    state_->control = &control;
    const bool decoded =
        opj_set_decode_area(codec_.get(), image_.get(), static_cast<OPJ_INT32>(left), static_cast<OPJ_INT32>(top),
                            static_cast<OPJ_INT32>(right), static_cast<OPJ_INT32>(bottom)) != OPJ_FALSE &&
        opj_decode(codec_.get(), stream_.get(), image_.get()) != OPJ_FALSE;
    state_->control = nullptr;
    control.throwIfStopped();
    if (!decoded || !state_->firstError.empty()) {
        fail("the pixels cannot be decoded");
    }
}

void Jp2Decoder::fail(const std::string& what) const {
    std::string why = state_->firstError;
    why.erase(why.find_last_not_of(" \n\r.") + 1);
    throw readError(ErrorCode::fileDamaged, source_.path,
                    "damaged JPEG 2000: " + what + (why.empty() ? "" : ": " + why));
}

OPJ_SIZE_T Jp2Decoder::onRead(void* buffer, OPJ_SIZE_T bytes, void* state) {
    const auto& self = *static_cast<State*>(state);
    constexpr auto kEnd = static_cast<OPJ_SIZE_T>(-1);
    if (self.control != nullptr && self.control->stopRequested()) {
        return kEnd;
    }
    const std::size_t got = std::fread(buffer, 1, bytes, self.file.get());
    return got == 0 ? kEnd : got;
}

OPJ_OFF_T Jp2Decoder::onSkip(OPJ_OFF_T bytes, void* state) {
    const auto& self = *static_cast<State*>(state);
    const off_t at = ::ftello(self.file.get());
    // Seeking past the end succeeds on files, and the decoder would then believe the missing length.
    const auto rest = static_cast<OPJ_OFF_T>(self.size) - static_cast<OPJ_OFF_T>(at);
    const OPJ_OFF_T step = std::min(bytes, rest);
    return step < 0 || ::fseeko(self.file.get(), static_cast<off_t>(step), SEEK_CUR) != 0 ? -1 : step;
}

OPJ_BOOL Jp2Decoder::onSeek(OPJ_OFF_T offset, void* state) {
    const auto& self = *static_cast<State*>(state);
    return offset >= 0 && ::fseeko(self.file.get(), static_cast<off_t>(offset), SEEK_SET) == 0 ? OPJ_TRUE : OPJ_FALSE;
}

void Jp2Decoder::onError(const char* message, void* state) {
    try {
        auto& self = *static_cast<State*>(state);
        if (self.firstError.empty()) {
            self.firstError = message;
        }
    } catch (...) {
        // Only memory can be exhausted; the failure is reported without the message.
    }
}

void Jp2Decoder::onMessage(const char*, void*) {}

constexpr std::uint32_t kMaxComponents = 64;
/// OpenJPEG needs some kB per tile and component.
constexpr std::uint64_t kMaxTileParts = 1 << 18;

std::uint32_t ceilDivide(std::uint32_t value, std::uint32_t divisor) {
    return value / divisor + (value % divisor != 0 ? 1 : 0);
}
std::uint32_t ceilHalve(std::uint32_t value, int times) {
    return static_cast<std::uint32_t>((std::uint64_t{value} + (std::uint64_t{1} << times) - 1) >> times);
}

/// Size of the image on the reference grid after @p level halvings.
ResolutionLevel sizeAt(const opj_image_t& image, int level) {
    return {ceilHalve(image.x1, level) - ceilHalve(image.x0, level),
            ceilHalve(image.y1, level) - ceilHalve(image.y0, level)};
}

bool isYcc(const opj_image_t& image, Jp2Colours colours) {
    return image.numcomps >= 3 && (colours == Jp2Colours::sYcc || colours == Jp2Colours::eYcc ||
                                   (colours != Jp2Colours::sRgb && image.comps[1].dx == 2 && image.comps[2].dx == 2 &&
                                    image.comps[0].dx == 1));
}

/// Facts known before decoding at a level.
struct Stream {
    Jp2Siz siz;
    int reductions = 0; ///< how often the size can be halved
};

struct Jp2Header {
    ImageInfo info;
    GreyPlan plan;
    bool ycc = false;
    int alpha = -1;                  ///< component of opacity, -1 if there is none
    std::optional<ValueType> values; ///< set if components need a mapping
};

std::optional<ValueType> valueTypeOf(const opj_image_comp_t& component) {
    if (component.sgnd == 0) {
        return component.prec > 16 ? std::optional(ValueType::u32) : std::nullopt;
    }
    return component.prec <= 8 ? ValueType::i8 : component.prec <= 16 ? ValueType::i16 : ValueType::i32;
}

void requireSupported(const SourceFile& source, const opj_image_t& image, const GreyPlan& plan) {
    const auto refuse = [&](const std::string& what) {
        throw readError(ErrorCode::formatUnsupported, source.path, "JPEG 2000: " + what);
    };
    const opj_image_comp_t& first = image.comps[plan.samples[0]];
    for (const int sample : plan.samples) {
        const opj_image_comp_t& component = image.comps[sample];
        if (component.prec != first.prec || component.sgnd != first.sgnd) {
            refuse("components of different depth do not make a luminance; choose one channel");
        }
    }
    if (first.prec < 1 || first.prec > 32) {
        refuse(std::to_string(first.prec) + "-bit components are not supported");
    }
    if (plan.samples.size() > 1 && valueTypeOf(first)) {
        refuse("signed or wider than 16-bit colours do not make a luminance; choose one channel");
    }
}

Jp2Header readJp2Header(const SourceFile& source, const ReadOptions& options, const Jp2Decoder& decoder,
                        const Stream& stream) {
    const opj_image_t& image = decoder.image();
    if (stream.siz.colours == Jp2Colours::cmyk) {
        throw readError(ErrorCode::formatUnsupported, source.path, "JPEG 2000: CMYK colours are not supported");
    }
    Jp2Header header;
    header.ycc = isYcc(image, stream.siz.colours);
    ImageInfo& info = header.info;
    const bool palette = stream.siz.paletteColumns > 0;
    const int samples = palette ? stream.siz.paletteColumns : static_cast<int>(image.numcomps);
    header.alpha = stream.siz.opacity < samples ? stream.siz.opacity : -1;
    const int colours = samples - (header.alpha >= 0 ? 1 : 0);
    const bool colour = colours >= 3 && stream.siz.colours != Jp2Colours::grey;
    info.format = isJp2Codestream(source.head) ? "JPEG 2000 codestream" : "JPEG 2000";
    info.compression = "JPEG 2000";
    info.photometric = header.ycc ? "YCbCr" : colour ? "RGB" : "MinIsBlack";
    info.bits = palette ? stream.siz.paletteBits : static_cast<int>(image.comps[0].prec);
    info.sampleFormat = image.comps[0].sgnd != 0 ? "signed" : "unsigned";
    info.samples = samples;
    arrangeChannels(info, header.alpha);
    info.level = options.level;
    if (stream.reductions > 0) {
        for (int level = 0; level <= stream.reductions; ++level) {
            info.levels.push_back(sizeAt(image, level));
        }
    }
    const ResolutionLevel size = sizeAt(image, options.level);
    info.width = size.width;
    info.height = size.height;
    constexpr double kMetre = 1e6;
    info.pixelSize = pixelSizeOfResolution(stream.siz.captureX, stream.siz.captureY, kMetre, "JPEG 2000 resolution");
    if (info.pixelSize && size.width > 0 && size.height > 0) {
        const ResolutionLevel full = sizeAt(image, 0);
        info.pixelSize->x *= static_cast<double>(full.width) / size.width;
        info.pixelSize->y *= static_cast<double>(full.height) / size.height;
    }
    // Opacity defines which pixels have data; it is a sample only if requested.
    const bool wantsAlpha =
        options.channel.kind == ChannelChoice::Kind::sample && options.channel.sample == header.alpha;
    const int visible = header.alpha == samples - 1 && !wantsAlpha ? samples - 1 : samples;
    header.plan = GreyPlan::forSamples(source, options.channel, std::min(info.bits, 16), colour ? 3 : 1, visible, false,
                                       info.notes);
    if (header.alpha >= 0 && !wantsAlpha) {
        info.notes.emplace_back(options.ignoreAlpha ? "alpha ignored" : "fully transparent pixels hold no data");
    }
    if (wantsAlpha || options.ignoreAlpha) {
        header.alpha = -1;
    }
    info.masksByAlpha = header.alpha >= 0;
    if (!palette) {
        requireSupported(source, image, header.plan);
        header.values = valueTypeOf(image.comps[header.plan.samples[0]]);
    }
    const bool subsampled = std::any_of(image.comps, image.comps + image.numcomps,
                                        [](const opj_image_comp_t& c) { return c.dx != 1 || c.dy != 1; });
    if (subsampled) {
        info.notes.emplace_back("subsampled components are repeated to full size");
    }
    return header;
}

/// One component, addressed by pixels of the result; samples of a subsampled component are repeated.
class Plane {
public:
    Plane(const SourceFile& source, const opj_image_t& image, int component, std::uint32_t left, std::uint32_t top,
          int level)
        : component_(image.comps[component]), left_(left), top_(top),
          firstX_(ceilHalve(ceilDivide(image.x0, component_.dx), level)),
          firstY_(ceilHalve(ceilDivide(image.y0, component_.dy), level)) {
        if (component_.data == nullptr || component_.w == 0 || component_.h == 0) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            "damaged JPEG 2000: component " + std::to_string(component) + " has no pixels");
        }
    }

    [[nodiscard]] std::int32_t at(std::uint32_t x, std::uint32_t y) const noexcept {
        return component_.data[std::size_t{index(top_ + y, component_.dy, firstY_, component_.h)} * component_.w +
                               index(left_ + x, component_.dx, firstX_, component_.w)];
    }

private:
    static std::uint32_t index(std::uint32_t place, std::uint32_t step, std::uint32_t first, std::uint32_t size) {
        const std::uint32_t sample = place / step;
        return std::min(sample > first ? sample - first : 0, size - 1);
    }

    const opj_image_comp_t& component_;
    std::uint32_t left_; ///< of the result, on the grid of the level
    std::uint32_t top_;
    std::uint32_t firstX_; ///< first sample in component.data
    std::uint32_t firstY_;
};

/// Red, green and blue of full-range YCbCr (ITU-T T.871) with @p bits bits, rounded and clipped.
std::array<std::uint16_t, 3> rgbOfYcc(std::int32_t luma, std::int32_t cb, std::int32_t cr, int bits) {
    const int middle = 1 << (bits - 1);
    const int largest = (1 << bits) - 1;
    const double b = cb - middle;
    const double r = cr - middle;
    const auto level = [&](double value) {
        return static_cast<std::uint16_t>(std::clamp(static_cast<int>(std::lround(value)), 0, largest));
    };
    return {level(luma + 1.402 * r), level(luma - 0.344136 * b - 0.714136 * r), level(luma + 1.772 * b)};
}

/// @throws Error for a missing level or page or hostile sizes
Stream checkedStream(const SourceFile& source, const ReadOptions& options) {
    requireFirstPage(source, options.page);
    const Jp2Siz siz = readJp2Siz(source);
    if (siz.components > kMaxComponents) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        std::to_string(siz.components) + " components, the limit is " + std::to_string(kMaxComponents));
    }
    if (siz.tiles * siz.components > kMaxTileParts) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        std::to_string(siz.tiles) + " tiles of " + std::to_string(siz.components) +
                            " components are more than the limit of " + std::to_string(kMaxTileParts));
    }
    constexpr std::uint64_t kMaxGrid = std::numeric_limits<std::int32_t>::max();
    if (siz.width > kMaxGrid || siz.height > kMaxGrid) {
        throw readError(ErrorCode::limitExceeded, source.path,
                        std::to_string(siz.width) + " x " + std::to_string(siz.height) +
                            " pixels: a side is longer than " + std::to_string(kMaxGrid));
    }
    const int reductions = Jp2Decoder(source, 0, 1).reductions();
    requireIndex(source.path, "level", options.level, reductions + 1, "file");
    return {siz, reductions};
}

class Jp2Page final : public FilePage {
public:
    Jp2Page(const SourceFile& source, const ReadOptions& options, PageUse use)
        : FilePage(source, options), stream_(checkedStream(source, options)),
          decoder_(source, options.level, use == PageUse::facts ? 1 : options.threads) {
        info_ = readJp2Header(source, options, decoder_, stream_).info;
    }

    LoadedImage read(const JobControl& control) override {
        return std::move(readEach({&options_.channel, 1}, control).front());
    }

    std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels, const JobControl& control) override {
        std::vector<Jp2Header> headers;
        for (const ChannelChoice& channel : channels) {
            ReadOptions one = options_;
            one.channel = channel;
            headers.push_back(readJp2Header(source_, one, decoder_, stream_));
        }
        const PixelRegion region = part();
        requireRoom(region);
        requireJp2Tiles(source_, stream_.siz);
        control.report(0, "reading");

        // The region on the grid of the level, and the part of the reference grid that contains it.
        const opj_image_t& image = decoder_.image();
        const Part part{region, ceilHalve(image.x0, options_.level) + region.x,
                        ceilHalve(image.y0, options_.level) + region.y};
        const auto onGrid = [&](std::uint32_t place, std::uint32_t low, std::uint32_t high) {
            const std::uint64_t grid = std::uint64_t{place} << options_.level;
            return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(grid, low, high));
        };
        decoder_.decode(onGrid(part.left, image.x0, image.x1), onGrid(part.top, image.y0, image.y1),
                        onGrid(part.left + region.width, image.x0, image.x1),
                        onGrid(part.top + region.height, image.y0, image.y1), control);
        if (decoder_.image().numcomps != static_cast<OPJ_UINT32>(info_.samples)) {
            throw readError(ErrorCode::fileDamaged, source_.path,
                            "damaged JPEG 2000: " + std::to_string(decoder_.image().numcomps) + " components where " +
                                std::to_string(info_.samples) + " were announced");
        }
        std::vector<LoadedImage> images;
        for (Jp2Header& header : headers) {
            const bool hasValues = header.values.has_value();
            images.push_back(hasValues ? mapped(std::move(header), part, control)
                                       : levels(std::move(header), part, control));
        }
        return images;
    }

private:
    /// A region with its corner on the grid of the level.
    struct Part {
        PixelRegion region;
        std::uint32_t left = 0;
        std::uint32_t top = 0;
    };

    void requireRoom(const PixelRegion& region) const {
        const opj_image_t& image = decoder_.image();
        const std::uint64_t pixels = std::uint64_t{region.width} * region.height;
        const auto bits = static_cast<int>(image.comps[0].prec);
        PixelClaim claim{region.width, region.height, bits, pixels * image.numcomps * (bits > 8 ? 2 : 1),
                         source_.size, true};
        checkClaim(source_, claim, options_.limits);
        // OpenJPEG stores every sample in 32 bits; the expansion was checked above.
        claim.decodedBytes = pixels * image.numcomps * sizeof(std::int32_t);
        claim.storedBytes = std::numeric_limits<std::uint64_t>::max();
        ReadLimits memory = options_.limits;
        memory.maxDecodedBytes = 0;
        checkClaim(source_, claim, memory);
    }

    [[nodiscard]] Plane planeOf(int component, const Part& part) const {
        return {source_, decoder_.image(), component, part.left, part.top, options_.level};
    }

    /// Adds the mask from the opacity.
    void addMask(const Jp2Header& header, const Part& part, LoadedImage& loaded) const {
        if (header.alpha < 0) {
            return;
        }
        const Plane alpha = planeOf(header.alpha, part);
        Mask valid(loaded.image->width(), loaded.image->height(), true);
        for (std::uint32_t y = 0; y < valid.height(); ++y) {
            for (std::uint32_t x = 0; x < valid.width(); ++x) {
                if (alpha.at(x, y) == 0) {
                    valid.set(x, y, false);
                }
            }
        }
        loaded.valid = maskOfGaps(std::move(valid), loaded.info.invalidPixels);
    }

    [[nodiscard]] LoadedImage levels(Jp2Header header, const Part& part, const JobControl& control) const {
        const PixelRegion& region = part.region;
        const int bits = header.plan.bits;
        const std::int32_t largest = (1 << bits) - 1;
        const GreyPlan plan = header.plan;
        header.plan.bits = 16; // rows passed on contain only the required samples, in 16 bits
        std::iota(header.plan.samples.begin(), header.plan.samples.end(), 0);
        auto grey = std::make_shared<Image>(header.plan.type, region.width, region.height);
        GreyRows rows(source_, header.plan, *grey);
        std::vector<Plane> planes;
        const bool convert = header.ycc && plan.samples[0] < 3;
        for (const int component : convert ? std::vector<int>{0, 1, 2} : plan.samples) {
            planes.push_back(planeOf(component, part));
        }
        const std::size_t count = plan.samples.size();
        std::vector<std::uint16_t> row(region.width * count);
        for (std::uint32_t y = 0; y < region.height; ++y) {
            for (std::uint32_t x = 0; x < region.width; ++x) {
                if (convert) {
                    const auto rgb = rgbOfYcc(planes[0].at(x, y), planes[1].at(x, y), planes[2].at(x, y), bits);
                    for (std::size_t i = 0; i < count; ++i) {
                        row[x * count + i] = rgb[static_cast<std::size_t>(plan.samples[i])];
                    }
                    continue;
                }
                for (std::size_t i = 0; i < count; ++i) {
                    row[x * count + i] = static_cast<std::uint16_t>(std::clamp(planes[i].at(x, y), 0, largest));
                }
            }
            rows.putInterleaved(0, y, region.width, reinterpret_cast<const std::byte*>(row.data()),
                                static_cast<int>(count));
            passRow(control, y, region.height);
        }
        LoadedImage loaded{std::move(grey), nullptr, std::move(header.info)};
        addMask(header, part, loaded);
        return loaded;
    }

    [[nodiscard]] LoadedImage mapped(Jp2Header header, const Part& part, const JobControl& control) const {
        const PixelRegion& region = part.region;
        const Plane plane = planeOf(header.plan.samples[0], part);
        const std::size_t pixels = std::size_t{region.width} * region.height;
        const std::size_t bytes = bytesOf(*header.values);
        Buffer<std::uint64_t> values(pixels * bytes / sizeof(std::uint64_t) + 1);
        for (std::uint32_t y = 0; y < region.height; ++y) {
            for (std::uint32_t x = 0; x < region.width; ++x) {
                const std::size_t at = std::size_t{y} * region.width + x;
                const std::int32_t value = plane.at(x, y);
                if (bytes == 1) {
                    reinterpret_cast<std::int8_t*>(values.data())[at] = static_cast<std::int8_t>(value);
                } else if (bytes == 2) {
                    reinterpret_cast<std::int16_t*>(values.data())[at] = static_cast<std::int16_t>(value);
                } else {
                    reinterpret_cast<std::int32_t*>(values.data())[at] = value;
                }
            }
            passRow(control, y, region.height);
        }
        const ValueGrid grid{*header.values, values.data(), region.width, region.height};
        LoadedImage alpha{std::make_shared<Image>(PixelType::u8, region.width, region.height), nullptr, {}};
        addMask(header, part, alpha);
        return imageOfValues(source_, grid, options_, {std::nullopt, alpha.valid}, std::move(header.info), control);
    }

    Stream stream_;
    Jp2Decoder decoder_;
};

bool isJp2(const SourceFile& source) {
    using namespace std::string_view_literals;
    return source.startsWith("\0\0\0\fjP  \r\n\x87\n"sv) || isJp2Codestream(source.head);
}

} // namespace

const ImageReader& jp2Reader() {
    static const ImageReader reader{.filter = {"JPEG 2000", {"jp2", "j2k", "j2c", "jpc", "jpx"}},
                                    .recognises = isJp2,
                                    .open = openAs<Jp2Page>,
                                    .readsRegions = true};
    return reader;
}

} // namespace pollard
