#include "options/image_argument.hpp"

#include "base/error.hpp"
#include "channels/bands.hpp"
#include "channels/derivation.hpp"
#include "command.hpp"
#include "geo/map_coordinates.hpp"
#include "io/metadata/stack_places.hpp"
#include "io/volumes/read_volume.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/recipe.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <CLI/Validators.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::cli {

ImageArgument parseImageArgument(const std::string& text) {
    std::error_code ignored;
    const std::size_t open = text.rfind('[');
    if (open == std::string::npos || open == 0 || text.back() != ']' || std::filesystem::exists(text, ignored)) {
        return {text, 0};
    }
    const char* const first = text.data() + open + 1;
    const char* const last = text.data() + text.size() - 1;
    int page = 0;
    const auto [end, problem] = std::from_chars(first, last, page);
    if (problem == std::errc::result_out_of_range || (problem == std::errc{} && page < 0)) {
        throw UsageError("page: '" + std::string(first, last) + "': no file has such a page (they count from 0)");
    }
    if (problem != std::errc{} || end != last) {
        return {text, 0};
    }
    return {text.substr(0, open), page};
}

namespace {

constexpr const char* kAutomatic = "auto";
constexpr const char* kReading = "Reading the image";

/// "Formats: TIFF, PNG, ...", with line breaks for the help.
std::string formatsText() {
    constexpr std::size_t kLine = 52;
    std::string text = "Formats:";
    std::size_t used = text.size();
    for (const FormatFilter& format : readableFormats()) {
        const bool breaks = used + format.name.size() + 2 > kLine;
        text += (breaks ? "\n" : " ") + format.name + ",";
        used = (breaks ? 0 : used + 1) + format.name.size() + 1;
    }
    text.pop_back();
    return text;
}

/// "ndvi, gndvi, ..."
std::string indexNames() { return joined(textsOf(kSpectralIndices, &SpectralIndex::name), ", "); }

/// @throws CLI::ValidationError
std::string derivedChannel(const std::string& text) {
    try {
        return Derivation::parse(text).text();
    } catch (const Error& error) {
        throw CLI::ValidationError("--derive", error.what());
    }
}

} // namespace

void declarePixelSize(CLI::App& command, std::string& text, const std::string& help) {
    addValue(command, "--pixel-size", text,
             help + ":\n0.325um, 0.325x0.65um or with the distance of slices\n0.5x0.5x2um; in nm, um, mm, cm, m, km",
             "SIZE")
        ->group(kReading);
}

void ImageOptions::declare(CLI::App& command) {
    addValue(command, "IMAGE", image, "Image file; IMAGE[N] picks page N, counted from 0.\n" + formatsText(), "")
        ->required();
    declareReading(command);
}

void ImageOptions::declareReading(CLI::App& command) {
    const auto add = [&command](const char* name, auto& value, const char* help, const char* type) {
        return addValue(command, name, value, help, type)->group(kReading);
    };
    CLI::Option* const named = add("--channel", channel,
                                   "Grey value of a pixel: luminance, red, green, blue,\na sample number from 0 or the "
                                   "name of a channel as\n`info` lists it",
                                   "CHANNEL")
                                   ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--derive", [this](const std::string& text) { channel = derivedChannel(text); },
            "Grey value computed from channels A, B .. by name\nor number: sum(A,B,..), mean, max, min (all: every\n"
            "channel), ratio(A,B), nd(A,B) = (A-B)/(A+B), pca(K),\nstain(SET,K), macenko(K), or an index:\n" +
                indexNames())
        ->type_name("EXPRESSION")
        ->group(kReading)
        ->excludes(named);
    declareAt(command);
    add("--axes", axes,
        "The axes of the pages of a file that states none, from\nthe slowest to the fastest: t3z5c2, tz5 (the rest\n"
        "are times) or z",
        "ORDER");
    add("--range", range,
        "Values that become the darkest and brightest level,\nfor signed, wide and floating-point samples: "
        "auto,\nminmax, LOW:HIGH or LOW%:HIGH%",
        "RANGE")
        ->capture_default_str();
    add("--region", region, "Read only this part, in px; of a volume also\nX,Y,Z,W,H,SLICES", "X,Y,W,H");
    add("--shrink", shrink, "Make every N x N px one, their mean; in volumes every\nN x N x N", "N")
        ->check(CLI::PositiveNumber);
    add("--level", level, "Resolution level of a pyramid, 0 is the full one", "N")->check(CLI::NonNegativeNumber);
    add("--raw", raw,
        "Read a file without a header: WIDTHxHEIGHT:TYPE,\nthen any of :be :samples=N :offset=BYTES :pages=N;\nTYPE is "
        "u8, i8, u16, i16, u32, i32, f32 or f64",
        "LAYOUT");
    declarePixelSize(command, pixelSize,
                     "Size of a pixel of the page at full resolution, instead\nof the one that the file states");
    command.add_flag("--ignore-alpha", ignoreAlpha, "Take transparent pixels for pixels with data")->group(kReading);
    add("--max-pixels", maxPixels, "Refuse pages of more pixels", "N");
    add("--max-decoded", maxDecoded, "Refuse pages of more decoded bytes; without it the\nfree memory of the machine",
        "BYTES");
    add("--max-expansion", maxExpansion, "Refuse compressed files that grow more than this", "RATIO")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
}

