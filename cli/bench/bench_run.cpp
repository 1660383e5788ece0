#include "bench/bench_run.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/bench_samples.hpp"
#include "command.hpp"
#include "engine/engine.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <span>

namespace pollard::cli {

namespace {

constexpr int kMaxRepeat = 10'000;
constexpr int kMaxStream = 1'000'000;

/// The values of a list with commas, each once. @param parse makes one of a text
/// @param expected for the message about an empty list
template <class Parse>
auto parseList(const std::string& option, const std::string& text, const std::string& expected, const Parse& parse) {
    std::vector<decltype(parse(text))> values;
    for (const std::string& part : splitList(text)) {
        const auto value = parse(part);
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
    refuseConflicts({{values.empty(), option + ": '" + text + "': must be " + expected}});
    return values;
}

bool isColour(const ImageInfo& info) {
    return info.photometric == "RGB" || info.photometric == "YCbCr" || info.photometric == "Palette";
}

/// Reads the luminance of a colour image in 16 bits.
BenchSubject loadLuminance(const ImageOptions& options, const LoadedImage& grey, const Context& context,
                           ProgressLine& progress) {
    const ImageArgument argument = parseImageArgument(options.image);
    const auto read = [&](int sample) {
        ReadOptions channel;
        channel.page = argument.page;
        channel.channel = {ChannelChoice::Kind::sample, sample};
        return readImage(argument.path, channel, progress.control("reading", context.stop)).image;
    };
    // More than 8 bits give a 16-bit luminance already; fewer have no fraction worth keeping.
    const bool eightBits =
        grey.image->type() == PixelType::u8 && (grey.info.bits == 8 || grey.info.photometric == "Palette");
    auto image = eightBits ? wideLuminance(*read(0), *read(1), *read(2)) : grey.image;
    progress.clear();
    return {options.image, std::move(image), true, {}, {}};
}

} // namespace

std::vector<PixelType> parseBits(const std::string& text) {
    return parseList("bits", text, "8, 16 or 8,16", [](const std::string& part) {
        refuseConflicts({{part != "8" && part != "16", "bits: '" + part + "': must be 8 or 16"}});
        return part == "8" ? PixelType::u8 : PixelType::u16;
    });
}

std::vector<Connectivity> parseConnectivities(const std::string& text, bool isVolume) {
    using enum Connectivity;
    const auto known = isVolume ? std::vector{six, eighteen, twentySix} : std::vector{four, eight};
    const auto parse = [&](const std::string& part) {
        const auto found = std::ranges::find(known, part, [](Connectivity c) { return std::to_string(int(c)); });
        refuseConflicts(
            {{found == known.end(), "connectivity: '" + part + "': must be " + (isVolume ? "6, 18 or 26" : "4 or 8")}});
        return *found;
    };
    return parseList("connectivity", text, isVolume ? "6, 18, 26 or several" : "4, 8 or 4,8", parse);
}

std::vector<GridSimplification> parseGrids(const std::string& text) {
    return parseList("grid", text, "auto, on, off or several of them with commas", gridNamed);
}

std::vector<ImageSize> parseSizes(const std::string& text) {
    const auto parse = [](const std::string& part) {
        const auto [width, height] = numbersIn<std::uint32_t, 2>(part, 'x').value_or(std::array{0U, 0U});
        const std::uint64_t pixels = std::uint64_t{width} * height;
        refuseConflicts({{pixels == 0 || pixels > Image::kMaxPixels,
                          "size: '" + part + "': must be WIDTHxHEIGHT in pixels, such as 4000x3000"}});
        return ImageSize{width, height};
    };
    const std::vector<std::string> parts = splitList(text);
    std::vector<ImageSize> sizes;
    std::ranges::transform(parts.empty() ? std::vector{text} : parts, std::back_inserter(sizes), parse);
    return sizes;
}

bool BenchOptions::names(const AlgorithmInfo& algorithm) const {
    const std::vector<std::string> all = splitList(algorithms);
    return all.empty() || std::ranges::find(all, algorithm.name) != all.end();
}

void BenchOptions::declare(CLI::App& command) {
    addValue(command, "IMAGE", images, "Images; without any, generated images: smooth,\nnoise, ramp", "");
    addValue(command, "--channel", channel, "Grey value of a colour pixel", "CHANNEL")->capture_default_str();
    addValue(command, "--bits", bits,
             "Depths to measure; grey 16 -> 8 keeps the high byte,\n8 -> 16 multiplies by 257; colour becomes "
             "luminance\non 16 bits, of which 8 bits are the high byte",
             "8,16")
        ->capture_default_str();
    addValue(command, "--algorithms", algorithms, "Names of the algorithms, with commas", "a,b,..");
    addValue(command, "--connectivity", connectivities,
             "Neighbours of a pixel: 4, 8 or both; of volumes 6 (default),\n18, 26 or several", "4,8")
        ->default_str("4");
    addValue(command, "--grid", grids, "Grid simplification: auto, on, off, or several", "auto,on,off")
        ->capture_default_str();
    addValue(command, "--repeat", repeat, "Measured repetitions after one to warm up", "N")
        ->check(within(1, kMaxRepeat))
        ->capture_default_str();
    addValue(command, "--stream", stream,
             "Also send N images one after another, transfers\noverlapped where the device can; 0 = no", "N")
        ->check(within(0, kMaxStream))
        ->capture_default_str();
    command.add_flag("--attributes", attributes,
                     "Also time every attribute, on the device where it is\nmeasured there");
    command.add_flag("--components", components,
                     "Time labelling algorithms instead: objects of images\n(Otsu's threshold), or of random squares");
    command.add_flag("--snake", snake, "Time region snakes instead, on a disc in noise")->excludes("--components");
    command.add_flag("--volume", volume, "Read the images as volumes")->needs("IMAGE")->excludes("--snake");
    addValue(command, "--apart", apart, "N x N discs, each with an independent contour", "N")->check(within(1U, 255U));
    addValue(command, "--max-step", maxStep, "First step of a snake's node, px; 0: by the size", "D")
        ->check(within(0U, 1U << 20U))
        ->capture_default_str();
    addValue(command, "--min-length", minLength, "A snake's longer edges are split, px", "L")
        ->check(within(2U, 1U << 20U))
        ->capture_default_str();
    addValue(command, "--granularity", granularities, "Sides of the squares, px", "N,..")->capture_default_str();
    addValue(command, "--density", densities, "Share of set squares, %", "N,..")->capture_default_str();
    addValue(command, "--size", sizes, "Sizes of generated images, such as\n1920x1080,6000x4000", "WxH,..")
        ->capture_default_str();
    tree.declareKind(command);
    addValue(command, "--csv", csvFile, "Write the table as CSV", "OUT.csv");
    CLI::Option* report =
        addValue(command, "--report", reportFile, "Write a page with charts of the times", "OUT.html");
    addValue(command, "--from", fromCsv, "Draw a table of --csv instead of measuring", "TIMES.csv")->needs(report);
}

std::shared_ptr<const Image> wideLuminance(const Image& red, const Image& green, const Image& blue) {
    auto image = std::make_shared<Image>(PixelType::u16, red.width(), red.height());
    const auto r = red.pixels<std::uint8_t>();
    const auto g = green.pixels<std::uint8_t>();
    const auto b = blue.pixels<std::uint8_t>();
    const auto out = image->pixels<std::uint16_t>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t weighted = 2126U * r[i] + 7152U * g[i] + 722U * b[i]; // at most 255 * 10000
        out[i] = static_cast<std::uint16_t>((257U * weighted + 5000U) / 10000U);
    }
    return image;
}

std::vector<BenchSubject> loadSubjects(const BenchOptions& options, const Context& context, ProgressLine& progress) {
    std::vector<BenchSubject> subjects;
    for (const std::string& name : options.images) {
        ImageOptions image;
        image.image = name;
        image.channel = options.channel;
        image.volume = options.volume;
        const LoadedImage loaded = loadImage(image, context, progress);
        if (options.channel == "luminance" && isColour(loaded.info) && !options.volume) {
            subjects.push_back(loadLuminance(image, loaded, context, progress));
        } else {
            subjects.push_back({name, loaded.image, false, {}, {}});
        }
    }
    if (!subjects.empty()) {
        return subjects;
    }
    for (const ImageSize size : parseSizes(options.sizes)) {
        const std::string text = std::to_string(size.width) + "x" + std::to_string(size.height);
        for (const TestImage image : {TestImage::smoothNoise, TestImage::noise, TestImage::ramp}) {
            subjects.push_back({std::string(nameOf(image)) + " " + text, nullptr, false, image, size});
        }
    }
    return subjects;
}

BenchImage atDepth(const BenchSubject& subject, PixelType type) {
    if (!subject.image) {
        return {makeImage(subject.generated, type, subject.size.width, subject.size.height), "none"};
    }
    std::string conversion = "none";
    if (subject.image->type() != type) {
        conversion = type == PixelType::u16 ? "value * 257"
                     : subject.luminance    ? "high byte of luminance"
                                            : "high byte";
    } else if (subject.luminance) {
        conversion = "luminance";
    }
    return {convertDepth(subject.image, type), std::move(conversion)};
}

std::shared_ptr<const Image> turned(const Image& image) {
    auto copy = std::make_shared<Image>(image.type(), image.extent());
    dispatch(image.type(),
             [&]<class T>(T) { std::ranges::reverse_copy(image.pixels<T>(), copy->pixels<T>().begin()); });
    return copy;
}

namespace {

Json fieldsOf(const BenchRow& row) {
    return {{"image", row.image},
            {"bits", row.bits},
            {"conversion", row.conversion},
            {"pixels", row.pixels},
            {"nodes", row.nodes},
            {"algorithm", row.algorithm},
            {"connectivity", static_cast<int>(row.connectivity)},
            {"grid", nameOf(row.grid)},
            {"engine", row.engine},
            {"stage", row.stage.name},
            {"ms", row.stage.milliseconds},
            {"mpix_per_s", row.megapixelsPerSecond()},
            {"frames_per_second", orNull(row.framesPerSecond)},
            {"dice", orNull(row.dice)}};
}

std::string cellOf(const Json& value) {
    return value.is_null()           ? std::string()
           : value.is_string()       ? value.get<std::string>()
           : value.is_number_float() ? exactNumber(value.get<double>())
                                     : value.dump();
}

/// Results of one repetition.
struct Repetition {
    TreeReport tree;
    FilterReport filter;
    std::vector<StageTime> parents; ///< of a parent image alone, if the tree is built without one
    std::vector<StageTime> wall;    ///< per step: upload, build, attribute, filter
    std::optional<double> upload;
    std::optional<double> download;
    std::optional<double> attribute;   ///< on the device
    std::vector<StageTime> attributes; ///< on the device, or wall time; all except area

