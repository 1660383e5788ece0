#include "base/thread_arena.hpp"
#include "command.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/profile_bands.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named.hpp"
#include "options/output_target.hpp"
#include "options/stream_options.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "chunks/sweeps/chunked_profile.hpp"
#include "engine/profile.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_tags.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

namespace pollard::cli {

namespace {

constexpr const char* kBothTrees = "both";

struct ProfileCommandOptions {
    ImageOptions image;
    TreeOptions tree;
    StreamOptions stream;
    std::string target;
    std::vector<std::string> attributes; ///< empty: area
    std::vector<std::string> thresholds; ///< a list for each attribute
    std::string rule{nameOf(Rule::direct)};
    bool differential = false;
    bool bands = false;
    std::string means;   ///< channels; empty: none
    std::string bandsAs; ///< name of a BandLayout; empty: by the picture
};

const std::map<std::string, BandLayout>& bandLayouts() {
    static const std::map<std::string, BandLayout> kAll{
        {"pages", BandLayout::pages}, {"pixels", BandLayout::pixels}, {"planes", BandLayout::planes}};
    return kAll;
}

[[noreturn]] void refuseOrder(const std::string& thresholds, const std::string& next, double before) {
    throw UsageError("thresholds: '" + thresholds + "': must ascend, but " + next + " comes after " + shortest(before));
}

ProfileSpec parseProfile(const ProfileCommandOptions& options, const std::string& attribute,
                         const std::string& thresholds) {
    ProfileSpec spec;
    spec.attribute = attributeNamed(attribute);
    spec.rule = ruleNamed(options.rule);
    spec.differential = options.differential;
    for (const std::string& text : splitList(thresholds)) {
        double value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
            throw UsageError("thresholds: '" + text + "': is not a number");
        }
        if (!spec.thresholds.empty() && !(spec.thresholds.back() < value)) {
            refuseOrder(thresholds, text, spec.thresholds.back());
        }
        spec.thresholds.push_back(value);
    }
    if (spec.thresholds.empty()) {
        throw UsageError("thresholds: none given");
    }
    if (spec.thresholds.size() > ProfileSpec::kMaxThresholds) {
        throw UsageError("thresholds: " + std::to_string(spec.thresholds.size()) + " are more than " +
                         std::to_string(ProfileSpec::kMaxThresholds));
    }
    return spec;
}

std::vector<ProfileSpec> parseSeries(const ProfileCommandOptions& options) {
    const std::vector<std::string> attributes =
        options.attributes.empty() ? std::vector<std::string>{"area"} : options.attributes;
    if (attributes.size() != options.thresholds.size()) {
        throw UsageError("thresholds: " + std::to_string(options.thresholds.size()) + " lists for " +
                         std::to_string(attributes.size()) + " attributes: each --attribute has its --thresholds");
    }
    std::vector<ProfileSpec> series;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        series.push_back(parseProfile(options, attributes[i], options.thresholds[i]));
    }
    return series;
}

