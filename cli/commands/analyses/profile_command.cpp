#include "base/parallel.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/profile_bands.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "options/stream_options.hpp"
#include "report.hpp"
#include "text.hpp"

#include "chunks/sweeps/chunked_profile.hpp"
#include "engine/profile.hpp"
#include "io/metadata/scene_description.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <cmath>
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
    std::string bandsAs; ///< name of a BandLayout; empty: by the image
};

const std::map<std::string, BandLayout>& bandLayouts() {
    static const std::map<std::string, BandLayout> kAll{
        {"pages", BandLayout::pages}, {"pixels", BandLayout::pixels}, {"planes", BandLayout::planes}};
    return kAll;
}

ProfileSpec parseProfile(const ProfileCommandOptions& options, const std::string& attribute,
                         const std::string& thresholds) {
    ProfileSpec spec;
    spec.attribute = attributeNamed(attribute);
    spec.rule = valueNamed("rule", options.rule, kAllRules);
    spec.differential = options.differential;
    std::vector<double>& all = spec.thresholds;
    for (const std::string& text : splitList(thresholds)) {
        const double value = numberIn<double>(text).value_or(NAN);
        const std::string last = all.empty() ? std::string() : exactNumber(all.back());
        refuseConflicts(
            {{!std::isfinite(value), "thresholds: '" + text + "': is not a number"},
             {!all.empty() && !(all.back() < value),
              joined({"thresholds: '", thresholds, "': must ascend, but ", text, " comes after ", last}, "")}});
        all.push_back(value);
    }
    refuseConflicts(
        {{all.empty(), "thresholds: none given"},
         {all.size() > ProfileSpec::kMaxThresholds, "thresholds: " + std::to_string(all.size()) + " are more than " +
                                                        std::to_string(ProfileSpec::kMaxThresholds)}});
    return spec;
}

std::vector<ProfileSpec> parseSeries(const ProfileCommandOptions& options) {
    const std::vector<std::string> attributes =
        options.attributes.empty() ? std::vector<std::string>{"area"} : options.attributes;
    refuseConflicts({{attributes.size() != options.thresholds.size(),
                      "thresholds: " + std::to_string(options.thresholds.size()) + " lists for " +
                          std::to_string(attributes.size()) + " attributes: each --attribute has its --thresholds"}});
    std::vector<ProfileSpec> series;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        series.push_back(parseProfile(options, attributes[i], options.thresholds[i]));
    }
    return series;
}

/// TIFF tag PageName with the filter of the page.
CopiedTag pageName(const ProfileSpec& spec, double threshold) {
    constexpr std::uint16_t kPageName = 285;
    return textTag(kPageName, toString({spec.attribute, threshold}));
}

/// Thresholds are the channels of a profile of a volume.
PlaneFacts profileFacts(const ProfileSpec& spec, const LoadedImage& loaded, const WrittenValues& values) {
    PlaneFacts facts = resultFacts(loaded.info, values, loaded.image->extent());
    if (loaded.image->extent().isVolume()) {
        StackAxis thresholds{'c', static_cast<int>(spec.thresholds.size()), {}};
        for (const double threshold : spec.thresholds) {
            thresholds.labels.push_back(toString({spec.attribute, threshold}));
        }
        facts.scene.axes.push_back(std::move(thresholds));
    }
    return facts;
}

/// Writes the pages. The page of a threshold is computed when it is written.
/// @param note receives a line about the type of the samples
std::vector<ProfilePage> writePages(const ProfileCommandOptions& options, const ProfileSpec& spec,
                                    const LoadedImage& loaded, AttributeProfile& profile, const JobControl& control,
                                    std::string& note) {
    std::vector<ProfilePage> pages;
    const Image& image = *loaded.image;
    const ResultValues values = resultValuesOf(spec);
    const ResultSamples samples = resultSamples(loaded, values);
    const PlaneFacts facts = profileFacts(spec, loaded, {values, samples});
    const auto make = [&](int number, const JobControl& job) {
        const auto out = std::make_shared<Image>(image.type(), image.extent());
        pages.push_back(profile.page(number, *out, job));
        Plane plane{ownedRows(out, loaded, values, samples), facts};
        plane.facts.carried.push_back(pageName(spec, pages.back().threshold));
        return plane;
    };
    writeResult(options.target, {profile.pageCount(), make}, control,
                {.compression = options.stream.tiffCompression(), .arePages = true});
    note = noteOnType(loaded.info, values, samples.type);
    return pages;
}

/// @param values of ranks with the value of a unit of mass as their step
void printProfile(const ProfileCommandOptions& options, const ProfileSpec& spec, const WorkFacts& facts,
                  const std::optional<ValueMapping>& values, const std::vector<ProfilePage>& pages,
                  const Context& context) {
    Json list = Json::array();
    TextTable table({"page", "filter", "kept nodes", "changed pixels", "changed grey"}, "rlrrr");
    for (const ProfilePage& page : pages) {
        table.add({std::to_string(list.size()), toString({spec.attribute, page.threshold}), grouped(page.keptNodes),
                   grouped(page.changedPixels), massText(page.changedMass, values)});
        list.push_back({{"threshold", page.threshold},
                        {"kept", page.keptNodes},
                        {"changed_pixels", page.changedPixels},
                        {"changed_mass", massJson(page.changedMass, values)}});
        if (spec.differential) {
            list.back()["page_mass"] = massJson(page.pageMass, values);
        }
    }
    Report report;
    report.addImage(options.image.image, facts.extent, facts.bits, options.target);
    report.fields.update({{"pages", pages.size()},
                          {"attribute", attributeInfo(spec.attribute).name},
                          {"rule", nameOf(spec.rule)},
                          {"differential", spec.differential},
                          {"page_list", std::move(list)}});
    addValueUnit(report.fields, unitOf(values));
    report.fields.update(facts.fields);
    report.text << options.image.image << ": " << facts.tree << '\n';
    table.print(report.text);
    report.addWritten(options.target);
    report.print(context);
}