void ImageOptions::declareAt(CLI::App& command) {
    const auto take = [this](const std::string& text) {
        const auto isOfKind = [](const AxisPositions& positions, AxisPositions::Kind kind) {
            return positions.kind == kind;
        };
        PageSelection selection;
        try {
            selection = parseSelection(text);
        } catch (const Error& error) {
            throw CLI::ValidationError("--at", error.what());
        }
        const bool hasEach =
            std::ranges::any_of(std::array{selection.z, selection.t, selection.page, selection.scene},
                                [&](const auto& on) { return isOfKind(on, AxisPositions::Kind::each); });
        if (hasEach && !takesEach) {
            throw CLI::ValidationError("--at", "each: makes several results, and this command makes one; name a "
                                               "position, or use `run` with a recipe");
        }
        volume = isOfKind(selection.z, AxisPositions::Kind::volume);
        if (volume && !takesVolumes_) {
            throw CLI::ValidationError("--at", "z=volume: this command works on images; name a slice or a projection");
        }
        at = selection;
    };
    command
        .add_option_function<std::string>(
            "--at", take,
            "The part of the file by its axes, in place of a page:\nchannel=NAME,z=POSITION,t=POSITION. A position is "
            "a\nnumber from 0, first, middle or last; z also max, min,\nmean, sharpest or volume, perhaps of slices: "
            "z=max:2..8.\nscene=NAME or a number for files with several scenes, as\ninfo lists them")
        ->type_name("AXES")
        ->group(kReading);
}

void ImageOptions::declareVolume(CLI::App& command) {
    takesVolumes_ = true;
    CLI::Option* const selection = command.get_option("--at");
    const auto taken = std::make_shared<std::string>();
    const auto pages = std::make_shared<bool>(false);
    CLI::Option* const option =
        command
            .add_flag("--volume", *taken,
                      "Take the pages along z, or all pages of a file without\nnamed axes, as the slices of one "
                      "volume,\nor the images of a folder or a pattern like a*.png,\nor the DICOM series of a "
                      "file;\n--volume=auto: if the file has several pages along z,\nelse the page")
            ->check(oneOf({"true", kAutomatic}))
            ->group(kReading)
            ->excludes(selection);
    command.add_flag("--pages", *pages, "Take the page, as without --volume")
        ->excludes(option)
        ->excludes(selection)
        ->group(kReading);
    command.callback([this, taken, pages] {
        volume = volume || *taken == "true";
        if (*taken == kAutomatic) {
            findVolume();
        }
    });
}

void ImageOptions::findVolume() {
    try {
        const std::filesystem::path path = parseImageArgument(image).path;
        if (const auto slices = slicesNamed(path); !slices.empty()) {
            volume = true;
            volumeNote = "taken as a volume";
            return;
        }
        volume = true;                                             // the part may have slices
        const ImageInfo info = readImageInfo(path, readOptions()); // of the series of a file
        volume = statesVolume(info);
        volumeNote =
            volume ? "taken as a volume of " + std::to_string(slicePages(info).count) + " slices (--pages takes a page)"
                   : "taken as a page: it has no pages along z";
    } catch (const std::exception&) { // loadImage() fails likewise
        volume = false;
    }
}

ReadOptions ImageOptions::readOptions() const {
    ReadOptions read = readWithoutPart();
    ImageOptions chosen = *this;
    chosen.choosePart();
    if (chosen.part) {
        takePart(read, *chosen.part);
    }
    return read;
}

namespace {

/// Facts about a file, for a selection.
ImageInfo factsFor(const std::filesystem::path& path, ReadOptions options) {
    options.page = 0;
    options.channel = {ChannelChoice::Kind::sample, 0};
    return readImageInfo(path, options);
}

/// The parts of a file, which errors name.
SelectedParts partsOfFile(const std::filesystem::path& path, const PageSelection& selection, const ImageInfo& info,
                          const ReadOptions& base) {
    try {
        return partsOf(selection, info, base);
    } catch (const Error& error) {
        throw Error(error.code(), path.string() + ": " + error.what());
    }
}

/// The selection, with the channel of --channel or --derive if it states none.
/// @throws UsageError for a page or a channel that is stated, too
PageSelection wholeSelection(const ImageOptions& image, PageSelection selection, const ChannelChoice& channel) {
    const std::string& text = image.channel;
    const bool isGiven = text != ImageOptions{}.channel;
    refuseConflicts(
        {{parseImageArgument(image.image).path != image.image,
          "--at: selects the page; leave it out of '" + image.image + "'"},
         {image.at && image.at->channel && isGiven, "--at: states the channel; leave out --channel and --derive"}});
    if (isGiven && text != "all" && !selection.channel) {
        selection.channel = channel;
    }
    return selection;
}

} // namespace