/// TIFF tag PageName with the filter of the page.
CarriedTag pageName(const ProfileSpec& spec, double threshold) {
    constexpr std::uint16_t kPageName = 285;
    constexpr std::uint16_t kAscii = 2;
    const std::string text = toString({spec.attribute, threshold});
    CarriedTag tag{kPageName, kAscii, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
    std::memcpy(tag.data.data(), text.data(), text.size());
    return tag;
}

/// A slice of a volume, or the picture.
PixelRows sliceOf(const PixelRows& rows, std::uint64_t slice) {
    PixelRows one{{rows.extent.width, rows.extent.height, 1}, rows.bits, {}};
    one.read = [read = rows.read, top = slice * rows.extent.height](std::uint64_t first, std::uint32_t count,
                                                                    std::byte* out) { read(top + first, count, out); };
    return one;
}

/// Thresholds are the channels of a profile of a volume.
TiffWriteOptions profileOptions(const ProfileSpec& spec, const LoadedImage& loaded, const WrittenValues& values,
                                TiffCompression compression) {
    TiffWriteOptions how = resultOptions(loaded.info, values, loaded.image->extent());
    how.compression = compression;
    if (loaded.image->extent().isVolume()) {
        StackAxis thresholds{'c', static_cast<int>(spec.thresholds.size()), {}};
        for (const double threshold : spec.thresholds) {
            thresholds.labels.push_back(toString({spec.attribute, threshold}));
        }
        how.scene.axes.push_back(std::move(thresholds));
    }
    return how;
}

/// Writes the pages, computing those of a threshold when the first is written.
std::vector<ProfilePage> writePages(const ProfileCommandOptions& options, const ProfileSpec& spec,
                                    const LoadedImage& loaded, AttributeProfile& profile, const JobControl& control) {
    std::vector<ProfilePage> pages;
    const Image& image = *loaded.image;
    const auto slices = static_cast<int>(image.extent().slices);
    const ResultLevels levels = resultLevelsOf(spec);
    const WrittenValues values(resultValuesOf(levels), noDataMark(loaded, levels));
    PixelRows filtered; // of the last threshold
    const auto makePage = [&](int number, const JobControl& job) {
        if (number % slices == 0) {
            filtered = {};
            const auto out = std::make_shared<Image>(image.type(), image.extent());
            pages.push_back(profile.page(number / slices, *out, job));
            filtered = ownedRows(out, loaded.valid, values.mark);
        }
        return WrittenPage{nullptr,
                           {pageName(spec, pages.back().threshold)},
                           {},
                           sliceOf(filtered, static_cast<std::uint64_t>(number % slices))};
    };
    writeTiffPages(options.target, profile.pageCount() * slices, makePage,
                   profileOptions(spec, loaded, values, options.stream.tiffCompression()), control);
    return pages;
}

Json pagesJson(const ProfileSpec& spec, const std::vector<ProfilePage>& pages) {
    Json list = Json::array();
    for (const ProfilePage& page : pages) {
        Json object{{"threshold", page.threshold},
                    {"kept", page.keptNodes},
                    {"changed_pixels", page.changedPixels},
                    {"changed_mass", page.changedMass}};
        if (spec.differential) {
            object["page_mass"] = page.pageMass;
        }
        list.push_back(object);
    }
    return list;
}

void printProfile(const ProfileCommandOptions& options, const ProfileSpec& spec, const WorkFacts& facts,
                  const std::vector<ProfilePage>& pages, const Context& context) {
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"output_file", options.target},
                    {"width", facts.extent.width},
                    {"height", facts.extent.height},
                    {"bits", facts.bits},
                    {"pages", pages.size()},
                    {"attribute", attributeInfo(spec.attribute).name},
                    {"rule", nameOf(spec.rule)},
                    {"differential", spec.differential},
                    {"page_list", pagesJson(spec, pages)}};
        object.update(facts.fields);
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    context.out << options.image.image << ": " << facts.tree << '\n';
    using enum TextTable::Align;
    TextTable table({"page", "filter", "kept nodes", "changed pixels", "changed grey"},
                    {right, left, right, right, right});
    for (std::size_t i = 0; i < pages.size(); ++i) {
        table.add({std::to_string(i), toString({spec.attribute, pages[i].threshold}), grouped(pages[i].keptNodes),
                   grouped(pages[i].changedPixels), grouped(pages[i].changedMass)});
    }
    table.print(context.out);
    context.out << "written: " << options.target << '\n';
}

void requireTarget(const ProfileCommandOptions& options) {
    requireTiffName(options.target, true);
    requireDifferent(parseImageArgument(options.image.image).path, options.target, "the input");
    requireWritable(options.target);
}

void runProfileInChunks(Context& context, const ProfileCommandOptions& options, const ProfileSpec& spec) {
    refuseWholeImages(options.image);
    const TreeSpec tree = options.tree.spec();
    ChunkRequest request = chunkRequest(options.image, tree, options.stream, context);
    request.target = options.target;
    requireTarget(options);
    std::vector<std::vector<CarriedTag>> tags;
    for (const double threshold : spec.thresholds) {
        tags.push_back({pageName(spec, threshold)});
    }
    const auto [report, milliseconds] = runInChunks(context, !request.strips, [&](ProgressLine& progress) {
        return profileOfPicture(request, spec, tags, progress.control("filtering in chunks", context.stop));
    });
    printProfile(options, spec, chunkFacts(tree, report, milliseconds), report.pages, context);
}

void runProfileInMemory(Context& context, const ProfileCommandOptions& options, const ProfileSpec& spec) {
    const TreeSpec tree = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    requireTarget(options);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    WorkFacts facts{loaded.image->extent(), bitsOf(loaded.image->type()), {}};
    std::vector<ProfilePage> pages;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        const BuiltTree built = buildTree(engine, tree, loaded, context, progress);
        AttributeProfile profile(*built.session, loaded.image, spec);
        const JobControl control = progress.control("filtering and writing", context.stop);
        pages = arena.execute([&] { return writePages(options, spec, loaded, profile, control); });
        facts.tree = describe(built, tree);
        facts.fields = Json::object();
        addSlices(facts.fields, *loaded.image);
        addTreeFields(facts.fields, built, tree);
    });
    progress.clear();
    printProfile(options, spec, facts, pages, context);
}