    /// Stores times that the session reports separately.
    void take(const std::vector<StageTime>& stages) {
        for (const StageTime& stage : stages) {
            auto& sum = stage.name == "upload" ? upload : stage.name == "download" ? download : attribute;
            sum = sum.value_or(0) + stage.milliseconds;
        }
    }
};

/// Sum of the stages up to the parent image; nothing if there is none.
std::optional<double> parentImageTime(const std::vector<StageTime>& stages) {
    double sum = 0;
    for (const StageTime& stage : stages) {
        sum += stage.name == "upload" ? 0 : stage.milliseconds;
        if (stage.name == "flatten") {
            return sum;
        }
    }
    return std::nullopt;
}

void addTo(SampleTable& table, const Repetition& repetition) {
    const double uploadWall = repetition.wall[0].milliseconds;
    const double buildWall = repetition.wall[1].milliseconds;
    const double attributeWall = repetition.wall[2].milliseconds;
    const double filterWall = repetition.wall[3].milliseconds;
    if (repetition.upload) {
        table.add("upload", *repetition.upload);
        table.add("upload/wall", uploadWall);
    }
    for (const StageTime& stage : repetition.tree.stages) {
        table.add("build/" + stage.name, stage.milliseconds);
    }
    table.add("build", repetition.tree.milliseconds);
    table.add("build/wall", buildWall);
    for (const StageTime& stage : repetition.parents) {
        table.add("parents/" + stage.name, stage.milliseconds);
    }
    if (const auto parents =
            parentImageTime(repetition.parents.empty() ? repetition.tree.stages : repetition.parents)) {
        table.add(repetition.upload ? "kernels" : "parents", *parents);
    }
    const double area = repetition.attribute.value_or(attributeWall);
    table.add("attribute/area", area);
    table.add("attribute/wall", attributeWall);
    for (const StageTime& stage : repetition.filter.stages) {
        table.add("filter/" + stage.name, stage.milliseconds);
    }
    table.add("filter", repetition.filter.milliseconds);
    table.add("filter/wall", filterWall);
    if (repetition.download) {
        table.add("download", *repetition.download);
    }
    double all = area;
    for (const StageTime& stage : repetition.attributes) {
        table.add("attribute/" + stage.name, stage.milliseconds);
        all += stage.milliseconds;
    }
    if (!repetition.attributes.empty()) {
        table.add("attributes", all);
    }
    table.add("total", repetition.tree.milliseconds + area + repetition.filter.milliseconds);
    table.add("total/wall", uploadWall + buildWall + attributeWall + filterWall);
}

/// The session if it implements TimedParts, else @p none.
TimedParts& timedPartsOf(Session& session, TimedParts& none) {
    auto* const parts = dynamic_cast<TimedParts*>(&session);
    return parts == nullptr ? none : *parts;
}

/// Times of all attributes except area: on the device, or the wall time if the host computes them.
std::vector<StageTime> timeAttributes(Session& session, TimedParts& parts, const Extent& extent,
                                      Connectivity connectivity, const JobControl& control) {
    std::vector<StageTime> times;
    for (const AttributeInfo& info : extent.isVolume() ? volumeAttributes() : allAttributes()) {
        const bool isUndefined = info.id == AttributeId::euler && connectivity == Connectivity::eighteen;
        if (info.id == AttributeId::area || isUndefined) {
            continue;
        }
        StageTimer wall;
        (void)session.attribute(info.id, control);
        wall.finish("wall");
        std::optional<double> onDevice;
        for (const StageTime& stage : parts.takeTransferStages()) {
            if (stage.name != "upload" && stage.name != "download") {
                onDevice = onDevice.value_or(0) + stage.milliseconds;
            }
        }
        times.push_back({std::string(info.name), onDevice.value_or(wall.totalMilliseconds())});
    }
    return times;
}

FilterSpec benchFilter() {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, 100});
    return spec;
}

