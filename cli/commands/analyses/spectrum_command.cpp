#include "attributes/grey_values.hpp"
#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "options/stream_options.hpp"
#include "report.hpp"
#include "text.hpp"

#include "analysis/spectrum.hpp"
#include "chunks/sweeps/chunked_spectrum.hpp"
#include "io/write/text_file.hpp"

#include <CLI/App.hpp>
#include <iterator>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <sstream>
#include <variant>

namespace pollard::cli {

namespace {

/// Options of one axis of the spectrum.
struct Axis {
    std::string attribute;
    std::uint32_t bins = 32;
    std::string scale = "auto";
    std::optional<double> low;
    std::optional<double> high;
};

struct SpectrumCommandOptions {
    ImageOptions image;
    TreeOptions tree;
    StreamOptions stream;
    Axis first{.attribute = "area", .low = {}, .high = {}};
    Axis second;
    std::string table;
};

/// Checks that need no values.
void requireAxis(const Axis& axis) {
    (void)attributeNamed(axis.attribute);
    const double low = axis.low.value_or(0);
    const double high = axis.high.value_or(0);
    refuseConflicts({{!std::isfinite(low) || !std::isfinite(high), "bins: a bound is not a finite number"},
                     {axis.low && axis.high && !(low < high),
                      "bins: the last edge " + exactNumber(high) + " is not above the first one " + exactNumber(low)},
                     {axis.scale == "log" && axis.low && !(low > 0),
                      "bins: a logarithmic scale must start above 0, not at " + exactNumber(low)}});
}

SpectrumAxis axisOf(const Axis& axis) {
    return {attributeNamed(axis.attribute),
            {axis.bins, axis.scale == "log" ? BinScale::log : BinScale::linear, axis.low, axis.high},
            axis.scale == "auto"};
}

std::vector<SpectrumAxis> axesOf(const SpectrumCommandOptions& options) {
    std::vector<SpectrumAxis> axes{axisOf(options.first)};
    if (!options.second.attribute.empty()) {
        axes.push_back(axisOf(options.second));
    }
    return axes;
}

BinSpec binsOf(const SpectrumAxis& axis, Session& session, const JobControl& control) {
    BinSpec spec = axis.bins;
    if (axis.automaticScale) {
        const auto column = session.attribute(axis.attribute, control);
        spec.scale = automaticScale(spec, {column->minimum, column->maximum});
    }
    return spec;
}

std::string attributeName(AttributeId id) { return std::string(attributeInfo(id).name); }
const char* scaleName(BinScale scale) { return scale == BinScale::log ? "log" : "linear"; }

using Values = std::optional<ValueMapping>;

/// An edge of a bin as a value, without the last digits, which rounding makes.
double edgeValue(AttributeId attribute, double edge, const Values& values) {
    const double value = columnValue(attribute, edge, values);
    if (value == edge || !std::isfinite(value)) {
        return value;
    }
    constexpr double kDigits = 1e13;
    const double scale = std::pow(10.0, std::floor(std::log10(std::max(std::abs(value), 1e-300))));
    const double rounded = std::round(value / scale * kDigits) / kDigits * scale;
    return std::abs(rounded - value) <= 1e-12 * std::abs(value) ? rounded : value;
}

std::vector<double> edgeValues(AttributeId attribute, const Bins& bins, const Values& values) {
    std::vector<double> edges;
    std::ranges::transform(bins.edges, std::back_inserter(edges),
                           [&](double edge) { return edgeValue(attribute, edge, values); });
    return edges;
}

/// Grey * px in a table.
void writeMass(TextFile& file, std::uint64_t mass, const Values& values) {
    if (values) {
        file << values->step * static_cast<double>(mass);
    } else {
        file << mass;
    }
}

void writeSpectrumTable(TextFile& file, const PatternSpectrum& spectrum, const Values& values,
                        const JobControl& control) {
    const std::vector<double> edges = edgeValues(spectrum.attribute, spectrum.bins, values);
    const std::string name = attributeName(spectrum.attribute);
    const std::vector<GranulometryPoint> curve = granulometry(spectrum);
    file << name << "_from," << name << "_to,grey_mass,nodes,share,removed_below_to\n";
    for (std::size_t i = 0; i < spectrum.shares.size(); ++i) {
        const SpectrumShare& share = spectrum.shares[i];
        const double part =
            spectrum.total == 0 ? 0 : static_cast<double>(share.mass) / static_cast<double>(spectrum.total);
        file << edges[i] << ',' << edges[i + 1] << ',';
        writeMass(file, share.mass, values);
        file << ',' << share.nodes << ',' << part << ',' << curve[i + 1].share;
        file.endLine(control);
    }
}

void writeSpectrumTable(TextFile& file, const PatternSpectrum2d& spectrum, const Values& values,
                        const JobControl& control) {
    const std::vector<double> across = edgeValues(spectrum.attributeX, spectrum.x, values);
    const std::vector<double> down = edgeValues(spectrum.attributeY, spectrum.y, values);
    // Both axes may have the same attribute; the suffix distinguishes the columns.
    const std::string x = attributeName(spectrum.attributeX) + "_x";
    const std::string y = attributeName(spectrum.attributeY) + "_y";
    file << x << "_from," << x << "_to," << y << "_from," << y << "_to,grey_mass,nodes\n";
    for (std::size_t j = 0; j < spectrum.y.count(); ++j) {
        for (std::size_t i = 0; i < spectrum.x.count(); ++i) {
            const SpectrumShare& share = spectrum.at(i, j);
            file << across[i] << ',' << across[i + 1] << ',' << down[j] << ',' << down[j + 1] << ',';
            writeMass(file, share.mass, values);
            file << ',' << share.nodes;
            file.endLine(control);
        }
    }
}

Json axisJson(AttributeId attribute, const Bins& bins, const Values& values) {
    return {{"attribute", attributeName(attribute)},
            {"bins", bins.count()},
            {"scale", scaleName(bins.scale)},
            {"from", edgeValue(attribute, bins.edges.front(), values)},
            {"to", edgeValue(attribute, bins.edges.back(), values)}};
}

Json shareJson(const SpectrumShare& share, const Values& values) {
    return {{"grey_mass", massJson(share.mass, values)}, {"nodes", share.nodes}};
}

/// Adds the spectrum to the fields. @return a table of its bins
std::string addSpectrum(Json& fields, const PatternSpectrum& spectrum, const Values& values) {
    const std::vector<double> edges = edgeValues(spectrum.attribute, spectrum.bins, values);
    Json masses = Json::array();
    Json nodes = Json::array();
    TextTable table({attributeName(spectrum.attribute), "", "grey mass", "nodes", "share", "removed below"}, "rlrrrr");
    const std::vector<GranulometryPoint> curve = granulometry(spectrum);
    const auto percent = [](double share) { return fixed(100 * share, 2) + " %"; };
    for (std::size_t i = 0; i < spectrum.shares.size(); ++i) {
        const SpectrumShare& share = spectrum.shares[i];
        masses.push_back(massJson(share.mass, values));
        nodes.push_back(share.nodes);
        table.add({fixed(edges[i], 2), "to " + fixed(edges[i + 1], 2), massText(share.mass, values),
                   grouped(share.nodes), percent(curve[i + 1].share - curve[i].share), percent(curve[i + 1].share)});
    }
    fields["axes"] = Json::array({axisJson(spectrum.attribute, spectrum.bins, values)});
    fields["below"] = shareJson(spectrum.below, values);
    fields["above"] = shareJson(spectrum.above, values);
    fields["undefined"] = shareJson(spectrum.nan, values);
    fields["edges"] = edges;
    fields["grey_mass"] = masses;
    fields["node_counts"] = nodes;
    std::ostringstream text;
    table.print(text);
    const std::uint64_t apart = spectrum.below.nodes + spectrum.above.nodes + spectrum.nan.nodes;
    if (apart != 0) {
        text << counted(apart, "node") << (apart == 1 ? " lies" : " lie") << " in no bin ("
             << grouped(spectrum.below.nodes) << " below, " << grouped(spectrum.above.nodes) << " above, "
             << grouped(spectrum.nan.nodes) << " without a value)\n";
    }
    return text.str();
}

/// Adds the axes to the fields. @return the number of bins
std::string addSpectrum(Json& fields, const PatternSpectrum2d& spectrum, const Values& values) {
    fields["axes"] = Json::array(
        {axisJson(spectrum.attributeX, spectrum.x, values), axisJson(spectrum.attributeY, spectrum.y, values)});
    fields["outside"] = shareJson(spectrum.outside, values);
    return std::to_string(spectrum.x.count()) + " x " + std::to_string(spectrum.y.count()) + " bins of " +
           attributeName(spectrum.attributeX) + " and " + attributeName(spectrum.attributeY) + "; " +
           counted(spectrum.outside.nodes, "node") + (spectrum.outside.nodes == 1 ? " lies" : " lie") + " in none\n";
}

/// The values with a step for masses: the value of a unit of mass if the levels are ranks, which have no step.
Values forMasses(Values values, double massUnit) {
    if (values && !values->isProportional()) {
        values->step = massUnit;
    }
    return values;
}

template <class Spectrum> void reportSpectrum(const SpectrumCommandOptions& options, const WorkFacts& facts,
                                              const Spectrum& spectrum, const Values& mapping, const Context& context) {
    const Values values = forMasses(mapping, spectrum.massUnit);
    if (!options.table.empty()) {
        TextFile file(options.table, "write pattern spectrum");
        writeSpectrumTable(file, spectrum, values, JobControl(context.stop));
        file.commit();
    }
    Report report;
    report.addImage(options.image.image, facts.extent, facts.bits);
    report.fields["total"] = massJson(spectrum.total, values);
    addValueUnit(report.fields, unitOf(values));
    addSlices(report.fields, facts.extent);
    const std::string bins = addSpectrum(report.fields, spectrum, values);
    report.text << options.image.image << ": " << facts.tree << '\n'
                << "grey mass above the ground (level "
                << valueText(valueOf(values, spectrum.rootLevel), unitOf(values))
                << "): " << massText(spectrum.total, values) << ' '
                << (unitOf(values).empty() ? "grey" : unitOf(values)) << "*px\n"
                << (options.table.empty() ? bins : "");
    report.addWritten("csv_file", options.table);
    report.fields.update(facts.fields);
    report.print(context, options.table.empty());
}

void runSpectrumInChunks(Context& context, const SpectrumCommandOptions& options) {
    refuseInChunks(options.image);
    const TreeSpec tree = options.tree.spec();
    ChunkRequest request = chunkRequest(options.image, tree, options.stream, context);
    request.read.mapping.proportional = true; // the mass is a sum of differences
    requireOutputs(options.image.image, {{options.table, "the table"}});
    const auto [report, milliseconds] = runInChunks(context, false, [&](ProgressLine& progress) {
        return spectrumOfImage(request, axesOf(options), progress.control("spectrum in chunks", context.stop));
    });
    const std::uint16_t rootLevel = std::visit([](const auto& made) { return made.rootLevel; }, report.spectrum);
    const WorkFacts facts =
        chunkFacts(tree, report, milliseconds,
                   Json::object({{"root_level", numberJson(valueOf(report.info.mapping, rootLevel))}}));
    const std::optional<ValueMapping>& mapping = report.info.mapping;
    std::visit([&](const auto& made) { reportSpectrum(options, facts, made, mapping, context); }, report.spectrum);
}

/// memoryReason() if the attributes are measured in chunks.
std::string chunksNeededForSpectrum(const SpectrumCommandOptions& options) {
    const bool able = std::ranges::all_of(
        axesOf(options), [](const SpectrumAxis& axis) { return isKnownAtClosing(axis.attribute, false); });
    return able ? memoryReason(options.image) : std::string();
}

void runSpectrumInMemory(Context& context, const SpectrumCommandOptions& options) {
    std::vector<SpectrumAxis> axes = axesOf(options);
    const TreeSpec tree = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    requireOutputs(options.image.image, {{options.table, "the table"}});

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    for (SpectrumAxis& axis : axes) {
        axis = inColumn(axis, loaded.info.mapping);
    }
    AnySpectrum spectrum;
    WorkFacts facts{loaded.image->extent(), bitsOf(loaded.image->type()), {}};
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        const SessionTree built = buildTree(engine, tree, loaded, context, progress);
        Session& session = *built.session;
        const JobControl control = progress.control("sorting into bins", context.stop);
        StageTimer timer;
        const BinSpec bins = binsOf(axes[0], session, control);
        if (axes.size() > 1) {
            const BinSpec second = binsOf(axes[1], session, control);
            spectrum = arena.execute(
                [&] { return session.spectrum2d(axes[0].attribute, bins, axes[1].attribute, second, control); });
        } else {
            spectrum = arena.execute([&] { return session.spectrum(axes[0].attribute, bins, control); });
        }
        timer.finish("spectrum");
        facts.tree = describe(built);
        facts.fields = Json::object();
        addTreeFields(facts.fields, built);
        facts.fields["spectrum_ms"] = timer.totalMilliseconds();
    });
    progress.clear();
    std::visit([&](const auto& made) { reportSpectrum(options, facts, made, loaded.info.mapping, context); }, spectrum);
}