std::vector<std::string> ImageOptions::choosePart() {
    if (!at || part) {
        return {};
    }
    ReadOptions base = readWithoutPart();
    const PageSelection selection = wholeSelection(*this, *at, base.channel);
    base.series = volume || at->z.kind != AxisPositions::Kind::unstated;
    SelectedParts parts = partsOfFile(image, selection, factsFor(image, base), base);
    refuseConflicts({{parts.parts.size() > 1, "--at: selects several images, and this command takes one"}});
    part = std::move(parts.parts.front());
    return std::move(parts.notes);
}

namespace {

int countOn(char axis, const ImageInfo& info) {
    const auto found = std::ranges::find(info.axes, axis, &StackAxis::name);
    return found != info.axes.end() ? found->count : axis == 'p' && info.axes.empty() ? info.pages : 1;
}

/// The axis along which images are followed, of which the selection then has each position; nothing for one image.
/// @param isStated --at states the selection
std::optional<char> followedAxis(const std::string& along, bool isStated, PageSelection& selection,
                                 const ImageInfo& info) {
    using Kind = AxisPositions::Kind;
    for (const char axis : {'z', 't', 'p'}) {
        if (positionsOn(axis, selection).kind == Kind::each) {
            return axis;
        }
    }
    const char axis = along.empty() ? 't' : along.front();
    AxisPositions& positions = positionsOn(axis, selection);
    const bool isOne = isStated && positions.kind != Kind::unstated;
    refuseConflicts({{isOne && !along.empty(), "--along: --at names one position of this axis"}});
    if (isOne || (along.empty() && countOn(axis, info) == 1)) {
        return std::nullopt;
    }
    positions.kind = Kind::each;
    return axis;
}

/// The selection of the page from which on images are followed along an axis.
PageSelection selectionFrom(const ImageInfo& info, const ReadOptions& first, char axis) {
    PageSelection selection = selectionOf(info, first, false);
    ImageInfo at = info;
    at.page = first.page;
    AxisPositions& positions = positionsOn(axis, selection);
    auto from = static_cast<std::uint32_t>(positions.index);
    if (const auto scene = pagePosition(kSceneAxis, at); axis == 'p' && scene && !scenesOf(info).empty()) {
        selection.scene = {}; // its pages are followed
        from = static_cast<std::uint32_t>(scene->index);
    }
    positions = {};
    if (from > 0) {
        positions.range = SliceRange{from, static_cast<std::uint32_t>(countOn(axis, info)) - from};
    }
    return selection;
}

} // namespace

std::optional<ImageSequence> imagesAlong(const ImageOptions& image, const FollowRequest& request) {
    const ImageArgument argument = parseImageArgument(image.image);
    const std::string& along = request.along;
    const bool isPage = argument.path != image.image;
    const PageSelection* const ofRecipe = request.recipe != nullptr ? selectionOf(*request.recipe) : nullptr;
    refuseConflicts({{isPage && image.at, "--at: selects the page; leave it out of '" + image.image + "'"},
                     {isPage && !request.fromPage && !along.empty(),
                      "--along: '" + image.image + "' is one image; leave out its page"}});
    if (isPage && !request.fromPage) {
        return std::nullopt;
    }
    ReadOptions base = request.recipe != nullptr ? readOptionsOf(*request.recipe) : image.readWithoutPart();
    const ReadOptions ofCommand = image.readWithoutPart();
    base.limits = ofCommand.limits;
    base.axes = ofCommand.axes.empty() ? base.axes : ofCommand.axes;
    const PageSelection* const given = image.at ? &*image.at : ofRecipe;
    base.series = given != nullptr && given->z.kind != AxisPositions::Kind::unstated;
    const ImageInfo info = factsFor(argument.path, base);
    const bool isStated = given != nullptr;
    if (!isStated && along.empty() && countOfAxes(info) < 2) {
        return std::nullopt;
    }
    const char axis = along.empty() ? 't' : along.front();
    ImageOptions file = image;
    file.image = argument.path.string();
    PageSelection selection = isStated ? *given : PageSelection{};
    if (!isStated && (request.recipe != nullptr || isPage)) {
        selection = selectionFrom(info, base, axis);
    } else if (request.recipe == nullptr) {
        selection = wholeSelection(file, selection, base.channel);
    }
    ImageSequence followed;
    const auto found = followedAxis(along, image.at.has_value(), selection, info);
    if (!found && !isStated) {
        throw Error(ErrorCode::invalidArgument,
                    file.image + ": has several axes and no t; state the axis to follow, such as --along z");
    }
    followed.axis = found.value_or(axis);
    SelectedParts parts = partsOfFile(argument.path, selection, info, base);
    followed.parts = std::move(parts.parts);
    followed.notes = std::move(parts.notes);
    return followed;
}