/// Wall time of the parent images (or the trees, if the engine has no cheaper form) of consecutive images, ms per
/// image.
double streamTime(Engine& engine, std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
                  const SessionOptions& options, const JobControl& control) {
    if (auto* const streamer = dynamic_cast<TreeStreamer*>(&engine)) {
        const StreamReport report = streamer->streamTrees(images, spec, count, control);
        return report.milliseconds / report.images;
    }
    const auto session = engine.openSession(options);
    TimedParts none;
    TimedParts& parts = timedPartsOf(*session, none);
    StageTimer wall;
    for (int i = 0; i < count; ++i) {
        session->open(images[static_cast<std::size_t>(i) % images.size()]);
        if (parts.timeParentImage(spec, control).empty()) {
            (void)session->buildTree(spec, control);
        }
    }
    wall.finish("wall");
    return wall.totalMilliseconds() / count;
}

} // namespace

Json benchJson(const std::vector<BenchRow>& rows) { return arrayOf(rows, fieldsOf); }

void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows) {
    std::vector<std::vector<std::string>> table(1);
    const Json columns = fieldsOf({});
    for (const auto& [name, value] : columns.items()) {
        table.front().push_back(name);
    }
    for (const BenchRow& row : rows) {
        table.push_back(textsOf(fieldsOf(row), cellOf));
    }
    writeCsv(file, table, "write table of times");
}