/// Refuses options that profiles in bands do not have.
void refuseInBands(const ProfileCommandOptions& options) {
    if (options.image.volume || options.stream.asksForChunks()) {
        throw UsageError(
            std::string("profile: bands (several channels, trees or attributes, --bands, --means, .npy) are not "
                        "possible with ") +
            (options.image.volume ? "--volume" : "--stream"));
    }
}

void runInBands(Context& context, const ProfileCommandOptions& options, std::vector<ProfileSpec> series,
                std::vector<std::string> channels) {
    refuseInBands(options);
    const bool both = options.tree.kind == kBothTrees;
    BandsRequest request{options.image,
                         std::move(channels),
                         options.tree,
                         both ? std::vector{TreeKind::max, TreeKind::min} : std::vector{options.tree.spec().kind},
                         std::move(series),
                         options.means.empty() ? std::vector<std::string>() : channelList(options.means),
                         options.target,
                         options.stream.tiffCompression(),
                         options.bandsAs.empty() ? std::nullopt : std::optional(bandLayouts().at(options.bandsAs))};
    writeProfileBands(request, context);
}

void runProfile(Context& context, const ProfileCommandOptions& options) {
    std::vector<ProfileSpec> series = parseSeries(options);
    std::vector<std::string> channels = channelList(options.image.channel);
    if (options.bands || !options.means.empty() || series.size() > 1 || channels.size() > 1 ||
        channels.front() == "all" || options.tree.kind == kBothTrees || namesArray(options.target)) {
        runInBands(context, options, std::move(series), std::move(channels));
        return;
    }
    const ProfileSpec& spec = series.front();
    if (options.stream.asksForChunks()) {
        runProfileInChunks(context, options, spec);
        return;
    }
    const std::string reason = profileProblem(spec, false).empty() ? memoryReason(options.image) : std::string();
    if (!reason.empty()) {
        printNote(context, reason + ": worked on in chunks (--stream)");
        runProfileInChunks(context, options, spec);
        return;
    }
    runProfileInMemory(context, options, spec);
}

} // namespace

CommandAction declareProfile(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("profile", "Filter an image by a list of thresholds; write a page for each");
    const auto options = std::make_shared<ProfileCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addText(
        command, "-o,--out", options->target,
        "TIFF to write, a page per threshold (and slice); has the\ndepth, pixel size and geo tags of IMAGE. "
        "With several\nattributes or channels, both trees, or --bands: a band for\neach channel and each threshold, "
        "see --bands-as, or\nOUT.npy, an array (bands, height, width)",
        "OUT.tif")
        ->required();
    addRepeated(command, "--attribute", options->attributes,
                "Attribute of the thresholds, see 'tree --help'; may be\nrepeated, with --thresholds for each")
        ->type_name("NAME")
        ->default_str("area");
    addRepeated(command, "--thresholds", options->thresholds,
                "Keep components of at least this value: numbers\nthat ascend, with commas")
        ->type_name("T1,T2,..")
        ->required();
    addText(command, "--rule", options->rule, "Effect of removing a component, see 'filter --help'", "NAME")
        ->capture_default_str();
    command.add_flag(
        "--differential", options->differential,
        "Write the part removed by each step: page N is\n|F(N-1) - F(N)|, where F(N) is the image filtered "
        "by\nthreshold N (from 0) and F(-1) the image itself");
    command.add_flag("--bands", options->bands,
                     "Write the picture and its filters as bands, as for several\nattributes, several channels "
                     "(--channel all or A,B,..) and\nboth trees");
    command
        .add_option("--bands-as", options->bandsAs,
                    "Bands of a TIFF as pages (ImageJ, libvips), as pixels, the\nsamples of one page side by side "
                    "(GDAL, QGIS, libvips), or as\nplanes, one after another (GDAL, QGIS; libvips and ImageJ\nread "
                    "them wrongly); without it pixels for a picture with a\nplace on a map, else pages")
        ->type_name("pages|pixels|planes")
        ->check(CLI::IsMember({"pages", "pixels", "planes"}).description(""));
    addText(
        command, "--means", options->means,
        "Further bands: for each threshold the mean of these\nchannels (all, or A,B,..) over the smallest component "
        "of\nat least this value around a pixel; in bands, see --bands",
        "CHANNELS");
    command
        .add_option("--tree", options->tree.kind,
                    "max: bright objects on dark; min: dark ones on bright;\nboth: bands of both")
        ->check(CLI::IsMember({"max", "min", kBothTrees}).description(""))
        ->type_name("max|min|both")
        ->default_str(options->tree.kind);
    options->tree.declareOthers(command);
    options->stream.declareOnePass(command);
    return [options](Context& context) { runProfile(context, *options); };
}

} // namespace pollard::cli
