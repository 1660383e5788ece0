#include "jobs/filter_job.hpp"

#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "options/named.hpp"
#include "progress_line.hpp"

#include <CLI/App.hpp>

namespace pollard::cli {

namespace {

constexpr const char* kChannelsHelp =
    "--channel all filters every channel with a tree of its own and writes one file with the layout of IMAGE:\n"
    "interleaved samples, planes or pages, with its names and colours. Transparency is copied unchanged. A criterion\n"
    "NAME:CRITERION, e.g. 'DAPI:area>=100', is for this channel only, in addition to those for all.\n";

/// The filter with criteria in pixels of this image.
FilterSpec resolved(const FilterSpec& asked, const ImageInfo& info, const Extent& extent, const std::string& image) {
    try {
        return inPixels(asked, {info, extent.isVolume()});
    } catch (const Error& error) {
        throw Error(error.code(), image + ": " + error.what());
    }
}

} // namespace

void FilterRequest::declare(CLI::App& command) {
    image.declare(command);
    image.declareVolume(command);
    addValue(command, "-o,--out", target,
             "TIFF to write; has the type (labels: 32 bits), values,\npixel size and geo tags of IMAGE. NIfTI, NRRD, "
             "MetaImage\nor FITS if the name ends in .nii, .nii.gz, .nrrd, .mha or\n.fits, OME-Zarr if in .zarr: the "
             "values and the voxel\nsize",
             "OUT.tif")
        ->required();
    addValue(command, "--guide", guide,
             "Write all channels, each with its own values at the\npixels that --output mask of this channel "
             "marks;\nall others become the no-data value or 0",
             "CHANNEL");
    filter.declare(command);
    tree.declare(command);
    stream.declare(command);
    command.footer(attributeHelp() + FilterOptions::help() + kChannelsHelp);
}

Filtered filterImage(const FilterRequest& request, const FilterSpec& asked, const std::vector<Engine*>& engines,
                     const LoadedImage& loaded, const Context& context, ProgressLine& progress) {
    const Image& image = *loaded.image;
    const TreeSpec tree = request.treeSpec();
    const FilterSpec pixels = resolved(asked, loaded.info, image.extent(), request.image.image);
    Filtered result{{}, {}, {}, std::make_shared<Image>(image.type(), image.extent()), {}, {}};
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        result.built = buildTree(engine, tree, loaded, context, progress);
        result.filter = pixels;
        if (request.filter.hasPicks()) {
            requireImage(image.extent(), "picks by pixel");
            request.filter.addPicks(*result.built.session->tree(), result.filter);
        }
        Session& session = *result.built.session;
        const JobControl control = progress.control("filtering", context.stop);
        if (needsProportional(pixels) && loaded.info.mapping && !loaded.info.mapping->isProportional()) {
            ValueResult made = session.filterRanks(result.filter, control);
            result.report = std::move(made.report);
            result.picture = std::move(made.image);
            result.own = std::move(made.mapping);
        } else {
            result.report = session.filter(result.filter, *result.picture, control);
        }
        if (asked.output == Output::labels) {
            result.labels = session.labels(result.filter, progress.control("numbering", context.stop));
        }
    });
    result.filter.criteria = asked.criteria; // report criteria as given
    return result;
}

} // namespace pollard::cli