void declareAlong(CLI::App& command, std::string& along) {
    addChoice(command, "--along", along,
              "The axis to follow: t unless stated, at the chosen\nchannel and z; z follows from slice to slice",
              {"t", "z", "page"});
}

std::optional<AxisPosition> positionOn(char axis, const SelectedPart& part) {
    const auto found = std::ranges::find(part.positions, axis, &AxisPosition::axis);
    return found == part.positions.end() ? std::nullopt : std::optional(*found);
}

std::string imageName(const std::string& file, const SelectedPart& part) {
    std::string text;
    for (const AxisPosition& position : part.positions) {
        text += (text.empty() ? "" : ", ") + std::string(axisName(position.axis)) + " " +
                (position.index < 0 ? position.label : std::to_string(position.index));
    }
    return text.empty() ? file : file + " (" + text + ")";
}

ReadOptions ImageOptions::readWithoutPart() const {
    ReadOptions read;
    read.series = volume;
    read.page = parseImageArgument(image).page;
    read.channel = parsedArgument([&] { return ChannelChoice::parse(channel); });
    read.mapping = parseRange(range);
    if (!region.empty()) {
        const PartChoice box = parsePart(region);
        refuseConflicts(
            {{box.slices && !volume, "--region: '" + region + "': is a part of a volume, which --volume takes"}});
        read.region = box.region;
        read.slices = box.slices;
    }
    read.shrink = shrink;
    read.mapping.proportional = shrink > 1; // pixels are averaged
    read.level = level;
    if (!raw.empty()) {
        read.raw = parseRawLayout(raw);
    }
    if (!pixelSize.empty()) {
        read.pixelSize = parsePixelSize(pixelSize);
    }
    read.ignoreAlpha = ignoreAlpha;
    if (!axes.empty()) {
        read.axes = parsedArgument([&] { return parseAxisOrder(axes); }, "--");
    }
    if (!maxPixels.empty()) {
        read.limits.maxPixels = parseAmount("--max-pixels", maxPixels);
    }
    if (!maxDecoded.empty()) {
        read.limits.maxDecodedBytes = parseAmount("--max-decoded", maxDecoded);
    }
    read.limits.maxExpansion = maxExpansion;
    return read;
}

std::size_t channelOfFile(const char* option, const ImageOptions& image, std::span<const Channel> channels,
                          const std::string& name) {
    try {
        return channelNamed(channels, name);
    } catch (const Error& error) {
        throw Error(error.code(), image.image + ": " + option + ": " + error.what());
    }
}

std::vector<std::filesystem::path> volumeFiles(const ImageOptions& options) {
    const std::filesystem::path path = parseImageArgument(options.image).path;
    std::vector<std::filesystem::path> files = slicesNamed(path);
    return files.empty() ? std::vector{path} : files;
}

void printVolumeNote(const ImageOptions& options, std::size_t slices, const Context& context) {
    if (!options.volumeNote.empty()) {
        printNote(context, parseImageArgument(options.image).path.string() + ": " + options.volumeNote +
                               (slices == 0 ? "" : " of " + std::to_string(slices) + " slices"));
    }
}

LoadedImage loadImage(const ImageOptions& wanted, const Context& context, ProgressLine& progress,
                      const LoadOptions& reading) {
    ImageOptions options = wanted;
    const std::vector<std::string> unstated = options.choosePart();
    ReadOptions read = options.readOptions();
    read.mapping.proportional = read.mapping.proportional || reading.proportional;
    read.keepSamples = reading.keepSamples;
    read.threads = context.common.threads;
    const ImageArgument argument = parseImageArgument(options.image);
    const JobControl control = progress.control("reading", context.stop);
    const std::vector<std::filesystem::path> slices =
        options.volume ? slicesNamed(argument.path) : std::vector<std::filesystem::path>();
    LoadedImage loaded = !slices.empty()  ? readVolume(slices, read, control)
                         : options.volume ? readVolume(argument.path, read, control)
                                          : readImage(argument.path, read, control);
    findGroundSize(loaded.info, loaded.image->width(), loaded.image->height());
    progress.clear();
    printVolumeNote(options, slices.empty() ? 0 : loaded.image->extent().slices, context);
    printNotes(context, unstated, argument.path.string() + ": ");
    printNotes(context, loaded.info.notes, argument.path.string() + ": ");
    return loaded;
}

} // namespace pollard::cli