void runSpectrum(Context& context, const SpectrumCommandOptions& options) {
    requireAxis(options.first);
    if (!options.second.attribute.empty()) {
        requireAxis(options.second);
    }
    if (worksInChunks(
            options.stream, [&] { return chunksNeededForSpectrum(options); }, "worked on in chunks", context)) {
        runSpectrumInChunks(context, options);
    } else {
        runSpectrumInMemory(context, options);
    }
}

void declareAxis(CLI::App& command, Axis& axis, const std::string& suffix, const std::string& group) {
    const auto named = [&](const char* name) { return name + suffix; };
    addValue(command, named("--bins"), axis.bins, "Number of bins", "N")
        ->check(within(1U, BinSpec::kMaxBins))
        ->capture_default_str()
        ->group(group);
    addValue(command, named("--scale"), axis.scale,
             "Spacing of the bins' edges: log, linear, or auto\n(log if the values are above 0 and span two decades)",
             "NAME")
        ->check(oneOf({"auto", "log", "linear"}))
        ->capture_default_str()
        ->group(group);
    addValue(command, named("--from"), axis.low, "First edge; the smallest value unless given", "V")->group(group);
    addValue(command, named("--to"), axis.high, "Last edge; past the largest value unless given", "V")->group(group);
}

} // namespace

CommandAction declareSpectrum(CLI::App& app) {
    CLI::App& command = *app.add_subcommand(
        "spectrum", "Pattern spectrum: how much grey is in components of which size, or of which other attribute");
    const auto options = std::make_shared<SpectrumCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "--attribute", options->first.attribute, "Attribute of the bins, see 'tree --help'", "NAME")
        ->capture_default_str();
    addValue(command, "--attribute2", options->second.attribute, "A second attribute: bins of both at once", "NAME");
    declareAxis(command, options->first, "", "Bins");
    declareAxis(command, options->second, "2", "Bins of the second attribute");
    addValue(command, "--csv", options->table,
             "Write a line per bin: its edges, grey mass, nodes and,\nof one attribute, the share of all grey and the "
             "share\nthat keeping attribute >= upper edge removes",
             "OUT.csv");
    options->tree.declare(command);
    options->stream.declareSweep(command);
    command.footer(
        "The grey mass of a component is contrast * area: the loss of the image without it. All of them add\n"
        "up to the sum of |f - level of the root|, which is 'total'.");
    return [options](Context& context) { runSpectrum(context, *options); };
}

} // namespace pollard::cli