void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows) {
    const bool bothConnectivities =
        std::ranges::any_of(rows, [&](const BenchRow& row) { return row.connectivity != rows.front().connectivity; });
    const bool streams = std::ranges::any_of(rows, [](const BenchRow& row) { return row.framesPerSecond.has_value(); });
    const bool volumes = std::ranges::any_of(rows, [](const BenchRow& row) {
        return row.connectivity != Connectivity::four && row.connectivity != Connectivity::eight;
    });
    std::vector<std::string> header{
        "image", "bits", "engine", "algorithm", "stage", "ms", volumes ? "MVox/s" : "MPix/s"};
    std::string align = "lrlllrr";
    if (streams) {
        header.emplace_back("frames/s");
        align += 'r';
    }
    const bool contours = std::ranges::any_of(rows, [](const BenchRow& row) { return row.dice.has_value(); });
    if (contours) {
        header.emplace_back("nodes");
        header.emplace_back("Dice");
        align += "rr";
    }
    TextTable table(std::move(header), std::move(align));
    std::set<std::string> conversions;
    std::string previous;
    for (const BenchRow& row : rows) {
        const std::string algorithm = describeAlgorithm(
            row.algorithm +
                (bothConnectivities ? ", " + std::to_string(static_cast<int>(row.connectivity)) + "-conn." : ""),
            row.grid);
        const std::string block = row.image + "\n" + std::to_string(row.bits) + "\n" + row.engine + "\n" + algorithm;
        const bool first = block != previous;
        previous = block;
        std::vector<std::string> cells{first ? std::filesystem::path(row.image).filename().string() : "",
                                       first ? std::to_string(row.bits) : "",
                                       first ? row.engine : "",
                                       first ? algorithm : "",
                                       row.stage.name,
                                       fixed(row.stage.milliseconds, 3),
                                       fixed(row.megapixelsPerSecond(), 1)};
        if (streams) {
            cells.push_back(row.framesPerSecond ? fixed(*row.framesPerSecond, 1) : "");
        }
        if (contours) {
            cells.push_back(grouped(row.nodes));
            cells.push_back(row.dice ? fixed(*row.dice, 4) : "");
        }
        table.add(std::move(cells));
        conversions.insert(row.conversion);
    }
    table.print(out);
    if (conversions.contains("high byte")) {
        out << "16-bit images at 8 bits: high byte of every value\n";
    }
    if (conversions.contains("value * 257")) {
        out << "8-bit images at 16 bits: value * 257\n";
    }
    if (conversions.contains("luminance") || conversions.contains("high byte of luminance")) {
        out << "colour images: 0.2126 R + 0.7152 G + 0.0722 B on 16 bits; at 8 bits its high byte\n";
    }
}

BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image, int repeat,
                   bool attributes, const JobControl& control) {
    const FilterSpec filter = benchFilter();
    TimedParts none;
    TimedParts& parts = timedPartsOf(session, none);
    Image out(image->type(), image->extent());
    BenchRun result;
    SampleTable table;
    for (int i = 0; i <= repeat; ++i) {
        control.throwIfStopped();
        (void)parts.takeTransferStages();
        Repetition repetition;
        StageTimer wall;
        session.open(image);
        wall.finish("upload");
        repetition.tree = session.buildTree(spec, control);
        wall.finish("build");
        const auto area = session.attribute(AttributeId::area, control);
        wall.finish("attribute");
        repetition.filter = session.filter(filter, out, control);
        wall.finish("filter");
        repetition.wall = wall.take();
        repetition.take(parts.takeTransferStages());
        if (attributes) {
            repetition.attributes = timeAttributes(session, parts, image->extent(), spec.connectivity, control);
        }
        if (!parentImageTime(repetition.tree.stages)) {
            session.open(image); // without a tree in memory, as before a build
            repetition.parents = parts.timeParentImage(spec, control);
        }
        if (!spec.algorithm.empty() && repetition.tree.algorithm != spec.algorithm) {
            throw Error(ErrorCode::engineUnavailable, "benchmark: " + spec.algorithm + ": the tree came from " +
                                                          repetition.tree.algorithm + " instead");
        }
        if (i > 0) { // the first run pays for fresh memory
            addTo(table, repetition);
        }
        result.tree = std::move(repetition.tree);
    }
    result.stages = table.medians();
    return result;
}

double benchStream(Engine& engine, const TreeSpec& spec, const std::shared_ptr<const Image>& image, int count,
                   int repeat, const SessionOptions& options, const JobControl& control) {
    constexpr int kWarmUp = 8;
    const std::array images{image, turned(*image)};
    (void)streamTime(engine, images, spec, std::min(count, kWarmUp), options, control);
    std::vector<double> milliseconds;
    for (int i = 0; i < repeat; ++i) {
        control.throwIfStopped();
        milliseconds.push_back(streamTime(engine, images, spec, count, options, control));
    }
    return median(milliseconds);
}

} // namespace pollard::cli
