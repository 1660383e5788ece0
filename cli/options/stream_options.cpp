#include "options/stream_options.hpp"

#include "command.hpp"
#include "options/option_values.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <map>

namespace pollard::cli {

namespace {

constexpr const char* kGroup = "Images larger than memory";
constexpr const char* kWritingHelp = "Work in chunks, with the same result, and write a tiled\nTIFF with reduced "
                                     "versions; chosen by itself for\nimages that do not fit the memory";

constexpr const char* kFilterHelp = "Work in chunks, with the same result, and write a tiled\nTIFF with reduced "
                                    "versions, of a volume and of\n--channel all the file as without it; chosen by "
                                    "itself for\nimages and volumes that do not fit the memory";

const std::map<std::string, TiffCompression>& compressions() {
    static const std::map<std::string, TiffCompression> kAll{{"none", TiffCompression::none},
                                                             {"deflate", TiffCompression::deflate},
                                                             {"deflate-predictor", TiffCompression::deflatePredictor},
                                                             {"zstd", TiffCompression::zstd}};
    return kAll;
}

} // namespace

void StreamOptions::declareSweep(CLI::App& command) {
    declareChunks(command, "Work in chunks, with the same result; chosen by itself\nfor images that do not fit the "
                           "memory");
}

void StreamOptions::declareChunks(CLI::App& command, const char* streamHelp) {
    command.add_flag("--stream", stream, streamHelp)->group(kGroup);
    declareMemory(command);
    declareChunk(command);
}

void StreamOptions::declareChunk(CLI::App& command) {
    addValue(command, "--chunk", chunk,
             "Side of a chunk in px, rounded up to tiles of 512 px;\nof a volume the side of a brick; without it by "
             "the memory",
             "N")
        ->check(CLI::PositiveNumber)
        ->group(kGroup);
}

void StreamOptions::declare(CLI::App& command) {
    declareChunks(command, kFilterHelp);
    addValue(
        command, "--workdir", workFolder,
        "Folder for working files, kept if the work fails or is\nstopped; without it beside OUT.tif and removed then",
        "DIR")
        ->group(kGroup);
    command
        .add_flag("--resume", resume,
                  "Continue the work whose files are in --workdir, or beside\nOUT.tif after a crash")
        ->group(kGroup);
    declareTiff(command);
}

void StreamOptions::declareOnePass(CLI::App& command) {
    declareChunks(command, kWritingHelp);
    declareTiff(command);
}

void StreamOptions::declareSizes(CLI::App& command) {
    declareMemory(command);
    declareChunk(command);
    declareCompression(command);
}

void StreamOptions::declareCompression(CLI::App& command) {
    addValue(command, "--compression", compression,
             "Of a TIFF that is written: deflate or none, which all\nprograms read, deflate-predictor, often smaller, "
             "which\nImageJ shows as noise, or zstd, which ImageJ and older\nprograms do not open",
             "CODEC")
        ->check(oneOf({"none", "deflate", "deflate-predictor", "zstd"}))
        ->capture_default_str()
        ->group(kGroup);
}

void StreamOptions::declareTiff(CLI::App& command) {
    declareCompression(command);
    command
        .add_flag("--strips", strips,
                  "Write the result of --stream in strips without reduced\nversions, which ImageJ opens; it opens "
                  "tiles by the plugin\nBio-Formats only")
        ->group(kGroup);
}

void StreamOptions::declareMemory(CLI::App& command) {
    addValue(command, "--memory", memory,
             "Bytes that the work in chunks may take, e.g. 8G; without\nit three quarters of the free memory", "BYTES")
        ->group(kGroup);
}

std::uint64_t StreamOptions::memoryBytes() const { return memory.empty() ? 0 : parseAmount("--memory", memory); }

TiffCompression StreamOptions::tiffCompression() const {
    const TiffCompression found = compressions().at(compression);
    refuseConflicts({{!isAvailable(found), "--compression " + compression + ": not in this build of libtiff"}});
    return found;
}

} // namespace pollard::cli
