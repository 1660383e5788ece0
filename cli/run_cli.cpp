#include "run_cli.hpp"

#include "command.hpp"

namespace pollard::cli {

namespace {

constexpr const char* kExamples = R"(Examples:
  pollard-cli info cells.tif
  pollard-cli filter cells.tif -o large.tif --keep 'area>=100'
  pollard-cli filter 'stack.tif[3]' -o spots.tif --keep '5<=area<=80' --output residue
  pollard-cli tree cells.tif --attributes area,mean --nodes nodes.csv --parent parent.tif
  pollard-cli run preset:vessels retina/*.tif -o vessels
  pollard-cli bench --size 4000x4000 --bits 16

IMAGE[N] picks page N of a file, counted from 0. 'pollard-cli COMMAND --help' explains a command.
Exit codes: 0 done, 1 the work failed or was cancelled, 2 wrong usage.)";

} // namespace

int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options) {
    const Program program{"pollard-cli",
                          "Pollard: filters images by pruning their component trees.",
                          kExamples,
                          {declareEngines, declareInfo, declareTree, declareAlgorithms, declareFilter, declareProfile,
                           declareSpectrum, declareHMaxima, declareMser, declareComponents, declareTrack, declareSnake,
                           declarePart, declareRun, declareBench}};
    return runProgram(program, args, out, err, registry, options);
}

} // namespace pollard::cli