void requireTarget(const ProfileCommandOptions& options) {
    requireTiffName(options.target, true);
    requireOutputs(options.image.image, {{options.target, "the result"}});
}

void runProfileInChunks(Context& context, const ProfileCommandOptions& options, const ProfileSpec& spec) {
    refuseInChunks(options.image);
    const TreeSpec tree = options.tree.spec();
    ChunkRequest request = chunkRequest(options.image, tree, options.stream, context);
    request.target = options.target;
    request.read.mapping.proportional = true;
    requireTarget(options);
    std::vector<std::vector<CopiedTag>> tags;
    for (const double threshold : spec.thresholds) {
        tags.push_back({pageName(spec, threshold)});
    }
    const auto [report, milliseconds] = runInChunks(context, !request.strips, [&](ProgressLine& progress) {
        return profileOfImage(request, spec, tags, progress.control("filtering in chunks", context.stop));
    });
    printProfile(options, spec, chunkFacts(tree, report, milliseconds), report.info.mapping, report.pages, context);
}

void runProfileInMemory(Context& context, const ProfileCommandOptions& options, const ProfileSpec& spec) {
    const TreeSpec tree = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    requireTarget(options);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded =
        loadImage(options.image, context, progress, {.proportional = needsProportional(spec), .keepSamples = true});
    std::optional<ValueMapping> masses = loaded.info.mapping;
    WorkFacts facts{loaded.image->extent(), bitsOf(loaded.image->type()), {}};
    std::vector<ProfilePage> pages;
    std::string note;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        const SessionTree built = buildTree(engine, tree, loaded, context, progress);
        AttributeProfile profile(*built.session, loaded.image, spec, loaded.info.mapping);
        if (masses && !masses->isProportional()) {
            masses->step = profile.massUnit();
        }
        const JobControl control = progress.control("filtering and writing", context.stop);
        pages = arena.execute([&] { return writePages(options, spec, loaded, profile, control, note); });
        facts.tree = describe(built);
        facts.fields = Json::object();
        addSlices(facts.fields, facts.extent);
        addTreeFields(facts.fields, built);
    });
    progress.clear();
    printNote(context, note);
    printProfile(options, spec, facts, masses, pages, context);
}

void runInBands(Context& context, const ProfileCommandOptions& options, std::vector<ProfileSpec> series,
                std::vector<std::string> channels) {
    const std::string noBands =
        "profile: bands (several channels, trees or attributes, --bands, --means, .npy) are not possible with ";
    refuseConflicts(
        {{options.image.volume, noBands + "--volume"}, {options.stream.asksForChunks(), noBands + "--stream"}});
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
    const auto reason = [&] { return profileProblem(spec, false).empty() ? memoryReason(options.image) : ""; };
    if (worksInChunks(options.stream, reason, "worked on in chunks", context)) {
        runProfileInChunks(context, options, spec);
    } else {
        runProfileInMemory(context, options, spec);
    }
}

} // namespace

CommandAction declareProfile(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("profile", "Filter an image by a list of thresholds; write a page for each");
    const auto options = std::make_shared<ProfileCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "-o,--out", options->target,
             "TIFF to write, a page per threshold (and slice); has the\ndepth, pixel size and geo tags of IMAGE. With "
             "several\nattributes or channels, both trees, or --bands: a band for\neach channel and each threshold, "
             "see --bands-as, or\nOUT.npy, an array (bands, height, width)",
             "OUT.tif")
        ->required();
    addRepeated(command, "--attribute", options->attributes,
                "Attribute of the thresholds, see 'tree --help'; may be\nrepeated, with --thresholds for each", "NAME")
        ->default_str("area");
    addRepeated(command, "--thresholds", options->thresholds,
                "Keep components of at least this value: numbers\nthat ascend, with commas; of grey in its values",
                "T1,T2,..")
        ->required();
    addValue(command, "--rule", options->rule, "Effect of removing a component, see 'filter --help'", "NAME")
        ->capture_default_str();
    command.add_flag("--differential", options->differential,
                     "Write the part removed by each step: page N is\n|F(N-1) - F(N)|, where F(N) is the image "
                     "filtered by\nthreshold N (from 0) and F(-1) the image itself");
    command.add_flag("--bands", options->bands,
                     "Write the image and its filters as bands, as for several\nattributes, several channels "
                     "(--channel all or A,B,..) and\nboth trees");
    addValue(command, "--bands-as", options->bandsAs,
             "Bands of a TIFF as pages (ImageJ, libvips), as pixels, the\nsamples of one page side by side (GDAL, "
             "QGIS, libvips), or as\nplanes, one after another (GDAL, QGIS; libvips and ImageJ\nread them wrongly); "
             "without it pixels for an image with a\nplace on a map, else pages",
             "pages|pixels|planes")
        ->check(oneOf({"pages", "pixels", "planes"}));
    addValue(command, "--means", options->means,
             "Further bands: for each threshold the mean of these\nchannels (all, or A,B,..) over the smallest "
             "component of\nat least this value around a pixel; in bands, see --bands",
             "CHANNELS");
    addValue(command, "--tree", options->tree.kind,
             "max: bright objects on dark; min: dark ones on bright;\nboth: bands of both", "max|min|both")
        ->check(oneOf({"max", "min", kBothTrees}))
        ->default_str(options->tree.kind);
    options->tree.declareOthers(command);
    options->stream.declareOnePass(command);
    return [options](Context& context) { runProfile(context, *options); };
}

} // namespace pollard::cli
